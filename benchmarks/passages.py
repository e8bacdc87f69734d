"""How often what a search shows of a right hit is the answer: the passage, and the beginning that it stands in for.

    python benchmarks/passages.py --questions DIR [--sets NAME …]

DIR holds the sets of `quality.py` whose answers are spans of text. Each is built with the static model and searched;
of a question that finds a chunk with a part of its answer within ten hits, the first such chunk is shown. The answer is
seen if four words in a row of it are shown. Counted are questions, and those that see it in the snippet (120
characters), in a beginning as long as a passage, in the passage; then those that see it in only one of the last two.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

from quality import SPANS, prepared

from infograph.build import build
from infograph.client import Client
from infograph.config import load
from infograph.evaluate.questions import Question, read_questions

SHOWN = 10
"""Hits that are looked at."""
RUN = 4
"""Words in a row by which the answer is known."""


def runs(text: str) -> set[tuple[str, ...]]:
    """Every four words in a row of a text."""
    words = re.findall(r"\w+", text.lower())
    return {tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1)}


def seen(client: Client, question: Question, texts: dict[str, str]) -> tuple[bool, ...] | None:
    """Whether the snippet, the beginning and the passage of the first right hit show the answer; None without one."""
    for hit in client.search(question.text, limit=SHOWN, texts=True, prompts=False).hits:
        answer = "\n".join(texts[span.file][span.start : span.end] for span in question.gold if span.file == hit.page)
        if found := runs(answer) & runs(hit.text):
            ways = (hit.snippet, client.passage("", hit.text), client.passage(question.text, hit.text))
            return tuple(bool(runs(way) & found) for way in ways)
    return None


def row(name: str, folder: Path, questions: Path) -> list[str]:
    """One line of the table, of a set."""
    docs = prepared(name, questions, folder, folder) / "corpus"
    build(load(str(docs), flags={"out": str(folder / "out"), "model": "static"}, environment={}))
    texts = {path.relative_to(docs).as_posix(): path.read_text("utf-8") for path in docs.rglob("*.md")}
    data = (docs.parent / "questions.jsonl").read_bytes()
    asked = read_questions(name, data, {file: len(text) for file, text in texts.items()})
    with Client(folder / "out") as client:
        found = [ways for question in asked if (ways := seen(client, question, texts))]
    counts = [sum(way) for way in zip(*found, strict=True)]
    alone = [sum(way[1:] == only for way in found) for only in ((True, False), (False, True))]
    return [name, *map(str, (len(found), *counts, *alone))]


def table(rows: Sequence[Sequence[str]]) -> str:
    head = ["set", "questions", "snippet", "beginning", "passage", "beginning alone", "passage alone"]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [head, ["---"] * len(head), *rows])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=Path, required=True, help="folder of the sets")
    parser.add_argument("--sets", nargs="+", default=SPANS, choices=SPANS)
    options = parser.parse_args()
    rows = []
    for name in options.sets:
        with tempfile.TemporaryDirectory() as folder:
            rows.append(row(name, Path(folder), options.questions))
    print(table(rows))


if __name__ == "__main__":
    main()

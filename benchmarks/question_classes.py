"""How often the rules for classes of questions agree with a person, on questions of the open sets.

    python benchmarks/question_classes.py --questions DIR

DIR is that of `quality.py`. `records/question-classes.tsv` names the questions by set and number, with the class that a
person gave them: 90 that the rules were `written on`, 18 of a class, and 28 that were drawn and labelled when the rules
were done, on which they are `judged`. One person did all of it.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from infograph.client.options import CLASSES
from infograph.client.question_class import classify

LABELS = Path(__file__).parent / "records" / "question-classes.tsv"
HALVES = ("written on", "judged on")


def questions(folder: Path) -> Iterator[tuple[str, str]]:
    """The id of every question, with its set, and its text."""
    for path in folder.glob("*/questions.jsonl"):
        for line in path.read_text("utf-8").splitlines():
            record = json.loads(line)
            yield f"{path.parent.name}/{record['id']}", record["question"]
    for path in folder.glob("fastapi-pages/*.tsv"):
        for number, line in enumerate(filter(str.strip, path.read_text("utf-8").splitlines()), 1):
            yield f"fastapi-{path.stem}/{number}", line.split("\t")[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=Path, required=True, help="folder of the sets")
    texts = dict(questions(parser.parse_args().questions))
    right: Counter[tuple[str, str]] = Counter()
    total: Counter[tuple[str, str]] = Counter()
    for line in LABELS.read_text("utf-8").splitlines():
        half, label, name = line.split("\t")
        found = classify(texts[name]).name
        for group in (label, "all"):
            total[group, half] += 1
            right[group, half] += found == label
        if found != label:
            print(f"{name}: {label}, by the rules {found}: {texts[name]}")
    print(f"\n| class | {' | '.join(HALVES)} |\n| --- | --- | --- |")
    for group in (*CLASSES, "all"):
        shares = (f"{right[group, half]} of {total[group, half]}" for half in HALVES)
        print(f"| {group} | {' | '.join(shares)} |")


if __name__ == "__main__":
    main()

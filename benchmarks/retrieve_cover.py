"""How much of the answer `retrieve` puts into a context of some tokens, by class of question: each way beside another.

    python benchmarks/retrieve_cover.py --questions DIR --trees DIR [--sets NAME …] [--ways NAME …] [--summaries]

Builds every set of `quality.py` with the static model and asks its questions with 500, 1,000 and 2,000 tokens. Of a
question that is answered by spans of text, `cover` is the share of their characters that stand in the context, of one
that is answered by pages the share of these that have something in it. Ways:

    flat        whole chunks of at least .6 of the best score for every question: what `retrieve` did without a plan
    plan        the default: level, candidates and least score by the class of the question
    chunks      whole chunks, of every class                    ratio       `plan`, packed by value for each token
    passages    pieces of chunks, of every class                knapsack    `plan`, packed exactly
    split       `plan`, with the names of comparative and multi-hop questions searched for, too
    titles      `plan`, with its headings above each passage     urls        with its headings and its address
    leaf        hits of `search`, whole, the best first, those that fit; parent, summary-first: the same of these modes

The first table is by class over all sets, the second by set over all classes; beside each mean stands how far it lies
above `flat`, of `parent` and `summary-first` above `leaf`, and of the others above `plan`, with the 95% interval of a
paired bootstrap over the questions: one that holds 0 is chance. Nothing is random. Lengths, levels and weights were
chosen on these sets, with 160 of the 472 questions of chroma and 60 of 100 of the two-hop ones; none of them is held
out.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from quality import PAGES, SPANS, prepared

from infograph.build import build
from infograph.client import Client, Context, Passage
from infograph.client.budget import LEFT_OUT
from infograph.client.options import CLASSES, MODES
from infograph.client.query import RetrieveArguments
from infograph.client.retrieve import Task, retrieve, tasked
from infograph.config import load
from infograph.evaluate.bootstrap import difference
from infograph.evaluate.questions import Question, Span, read_questions

BUDGETS = (500, 1000, 2000)
SETS = (*SPANS, *PAGES)
WAYS: Mapping[str, RetrieveArguments] = {
    "flat": {"level": "chunks"},
    "plan": {},
    "chunks": {"level": "chunks"},
    "passages": {"level": "passages"},
    "split": {"split": True},
    "ratio": {"packing": "ratio"},
    "knapsack": {"packing": "knapsack"},
    "titles": {"sources": "titles"},
    "urls": {"sources": "urls"},
    "leaf": {},
    "parent": {},
    "summary-first": {},
}
FLAT = 0.6
"""Least share of the best score of a hit, of `flat`."""
LISTED = 40
"""Hits that a context of `leaf` and of sections is filled from."""
AGAINST = {
    "leaf": "plan",
    "parent": "leaf",
    "summary-first": "leaf",
    **dict.fromkeys(("split", "ratio", "knapsack", "titles", "urls"), "plan"),
}
"""What a way is compared with, where that is not `flat`."""

Texts = Mapping[str, str]
Cover = dict[tuple[str, int], NDArray[np.float64]]
"""By way and budget the cover of each question."""


def asked(question: str, budget: int, way: str) -> Task:
    """What a way asks for."""
    task = tasked(question, budget, {"rerank": False, **WAYS[way]})
    return task._replace(plan=replace(task.plan, share=FLAT)) if way == "flat" else task


def listed(client: Client, task: Task, mode: str) -> Context:
    """A context of hits, or sections, as a search lists them."""
    found = client.search(task.query.text, limit=LISTED, mode=mode, texts=True, rerank=False)
    room, passages = task.max_tokens, []
    for hit in found.hits:
        tokens, first = (hit.unit.tokens, hit.unit.slices[0][0]) if hit.unit else (hit.tokens, hit.index)
        if tokens <= room:
            room -= tokens
            own = replace(hit, index=first)
            passages.append(Passage(text=hit.text, tokens=tokens, excerpt=False, hits=(own,)))
    return Context(passages=tuple(passages), tokens=task.max_tokens - room, more=(), plan=task.plan)


def places(passage: Passage, source: str, page: str, start: int) -> Iterator[Span]:
    """Where the parts of a passage stand in its page; `start` is where its first chunk does."""
    for part in passage.text.split(f"{LEFT_OUT}\n\n") if passage.excerpt else [passage.text]:
        own = part.removesuffix(LEFT_OUT).strip()
        at = source.find(own, start)
        if own and at >= 0:
            yield Span(page, at, at + len(own))
        else:  # where the reader sees something else than the source
            for line in filter(None, map(str.strip, own.split("\n"))):
                if (at := source.find(line, start)) >= 0:
                    yield Span(page, at, at + len(line))


def covered(question: Question, context: Context, texts: Texts, starts: Mapping[str, Sequence[int]]) -> float:
    """The share of a question's answer that a context holds."""
    spans = [
        span
        for passage in context.passages
        for first in passage.hits[:1]
        for span in places(passage, texts[first.page], first.page, starts[first.page][first.index])
    ]
    if all(gold.length == len(texts[gold.file]) for gold in question.gold):
        return float(np.mean([any(span.overlap(gold) for span in spans) for gold in question.gold]))
    had = 0
    for gold in question.gold:
        marks = np.zeros(gold.length, bool)
        for span in spans:
            if span.overlap(gold):
                marks[max(0, span.start - gold.start) : max(0, span.end - gold.start)] = True
        had += int(marks.sum())
    return had / sum(gold.length for gold in question.gold)


def chunk_starts(client: Client, texts: Texts) -> dict[str, list[int]]:
    """Where the chunks of each page begin."""
    starts: dict[str, list[int]] = {}
    topics = [client.topic(entry.id) for entry in client.topics()] + [client.topic("")]
    for topic in topics:
        for document in topic.documents.values():
            page = "/".join(filter(None, (topic.id, document.source)))
            at, starts[page] = 0, []
            for item in document.items:
                text = client.read(item).text
                at = texts[page].index(text, at)
                starts[page].append(at)
                at += len(text)
    return starts


def measured(name: str, folder: Path, arguments: argparse.Namespace) -> tuple[list[str], Cover]:
    """The classes of a set's questions, and their cover."""
    docs = prepared(name, arguments.questions, arguments.trees, folder) / "corpus"
    settings = load(str(docs), flags={"out": str(folder / "out"), "model": "static"}, environment={})
    summaries = arguments.questions / name / "summaries.jsonl"
    if arguments.summaries and summaries.exists():
        from enrichment import recorded  # needs the extra `eval`

        settings, _ = recorded(settings, summaries, folder / "records")
    build(settings)
    texts = {path.relative_to(docs).as_posix(): path.read_bytes().decode() for path in docs.rglob("*.md")}
    data = (docs.parent / "questions.jsonl").read_bytes()
    questions = read_questions(name, data, {file: len(text) for file, text in texts.items()})
    found: Cover = {}
    with Client(folder / "out", timeout=60) as client:
        starts = chunk_starts(client, texts)

        def context(task: Task, way: str) -> Context:
            if way in MODES:
                return listed(client, task, way)
            return client.run(lambda tree: retrieve(tree, task))

        for way in arguments.ways:
            for budget in BUDGETS:
                answers = [context(asked(question.text, budget, way), way) for question in questions]
                assert all(answer.tokens <= budget for answer in answers)
                rows = [covered(*pair, texts, starts) for pair in zip(questions, answers, strict=True)]
                found[way, budget] = np.array(rows)
    return [answer.plan.question_class for answer in answers], found


def table(head: str, groups: Mapping[str, Cover], ways: Sequence[str]) -> list[str]:
    """A table of the cover of groups of questions."""
    rows = [[head, "questions", "way", *(f"cover at {budget:,}" for budget in BUDGETS)]]
    rows.append(["---"] * len(rows[0]))
    for group, cover in groups.items():
        for way in ways:
            cells = []
            for budget in BUDGETS:
                own, other = cover[way, budget], cover.get((AGAINST.get(way, "flat"), budget))
                cell = f"{own.mean():.3f}"
                if other is not None and way != "flat":
                    low, high = difference(own, other)
                    cell += f" {own.mean() - other.mean():+.3f} [{low:+.3f}, {high:+.3f}]"
                cells.append(cell)
            rows.append([group, str(len(own)), way, *cells])
    return ["| " + " | ".join(row) + " |" for row in rows]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=Path, required=True, help="folder of the sets")
    parser.add_argument("--trees", type=Path, required=True, help="folder of the trees, for fastapi")
    parser.add_argument("--sets", nargs="+", default=SETS, choices=SETS)
    parser.add_argument("--summaries", action="store_true", help="publish what a model wrote of sections, of docs-rag")
    parser.add_argument("--ways", nargs="+", default=list(WAYS), choices=list(WAYS))
    arguments = parser.parse_args()
    sets: dict[str, tuple[list[str], Cover]] = {}
    for name in arguments.sets:
        with tempfile.TemporaryDirectory() as folder:
            sets[name] = measured(name, Path(folder), arguments)

    def pick(wanted: str) -> Cover:
        """The cover of all questions of a class, of all of them for an empty one."""
        ways = next(iter(sets.values()))[1]
        rows = {
            key: [cover[key][[own in (wanted, wanted or own) for own in names]] for names, cover in sets.values()]
            for key in ways
        }
        return {key: np.concatenate(own) for key, own in rows.items()}

    classes = {name: pick(name) for name in CLASSES}
    groups = {name: cover for name, cover in classes.items() if len(next(iter(cover.values())))}
    print("\n".join(table("class", {**groups, "all": pick("")}, arguments.ways)), "", sep="\n")
    print("\n".join(table("set", {name: cover for name, (_, cover) in sets.items()}, arguments.ways)))


if __name__ == "__main__":
    main()

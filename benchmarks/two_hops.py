"""Questions that take two passages: Table 3 of the specification beside ours.

    python benchmarks/two_hops.py [--set DOCS QUESTIONS …] [--questions DIR] [--cache DIR] [--model NAME]

Needs `pip install 'infograph[eval]'`. The set `records/sample-docs-two-hop/questions.jsonl` is 40 questions over
`sample-docs`, written by hand by somebody who had read its pages and searched none of them: 20 whose passages are of
one page (`"kind": "SF2H"`), 20 of two pages (`"MF2H"`). `--set` takes others, such as those of `infograph questions`;
`--questions` the public sets of two pages, whose gold is whole pages, so that a chunk seldom holds it: there T5EM says
little and the last column, all gold among the first eight, is the one to read.

For each kind the metrics of section 4.3 by the published search without links (`site`), with links, and with one and
two steps along the graph, which follows links, too; below each its difference from `site` in T1EM, T5EM and all gold
among the first eight with the paired bootstrap's interval of 95%. Where pages have records of a language model
(`_enrichment/`), the steps are measured along the graph of these, too (`records`), and along the same graph without the
steps from the query's entities to what the model says that they are related to (`records, names`); below each also its
difference from the same steps along the graph of terms, which the documents have without any record.
`infograph eval --retriever site --retriever graph:1 --retriever graph:2 --metrics
thesis` measures the same on questions of your own.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from unittest import mock

import numpy as np
from graph import SEVERAL, source_of

from infograph.config import load
from infograph.evaluate.bench import THESIS_COLUMNS, Request
from infograph.evaluate.bootstrap import better, difference
from infograph.evaluate.dataset import CORPUS
from infograph.evaluate.evaluation import evaluate
from infograph.evaluate.metrics import ALL_GOLD
from infograph.evaluate.published_graph import GRAPHS
from infograph.evaluate.report import Report, System, aligned
from infograph.search.ranking.walking import RELATED

ROOT = Path(__file__).resolve().parents[1]
OWN = (ROOT / "sample-docs", ROOT / "benchmarks/records/sample-docs-two-hop/questions.jsonl")
RETRIEVERS = ("site", "links", *GRAPHS)
OF_RECORDS = {"records": RELATED, "records, names": 0.0}
"""Graphs of records, each with the share of a gain that what the model relates to the query's entities gives."""
COLUMNS = ("T1EM", "T5EM", "T1C", "MC", "MRR@10", "T1O", "BO")
COMPARED = ("T1EM", "T5EM", ALL_GOLD)
TABLE_3 = {
    "SF2H": {
        "best agentic, no graph": (0.469, 0.747, 0.509, 0.756, 0.581, 0.315, 0.379),
        "graph + hierarchical": (0.318, 0.752, 0.398, 0.757, 0.483, 0.264, 0.390),
        "graph + agentic": (0.248, 0.574, 0.333, 0.635, 0.374, 0.208, 0.299),
    },
    "MF2H": {
        "best agentic, no graph": (0.394, 0.670, 0.450, 0.717, 0.505, 0.279, 0.293),
        "graph + hierarchical": (0.285, 0.729, 0.367, 0.721, 0.417, 0.207, 0.273),
        "graph + agentic": (0.303, 0.563, 0.361, 0.641, 0.386, 0.209, 0.247),
    },
}
"""Two passages of one file, of several; `COLUMNS` of other questions over another corpus."""


def measured(docs: Path, questions: Path, **given: str) -> tuple[Report, dict[str, str]]:
    """The report of a set, and the kind of each question by its id."""
    report = evaluated(docs, questions, RETRIEVERS, **given)
    if next(docs.rglob("_enrichment/*.json"), None):
        systems = list(report.systems)
        for name, related in OF_RECORDS.items():
            with mock.patch("infograph.search.writing.graph_files.RELATED", related):
                found = evaluated(docs, questions, GRAPHS, **given, **{"graph.entities": "records"})
            assert found.ids == report.ids
            systems += (replace(system, retriever=f"{system.retriever}, {name}") for system in found.systems)
        report = replace(report, systems=tuple(systems))
    rows = [json.loads(line) for line in questions.read_text("utf-8").splitlines() if line.strip()]
    return report, {str(row.get("id", number)): row.get("kind", "MF2H") for number, row in enumerate(rows, 1)}


def evaluated(docs: Path, questions: Path, retrievers: Sequence[str], **given: str) -> Report:
    """The report of some retrievers."""
    with tempfile.TemporaryDirectory() as folder:
        flags = {"out": str(Path(folder, "site")), **given}
        settings = load(str(docs), flags=flags, environment={}, project=Path(folder))
        request = Request(questions=(str(questions),), retrievers=tuple(retrievers), metrics=THESIS_COLUMNS)
        return evaluate(settings, request)


def print_kind(name: str, kind: str, report: Report, places: Sequence[int]) -> None:
    """Prints the rows of one kind of question, those of the specification first."""
    head = [f"{name}, {len(places)} questions, {kind}", *COLUMNS, ALL_GOLD]
    rows = [head]
    rows += [[f"Table 3: {own}", *(f"{value:.3f}" for value in values)] for own, values in TABLE_3[kind].items()]
    rows = [[*row, *[""] * (len(head) - len(row))] for row in rows]
    lines = []
    for system in report.systems:
        values = {metric: own[places] for metric, own in system.values.items()}
        rows.append([system.retriever, *(f"{values[metric].mean():.3f}" for metric in (*COLUMNS, ALL_GOLD))])
        if system is report.systems[0]:
            continue
        lines.append(compared(system, report.systems[0], places))
        steps = next((own for own in report.systems if system.retriever.startswith(f"{own.retriever},")), None)
        if steps is not None:
            lines.append(compared(system, steps, places))
    print("\n".join([*aligned(rows, left=1), *lines]), end="\n\n", flush=True)


def compared(system: System, other: System, places: Sequence[int]) -> str:
    """What a system brings beyond another one."""
    found = []
    for metric in COMPARED:
        mine, theirs = system.values[metric][places], other.values[metric][places]
        low, high = difference(mine, theirs)
        sure = " *" if better(mine, theirs) or better(theirs, mine) else ""
        found.append(f"{metric} {(mine - theirs).mean():+.3f} ({low:+.3f} to {high:+.3f}){sure}")
    return f"  {system.retriever} less {other.retriever}: {', '.join(found)}"


def main() -> None:
    """Runs what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", dest="sets", nargs=2, type=Path, action="append", default=[])
    parser.add_argument("--questions", type=Path, help="folder of the public question sets")
    parser.add_argument("--cache", help="folder of the embedding cache")
    parser.add_argument("--model", help="the model of the vectors; the default model")
    given = parser.parse_args()
    print("* beyond chance: the interval leaves out 0, over six questions or more that differ", end="\n\n")
    with tempfile.TemporaryDirectory() as folder:
        sets = [(docs.name, docs, questions) for docs, questions in (OWN, *given.sets)]
        for name in SEVERAL if given.questions else ():
            source = source_of(given.questions / name, None, Path(folder, name))
            pages = source / CORPUS if (source / CORPUS).is_dir() else source
            sets.append((name, pages, given.questions / name / "questions.jsonl"))
        for name, docs, questions in sets:
            wanted = {"cache": given.cache, "model": given.model}
            report, kinds = measured(docs, questions, **{name: value for name, value in wanted.items() if value})
            of_each = [kinds[id] for id in report.ids]
            for kind in TABLE_3:
                places = np.flatnonzero([own == kind for own in of_each]).tolist()
                if places:
                    print_kind(name, kind, report, places)


if __name__ == "__main__":
    main()

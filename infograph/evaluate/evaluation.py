"""`infograph eval`: measures strategies under retrievers, on questions with known answers.

settings ─dataset▶ documents and questions ─bench▶ a system for each strategy and retriever ─▶ Report

Writes the embedding cache and the files named in the request, and nothing else.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from infograph.config.origins import naming_origins
from infograph.config.settings import Config, Settings
from infograph.errors import ConfigError, OutputError, printable
from infograph.evaluate import gate, retrievers
from infograph.evaluate.bench import COLUMNS, THESIS_COLUMNS, Bench, Request
from infograph.evaluate.dataset import at_corpus, find_or_make, question_files, read_documents, required
from infograph.evaluate.extra import check_installed
from infograph.evaluate.html_report import check_plots, html_report
from infograph.evaluate.judged import SupportJudge
from infograph.evaluate.published_search import PUBLISHED, is_site
from infograph.evaluate.report import Report, as_dict, table
from infograph.evaluate.synthesis import read_answers
from infograph.model import UserTable
from infograph.pipeline.keys import strategy_key
from infograph.progress import Reporter, Silent, amount

EVERY = ("bm25", "dense", "rrf", "linear", "site", "links", "rerank", "rerank+links")
"""Retrievers of the table that the guide has of public questions, each compared with the one before it."""
ALL = "all"
"""What stands for them."""
_MOST_NAMED = 5
"""Most ids that a warning names; the rest is counted."""


@dataclass(frozen=True, slots=True)
class ReportFiles:
    """Files that an evaluation writes or compares its report with."""

    html: str | None = None
    """HTML page with plots to write."""
    gate: str | None = None
    """Baseline to compare with."""
    save_gate: str | None = None
    """Baseline to write."""


def run(
    settings: Settings,
    request: Request,
    files: ReportFiles,
    reporter: Reporter,
    *,
    as_json: bool = False,
    judge: SupportJudge | None = None,
) -> tuple[str, bool]:
    """Evaluates, writes the files, and returns the text to print and whether the gate is passed.

    judge: what judges written answers too

    Raises ConfigError, FormatError and OutputError.
    """
    # Read before hours of work, and before it may be overwritten.
    baseline = required(Path(files.gate), "Name a file that --save-gate wrote.") if files.gate else None
    for name in filter(None, (files.html, files.save_gate)):
        _check_writable(Path(name))
    if files.html:
        check_plots()
    report = evaluate(settings, request, reporter, judge)
    drops = gate.check(str(files.gate), baseline, report) if baseline is not None else []
    if files.html:
        _write(Path(files.html), html_report(report))
    if files.save_gate:
        _write(Path(files.save_gate), gate.render(report))
    if as_json:
        return json.dumps(
            as_dict(report) | {"drops": [str(drop) for drop in drops]}, indent=2, ensure_ascii=False
        ), not drops
    lines = [table(report)]
    lines += [f"wrote {name}" for name in (files.html, files.save_gate) if name]
    if baseline is not None:
        lines += [f"dropped: {drop}" for drop in drops] or [f"no metric is below {files.gate} beyond chance"]
    return "\n".join(lines), not drops


@naming_origins
def evaluate(
    settings: Settings, request: Request, reporter: Reporter | None = None, judge: SupportJudge | None = None
) -> Report:
    """Measures every strategy under every retriever.

    judge: what judges written answers too

    Raises ConfigError for a wrong request or a missing package, FormatError for a broken file of questions.
    """
    request = replace(request, retrievers=tuple(_named(request.retrievers)))
    _check(request)
    check_installed()
    settings = at_corpus(settings)
    reporter = reporter or Silent()
    chosen = {name: _configured(settings.config, name) for name in request.strategies or (settings.config.strategy,)}
    for name, config in chosen.items():
        try:
            strategy_key(config)  # raises the error of a wrong strategy before hours of work
        except ConfigError as wrong:
            flagged = {"strategy"} | ({f"strategies.{config.strategy}"} if ":" in name else set())
            if not request.strategies or wrong.place not in flagged:
                raise
            raise ConfigError(f"--strategy {name}", wrong.reason, wrong.hint) from None
    files = question_files(settings, request.questions)
    documents, errors = read_documents(settings, plain=bool(files))
    left_out = [str(error) for error in errors]
    asked, source = find_or_make(settings, files, documents)
    answers = None
    if request.answers is not None:
        hint = "Name a file of answers, one a line, as JSON."
        answers, others = read_answers(request.answers, required(Path(request.answers), hint), asked)
        if others:
            left_out.append(_of_no_question(request.answers, others))
    for said in left_out:
        reporter.say(f"warning: left out: {said}")
    with closing(Bench(settings, request, reporter, documents, asked, answers, judge)) as bench:
        systems = [system for name, config in chosen.items() for system in bench.measure(name, config)]
    embedder = bench.loaded
    return Report(
        documents=len(documents),
        questions=source,
        ids=tuple(question.id for question in asked),
        k=request.k,
        model=f"{embedder.name}@{embedder.revision}" if embedder is not None else None,
        systems=tuple(systems),
        left_out=tuple(left_out),
        thesis=request.metrics == THESIS_COLUMNS,
    )


def _of_no_question(place: str, ids: Sequence[str]) -> str:
    """Names answers whose questions the set does not have."""
    named = ", ".join(repr(name) for name in ids[:_MOST_NAMED])
    more = f" and {len(ids) - _MOST_NAMED:,} more" if len(ids) > _MOST_NAMED else ""
    return printable(f"{place}: {amount(len(ids), 'answer')} to questions that the set does not have: {named}{more}")


def _named(names: Sequence[str]) -> Iterator[str]:
    """Yields retrievers by name, each once; `all` stands for those of the table that the guide has of public sets."""
    for name in dict.fromkeys(names):
        yield from [own for own in EVERY if own not in names] if name == ALL else [name]


def _check(request: Request) -> None:
    """Raises ConfigError for an unknown retriever and for a number out of its range."""
    unknown = [name for name in request.retrievers if name not in retrievers.RETRIEVERS and not is_site(name)]
    if unknown:
        known = ", ".join(f"`{name}`" for name in (*retrievers.RETRIEVERS, *PUBLISHED, ALL))
        raise ConfigError("--retriever", f"there is no `{unknown[0]}`", f"Valid: {known}")
    if request.metrics not in COLUMNS:
        raise ConfigError("--metrics", f"must be {' or '.join(COLUMNS)}, not {request.metrics!r}")
    if request.k < 1:
        raise ConfigError("-k", f"must be 1 or more, not {request.k}")
    if request.passages < 0:
        raise ConfigError("--passages", f"must be 0 or more, not {request.passages}")
    for name, value in (("alpha", request.alpha), ("neighbours", request.neighbours)):
        if not 0 <= value <= 1:
            raise ConfigError(f"--{name}", f"must lie between 0 and 1, not {value}")


def _configured(config: Config, text: str) -> Config:
    """The configuration with the strategy of `--strategy`: `NAME` or `NAME:option=value,…`, values as in TOML.

    Raises ConfigError where the options cannot be parsed.
    """
    name, _, rest = text.partition(":")
    try:
        given: dict[str, Any] = tomllib.loads(f"options = {{ {rest} }}")["options"]
    except tomllib.TOMLDecodeError as error:
        hint = "Write options as in TOML: `fixed:window=250,overlap=50`."
        raise ConfigError(f"--strategy {text}", f"its options cannot be read: {error}", hint) from None
    if not given:
        return replace(config, strategy=name)
    values = {option: tuple(value) if isinstance(value, list) else value for option, value in given.items()}
    known = dict(config.strategies)
    known[name] = UserTable((dict(known.get(name, ())) | values).items())
    return replace(config, strategy=name, strategies=UserTable(known.items()))


def _check_writable(file: Path) -> None:
    """Raises OutputError where a file cannot be written, as far as can be determined without writing it."""
    if file.is_dir():
        reason = "is a folder"
    elif not file.parent.is_dir():
        reason = f"there is no folder {file.parent}"
    elif not os.access(file if file.exists() else file.parent, os.W_OK):
        reason = "permission denied"
    else:
        return
    raise OutputError(str(file), f"cannot be written: {reason}")


def _write(file: Path, data: bytes) -> None:
    """Writes a file. Raises OutputError."""
    try:
        file.write_bytes(data)
    except OSError as error:
        raise OutputError(str(file), f"cannot be written: {error.strerror}") from error

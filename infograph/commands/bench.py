"""`infograph bench`: what the queries of a file cost a reader of a published tree, and whether that is within bounds.

Each query is searched for by the client; `Answer.stats` says what it has cost. The figures are those of the slowest
(largest) of so many in a hundred: p95 is not exceeded by 95 of 100 queries.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from infograph.commands.options import JSON, QUIET, RERANK, TRANSFER, combined, with_model
from infograph.errors import ConfigError, FormatError, InfographError, printable

if TYPE_CHECKING:
    from infograph.client import Answer, Client
    from infograph.client.embedded import Rerank
    from infograph.progress import Reporter

PERCENTS = (50, 95, 99)
BOUND = 95
"""Queries in a hundred that must be within the bounds of costs."""
_FIGURES: Mapping[str, Callable[[Answer], float]] = {
    "milliseconds": lambda answer: answer.stats.total_milliseconds,
    "requests": lambda answer: answer.stats.requests,
    "bytes": lambda answer: answer.stats.bytes,
    "cache_hits": lambda answer: answer.stats.cache_hits,
}
_SHOWN = 5
"""Most queries without an answer that are named."""


@dataclass(frozen=True, slots=True)
class BenchQuery:
    """A query of the file."""

    text: str
    gold: frozenset[str] = frozenset()
    """Documents that answer it; empty where the file does not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CostBounds:
    """What the figures must be; None for whatever they are."""

    max_ms: float | None = None
    max_requests: int | None = None
    max_bytes: int | None = None
    min_hit: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchReport:
    """What queries have cost."""

    target: str
    queries: int
    cold: bool
    """Whether each was asked by a client that had read nothing."""
    k: int
    figures: Mapping[str, Mapping[str, float]]
    """`mean`, percentiles (`p50`, ...) and `most` of `milliseconds`, `requests`, `bytes` and `cache_hits`."""
    stages: Mapping[str, float]
    """Mean milliseconds of each stage of an answer, see `Stats`."""
    hit: float | None
    """Share of the queries with gold one of whose documents is among the first k hits; None where none has gold."""
    with_gold: int
    failed: Mapping[str, str]
    """Queries without an answer, and why."""

    def exceeded(self, bounds: CostBounds) -> list[str]:
        """Returns a line for each bound that does not hold, and for each of the first queries without an answer."""
        said = [f"no answer to {printable(text)!r}: {reason}" for text, reason in list(self.failed.items())[:_SHOWN]]
        if len(self.failed) > _SHOWN:
            said.append(f"no answer to {len(self.failed) - _SHOWN:,} more queries")
        for option, most, name in (
            ("--max-ms", bounds.max_ms, "milliseconds"),
            ("--max-requests", bounds.max_requests, "requests"),
            ("--max-bytes", bounds.max_bytes, "bytes"),
        ):
            reached = self.figures[name].get(f"p{BOUND}", 0.0)
            if most is not None and reached > most:
                said.append(f"p{BOUND} of {name} is {reached:,.0f}, above {option} {most:,.0f}")
        if bounds.min_hit is not None and (self.hit is None or self.hit < bounds.min_hit):
            found = "unknown: no query of the file has `gold`" if self.hit is None else f"{self.hit:.3f}"
            said.append(f"hit@{self.k} is {found}, below --min-hit {bounds.min_hit:g}")
        return said

    def __str__(self) -> str:
        how = "each by a client that begins with nothing" if self.cold else "by one client, one after the other"
        columns = ("mean", *(f"p{percent}" for percent in PERCENTS), "most")
        lines = [
            printable(f"{self.target}: {self.queries:,} queries, {how}"),
            "",
            f"{'':<14}" + "".join(f"{column:>12}" for column in columns),
        ]
        for name, values in self.figures.items() if self.figures["bytes"] else ():
            digits = 1 if name == "milliseconds" else 0
            lines.append(f"{name:<14}" + "".join(f"{values[column]:>12,.{digits}f}" for column in columns))
        stages = ", ".join(f"{name} {spent:.1f}" for name, spent in self.stages.items())
        lines += ["", f"milliseconds by stage: {stages or 'none'}"]
        if self.hit is not None:
            lines.append(f"hit@{self.k}: {self.hit:.3f} of {self.with_gold:,} queries with gold")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchRequest:
    """How the queries are asked."""

    target: str
    """URL or folder of the tree."""
    k: int = 10
    """Hits of each query."""
    cold: bool = False
    """Ask each by a client that has read nothing."""
    rerank: Rerank = None
    """As for a search."""
    timeout: float = 30.0
    """Seconds for each query."""
    cache: str | None = None
    """Folder of downloaded files."""

    def opened(self) -> Client:
        """Returns a client that has read nothing."""
        from infograph.client import Client  # here: the command line starts without it

        return Client(self.target, timeout=self.timeout, cache=self.cache)


@click.command()
@click.argument("target", metavar="URL_OR_DIR")
@click.option("--queries", "file", required=True, metavar="FILE", help="A query a line, or a question set of `eval`.")
@click.option("-k", "k", type=click.IntRange(1), default=10, show_default=True, metavar="N", help="Hits of a query.")
@click.option("--cold", is_flag=True, help="Ask each query by a client that begins with nothing, as a page does.")
@RERANK
@click.option("--max-ms", type=click.FloatRange(0), metavar="N", help="Most milliseconds of 95 in 100 queries.")
@click.option("--max-requests", type=click.IntRange(0), metavar="N", help="Most requests of 95 in 100 queries.")
@click.option("--max-bytes", type=click.IntRange(0), metavar="N", help="Most bytes of 95 in 100 queries.")
@click.option(
    "--min-hit", type=click.FloatRange(0, 1), metavar="X", help="Least share with a right document in k hits."
)
@combined(JSON, TRANSFER, QUIET)
def bench(file: str, as_json: bool, quiet: bool, **options: Any) -> None:
    """Measure what the queries of a file cost a reader of a published tree.

    Exits 1 where a bound does not hold, or a query has no answer.
    """
    from infograph.commands.console import Console, warn

    if options["cold"] and options["cache"]:
        raise click.UsageError("--cold begins each query with nothing, --cache with what was kept: give one of them.")
    if any(value != value for value in (options["max_ms"], options["min_hit"])):
        raise click.UsageError("A bound is a number: no figure is above or below NaN.")
    bounds = CostBounds(**{name: options.pop(name) for name in ("max_ms", "max_requests", "max_bytes", "min_hit")})
    report = run_queries(BenchRequest(**with_model(options)), read_queries(file), Console(quiet=quiet or as_json))
    exceeded = report.exceeded(bounds)
    said = {**asdict(report), "exceeded": exceeded}
    click.echo(json.dumps(said, indent=2, ensure_ascii=False) if as_json else str(report))
    warn(exceeded)
    sys.exit(1 if exceeded else 0)


def read_queries(file: str) -> list[BenchQuery]:
    """Returns the queries of a file: of each line that is no JSON object the line itself, of each that is one its
    `question`, and from `gold` the documents that answer it. Raises ConfigError for a file that cannot be read,
    FormatError for a malformed line, or where there is no query."""
    try:
        text = Path(file).read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise ConfigError(file, f"cannot be read: {error.strerror}", "Name a file with a query a line") from None
    except UnicodeDecodeError as error:
        raise FormatError(file, f"not UTF-8: {error.reason} at byte {error.start}") from None
    lines = enumerate(text.split("\n"), 1)
    queries = [_query(f"{file}:{number}", line.strip()) for number, line in lines if line.strip()]
    if not queries:
        raise FormatError(file, "has no queries", "Write one a line")
    return queries


def _query(place: str, line: str) -> BenchQuery:
    if not line.startswith("{"):
        return BenchQuery(line)
    try:
        said = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise FormatError(place, f"is not JSON: {error}") from None
    text, gold = said.get("question"), said.get("gold", [])
    if not isinstance(text, str) or not text.strip():
        raise FormatError(place, "`question` must be a text that is not empty")
    if not isinstance(gold, list) or not all(
        isinstance(own, dict) and isinstance(own.get("file"), str) for own in gold
    ):
        raise FormatError(place, "`gold` must be a list of objects with a `file`")
    return BenchQuery(text, frozenset(own["file"] for own in gold))


def run_queries(request: BenchRequest, queries: Sequence[BenchQuery], reporter: Reporter) -> BenchReport:
    """Asks the queries one after the other and returns what that cost. Raises ClientError where there is no site to
    ask."""
    answers, failed, found = [], {}, []
    with reporter.phase("bench", f"{len(queries):,} queries") as advance:
        client = request.opened()
        try:
            for number, query in enumerate(queries, 1):
                if request.cold and number > 1:
                    client.close()
                    client = request.opened()
                right = False
                try:
                    answer = client.search(query.text, limit=request.k, rerank=request.rerank)
                except InfographError as error:
                    if number == 1:
                        client.highlight("", "")  # raises where not even the manifest can be read, as none could then
                    failed[query.text] = str(error)
                else:
                    answers.append(answer)
                    right = not query.gold.isdisjoint(_documents(answer))
                if query.gold:
                    found.append(right)
                advance(number / len(queries))
        finally:
            client.close()
    return BenchReport(
        target=request.target,
        queries=len(queries),
        cold=request.cold,
        k=request.k,
        figures={name: _figures([figure(answer) for answer in answers]) for name, figure in _FIGURES.items()},
        stages=_stages(answers),
        hit=sum(found) / len(found) if found else None,
        with_gold=len(found),
        failed=failed,
    )


def _documents(answer: Answer) -> Iterator[str]:
    """The documents that an answer names: of hits, and of the near-duplicates that are listed with them."""
    for hit in answer.hits:
        yield hit.page
        yield from (same.page for same in hit.duplicates)


def _figures(values: list[float]) -> dict[str, float]:
    """Mean, percentiles by the nearest rank, and the largest of some values; nothing without values."""
    if not values:
        return {}
    ordered = sorted(values)
    percentiles = {f"p{percent}": ordered[math.ceil(percent / 100 * len(ordered)) - 1] for percent in PERCENTS}
    return {"mean": sum(ordered) / len(ordered), **percentiles, "most": ordered[-1]}


def _stages(answers: Sequence[Answer]) -> dict[str, float]:
    """Mean milliseconds of each stage over all answers."""
    names = dict.fromkeys(name for answer in answers for name in answer.stats.milliseconds)
    return {name: sum(a.stats.milliseconds.get(name, 0.0) for a in answers) / len(answers) for name in names}

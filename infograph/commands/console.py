"""What a person sees in the terminal: progress while it runs, then what came out."""

from __future__ import annotations

import contextlib
import os
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from infograph.errors import printable
from infograph.progress import Advance, amount

if TYPE_CHECKING:
    from infograph.config.settings import Settings
    from infograph.errors import InfographError, Notice
    from infograph.pipeline.summary import Summary

_STEPS = 1000
"""Of a progress bar."""
_FIRST = 3
"""Of the same kind that are listed before the rest is only counted."""
_SHOWN = 20
"""Of the same kind, where `strict` makes them what is wrong."""


class Console:
    """A progress bar with the time left on a terminal, plain lines elsewhere. Writes to standard error."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._quiet = quiet
        self._bars = sys.stderr.isatty() and not os.environ.get("CI")

    @contextlib.contextmanager
    def phase(self, name: str, amount: str) -> Iterator[Advance]:
        if self._quiet:
            yield lambda share: None
        elif not self._bars:
            click.echo(f"{name}: {amount}", err=True)
            yield lambda share: None
        else:
            with click.progressbar(
                length=_STEPS, label=f"{name:<6} {amount}", file=sys.stderr, show_pos=False, width=30
            ) as bar:
                yield lambda share: bar.update(max(0, int(share * _STEPS) - bar.pos))
                bar.update(_STEPS - bar.pos)

    def say(self, message: str) -> None:
        if not self._quiet:
            click.echo(printable(message), err=True)


def error_json(error: InfographError) -> dict[str, str]:
    """An error as JSON: where, why, and the way out."""
    return {"place": error.place, "reason": error.reason, "hint": error.hint}


def summary_json(summary: Summary) -> dict[str, Any]:
    """A summary as JSON, the same keys every time."""
    return {
        "documents": summary.documents,
        "topics": summary.topics,
        "chunks": summary.chunks,
        "embedded": summary.embedded,
        "cached": summary.cached,
        "shared": summary.shared,
        "written": summary.written,
        "removed": summary.removed,
        "bytes": summary.bytes,
        "seconds": round(summary.seconds, 3),
        "stale": summary.stale,
        "errors": [error_json(error) for error in summary.errors],
        "warnings": [{"path": n.path, "kind": n.kind, "message": n.message, "count": n.count} for n in summary.notices],
    }


def print_summary(settings: Settings, summary: Summary, quiet: bool) -> None:
    """Errors by reason, warnings by kind, and the closing line."""
    by_reason: dict[tuple[str, str], list[InfographError]] = defaultdict(list)
    for error in summary.errors:
        by_reason[error.reason, error.hint].append(error)
    for errors in by_reason.values():
        _print_errors(errors)
    print_warnings(settings, summary.notices, quiet)
    if summary.stale:
        click.echo(f"{amount(len(summary.stale), 'output')} stale:", err=True)
        for path in summary.stale:  # all: the page at fault sorts behind the many files of the search bundle
            click.echo(printable(f"  {path}"), err=True)
    if quiet:
        return
    counts = [
        amount(summary.documents, "document"),
        amount(summary.topics, "topic"),
        amount(summary.chunks, "chunk"),
        f"{summary.embedded:,} embedded",
        f"{summary.cached:,} cached",
    ]
    if summary.shared:
        counts.append(f"{summary.shared:,} shared")
    click.echo(" · ".join(counts))
    click.echo(
        f"{amount(summary.written, 'file')} written, {summary.removed:,} removed · {_size(summary.bytes)} · "
        f"{summary.seconds:.1f} s" + (f" · {amount(len(summary.errors), 'error')}" if summary.errors else "")
    )


def print_warnings(settings: Settings, notices: Sequence[Notice], quiet: bool) -> None:
    """Warnings by kind: the first ones by name, and how many there are."""
    if quiet and not settings.config.strict:
        return
    by_kind: dict[str, list[Notice]] = defaultdict(list)
    for notice in notices:
        by_kind[notice.kind].append(notice)
    for kind, group in sorted(by_kind.items()):
        total = sum(notice.count for notice in group)
        head = click.style("warning:", fg="yellow")
        click.echo(f"{head} {kind}: {total:,} in {amount(len(group), 'file')}", err=True)
        shown = _SHOWN if settings.config.strict else _FIRST
        for notice in group[:shown]:
            click.echo(printable(f"  {notice.path}: {notice.message}"), err=True)
        if len(group) > shown:
            click.echo(f"  … and {len(group) - shown:,} more (--json lists all)", err=True)


def _print_errors(errors: Sequence[InfographError]) -> None:
    """Those of one reason: the first ones by name, and how many there are."""
    head = click.style("error:", fg="red")
    first = errors[0]
    if len(errors) == 1:
        click.echo(f"{head} {first}", err=True)
        return
    click.echo(f"{head} {len(errors):,} times: {type(first)('', first.reason, first.hint)}", err=True)
    for error in errors[:_FIRST]:
        click.echo(printable(f"  {error.place}"), err=True)
    if len(errors) > _FIRST:
        click.echo(f"  … and {len(errors) - _FIRST:,} more (--json lists all)", err=True)


def _size(count: int) -> str:
    value = float(count)
    for unit in ("bytes", "KB", "MB"):
        if value < 1000 or unit == "MB":
            return f"{value:.0f} {unit}" if unit == "bytes" else f"{value:.1f} {unit}"
        value /= 1000
    raise AssertionError("unreachable")

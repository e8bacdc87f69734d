"""Prints what commands show a person: progress while they run, then the summary with its errors and warnings."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TextIO

import click

from infograph.errors import LEFT_OUT, printable
from infograph.progress import Advance, Silent, TimeLeft, amount, clock_time

if TYPE_CHECKING:
    from infograph.client import Progress
    from infograph.config.settings import Settings
    from infograph.errors import InfographError, Notice
    from infograph.pipeline.summary import Summary

_STEPS = 1000
"""Steps of a progress bar."""
_LISTED = 3
"""Errors of one reason, or warnings of one kind, that are listed; the others are counted."""
_LISTED_STRICT = 20
"""Warnings of one kind that are listed where `strict` makes them fail the build."""
_SILENT_SECONDS = 1.5
"""Seconds of a download before its progress is shown."""
_TERMINAL_SECONDS, _LINE_SECONDS = 0.1, 10.0
"""Seconds between two reports of a download's progress: on a terminal, and in a log."""


class MessagePrinter(Silent):
    """Prints the messages of a run on standard error, without its progress; prints nothing if `quiet`."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._quiet = quiet

    def say(self, message: str) -> None:
        if not self._quiet:
            click.echo(printable(message), err=True)


class Console(MessagePrinter):
    """Reports progress on standard error: a bar with the time left on a terminal, plain lines elsewhere."""

    def __init__(self, *, quiet: bool = False) -> None:
        super().__init__(quiet=quiet)
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
                length=_STEPS,
                label=f"{name:<6} {amount}",
                file=sys.stderr,
                show_eta=False,
                width=30,
                item_show_func=lambda left: left,
            ) as bar:
                left = TimeLeft()

                def advance(share: float) -> None:
                    seconds = left.at(share)
                    shown = "" if seconds is None else f"{clock_time(seconds)} left"
                    bar.update(max(0, int(share * _STEPS) - bar.pos), shown)

                yield advance
                bar.update(_STEPS - bar.pos, "")


class DownloadMeter:
    """Shows the progress of a slow download: in one line of a terminal, elsewhere as a line now and then."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._clock = clock
        self._terminal = stream.isatty()
        self._next = clock() + _SILENT_SECONDS
        self._width = 0

    def update(self, progress: Progress) -> None:
        """Writes the progress unless it was written a moment ago."""
        now = self._clock()
        if now < self._next:
            return
        self._next = now + (_TERMINAL_SECONDS if self._terminal else _LINE_SECONDS)
        text = f"{progress.done:,} of {amount(progress.known, 'file')} read, {progress.bytes / 1e6:.1f} MB"
        self._write(f"\r{text:<{self._width}}" if self._terminal else f"{text}\n")
        self._width = len(text)

    def clear(self) -> None:
        """Removes the line from a terminal."""
        if self._terminal and self._width:
            self._write(f"\r{'':<{self._width}}\r")

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


def warn(messages: Sequence[str]) -> None:
    """Prints warnings on standard error, a line each."""
    for message in messages:
        click.echo(f"{click.style('warning:', fg='yellow')} {message}", err=True)


def error_json(error: InfographError) -> dict[str, str]:
    """An error as JSON: where it is, the reason, and a hint."""
    return {"place": error.place, "reason": error.reason, "hint": error.hint}


def summary_json(summary: Summary) -> dict[str, Any]:
    """The summary of a build as JSON; it always has the same keys."""
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
    """Prints errors by reason, warnings by kind, stale outputs, and the closing lines with counts."""
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
    """Prints warnings by kind: the first ones with their files, and the number of the others."""
    if quiet and not settings.config.strict:
        return
    by_kind: dict[str, list[Notice]] = defaultdict(list)
    for notice in notices:
        by_kind[notice.kind].append(notice)
    for kind, group in sorted(by_kind.items()):
        total = sum(notice.count for notice in group)
        head = click.style("warning:", fg="yellow")
        if not group[0].path:  # of the tree as a whole
            click.echo(f"{head} {kind}: {group[0].message}", err=True)
            continue
        click.echo(f"{head} {kind}: {total:,} in {amount(len(group), 'file')}", err=True)
        if kind == LEFT_OUT:  # a site has hundreds of redirects: how many there are of each reason says more
            for reason, count in Counter(notice.message for notice in group).most_common():
                click.echo(printable(f"  {amount(count, 'page')}: {reason}"), err=True)
            continue
        shown = _LISTED_STRICT if settings.config.strict else _LISTED
        for notice in group[:shown]:
            click.echo(printable(f"  {notice.path}: {notice.message}"), err=True)
        if len(group) > shown:
            click.echo(f"  … and {len(group) - shown:,} more (--json lists all)", err=True)


def _print_errors(errors: Sequence[InfographError]) -> None:
    """Prints errors of one reason: the first ones with their places, and the number of the others."""
    head = click.style("error:", fg="red")
    first = errors[0]
    if len(errors) == 1:
        click.echo(f"{head} {first}", err=True)
        return
    click.echo(f"{head} {len(errors):,} times: {type(first)('', first.reason, first.hint)}", err=True)
    for error in errors[:_LISTED]:
        click.echo(printable(f"  {error.place}"), err=True)
    if len(errors) > _LISTED:
        click.echo(f"  … and {len(errors) - _LISTED:,} more (--json lists all)", err=True)


def _size(count: int) -> str:
    """A number of bytes as text, in bytes, KB or MB."""
    value = float(count)
    for unit in ("bytes", "KB", "MB"):
        if value < 1000 or unit == "MB":
            return f"{value:.0f} {unit}" if unit == "bytes" else f"{value:.1f} {unit}"
        value /= 1000
    raise AssertionError("unreachable")

"""`infograph diff`: the chunks that differ between two trees, or exports, by which a copy is kept up to date."""

from __future__ import annotations

import contextlib
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

from infograph.commands.options import ERROR_STATUS, JSON, QUIET, TRANSFER, combined

if TYPE_CHECKING:
    from infograph.export.keys import ChunkKey
    from infograph.export.scratch import Scratch

_SIGNS = {"removed": "-", "moved": ">", "changed": "~", "added": "+"}
_TROUBLE = 2


@click.command()
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@combined(JSON, TRANSFER, QUIET)
@click.pass_context
def diff(
    context: click.Context, old: str, new: str, as_json: bool, timeout: float, cache: str | None, quiet: bool
) -> None:
    """List the chunks that were removed, moved, changed or added from OLD to NEW: trees or exports.

    Exits 0 where nothing differs, 1 where something does, 2 where they cannot be compared.
    """
    from infograph.export.comparison import TABLES, compare_chunks
    from infograph.export.scratch import Scratch

    context.meta[ERROR_STATUS] = _TROUBLE
    with contextlib.ExitStack() as opened:
        before, after = (opened.enter_context(_keys(target, timeout, cache)) for target in (old, new))
        scratch = opened.enter_context(Scratch(*TABLES))
        compare_chunks(before, after, scratch)
        counts = _print_json(scratch) if as_json else _print_lines(scratch, quiet)
    sys.exit(1 if counts.total() else 0)


@contextlib.contextmanager
def _keys(target: str, timeout: float, cache: str | None) -> Iterator[Iterable[ChunkKey]]:
    """The keys of a tree or an export."""
    from infograph.client import Client
    from infograph.export.keys import is_export, keys_of_export, keys_of_tree

    if is_export(target):
        yield keys_of_export(target)
        return
    with Client(target, timeout=timeout, cache=cache) as client:
        yield keys_of_tree(client)


def _print_lines(scratch: Scratch, quiet: bool) -> Counter[str]:
    """Prints a line for each change, then the counts; returns these."""
    from infograph.errors import printable
    from infograph.export.comparison import CHANGES, changes_of

    counts: Counter[str] = Counter()
    for kind in CHANGES:
        for change in changes_of(scratch, kind):
            counts[kind] += 1
            if not quiet:
                to = f" → {printable(change.to)}" if change.to is not None else ""
                click.echo(f"{_SIGNS[kind]} {printable(change.id)}{to}")
    if not quiet:
        said = ", ".join(f"{counts[kind]:,} {kind}" for kind in CHANGES if counts[kind])
        click.echo(said or "nothing differs", err=True)
    return counts


def _print_json(scratch: Scratch) -> Counter[str]:
    """Prints one object as its parts are read, a list for each kind of change, and last the counts; returns these."""
    from infograph.export.comparison import CHANGES, changes_of

    counts: Counter[str] = Counter()
    click.echo("{")
    for kind in CHANGES:
        click.echo(f'  "{kind}": [', nl=False)
        for change in changes_of(scratch, kind):
            value = change.id if change.to is None else {"from": change.id, "to": change.to}
            click.echo(f"{',' * bool(counts[kind])}\n    {json.dumps(value, ensure_ascii=False)}", nl=False)
            counts[kind] += 1
        click.echo("\n  ]," if counts[kind] else "],")
    click.echo(f'  "counts": {json.dumps({kind: counts[kind] for kind in CHANGES})}\n}}')
    return counts

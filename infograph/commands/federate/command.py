"""`infograph federate`: the command."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from infograph.commands.options import JSON, TRANSFER


@click.command()
@click.argument("out", metavar="OUT", type=click.Path(file_okay=False))
@click.argument("sites", metavar="[NAME=]SITE...", nargs=-1, required=True)
@click.option("--skip-broken", is_flag=True, help="Leave out a site that cannot be read, or does not fit in.")
@TRANSFER
@JSON
def federate(
    out: str, sites: tuple[str, ...], skip_broken: bool, timeout: float, cache: str | None, as_json: bool
) -> None:
    """Make one search of several published trees: write OUT/federation.json, which clients open like a tree.

    SITE is an http(s) address, or a folder below OUT. Run it again when a site was published anew: only that one is
    read.
    """
    from infograph.commands.console import warn
    from infograph.commands.federate.run import federate as make
    from infograph.errors import printable
    from infograph.progress import amount

    found = make(out, sites, skip_broken=skip_broken, timeout=timeout, cache=cache)
    warn([printable(f"left out {id}: {reason}") for id, reason in found.skipped.items()])
    if as_json:
        click.echo(json.dumps(asdict(found), indent=2, ensure_ascii=False))
        return
    again = f"{len(found.read)} of them read" if found.read else "none of them read again"
    size = f"{found.bytes / 1e6:,.1f} MB in {amount(found.files, 'file')}"
    counts = f"{amount(found.sites, 'site')} ({again}), {amount(found.chunks, 'chunk')}, {amount(found.terms, 'term')}"
    click.echo(printable(f"{out}/federation.json: {counts}; {size}"))

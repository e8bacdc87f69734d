"""`infograph publish`: what would go up to a host from a folder, and whether the host would take it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from infograph.commands.options import remember_json
from infograph.errors import printable

_HOSTS = ("github-pages", "cloudflare-pages", "netlify", "s3")
"""Names of `publishing.hosts.HOSTS`, which is not imported before the command runs."""


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path())
@click.option("--to", "host", type=click.Choice(_HOSTS), help="The host; exit 1 when it would not take the folder.")
@click.option("--json", "as_json", is_flag=True, callback=remember_json, is_eager=True, help="Print it as JSON.")
@click.pass_context
def publish(context: click.Context, folder: str, host: str | None, as_json: bool) -> None:
    """Show what of DIR would go up to a host, and check the host's limits; nothing is sent."""
    from infograph.publishing.hosts import HOSTS, files_to_send, judge, totals

    files = files_to_send(Path(folder))
    verdicts = [judge(files, found) for found in HOSTS if host in (None, found.name)]
    kinds = totals(files)
    if as_json:
        value: dict[str, Any] = {
            "files": len(files),
            "bytes": sum(file.size for file in files),
            "kinds": [{"kind": kind, "files": count, "bytes": size} for kind, count, size in kinds],
            "hosts": [{"host": v.host, "passed": v.passed, "notes": v.notes} for v in verdicts],
        }
        click.echo(json.dumps(value, indent=2, ensure_ascii=False))
    else:
        _print_kinds(folder, kinds)
        for verdict in verdicts:
            for finding in verdict.passed:
                click.echo(printable(f"{verdict.host}: {finding}"))
            if not verdict.passed:
                click.echo(f"{verdict.host}: takes it")
            for note in verdict.notes:
                click.echo(printable(f"{verdict.host}: note: {note}"))
    if host is not None and verdicts[0].passed:
        context.exit(1)


def _print_kinds(folder: str, kinds: list[tuple[str, int, int]]) -> None:
    files, size = sum(count for _, count, _ in kinds), sum(size for _, _, size in kinds)
    click.echo(printable(f"{folder}: {files:,} files, {size / 1e6:,.1f} MB"))
    for kind, count, bytes_ in kinds:
        click.echo(f"  {kind:<16} {count:>9,} files {bytes_ / 1e6:>10,.1f} MB")

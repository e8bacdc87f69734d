"""`infograph export`: a published tree as one file of rows, for databases and data frames."""

from __future__ import annotations

from typing import Any

import click

from infograph.commands.options import QUIET, TRANSFER, combined


@click.command()
@click.argument("target", metavar="URL_OR_DIR")
@click.argument("out", metavar="FILE", type=click.Path())
@click.option(
    "--vectors",
    type=click.Choice(["model", "search", "none"]),
    default="model",
    show_default=True,
    help="Vectors of the tree's model, from a build's cache; those that searches compare; or none.",
)
@click.option("--embedding-cache", metavar="DIR", help="Embedding cache of the build; else the nearest to the tree.")
@click.option("--embed", is_flag=True, help="Embed by a packaged model what the cache does not have.")
@combined(TRANSFER, QUIET)
def export(target: str, out: str, timeout: float, cache: str | None, quiet: bool, **options: Any) -> None:
    """Write a published tree to FILE, a row a chunk: JSON Lines (.jsonl) or Parquet (.parquet)."""
    from infograph.client import Client
    from infograph.commands.console import MessagePrinter
    from infograph.export.run import ExportRequest, export_tree
    from infograph.export.writing import check_place
    from infograph.progress import amount

    check_place(target, out)
    printer = MessagePrinter(quiet=quiet)
    with Client(target, timeout=timeout, cache=cache) as client:
        report = export_tree(client, out, ExportRequest(tree=target, **options))
    for note in report.notes:
        printer.say(note)
    printer.say(f"wrote {amount(report.chunks, 'chunk')}, {report.vectors:,} with vectors, to {out}")

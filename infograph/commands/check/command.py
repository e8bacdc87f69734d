"""`infograph check`: the command."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from infograph.commands.options import JSON

if TYPE_CHECKING:
    from infograph.commands.check.findings import CheckReport, FederationCheck


@click.command()
@click.argument("target", metavar="URL_OR_DIR")
@click.option("--sites", "whole", is_flag=True, help="Of a federation, check every site as a tree of its own, too.")
@click.option("--local", is_flag=True, help="Of a federation, ask no site that does not lie below it.")
@JSON
def check(target: str, whole: bool, local: bool, as_json: bool) -> None:
    """Follow every link of a published tree; report what does not answer with the promised bytes.

    Of a federation, check its own files, and that every site is there and what the federation says.
    """
    from infograph.client.place import is_federation

    if is_federation(target):
        from infograph.commands.check.federation import check_federation

        report: CheckReport | FederationCheck = check_federation(target, whole=whole, local=local)
    else:
        from infograph.commands.check.crawl import check as check_tree

        for option, given in (("--sites", whole), ("--local", local)):
            if given:
                raise click.UsageError(f"{option} does nothing: this is no federation, whose address ends in its name.")
        report = check_tree(target)
    click.echo(json.dumps(report.as_dict(), indent=2, ensure_ascii=False) if as_json else str(report))
    sys.exit(1 if report.problems else 0)

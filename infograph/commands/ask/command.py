"""`infograph search`, `get` and `ask` on the command line."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import click

from infograph.commands.options import RERANK, TRANSFER, AsksNobody, combined, remember_json, with_model


def _filters(context: click.Context, parameter: click.Parameter, given: Sequence[str]) -> Any:
    from infograph.commands.filter_expressions import as_filters, parse_expression  # few commands filter

    found = [(text, parse_expression(text)) for text in given]
    if wrong := [text for text, expression in found if expression is None]:
        raise click.BadParameter(f"{wrong[0]!r} is none of NAME=VALUE, NAME>=VALUE, NAME and !NAME=VALUE")
    return as_filters(expression for _, expression in found if expression is not None)


_target = click.argument("target", metavar="URL_OR_DIR")
_path = click.option("--path", default="", metavar="PATH", help="Only this folder of the source tree, or document.")
_graph = click.option(
    "--graph",
    type=click.IntRange(0, 2),
    metavar="HOPS",
    help="Go so many steps, 0 to 2, from the first pages to others that name the same entities (needs a graph).",
)
_filter = click.option(
    "--filter",
    "filters",
    multiple=True,
    metavar="EXPRESSION",
    callback=_filters,
    help="Only chunks for which it holds: NAME=VALUE (several times: one of the values), NAME>=VALUE, NAME "
    "(has any value), !NAME=VALUE (has not).",
)
_exact = click.option("--exact", is_flag=True, help="Do not take words that the site does not have for slips.")
_prompts = click.option(
    "--prompts/--no-prompts",
    default=True,
    help="Put sections first that are known to answer a question like this one; on by default.",
)
_filling = combined(
    click.option(
        "--question-class",
        "--class",
        "question_class",
        type=click.Choice(["factoid", "analytical", "comparative", "exploratory", "multi-hop"]),
        help="What kind of question it is; by its words unless told.",
    ),
    click.option(
        "--level",
        type=click.Choice(["passages", "chunks"]),
        help="Take pieces of sections, or whole ones; by the class of the question unless told.",
    ),
    click.option(
        "--packing",
        type=click.Choice(["greedy", "ratio", "knapsack"]),
        help="How pieces are chosen: the best first, by value for each token, or the greatest sum of values.",
    ),
    click.option("--split", is_flag=True, help="Search for each name of a comparative or multi-hop question, too."),
    click.option(
        "--sources",
        type=click.Choice(["numbers", "titles", "urls"]),
        default="numbers",
        show_default=True,
        help="What stands above each passage, which is counted: its number, alone, with the headings, or with the "
        "address, too.",
    ),
)
_reading = combined(
    click.option(
        "--json", "as_json", is_flag=True, callback=remember_json, is_eager=True, help="Print the answer as JSON."
    ),
    TRANSFER,
)


@click.command(cls=AsksNobody)
@_target
@click.argument("query", nargs=-1, required=True)
@click.option("--limit", type=click.IntRange(1), default=10, show_default=True, metavar="N", help="Hits to print.")
@click.option("--offset", type=click.IntRange(0), default=0, metavar="N", help="Hits to leave out at the beginning.")
@_path
@_filter
@click.option("--facet", "facets", multiple=True, metavar="NAME", help="Count the values of the field over all hits.")
@click.option("--pages", is_flag=True, help="The best chunk of each page only.")
@click.option(
    "--mode",
    type=click.Choice(["leaf", "parent", "summary-first"]),
    default="leaf",
    show_default=True,
    help="List chunks, or in the place of several of one section that section, or sections by their summaries.",
)
@click.option(
    "--diversity",
    type=click.FloatRange(0, 1),
    default=0.0,
    metavar="X",
    help="How much the first hits should differ from each other, 0 to 1.",
)
@RERANK
@_exact
@_graph
@click.option("--global", "overall", is_flag=True, help="Find groups of names that belong together, not sections.")
@click.option(
    "--links/--no-links",
    default=True,
    help="Follow the links of the first pages to others that an answer may take; on by default.",
)
@_prompts
@_reading
def search(target: str, query: tuple[str, ...], timeout: float, cache: str | None, **options: Any) -> None:
    """Search a published tree; print the best sections."""
    from infograph.commands.ask.run import PublishedSite, SearchRequest
    from infograph.commands.ask.run import search as run

    _print_answer(*run(PublishedSite(target, timeout, cache), " ".join(query), SearchRequest(**with_model(options))))


@click.command()
@_target
@click.argument("what", required=False, default="", metavar="[HREF_OR_TOPIC]")
@click.option("--sample", type=click.IntRange(1), metavar="N", help="N chunks that represent the topic, with texts.")
@click.option(
    "--order",
    type=click.Choice(["conceptual", "technical"]),
    default="conceptual",
    show_default=True,
    help="Of the sample: from explanations, or from the quick reference.",
)
@_reading
def get(target: str, what: str, timeout: float, cache: str | None, **options: Any) -> None:
    """Print the text of a chunk, named by its href, or what a topic holds, named by its id; the root's without."""
    from infograph.commands.ask.run import PublishedSite
    from infograph.commands.ask.run import get as run

    _print_answer(*run(PublishedSite(target, timeout, cache), what, **options))


@click.command(cls=AsksNobody)
@_target
@click.argument("question", nargs=-1, required=True)
@click.option(
    "--max-tokens",
    type=click.IntRange(1),
    default=2000,
    show_default=True,
    metavar="N",
    help="Tokens that the passages may have together, with the lines that name their sources.",
)
@_path
@_filter
@_filling
@_prompts
@RERANK
@_exact
@_graph
@_reading
def ask(target: str, question: tuple[str, ...], timeout: float, cache: str | None, **options: Any) -> None:
    """Print what a language model should read to answer a question; its sources on standard error."""
    from infograph.commands.ask.run import AskRequest, PublishedSite
    from infograph.commands.ask.run import ask as run

    _print_answer(*run(PublishedSite(target, timeout, cache), " ".join(question), AskRequest(**with_model(options))))


def _print_answer(text: str, found: bool) -> None:
    """Prints the answer of a published tree and exits, with status 1 when nothing was found."""
    if text:
        click.echo(text)
    if not found:
        click.echo("nothing found", err=True)
    sys.exit(0 if found else 1)

"""`infograph fit` on the command line: fusion and reranking that a site's own questions teach."""

from __future__ import annotations

import sys
from typing import Any

import click

from infograph.commands.options import CONFIG, DOCS, MODEL, QUIET, combined, load_settings


@click.group()
def fit() -> None:
    """Learn from questions with known answers what a site's search then does (needs infograph[eval,fit])."""


_QUESTIONS = click.option(
    "--questions", multiple=True, metavar="FILE", help="Question set, JSON Lines; without one, as for `eval`."
)
_OPTIONS = combined(
    DOCS,
    CONFIG,
    MODEL,
    _QUESTIONS,
    click.option("--cache", metavar="DIR", help="Folder of the embedding cache."),
    QUIET,
)


@fit.command("fusion")
@_OPTIONS
@click.option(
    "--predictor", "predictors", multiple=True, metavar="NAME", help="ridge, xgboost or mlp; the first two by default."
)
@click.option(
    "--candidates",
    default="site",
    show_default=True,
    metavar="NAME",
    help="site: what the published search fuses; seed: the best ten by BM25 and by cosine.",
)
@click.option("--out", metavar="FILE", help="Write the fusion there, for `search.fusion`.")
@click.option("--anyway", is_flag=True, help="Write it even where it is not better beyond chance.")
def fusion(docs: str | None, config_file: str | None, quiet: bool, **options: Any) -> None:
    """Learn for each query how much the model's score counts beside the words'.

    Prints how well each predictor does and Table 4. Exits 1 where a file was asked for and not written, since the best
    fixed weight does as well on the questions that were held out.
    """
    from infograph.commands.console import Console
    from infograph.fit.run import FusionRequest, fit_fusion  # numpy is nothing that a help page needs

    settings = load_settings(docs, config_file, model=options.pop("model"), cache=options.pop("cache"))
    request = FusionRequest(**{name: value for name, value in options.items() if value != ()})
    text, written = fit_fusion(settings, request, Console(quiet=quiet))
    click.echo(text)
    sys.exit(0 if written else 1)


@fit.command("rerank")
@_OPTIONS
@click.option(
    "--beta",
    type=click.FloatRange(0, 1),
    default=0.5,
    show_default=True,
    metavar="X",
    help="Least share of right rankings among those that no language model is asked about.",
)
@click.option("--dollars", type=float, metavar="X", help="Price of a call of the language model, for the table.")
@click.option("--seconds", type=float, metavar="X", help="Time of such a call, for the table.")
@click.option("--out", metavar="FILE", help="Write the thresholds there, for `search.rerank`.")
def rerank(docs: str | None, config_file: str | None, quiet: bool, **options: Any) -> None:
    """Find the confidence from which on a ranking can stay as it is; prints Table 5."""
    from infograph.commands.console import Console
    from infograph.fit.run import RerankRequest, fit_rerank

    settings = load_settings(docs, config_file, model=options.pop("model"), cache=options.pop("cache"))
    click.echo(fit_rerank(settings, RerankRequest(**options), Console(quiet=quiet)))

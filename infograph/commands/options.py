"""Options that several commands have, and the settings that they give. Nothing heavy is imported: each command pays."""

from __future__ import annotations

from collections.abc import Callable, Collection
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.core import ParameterSource

if TYPE_CHECKING:
    from infograph.config.settings import Settings

AS_JSON = f"{__name__}.json"
"""Key in click's `meta`: whether the command was asked to print JSON."""


def remember_json(context: click.Context, parameter: click.Parameter, value: bool) -> bool:
    """Notes `--json` for `_Group.invoke`, which then reports an error as JSON too."""
    context.meta[AS_JSON] = value
    return value


ERROR_STATUS = f"{__name__}.error_status"
"""Key in click's `meta`: the exit status of a command that ends with an error, where it is not 1."""


DOCS = click.argument("docs", required=False, type=click.Path(file_okay=False))
PART = click.argument("docs", required=False, type=click.Path())
"""What `chunk`, `keywords`, `topic` and `index` also take: a document, or the folder of a topic."""
CONFIG = click.option(
    "--config", "config_file", metavar="FILE", help="Configuration file instead of the nearest infograph.toml."
)
JSON = click.option(
    "--json", "as_json", is_flag=True, callback=remember_json, is_eager=True, help="Print a machine-readable summary."
)
JOBS = click.option("--jobs", type=int, metavar="N", help="Worker processes; 0 takes one a processor.")
RAY = click.option(
    "--ray", metavar="ADDRESS", help="Work on the machines of a Ray cluster: HOST:PORT, ray://HOST:PORT or auto."
)
STRICT = click.option("--strict/--no-strict", default=None, help="Warnings make the exit status 1.")
MODEL = click.option(
    "--model",
    metavar="NAME",
    help="all-MiniLM-L6-v2[-int8], static, sentence-transformers/NAME, endpoint/NAME, a path.",
)
STRATEGY = click.option(
    "--strategy", metavar="NAME", help="Chunking strategy of Markdown, or auto: by each page's structure."
)
MAX_FILES = click.option("--max-files", type=int, metavar="N", help="Most files of the search bundle.")
EARLY = click.option(
    "--early/--no-early",
    default=None,
    help="Publish a first build by `static` where the model takes over a minute; on by default.",
)
JUDGE = (
    click.option("--judge", is_flag=True, help="Have a language model judge the written answers too; sends text."),
    click.option("--judge-model", metavar="NAME", help="Language model that judges or ranks; else `llm.model`."),
    click.option("--estimate", is_flag=True, help="Say what --judge or --rerank would cost; send nothing."),
    click.option("--dry-run", is_flag=True, help="The same as --estimate."),
    click.option("--max-cost", type=float, metavar="X", help="Stop asking before it costs more, by `llm.prices`."),
    click.option("--max-calls", type=int, metavar="N", help="Stop asking after so many calls."),
)
QUIET = click.option("-q", "--quiet", is_flag=True, help="Print errors only.")


def out_option(does: str) -> Callable[[Any], Any]:
    """Returns the option `--out`.

    does: its help text
    """
    return click.option("--out", metavar="DIR", help=does)


OUT = out_option("Write there, to a folder or s3://BUCKET/PREFIX (gs://, az://); leave the sources untouched.")


def combined(*options: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Combines decorators into one; `--help` lists their options in the order given."""

    def apply(function: Any) -> Any:
        for option in reversed(options):
            function = option(function)
        return function

    return apply


TRANSFER = combined(
    click.option(
        "--timeout",
        type=click.FloatRange(0.1),
        default=30.0,
        show_default=True,
        metavar="SECONDS",
        help="How long reading may take.",
    ),
    click.option("--cache", metavar="DIR", help="Keep there what is downloaded, for the next time."),
)
"""Options of what reads a published tree."""
RERANK = combined(
    click.option(
        "--rerank/--no-rerank",
        default=None,
        help="Order the best by the site's model, which reads "
        "their vectors; by default where that pays and the model is installed.",
    ),
    click.option(
        "--embed-with",
        metavar="MODEL",
        help="Order the best by this model, which the site was built with: as `model` of the configuration.",
    ),
)


def with_model(options: dict[str, Any]) -> dict[str, Any]:
    """Returns the options of a search in which `embed_with` names a model that takes the place of `rerank`. Raises
    click.UsageError where that is off, ConfigError and ModelError."""
    model = options.pop("embed_with")
    if model is None:
        return options
    if options["rerank"] is False:
        raise click.UsageError("--embed-with does nothing with --no-rerank.")
    from infograph.client.embedded import model_embedder  # few searches have a model of their own
    from infograph.config import load

    return {**options, "rerank": model_embedder(model, load(".").config.embedding)}


class AsksNobody(click.Command):
    """A command with `--rerank` that says, where a language model is asked for, why it asks none and what does. An
    option of click whose value may be left out would take the first word of a query that follows it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        options = args[: args.index("--")] if "--" in args else args
        if "--rerank=llm" in options or ("--rerank", "llm") in pairwise(options):
            raise click.UsageError(
                "--rerank llm: this command asks no language model, as no search of infograph does. A program gives "
                "the clients a function that asks one, `rerank_with`; `infograph eval --rerank llm` measures what "
                "that is worth. (To search for the word llm, write it before --rerank.)",
                ctx,
            )
        return super().parse_args(ctx, args)


def refuse_beside(reason: str, heeded: Collection[str]) -> None:
    """Raises click.UsageError where the command line has an option that the current command would not heed.

    reason: why, as the beginning of a sentence
    heeded: names of the parameters that it heeds
    """
    context = click.get_current_context()
    given = [
        max(parameter.opts, key=len)
        for parameter in context.command.params
        if parameter.name not in heeded
        and context.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE
    ]
    if given:
        raise click.UsageError(f"{reason}: {', '.join(given)} {'do' if given[1:] else 'does'} nothing with it.")


class JudgingOptions(NamedTuple):
    """What the options of a judge come to."""

    judge: bool
    dry: bool
    flags: dict[str, Any]
    """Settings, by name."""


def judging_options(options: dict[str, Any]) -> JudgingOptions:
    """Takes the options of a judge out of those of `eval`. Raises click.UsageError where they would do nothing."""
    judge = options.pop("judge")
    dry = any([options.pop("estimate"), options.pop("dry_run")])
    named = {"judge_model": "llm.model", "max_cost": "llm.max_cost", "max_calls": "llm.max_calls"}
    flags = {setting: value for name, setting in named.items() if (value := options.pop(name)) is not None}
    if judge and options.get("answers") is None:
        raise click.UsageError("--judge judges written answers: name their file with --answers.")
    if not (judge or options["rerank"]) and (dry or flags):
        raise click.UsageError(
            "--judge-model, --estimate, --dry-run, --max-cost and --max-calls are options of --judge and of --rerank."
        )
    return JudgingOptions(judge, dry, flags)


def load_settings(docs: str | None, config_file: str | None, **flags: Any) -> Settings:
    """Returns the settings of a command whose options have the names of settings. Raises ConfigError."""
    from infograph.config import load
    from infograph.config.origins import IN_TABLES

    return load(docs, file=config_file, flags={IN_TABLES.get(name, name): value for name, value in flags.items()})

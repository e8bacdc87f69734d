"""The command line: parse, call, print, exit status. Nothing heavy is imported before a command needs it."""

from __future__ import annotations

import contextlib
import gc
import importlib
import io
import json
import os
import sys
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any, NoReturn

import click

from infograph import __version__
from infograph.commands.options import (
    AS_JSON,
    CONFIG,
    DOCS,
    EARLY,
    ERROR_STATUS,
    JOBS,
    JSON,
    JUDGE,
    MAX_FILES,
    MODEL,
    OUT,
    PART,
    QUIET,
    RAY,
    RERANK,
    STRATEGY,
    STRICT,
    TRANSFER,
    AsksNobody,
    combined,
    judging_options,
    load_settings,
    out_option,
    refuse_beside,
    with_model,
)
from infograph.errors import REINSTALL, InfographError

if TYPE_CHECKING:
    from infograph.config.settings import Settings
    from infograph.pipeline.summary import Summary

EPILOG = "What is built, and how, is set in infograph.toml; `infograph init` writes one with every setting."


class _Elsewhere(click.Command):
    """The place of a command whose module is imported when somebody asks for it: a build does without the others."""

    def __init__(self, name: str, module: str) -> None:
        super().__init__(name)
        self._module = module

    def load(self) -> click.Command:
        """Returns the command."""
        command: click.Command = getattr(importlib.import_module(self._module), self.name or "")
        return command


class _Group(click.Group):
    """Lists commands in the order in which they are defined, and prints an InfographError as one line."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(self.commands)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        return self.every((name,)).get(name)

    def every(self, names: Collection[str] = ()) -> dict[str, click.Command]:
        """Returns the commands of some names, or all, by name."""
        found = {name: own for name, own in self.commands.items() if not names or name in names}
        return {name: own.load() if isinstance(own, _Elsewhere) else own for name, own in found.items()}

    def invoke(self, context: click.Context) -> Any:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):  # a terminal without a character shows its escape
                stream.reconfigure(errors="backslashreplace")
        try:
            return super().invoke(context)
        except InfographError as error:
            _fail(context, error)
        except MemoryError:
            _fail(context, _no_memory())
        except RuntimeError as error:
            if str(error) != "can't start new thread":  # which is what Python says where there is no room for its stack
                raise
            _fail(context, _no_memory())
        except OSError as error:
            packaged = str(error.filename or "")
            if not packaged.startswith(os.path.join(os.path.dirname(__file__), "")):
                raise
            reason = f"a file of infograph itself cannot be read: {error.strerror}"
            _fail(context, InfographError(packaged, reason, f"See to its rights. {REINSTALL}"))
        except KeyboardInterrupt:
            click.echo("interrupted; nothing half-done was published", err=True)
            context.exit(130)


def _no_memory() -> InfographError:
    hint = "Build with fewer workers (`--jobs 1`), with `--model static`, or give the process more."
    return InfographError("", "this machine has not enough memory for it", hint)


def _fail(context: click.Context, error: InfographError) -> NoReturn:
    """Prints an error, as JSON too where the command was asked for that, and exits, with status 1 unless the
    command says another."""
    click.echo(f"{click.style('error:', fg='red')} {error}", err=True)
    if context.meta.get(AS_JSON):  # a program reads that there was an error, not an empty output
        from infograph.commands.console import error_json

        click.echo(json.dumps({"errors": [error_json(error)]}, indent=2, ensure_ascii=False))
    context.exit(context.meta.get(ERROR_STATUS, 1))


def _version(context: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not context.resilient_parsing:
        from infograph.words.twins import WHY_PURE  # few ask

        click.echo(f"infograph, version {__version__}\ncompiled parts: {f'no, {WHY_PURE}' if WHY_PURE else 'yes'}")
        context.exit()


@click.group(cls=_Group, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    *("--version", "version"),
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_version,
    help="Show the version, whether compiled parts run, and exit.",
)
def main() -> None:
    """Turn a tree of Markdown into an information graph of plain files: retrieval without a runtime.

    \b
    infograph build docs/        chunk, embed and index a tree
    infograph watch docs/        build again at each save
    infograph serve docs/        look at what was built
    infograph check docs/        follow every link of what was built
    infograph search docs/ WORD  ask it something
    """
    # numpy reads these when it is loaded. Its products here are small: threads would only wait for each other, busily.
    for name in ("OPENBLAS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
        os.environ.setdefault(name, "1")


@main.command()
@combined(DOCS, CONFIG, OUT, MODEL, STRATEGY, JOBS, RAY, MAX_FILES, STRICT, JSON, QUIET)
@click.option("--check", is_flag=True, help="Write nothing; exit 1 when outputs are stale, naming them.")
@click.option("--force", is_flag=True, help="Trust nothing but the sources: make and compare every output again.")
def build(
    docs: str | None, config_file: str | None, as_json: bool, quiet: bool, check: bool, force: bool, **flags: Any
) -> None:
    """Chunk, embed and index a tree, doing only what changed."""
    with _collector_at_rest():
        from infograph.build import build as run
        from infograph.commands.console import Console

        settings = load_settings(docs, config_file, **flags)
        summary = run(settings, Console(quiet=quiet or as_json), check=check, force=force)
    _finish(settings, summary, as_json, quiet)


@main.command()
@combined(DOCS, CONFIG, OUT, MODEL, STRATEGY, JOBS, MAX_FILES, EARLY, QUIET)
def watch(docs: str | None, config_file: str | None, quiet: bool, **flags: Any) -> None:
    """Build, and build again whenever a source or the configuration changes."""
    from infograph.commands.ctrl_c import ended_by_ctrl_c
    from infograph.commands.watch import watch as run

    with ended_by_ctrl_c() as stop:
        run(lambda: load_settings(docs, config_file, **flags), quiet=quiet, stop=stop)


@main.command()
@click.argument("folder", required=False, metavar="[DIR]", type=click.Path(file_okay=False))
@combined(CONFIG, out_option("Serve that tree. With --watch, write there."))
@combined(MODEL, STRATEGY, JOBS, MAX_FILES, EARLY, QUIET)
@click.option("--watch", is_flag=True, help="Build DIR and serve that; build again, and reload pages, at each save.")
@click.option("--host", metavar="NAME", help="Address to serve on; without it only this machine can read.")
@click.option("--port", type=int, metavar="N", help="Port to serve on; 0 takes any free one.")
@click.option(
    "--allow-host", "allow_hosts", multiple=True, metavar="NAME", help="Answer requests for this host, too; repeatable."
)
@click.option("--cors/--no-cors", default=None, help="Let pages of every origin read; by default none may.")
def serve(folder: str | None, config_file: str | None, out: str | None, quiet: bool, watch: bool, **flags: Any) -> None:
    """Serve a built tree over HTTP, for a look at it; with --watch, build it from its sources in DIR."""
    from infograph.commands.ctrl_c import ended_by_ctrl_c
    from infograph.commands.serve import serve as run

    if folder is not None and not watch:
        if out is not None:
            raise click.UsageError("DIR is the folder to serve, so --out does nothing without --watch.")
        folder, out = None, folder
    settings = {name: flags.pop(name) for name in ("model", "strategy", "jobs", "max_files", "early")}
    flags["allow_hosts"] = flags["allow_hosts"] or None
    settings |= {"out": out} | {f"serve.{name}": value for name, value in flags.items()}
    with ended_by_ctrl_c() as stop:
        run(lambda: load_settings(folder, config_file, **settings), watch=watch, quiet=quiet, stop=stop)


def _stage(name: str, summary: str, out: str) -> None:
    """Adds a command that runs one tool of `pipeline.tools` on what the previous tool left on disk.

    All four tools take the options of `build`, so that one set of options serves them in a row. A document, or a folder
    inside a tree, selects that part of the tree.

    out: help text of `--out`: what the command does in that folder
    """

    @combined(PART, CONFIG, out_option(out), MODEL, STRATEGY, JOBS, MAX_FILES, STRICT, JSON, QUIET)
    def command(docs: str | None, config_file: str | None, as_json: bool, quiet: bool, **flags: Any) -> None:
        from infograph.commands.console import Console
        from infograph.config.selection import selection_of
        from infograph.pipeline import tools

        tree, selection = selection_of(docs, config_file)
        settings = load_settings(tree, config_file, **flags)
        summary = getattr(tools, name)(settings, Console(quiet=quiet or as_json), selection)
        _finish(settings, summary, as_json, quiet)

    command.__doc__ = summary
    main.command(name)(command)


_stage(
    "chunk",
    "ChunkingTool: cut documents into chunk files, `_chunks/`.",
    "Write the chunk files there.",
)
_stage(
    "keywords",
    "Keyword extractor: authority tables from chunk files, `_keywords/words.md`.",
    "Read the chunk files there and write the tables there.",
)
_stage(
    "topic",
    "TopicSpec: embed chunk files and write `topic-spec.md`.",
    "Read chunk files and tables there and write the specifications there.",
)
_stage(
    "index",
    "IndexTool: `index.json`, the schema and `llms.txt` from `topic-spec.md`.",
    "Read the specifications there and write the indexes there.",
)


main.add_command(_Elsewhere("enrich", "infograph.commands.enrich.command"))
main.add_command(_Elsewhere("questions", "infograph.commands.questions.command"))


@main.command()
@combined(DOCS, CONFIG, out_option("Clean that output tree."))
@click.option("--cache", is_flag=True, help="Remove the embedding cache too.")
@click.option("--enrichment", is_flag=True, help="Remove what `infograph enrich` wrote too.")
def clean(docs: str | None, config_file: str | None, cache: bool, enrichment: bool, **flags: Any) -> None:
    """Remove everything infograph wrote, and nothing else."""
    from infograph.commands.clean import clean as run

    count = run(load_settings(docs, config_file, **flags), cache=cache, enrichment=enrichment)
    click.echo(f"removed {count:,} file{'' if count == 1 else 's'}")


@main.command()
@click.argument("folder", required=False, default=".", type=click.Path(file_okay=False))
def init(folder: str) -> None:
    """Write an infograph.toml that holds every setting with its default."""
    from infograph.config.starter import write_starter

    click.echo(f"wrote {write_starter(folder)}")


main.add_command(_Elsewhere("check", "infograph.commands.check.command"))


@main.command()
@click.argument("place", metavar="TOPIC")
@click.option("--document", metavar="NAME", help="Only this document of the topic.")
@click.option(
    "--plot",
    metavar="FILE",
    help="Draw one document's similarity against order, stripes coloured: the one with the most chunks, or --document "
    "(needs infograph[plot]).",
)
def show(place: str, document: str | None, plot: str | None) -> None:
    """Show a topic's stripes as a table, or as a picture. TOPIC is a built folder or its index.json."""
    from infograph.commands.show import show as run

    click.echo(run(place, document, plot))


for _name in ("search", "get", "ask"):
    main.add_command(_Elsewhere(_name, "infograph.commands.ask.command"))


@main.command(cls=AsksNobody)
@click.argument("targets", metavar="URL_OR_DIR...", nargs=-1, required=True)
@click.option("--http", metavar="HOST:PORT", help="Serve over HTTP at this address, such as 127.0.0.1:8765.")
@click.option(
    "--allow-host",
    "allow_hosts",
    multiple=True,
    metavar="NAME",
    help="With --http: answer requests for this host, too, and listen where other machines reach it; repeatable.",
)
@click.option("--text", "text_only", is_flag=True, help="Answer in text alone, for agents that read no fields.")
@TRANSFER
@RERANK
def mcp(
    targets: tuple[str, ...], http: str | None, allow_hosts: tuple[str, ...], text_only: bool, **options: Any
) -> None:
    """Serve published trees to agents over MCP, on standard input and output or over HTTP (needs infograph[mcp])."""
    from infograph.integrations.mcp.site import SiteOptions
    from infograph.integrations.mcp.transport import http_address, run

    if allow_hosts and http is None:
        raise click.UsageError("--allow-host does nothing without --http.")
    address = None if http is None else http_address(http, allow_hosts)
    run(targets, SiteOptions(**with_model(options)), http=address, text_only=text_only)


for _name in ("export", "publish", "diff", "stats", "bench"):
    main.add_command(_Elsewhere(_name, f"infograph.commands.{_name}"))
main.add_command(_Elsewhere("federate", "infograph.commands.federate.command"))


_OF_PROMPTS = frozenset(("docs", "config_file", "model", "cache", "questions", "prompts", "as_json", "quiet"))
"""Parameters of `eval` that `--prompts` heeds."""
_OF_RERANK = _OF_PROMPTS - {"prompts"} | {"rerank", "judge_model", "estimate", "dry_run", "max_cost", "max_calls"}
"""Parameters that `--rerank` heeds."""


@main.command("eval")
@combined(DOCS, CONFIG, MODEL)
@click.option("--questions", multiple=True, metavar="FILE", help="Question set, JSON Lines; without one, see below.")
@click.option(
    "--strategy",
    "strategies",
    multiple=True,
    metavar="NAME",
    help="Chunking strategy, with options: `fixed:window=250`.",
)
@click.option(
    "--retriever",
    "retrievers",
    multiple=True,
    metavar="NAME",
    help="bm25, dense, fusion, rrf or linear; site, links, graph:1, graph:2, rerank or rerank+links: the published "
    "search; or all.",
)
@click.option("-k", "k", type=int, default=5, show_default=True, metavar="N", help="Chunks for a question.")
@click.option(
    "--passages",
    type=int,
    default=128,
    show_default=True,
    metavar="N",
    help="Match by passages of at most N tokens inside of each chunk; 0: by whole chunks.",
)
@click.option("--alpha", type=float, default=0.75, show_default=True, metavar="X", help="Dense share of fusion.")
@click.option("--neighbours", type=float, default=0.0, metavar="X", help="Weight of adjacent passages' vectors.")
@click.option("--parents/--no-parents", default=True, help="Return a matching chunk's parent, where it has one.")
@click.option("--pages", is_flag=True, help="Return whole documents: which page answers, not which chunk.")
@click.option(
    "--prompts", is_flag=True, help="Measure prompt matching instead: known questions, and rewordings of them."
)
@click.option(
    "--rerank",
    type=click.Choice(["llm"]),
    help="Measure a language model's order of the first chunks instead, and when to ask for it (Table 5); sends text.",
)
@click.option("--answers", metavar="FILE", help="Measure too whether what is found supports written answers.")
@combined(*JUDGE)
@click.option(
    "--metrics",
    type=click.Choice(["main", "thesis"]),
    default="main",
    show_default=True,
    help="Columns of the table; thesis: whole answers and words found, and the first chunk's score.",
)
@click.option("--intrinsic", is_flag=True, help="Measure the chunks themselves too: coherence and others.")
@click.option("--cache", metavar="DIR", help="Folder of the embedding cache.")
@click.option("--html", metavar="FILE", help="Write a page with plots (needs infograph[plot]).")
@click.option("--gate", metavar="FILE", help="Exit 1 when a metric is below this baseline beyond chance.")
@click.option("--save-gate", metavar="FILE", help="Write that baseline.")
@combined(JSON, QUIET)
def evaluate(docs: str | None, config_file: str | None, as_json: bool, quiet: bool, **options: Any) -> None:
    """Measure how well chunks are found: strategy by retriever.

    Takes DOCS/questions.jsonl (with the documents in DOCS/corpus, if that is a folder), else makes questions from
    the documents: the text of internal links, headings that ask, questions of qa-pairs.md whose answers link.
    """
    from infograph.commands.console import Console
    from infograph.evaluate.bench import Request
    from infograph.evaluate.evaluation import ReportFiles, run

    if options["prompts"]:
        refuse_beside("--prompts measures known questions alone", _OF_PROMPTS)
    if options["rerank"]:
        refuse_beside("--rerank llm measures the order of the first chunks alone", _OF_RERANK)
    judging = judging_options(options)
    settings = load_settings(docs, config_file, model=options.pop("model"), cache=options.pop("cache"), **judging.flags)
    if options.pop("rerank"):
        from infograph.commands.judging.reranking import evaluate_reranked

        console = Console(quiet=quiet or as_json)
        asked = options["questions"]
        text, status = evaluate_reranked(settings, asked, console, as_json=as_json, dry=judging.dry)
        click.echo(text)
        sys.exit(status)
    if options.pop("prompts"):
        from infograph.evaluate.prompts import report_prompts

        click.echo(report_prompts(settings, options["questions"], Console(quiet=quiet or as_json), as_json=as_json))
        return
    files = ReportFiles(**{name: options.pop(name) for name in ("html", "gate", "save_gate")})
    request = Request(**{name: value for name, value in options.items() if value != ()})
    console = Console(quiet=quiet or as_json)
    if judging.judge:
        from infograph.commands.judging.run import evaluate_judged

        text, status = evaluate_judged(settings, request, files, console, as_json=as_json, dry=judging.dry)
    else:
        text, passed = run(settings, request, files, console, as_json=as_json)
        status = int(not passed)
    click.echo(text)
    sys.exit(status)


main.add_command(_Elsewhere("fit", "infograph.commands.fit"))


@contextlib.contextmanager
def _collector_at_rest() -> Iterator[None]:
    """Keeps the collector of cycles from looking through what a command loads and makes, also when the process ends:
    that is a twentieth of the time of a small build, and finds hardly anything."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if collecting:
            gc.enable()


def _finish(settings: Settings, summary: Summary, as_json: bool, quiet: bool) -> None:
    """Prints the summary of a build or tool and exits with its status."""
    from infograph.commands.console import print_summary, summary_json

    if as_json:
        click.echo(json.dumps(summary_json(summary), indent=2, ensure_ascii=False))
    else:
        print_summary(settings, summary, quiet)
    sys.exit(1 if summary.failed(settings.config.strict) else 0)

"""`infograph enrich` on the command line: its options, and the mode that each of them chooses."""

from __future__ import annotations

import sys
from typing import Any

import click

from infograph.commands.options import CONFIG, DOCS, JSON, QUIET, STRICT, combined


@click.command()
@combined(DOCS, CONFIG)
@click.option("--task", "tasks", multiple=True, metavar="NAME", help="One of `enrich.tasks`, which it stands for.")
@click.option("--unit", metavar="NAME", help="A call about each `chunk`, or one about each `document`.")
@click.option("--only", multiple=True, metavar="GLOB", help="Only these documents.")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Most chunks to ask about.")
@click.option("--estimate", is_flag=True, help="Say what it would cost; send nothing.")
@click.option("--dry-run", is_flag=True, help="The same as --estimate.")
@click.option("--status", is_flag=True, help="Say how the chunks stand and what is recorded; send nothing.")
@click.option("--show-payload", metavar="HREF", help="Print what would be sent for that chunk; send nothing.")
@click.option("--retry-failed", is_flag=True, help="Ask again where the model failed.")
@click.option("--force", is_flag=True, help="Ask again about everything that is not pinned.")
@click.option("--batch", is_flag=True, help="Submit at half the price, or collect what was submitted.")
@click.option("--max-cost", type=float, metavar="X", help="Stop before it costs more, by `llm.prices`.")
@click.option("--max-calls", type=int, metavar="N", help="Stop after so many calls.")
@click.option("--concurrency", type=int, metavar="N", help="Calls in flight.")
@click.option("--model", metavar="NAME", help="Language model to ask.")
@click.option("--base-url", metavar="URL", help="Address of its endpoint.")
@click.option("--provider", metavar="NAME", help="openai, anthropic or openai-compatible.")
@click.option("--log-calls", metavar="FILE", help="Append a line of JSON for each request: no text, no key.")
@combined(STRICT, JSON, QUIET)
def enrich(docs: str | None, config_file: str | None, as_json: bool, quiet: bool, **options: Any) -> None:
    """Ask a language model about each chunk, and write what it says beside the documents.

    Sends text to another machine, which of all other commands only `questions` does, and what embeds by a model of a
    server. Exits 0 when all is asked, 1 when the endpoint failed, 3 when the budget is reached; what was answered is
    kept, and the next run goes on from there.
    """
    from infograph.commands.console import Console
    from infograph.commands.enrich import modes
    from infograph.commands.enrich.request import EnrichRequest
    from infograph.config import load

    names = {"tasks": "enrich.tasks", "unit": "enrich.unit", "strict": "strict"}
    names |= {name: f"llm.{name}" for name in ("max_cost", "max_calls", "concurrency", "model", "base_url", "provider")}
    flags = {setting: options.pop(name) or None for name, setting in names.items()}
    settings = load(docs, file=config_file, flags=flags)
    dry, status, href = (
        options.pop("estimate") | options.pop("dry_run"),
        options.pop("status"),
        options.pop("show_payload"),
    )
    request = EnrichRequest(**options)
    if href:
        click.echo(modes.show_payload(settings, href))
    elif status:
        click.echo(modes.show_status(settings, request, as_json=as_json))
    elif dry:
        click.echo(modes.show_estimate(settings, request, as_json=as_json))
    else:
        text, code = modes.run(settings, request, Console(quiet=quiet or as_json), as_json=as_json)
        if not quiet or as_json:
            click.echo(text)
        sys.exit(code)

"""`infograph questions` on the command line."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import Any

import click

from infograph.commands.options import CONFIG, DOCS, JSON, QUIET, combined


@click.command()
@combined(DOCS, CONFIG)
@click.option("--out", metavar="FILE", default="questions.jsonl", show_default=True, help="Write the questions there.")
@click.option(
    "--words",
    type=click.IntRange(20),
    default=300,
    show_default=True,
    metavar="N",
    help="Words of a passage, at least.",
)
@click.option(
    "--least", type=click.IntRange(1), default=100, show_default=True, metavar="N", help="Words of a last passage."
)
@click.option("--per-kind", type=click.IntRange(1), metavar="N", help="Most passages, and pairs of them, of each kind.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Chooses which passages are paired.")
@click.option("--judge", is_flag=True, help="Drop questions on two passages that one of them answers; more calls.")
@click.option("--max-cost", type=float, metavar="X", help="Stop before it costs more, by `llm.prices`.")
@click.option("--max-calls", type=int, metavar="N", help="Stop after so many calls.")
@click.option("--model", metavar="NAME", help="Language model to ask.")
@click.option("--base-url", metavar="URL", help="Address of its endpoint.")
@click.option("--provider", metavar="NAME", help="openai, anthropic or openai-compatible.")
@combined(JSON, QUIET)
def questions(docs: str | None, config_file: str | None, as_json: bool, quiet: bool, **options: Any) -> None:
    """Ask a language model for questions that the documents answer, for `infograph eval`.

    Questions on one passage, on two of a page, and on two of different pages. Each answer stands in the documents as it
    is written, else the question is dropped. Sends text to another machine, as `enrich` does.
    """
    from infograph.commands.console import Console
    from infograph.commands.questions.run import QuestionsRequest, make_questions, outcome_text
    from infograph.config import load

    names = ("max_cost", "max_calls", "model", "base_url", "provider")
    settings = load(docs, file=config_file, flags={f"llm.{name}": options.pop(name) or None for name in names})
    request = QuestionsRequest(**options)
    outcome = make_questions(settings, request, Console(quiet=quiet or as_json))
    if as_json:
        values = asdict(outcome) | {name: dict(getattr(outcome, name)) for name in ("kinds", "dropped", "redacted")}
        click.echo(json.dumps(values, indent=2, ensure_ascii=False))
    elif not quiet:
        click.echo(outcome_text(outcome, request.out))
    sys.exit(outcome.status or int(not outcome.kinds))

"""The whole pipeline: a tree of Markdown in, an information graph of plain files out.

    discover ─▶ plan ─▶ cut ─▶ embed ─▶ tabulate ─▶ write ─▶ publish ─▶ remember

A build does only what differs from the last one, and what it leaves is equal, byte for byte, to what a
build from nothing would leave.
"""

from __future__ import annotations

import contextlib
import time

from infograph.config.origins import naming_origins
from infograph.config.settings import Settings
from infograph.errors import OutputError
from infograph.files.disk import refuse_links, write_private
from infograph.formats.names import OUTPUT_MARK, PRIVATE
from infograph.pipeline.memory.state import RecordsLost, State, load_state, save_state
from infograph.pipeline.plan import Plan, build_key, find_documents, make_plan, refuse_documents_in_out
from infograph.pipeline.staging import Output
from infograph.pipeline.summary import Problems, Summary, outlived, problems
from infograph.progress import Reporter, Silent
from infograph.source.discovery import Discovery

_SAVE_SECONDS = 0.1
"""A document that is gone is looked for again after this time."""


@naming_origins
def build(settings: Settings, reporter: Reporter | None = None, *, check: bool = False) -> Summary:
    """Builds a tree, doing only what changed since the last build.

    check: write nothing; say in `Summary.stale` what a build from nothing would write or remove

    Raises ConfigError, ModelError, OutputError (nothing is published then). What is wrong with one document
    is in `Summary.errors`; the others are built.
    """
    from infograph.embedding import identify

    started = time.monotonic()
    refuse_documents_in_out(settings)
    reporter = reporter or Silent()
    model = "@".join(identify(settings.config.model))
    key = build_key(settings, model)
    if check:
        summary = _run(settings, reporter, model, key, None, check=True)
    else:
        with Output(settings.out).locked(on_wait=reporter.say):
            if not settings.in_place:
                write_private(settings.out, OUTPUT_MARK, b"")
                if settings.memory.parent.name == PRIVATE:
                    refuse_links(settings.memory.parents[1], f"{PRIVATE}/{settings.memory.name}")
            summary = _run(settings, reporter, model, key, load_state(settings.memory, key))
    summary.seconds = time.monotonic() - started
    return summary


def _run(
    settings: Settings, reporter: Reporter, model: str, key: str, last: State | None, *, check: bool = False
) -> Summary:
    listed = last.listed if last is not None else None
    found = find_documents(settings, listed)
    plan = make_plan(settings, found, last)
    if plan.search:
        last, plan = None, make_plan(settings, found, None)
    if plan.removed:  # or an editor is in the middle of a save: the old file renamed away, the new one not there
        time.sleep(_SAVE_SECONDS)
        found = find_documents(settings, listed)
        plan = make_plan(settings, found, last)
    if not found.documents:  # a slip in a pattern must not wipe what is published
        summary = Summary()
        summary.report(settings, found, Problems())
        return summary
    if last is not None and plan.idle:
        return _idle(settings, found, plan, last)
    try:
        return _work(settings, reporter, model, key, last, found, plan, check=check)
    except RecordsLost:
        plan = make_plan(settings, found, None)
        return _work(settings, reporter, model, key, None, found, plan, check=check)


def _work(
    settings: Settings,
    reporter: Reporter,
    model: str,
    key: str,
    last: State | None,
    found: Discovery,
    plan: Plan,
    *,
    check: bool,
) -> Summary:
    """Does what is planned."""
    # Here and no earlier: what the steps import costs more time than finding out that there is nothing to do. The
    # workers first: they take as long to start.
    from infograph.pipeline.steps.cut import pool_for

    with pool_for(settings, len(plan.process)) as pool:
        if plan.process:
            pool.start()
        from infograph.pipeline.run import Pipeline
        from infograph.text.language import check_language

        check_language(settings.config.keywords.language)
        return Pipeline(settings, reporter, model, key, last, pool, check=check).run(found, plan)


def _idle(settings: Settings, found: Discovery, plan: Plan, last: State) -> Summary:
    """Of a tree in which nothing changed; stamps of files that were only touched are renewed."""
    listed, last.listed = last.listed, dict(found.listed)
    if plan.touched:
        last.sources |= plan.touched
        save_state(settings.memory, last)
    elif listed != last.listed:
        with contextlib.suppress(OutputError):  # it only spares the next build a look
            save_state(settings.memory, last)
    summary = Summary(topics=last.topics, chunks=last.chunks, cached=last.chunks)
    known = problems(last, found.documents, {}, ())
    known.notices += outlived(last.outputs, found.documents)
    summary.report(settings, found, known)
    return summary

"""The first tool: documents ─▶ `_chunks/*.md`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from infograph.formats.names import all_topics
from infograph.pipeline.chunk_names import chunk_files
from infograph.pipeline.tools.tool import ToolRun, documents_of, is_chunk, tool
from infograph.progress import amount

if TYPE_CHECKING:
    from infograph.pipeline.worker.tasks import Result


@tool(is_chunk)
def chunk(run: ToolRun) -> None:
    """Cuts every document into chunk files."""
    from infograph.pipeline.steps.cut import cut

    documents = [path for path in documents_of(run) if run.selection.has(path)]
    results: dict[str, Result] = {}
    with run.reporter.phase("chunk", amount(len(documents), "document")) as advance:
        for result in cut(run.settings, documents, run.stage.build, run.reporter.say):
            results[result.path] = result
            advance(len(results) / len(documents))
    for path in documents:
        result = results[path]
        run.staged += result.staged
        run.summary.bytes += result.written
        run.summary.notices += result.notices
        if result.error is not None:
            run.summary.errors.append(result.error)
        else:
            run.summary.documents += 1
            run.summary.chunks += result.chunks
    made = {path: result.chunks for path, result in results.items() if result.error is None}
    run.expected |= chunk_files(made, {path: results[path].version for path in made}, packed=run.settings.packed)
    run.summary.topics = len(all_topics(list(made)))

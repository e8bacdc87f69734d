"""The second tool: chunk files ─▶ `_keywords/words.md`."""

from __future__ import annotations

from infograph.errors import FormatError
from infograph.files.stamps import stamp_of
from infograph.formats.names import KEYWORDS, is_table, join
from infograph.pipeline.tables import is_beside_sources, pinned_rows
from infograph.pipeline.tools.rows import read_chunks, terms_of
from infograph.pipeline.tools.tool import ToolRun, count, tool


@tool(is_table)
def keywords(run: ToolRun) -> None:
    """Writes every topic's authority table."""
    from infograph.formats.keyword_table import render_words
    from infograph.pipeline.worker.topic_files import tabulate

    graph, terms = terms_of(read_chunks(run), run.settings.config.site.name)
    for topic in filter(run.makes, terms):
        target = join(topic, KEYWORDS)
        run.expected.add(target)
        run.tables_read[target] = stamp_of(run.settings.out / target)
        try:
            pinned = pinned_rows(run.settings, topic)
        except FormatError as error:  # the file stays as it is: it may hold rows set by hand
            run.summary.errors.append(error)
            if not is_beside_sources(run.settings, topic):
                continue
            pinned = []
        rows = tabulate(terms[topic], graph.frequency, graph.documented(), pinned, run.settings.config)
        run.put(target, render_words(graph.topics[topic].title, rows))
    count(run, graph)

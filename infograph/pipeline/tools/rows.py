"""What the tools after the first read of the one before: chunk files as a build remembers documents, and tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from infograph.errors import OutputError
from infograph.files.disk import read_file
from infograph.formats.names import CHUNKS, KEYWORDS, join, topic_of
from infograph.model import KeywordRow
from infograph.pipeline.chunked import read_chunked
from infograph.pipeline.memory.records import DocumentRecord, unpack_terms
from infograph.pipeline.memory.topics import TopicGraph
from infograph.pipeline.tools.tool import ToolRun, documents_of
from infograph.progress import amount

if TYPE_CHECKING:
    from infograph.topic.keyword_scoring import TopicTerms


def terms_of(
    rows: Mapping[str, list[tuple[DocumentRecord, list[str]]]], site_name: str
) -> tuple[TopicGraph, dict[str, TopicTerms]]:
    """Returns the terms of every topic, with a graph that knows in how many topics each candidate occurs."""
    from infograph.pipeline.topic_graph import update_graph
    from infograph.topic.keyword_scoring import topic_terms

    members = {topic: [record for record, _ in pairs] for topic, pairs in sorted(rows.items())}
    terms = {
        topic: topic_terms(terms for record in documents for terms in unpack_terms(record.terms))
        for topic, documents in members.items()
    }
    graph = TopicGraph()
    update_graph(graph, members, ((name, "\n".join(sorted(found))) for name, found in terms.items()), (), site_name)
    return graph, terms


def table_of(run: ToolRun, topic: str) -> tuple[KeywordRow, ...]:
    """Returns the rows of a topic's table. Raises OutputError where there is none, FormatError for a broken one."""
    from infograph.formats.keyword_table import parse_words

    target = join(topic, KEYWORDS)
    data = read_file(run.settings.out / target)
    if data is None:
        raise no_table(target)
    return parse_words(target, data)


def no_table(target: str) -> OutputError:
    """Returns the error of a table that is not there."""
    return OutputError(target, "is not there", "Run `infograph keywords` first.")


def read_chunks(run: ToolRun) -> dict[str, list[tuple[DocumentRecord, list[str]]]]:
    """Returns every topic's documents as their chunk files describe them, each with the texts to embed."""
    from infograph.pipeline.worker.documents import record_of

    config = run.settings.config
    found, errors = read_chunked(run.settings, documents_of(run))
    ours = [error for error in errors if run.makes(topic_of(error.place).removesuffix(CHUNKS).removesuffix("/"))]
    run.summary.errors += ours
    if len(ours) < len(errors):
        others = amount(len(errors) - len(ours), "document")
        run.reporter.say(
            f"{others} outside {run.selection.path} have no chunk files that fit, so their terms do not count"
        )
    topics: dict[str, list[tuple[DocumentRecord, list[str]]]] = {}
    for item in found:
        rule = config.index.technical_baseline
        record = record_of(item.document, item.blocks, item.chunks, config.keywords.language, rule)
        record.version = item.version
        topics.setdefault(item.document.topic, []).append((record, [c.embed_text for c in item.chunks]))
    return topics

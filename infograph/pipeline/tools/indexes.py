"""The last tool: specifications, chunk files ─▶ `index.json`, `_schema/`, `llms.txt`, `_search/`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from infograph import embedding
from infograph.config.selection import EVERYTHING
from infograph.config.settings import Settings
from infograph.errors import ConfigError, FormatError, Notice, OutputError
from infograph.files.disk import read_file
from infograph.formats.names import KEYWORDS, SPEC, all_topics, is_table, join, output_topic, spec_name, topic_of
from infograph.model import TopicSpec
from infograph.pipeline.chunked import missing_chunk, no_chunk_file, stands
from infograph.pipeline.memory.topics import TopicGraph, TopicRecord
from infograph.pipeline.ours import find_outputs, outputs_of
from infograph.pipeline.plan import find_documents
from infograph.pipeline.tools.bundle import write_bundle
from infograph.pipeline.tools.rows import no_table
from infograph.pipeline.tools.tool import ToolRun, count, is_chunk, tool

MOST_NAMED = 3
"""Documents of a stale specification that a notice names at most."""


@tool(lambda path: not (is_chunk(path) or is_table(path) or path.endswith(SPEC)))
def index(run: ToolRun) -> None:
    """Writes the indexes, the schema and llms.txt from the topic specifications."""
    from infograph.index import index_version, spec_version, topic_index
    from infograph.pipeline.steps.cut import readable_texts
    from infograph.pipeline.steps.root_files import root_files
    from infograph.pipeline.summary import left_alone
    from infograph.pipeline.topic_graph import describe, summaries, versioned
    from infograph.pipeline.worker.topic_files import index_options

    if not run.settings.in_place:  # there an index names those below by their versions, up to the root
        run.selection = EVERYTHING
    specs = _read_specifications(run)
    graph = TopicGraph()
    for name in all_topics([join(name, SPEC) for name in specs]):
        spec = specs.get(name) or TopicSpec(name, *describe(name, (), run.settings.config.site.name), "", "")
        specs[name] = spec
        documents = {join(name, source.name): source.sha256 for source in spec.sources}
        chunks = sum(len(source.chunks) for source in spec.sources)
        titles = [source.title for source in spec.sources]
        graph.topics[name] = TopicRecord(spec.title, spec.description, documents, titles, chunks, None)
    if run.settings.config.search.enabled:
        _refuse_other_models(run.settings, specs.values())
    standing = [path for name in sorted(specs) if run.makes(name) for path in _standing(run, specs[name])]
    searched = run.settings.config.search.enabled and run.selection == EVERYTHING
    search_version = write_bundle(run, standing) if searched else ""
    listing = summaries(graph)
    options = replace(index_options(run.settings, search_version), graph=False)
    if run.settings.config.graph.entities != "off":
        run.reporter.say("the graph of entities is made by `infograph build` alone: these indexes lead to none")
    # The root last.
    for name in sorted(filter(run.makes, graph.topics), key=lambda name: (-name.count("/") - bool(name), name)):
        parent = listing.entries[topic_of(name)].title if name else None
        data = (read_file(run.settings.out / join(name, SPEC)) or b"") if specs[name].sources else b""
        version = spec_version(data, options)
        if version:
            run.put(join(name, spec_name(version)), data)
        pages = topic_index(specs[name], versioned(graph, listing.children[name]), parent, options, version)
        graph.topics[name].version = index_version(pages, options)
        for page in pages:
            run.put(join(name, page.name), page.data)
    if run.selection != EVERYTHING:
        run.reporter.say(
            "llms.txt and the search bundle are of the whole tree: `infograph index` of all of it makes them"
        )
        count(run, graph)
        return
    files = root_files(run.settings, graph, listing, partial(readable_texts, run.settings))
    for target, data in files.items():
        run.put(target, data)
    run.summary.notices += left_alone(files)
    count(run, graph)


def _read_specifications(run: ToolRun) -> dict[str, TopicSpec]:
    """Returns the specification of every topic that has one. Raises the first error where none can be read."""
    from infograph.formats import topic_spec

    out = run.settings.out
    specs: dict[str, TopicSpec] = {}
    run.know(find_documents(run.settings).documents)
    # A folder that was built as a tree of its own is part of this one too, as it was for the tools before.
    topics = all_topics(sorted(run.documents))
    there = find_outputs(out) | outputs_of(out, topics)
    # Chunk files of a topic that is gone stay for readers of the last publications.
    chunked = {topic_of(topic_of(path)) for path in there if is_chunk(path)}.intersection(topics)
    for path in sorted({join(topic, SPEC) for topic in chunked} - there):
        run.summary.errors.append(
            OutputError(path, "is not there, but its chunk files are", "Run `infograph topic` first.")
        )
    for path in sorted(there):
        if path.endswith(SPEC) and output_topic(path) == topic_of(path):
            try:
                spec = topic_spec.parse(path, read_file(out / path) or b"")
                if spec.id != topic_of(path):
                    reason = f"is that of `{spec.id or '.'}`, made when its folder was a tree by itself"
                    raise FormatError(path, reason, "Run `infograph chunk`, `keywords` and `topic` first.")
                specs[topic_of(path)] = spec
            except FormatError as error:
                run.summary.errors.append(error)
    if not specs:
        missing = OutputError(str(out), "holds no topic-spec.md", "Run `infograph topic` first.")
        raise run.summary.errors[0] if run.summary.errors else missing
    return specs


def _refuse_other_models(settings: Settings, specs: Iterable[TopicSpec]) -> None:
    """Raises ConfigError where the search bundle would be made with another model than the specifications."""
    model = "@".join(embedding.identify(settings.config.model, settings.config.embedding))
    if other := next((spec for spec in specs if spec.sources and spec.model != model), None):
        reason = f"is `{model}`, and {join(other.id, SPEC)} was made with `{other.model}`"
        raise ConfigError("model", reason, "Name that one here too, or run `infograph topic` again with this one.")


def _standing(run: ToolRun, spec: TopicSpec) -> list[str]:
    """Returns the documents of a topic that are, with their chunk files, as its specification describes them. A notice
    names those that differ; missing files, to which an index would link, are errors."""
    if spec.sources and not (run.settings.out / join(spec.id, KEYWORDS)).is_file():
        run.summary.errors.append(no_table(join(spec.id, KEYWORDS)))
    missing = {source.name: missing_chunk(run.settings, spec.id, source) for source in spec.sources}
    run.summary.errors += (
        no_chunk_file(run.settings, join(spec.id, source.name), source.stem, place)
        for source in spec.sources
        if (place := missing[source.name])
    )
    there = (source for source in spec.sources if missing[source.name] is None)
    found = {source.name: stands(run.settings, spec.id, source) for source in there}
    stale = [name for name, as_described in found.items() if not as_described]
    if stale:
        path = join(spec.id, SPEC)
        named = ", ".join(stale[:MOST_NAMED]) + (", …" if len(stale) > MOST_NAMED else "")
        message = f"describes other versions of {named}: run `infograph chunk`, `keywords` and `topic` first"
        run.summary.notices.append(Notice(path, "stale-specification", message, len(stale)))
    return [join(spec.id, name) for name, as_described in found.items() if as_described]

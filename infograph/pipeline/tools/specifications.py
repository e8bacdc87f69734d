"""The third tool: chunk files, tables, questions ─▶ `topic-spec.md`."""

from __future__ import annotations

from infograph.errors import FormatError, OutputError
from infograph.execution.guarded_embedder import ended, load_guarded
from infograph.formats.names import SPEC, join
from infograph.pipeline.keys import strategy_key
from infograph.pipeline.memory.records import unpack_terms
from infograph.pipeline.memory.topics import TopicGraph
from infograph.pipeline.steps.embed import embed, plan_work
from infograph.pipeline.tools.rows import read_chunks, table_of, terms_of
from infograph.pipeline.tools.tool import ToolRun, count, tool


@tool(lambda path: path.endswith(SPEC))
def topic(run: ToolRun) -> None:
    """Embeds chunk files and writes every topic's specification."""
    from infograph.formats import topic_spec
    from infograph.pipeline.steps.cut import texts_of
    from infograph.pipeline.topic_graph import describe, relate, topic_record
    from infograph.pipeline.worker.topic_files import (
        TopicContent,
        Write,
        keywords_of,
        make_spec,
        tabulate,
        unmatched_notice,
    )
    from infograph.topic.keyword_scoring import ranked

    config = run.settings.config
    rows = read_chunks(run)
    cut = [pair for pairs in rows.values() for pair in pairs]
    with ended(load_guarded(config.model, run.settings.jobs, config.embedding)) as embedder:
        counts = embed(run.settings, run.reporter, plan_work(run.settings, embedder, cut, {}, remember=True))
    run.summary.embedded, run.summary.cached, run.summary.shared = counts.embedded, counts.cached, counts.shared
    graph = TopicGraph()
    known = {}
    for name, pairs in sorted(rows.items()):
        documents = [record for record, _ in pairs]
        try:
            table = table_of(run, name)
        except (FormatError, OutputError) as error:  # the topic does without its pinned rows, as in a build
            if run.makes(name):
                if isinstance(error, OutputError):
                    raise
                run.summary.errors.append(error)
            whole, found = terms_of(rows, config.site.name)
            table = tabulate(found[name], whole.frequency, whole.documented(), (), config)
        graph.topics[name] = topic_record(documents, describe(name, documents, config.site.name))
        graph.topics[name].table = scored = ranked(table)
        terms = [unpack_terms(record.terms) for record in documents]
        keywords, unmatched = keywords_of(documents, terms, table, config, lambda path: texts_of(run.settings, path))
        if unmatched and run.makes(name):
            run.summary.notices.append(unmatched_notice(name, unmatched))
        known[name] = TopicContent(documents, scored, keywords)
    related = relate(graph, config.index.related)
    chunking, model = strategy_key(config), f"{embedder.name}@{embedder.revision}"
    for name, body in known.items():
        if not run.makes(name):
            continue
        record = graph.topics[name]
        task = Write(name, record.title, record.description, related.get(name, ()), [], None, spec=True)
        run.put(join(name, SPEC), topic_spec.render(make_spec(task, body, chunking, model)))
    count(run, graph)

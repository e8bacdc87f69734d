"""The search bundle that the last tool makes: chunk files ─▶ `_search/`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from infograph.config.settings import Settings
from infograph.execution.guarded_embedder import ended, load_guarded
from infograph.formats.names import is_questions, manifest_path, topic_of
from infograph.pipeline.chunked import Chunked, read_chunked
from infograph.pipeline.keys import strategy_key
from infograph.pipeline.steps.embed import Collected, embed, packed_questions, plan_work
from infograph.pipeline.tools.tool import ToolRun
from infograph.progress import Silent, amount

if TYPE_CHECKING:
    from infograph.search.writing.page_index import PageIndex


def write_bundle(run: ToolRun, documents: Sequence[str]) -> str:
    """Writes the search bundle of documents that have chunk files; returns the version of its manifest, empty in
    place."""
    from infograph.embedding.vectors import Texts, Vectors
    from infograph.formats.search_fields import parse_fields
    from infograph.pipeline.steps.search import manifest_version, undated
    from infograph.pipeline.worker.pages import Indexer, searched, with_vectors
    from infograph.pipeline.worker.search_files import SearchFiles, published_files
    from infograph.search.format.layout import MANIFEST

    settings, config = run.settings, run.settings.config
    found, errors = read_chunked(settings, documents)
    run.summary.errors += errors
    loaded = load_guarded(config.model, settings.jobs, config.embedding)
    model, embedder = searched(loaded, settings.jobs, config.search.vectors)
    vectors = Vectors(embedder, settings.cache, strategy_key(config), remember=False)
    files = [Texts(item.document.sha256, [chunk.embed_text for chunk in item.chunks]) for item in found]
    vectors.plan(files)
    specs = parse_fields(config.search.fields)
    language, site = config.keywords.language, config.site
    indexer = Indexer(language, site, config.search.enriched, specs, settings.created, packed=settings.packed)
    asked = _questions(settings, found)
    pages: dict[str, PageIndex] = {}
    with ended(loaded), run.reporter.phase("search", amount(len(found), "document")) as advance:
        for position, matrix in vectors.run(files, advance):
            item = found[position]
            read = (item.document, item.blocks, item.chunks)
            page = indexer.at(indexer.index(*read, item.title, item.version), item.document)
            page = replace(page, questions=asked.get(page.path, b""))
            pages[page.path] = with_vectors(page, model, matrix)
    made = SearchFiles(settings, model).update((), pages, anew=True)
    manifest, version = made.bundle.files[MANIFEST], ""
    for path, data in published_files(settings.out, made).items():
        run.put(path, data)
    if settings.in_place:
        run.expected |= set(undated(settings.out, run.expected, manifest))
    else:
        version = manifest_version(manifest)
        run.put(manifest_path(version), manifest)
    return version


def _questions(settings: Settings, found: Sequence[Chunked]) -> dict[str, bytes]:
    """Returns the packed questions of documents, by path; those of `qa-pairs.md` by the build's own model."""
    from infograph.pipeline.worker.documents import record_of

    config = settings.config
    language, rule = config.keywords.language, config.index.technical_baseline
    asking = {item.document.topic for item in found if is_questions(item.document.path)}
    collected = Collected()
    records = [record_of(item.document, item.blocks, item.chunks, language, rule) for item in found]
    texts = [[chunk.embed_text for chunk in item.chunks] for item in found]
    cut = [pair for pair in zip(records, texts, strict=True) if topic_of(pair[0].path) in asking]
    if cut:
        with ended(load_guarded(config.model, settings.jobs, config.embedding)) as embedder:
            embed(settings, Silent(), plan_work(settings, embedder, cut, {}, remember=False), collected)
    return {record.path: packed_questions(record, collected, language) for record in records}

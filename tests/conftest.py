"""Fixtures of several folders: specifications to build indexes from, and trees published from them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from infograph.index.hal import ChildTopic, IndexOptions, chunk_path, summarise, topic_index
from infograph.index.llms import llms_txt
from infograph.model import Keyword, RelatedTopic, SpecChunk, SpecSource, TopicSpec
from infograph.schema import schema_bytes


def _text(name: str, index: int) -> bytes:
    """The text of an invented chunk."""
    return f"## Part {index}\n\nOf {name}, exactly.\n".encode()


def _source(name: str, chunks: int = 12, technical: int | None = None) -> SpecSource:
    return SpecSource(
        name=name,
        title=f"About {name}",
        sha256="0" * 16,
        baseline_technical=technical,
        chunks=tuple(
            SpecChunk(
                index=index,
                title=f"Part {index}",
                section_path=("About", f"Part {index}"),
                is_code=index % 3 == 1,
                tokens=100 + index,
                sha256=hashlib.sha256(_text(name, index)).hexdigest(),
                similarity_conceptual=1.0 if index == 0 else round(((index * 37) % 101) / 101, 6),
                similarity_technical=None if technical is None else round(((index * 53) % 97) / 97, 6),
                keywords=(Keyword("cache", 6.6), Keyword("build order", 3.2)),
                prompt_hashes=(2**53 + 1, 2**64 - 1) if index == 0 else (),
            )
            for index in range(chunks)
        ),
    )


def _spec(topic: str, *sources: SpecSource, related: Sequence[str] = (), title: str | None = None) -> TopicSpec:
    return TopicSpec(
        id=topic,
        title=title or topic.rpartition("/")[2] or "Everything",
        description=f"What {topic or 'the root'} is about.",
        chunking="semantic-250-750",
        model="all-MiniLM-L6-v2@0",
        sources=sources,
        keywords=(Keyword("cache", 6.6),) if sources else (),
        related=tuple(RelatedTopic(id, id, 0.75, (Keyword("cache", 1.6),)) for id in related),
    )


def _publish(root: Path, specs: Sequence[TopicSpec], options: IndexOptions | None = None) -> Path:
    """Writes what a build of these topics would publish. Directories between topics must be given."""
    options = options or IndexOptions()
    by_id = {item.id: item for item in specs}
    entries: dict[str, ChildTopic] = {}
    for item in sorted(specs, key=lambda item: item.id, reverse=True):
        children = [entries[child] for child in sorted(entries) if _parent(child) == item.id]
        folder = root / item.id
        (folder / "_chunks").mkdir(parents=True, exist_ok=True)
        parent = by_id[_parent(item.id)].title if item.id else None
        for page in topic_index(item, children, parent, options):
            (folder / page.name).write_bytes(page.data)
        for document in item.sources:
            texts = [_text(document.name, chunk.index) for chunk in document.chunks]
            (folder / document.name).write_bytes(b"".join(texts))
            for chunk, text in zip(document.chunks, texts, strict=True):
                (folder / chunk_path(document, chunk.index)).write_bytes(b"---\ntitle: x\n---\n" + text)
        if item.sources:
            (folder / "topic-spec.md").write_text("# Specification\n")
            (folder / "_keywords").mkdir(exist_ok=True)
            (folder / "_keywords" / "words.md").write_text("# Keywords\n")
        entries[item.id] = summarise(item, children)
    (root / "_schema").mkdir(exist_ok=True)
    (root / "_schema" / "index.schema.json").write_bytes(schema_bytes())
    (root / "llms.txt").write_bytes(llms_txt(by_id[""].title, by_id[""].description, [], options.base_url))
    return root


def _parent(topic: str) -> str | None:
    return topic.rpartition("/")[0] if topic else None


MakeSource = Callable[..., SpecSource]
MakeSpec = Callable[..., TopicSpec]
Publish = Callable[..., Path]


@pytest.fixture
def make_source() -> MakeSource:
    """make_source(name, chunks=12, technical=None): a document with made-up similarities."""
    return _source


@pytest.fixture
def make_spec() -> MakeSpec:
    """make_spec(topic, *sources, related=(), title=None): a topic of these documents."""
    return _spec


@pytest.fixture
def publish() -> Publish:
    """publish(root, specs, options=None): writes what a build of these topics publishes; returns the root."""
    return _publish


@pytest.fixture
def small_tree(tmp_path: Path) -> Path:
    """Two levels, a document with both baselines, one of a single chunk, Hugo's `_index`, edges between topics."""
    return _publish(
        tmp_path / "site",
        [
            _spec("", _source("welcome.md", 1)),
            _spec("guide", _source("intro.md", 12, technical=1), _source("_index.md", 9), related=["guide/deep"]),
            _spec("guide/deep", _source("notes.markdown", 3), related=["guide"]),
        ],
    )

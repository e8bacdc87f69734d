"""Rows: each chunk once, with what its file, its index and the search bundle say of it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from infograph.build import build
from infograph.client import Client
from infograph.config import load
from infograph.export.columns import COLUMNS
from infograph.export.rows import model_of, publication_of, topics_of

Exported = Callable[..., list[dict[str, Any]]]


def test_each_chunk_of_each_document_is_a_row(manual: Path, exported: Exported) -> None:
    rows = exported(manual, vectors="none")
    with Client(manual) as client:
        items = [item for topic in topics_of(client) for own in topic.documents.values() for item in own.items]
        texts = [client.read(item) for item in items]
    assert [row["href"] for row in rows] == [item.href for item in items]
    assert [row["text"] for row in rows] == [chunk.text for chunk in texts]
    assert [row["readable"] or row["text"] for row in rows] == [chunk.readable for chunk in texts]
    assert len({row["id"] for row in rows}) == len(rows) > 15
    for row, item in zip(rows, items, strict=True):
        assert list(row) == [column.name for column in COLUMNS]
        assert hashlib.sha256(row["text"].encode()).hexdigest() == row["sha256"] == item.sha256
        assert (row["readable"] or row["text"]) in row["embed_text"]
        assert (row["index"], row["title"], tuple(row["section_path"])) == (item.index, item.title, item.section_path)
        assert list(zip(row["keywords"], row["keyword_scores"], strict=True)) == list(item.keywords)
        assert [int(digits, 16) for digits in row["prompt_hashes"]] == list(item.prompt_hashes)


def test_the_texts_of_a_document_are_its_source(manual: Path, exported: Exported) -> None:
    found: dict[str, str] = {}
    for row in exported(manual, vectors="none"):
        found[row["document"]] = found.get(row["document"], "") + row["text"]
    for name, text in found.items():
        assert (manual.parent / "docs" / name).read_text("utf-8") == text
    assert "guide/v1/cache.md" in found


def test_neighbours_are_named_by_their_ids(manual: Path, exported: Exported) -> None:
    rows = {row["id"]: row for row in exported(manual, vectors="none")}
    for row in rows.values():
        if row["next"] is not None:
            after = rows[row["next"]]
            assert after["previous"] == row["id"] and after["index"] == row["index"] + 1
            assert after["document"] == row["document"] and row["count"] == after["count"]
        else:
            assert row["index"] == row["count"] - 1


def test_the_search_bundle_tells_where_a_chunk_is_shown(manual: Path, exported: Exported) -> None:
    rows = {row["id"]: row for row in exported(manual, vectors="none")}
    with Client(manual) as client:
        for hit in client.search("method kettle plug cache", limit=50, collapse=False).hits:
            row = next(row for row in rows.values() if row["href"] == hit.href)
            shown = (row["page_title"], row["page_url"] or "", row["anchor"] or "", row["simhash"])
            assert shown == (hit.page_title, hit.page_url, hit.anchor, hit.simhash)
    assert "How do I plug the kettle in?" in rows["guide/_chunks/qa-pairs-0.md"]["questions"]


def test_a_tree_without_a_search_is_exported_all_the_same(tmp_path: Path, exported: Exported) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.md").write_text("# A\n\nText of it.\n")
    (tmp_path / "infograph.toml").write_text('model = "static"\n[search]\nenabled = false\n')
    build(load(str(docs), environment={}))
    (row,) = exported(docs)
    assert row["text"] == "# A\n\nText of it.\n" and len(row["vector"]) == 256
    assert row["anchor"] is row["simhash"] is None and row["fields"] == {}


def test_metadata_and_fields_are_those_of_the_chunk(tmp_path: Path, exported: Exported) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.md").write_text("---\ntags: [x, y]\nproduct: kettle\ndate: 2024-02-29\n---\n# A\n\nText.\n")
    (docs / "b.md").write_text("# B\n\nOther text.\n")
    (tmp_path / "infograph.toml").write_text(
        'model = "static"\n[chunks]\nmetadata = ["id"]\n'
        '[search]\nfields = ["tags", "product", "date:date", "tokens", "is_code"]\n'
    )
    build(load(str(docs), environment={}))
    first, second = exported(docs, vectors="none")
    assert sorted(first["fields"]) == ["date", "is_code", "product", "tags", "tokens"]
    assert first["fields"]["product"] == ["kettle"] and first["fields"]["tokens"] == first["tokens"]
    assert first["fields"]["tags"] == ["x", "y"] and first["fields"]["date"] == "2024-02-29"
    assert second["fields"] == {"tokens": second["tokens"], "is_code": False}
    assert "chunk_id" in first["metadata"] and first["metadata"] != second["metadata"]


def test_the_model_is_that_of_the_first_specification(manual: Path, tmp_path: Path) -> None:
    with Client(manual) as client:
        assert model_of(client).startswith("static-256@")
        assert publication_of(client) == publication_of(client)


@pytest.mark.parametrize("base", ["", "https://docs.example/a%20b/"])
def test_odd_names_lead_to_the_same_chunks(base: str, tmp_path: Path, exported: Exported, quick: Any) -> None:
    names = ["a b/ü#1.md", "a b/x:y.md", "100%.md", "a b/deep/er/p?q.md"]
    for name in names:
        place = tmp_path / "docs" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"# Page\n\nText of {name}.\n")
    flags = {"out": str(tmp_path / "site"), "model": "static", "index.base_url": base}
    build(load(str(tmp_path / "docs"), flags=flags, environment={}))
    rows = exported(tmp_path / "site")
    assert sorted(row["document"] for row in rows) == sorted(names)
    assert all(row["simhash"] and row["vector"] and not row["href"].startswith("http") for row in rows)
    assert {row["id"] for row in rows} == {
        f"{folder}_chunks/{stem}-0.md"
        for folder, stem in (re.match(r"(.*/)?(.*)\.md", n).groups("") for n in names)  # type: ignore[union-attr]
    }


def test_chunks_that_share_files_are_the_same_rows(tmp_path: Path, exported: Exported, quick: Any) -> None:
    (tmp_path / "docs/sub").mkdir(parents=True)
    for name in ("a.md", "sub/b c.md"):
        parts = "".join(f"# Part {n}\n\n{'The kettle boils. ' * 120}\n\n" for n in range(40))
        (tmp_path / "docs" / name).write_text(parts)
    rows = {}
    for files in ("each", "pack"):
        flags = {"out": str(tmp_path / files), "chunks.files": files}
        build(load(str(tmp_path / "docs"), flags=flags, environment={}))
        rows[files] = exported(tmp_path / files, vectors="none")
    assert len(rows["each"]) >= 80 and all(".pack.txt#" in row.pop("href") for row in rows["pack"])
    for row in rows["each"]:
        del row["href"]
    assert rows["pack"] == rows["each"]

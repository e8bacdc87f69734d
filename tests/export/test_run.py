"""A whole export: the same bytes for the same tree, however it is read, and none where something is wrong."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from infograph.client import Client, ClientError
from infograph.errors import OutputError
from infograph.export import rows as rowsmodule
from infograph.export.run import ExportReport, ExportRequest, export_tree

SUFFIXES = [".jsonl", ".parquet"]


def export(tree: Path | str, out: Path, **options: Any) -> ExportReport:
    if out.suffix == ".parquet":
        pytest.importorskip("pyarrow", reason="needs pip install 'infograph[parquet]'")
    with Client(tree) as client:
        return export_tree(client, str(out), ExportRequest(tree=str(tree), **options))


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("vectors", ["model", "search", "none"])
def test_a_folder_and_a_web_server_give_the_same_bytes(
    suffix: str, vectors: str, manual: Path, manual_url: str, tmp_path: Path
) -> None:
    places = {}
    for name, tree in {"folder": manual, "web": manual_url, "again": manual}.items():
        places[name] = tmp_path / f"{name}{suffix}"
        report = export(tree, places[name], vectors=vectors)
        assert report.vectors == (report.chunks if vectors != "none" else 0)
        assert report.notes == () and report.chunks > 15
    assert len({place.read_bytes() for place in places.values()}) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(place.name for place in places.values())


def test_a_tree_that_is_not_whole_is_not_exported(manual: Path, tmp_path: Path) -> None:
    site = shutil.copytree(manual, tmp_path / "site")
    out = tmp_path / "out.jsonl"
    export(site, out)
    before = out.read_bytes()
    lost = max((site / "guide/_chunks").glob("install.*-0.md"))
    lost.write_bytes(lost.read_bytes() + b"more")
    with pytest.raises(ClientError, match=r"install.*not the whole of it"):
        export(site, out)
    lost.unlink()
    with pytest.raises(ClientError, match="there is no such file"):
        export(site, out)
    assert out.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.jsonl", "site"]


def test_a_tree_that_is_published_anew_meanwhile_is_not_exported(
    manual: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = shutil.copytree(manual, tmp_path / "site")
    rows_of = rowsmodule.rows_of

    def rows(*given: Any) -> Iterator[Any]:
        yield from rows_of(*given)
        index = site / "index.json"
        found = index.read_bytes()
        index.write_bytes(found.replace(b'"build_id"', b'"other"', 1))

    monkeypatch.setattr("infograph.export.run.rows_of", rows)
    with pytest.raises(OutputError, match="was published anew while it was read"):
        export(site, tmp_path / "out.jsonl")
    assert not (tmp_path / "out.jsonl").exists()


def test_vectors_of_a_cached_model_come_from_the_cache(
    built_tree: Callable[..., Any], words_model: Any, exported: Callable[..., Any], tmp_path: Path
) -> None:
    tree = built_tree()
    words_model.seen.clear()
    rows = exported(tree.root)
    assert words_model.seen == []
    expected = words_model.embed([row["embed_text"] for row in rows])
    assert [row["vector"] for row in rows] == [[pytest.approx(x, abs=1e-7) for x in vector] for vector in expected]
    assert {row["vector_model"] for row in rows} == {"words@1"}


def _forget_vectors(folder: Path) -> None:
    """Removes the cache, and one in a folder above, which is looked at too and where another test may have left one."""
    shutil.rmtree(folder / ".embedding-cache")
    for above in folder.parents:
        if above.name.startswith(("popen-", "pytest-")):
            shutil.rmtree(above / ".embedding-cache", ignore_errors=True)


def test_a_tree_without_vectors_says_so(built_tree: Callable[..., Any], tmp_path: Path) -> None:
    tree = built_tree(elsewhere=True)
    _forget_vectors(tree.folder)
    report = export(tree.out, tmp_path / "out.jsonl")
    assert report.vectors == 0 and report.chunks > 0
    (note,) = report.notes
    assert note.startswith("exported without vectors: no vectors of words@1: there is no embedding cache here")
    assert b'"vector' not in (tmp_path / "out.jsonl").read_bytes()


def test_a_cache_of_another_build_lacks_some(built_tree: Callable[..., Any], tmp_path: Path) -> None:
    tree = built_tree(elsewhere=True)
    entries = sorted((tree.folder / ".embedding-cache").glob("*/words/*"))
    shutil.rmtree(entries[0])
    (entries[1] / "chunk-0.bin").write_bytes(b"damaged")
    report = export(tree.out, tmp_path / "out.jsonl")
    assert 0 < report.vectors < report.chunks
    assert report.notes[0].startswith(f"{report.chunks - report.vectors} of {report.chunks} chunks have no vector")
    (tmp_path / "no").mkdir()
    other = export(tree.out, tmp_path / "out.jsonl", embedding_cache=str(tmp_path / "no"))
    assert other.vectors == 0 and str(tmp_path / "no") in other.notes[0]


@pytest.mark.slow
def test_the_packaged_model_embeds_what_no_cache_has(
    tmp_path: Path, exported: Callable[..., Any], write_tree: Callable[..., Path]
) -> None:
    from infograph.build import build
    from infograph.config import load

    docs = write_tree(tmp_path / "docs", {"a.md": "# A\n\nText of it.\n", "b.md": "# B\n\nOther text.\n"})
    build(load(str(docs), flags={"cache": str(tmp_path / "cache")}, environment={}))
    cached = exported(docs, embedding_cache=str(tmp_path / "cache"))
    assert {len(row["vector"]) for row in cached} == {384}
    assert exported(docs, embed=True) == cached
    next((tmp_path / "cache").glob("*/*/*/metadata.json")).unlink()
    assert exported(docs, embed=True, embedding_cache=str(tmp_path / "cache")) == cached


def test_a_tree_whose_specifications_are_not_published(manual: Path, tmp_path: Path) -> None:
    site = shutil.copytree(manual, tmp_path / "site")
    for spec in site.rglob("topic-spec*.md"):
        spec.unlink()
    report = export(site, tmp_path / "out.jsonl")
    assert report.chunks > 15 and report.vectors == 0
    (note,) = report.notes
    named = re.sub(r"\.[0-9a-f]{10}\.", ".", note)
    assert named == "exported without vectors: topic-spec.md, which names the model, is not published"
    assert export(site, tmp_path / "out.jsonl", vectors="search").vectors == report.chunks


def test_embedding_by_a_model_that_is_not_packaged_takes_what_the_cache_has(
    built_tree: Callable[..., Any], tmp_path: Path
) -> None:
    tree = built_tree(elsewhere=True)
    report = export(tree.out, tmp_path / "out.jsonl", embed=True)
    assert report.vectors == report.chunks > 0
    _forget_vectors(tree.folder)
    (note,) = export(tree.out, tmp_path / "out.jsonl", embed=True).notes
    assert "to embed by it now it would have to be packaged" in note


def test_an_empty_tree(tmp_path: Path, quick: Any) -> None:
    from infograph.build import build
    from infograph.config import load

    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("")
    build(load(str(tmp_path / "docs"), environment={}))
    report = export(tmp_path / "docs", tmp_path / "out.parquet")
    assert (report.chunks, report.notes) == (0, ("exported without vectors: the tree has no chunks",))
    assert export(tmp_path / "docs", tmp_path / "out.jsonl").chunks == 0
    assert (tmp_path / "out.jsonl").read_bytes() == b""

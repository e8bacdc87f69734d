"""The names of the chunk files that documents have."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from infograph.pipeline.chunk_names import chunk_counts, chunk_files, chunk_versions, is_chunk_of, replaced_files
from infograph.pipeline.worker.tasks import Result


def test_the_chunk_files_of_documents() -> None:
    found = chunk_files({"a/b.md": 2, "c.md": 1, "d.md": 0}, {}, packed=False)
    assert found == {"a/_chunks/b-0.md", "a/_chunks/b-1.md", "_chunks/c-0.md"}
    versions = {"a/b.md": "0123456789", "page.html": "abcdefabcd"}
    found = chunk_files({"a/b.md": 1, "page.html": 1, "c.md": 1}, versions, packed=False)
    assert found == {
        "a/_chunks/b.0123456789-0.md",
        "_chunks/page.html.abcdefabcd-0.md",
        "_chunks/page.html.abcdefabcd.converted.md",
        "_chunks/c-0.md",
    }


def test_the_packs_of_documents() -> None:
    counts, versions = {"a/b.md": 65, "page.html": 32, "d.md": 0}, {"page.html": "abcdefabcd"}
    found = chunk_files(counts, versions, packed=True)
    assert found == {
        *("a/_chunks/b-0.pack.txt", "a/_chunks/b-32.pack.txt", "a/_chunks/b-64.pack.txt"),
        "_chunks/page.html.abcdefabcd-0.pack.txt",
        "_chunks/page.html.abcdefabcd.converted.md",
    }
    assert all(is_chunk_of("a/b.md", path) == path.startswith("a/") for path in found)
    assert all(is_chunk_of("page.html", path) == (not path.startswith("a/")) for path in found)


def test_the_chunks_of_a_document_are_counted_anew_where_it_was_read() -> None:
    counts = {"a.md": 1, "b.md": 2, "c.md": 3, "gone.md": 4}
    last: Any = SimpleNamespace(chunk_counts=counts, versions=dict.fromkeys(counts, "0" * 10))
    results: Any = {
        "b.md": Result("b.md", sha256="b" * 64, chunks=5, version="1" * 10),
        "c.md": Result("c.md", chunks=3),
    }
    documents = ["a.md", "b.md", "c.md", "failed.md"]
    assert chunk_counts(last, documents, results) == {"a.md": 1, "b.md": 5}, "one that failed has none"
    assert chunk_counts(None, documents[1:], results) == {"b.md": 5}
    assert chunk_versions(last, documents, results) == {"a.md": "0" * 10, "b.md": "1" * 10}
    assert chunk_versions(None, documents[1:], results) == {"b.md": "1" * 10}


_NAMES = ("a.md", "b/c.md", "page.html")
COUNTS = st.dictionaries(st.sampled_from(_NAMES), st.integers(0, 70))
VERSIONS = st.dictionaries(st.sampled_from(_NAMES), st.sampled_from(["0" * 10, "1" * 10]))


@given(COUNTS, VERSIONS, COUNTS, VERSIONS, st.booleans())
def test_files_of_documents_that_changed_are_all_that_may_be_left_over(
    counts: dict[str, int], versions: dict[str, str], now: dict[str, int], versions_now: dict[str, str], packed: bool
) -> None:
    last: Any = SimpleNamespace(chunk_counts=counts, versions=versions)
    before, after = chunk_files(counts, versions, packed=packed), chunk_files(now, versions_now, packed=packed)
    found = replaced_files(last, now, versions_now, packed=packed)
    assert before - after <= found <= before
    assert replaced_files(last, counts, versions, packed=packed) == set()
    assert replaced_files(None, now, versions_now, packed=packed) == set()

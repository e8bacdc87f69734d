"""What a path says about a file."""

from __future__ import annotations

import pytest

from infograph.formats import names

DIGEST = "0123456789abcdef"


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("_keywords/words.md", "table"),
        ("guide/_keywords/words.md", "table"),
        ("guide/_keywords/other.md", ""),
        ("my_keywords/words.md", ""),
        ("index.json", "index"),
        ("guide/index-12.json", "index"),
        ("guide/index-.json", ""),
        ("guide/my-index.json", ""),
        ("index.json.bak", ""),
        (f"_search/p-{DIGEST}.z", "shard"),
        (f"guide/_search/p-{DIGEST}.z", ""),
        (f"_search/p-{DIGEST}0.z", ""),
        (f"_search/pp-{DIGEST}.z", ""),
        ("_search/manifest.json", ""),
        ("infograph.js", "published"),
        ("infograph.mjs", "published"),
        ("infograph/package.json", "published"),
        ("package.json", ""),
        ("infograph/explorer/package.json", ""),
        ("explorer.html", "published"),
        ("infograph/site.js", "published"),
        ("infograph/explorer/style.css", "published"),
        ("infograph/explorer/icon.svg", "published"),
        ("guide/infograph.js", ""),
        ("infograph/deep/site.js", ""),
        ("infograph/page.md", ""),
        ("infographxjs", ""),
    ],
)
def test_the_kind_of_a_file(path: str, kind: str) -> None:
    found = {
        "table": names.is_table(path),
        "index": names.is_index(path),
        "shard": names.is_shard(path),
        "published": names.is_published(path),
    }
    assert [name for name, is_one in found.items() if is_one] == ([kind] if kind else [])


@pytest.mark.parametrize("path", ["_enrichment/index.json", "guide/_enrichment/index-2.json", "_enrichment/llms.txt"])
def test_what_was_said_of_documents_is_no_output(path: str) -> None:
    assert not names.is_output(path)
    assert names.is_output(path.replace("_enrichment/", ""))


def test_the_digest_in_a_shard_s_name() -> None:
    assert names.shard_digest(f"_search/p-{DIGEST}.z") == DIGEST
    assert names.shard_digest("_search/manifest.json") is None


@pytest.mark.parametrize(
    ("folder", "name", "own"),
    [
        ("_chunks", "page-0.md", True),
        ("_chunks", "page.py-12.md", True),
        ("_chunks", "page.md", False),
        ("_chunks", "-0.md", False),
        ("_chunks", "page-0.md.orig", False),
        ("_keywords", "words.md", True),
        ("_keywords", "word.md", False),
        ("_schema", "index.schema.json", True),
        ("_schema", "words.md", False),
        ("_search", "manifest.json", True),
        ("_search", f"d-{DIGEST}.z", True),
        ("_search", "notes.md", False),
        ("", "page-0.md", False),
        ("other", "words.md", False),
    ],
)
def test_names_of_files_in_own_folders(folder: str, name: str, own: bool) -> None:
    assert names.is_own_name(folder, name) is own


def test_topics() -> None:
    assert [names.join("", "a.md"), names.join("guide", "a.md")] == ["a.md", "guide/a.md"]
    assert [names.topic_of("a.md"), names.topic_of("guide/deep/a.md")] == ["", "guide/deep"]
    assert names.all_topics([]) == [""]
    assert names.all_topics(["b/c/d/x.md", "b/y.md", "a/x.md"]) == ["", "a", "b", "b/c", "b/c/d"]


@pytest.mark.parametrize(
    ("path", "topic"),
    [
        ("_keywords/words.md", ""),
        ("guide/_keywords/words.md", "guide"),
        ("guide/index.json", "guide"),
        ("guide/topic-spec.md", "guide"),
        ("_schema/index.schema.json", ""),
        ("llms.txt", ""),
        (".nojekyll", ""),
        ("infograph/explorer/style.css", ""),
    ],
)
def test_the_topic_of_an_output(path: str, topic: str) -> None:
    assert names.output_topic(path) == topic


@pytest.mark.parametrize(
    ("path", "questions"), [("qa-pairs.md", True), ("a/qa-pairs.mdx", True), ("qa-pairs.py", False), ("qa.md", False)]
)
def test_the_document_of_questions(path: str, questions: bool) -> None:
    assert names.is_questions(path) is questions


def test_no_two_documents_share_the_markdown_of_their_pages() -> None:
    documents = ["x.md", "x.rst", "x.rst.page.md", "x.rst.page.md.page.md", "x.page.md", "x.mdx", ".page.md"]
    assert len({names.page_path(document) for document in documents}) == len(documents)
    assert [names.page_path(path) for path in ("a/x.md", "a/x.rst")] == ["_pages/a/x.md", "_pages/a/x.rst.page.md"]

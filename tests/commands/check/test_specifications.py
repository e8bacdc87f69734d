"""A specification and the index that is made from it say the same."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from infograph.commands.check.crawl import check
from infograph.commands.check.specifications import contradictions
from infograph.formats.index_json import decode_index
from infograph.formats.topic_spec import parse, render
from infograph.formats.unit_groups import groups_of_source
from infograph.model import SpecSource, TopicSpec

SPEC = "guide/topic-spec.md"


def found(site: Path) -> list[tuple[str, str, str]]:
    return [(problem.kind, problem.url, problem.message) for problem in check(str(site)).problems]


def changed(site: Path, old: str, new: str, count: int = 1) -> list[tuple[str, str, str]]:
    path = site / SPEC
    before = path.read_text()
    assert old in before
    path.write_text(before.replace(old, new, count))
    said = found(site)
    path.write_text(before)
    return said


def own(site: Path) -> TopicSpec:
    return parse(SPEC, (site / SPEC).read_bytes())


def test_what_a_person_changed_and_no_build_has_seen_is_told(small_tree: Path) -> None:
    assert found(small_tree) == []
    first = own(small_tree).sources[0]
    row = f"| 3 | {first.chunks[3].title} |"
    inconsistent = ("inconsistent", SPEC)
    (said,) = changed(small_tree, row, "| 3 | Another title |")
    assert said == (*inconsistent, "intro.md: says something else of chunk 3 than the index: its title")
    (said,) = changed(small_tree, first.chunks[3].sha256, "0" * 64)
    assert said == (*inconsistent, "intro.md: says something else of chunk 3 than the index: its sha256")


def test_where_names_have_versions_the_newest_copy_may_be_of_a_publication_under_way(
    manual: Path, tmp_path: Path
) -> None:
    """It is sent before the indexes, which lead to that of their own publication: one that differs is a problem."""
    site = tmp_path / "site"
    shutil.copytree(manual, site)
    path = sorted(site.rglob("topic-spec.md"))[0]
    (versioned,) = path.parent.glob("topic-spec.*.md")
    spec = parse("x", path.read_bytes())
    first = replace(spec.sources[0].chunks[0], title="Another title")
    source = replace(spec.sources[0], chunks=(first, *spec.sources[0].chunks[1:]))
    path.write_bytes(render(replace(spec, sources=(source, *spec.sources[1:]))))
    report = check(str(site))
    assert report.problems == ()
    assert [(own.kind, own.url) for own in report.warnings] == [("publication", path.relative_to(site).as_posix())]
    versioned.write_bytes(path.read_bytes())
    url = versioned.relative_to(site).as_posix()
    assert {(kind, where) for kind, where, _ in found(site)} == {("hash", url), ("inconsistent", url)}


def test_what_nobody_can_read_back_is_told(small_tree: Path) -> None:
    ((kind, url, message),) = changed(small_tree, "## Sources", "## Sauces")
    assert (kind, url) == ("format", SPEC) and "the section “## Sources” is missing" in message


def test_a_document_that_one_of_them_lacks_is_told(small_tree: Path) -> None:
    spec = own(small_tree)
    path = small_tree / SPEC
    path.write_bytes(render(replace(spec, sources=spec.sources[:1])))
    assert found(small_tree) == [("inconsistent", SPEC, "_index.md: is in the index alone")]
    more = replace(spec.sources[0], name="more.md")
    path.write_bytes(render(replace(spec, sources=(*spec.sources, more))))
    assert found(small_tree) == [("inconsistent", SPEC, "more.md: is not in the index")]
    path.write_bytes(
        render(replace(spec, sources=(*spec.sources, replace(more, chunks=(), baseline_technical=None, units=()))))
    )
    assert found(small_tree) == [], "an empty document need not be there"


def test_an_index_that_contradicts_itself_is_told_once(small_tree: Path) -> None:
    path = small_tree / "guide/index.json"
    path.write_bytes(path.read_bytes().replace(b'"is_code":false', b'"is_code":true', 1))
    assert [kind for kind, _, _ in found(small_tree)] == ["build-id"]


@pytest.mark.parametrize("what", ["chunks", "technical", "units"])
def test_contradictions_of_a_document(small_tree: Path, what: str) -> None:
    source: SpecSource = own(small_tree).sources[0]
    index = decode_index((small_tree / "guide/index.json").read_bytes(), "index.json")
    document = index.embedded.chunks.documents["intro"]
    assert list(contradictions(source, document)) == [] and groups_of_source(source) == document.units != ()
    wrong, words = {
        "chunks": (replace(source, chunks=source.chunks[:-1]), "has 11 chunks, the index has 12"),
        "technical": (replace(source, baseline_technical=2), "has the technical baseline 2, the index 1"),
        "units": (replace(source, units=()), "lists other units than the index"),
    }[what]
    assert next(contradictions(wrong, document)) == words
    assert list(contradictions(replace(source, units=()), replace(document, units=()))) == [], "of an earlier release"
    bare = replace(document, items=tuple(replace(item, prompt_hashes_hex=()) for item in document.items))
    assert list(contradictions(source, bare)) == []

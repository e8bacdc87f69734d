"""Which pages lead to which, what is no evidence, and the shards of both."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from infograph.search.format.links import KINDS, MOST_FROM, find_lists
from infograph.search.format.terms import Language
from infograph.search.writing.link_lists import (
    LEAST_COMMON,
    MOST_ALIKE,
    MOST_NEAREST,
    MOST_OF_CHUNK,
    LinkLists,
    LinkRows,
    links,
)
from infograph.search.writing.link_table import KeyLists
from infograph.search.writing.page_index import SearchChunk, SearchPage
from infograph.search.writing.page_links import ADDRESS, LINK, MOST_TARGETS, PageLinks, page_links

ENGLISH = Language("en", str, frozenset({"the"}))


def made(
    path: str, texts: Sequence[str], title: str = "", headings: Sequence[str] = (), related: Sequence[str] = ()
) -> tuple[str, PageLinks]:
    chunks = tuple(
        SearchChunk(heading, (), "", "", 1, "", text, "")
        for text, heading in zip(texts, [*headings, *[""] * len(texts)], strict=False)
    )
    url = f"https://example.org/docs/{path.removesuffix('.md')}/"
    return path, page_links(SearchPage(path, title, url, chunks, related=tuple(related)), ENGLISH)


def found(*pages: tuple[str, PageLinks]) -> LinkRows:
    parts = [part for _, part in pages]
    return links(
        [path for path, _ in pages],
        KeyLists.of([part.defined for part in parts]),
        KeyLists.of([part.used for part in parts]),
    )


def rows(of: LinkRows, *pages: tuple[str, PageLinks]) -> list[tuple[str, int, str, int, str]]:
    paths = [path for path, _ in pages]
    columns = (of.sources, of.chunks, of.targets, of.heads, of.kinds)
    return [
        (paths[source], chunk, paths[target], head, KINDS[kind])
        for source, chunk, target, head, kind in zip(*(column.tolist() for column in columns), strict=True)
    ]


def led(*pages: tuple[str, PageLinks]) -> list[tuple[str, int, str, int, str]]:
    return rows(found(*pages), *pages)


def test_a_title_leads_from_the_chunk_that_names_it() -> None:
    pages = (
        made("song.md", ["Intro", "A single by Hank Snow."], "Hello Love"),
        made("hank.md", ["He moved."], "Hank Snow"),
    )
    assert led(*pages) == [("song.md", 1, "hank.md", 0, "title")]


@pytest.mark.parametrize(
    "target",
    [
        "hank.md",
        "./hank.md#early-life",
        "hank",
        "hank/",
        "/people/hank.md",
        "../people/hank.md?plain=1",
        "hank.html",
        "<hank.md>",
        "https://example.org/docs/people/hank/",
        "/docs/people/hank/",
        "han%6B.md",
        'hank.md "A title"',
    ],
)
def test_a_link_leads_there_however_it_is_written(target: str) -> None:
    pages = (made("people/song.md", [f"See [him]({target})."]), made("people/hank.md", ["He."]))
    assert led(*pages) == [("people/song.md", 0, "people/hank.md", 0, "link")]


@pytest.mark.parametrize("text", ["[him]: hank.md", '<a href="hank.md">him</a>', "![him](hank.md)"])
def test_other_forms_of_a_link(text: str) -> None:
    assert len(led(made("a.md", [text]), made("hank.md", ["He."]))) == 1


@pytest.mark.parametrize(
    "target",
    ["#here", "", "https://other.org/hank/", "mailto:hank.md", "../../hank/x", "hank.mdd", "//[x/hank", "?q=1"],
)
def test_other_targets_lead_nowhere(target: str) -> None:
    assert led(made("a.md", [f"[x]({target})"]), made("hank.md", ["He."])) == []


def test_a_link_from_the_root_of_a_site_that_is_made_of_a_folder() -> None:
    pages = (made("src/content/learn/a.md", ["[x](/reference/b#now)"]), made("src/content/reference/b.md", ["He."]))
    assert [row[2] for row in led(*pages)] == ["src/content/reference/b.md"]
    assert led(made("src/content/learn/a.md", ["[x](/b)"]), made("src/content/reference/b.md", ["He."])) == []


def test_a_folder_means_its_index() -> None:
    pages = (made("a.md", ["[x](people/)", "[x](people/index.md)"]), made("people/index.md", ["All."]))
    assert [row[:3] for row in led(*pages)] == [("a.md", 0, "people/index.md"), ("a.md", 1, "people/index.md")]


def test_an_identifier_leads_to_the_chunk_whose_heading_it_is() -> None:
    pages = (
        made("use.md", ["Call useState first."]),
        made("hooks.md", ["All hooks.", "Returns a pair."], headings=["", "useState(initial)"]),
    )
    assert led(*pages) == [("use.md", 0, "hooks.md", 1, "identifier")]


@pytest.mark.parametrize("value", ["b.md", "Big Brother"])
def test_a_relation_of_the_front_matter(value: str) -> None:
    pages = (made("a.md", ["Text."], related=[value]), made("b.md", ["More."], "The Big Brother"))
    assert led(*pages) == [("a.md", 0, "b.md", 0, "relation")]


def test_of_several_kinds_of_evidence_the_first_counts() -> None:
    pages = (made("a.md", ["By [Hank Snow](b.md), he was Hank Snow."]), made("b.md", ["He."], "Hank Snow"))
    assert led(*pages) == [("a.md", 0, "b.md", 0, "link")]


def test_a_page_does_not_lead_to_itself_and_circles_are_links() -> None:
    pages = (
        made("a.md", ["Alpha One is near Beta Two: [me](a.md)"], "Alpha One"),
        made("b.md", ["So Alpha One too."], "Beta Two"),
    )
    assert [row[:3] for row in led(*pages)] == [("a.md", 0, "b.md"), ("b.md", 0, "a.md")]


def test_markup_in_titles_and_texts() -> None:
    pages = (made("a.md", ["The **Big** [Brother](x.md) & Co"]), made("b.md", ["He."], "Big Brother"))
    assert len(led(*pages)) == 1
    assert led(made("a.md", ["x <script>alert</script>"], "<b>"), made("b.md", ["`"], "`*_[](")) == []


def test_of_pages_with_one_title_the_nearest_is_meant() -> None:
    one = [made(f"{version}/core/get.md", ["Gets."], "Get-Item") for version in ("v1", "v2", "v3")]
    user = made("v2/guide/use.md", ["Use Get-Item here."])
    assert led(*one, user) == [("v2/guide/use.md", 0, "v2/core/get.md", 0, "title")]


def test_pages_of_one_title_in_one_folder_lead_to_each_other_where_they_say_it() -> None:
    pages = [made(f"{n}.md", ["The Canon Law is old."], "Canon Law") for n in range(2)]
    assert [row[:3] for row in led(*pages)] == [("0.md", 0, "1.md"), ("1.md", 0, "0.md")]
    versions = [made(f"v{n}/law.md", ["The Canon Law is old."], "Canon Law") for n in range(2)]
    assert led(*versions) == []


def test_links_are_found_some_uses_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = [made(f"{v}/core/get-{n}.md", ["Gets."], f"Get Item {n}") for v in ("v1", "v2") for n in range(5)]
    pages += [made(f"{v}/use.md", ["The Get Item 1, Get Item 2 and Get Item 4 are used."]) for v in ("v1", "v2")]
    expected = led(*pages)
    monkeypatch.setattr("infograph.search.writing.link_lists._AT_ONCE", 1)
    assert led(*pages) == expected
    assert len(expected) == 6


def test_what_too_many_are_meant_by_is_no_evidence() -> None:
    many = [made(f"t/{n}.md", ["Text."], "Same Title") for n in range(MOST_NEAREST + 1)]
    user = made("use.md", ["As Same Title says."])
    of = found(*many, user)
    assert (len(of), of.left_out["ambiguous"]) == (0, 1)
    assert len(found(*many[1:], user)) == MOST_NEAREST
    crowd = [made(f"t{n}/x.md", ["Text."], "Same Title") for n in range(MOST_ALIKE + 1)]
    of = found(*crowd, made("t0/use.md", ["As Same Title says."]))
    assert (len(of), of.left_out["ambiguous"]) == (0, 1)
    assert len(found(*crowd[:-1], made("t0/use.md", ["As Same Title says."]))) == 1


def test_what_too_many_pages_use_is_no_evidence() -> None:
    product = made("index.md", ["Text."], "Product Name")
    users = [made(f"{n}.md", ["The Product Name is used."]) for n in range(LEAST_COMMON + 1)]
    of = found(product, *users)
    assert (len(of), of.left_out["common"]) == (0, 1)
    assert len(found(product, *users[1:])) == LEAST_COMMON


def test_a_chunk_that_names_every_page_is_a_list() -> None:
    pages = [made(f"{n}.md", ["Text."], f"Page Number {n}") for n in range(MOST_OF_CHUNK + 1)]
    every = [f"- the Page Number {n}" for n in range(MOST_OF_CHUNK + 1)]
    of = found(*pages, made("all.md", ["\n".join(every), "\n".join(every[1:])]))
    assert of.left_out["listings"] == 1
    assert len(of) == MOST_OF_CHUNK


def test_a_page_with_very_many_targets() -> None:
    text = "\n".join(f"[x]({n}.md)" for n in range(3 * MOST_TARGETS))
    _, page = made("a.md", [text])
    assert len(page.targets) == 2 * MOST_TARGETS


def test_hostile_targets_take_no_longer_than_their_length() -> None:
    start = time.process_time()
    for text in ("](", "](<", "](a(", "[a]: ", "[", "href='", "](" + " ", "](((", "[x](a/../"):
        made("a.md", [text * 20_000])
        made("a.md", ["\n".join([text] * 20_000)])
    assert time.process_time() - start < 10


def test_no_pages_have_no_links() -> None:
    of = found()
    lists = LinkLists(of, np.zeros(0, np.int64))
    assert (len(of), len(lists.pages), len(lists.digests())) == (0, 0, 0)


def shard(lists: LinkLists) -> Mapping[str, object]:
    found: Mapping[str, object] = json.loads(lists.shard(range(len(lists.pages))))
    return found


def test_a_shard_holds_both_directions() -> None:
    pages = (
        made("a.md", ["Nothing.", "So Beta Two."]),
        made("b.md", ["Text."], "Beta Two"),
        made("c.md", ["Alone."]),
    )
    lists = LinkLists(found(*pages), np.array([5, 9, 11]))
    assert lists.pages.tolist() == [0, 1]
    assert shard(lists) == {"5": [[1, 4, 0, 2], []], "9": [[], [-4, 1, 2]]}
    assert find_lists(shard(lists), 5).to == ((1, 9, 0, 2),)
    assert find_lists(shard(lists), 9).come == ((5, 1, 2),)
    digests = lists.digests().tolist()
    assert digests == [0x6A4F87F8682D8AC5, 0x7CD600C23E8D9C05, 0]  # compared with those that earlier builds left
    assert LinkLists(found(*pages), np.array([5, 9, 12])).digests().tolist() == digests
    assert LinkLists(found(*pages), np.array([5, 10, 11])).digests().tolist()[0] != digests[0]


def test_a_page_that_many_lead_to_lists_none_of_them() -> None:
    pages = [made("b.md", ["Text."], "Beta Two"), *(made(f"{n}.md", ["So Beta Two."]) for n in range(MOST_FROM))]
    pages += [made(f"z/{n}.md", ["Text."]) for n in range(250)]  # so that this many are not too common
    slots = np.arange(len(pages) + 1)
    assert len(find_lists(shard(LinkLists(found(*pages), slots[:-1])), 0).come) == MOST_FROM
    more = [*pages, made("y.md", ["So Beta Two."])]
    assert len(found(*more)) == MOST_FROM + 1
    assert find_lists(shard(LinkLists(found(*more), slots)), 0).come == ()


@pytest.mark.parametrize(
    "value",
    [
        [],
        {"5": 1},
        {"5": [[]]},
        {"5": [[1, 2, 3], []]},
        {"5": [[1, 2, 3, 4], []]},
        {"5": [[-1, 2, 3, 0], []]},
        {"5": [[0, -6, 3, 0], []]},
        {"5": [[0, 2**50, 3, 0], []]},
        {"5": [[], [-6, 2, 1]]},
        {"5": [[1.5, 2, 3, 0], []]},
        {"5": [[True, 2, 3, 0], []]},
        {"5": [[], [1, 2, 9]]},
        {"5": [[], ["1", 2, 1]]},
        {"5": [{}, []]},
        None,
    ],
)
def test_a_malformed_shard(value: object) -> None:
    with pytest.raises(ValueError):
        find_lists(value, 5)


def test_a_page_that_a_shard_lacks_has_no_links() -> None:
    lists = find_lists({"6": 1}, 5)
    assert lists.to == lists.come == ()


@pytest.mark.slow
def test_a_million_links_take_seconds() -> None:
    pages, each = 50_000, 20
    rng = np.random.default_rng(7)
    own = np.sort(rng.integers(1, 1 << 62, pages, np.uint64))
    none, kinds = np.zeros(pages, np.int32), np.full(pages, ADDRESS, np.uint8)
    defined = KeyLists(np.ones(pages, np.int64), own, none, kinds)
    targets = own[rng.integers(0, pages, pages * each)]
    places = np.tile(np.arange(each, dtype=np.int32), pages)
    used = KeyLists(np.full(pages, each), targets, places, np.full(pages * each, LINK, np.uint8))
    start = time.process_time()
    of = links([f"{n % 97}/{n}.md" for n in range(pages)], defined, used)
    lists = LinkLists(of, np.arange(pages))
    assert len(lists.digests()) == pages
    assert 990_000 < len(of) <= pages * each
    assert lists.bytes < 40_000_000
    assert time.process_time() - start < 20

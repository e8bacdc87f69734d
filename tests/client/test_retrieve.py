"""From a question to what a model should read for it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from infograph.build import build
from infograph.client import Client, ClientError, Context, Hit, PublishedChunk
from infograph.client.retrieve import SMALLEST_EXCERPT, _Budget, _Packer, _with_named
from infograph.client.sources import head_tokens
from infograph.client.token_estimate import margin
from infograph.config import load
from infograph.search.format.results import Remarks
from infograph.search.format.terms import Language
from infograph.search.reading.rankings import NO_WORDS, NOTHING_ASKED

pytestmark = pytest.mark.usefixtures("in_this_process")

QUERY = "how do I configure the cache?"
HIT = Hit("a.md", "A", "a/", 0, "A", ("A",), "a", "", 10, "_chunks/a-0.md", "0" * 32, 1.0)


def bodies(client: Client, context: Context) -> list[str]:
    return [
        "".join(client.read(hit).text for hit in passage.hits) for passage in context.passages if not passage.excerpt
    ]


@pytest.mark.parametrize("tokens", [1, 30, 64, 150, 400, 777, 1500, 4000, 100_000])
@pytest.mark.parametrize("query", [QUERY, "stripe_order", "build", "the of and", "…"])
@pytest.mark.parametrize("level", ["chunks", "passages"])
def test_a_budget_is_never_exceeded(folder: Client, query: str, tokens: int, level: str) -> None:
    context = folder.retrieve(query, tokens, level=level)
    heads = sum(head_tokens(passage.hits[0], "numbers") for passage in context.passages)
    assert context.tokens == sum(passage.tokens for passage in context.passages) + heads <= tokens
    assert context.tokens == sum(context.plan.tokens.values())
    assert context.plan.tokens["sources"] == heads
    assert (context.plan.level, context.plan.packing) == (level, "greedy")
    whole = [passage.text for passage in context.passages if not passage.excerpt]
    assert whole == bodies(folder, context)
    shown = [(hit.page, hit.index) for passage in context.passages for hit in passage.hits]
    assert len(set(shown)) == len(shown)
    assert not {(hit.page, hit.index) for hit in context.more} & set(shown)
    notes: tuple[str, ...] = {"the of and": (NOTHING_ASKED,), "…": (NO_WORDS,)}.get(query, ())
    if context.more and not context.passages:  # a comparative question had no answer below 64 tokens, and no word
        way_out = "; at the level `passages` parts of chunks may" if level == "chunks" else ""
        notes = (f"nothing that was found fits into {tokens} token{'s' * (tokens > 1)}{way_out}",)
    assert (dict(context.missing), context.notes) == ({}, notes)


def test_the_best_chunk_comes_first_and_pages_in_their_own_order(folder: Client) -> None:
    context = folder.retrieve(QUERY, 3000)
    best = folder.search(QUERY).hits[0]
    pages = [passage.hits[0].page for passage in context.passages]
    assert best.page == pages[0]
    assert [page for n, page in enumerate(pages) if page in pages[: max(0, n - 1)] and page != pages[n - 1]] == []
    for page in set(pages):
        own = [passage.hits[0].index for passage in context.passages if passage.hits[0].page == page]
        assert own == sorted(own)


@pytest.mark.parametrize(("question_class", "share"), [("comparative", 0.3), ("multi-hop", 0.0), ("factoid", 0.3)])
def test_room_is_not_filled_with_weak_hits(folder: Client, question_class: str, share: float) -> None:
    scores = [hit.score for hit in folder.search(QUERY, limit=40).hits]
    context = folder.retrieve(QUERY, 100_000, question_class=question_class)
    shown = [hit.score for passage in context.passages for hit in passage.hits if hit.score]
    assert scores[0] in shown
    assert min(shown) >= share * scores[0]
    assert context.plan.share == share
    assert len(shown) == sum(score >= share * scores[0] for score in scores)


@pytest.mark.parametrize("tokens", [0, -5, 1.5, "3", True, None])
def test_a_budget_of_nothing_is_an_error(folder: Client, tokens: Any) -> None:
    with pytest.raises(ClientError, match="max_tokens: has to be a whole number, 1 at the least, not"):
        folder.retrieve(QUERY, tokens)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            {"question_class": "fact"},
            "question_class: has to be one of factoid, analytical, comparative, exploratory, mu",
        ),
        ({"level": "section"}, "level: has to be one of passages, chunks, or None, not 'section'"),
        ({"packing": []}, r"packing: has to be one of greedy, ratio, knapsack, or None, not \[\]"),
        ({"split": 1}, "split: has to be True or False"),
        ({"sources": None}, "sources: has to be one of numbers, titles, urls, not None"),
    ],
)
def test_a_way_that_there_is_not_is_an_error(folder: Client, options: Any, said: str) -> None:
    with pytest.raises(ClientError, match=said):
        folder.retrieve(QUERY, 500, **options)


@pytest.mark.parametrize("packing", ["greedy", "ratio", "knapsack"])
def test_pieces_are_the_documents_words_and_say_what_is_left_out(folder: Client, packing: str) -> None:
    context = folder.retrieve(QUERY, 500, level="passages", packing=packing)
    assert len({hit.page for passage in context.passages for hit in passage.hits}) > 1
    for passage in context.passages:
        if passage.excerpt:
            (hit,) = passage.hits
            readable, at = folder.read(hit).readable, 0
            for part in filter(None, passage.text.split("…")):
                at = readable.index(part.strip(), at)
    assert any(passage.excerpt for passage in context.passages)


def test_the_names_of_a_question_are_searched_for(folder: Client) -> None:
    question = "What is the difference between Docusaurus and MkDocs?"
    plain, split = folder.retrieve(question, 800), folder.retrieve(question, 800, split=True)
    assert (plain.plan.names, split.plan.names) == ((), ("Docusaurus", "MkDocs"))
    shown = {(hit.page, hit.index) for passage in split.passages for hit in passage.hits}
    shown |= {(hit.page, hit.index) for hit in split.more}
    for name in split.plan.names:
        (best, *_) = folder.search(name, rerank=False, prompts=False).hits
        assert (best.page, best.index) in shown


def test_hits_of_names_stand_behind_the_first_two_once() -> None:
    own = [((n, 0), replace(HIT, page=f"{n}", score=9.0 - n)) for n in range(4)]
    named = [((number, 0), replace(HIT, page=str(number), score=50.0)) for number in (3, 1, 7, 3)]
    found = [(number, hit.score) for (number, _), hit in _with_named(own, named)]
    assert found == [(0, 9.0), (1, 8.0), (3, 8.0), (7, 8.0), (2, 7.0)]


@pytest.fixture
def packer() -> _Packer:
    """With room for a thousand tokens, of a tree that is never read."""
    searcher: Any = SimpleNamespace(language=Language("en", str, frozenset()))
    tree: Any = None
    return _Packer(tree, searcher, "zebra", _Budget(1000, "numbers"), {}, Remarks())


HEAD = 3
"""Tokens of a number alone, `[1]`."""


def with_room(packer: _Packer, room: int) -> None:
    packer._budget, packer._room = packer._budget._replace(tokens=room), room


@pytest.mark.parametrize(("words", "kept"), [(8, 2), (9, 1)])
def test_texts_are_the_same_from_a_share_of_common_runs_on(packer: _Packer, words: int, kept: int) -> None:
    """Of runs of four words 4 in 6 are common, or 5 in 7: 0.67 and 0.71."""
    for page in "ab":
        text = " ".join([*(f"w{number}" for number in range(words - 1)), page])
        packer._take((ord(page), 0), replace(HIT, page=page), text)
    assert len(packer.kept) == kept
    assert len(packer.kept[0].piece.duplicates) == 2 - kept


def test_a_parent_of_too_many_chunks_is_not_joined(packer: _Packer) -> None:
    def parent(*ranges: tuple[int, int]) -> list[int]:
        file: Any = SimpleNamespace(chunk=SimpleNamespace(parents=ranges, count=20))
        packer._files[0, 1] = file
        return [index for _, index in packer._around((0, 1))[0]]

    assert parent((0, 9), (0, 8)) == list(range(8))
    assert parent((0, 9)) == parent((2, 5)) == parent((0, 1)) == []
    assert parent((1, 2)) == [1]


def test_what_did_not_fit_is_named(folder: Client) -> None:
    few, many = (folder.retrieve(QUERY, tokens, level="chunks") for tokens in (400, 100_000))
    assert few.more
    assert not many.more
    assert {hit.href for hit in few.more} <= {hit.href for passage in many.passages for hit in passage.hits}


def test_path_and_filters_hold_for_what_was_searched(folder: Client) -> None:
    context = folder.retrieve(QUERY, 2000, path="reference")
    assert context.passages
    assert all(hit.page.startswith("reference/") for passage in context.passages for hit in passage.hits)
    indexes = {
        hit.index for p in folder.retrieve(QUERY, 500, filters={"index": 0}).passages for hit in p.hits if hit.score
    }
    assert indexes == {0}


Make = Callable[[dict[str, str], str], Client]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """A client of a tree that is built of some pages."""

    def built(pages: dict[str, str], strategy: str) -> Client:
        docs = tmp_path / "docs"
        for name, text in pages.items():
            (docs / name).parent.mkdir(parents=True, exist_ok=True)
            (docs / name).write_text(text, "utf-8")
        flags: dict[str, Any] = {"out": str(tmp_path / "out"), "cache": str(tmp_path / "cache"), "model": "static"}
        build(load(str(docs), flags=flags | {"strategy": strategy}, environment={}))
        return Client(tmp_path / "out", timeout=60)

    return built


def filler(seed: str, words: int = 300) -> str:
    """Words of nobody's language, others for each seed."""
    digits = hashlib.shake_256(seed.encode()).hexdigest(words * 2)
    return " ".join(f"w{digits[4 * n : 4 * n + 4]}" for n in range(words)) + ".\n\n"


def test_of_five_versions_of_a_page_one_is_shown(make: Make) -> None:
    body = f"# Zebras\n\nHow to feed zebras in winter. {filler('body', 200)}"
    pages = {f"v{n}/zebra.md": body.replace("winter", f"winter {n}") for n in range(5)}
    context = make(pages | {"other.md": f"# Other\n\n{filler('other')}"}, "semantic-250-750").retrieve(
        "feed zebras", 5000, level="chunks"
    )
    (passage,) = [passage for passage in context.passages if "zebra" in passage.hits[0].page]
    assert len(passage.duplicates) == 4 * sum(hit.score > 0 for hit in passage.hits)  # a neighbour was not searched for
    assert {hit.page for hit in (*passage.hits, *passage.duplicates)} == set(pages) - {"other.md"}


@pytest.mark.parametrize("lost", [1, 3, 5])
def test_a_version_that_can_be_read_stands_in_for_those_that_cannot(make: Make, tmp_path: Path, lost: int) -> None:
    body = f"# Zebras\n\nHow to feed zebras in winter. {filler('body', 60)}"
    pages = {f"v{n}/zebra.md": body.replace("winter", f"winter {n}") for n in range(5)}
    client = make(pages | {"other.md": f"# Other\n\n{filler('other')}"}, "semantic-250-750")
    (best,) = client.search("feed zebras").hits
    versions = (best, *best.duplicates)
    assert len(versions) == 5
    for hit in versions[:lost]:
        (tmp_path / "out" / hit.href).unlink()
    context = Client(tmp_path / "out", timeout=60).retrieve("feed zebras", 5000)
    assert set(context.missing) == {hit.href for hit in versions[:lost]}
    shown = [hit.page for passage in context.passages for hit in passage.hits]
    assert shown == [hit.page for hit in versions[lost : lost + 1]]
    others = [hit.page for passage in context.passages for hit in passage.duplicates]
    assert others == [hit.page for hit in versions[lost + 1 :]]


def test_a_parent_is_joined_whole_or_its_neighbours_are(make: Make) -> None:
    sections = [f"## Part {n}\n\n{'zebra zebra. ' * (n == 1)}{filler(str(n), 120)}" for n in range(3)]
    client = make(
        {"page.md": "# Page\n\n" + "".join(sections), "other.md": f"# Other\n\n{filler('o')}"}, "hierarchical"
    )
    best = client.search("zebra").hits[0]
    parent = re.search(r"^parents: \[\[(\d+), (\d+)\]", client.read(best).front_matter, re.MULTILINE)
    assert parent is not None
    (passage,) = client.retrieve("zebra", 100_000, level="chunks").passages
    indexes = [hit.index for hit in passage.hits]
    assert indexes == list(range(indexes[0], indexes[-1] + 1))
    assert set(range(int(parent[1]), int(parent[2]))) <= set(indexes)
    little = client.retrieve("zebra", best.tokens + HEAD + 10, level="chunks", sources="numbers")
    assert [hit.index for passage in little.passages for hit in passage.hits] == [best.index]


def test_a_whole_chunk_is_shown_in_less_room_than_an_excerpt_takes(make: Make) -> None:
    pages = {f"small{n}.md": f"# Zebra {n}\n\nFeed zebras with {filler(str(n), 4)}" for n in range(3)}
    large = {"large.md": "# Zebras\n\n" + "".join(f"Feed zebras with {filler(f'large {n}', 4)}" for n in range(5))}
    others = {f"other{n}.md": f"# Other\n\n{filler(f'other {n}', 40)}" for n in range(12)}
    client = make(pages | large | others, "structural")
    hits = client.search("feed zebras").hits
    tokens = {hit.page: hit.tokens for hit in hits}
    assert sorted(tokens) == ["large.md", *sorted(pages)]
    assert min(hit.score for hit in hits) >= 0.3 * hits[0].score
    assert max(tokens[page] for page in pages) < SMALLEST_EXCERPT < tokens["large.md"]

    def shown(most: int) -> tuple[list[str], list[str]]:
        context = client.retrieve("feed zebras", most, level="chunks", sources="numbers")
        assert context.tokens <= most
        assert not any(passage.excerpt for passage in context.passages)
        return [hit.page for p in context.passages for hit in p.hits], [hit.page for hit in context.more]

    ranked = [hit.page for hit in hits if hit.page != "large.md"]
    one, two = tokens[ranked[0]], tokens[ranked[0]] + tokens[ranked[1]]
    assert shown(one + HEAD)[0] == ranked[:1]
    assert shown(two + 2 * HEAD)[0] == ranked[:2]
    assert shown(min(tokens.values()) + HEAD - 1) == ([], [hit.page for hit in hits])
    first, rest = shown(tokens["large.md"] + one + 2 * HEAD)
    assert sorted(first) == sorted(["large.md", ranked[0]])
    assert rest == ranked[1:]


def test_neighbours_are_joined_as_far_as_there_is_room(make: Make) -> None:
    sections = [f"## Part {n}\n\n{'zebra zebra. ' * (n == 3)}{filler(str(n))}" for n in range(6)]
    client = make({"page.md": "# Page\n\n" + "".join(sections)}, "semantic-250-750")
    hits = client.search("zebra").hits
    best = hits[0]
    alone = client.retrieve("zebra", best.tokens + HEAD, level="chunks", sources="numbers")
    assert [[hit.index for hit in passage.hits] for passage in alone.passages] == [[best.index]]
    more = client.retrieve("zebra", 100_000, level="chunks")
    (passage,) = more.passages
    indexes = [hit.index for hit in passage.hits]
    assert indexes == list(range(indexes[0], indexes[0] + len(indexes)))
    assert {best.index - 1, best.index, best.index + 1} <= {*indexes, -1}
    assert len(indexes) > 1
    assert "zebra zebra." in passage.text


def ranked(count: int, **fields: Any) -> list[tuple[tuple[int, int], Hit]]:
    hits = [replace(HIT, page=f"{n}.md", href=f"{n}.md", **fields) for n in range(count)]
    return [((n, 0), hit) for n, hit in enumerate(hits)]


def read_by(packer: _Packer, hits: list[tuple[tuple[int, int], Hit]], reply: Callable[[str], Any]) -> list[int]:
    """How many chunks are asked for at once, each answered by a function of its href."""

    def chunks(wanted: list[tuple[str, str]]) -> Any:
        return (yield [href for href, _ in wanted]) if wanted else []

    packer._tree = SimpleNamespace(chunks=chunks)  # type: ignore[assignment]
    asks, sizes = packer.take(hits), []
    try:
        wanted = next(asks)
        while True:
            sizes.append(len(wanted))  # type: ignore[arg-type]
            wanted = asks.send([reply(href) for href in wanted])  # type: ignore[union-attr]
    except StopIteration:
        return sizes


def test_eight_texts_are_read_at_once(packer: _Packer) -> None:
    assert read_by(packer, ranked(20), lambda href: ClientError("missing", href, "is gone")) == [8, 8, 4]
    assert packer._remarks.missing.keys() == {f"{n}.md" for n in range(20)}
    assert packer.kept == [] and packer.more == {}


def test_a_chunk_whose_front_matter_is_no_chunks_is_named_and_not_shown(packer: _Packer) -> None:
    """Its text is whole, by its digest."""
    chunk = PublishedChunk(href="0.md", sha256="0" * 64, front_matter="title: [", text="zebra", readable="zebra")
    read_by(packer, ranked(1), lambda href: chunk)
    assert list(packer._remarks.missing) == ["0.md"]
    assert packer.kept == [] and packer.more == {}


@pytest.mark.parametrize(("room", "read"), [(63, 0), (64, 1), (65, 1)])
def test_what_is_larger_than_the_room_is_read_for_an_excerpt_only(packer: _Packer, room: int, read: int) -> None:
    with_room(packer, room + HEAD)
    sizes = read_by(packer, ranked(1, tokens=500), lambda href: ClientError("missing", href, "is gone"))
    assert sizes == [1] * read
    assert len(packer.more) == 1 - read


@pytest.mark.parametrize(("room", "kept", "excerpt"), [(100, 1, False), (99, 1, True), (64, 1, True), (63, 0, False)])
def test_a_text_is_taken_whole_or_in_part_or_named(packer: _Packer, room: int, kept: int, excerpt: bool) -> None:
    text = "some words\n\nzebra\n\n" + "other words of a text " * 10
    with_room(packer, room + HEAD)
    packer._take((0, 0), replace(HIT, tokens=100), text)
    assert (len(packer.kept), len(packer.more)) == (kept, 1 - kept)
    if kept:
        assert packer.kept[0].piece.excerpt is excerpt
        tokens = packer.kept[0].piece.tokens
        assert packer._room == room - tokens - (margin(tokens) if excerpt else 0) >= 0


def test_a_text_without_the_words_is_named_and_not_cut(packer: _Packer) -> None:
    with_room(packer, 70 + HEAD)
    packer._take((0, 0), replace(HIT, tokens=100), "nothing of it " * 20)
    assert (len(packer.kept), list(packer.more)) == (0, [(0, 0)])


def test_duplicates_of_a_duplicate_are_listed_too(packer: _Packer) -> None:
    text = " ".join(f"w{n}" for n in range(20))
    other = replace(HIT, page="c.md")
    packer._take((0, 0), HIT, text)
    packer._take((1, 0), replace(HIT, page="b.md", duplicates=(other,)), text)
    assert [hit.page for hit in packer.kept[0].piece.duplicates] == ["b.md", "c.md"]


@pytest.mark.parametrize(
    ("index", "count", "beside"), [(0, 1, []), (0, 2, [1]), (1, 2, [0]), (1, 3, [2, 0]), (2, 3, [1]), (5, 9, [6, 4])]
)
def test_neighbours_are_the_next_and_the_one_before(packer: _Packer, index: int, count: int, beside: list[int]) -> None:
    file: Any = SimpleNamespace(chunk=SimpleNamespace(parents=(), count=count))
    packer._files[7, index] = file
    assert packer._around((7, index)) == ([], [(7, near) for near in beside])


def test_groups_are_added_whole_as_room_allows(packer: _Packer) -> None:
    hits = {(0, n): replace(HIT, index=n, tokens=10 * (n + 1)) for n in range(6)}

    def fitting(room: int, *around: tuple[list[int], list[int]]) -> list[list[int]]:
        with_room(packer, room)
        both = [([(0, n) for n in parent], [(0, n) for n in beside]) for parent, beside in around]
        return [[n for _, n in group] for group in packer._fitting(both, hits)]

    assert fitting(63, ([0, 1, 2], [3])) == [[0, 1, 2]], "one passage, with one head"
    assert fitting(62, ([0, 1, 2], [3])) == [[3]]
    assert fitting(43, ([], [3, 0])) == [[3]]
    assert fitting(56, ([], [3, 0])) == [[3], [0]], "two passages"
    assert fitting(55, ([], [3, 0])) == [[3]]
    assert fitting(63, ([0, 1], [5]), ([1, 2], [4])) == [[0, 1], [2]]
    assert fitting(100, ([0, 9], [1])) == [[1]], "a chunk that cannot be shown is in no group"
    assert packer._room == 100

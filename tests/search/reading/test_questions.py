"""A question like one that the site knows: found by two files at most, and what that does to a ranking."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from infograph.errors import FormatError
from infograph.search.format.bundle_manifest import language_of, read_manifest
from infograph.search.format.question_hash import words_of
from infograph.search.format.results import MatchedQuestion, Remarks
from infograph.search.format.search_space import load_space
from infograph.search.format.terms import Language
from infograph.search.reading.asking import Searcher
from infograph.search.reading.dialogue import Dialogue
from infograph.search.reading.fetching import Asking, opened
from infograph.search.reading.query import Query
from infograph.search.reading.questions import FLOOR, PINNED, RAISE, KnownChunk, gains_of, pinned, raised
from infograph.search.reading.reader import Reader
from infograph.search.writing.bundle import bundle
from infograph.search.writing.page_index import PageIndex
from infograph.search.writing.question_table import pack_questions
from infograph.text.language import stemmer

ASKED = {
    "3.md": [("How do I clear the embedding cache?", 1, 0.8), ("Why is a page indexed?", 0, 0.6)],
    "4.md": [("How do I clear the embedding cache?", 0, 0.5), ("Why is a page not indexed?", 2, 1.0)],
    "5.md": [("How do I clear the embedding cache?", 2, 0.7)],
}


class Site:
    """A bundle whose pages answer questions; counts what is read of it."""

    def __init__(self, pages: Sequence[PageIndex], language: Language) -> None:
        self.files = dict(bundle(pages, language, load_space()).files)
        self.manifest = read_manifest(self.files["manifest.json"])
        self.searcher = Searcher(self.manifest, language_of(self.manifest, stemmer))
        self.read: list[str] = []
        self.remarks = Remarks()

    def answer(self, asking: Callable[[Remarks], Asking[Any]]) -> Any:
        self.read, self.remarks = [], Remarks()

        def read(names: Sequence[str]) -> dict[str, Any]:
            self.read += names
            found = {}
            for name in names:
                try:
                    found[name] = opened(name, self.files[name], 1 << 24)
                except KeyError:
                    found[name] = FormatError(name, "gone")
            return found

        return Dialogue(asking(self.remarks)).run(read)

    def known(self, question: str, distance: int = 12) -> dict[Any, KnownChunk]:
        found: dict[Any, KnownChunk] = self.answer(lambda remarks: self.searcher.known(question, distance, remarks))
        return found

    def match(self, question: str, passes: Any = None, limit: int = 10) -> list[tuple[str, int, float]]:
        hits = self.answer(lambda remarks: self.searcher.match(question, 12, passes, limit, remarks))
        return [(hit.page, hit.index, hit.score) for hit in hits]

    def search(self, query: str, **how: Any) -> Any:
        return self.answer(lambda remarks: self.searcher.search(Query(query, **how), remarks)).hits


@pytest.fixture(scope="module")
def site(make_page: Callable[..., PageIndex], language: Language) -> Site:
    pages = [make_page(f"{number}.md", 3) for number in range(30)]
    english = words_of("en")
    return Site(
        [replace(page, questions=pack_questions(ASKED.get(page.path, ()), english)) for page in pages], language
    )


def test_the_nearest_question_comes_first_and_its_best_chunk(site: Site) -> None:
    found = site.match("How can I clear an embedding cache?")
    assert found == [("3.md", 1, 0.8), ("5.md", 2, 0.7), ("4.md", 0, 0.5)]
    assert [name[0] for name in site.read].count("q") == 1


def test_a_word_that_turns_the_question_around_finds_the_other_chunk(site: Site) -> None:
    assert site.match("Why is the page indexed?") == [("3.md", 0, 0.6)]
    assert site.match("Why isn’t the page indexed?") == [("4.md", 2, 1.0)]


def test_what_is_no_question_of_the_site_matches_nothing(site: Site) -> None:
    for text in ("", "…", "How do I bake bread?", " ".join(f"w{number}" for number in range(70))):
        assert site.match(text) == []


def test_a_filter_and_a_limit(site: Site) -> None:
    question = "How do I clear the embedding cache?"
    assert site.match(question, lambda _, hit: hit.page != "3.md", 1) == [("5.md", 2, 0.7)]
    assert site.match(question, None, 0) == []


def test_the_gain_of_a_chunk_is_its_cosine_beyond_the_last_ones(site: Site) -> None:
    gains = sorted(found.gain for found in site.known("How do I clear the embedding cache?").values())
    assert gains == pytest.approx([0, RAISE * 0.2, RAISE * 0.3])
    (alone,) = site.known("Why is a page indexed?").values()
    assert alone.gain == pytest.approx(RAISE * (0.6 - FLOOR))
    assert alone.question == MatchedQuestion("Why is a page indexed?", 0, 0.6)


def test_a_search_pins_the_chunk_that_is_said_to_answer(site: Site) -> None:
    first, *others = site.search("Why is a page not indexed?", prompts=True)
    assert (first.page, first.index) == ("4.md", 2)
    assert first.matched_question == MatchedQuestion("Why is a page not indexed?", 0, 1.0)
    assert first.score >= max(hit.score for hit in others)
    assert all(hit.matched_question is None for hit in others)
    filtered = site.search("Why is a page not indexed?", prompts=True, passes=lambda _, hit: hit.page != "4.md")
    assert filtered and all(hit.page != "4.md" for hit in filtered)


def test_a_search_raises_what_is_near_a_matched_question(site: Site) -> None:
    def scores(**how: Any) -> dict[tuple[str, int], float]:
        return {(hit.page, hit.index): hit.score for hit in site.search("clear embedding cache", limit=100, **how)}

    plain, known = scores(links=False), scores(links=False, prompts=True)
    assert known["3.md", 1] == pytest.approx(plain.get(("3.md", 1), 0) + RAISE * 0.3)
    assert {place for place in known if known[place] != plain.get(place)} == {("3.md", 1), ("5.md", 2)}


def test_without_a_match_a_search_is_as_it_was(site: Site) -> None:
    assert site.search("cache model vector", prompts=True) == site.search("cache model vector")
    assert not any(name.startswith("q-") for name in site.read)


def test_the_known_questions_are_asked_for_what_was_meant(site: Site) -> None:
    def found(query: str) -> list[tuple[str, int, Any]]:
        return [(hit.page, hit.index, hit.matched_question) for hit in site.search(query, prompts=True)]

    assert found("clear the embedding cahce") == found("clear the embedding cache")
    assert found("clear the embedding cahce")[0][2] is not None
    as_written = site.search("clear the embedding cahce", prompts=True, exact=True)
    assert all(hit.matched_question is None for hit in as_written)


def test_a_site_without_questions_is_not_asked_one_file_more(
    make_page: Callable[..., PageIndex], language: Language
) -> None:
    bare = Site([make_page(f"{number}.md", 3) for number in range(30)], language)
    assert b"questions" not in bare.files["manifest.json"]
    hits, read = bare.search("cache model vector"), bare.read
    assert (bare.search("cache model vector", prompts=True), bare.read) == (hits, read)
    assert bare.match("cache model vector") == []


def test_a_shard_that_is_gone_or_malformed_costs_the_match_only(site: Site) -> None:
    (name,) = [name for name in site.files if name.startswith("q-")]
    broken = Site.__new__(Site)
    broken.__dict__.update(site.__dict__, files={**site.files})
    del broken.files[name]
    assert broken.search("Why is a page not indexed?", prompts=True) == site.search("Why is a page not indexed?")
    broken.search("Why is a page not indexed?", prompts=True)
    assert list(broken.remarks.missing) == [name]


def test_a_reader_asks_for_known_questions_where_it_is_told(site: Site) -> None:
    reader, asked = Reader(site.files.__getitem__, stemmer), "Why is a page not indexed?"
    assert reader.search(asked, prompts=True)[0].matched_question is not None
    assert reader.pages(asked, prompts=True)[0].matched_question is not None
    for hits in (reader.search(asked), reader.pages(asked)):
        assert hits and all(hit.matched_question is None for hit in hits)


def test_no_more_than_so_many_are_pinned() -> None:
    said = {(slot, 0): KnownChunk(MatchedQuestion("Why?", 0, 1.0), 1.0) for slot in range(9)}
    found = pinned([((20, 0), 5.0), ((8, 0), 4.0)], said)
    assert found[:PINNED] == [((slot, 0), 5.0) for slot in range(PINNED)]
    assert found[PINNED:] == [((20, 0), 5.0), ((8, 0), 4.0)]
    assert pinned([], said)[0] == ((0, 0), 0.0)
    assert pinned([((20, 0), 0.5)], said)[0] == ((0, 0), 0.5)


def test_the_chunks_that_are_said_to_answer_keep_a_better_score() -> None:
    said = {
        (1, 0): KnownChunk(MatchedQuestion("Why?", 0, 1.0), 1.0),
        (2, 0): KnownChunk(MatchedQuestion("Why?", 0, 0.9), 1.0),
    }
    ranking = [((3, 0), 5.0), ((2, 0), 4.0), ((1, 0), 3.0)]
    assert pinned(ranking, said) == [((1, 0), 5.0), ((3, 0), 5.0), ((2, 0), 4.0)]
    assert pinned(ranking, {}) == ranking


def test_gains_begin_at_the_last_chunk_or_at_the_floor() -> None:
    assert gains_of([0.25]) == [0.0]
    assert gains_of([FLOOR + 0.5]) == [pytest.approx(RAISE * 0.5)]
    assert gains_of([0.75, 0.25, 0.5]) == [RAISE * 0.5, 0.0, RAISE * 0.25]


def test_what_gains_nothing_stays() -> None:
    ranking = [((1, 0), 2.0), ((2, 0), 2.0)]
    assert raised(ranking, {(9, 0): KnownChunk(MatchedQuestion("Why?", 0, 0.5), 0.0)}) == ranking
    one = {
        (2, 0): KnownChunk(MatchedQuestion("Why?", 0, 0.5), 1.0),
        (3, 0): KnownChunk(MatchedQuestion("Why?", 0, 0.5), 2.0),
    }
    small = {
        (9, 0): KnownChunk(MatchedQuestion("Why?", 0, 0.5), 0.0),
        (2, 0): KnownChunk(MatchedQuestion("Why?", 0, 0.5), 0.5),
    }
    assert raised(ranking, small) == [((2, 0), 2.5), ((1, 0), 2.0)]
    assert raised(ranking, one) == [((2, 0), 3.0), ((1, 0), 2.0), ((3, 0), 2.0)]

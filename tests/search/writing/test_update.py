"""A bundle that is kept up to date is the one that is made from nothing."""

from __future__ import annotations

import hashlib
import json
from collections.abc import MutableMapping
from dataclasses import fields, is_dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from infograph.files import spilled
from infograph.files.spilled import Parts, Spilled, Tape
from infograph.formats import packed_arrays
from infograph.formats.search_fields import parse_fields
from infograph.pipeline.held import Held
from infograph.search.format.question_hash import words_of
from infograph.search.format.search_space import SearchSpace
from infograph.search.format.terms import Language
from infograph.search.writing import postings, shards
from infograph.search.writing.bundle import Bundle, bundle, state_key, update
from infograph.search.writing.bundle_options import SearchOptions
from infograph.search.writing.bundle_state import SearchState, load_state
from infograph.search.writing.page_index import PageIndex, SearchChunk, SearchPage, index_page
from infograph.search.writing.question_table import pack_questions
from infograph.search.writing.room import Room
from infograph.text.language import stemmer

pytestmark = pytest.mark.usefixtures("in_this_process")

WORDS = [
    "cache",
    "model",
    "vector",
    "remove",
    "delete",
    "server",
    "JsonSerializerContext",
    "use_state",
    "東京タワー",
    "naïve",
]
ENGLISH = Language("en", stemmer("en"), frozenset({"the"}))
OPTIONS = SearchOptions(
    most_postings=20,
    posting_bytes=150,
    document_bytes=600,
    vector_bytes=60,
    max_files=110,
    fields=parse_fields(["kind", "tags", "weight:number", "none"]),
)


def numbers(text: str, size: int) -> list[int]:
    """From -1 to 2, by the text alone."""
    return [byte % 4 - 1 for byte in hashlib.shake_256(text.encode()).digest(size)]


class SmallSpace(SearchSpace):
    """A space of few dimensions."""

    def __init__(self) -> None:
        super().__init__()
        self.dimension = 4


SPACE = SmallSpace()
KEY = state_key(ENGLISH, SPACE, OPTIONS)


def fields_of(number: int, seed: int, chunk: int) -> dict[str, tuple[str | int, ...]]:
    """Of the chunk itself, of the whole page, and of some pages alone."""
    found: dict[str, tuple[str | int, ...]] = {"kind": (("code", "text")[(number + chunk) % 3 > 0],)}
    if seed % 3:
        found["tags"] = tuple(f"tag {n}" for n in range(number % 4, seed))
    if number % 2:
        found["weight"] = (100 * number + chunk * (seed % 2),)
    return found


def page(number: int, chunks: int, seed: int) -> PageIndex:
    texts = [
        " ".join(WORDS[byte % len(WORDS)] for byte in hashlib.shake_256(f"{number} {seed} {n}".encode()).digest(9))
        + f" page{number} {seed * n % 7}, of Harbor {(number + seed + n) % 41} and [one]({(number * seed + n) % 45}.md)"
        for n in range(chunks)
    ]
    shown = tuple(
        SearchChunk(
            f"Part {n}", ("Part",), f"part-{n}", f"{n}.md", 9, "0" * 64, t, t, fields=fields_of(number, seed, n)
        )
        for n, t in enumerate(texts)
    )
    vectors = np.array([numbers(text, 4) for text in texts], np.int8).reshape(-1, 4)
    title = f"The Harbor {number % (7 if seed == 3 else 41)}" if seed != 4 else f"page {number}"
    related = (f"Harbor {seed}", f"{seed}.md") if seed > 6 else ()
    indexed = index_page(SearchPage(f"{number}.md", title, f"{number}/", shown, related=related), vectors, ENGLISH)
    asked = [(f"How do I {' '.join(text.split()[:5])}?", n, 0.5) for n, text in enumerate(texts)] if seed % 3 else []
    return replace(indexed, questions=pack_questions(asked, words_of("en")))


class Site(RuleBasedStateMachine):
    """Pages come, change and go, some at a time, over many powers of two of slots and shards."""

    pages: dict[str, PageIndex]
    files: dict[str, bytes]
    """What lies in `_search`."""
    made: Bundle
    state: SearchState | None

    @initialize()
    def begin(self) -> None:
        self.pages, self.files, self.state = {}, {}, None
        self.build(set(), {})

    @rule(
        changed=st.dictionaries(st.integers(0, 40), st.tuples(st.integers(0, 20), st.integers(0, 9)), max_size=12),
        removed=st.sets(st.integers(0, 40), max_size=6),
    )
    def edit(self, changed: dict[int, tuple[int, int]], removed: set[int]) -> None:
        new = {f"{number}.md": page(number, *how) for number, how in changed.items()}
        self.build({f"{number}.md" for number in removed} - new.keys(), new)

    @rule(number=st.integers(0, 40), chunks=st.integers(1, 20), seed=st.integers(0, 9))
    def edit_one(self, number: int, chunks: int, seed: int) -> None:
        self.build(set(), {f"{number}.md": page(number, chunks, seed)})

    @rule(share=st.integers(2, 5))
    def remove_many(self, share: int) -> None:
        self.build(set(sorted(self.pages)[::share]), {})

    @rule()
    def begin_another_process(self) -> None:
        assert self.state is not None
        self.state = load_state(b"".join(self.state.dump()), KEY)
        assert self.state is not None

    def build(self, removed: set[str], changed: dict[str, PageIndex]) -> None:
        self.pages = {path: kept for path, kept in self.pages.items() if path not in removed} | changed
        self.made, self.state = update(self.state, removed, changed.values(), ENGLISH, SPACE, OPTIONS)
        self.files |= self.made.files

    @invariant()
    def it_is_a_clean_build(self) -> None:
        clean = bundle(self.pages.values(), ENGLISH, SPACE, OPTIONS)
        assert self.made.names == clean.names == tuple(clean.files)
        assert {name: self.files[name] for name in self.made.names} == clean.files
        assert not set(self.made.files) - set(self.made.names)


@pytest.mark.slow
def test_a_site_over_many_edits(monkeypatch: pytest.MonkeyPatch) -> None:
    # A dictionary of many files, most of which an edit leaves as they are.
    monkeypatch.setattr(shards, "DICTIONARY_TERMS", 4)
    monkeypatch.setattr(shards, "DICTIONARY_SHARE", 0.3)
    run_state_machine_as_test(Site, settings=settings(max_examples=60, stateful_step_count=12, deadline=None))


def test_a_word_that_is_written_otherwise_is_in_the_dictionary_again() -> None:
    """As many chunks have its term as before, so nothing but its forms tells of it."""

    def harbor(form: str) -> PageIndex:
        text = f"a harbor with {form}"
        chunk = SearchChunk("Part", ("Part",), "part", "0.md", 9, "0" * 64, text, text)
        return index_page(SearchPage("a.md", "Harbor", "a/", (chunk,)), np.zeros((1, 4), np.int8), ENGLISH)

    first, before = update(None, (), [harbor("caching")], ENGLISH, SPACE, OPTIONS)
    made, _ = update(before, (), [harbor("caches")], ENGLISH, SPACE, OPTIONS)
    clean = bundle([harbor("caches")], ENGLISH, SPACE, OPTIONS)
    assert made.names == clean.names and set(made.names) <= set(made.files) | set(first.files)
    assert made.names != first.names


@pytest.fixture(scope="module")
def state() -> SearchState:
    return update(None, (), [page(n, 3, 0) for n in range(9)], ENGLISH, SPACE, OPTIONS)[1]


def test_a_state_for_after_the_build_has_nothing_in_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spilled, "MOST", 0)
    held = Held(str(tmp_path))
    _, state = update(None, (), [page(n, 3, 0) for n in range(9)], ENGLISH, SPACE, OPTIONS, held.room)
    assert in_files(state)
    after = state.in_memory()
    assert not in_files(after)
    assert b"".join(after.dump()) == b"".join(state.dump(held.room))
    assert (
        update(after, (), (), ENGLISH, SPACE, OPTIONS)[0].names
        == update(state, (), (), ENGLISH, SPACE, OPTIONS)[0].names
    )


def in_files(value: object) -> list[object]:
    """Returns what of a value, or of what it is made of, a build may hold in a file."""
    if type(value).__module__ == spilled.__name__:
        return [value]
    if is_dataclass(value):
        return [part for field in fields(value) for part in in_files(getattr(value, field.name))]
    names = getattr(value, "__dict__", {})
    return [part for name in names for part in in_files(names[name])]


def test_nothing_new_makes_no_file_but_the_manifest(state: SearchState) -> None:
    made, after = update(state, (), (), ENGLISH, SPACE, OPTIONS)
    assert list(made.files) == ["manifest.json"]
    assert b"".join(after.dump()) == b"".join(state.dump())


def test_a_state_comes_back(state: SearchState) -> None:
    data = b"".join(state.dump())
    found = load_state(data, KEY)
    assert found is not None
    assert found.wording.site == state.wording.site and "" in found.wording.site.values()
    assert b"".join(found.dump()) == data


@pytest.mark.parametrize("other", [SearchOptions(), SearchOptions(neighbour=1.0)])
def test_a_state_of_other_options_is_none(state: SearchState, other: SearchOptions) -> None:
    assert load_state(b"".join(state.dump()), state_key(ENGLISH, SPACE, other)) is None


def test_a_torn_state_is_none(state: SearchState) -> None:
    data = b"".join(state.dump())
    for place in (0, 64, 65, 200, len(data) // 2, len(data) - 1):
        assert load_state(data[:place], KEY) is None
        assert load_state(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :], KEY) is None
    assert load_state(b"", KEY) is load_state(data + b"0", KEY) is None


def test_a_state_of_another_format_is_none() -> None:
    rest = b'{"format": 99, "key": "%b"}\n' % KEY.encode()
    assert load_state(hashlib.sha256(rest).hexdigest().encode() + b"\n" + rest, KEY) is None


def test_a_state_says_its_format_and_its_parts(state: SearchState) -> None:
    parts = [bytes(part) for part in state.dump()]
    head = json.loads(parts[1])
    assert (head["format"], head["key"], head["dimension"]) == (13, KEY, 4)
    assert sum(head["parts"].values()) == sum(len(part) for part in parts[2:])
    assert parts[0] == hashlib.sha256(b"".join(parts[1:])).hexdigest().encode() + b"\n"


def test_an_empty_state_comes_back() -> None:
    empty = SearchState.empty("key", 4)
    data = b"".join(empty.dump())
    found = load_state(data, "key")
    assert found is not None
    assert (found.paths, found.blocks, len(found.entry_sizes), found.vectors.shape) == ((), [], 0, (0, 4))
    assert b"".join(found.dump()) == data


@pytest.mark.parametrize("at_once", [1, 30, 1_000_000])
def test_what_waits_elsewhere_is_the_same(at_once: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A build from nothing and the one after it, in memory, and with all of it in files and many runs of postings."""

    def built(room: Room, pages: MutableMapping[str, PageIndex]) -> tuple[dict[str, bytes], list[bytes]]:
        first, state = update(None, (), pages, ENGLISH, SPACE, OPTIONS, room)
        changed: MutableMapping[str, PageIndex] = {own.path: own for own in (page(n, 2, 1) for n in (2, 3, 7, 11))}
        again, after = update(state, {"5.md"}, changed, ENGLISH, SPACE, OPTIONS, room)
        assert not pages, "they are taken out"
        return {**first.files, **again.files}, [b"".join(one.dump(room)) for one in (state, after)]

    pages = {own.path: own for own in (page(n, 3, 0) for n in range(9))}
    expected = built(Room(), dict(pages))
    monkeypatch.setattr(spilled, "MOST", 0)
    monkeypatch.setattr(postings, "_AT_ONCE", at_once)
    monkeypatch.setattr(packed_arrays, "_AT_ONCE", 5 * at_once)
    folder = str(tmp_path)
    room = Room(lambda: Parts(folder), lambda: Spilled[bytes](len, folder), lambda: Tape(folder))
    waiting = Spilled[PageIndex](lambda page: 1, folder)
    waiting.update(pages)
    assert built(room, waiting) == expected
    assert list(tmp_path.iterdir()) == []

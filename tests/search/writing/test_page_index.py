from __future__ import annotations

from collections import Counter

import numpy as np
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.search.format.impact import impacts
from infograph.search.format.terms import Language, index_terms, plain
from infograph.search.writing import vocabulary as module
from infograph.search.writing.page_index import (
    BLOCK,
    SNIPPET,
    SearchChunk,
    SearchPage,
    index_page,
    snippet_of,
)
from infograph.search.writing.vocabulary import Vocabulary, vocabulary
from infograph.text.language import stemmer

ENGLISH = Language("en", stemmer("en"), frozenset({"the", "of"}))
TEXTS = st.lists(st.text(alphabet=st.sampled_from("aAbs tT_.-:'’é日本0 \n<>[]("), max_size=40), max_size=20)


def page_of(texts: list[str]) -> SearchPage:
    chunks = tuple(
        SearchChunk(f"Part {n}", ("Guide",), "", f"{n}.md", 3, "0" * 64, t, snippet_of(t)) for n, t in enumerate(texts)
    )
    return SearchPage("a.md", "A", "a/", chunks)


@given(TEXTS)
def test_a_page_has_the_terms_of_its_chunks(texts: list[str]) -> None:
    """Whole and packed, against each chunk counted by itself."""
    counts: list[Counter[str]] = [Counter(index_terms(plain(text), ENGLISH)) for text in texts]
    found = index_page(page_of(texts), np.zeros((len(texts), 4), np.int8), ENGLISH)
    terms = found.terms.decode().split("\n")[:-1]
    assert terms == sorted(set().union(*counts))
    assert found.size == len(texts)
    assert found.length == sum(map(sum, (count.values() for count in counts)))
    expected = [(term, n) for term in terms for n, count in enumerate(counts) if term in count]
    owners = [term for term, times in zip(terms, found.frequencies.tolist(), strict=True) for _ in range(times)]
    assert list(zip(owners, found.chunks.tolist(), strict=True)) == expected
    numbers = np.array([(counts[n][term], sum(counts[n].values())) for term, n in expected], np.int64).reshape(-1, 2)
    headings = [set(index_terms("Guide", ENGLISH)) for _ in texts]
    fields = [(term in headings[n]) + 2 * (n == 0 and term == "a") for term, n in expected]
    assert found.impacts.tolist() == impacts(numbers[:, 0], numbers[:, 1], np.array(fields, np.int64)).tolist()


def test_a_page_of_many_chunks_is_packed_in_wider_numbers() -> None:
    found = index_page(page_of(["cache"] * 300), np.zeros((300, 4), np.int8), ENGLISH)
    assert found.chunks.tolist() == list(range(300))
    assert found.frequencies.tolist() == [300]
    assert [len(orjson.loads(block)[3]) for block in found.blocks] == [BLOCK] * 75


def test_what_was_met_before_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also not where the vocabulary is full after each page."""
    texts = ["The cache of JsonSerializerContext", "caches, 東京タワー"]
    first = index_page(page_of(texts), np.zeros((2, 4), np.int8), ENGLISH)
    monkeypatch.setattr(module, "LARGEST", 0)
    index_page(page_of(["other words", "JsonSerializerContext"]), np.zeros((2, 4), np.int8), ENGLISH)
    known = vocabulary(ENGLISH)
    again = index_page(page_of(texts), np.zeros((2, 4), np.int8), ENGLISH)
    assert known is not vocabulary(ENGLISH)
    assert (again.terms, again.impacts.tolist()) == (first.terms, first.impacts.tolist())


def test_a_piece_is_cut_once() -> None:
    known = Vocabulary(ENGLISH)
    assert known.numbers("caches (caches) use_state").tolist() == [0, 0, 1]
    assert known.terms == [("cach",), ("usest", "use", "state")]


def test_a_vocabulary_is_full_when_its_pieces_are_long_enough_together(monkeypatch: pytest.MonkeyPatch) -> None:
    known = Vocabulary(ENGLISH)
    known.numbers("some words")
    assert not known.full
    monkeypatch.setattr(module, "LARGEST", len("somewords"))
    assert not known.full
    known.numbers("more")
    assert known.full


def test_a_text_met_again_has_the_same_pieces_whatever_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["caches and states", "other words", "caches and states", "caches and states"]
    known = Vocabulary(ENGLISH)
    remembered = [known.numbers(text).tolist() for text in texts]
    monkeypatch.setattr(module, "LARGEST_RECENT", len(texts[0]))
    small = Vocabulary(ENGLISH)
    assert [small.numbers(text).tolist() for text in texts] == remembered


@pytest.mark.parametrize(
    ("body", "snippet"),
    [
        ("", ""),
        ("# Title\n\n```sh\nls\n```\nA **bold** [link](to) and `code`.\n", "ls A bold link and code."),
        (
            "Set \\*args to {\\* file \\*} and a\\_b, \\[not\\] a &lt;tag&gt; &amp; no\n",
            "Set *args to {* file *} and a_b, [not] a <tag> & no",
        ),
        ("Code `a\\*b &lt;` and ``x`y`` stay.\n", "Code a\\*b &lt; and x`y stay."),
        ("```py\n# why\nrows[0] = `\\*`\n```\n", "# why rows[0] = `\\*`"),
        ("~~~\n```\nin\n~~~\nout \\# it\n", "in out # it"),
        (
            "Run *after* it, _before_ it, *the `a*b` and `c`*, ***both***.\n",
            "Run after it, before it, the a*b and c, both.",
        ),
        (
            "2 * 3 * 4, a*b*c, _search/ and _keywords/, __init__, *args\n",
            "2 * 3 * 4, a*b*c, _search/ and _keywords/, __init__, *args",
        ),
        ("> - one\n* *two*\n+ three - four\n-five *\n", "one two three - four -five *"),
        ("| Setting | Means |\n| :--- | ---: |\n| `a\\|b` | | x |\n", "Setting · Means a|b · x"),
        ("|---|---|\n", ""),
        ("A `tick that opens none, **bold\n", "A tick that opens none, bold"),
        ("word " * 100, ("word " * 24).strip()),
        ("x" * 300, "x" * SNIPPET),
    ],
)
def test_a_snippet_is_the_beginning_of_the_text(body: str, snippet: str) -> None:
    assert snippet_of(body) == snippet


@pytest.mark.parametrize("length", [SNIPPET - 1, SNIPPET, SNIPPET + 1])
def test_a_snippet_has_so_many_characters(length: int) -> None:
    assert SNIPPET == 120
    assert len(snippet_of("a" * length)) == min(length, 120)
    first, second = "a" * 60, "b" * (length - 61)
    assert snippet_of(f"{first} {second}") == (f"{first} {second}" if length <= 120 else first)


def test_a_snippet_looks_at_the_first_characters_of_a_chunk() -> None:
    heading = f"# {'x' * 3900}\n"
    assert snippet_of(f"{heading}{'a' * 200}") == "a" * (4000 - len(heading))
    assert snippet_of(f"# {'x' * 4000}\ntext") == ""


def test_a_row_has_the_first_digits_of_a_hash() -> None:
    chunk = SearchChunk("A", (), "", "a.md", 3, "0123456789abcdef" * 4, "text", "text")
    found = index_page(SearchPage("a.md", "A", "a/", (chunk,), "_chunks/"), np.zeros((1, 4), np.int8), ENGLISH)
    assert orjson.loads(found.blocks[0])[3] == [["A", [], "", "text", 3, "_chunks/a.md", "0123456789abcdef" * 2]]


def test_a_vocabulary_is_full_past_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST", 7)
    known = Vocabulary(ENGLISH)
    known.numbers("abc defg")
    assert not known.full, "seven characters"
    known.numbers("abc. x")
    assert known.full
    module.forget()
    first = vocabulary(ENGLISH)
    assert vocabulary(ENGLISH) is first
    first.numbers("abcdefgh")
    assert vocabulary(ENGLISH) is not first
    module.forget()


def test_so_many_characters_of_texts_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST_RECENT", 10)
    known = Vocabulary(ENGLISH)
    for text, kept in (("12345", 1), ("67890", 2), ("12345", 2), ("x", 1), ("123456789", 2), ("y", 1), ("z" * 20, 1)):
        known.numbers(text)
        assert len(known._recent) == kept, text
        assert text in known._recent


def test_a_stem_is_asked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    known = Vocabulary(Language("en", lambda word: asked.append(word) or word))
    known.numbers("cache cache. x-cache")
    assert asked.count("cache") == 1
    assert known.forms[0] == ("cache ",)


def test_forms_are_counted_up_to_255() -> None:
    for times, said in ((1, 1), (254, 254), (255, 255), (256, 255), (600, 255)):
        found = index_page(page_of(["caches " * times]), np.zeros((1, 4), np.int8), ENGLISH).forms
        assert (found.terms, found.impacts.tolist()) == (b"cach es\n", [said])
        assert (found.frequencies.tolist(), found.chunks.tolist()) == ([1], [0])
    found = index_page(page_of(["cache caches", "caches x86"]), np.zeros((2, 4), np.int8), ENGLISH).forms
    assert (found.terms, found.impacts.tolist()) == (b"cach e\ncach es\n", [1, 2])


def test_a_page_without_chunks_has_nothing() -> None:
    found = index_page(page_of([]), np.zeros((0, 4), np.int8), ENGLISH)
    assert (found.size, found.length, found.terms, found.blocks, found.hashes) == (0, 0, b"", (), b"")


def test_each_block_has_the_hashes_of_its_chunks() -> None:
    texts = [f"cache number{n}" for n in range(35)]
    found = index_page(page_of(texts), np.zeros((35, 4), np.int8), ENGLISH)
    blocks = [orjson.loads(block) for block in found.blocks]
    assert "".join(hashes for *_, hashes in blocks) == found.hashes.hex()
    assert [len(hashes) for *_, hashes in blocks] == [BLOCK * 16] * 8 + [3 * 16]
    assert [row[5] for *_, rows, _ in blocks for row in rows] == [f"{n}.md" for n in range(35)]
    assert blocks[0][:3] == ["a.md", "A", "a/"]


@pytest.mark.parametrize(
    ("body", "snippet"),
    [
        ("~~~\ncode\n:::note\ntext", "code text"),
        ("  one   two \n\n three", "one two three"),
        ("#hash\n  ## more\nx", "x"),
        ("a" * 60 + "\n" + "b" * 60 + "\nc", "a" * 60),
    ],
)
def test_a_snippet_leaves_out_markup_and_blanks(body: str, snippet: str) -> None:
    assert snippet_of(body) == snippet

"""The compiled extension gives what its twin in Python gives, byte for byte."""

from __future__ import annotations

import importlib
import importlib.util
import os
import random
import shutil
import subprocess
import sys
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from infograph.chunking import tokens
from infograph.embedding import static
from infograph.pipeline.worker.pages import language_of
from infograph.search.writing import names, vocabulary
from infograph.text.language import stop_words
from infograph.topic import candidate_terms
from infograph.words import phrases, pure, runs, simhash, texts
from infograph.words.twins import SWITCH, WHY_PURE

NAME = "infograph.words._compiled"
THERE = importlib.util.find_spec(NAME) is not None
SAMPLE_DOCS = Path(__file__).parents[2] / "sample-docs"

needs_the_extension = pytest.mark.skipif(not THERE, reason="no extension was compiled: no compiler, or told not to")

WORDS = st.one_of(
    st.binary(max_size=80),
    st.lists(st.sampled_from([b"a", b"ab", b"ab.", b"x" * 70, b"\xff", b"\0", b"\x1c", b"\xc2\x85"]), max_size=40).map(
        b" ".join
    ),
    st.text("ab \t\n\r\x0b\x0c\x1c\x85\xa0\u2028", max_size=60).map(str.encode),
)
TEXTS = st.one_of(
    st.text("the cache of's-_*\n\t 3é漢字カナ“—\u0301٣½\x1c\xa0😀⚙️🄰", max_size=80),
    st.lists(st.sampled_from(["cache", "the", "re-render", "*", "\n\n", "\n", "_x_", "3rd", "a", "’", "naïve"])).map(
        " ".join
    ),
    st.text(max_size=60),
).map(str.lower)


@pytest.fixture(scope="module")
def compiled() -> ModuleType:
    return importlib.import_module(NAME)


def test_what_must_be_compiled_is_compiled() -> None:
    """Where the switch says so, as CI does, a missing extension is a failure and not a skipped test."""
    if os.environ.get(SWITCH) == "0":
        assert WHY_PURE == ""
    assert (SWITCH in WHY_PURE) == (os.environ.get(SWITCH, "0") not in ("", "0"))


def observed(twin: ModuleType, text: bytes, longest: int, often: int) -> list[object]:
    """All that a memo says of a text, where the numbers of words are asked for in Python."""
    memo = twin.Memo(longest=longest)
    asked: list[bytes] = []

    def number_of(word: bytes) -> int:
        asked.append(word)
        if word.endswith(b".") and word != b".":
            return int(memo.number(word[:-1], number_of))
        if often and len(asked) % often == 0:
            memo.clear()
        return len(asked)

    found = [memo.numbers(text, number_of), len(memo), memo.total(text, number_of), len(memo)]
    found += [memo.number(text, number_of), memo.number(b"", number_of), len(memo)]
    memo.clear()
    return [*found, len(memo), memo.total(text, len), asked]


@needs_the_extension
@given(text=WORDS, longest=st.integers(0, 70), often=st.integers(0, 5))
@example(text=b" ".join(b"%d" % number for number in range(3000)), longest=64, often=0)
@example(text=b"\x00\x08\x09\x0d\x0e\x1f \x21", longest=64, often=0)
@settings(max_examples=300, deadline=None)
def test_a_memo_says_the_same(text: bytes, longest: int, often: int, compiled: ModuleType) -> None:
    assert observed(compiled, text, longest, often) == observed(pure, text, longest, often)


@needs_the_extension
@given(data=st.data(), width=st.integers(1, 40), count=st.integers(1, 9))
@settings(deadline=None)
def test_sums_of_rows_are_the_same(data: st.DataObject, width: int, count: int, compiled: ModuleType) -> None:
    seed = data.draw(st.integers(0, 99))
    rows = np.random.default_rng(seed).integers(-(1 << 15), 1 << 15, (count, width)).astype(np.int16)
    numbers = np.array(data.draw(st.lists(st.integers(0, count - 1), max_size=50)), np.int64)
    expected = rows.astype(np.int64)[numbers].sum(axis=0).tolist()
    for twin in (pure, compiled):
        assert np.frombuffer(twin.sum_rows(rows, width, numbers.tobytes()), np.int64).tolist() == expected


@needs_the_extension
def test_sums_of_many_rows_do_not_overflow(compiled: ModuleType) -> None:
    rows = np.array([[-(1 << 15), (1 << 15) - 1]], np.int16)
    many = np.zeros(200_000, np.int64).tobytes()
    for twin in (pure, compiled):
        assert np.frombuffer(twin.sum_rows(rows, 2, many), np.int64).tolist() == [-(200_000 << 15), 200_000 * 32767]


@needs_the_extension
@given(text=TEXTS)
@example(text="*\n\n \n\t* star\n  *. word\n* - next")
@example(text="a b-c d' e- f_ g_h 3rd\u0301 x\u0301y")
@example(text="one \u2fff two \ufe00 three\ufe0f \U0001f000 four \U0001ffff five")
@example(text="one \U0001efff two")
@example(text="one \ufe10 two")
@example(text="one \u3000 two")
@example(text="one \U00020000 two")
@settings(max_examples=500, deadline=None)
def test_phrases_are_the_same(text: str, compiled: ModuleType) -> None:
    stop = compiled.Memo(20)
    for word in stop_words("en"):
        stop.number(word.encode(), len)
    adjacent = stop.adjacent(text, phrases.classes())
    others = any(all(ord(character) not in some for some in phrases.CLASSED) for character in text)
    found = phrases.Phrases(stop_words("en")).found(text)
    assert adjacent == (None if others else found)
    assert compiled.compounds(found) == pure.compounds(found)


def split(memo: Any, text: str) -> list[str] | None:
    """The words of a text and what stands before each, by the numbers that a memo gives them."""
    asked: list[bytes] = []

    def number_of(piece: bytes) -> int:
        asked.append(piece)
        return len(asked) - 1

    packed = memo.alternating(text, phrases.classes(), number_of)
    return None if packed is None else [asked[number].decode() for number in array("q", packed)]


@needs_the_extension
@given(text=TEXTS)
@example(text="a'b a''b a- b-’c d’e’ 'f -g_h-3")
@example(text="’")
@example(text="one\u2fff two \ufe00three \ufe0f\U0001f000 four-\U0001ffff 🄰five'\U0001f100")
@example(text="one \ufdff two")
@example(text="one \ufe10 two")
@example(text="one \U0001efff two")
@example(text="one \U00020000 two")
@settings(max_examples=500, deadline=None)
def test_words_and_what_stands_between_them_are_the_same(text: str, compiled: ModuleType) -> None:
    others = any(all(ord(character) not in some for some in phrases.CLASSED) for character in text)
    assert split(compiled.Memo(8), text) == (None if others else names._WORD.split(text)[:-1])


@pytest.mark.parametrize("twin", [pure, pytest.param(NAME, marks=needs_the_extension)])
def test_what_is_wrong_is_an_error(twin: ModuleType | str) -> None:
    found = importlib.import_module(twin) if isinstance(twin, str) else twin
    memo = found.Memo(64)
    with pytest.raises(ValueError, match="negative"):
        memo.numbers(b"a", lambda word: -1)
    with pytest.raises(ZeroDivisionError):
        memo.total(b"a b", lambda word: 1 // 0)
    with pytest.raises(OverflowError):
        memo.numbers(b"a", lambda word: 1 << 64)
    with pytest.raises(TypeError):
        memo.number(b"b", lambda word: "1" < 1)
    for longest in (-1, 1 << 32):
        with pytest.raises(ValueError, match="longest"):
            found.Memo(longest)
    rows = np.zeros((3, 2), np.int16)
    for wrong in (-1, 3, 1 << 62, -(1 << 63)):
        with pytest.raises(IndexError, match="no row"):
            found.sum_rows(rows, 2, np.array([0, wrong], np.int64).tobytes())
    assert memo.total(b"b c", len) == 2


@needs_the_extension
def test_a_text_with_half_a_surrogate_pair_is_left_to_python(compiled: ModuleType) -> None:
    assert compiled.Memo(1).adjacent("one \ud800 two", phrases.classes()) is None
    assert compiled.Memo(1).alternating("one \ud800 two", phrases.classes(), len) is None
    assert phrases.Phrases(()).of("one two \ud800 three four") == "one two\nthree four"


@needs_the_extension
def test_a_fault_of_who_is_asked_is_no_missing_class(compiled: ModuleType) -> None:
    with pytest.raises(ZeroDivisionError):
        compiled.Memo(1).alternating("one two", phrases.classes(), lambda word: 1 // 0)


@needs_the_extension
def test_sums_need_rows_of_their_width(compiled: ModuleType) -> None:
    rows = np.zeros(9, np.int16)
    for width, numbers in ((0, b""), (-1, b""), (1 << 40, b""), (2, b"1234567")):
        with pytest.raises(ValueError, match="rows of 16 bits"):
            compiled.sum_rows(rows, width, numbers)
    with pytest.raises(ValueError, match="rows of 16 bits"):
        compiled.sum_rows(memoryview(b"123456789")[1:], 2, b"")
    with pytest.raises(IndexError):  # nine numbers are four whole rows of two
        compiled.sum_rows(rows, 2, np.array([4], np.int64).tobytes())


@needs_the_extension
@given(data=st.data(), texts=st.lists(st.integers(0, 20), max_size=6))
@settings(max_examples=200, deadline=None)
def test_keys_of_runs_are_the_same(data: st.DataObject, texts: list[int], compiled: ModuleType) -> None:
    flags, few = st.integers(0, 7), st.sampled_from([0, 1, 5, (1 << 64) - 1, 0x123456789ABCDEF])
    rows = data.draw(st.lists(st.tuples(few, flags, flags), min_size=sum(texts), max_size=sum(texts)))
    keys, kinds, gaps = (np.array([row[at] for row in rows], kind) for at, kind in enumerate(("u8", "u1", "u1")))
    lengths = np.array(texts, np.int64)
    found, counts = compiled.run_keys(keys, kinds, gaps, lengths)
    assert (found, counts) == runs.run_keys(keys, kinds, gaps, lengths)
    ends = np.cumsum(np.frombuffer(counts, np.int64)).tolist()
    for begin, end in zip([0, *ends], ends, strict=False):
        of_text = np.frombuffer(found, np.uint64)[begin:end].tolist()
        assert of_text == sorted(set(of_text))


@needs_the_extension
def test_runs_need_the_words_of_their_texts(compiled: ModuleType) -> None:
    keys, flags = np.zeros(2, np.uint64), np.zeros(2, np.uint8)
    for twin in (runs, compiled):
        for lengths in ([], [1], [3], [-1, 3], [1, 2], [2, 1], [1 << 62, 1 << 62, 1 << 62, 1 << 62], [2, -(1 << 63)]):
            with pytest.raises(ValueError, match="do not have these words"):
                twin.run_keys(keys, flags, flags, np.array(lengths, np.int64))
    for wrong in ((keys, flags[:1], flags), (keys, flags, flags[:1]), (flags, flags, flags)):
        with pytest.raises(ValueError, match="of each word"):
            compiled.run_keys(*wrong, np.array([2], np.int64))


@needs_the_extension
@given(data=st.data(), terms=st.integers(0, 9), size=st.integers(0, 40))
@settings(max_examples=100, deadline=None)
def test_sim_hashes_are_the_same(data: st.DataObject, terms: int, size: int, compiled: ModuleType) -> None:
    features = data.draw(st.binary(min_size=8 * terms, max_size=8 * terms))
    pairs = st.tuples(st.integers(0, terms - 1), st.integers(0, size - 1)) if terms and size else st.nothing()
    postings = data.draw(st.lists(pairs, unique=True, max_size=60)) if terms and size else []
    some = st.sampled_from([1, 2, 3, 4, 7, 8, 255, 1 << 40])
    counts = np.array([data.draw(some) for _ in postings], np.int64)
    owners, chunks = (np.array([pair[at] for pair in postings], np.int64) for at in range(2))
    found = compiled.sim_hashes(features, owners, chunks, counts, size)
    assert found == simhash.sim_hashes(features, owners, chunks, counts, size)
    assert len(found) == 8 * size


@needs_the_extension
def test_sim_hashes_need_places_that_are_there(compiled: ModuleType) -> None:
    one = np.zeros(1, np.int64)
    for twin in (simhash, compiled):
        for wrong in (-1, 1, 1 << 62, -(1 << 63)):
            for places in ((np.array([wrong]), one), (one, np.array([wrong]))):
                with pytest.raises(IndexError, match="no term"):
                    twin.sim_hashes(b"12345678", *places, one, 1)
    for features, columns, size in (
        (b"1", (one, one, one), 1),
        (b"12345678", (one, one, one[:0]), 1),
        (b"", [one[:0]] * 3, -1),
    ):
        with pytest.raises(ValueError, match="64 bits"):
            compiled.sim_hashes(features, *columns, size)
    with pytest.raises(MemoryError):
        compiled.sim_hashes(b"", *[one[:0]] * 3, 1 << 60)


SOME_TEXTS = st.one_of(st.text("ab. _\0\x7f", max_size=9), st.text(max_size=5), st.just("\ud800"))


@needs_the_extension
@given(found=st.lists(SOME_TEXTS, max_size=5), seed=st.integers(0, 9))
@settings(deadline=None)
def test_flags_of_texts_are_the_same(found: list[str], seed: int, compiled: ModuleType) -> None:
    tables = bytes(random.Random(seed).choices((0, 1, 2, 4, 8, 64), k=3 * 128))
    assert compiled.text_flags(found, tables) == texts.text_flags(found, tables)


@needs_the_extension
@given(text=SOME_TEXTS, seed=st.integers(0, 9))
@settings(deadline=None)
def test_neighbours_and_what_is_replaced_are_the_same(text: str, seed: int, compiled: ModuleType) -> None:
    chance = random.Random(seed)
    tables = bytes(chance.choices((0, 1, 3, 4, 8, 255), k=2 * 256))
    table = tuple(chance.choices(("", "x", "é", "&amp;", "\0"), k=128))
    for name, own in (("neighbours", tables), ("replaced", table)):
        try:
            expected = getattr(texts, name)(text, own)
        except UnicodeEncodeError:
            with pytest.raises(UnicodeEncodeError):
                getattr(compiled, name)(text, own)
        else:
            assert getattr(compiled, name)(text, own) == expected


@needs_the_extension
def test_texts_need_tables_of_their_size(compiled: ModuleType) -> None:
    for twin in (texts, compiled):
        for call in (
            lambda: twin.text_flags(["a"], bytes(383)),  # noqa: B023
            lambda: twin.neighbours("a", bytes(513)),  # noqa: B023
            lambda: twin.replaced("a", ("",) * 127),  # noqa: B023
        ):
            with pytest.raises(ValueError, match="table"):
                call()
        with pytest.raises(TypeError, match="text"):
            twin.text_flags(["a", 7], bytes(384))


def scanned(texts: list[str]) -> list[object]:
    """All that scanning gives, of texts one after the other; with what stands in the modules for a twin."""
    made = vocabulary.Vocabulary(language_of("en"))
    candidate_terms._phrases.cache_clear()
    names.forget()
    numbers = [made.numbers(text).tolist() for text in texts]
    return [
        tokens.WordPieceCounter().count(texts),
        static.StaticEmbedder().sums(texts).tobytes(),
        *(numbers, made.terms, made.forms),
        [candidate_terms.chunk_terms(text) for text in texts],
        [part.tolist() for part in names.text_keys(texts)],
    ]


@pytest.fixture
def both(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[list[str]], list[list[object]]]]:
    """What each of the twins makes of some texts."""

    def scan(texts: list[str]) -> list[list[object]]:
        found = []
        for twin in (pure, importlib.import_module(NAME)):
            for module in (tokens, static, vocabulary, phrases):
                monkeypatch.setattr(module, "Memo", twin.Memo)
            monkeypatch.setattr(static, "sum_rows", twin.sum_rows)
            monkeypatch.setattr(names, "run_keys", (runs if twin is pure else twin).run_keys)
            monkeypatch.setattr(names, "_NUMBERED", names._Numbered(twin.Memo(64)))
            for module in (phrases, names):
                monkeypatch.setattr(module, "WHY_PURE", "it is tested" if twin is pure else "")
            found.append(scanned(texts))
        return found

    yield scan
    candidate_terms._phrases.cache_clear()
    names.forget()


def slices(folder: Path, chance: random.Random) -> list[str]:
    """The pages of a tree, each whole or cut anywhere."""
    texts = []
    for path in sorted(folder.rglob("*.md*")):
        if path.is_file() and path.suffix in (".md", ".mdx"):
            text = path.read_text("utf-8", "replace")
            places = sorted(chance.sample(range(len(text) + 1), min(3, len(text) + 1)))
            texts += [text[begin:end] for begin, end in zip([0, *places], [*places, len(text)], strict=True)]
    return texts


@needs_the_extension
def test_what_is_scanned_of_the_sample_docs_is_the_same(both: Callable[[list[str]], list[list[object]]]) -> None:
    texts = slices(SAMPLE_DOCS, random.Random(1))
    python, compiled = both(texts)
    assert len(texts) > 50
    assert python == compiled


@pytest.mark.slow
@needs_the_extension
def test_what_is_scanned_of_real_trees_is_the_same(both: Callable[[list[str]], list[list[object]]]) -> None:
    trees = os.environ.get("TEST_TREES")
    if not trees:
        pytest.skip("TEST_TREES does not say where the documentation trees are")
    for tree in sorted(path for path in Path(trees).iterdir() if path.is_dir() and path.name[0] != "."):
        texts = slices(tree, random.Random(1))
        assert texts, tree
        python, compiled = both(texts)
        assert python == compiled, tree


@pytest.mark.slow
@needs_the_extension
def test_a_tree_built_by_either_is_the_same_bytes(tmp_path: Path) -> None:
    built = []
    for switch in ("0", "1"):
        docs = tmp_path / switch / "docs"
        shutil.copytree(SAMPLE_DOCS, docs, ignore=shutil.ignore_patterns("_chunks", "_keywords", "_search", ".*"))
        command = [sys.executable, "-m", "infograph", "build", str(docs), "--model", "static"]
        environment = os.environ | {SWITCH: switch, "PYTHONPATH": os.pathsep.join(sys.path)}
        subprocess.run(command, check=True, capture_output=True, env=environment)
        files = sorted(path for path in docs.rglob("*") if path.is_file() and ".infograph" not in path.parts)
        built.append({path.relative_to(docs).as_posix(): path.read_bytes() for path in files})
    assert len(built[0]) > 100
    assert built[0] == built[1]

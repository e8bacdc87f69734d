"""Fuzzes what is compiled: it gives what its twin in Python gives, whatever the bytes.

The first byte says how long a word is remembered and when the memo is emptied; the others are the text. Without the
extension only the twin in Python is held to what it promises.
"""

from __future__ import annotations

import importlib
import importlib.util
from array import array
from types import ModuleType

import numpy as np

from infograph.search.writing import names
from infograph.text.language import stop_words
from infograph.words import phrases, pure, runs, texts

_NAME = "infograph.words._compiled"
COMPILED = importlib.import_module(_NAME) if importlib.util.find_spec(_NAME) else None
PHRASES = phrases.Phrases(stop_words("en"))
ROWS = np.arange(-1024, 1024, dtype=np.int16).reshape(512, 4)


def check(data: bytes) -> None:
    """Asserts what must hold for any input."""
    if not data:
        return
    longest, often, text = data[0] % 16, data[0] // 16, data[1:]
    found = _numbers(pure, longest, often, text)
    sizes = [len(word) for word in text.split()]
    assert [*array("q", pure.Memo(longest).numbers(text, len))] == sizes
    assert pure.Memo(longest).total(text, len) == sum(sizes)
    lines = text.decode("utf-8", "replace").lower()
    said = PHRASES.found(lines)
    assert all(" ".join(said.split("\n")).split(" ")) or not said
    if COMPILED is not None:
        assert _numbers(COMPILED, longest, often, text) == found
        assert COMPILED.compounds(said) == pure.compounds(said)
        keys, flags = np.frombuffer(text.ljust(-len(text) % 8 + len(text)), np.uint64), np.frombuffer(text, np.uint8)
        count = min(len(keys), len(flags))
        of_words = (keys[:count], flags[:count], flags[::-1][:count].copy())
        lengths = np.array([count // 2, count - count // 2], np.int64)
        assert COMPILED.run_keys(*of_words, lengths) == runs.run_keys(*of_words, lengths)
        table = tuple(data.decode("latin-1").ljust(128)[:128])
        assert COMPILED.replaced(lines, table) == texts.replaced(lines, table)
        flags = data.ljust(512, b"\x81")[:512]
        assert COMPILED.neighbours(lines, flags) == texts.neighbours(lines, flags)
        few = [lines, *lines.split()[:9]]
        assert COMPILED.text_flags(few, flags[:384]) == texts.text_flags(few, flags[:384])
        memo = COMPILED.Memo(64)
        asked: list[bytes] = []
        packed = memo.alternating(lines, phrases.classes(), lambda piece: (asked.append(piece), len(asked) - 1)[1])
        if packed is not None:
            assert [asked[number].decode() for number in array("q", packed)] == names._WORD.split(lines)[:-1]
        memo.clear()
        for word in stop_words("en"):
            memo.number(word.encode(), len)
        assert memo.adjacent(lines, phrases.classes()) in (said, None)
        classed = all(any(ord(sign) in some for some in phrases.CLASSED) for sign in set(lines))
        assert (memo.adjacent(lines, phrases.classes()) is not None) == classed


def _numbers(twin: ModuleType, longest: int, often: int, text: bytes) -> tuple[bytes, int, int, bytes]:
    """Returns all that a twin says of a text; the memo is emptied after every `often` new words."""
    memo, asked = twin.Memo(longest), [0]

    def number_of(word: bytes) -> int:
        asked[0] += 1
        if word.endswith(b".") and word != b".":
            return int(memo.number(word[:-1], number_of))
        if often and asked[0] % often == 0:
            memo.clear()
        return asked[0]

    numbers = memo.numbers(text, number_of)
    total, left = memo.total(text, number_of), len(memo)
    some = (np.frombuffer(numbers, np.int64) % len(ROWS)).tobytes()
    return numbers, total, left, twin.sum_rows(ROWS, ROWS.shape[1], some)

from __future__ import annotations

import pytest

from infograph.search.encoding import hashes32
from infograph.search.shards import DICTIONARY_SHARE, SINGLE, Shards, letters


def test_the_dictionary_says_the_letters_of_its_words() -> None:
    terms = ["naïve", "cafe\u0301", "東京", "тест", "x86", "use_state"]
    assert letters(terms) == "".join(sorted(set("naïvecafe\u0301тестxusestate")))
    assert letters(["".join(map(chr, range(0x400, 0x450)))] + ["abc"] * 2) == "abc" + "".join(
        map(chr, range(0x400, 0x43D))
    )
    assert letters([]) == ""


@pytest.mark.parametrize("most", [16, 40, 200])
def test_each_dictionary_has_no_more_files_than_its_share(most: int) -> None:
    terms = sorted({f"{number:x}" for number in range(0, 1 << 20, 37)})
    shards = Shards(most, {})
    shards.dictionary(
        terms,
        hashes32([term.encode() for term in terms]),
        [1] * len(terms),
        {},
        dict.fromkeys([*terms[1::2], "word"], ""),
    )
    assert len(shards.files) <= 2 * (1 + max(1, int((most - SINGLE) * DICTIONARY_SHARE)))

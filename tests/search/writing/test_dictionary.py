from __future__ import annotations

import pytest

from infograph.search.format.encoding import hashes32
from infograph.search.writing.dictionary import Wording, dictionary
from infograph.search.writing.postings import Postings
from infograph.search.writing.shards import DICTIONARY_SHARE, SINGLE, Shards


@pytest.mark.parametrize("most", [16, 40, 200])
def test_each_dictionary_has_no_more_files_than_its_share(most: int) -> None:
    terms = sorted({f"{number:x}" for number in range(0, 1 << 20, 37)})
    shards = Shards(most, {})
    common = dict.fromkeys([*terms[1::2], "word"], "")
    hashes = hashes32([term.encode() for term in terms])
    dictionary(shards, terms, hashes, [1] * len(terms), Wording(Postings.none(), {}, common))
    assert len(shards.files) <= 2 * (1 + max(1, int((most - SINGLE) * DICTIONARY_SHARE)))

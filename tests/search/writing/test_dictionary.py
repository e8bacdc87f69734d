from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from infograph.search.format.encoding import hashes32
from infograph.search.writing.dictionary import Wording, dictionary
from infograph.search.writing.page_index import PageIndex
from infograph.search.writing.postings import Postings
from infograph.search.writing.shards import DICTIONARY_SHARE, SINGLE, Shards


@pytest.mark.parametrize("most", [16, 40, 200])
def test_each_dictionary_has_no_more_files_than_its_share(most: int) -> None:
    terms = sorted({f"{number:x}" for number in range(0, 1 << 20, 37)})
    shards = Shards(most, {})
    common = dict.fromkeys([*terms[1::2], "word"], "")
    hashes = hashes32([term.encode() for term in terms])
    dictionary(shards, terms, hashes, np.ones(len(terms), np.int64), {}, common, ())
    assert len(shards.files) <= 2 * (1 + max(1, int((most - SINGLE) * DICTIONARY_SHARE)))


WRITTEN = {"a": "zebras yaks", "b": "zebra zebra yak", "c": "yak"}


def test_the_forms_of_a_page_go_with_it(make_page: Callable[..., PageIndex]) -> None:
    """Those of the pages that stay are as in a dictionary that never had it, whichever page goes."""
    pages = [make_page(f"{name}.md", 2, f"{words} only{name}s") for name, words in WRITTEN.items()]
    none, chunks = Wording(Postings.none(), {}), np.arange(2, dtype=np.int32)
    every = none.updated(np.zeros(0, np.int32), [(2 * place, page) for place, page in enumerate(pages)])
    assert {term: every.site[term] for term in ("zebra", "yak")} == {"zebra": " s", "yak": " s"}
    for gone in range(3):
        left = [page for place, page in enumerate(pages) if place != gone]
        numbers = np.concatenate([chunks - 2 * (place > gone) + 2 * place for place in range(3)])
        numbers[2 * gone : 2 * gone + 2] = -1
        clean = none.updated(np.zeros(0, np.int32), [(2 * place, page) for place, page in enumerate(left)])
        assert every.updated(numbers.astype(np.int32), ()).site == clean.site

"""The terms of a topic's table that a chunk gets as keywords."""

import pytest

from infograph.model import Keyword, KeywordRow
from infograph.topic.candidate_terms import chunk_terms
from infograph.topic.chunk_keywords import ChunkKeywords


def test_a_chunk_has_the_tables_terms_as_whole_numbers():
    rows = [
        KeywordRow("cache", "word", 1, 1, 1, 2.5),
        KeywordRow("build cache", "compound", 1, 1, 1, 0.2),
        KeywordRow("order", "word", 1, 1, 1, 9.0),
        KeywordRow("banned", "word", 1, 1, 1, 0.0, True),
        KeywordRow("PSReadLine", "code", 1, 1, 1, 3.0),
    ]
    text = "The build cache of psreadline, banned."
    find = ChunkKeywords(rows, "en", 12)
    assert not find.needs_text
    found = find.find(chunk_terms(text))
    assert found == (Keyword("PSReadLine", 3.0), Keyword("cache", 3.0), Keyword("build cache", 1.0))
    assert ChunkKeywords(rows, "en", 1).find(chunk_terms(text)) == (Keyword("PSReadLine", 3.0),)


@pytest.mark.parametrize("term", ["State of the Art", "C++", "a", "four words in it"])
def test_pinned_terms_the_extractor_cannot_see_are_found_in_the_text(term: str):
    find = ChunkKeywords([KeywordRow(term, "compound", 0, 1, 1, 5.0, True)], "en", 12)
    assert find.needs_text
    texts = {f"x {term.upper()}.": True, term.replace(" ", "\n"): True, f"x{term}": False, "": False}
    for text, found in texts.items():
        assert bool(find.find(chunk_terms(text), text)) is found


def test_a_plural_in_a_chunk_is_found_by_its_singular():
    rows = [KeywordRow("container", "word", 9, 1, 2, 18.0), KeywordRow("cache policy", "compound", 4, 1, 2, 12.0)]
    found = ChunkKeywords(rows, "en", 5).find(chunk_terms("Many containers with cache policies."))
    assert [keyword.name for keyword in found] == ["container", "cache policy"]


def test_a_pinned_compound_is_found_in_a_listing():
    rows = [KeywordRow("gadget run", "", 0, 1, 1, 77.0, True), KeywordRow("gadget stop", "", 0, 1, 1, 5.0, True)]
    find = ChunkKeywords(rows, "en", 12)
    assert find.needs_text
    text = "Start it.\n\n```sh\ngadget run --fast\n```\n"
    assert find.find(chunk_terms(text), text) == (Keyword("gadget run", 77.0),)
    assert find.unmatched() == ("gadget stop",)


def test_a_pinned_term_that_does_not_fit_among_the_keywords_is_matched():
    rows = [KeywordRow("cache", "word", 1, 1, 1, 9.0), KeywordRow("order", "word", 1, 1, 1, 1.0, True)]
    find = ChunkKeywords(rows, "en", 1)
    assert [keyword.name for keyword in find.find(chunk_terms("A cache in order."))] == ["cache"]
    assert find.unmatched() == ()

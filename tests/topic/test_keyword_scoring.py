"""The authority table: the formula, the admission of terms, pinned rows."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infograph.model import Keyword, KeywordRow
from infograph.topic.candidate_terms import chunk_terms, document_terms
from infograph.topic.keyword_scoring import (
    TopicTerms,
    document_frequency,
    globality,
    rank_changes,
    ranked,
    score_table,
    topic_keywords,
    topic_terms,
)


def topic(*texts: str) -> TopicTerms:
    return topic_terms(map(chunk_terms, texts))


def table(terms: TopicTerms, frequency: dict[str, int], topics: int, **options) -> dict[str, KeywordRow]:
    return {row.term: row for row in score_table(terms, frequency, topics, **{"pinned": (), "limit": 500, **options})}


@pytest.mark.parametrize(
    ("frequency", "topics", "expected"),
    [(1, 1, 2.0), (1, 9, 2.0), (2, 21, 2.0), (2, 20, 1.5), (10, 100, 1.5), (24, 100, 1.5), (25, 100, 1.0), (2, 4, 1.0)],
)
def test_globality(frequency: int, topics: int, expected: float):
    assert globality(frequency, topics) == expected


@pytest.mark.parametrize(
    ("heading", "multiplier"), [("# ", 1.5), ("## ", 1.25), ("### ", 1.1), ("###### ", 1.1), ("", 1.0)]
)
def test_score_is_count_times_header_times_type_times_globality(heading: str, multiplier: float):
    terms = topic(f"{heading}Build cache\n\nThe build cache is a cache, `Cache`.")
    rows = table(terms, {"build cache": 1, "cache": 3, "Cache": 1}, 20)
    assert rows["build cache"] == KeywordRow(
        "build cache", "compound", 2, multiplier, 2.0, round(2 * multiplier * 1.5 * 2.0, 6)
    )
    assert rows["cache"] == KeywordRow("cache", "word", 3, 1.0, 1.5, 4.5)  # no header multiplier for a word
    assert rows["Cache"] == KeywordRow("Cache", "code", 1, 1.0, 2.0, 2.0)


@pytest.mark.parametrize(
    ("count", "frequency", "kept"), [(1, 24, True), (1, 25, False), (10, 25, True), (9, 25, False), (10, 50, False)]
)
def test_kept_when_rare_or_frequent_here(count: int, frequency: int, kept: bool):
    assert ("cache" in table(topic("cache. " * count), {"cache": frequency}, 100)) is kept


def test_a_tree_of_one_topic_has_keywords():
    assert table(topic("cache"), {"cache": 1}, 1)["cache"].globality == 2.0


def test_a_compound_is_a_candidate_when_it_occurs_twice_or_in_a_heading():
    assert topic("stripe order").compounds == {}
    assert topic("stripe order", "Stripe order!").compounds == {"stripe order": 2}
    assert topic("# Stripe order").compounds == {"stripe order": 1}


def test_a_pair_that_is_only_ever_a_part_is_no_term_of_its_own():
    assert topic("path operation function. " * 3 + "path operation.").compounds == {
        "path operation": 4,
        "path operation function": 3,
    }


def test_spellings_of_one_name_are_one_term():
    terms = topic("`PSReadLine` and `PSReadLine` and psreadline", "`async` async async", "`Path` path")
    assert terms.codes == {"PSReadLine": 3, "Path": 1}
    assert terms.words == {"async": 3, "path": 1}


@pytest.mark.parametrize(
    "noise", ["b1946ac92492d234", "D3D7CF", "aaaaaa", "`None`", "`self`", "x" * 70, "eyJh1bGc2iOi3JIUz"]
)
def test_hashes_colours_and_values_are_no_keywords(noise: str):
    terms = topic(noise)
    assert list(terms) and not table(terms, dict.fromkeys(terms, 1), 20)


def test_names_with_digits_are():
    names = ["python3", "utf8", "x86_64", "ed25519", "oauth2", "OAuth2PasswordBearer"]
    terms = topic("`" + "` `".join(names) + "`")
    assert set(table(terms, {}, 20)) == set(names)


def test_front_matter_keywords_are_candidates():
    terms = topic_terms([chunk_terms("text"), document_terms("", ["machine learning"])])
    assert table(terms, {}, 20)["machine learning"].score == 1 * 1.5 * 1.5 * 2.0


def test_rows_are_sorted_and_capped():
    terms = topic("delta. gamma. beta. beta. alpha.")
    assert [row.term for row in score_table(terms, {}, 20, (), 500)] == ["beta", "alpha", "delta", "gamma"]
    assert [row.term for row in score_table(terms, {}, 20, (), 2)] == ["beta", "alpha"]


def test_pinned_rows_keep_score_and_presence():
    pinned = [
        KeywordRow("cache", "word", 99, 1.0, 1.0, 42.0, True),
        KeywordRow("not in the text", "compound", 3, 1.0, 1.0, 7.0, True),
    ]
    rows = score_table(topic("cache cache"), {"cache": 100}, 100, pinned, limit=0)
    assert rows == (replace(pinned[0], count=2), pinned[1])


def test_topic_keywords_are_the_first_rows():
    rows = [KeywordRow(t, "word", 1, 1, 1, s) for t, s in (("b", 1.5), ("a", 1.5), ("c", 9.0), ("d", 0.0))]
    assert topic_keywords(ranked(rows), 2) == (Keyword("c", 9.0), Keyword("a", 1.5))


_TOPICS = st.lists(st.sets(st.sampled_from("abcdefgh")), min_size=1, max_size=12)


@given(_TOPICS, _TOPICS)
@settings(deadline=None)
def test_frequency_and_rank_changes_are_incremental(before: list[set[str]], after: list[set[str]]):
    first, second = document_frequency(before), document_frequency(after)
    updated = Counter(first)
    updated.subtract(first)
    updated.update(second)
    assert +updated == second
    changed = rank_changes(first, len(before), second, len(after))
    for term in "abcdefgh":
        old, new = ((globality(f[term], n), f[term] * 2 < n) for f, n in ((first, len(before)), (second, len(after))))
        assert (term in changed) == (old != new)
        assert not changed.get(term, False) or new[0] > old[0] or new[1] > old[1]


@given(st.lists(st.sampled_from([f"alpha{n}" for n in range(9)]), max_size=60), st.integers(1, 12), st.data())
@settings(deadline=None)
def test_a_table_stays_where_terms_that_it_lacks_do_not_rise(words: list[str], topics: int, data: st.DataObject):
    terms = topic(" ".join(words))
    counts = st.integers(1, topics)
    before = {term: data.draw(counts) for term in sorted(terms)}
    after = {term: data.draw(counts) for term in sorted(terms)}
    table = score_table(terms, before, topics, (), 3)
    moved = rank_changes(before, topics, after, topics)
    if not any(moved.values()) and moved.keys().isdisjoint(row.term for row in table):
        assert score_table(terms, after, topics, (), 3) == table


@given(st.lists(st.text(alphabet="abc `#\n.", max_size=60), max_size=6), st.randoms())
@settings(deadline=None)
def test_the_table_does_not_depend_on_the_order_of_chunks(texts: list[str], random):
    shuffled = list(texts)
    random.shuffle(shuffled)
    assert score_table(topic(*texts), {}, 5, (), 500) == score_table(topic(*shuffled), {}, 5, (), 500)


def test_words_of_one_or_two_latin_letters_are_none():
    assert topic("go to v2 of the api, 設定").words == {"api": 1, "設定": 1}


def test_plurals_share_a_row_with_their_singular():
    terms = topic("A container is a box. Two containers.\n\n## Build containers\n\nbuild container, build container")
    assert terms.words["container"] == 5 and "containers" not in terms.words
    assert terms.compounds["build container"] == 3 and "build containers" not in terms.compounds
    assert terms.levels["build container"] == 2
    alone = topic("Many kubernetes. Many policies and boxes. One class, the css of status, kubernetes.")
    assert {"kubernetes", "policies", "boxes", "class", "css", "status"} <= alone.words.keys()
    pairs = topic("policy policies box boxes branch branches").words
    assert pairs == {"policy": 2, "box": 2, "branch": 2}


def test_a_pair_that_is_mostly_a_part_shares_the_row_of_the_longer_compound():
    mostly = topic("path operation function. " * 9 + "operation function. ", "the path operation. " * 9)
    assert "operation function" not in mostly.compounds
    assert mostly.compounds["path operation"] == 18
    assert "operation function" in topic("path operation function. " * 2 + "operation function. " * 2).compounds

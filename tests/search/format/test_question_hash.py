"""The SimHash of questions: golden vectors for every client, and how well the threshold separates questions."""

import json
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infograph.search.format.question_hash import (
    PAIR_WEIGHT,
    THRESHOLD,
    WORD_WEIGHT,
    alike,
    distance,
    features,
    hash_feature,
    is_asked,
    simhash,
    turn,
    words_of,
)
from infograph.text.language import stop_words, turning_words

GOLDEN = Path(__file__).parents[2] / "fixtures" / "simhash.json"
ENGLISH = words_of("en")

# The same question, asked in two ways.
PARAPHRASES = [
    ("How do I install the package?", "How can I install the package?"),
    ("How do I configure the cache?", "How can the cache be configured?"),
    ("What is the default chunk size?", "What's the default size of a chunk?"),
    ("How do I run the build in CI?", "How can I run a build in CI?"),
    ("Where are the embeddings stored?", "Where does it store embeddings?"),
    ("Can I use a custom embedding model?", "How do I use a custom embedding model?"),
    ("Why does my build fail with a lock error?", "Why is my build failing with a lock error?"),
    ("How do I exclude files from the index?", "How can I exclude a file from the index?"),
    ("What happens when a document is deleted?", "What happens if documents are deleted?"),
    ("How do I declare a request body in FastAPI?", "How to declare a request body with FastAPI"),
    ("How do I return a custom status code?", "How can you return custom status codes?"),
    ("How do I upload multiple files?", "How can multiple files be uploaded?"),
    ("What is ownership in Rust?", "What does ownership mean in Rust?"),
    ("How do I create a pipeline component?", "How can I create pipeline components?"),
    ("How do I list child items of a directory?", "How can I list the child items in a directory?"),
    ("Which models are supported?", "What models are supported?"),
    ("How do I add authentication to my API?", "How can authentication be added to an API?"),
    ("How do I serve the output with nginx?", "How can I serve output using nginx?"),
    ("What does the stripe factor mean?", "What is the stripe factor?"),
    ("How do I enable early stopping?", "Enable early stopping"),
    ("How long does a build take?", "How much time does a build take?"),
    ("How do I pass props to a component?", "Passing props to a component"),
    ("How do I update state based on previous state?", "How can state be updated from the previous state?"),
    ("Does it work offline?", "Will it work offline?"),
    ("How do I handle errors in async functions?", "How should errors in an async function be handled?"),
    ("What is the difference between String and &str?", "What's the difference between a String and a &str?"),
    ("How do I set environment variables?", "How can I set an environment variable?"),
    ("How do I test a FastAPI application?", "How can I test FastAPI applications?"),
]
# Nearly the same words, another question.
LOOKALIKES = [
    ("How do I install the package?", "How do I publish the package?"),
    ("How do I enable caching?", "How do I disable caching?"),
    ("How do I create a pipeline?", "How do I delete a pipeline?"),
    ("What is the default chunk size?", "What is the maximum chunk size?"),
    ("How do I upload multiple files?", "How do I delete multiple files?"),
    ("Where are the embeddings stored?", "Where are the logs stored?"),
    ("How do I test a FastAPI application?", "How do I deploy a FastAPI application?"),
    ("How do I set environment variables?", "How do I read environment variables?"),
    ("How do I return a custom status code?", "How do I return a custom header?"),
    ("What is ownership in Rust?", "What is a trait in Rust?"),
]


def test_golden_vectors():
    golden = json.loads(GOLDEN.read_text("utf-8"))
    assert golden["threshold"] == THRESHOLD
    assert (golden["word_weight"], golden["pair_weight"]) == (WORD_WEIGHT, PAIR_WEIGHT)
    for language, words in golden["stop_words"].items():
        assert words == sorted(stop_words(language))
    for language, groups in golden["turning_words"].items():
        assert groups == {name: sorted(words) for name, words in words_of(language).turning.items()}
    for feature, expected in golden["feature_hashes"].items():
        assert f"{hash_feature(feature.encode()):016x}" == expected
    for case in golden["questions"]:
        words = words_of(case["language"])
        assert features(case["question"], words) == case["features"]
        assert f"{simhash(case['question'], words):016x}" == case["hash"]


@given(st.text(), st.sampled_from(["en", "de", "ja"]))
@settings(deadline=None)
def test_the_hash_is_the_weighted_majority_of_its_features(question: str, language: str):
    words = words_of(language)
    weights = features(question, words)
    total = sum(weights.values())
    expected = 0
    for bit in range(64):
        weight = sum(w for feature, w in weights.items() if hash_feature(feature.encode()) >> bit & 1)
        expected |= (2 * weight > total) << bit
    assert simhash(question, words) == (expected ^ turn(question, words) if weights else 0)


@given(st.text())
@settings(deadline=None)
def test_before_it_is_turned_the_hash_is_that_of_the_package_simhash(question: str):
    from simhash import Simhash

    weights = features(question, ENGLISH)
    if weights:
        own = Simhash(list(weights.items()), f=64, hashfunc=hash_feature).value
        assert simhash(question, ENGLISH) ^ turn(question, ENGLISH) == own


@pytest.mark.parametrize(
    ("question", "turned"),
    [
        ("Why is a page indexed?", "Why is a page not indexed?"),
        ("Why is a page indexed?", "Why isn’t a page indexed?"),
        (
            "When is the embedding cache of a large site cleared?",
            "When is the embedding cache of a large site never cleared?",
        ),
        ("How do I build a site with a model?", "How do I build a site without a model?"),
        ("Should I always use the fast model?", "Should I use the fast model?"),
        ("What happens before a build?", "What happens after a build?"),
        ("How do I turn on the search?", "How do I turn off the search?"),
    ],
)
def test_a_word_that_turns_a_question_around_tells_two_questions_apart(question: str, turned: str):
    assert distance(simhash(question, ENGLISH), simhash(turned, ENGLISH)) > THRESHOLD


def test_questions_that_turn_the_same_way_stay_as_near():
    assert simhash("Why is a page not indexed?", ENGLISH) == simhash("Why isn't the page indexed?", ENGLISH)
    assert simhash("Was wird nicht gebaut?", words_of("de")) == simhash("Was wird weder gebaut?", words_of("de"))


def test_no_two_ways_of_turning_are_alike():
    """Whatever groups two questions have words of, more bits lie between them than count as a match."""
    names = {name for language in ("en", "de", "es", "fr") for name in turning_words(language)}
    masks = [hash_feature(f"~{name}".encode()) for name in sorted(names)]
    flipped = [0]
    for mask in masks:
        flipped += [value ^ mask for value in flipped]
    assert min(value.bit_count() for value in flipped[1:]) > THRESHOLD + 8


def test_a_question_of_stop_words_has_a_hash_of_its_own():
    assert simhash("How do I?", ENGLISH) not in (0, simhash("Why not?", ENGLISH))
    assert simhash("…", ENGLISH) == 0


@pytest.mark.parametrize("other", ["HOW DO I INSTALL IT", "how do i  install it?!", "How do I install *it*?"])
def test_case_punctuation_and_spaces_do_not_matter(other: str):
    assert simhash("How do I install it?", ENGLISH) == simhash(other, ENGLISH)


def test_composed_and_decomposed_letters_are_the_same():
    assert simhash("Wie heißt das Café?", words_of("de")) == simhash("Wie heißt das Cafe\u0301?", words_of("de"))


def test_feature_hashes_spread():
    """FNV alone leaves the high bits of short words similar; the finaliser flips about half of all bits."""
    hashes = [hash_feature(f"{a}{b}".encode()) for a in "abcdefgh" for b in "abcdefgh"]
    distances = [distance(a, b) for a, b in combinations(hashes, 2)]
    assert 31 < sum(distances) / len(distances) < 33


def test_threshold_tells_paraphrases_from_other_questions():
    paraphrases = [distance(simhash(a, ENGLISH), simhash(b, ENGLISH)) for a, b in PARAPHRASES]
    assert sum(bits <= THRESHOLD for bits in paraphrases) / len(paraphrases) >= 0.85
    assert all(distance(simhash(a, ENGLISH), simhash(b, ENGLISH)) > THRESHOLD for a, b in LOOKALIKES)
    unrelated = [distance(simhash(a, ENGLISH), simhash(b, ENGLISH)) for (a, _), (b, _) in combinations(PARAPHRASES, 2)]
    assert min(unrelated) > THRESHOLD


@pytest.mark.parametrize("text", ["index.json", "configuration file", "", "…", "build build build"])
def test_keywords_are_no_question(text: str):
    assert not is_asked(text, ENGLISH)


@pytest.mark.parametrize("text", ["cache?", "the cache", "clear embedding cache", "How do I?"])
def test_a_stop_word_a_mark_or_three_stems_may_ask(text: str):
    assert is_asked(text, ENGLISH)


def test_of_questions_of_few_stems_all_words_are_compared():
    assert simhash("What a build takes", ENGLISH) == simhash("Does it need a build?", ENGLISH)
    assert not alike("What a build takes", "Does it need a build?", ENGLISH)
    assert alike("Why isn’t the page indexed?", "Why is a page not indexed?", ENGLISH)
    assert alike("How do I clear the embedding cache?", "Clear embedding cache", ENGLISH)


def test_hashes_that_lie_near_by_chance_are_no_match():
    """What a site of 2,000 known questions answered to "clear the embedding cache"."""
    asked, known = "clear the embedding cache", "What does embedding.batch change?"
    assert distance(simhash(asked, ENGLISH), simhash(known, ENGLISH)) <= THRESHOLD
    assert not alike(asked, known, ENGLISH)
    assert alike("How do I update state based on previous state?", "State updated from the previous state?", ENGLISH)

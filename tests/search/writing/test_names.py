"""Names in texts and the keys of titles: what counts as one."""

from __future__ import annotations

import time

import pytest

from infograph.search.writing import names as names_module
from infograph.search.writing.names import LONGEST, is_identifier, text_key, text_keys, title_key
from infograph.words.twins import WHY_PURE

STOP = frozenset({"the", "a", "of", "who"})


def names(text: str, title: str) -> bool:
    key = title_key(title, STOP)
    assert key, title
    return key in text_keys([text])[0].tolist()


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("James Hetfield", "an advertisement that James Hetfield answered"),
        ("James Hetfield", "James Hetfield’s guitar"),
        ("James Hetfield", "James Hetfield's guitar"),
        ("James Hetfield", "a line that breaks: James\nHetfield and more"),
        ("James Hetfield", "a line that breaks: James\r\nHetfield and more"),
        ("James Hetfield", "a line that breaks: James\rHetfield and more"),
        ("Security", "a line that breaks:\nmuch\r\nSecurity and more"),
        ("James Hetfield", "a **James** Hetfield, in bold"),
        ("Hello Love (song)", 'the single "Hello Love" of 1974'),
        ("The Dandy Warhols", "formed as the Dandy Warhols in 1994"),
        ("Nashville, Tennessee", "moved to Nashville, Tennessee, in 1949"),
        ("Background Tasks", "Background tasks and more: see Background Tasks."),
        ("Get-Item", "call Get-Item with a path"),
        ("use_state", "then `use_state()` returns"),
        ("useState", "useState returns"),
        ("HTTPException", "raise HTTPException(404)"),
        ("Kim Jong-il", "the leader Kim Jong-il, and"),
        ("Lisbon", "born 1981 in Lisbon"),
        ("2012 Leap Day", "the 2012 Leap Day outbreak"),
        ("Москва Сити", "башни Москва Сити"),
        ("Alû", "a demon, Alû, is"),
    ],
)
def test_a_text_names_a_title(title: str, text: str) -> None:
    assert names(text, title)


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("James Hetfield", "james hetfield"),
        ("James Hetfield", "James; Hetfield"),
        ("James Hetfield", "James\n\nHetfield"),
        ("James Hetfield", "James\r\n\r\nHetfield"),
        ("James Hetfield", "James\r\rHetfield"),
        ("James Hetfield", "```\nJames Hetfield\n```"),
        ("Security", "over\r\n\r\nSecurity"),
        ("Security", "over\n- Security"),
        ("James Hetfield", "James met Hetfield"),
        ("James Hetfield", "| James | Hetfield |"),
        ("Security", "Security is a large topic. Security matters!\n\nSecurity"),
        ("Security", "# Security"),
        ("Security", "a matter of security"),
        ("Background Tasks", "run background tasks"),
    ],
)
def test_a_text_does_not_name_a_title(title: str, text: str) -> None:
    assert not names(text, title)


@pytest.mark.parametrize(
    "title",
    [
        *(
            "",
            "…",
            "the",
            "The Who",
            "path parameters",
            "Path parameters",
            "path Parameters",
            "A",
            "X",
            "1984",
            "(song)",
            "東京タワー",
        ),
        *("مرحبا", " ".join(["Word"] * (LONGEST + 1))),
    ],
)
def test_common_words_are_no_name(title: str) -> None:
    assert title_key(title, STOP) == 0


def test_a_single_word_counts_where_no_sentence_begins() -> None:
    assert names("We care: much of Security here", "Security")
    assert names("He said Security", "Security")
    assert not names("We care. Security", "Security")
    assert names("OpenAPI is generated", "OpenAPI")  # not only the first letter is large


def test_keys_are_sorted_each_once_and_those_of_other_kinds_differ() -> None:
    keys = text_keys(["New York and New York and New Delhi"])[0].tolist()
    assert keys == sorted(set(keys))
    assert text_key("New York") not in keys


def test_keys_are_those_that_earlier_builds_remember() -> None:
    assert title_key("James Hetfield", STOP) == 0xCF16FBC4F3
    assert text_key("guide/start.md") == 0x6FA15C3444


@pytest.mark.parametrize("text", ["in 1984 he came", "then A came", "then x came", "in 2 he came"])
def test_a_letter_or_a_number_is_no_name_by_itself(text: str) -> None:
    assert len(text_keys([text])[0]) == 0


def test_names_are_told_by_the_text_that_they_are_in() -> None:
    keys, texts = text_keys(["see useState", "", "see useState; and HTTPError; useState"])
    assert texts.tolist() == [0, 2, 2]
    assert keys[0] in keys[1:].tolist() and keys[1] < keys[2]


def test_a_name_has_eight_words_at_most_and_ends_with_a_text() -> None:
    words = [f"aB{n}" for n in range(LONGEST + 1)]
    assert names(" ".join(words), " ".join(words[:LONGEST])) and names(" ".join(words), " ".join(words[1:]))
    assert len(text_keys([" ".join(words)])[0]) == sum(LONGEST + 1 - n for n in range(LONGEST))
    keys, _ = text_keys(["said Ab1", "Ab2 came"])
    assert title_key("Ab1 Ab2", STOP) not in keys.tolist()


def test_words_up_to_a_length_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names_module, "WHY_PURE", "it is tested")
    names_module.forget()
    text_keys([f"{'A' * 64} {'B' * 65}"])
    assert "A" * 64 in names_module._KEYS and "B" * 65 not in names_module._KEYS


def test_a_text_without_words_has_no_names() -> None:
    assert len(text_keys([])[0]) == len(text_keys(["", "… !"])[0]) == 0


def test_a_long_text_takes_no_longer_than_its_length() -> None:
    assert len(text_keys(["Aa " * 20_000])[0]) <= LONGEST
    assert len(text_keys(["A" * 100_000])[0]) == 1
    start = time.process_time()
    for gap in ("\r ", "\n", "\n ", "- ", "[", "](", "'", "> "):
        text_keys(["A" + gap * 100_000 + "B"])
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    "text", ["useState", "useState(initial)", "HTTPException", "use_state", "Get-Item", " asDict() "]
)
def test_identifiers(text: str) -> None:
    assert is_identifier(text)


@pytest.mark.parametrize(
    "text", ["", "Security", "HTTP", "use state", "Sub-dependencies", "_", "__", "x", "What is useState?", "to-do"]
)
def test_other_headings(text: str) -> None:
    assert not is_identifier(text)


def test_what_was_learned_can_be_forgotten_and_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names_module, "WHY_PURE", "it is tested")
    text = "New York, `useState` " + "-" * 200 + " Delhi"
    expected = text_keys([text])[0].tolist()
    assert all(len(gap) <= names_module.LONGEST_LEARNED for gap in names_module._GAPS)
    names_module.forget()
    assert not names_module._KEYS and not names_module._MARKS and not names_module._GAPS
    monkeypatch.setattr(names_module, "MOST_LEARNED", 1)
    assert text_keys([text])[0].tolist() == expected
    assert len(names_module._KEYS) == 1


@pytest.mark.skipif(bool(WHY_PURE), reason=WHY_PURE)
def test_what_was_numbered_can_be_forgotten_and_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"New York, `useState`{'-' * 200} Delhi {number} Rome" for number in range(40)]
    names_module.forget()
    expected = text_keys(texts)[0].tolist()
    assert len(names_module._NUMBERED._flags) > 80
    names_module.forget()
    assert len(names_module._NUMBERED._flags) == len(names_module._NUMBERED._memo) == 0
    monkeypatch.setattr(names_module, "MOST_LEARNED", 20)
    assert text_keys(texts)[0].tolist() == expected
    assert len(names_module._NUMBERED._flags) < 40

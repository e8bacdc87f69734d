"""What a model wrote, made fit to be published."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.enrich import cleaning
from infograph.enrich.cleaning import clean

SOURCE = "Use `Vec<T>` and <kbd>Ctrl</kbd>; see https://docs.example.org/a and socket.io for more."


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("two\nlines\tand  spaces", "two lines and spaces"),
        ("nothing\u200b to\u202e see\U000e0041\x07", "nothing to see"),
        ("see https://evil.example/x?y=1 now", "see now"),
        ("see https://docs.example.org/a.", "see https://docs.example.org/a."),
        ("//evil.example/x and www.evil.example", "and"),
        ("javascript:alert(1) data:text/html,x mailto:a@b.c", ""),
        ("DATA:image/svg+xml;base64,PHN2Zz4= data:;base64,eA== data:,x data:text/html", ""),
        ("file:///etc/passwd FILE:c:/x blob:https://evil.example/1 blob:null/1 vbscript:x", ""),
        ("go to evil.com/path or evil.com", "go to or"),
        ("use socket.io here", "use socket.io here"),
        ("[click](https://evil.example) ![x](//evil.example/p.png)", "click x"),
        ("[a][b] and [label](x 'title')", "a and label"),
        ("<b>bold</b> <script>alert(1)</script>", "bold alert(1)"),
        ("a `Vec<T>` and <kbd>Ctrl</kbd>, `Map<K>`", "a `Vec<T>` and Ctrl, `Map`"),
        ("<img src=x onerror=alert(1)", ""),
        ("<<b>script>", ""),
        ("a < b and c > d", "a < b and c > d"),
        ("[[x](y)](z)", "x"),
        ("hthttps://evil.example/tps://evil.example/", ""),
        ("e\u0301", "é"),
    ],
)
def test_what_is_left(text: str, left: str) -> None:
    assert clean(text, 200, SOURCE) == left


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Weather data: 15 degrees", "Weather data: 15 degrees"),
        ("Example data: support tickets, one a line.", "Example data: support tickets, one a line."),
        ('Events begin with event: or data:, and data: {"type": "ping"}', None),
        ("Each line begins with `data:`.", "Each line begins with `data:`."),
        ("Write it to this file: config.toml", "Write it to this file: config.toml"),
        ("A blob: a file without a name. Its metadata: none.", None),
        ("Two clients, Python and JavaScript: the same answers", "Two clients, Python and JavaScript the same answers"),
        ("javascript: alert(1)", "javascript alert(1)"),
        ("`javascript:` is a scheme, and so is vbscript:", "`javascript` is a scheme, and so is vbscript"),
        ("javascript:: alert(1)", "alert(1)"),
        ("data:<b>text/html,x</b> da<i>ta:,x data:\u200btext/html,x", ""),
    ],
)
def test_words_before_a_colon_stay_where_nothing_could_run(text: str, left: str | None) -> None:
    assert clean(text, 200, SOURCE) == (text if left is None else left)


def test_long_texts_end_with_a_sentence_or_a_word() -> None:
    assert clean("One two three. Four five six. Seven", 32, "") == "One two three. Four five six."
    assert clean("word " * 100, 23, "") == "word word word word…"
    assert len(clean("x" * 20_000, 80, "")) == 80


@pytest.mark.parametrize(
    "part", ["x", "x-", "x.", "a:", "//", "<a", "[a](", "![", "<", "[x](y)", "javascript:", "www."]
)
def test_a_megabyte_of_one_thing_takes_no_longer_than_a_page(part: str) -> None:
    """No rule looks at the rest of a text from each of its places."""
    many = part * (1_000_000 // len(part))
    started = time.process_time()
    page = clean(many[:20_000], 300, "")
    a_page = time.process_time() - started
    started = time.process_time()
    assert clean(many, 300, "") == page
    assert time.process_time() - started < 20 * a_page + 1


@given(st.text(), st.integers(10, 60))
def test_nothing_gets_through(text: str, most: int) -> None:
    left = clean(text + " http://evil.example/a <i>x</i>", most, "")
    assert len(left) <= most
    assert "\n" not in left
    assert "evil.example" not in left
    assert clean(left, most, "") == left


_PIECES = [*"aw.:/<[]() -Wo|\n\u200b", "www.", "mailto:", "TEL:", "data:", ".com", ".IO", "//", "a. B", "c: d"]


@given(st.lists(st.sampled_from(_PIECES)).map("".join))
def test_what_has_no_sign_has_nothing_to_remove(text: str) -> None:
    rules = (cleaning._IMAGE, cleaning._LINK, cleaning._RUNS, cleaning._TAG, cleaning._ADDRESS)
    assert not any(rule.search(text) for rule in rules) or cleaning.has_sign(text)


_TEXT = st.lists(
    st.sampled_from([*_PIECES, '"', "\\", "\x7f", "\ud800", "\0", "é", "\u0301", "漢", "\xa0", "][", "a"]), max_size=4
)
_TEXTS = st.lists(st.one_of(_TEXT.map("".join), st.text(max_size=6)), max_size=5)


@given(_TEXTS)
def test_plain_texts_need_no_cleaning(texts: list[str]) -> None:
    for text in texts:
        if cleaning.is_plain(text):
            assert cleaning._cleaned(text, 200, "") == text
    if texts and cleaning.all_plain(texts):
        assert all(map(cleaning.is_plain, texts))


@pytest.mark.parametrize(
    "texts",
    [
        ["Sets a budget of 512 tokens (the default): chunks end there.", "a_b", 'says "a"', "v1.2", "\\", "a^ b"],
        ["`x`", "[a]", "a[0] (b)", "]", "größer als π", "漢字"],
    ],
)
def test_what_models_mostly_write_is_plain(texts: list[str]) -> None:
    assert cleaning.all_plain(texts)


@pytest.mark.parametrize(
    "text",
    [
        *[
            "",
            "a ",
            " a",
            "a  b",
            "a](",
            "][",
            "a<b",
            "//a",
            "e\u0301",
            "a\n",
            "\x7f",
            "\0",
            "www.a",
            "a.com",
            "data:,x",
        ],
        *["\u200b", "\xa0", "\ud800"],
    ],
)
def test_one_text_that_may_need_cleaning_is_seen(text: str) -> None:
    assert not cleaning.all_plain(["a", "b", text])
    assert not cleaning.all_plain([text, "a"])


def test_what_is_no_text_is_not_plain() -> None:
    assert not cleaning.all_plain(["a", 7])  # type: ignore[list-item]
    assert cleaning.all_plain([])

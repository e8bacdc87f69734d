"""Chunk files: the form that is promised, read back to the same values, and never a wrong one."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from infograph.errors import FormatError
from infograph.formats.chunk_file import _KEYS, ChunkParts, from_parts, parse, readable, render, split
from infograph.formats.names import chunk_name
from infograph.model import Chunk, Fact, Facts
from infograph.text.edits import TextEdit

CHUNK = Chunk(
    document="guide/getting-started.md",
    index=3,
    count=12,
    title="Configure the cache",
    section_path=("Getting started", "Installation", "Configure the cache"),
    text="### Configure the cache\n\ntext\n",
    embed_text="Getting started > Installation > Configure the cache\n\n### Configure the cache\n\ntext\n",
    lines=(88, 131),
    bytes=(3120, 4987),
    counted=412,
    is_code=False,
    chunk_type="structural",
    sha256=hashlib.sha256(b"### Configure the cache\n\ntext\n").hexdigest(),
)
PATH = "guide/_chunks/getting-started-3.md"


def test_the_file_is_the_promised_one() -> None:
    assert render(CHUNK).decode() == (
        "---\ntitle: Configure the cache\nsource: getting-started.md\nindex: 3\ncount: 12\n"
        "section_path: [Getting started, Installation, Configure the cache]\nlines: [88, 131]\nbytes: [3120, 4987]\n"
        f"is_code: false\nchunk_type: structural\ntokens: 412\nsha256: {CHUNK.sha256}\n"
        "previous: getting-started-2.md\nnext: getting-started-4.md\n---\n### Configure the cache\n\ntext\n"
    )


def test_edits_stand_beside_the_slice() -> None:
    text = "### Größe { #g }\n\n{* a.py *}\n"
    edits = (TextEdit(9, 16, ""), TextEdit(18, 28, "```python\nx\u2028 = 1\n```"))
    chunk = replace(CHUNK, text=text, edits=edits, sha256=hashlib.sha256(text.encode()).hexdigest())
    assert chunk.readable == "### Größe\n\n```python\nx\u2028 = 1\n```\n"
    chunk = replace(chunk, embed_text=f"{' > '.join(chunk.section_path)}\n\n{chunk.readable}")
    data = render(chunk)
    assert data.endswith(text.encode()) and b"embedded" not in data and b"\nrepeat" not in data
    assert parse(PATH, data).chunk == chunk
    parts = split(data)
    assert readable(PATH, parts.head.decode(), parts.text.decode()) == chunk.readable
    header = yaml.safe_load(data.decode().split("\n---\n")[0][4:])
    assert header["edits"] == [[11, 18, ""], [20, 30, edits[1].text]]


@pytest.mark.parametrize(
    "edits",
    [
        "[]",
        "[[1]]",
        '[["a", 2, ""]]',
        '[[2, 1, ""]]',
        '[[0, 999, ""]]',
        '[[5, 6, ""], [1, 2, ""]]',
        "{",
        '[[true, 2, ""]]',
    ],
)
def test_edits_that_are_none(edits: str) -> None:
    data = render(CHUNK).replace(b"\nprevious:", f"\nedits: {edits}\nprevious:".encode())
    with pytest.raises(FormatError, match="edits"):
        parse(PATH, data)
    parts = split(data)
    with pytest.raises(FormatError, match="edits"):
        readable(PATH, parts.head.decode(), parts.text.decode())


def test_it_is_read_back() -> None:
    read = parse(PATH, render(CHUNK))
    assert read.chunk == CHUNK
    assert (read.previous, read.next) == ("getting-started-2.md", "getting-started-4.md")
    ends = [parse(PATH, render(replace(CHUNK, index=index, count=2))) for index in (0, 1)]
    assert [(read.previous, read.next) for read in ends] == [
        (None, "getting-started-1.md"),
        ("getting-started-0.md", None),
    ]


LINE = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=30).map(
    lambda text: " ".join(text.split()) or "x"
)
TRICKY = st.sampled_from(
    [
        "no",
        "null",
        "~",
        "12",
        "1e3",
        "0x1F",
        "2024-01-31",
        "1:30",
        "true",
        "- a",
        "a: b",
        "a #b",
        "a, b",
        "[a]",
        '"',
        "\\",
        "'a'",
        "---",
        "\x85",
        "a\u2028b",
        "\ufeff",
        "\x7f",
        "😀",
        "é",
        "!a",
        "&a",
        "*a",
        "?",
        "%a",
        "@a",
        "`a`",
        ".inf",
        "0b11",
        "=",
        "<<",
        "y",
        "{}",
    ]
)
TEXT = st.one_of(LINE, TRICKY)


@given(
    text=st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=60) | st.just("---\n---\n"),
    title=TEXT,
    path=st.lists(TEXT, max_size=3).map(tuple),
    crumb=st.none() | TEXT,
    before=st.sampled_from(["", "| a |\n|---|\n", "```py\n"]),
    after=st.sampled_from(["", "```\n", "\n```\n"]),
    continues=st.booleans(),
)
@settings(max_examples=500, deadline=None)
def test_any_text_and_title_come_back(
    text: str, title: str, path: tuple[str, ...], crumb: str | None, before: str, after: str, continues: bool
) -> None:
    breadcrumb = " > ".join(path) if crumb is None else crumb
    chunk = replace(
        CHUNK,
        text=text,
        title=title,
        section_path=path,
        embed_text=f"{breadcrumb}\n\n{before}{text}{after}",
        sha256=hashlib.sha256(text.encode()).hexdigest(),
        continues=continues,
    )
    data = render(chunk)
    assert parse(PATH, data).chunk == chunk
    assert data.endswith(text.encode())
    # Any YAML reader must see the same values.
    header = yaml.safe_load(data.decode().split("\n---\n")[0][4:])
    assert (header["title"], header["section_path"], header["lines"]) == (title, list(path), [88, 131])
    assert header["sha256"] == chunk.sha256 and header["is_code"] is False


def test_every_flipped_byte_of_the_slice_is_found() -> None:
    data = render(CHUNK)
    for at in range(len(data) - len(CHUNK.text), len(data)):
        with pytest.raises(FormatError, match="sha256"):
            parse(PATH, data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])


def test_a_truncated_file_is_an_error_at_every_length() -> None:
    data = render(CHUNK)
    for length in range(len(data)):
        with pytest.raises(FormatError, match="getting-started-3"):
            parse(PATH, data[:length])


@pytest.mark.parametrize(
    "old, new",
    [
        ("index: 3", "index: x"),
        ("index: 3", "index: 03"),
        ("index: 3\n", ""),
        ("index: 3", "index: 3\nindex: 3"),
        ("lines: [88, 131]", "lines: [88]"),
        ("lines: [88, 131]", "lines: 88"),
        ("is_code: false", "is_code: no"),
        ("title: C", "title: [C"),
        ("title: C", 'title: "C'),
        ("tokens: 412", "tokens: 412\nextra: 1"),
        ("[Getting started, I", "[Getting started,, I"),
        ("---\nt", "--\nt"),
        ("---\nt", "xxx\nt"),
        ("count:", "count"),
    ],
)
def test_a_broken_header_is_an_error_with_its_line(old: str, new: str) -> None:
    data = render(CHUNK).decode()
    assert old in data
    with pytest.raises(FormatError, match="not a chunk file of infograph"):
        parse(PATH, data.replace(old, new, 1).encode())


@pytest.mark.parametrize(
    ("data", "parts"),
    [
        (b"---\ntitle: a\n---\ntext\n", ChunkParts(b"title: a\n", b"text\n", True)),
        (b"---\ntitle: a\n---\n\n---\n", ChunkParts(b"title: a\n", b"\n---\n", True)),
        (b"---\n\n---\ntext", ChunkParts(b"\n", b"text", True)),
        (b"---\n---\ntext", ChunkParts(b"", b"text", True)),
        (b"title: a\n---\ntext", ChunkParts(b"", b"text", False)),
        (b"---\ntitle: a\n---", ChunkParts(b"title: a\n---", b"", False)),
        (b"text", ChunkParts(b"", b"", False)),
        (b"", ChunkParts(b"", b"", False)),
    ],
)
def test_a_file_is_split_at_the_fences_of_its_front_matter(data: bytes, parts: ChunkParts) -> None:
    assert split(data) == parts


def test_the_parts_of_a_file_read_as_the_file() -> None:
    head, text, whole = split(render(CHUNK))
    assert whole
    assert from_parts(PATH, head.decode(), text.decode()) == parse(PATH, render(CHUNK))


@pytest.mark.parametrize(
    ("data", "fault"),
    [(b"---\n---\ntext", f"{PATH}: .*no front matter"), (b"---\n\n---\ntext", f"{PATH}:2: .*`key: value`")],
)
def test_an_empty_front_matter_is_an_error(data: bytes, fault: str) -> None:
    with pytest.raises(FormatError, match=fault):
        parse(PATH, data)


def test_not_utf8() -> None:
    with pytest.raises(FormatError, match="not UTF-8"):
        parse(PATH, b"---\n\xff")


def test_names_of_two_documents_never_meet() -> None:
    names = [chunk_name(stem, index) for stem in ("a", "a-1", "a-1-0", "1") for index in range(30)]
    assert len(set(names)) == len(names)


@given(
    text=st.text(st.sampled_from("a\n b"), min_size=1, max_size=9),
    path=st.lists(st.sampled_from(["a", "b"]), max_size=2).map(tuple),
    embed_text=st.text(st.sampled_from("a\n b>"), min_size=1, max_size=16),
)
@settings(max_examples=500, deadline=None)
def test_any_embedded_text_comes_back(text: str, path: tuple[str, ...], embed_text: str) -> None:
    """With the slice in it or not, with a breadcrumb or none: few letters, so that they are taken for each other."""
    digest = hashlib.sha256(text.encode()).hexdigest()
    chunk = replace(CHUNK, text=text, section_path=path, embed_text=embed_text, sha256=digest)
    assert parse(PATH, render(chunk)).chunk == chunk


def test_what_is_embedded_instead_of_the_slice_stands_in_the_file() -> None:
    data = render(replace(CHUNK, embed_text="Getting started > Installation > Configure the cache\n\nsize is 3.\n"))
    assert b'embedded: "size is 3.\\n"\n' in data
    assert b"breadcrumb" not in data


NOT_STRINGS = {"y", "n", "yes", "no", "on", "off", "true", "false", "null", "inf", "nan"}
"""What some reader of YAML takes for another type, as the name of a key too."""
NAME = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True).filter(
    lambda name: name not in _KEYS and name not in NOT_STRINGS
)
NUMBER = st.integers() | st.floats(-1e9, 1e9).map(lambda number: round(number, 6))
FACTS = st.dictionaries(NAME, TEXT | NUMBER | st.lists(TEXT, max_size=3).map(tuple), max_size=4).map(
    lambda facts: tuple(sorted(facts.items()))
)
RANGE = st.tuples(st.integers(0, 99), st.integers(0, 99))


@given(facts=FACTS, parents=st.lists(RANGE, max_size=3).map(tuple))
@settings(max_examples=150, deadline=None)
def test_facts_and_parents_come_back(facts: Facts, parents: tuple[tuple[int, int], ...]) -> None:
    chunk = replace(CHUNK, facts=facts, parents=parents)
    data = render(chunk)
    found = parse(PATH, data).chunk
    assert found == chunk
    assert [type(value) for _, value in found.facts] == [type(value) for _, value in facts]
    header = yaml.safe_load(data.decode().split("\n---\n")[0][4:])
    for name, value in facts:
        assert header[name] == (list(value) if isinstance(value, tuple) else value)
    assert header.get("parents", []) == [list(parent) for parent in parents]


@pytest.mark.parametrize(
    "fact",
    [("title", "x"), ("a-b", "x"), ("A", 1), ("yes", "x"), ("null", 1), ("a", float("nan")), ("a", float("inf"))],
)
def test_a_fact_without_a_form_is_refused(fact: tuple[str, Fact]) -> None:
    with pytest.raises(ValueError, match="no fact of a chunk"):
        render(replace(CHUNK, facts=(fact,)))


HEADER = render(CHUNK).decode().split("\n---\n")[0].split("\n")[1:]
"""The lines between the fences; the first is the file's second."""


@pytest.mark.parametrize("key", ["title", "source", "index", "count", "section_path", "lines", "bytes", "is_code"])
def test_the_line_of_a_fault_is_named(key: str) -> None:
    number = next(number for number, line in enumerate(HEADER) if line.startswith(f"{key}: "))
    broken = [*HEADER[:number], f"{key}: [", *HEADER[number + 1 :]]
    data = "\n".join(["---", *broken, "---\n"]) + CHUNK.text
    with pytest.raises(FormatError, match=rf"getting-started-3\.md:{number + 2}: .*`{key}`: "):
        parse(PATH, data.encode())


@pytest.mark.parametrize("number", range(11))
def test_every_key_up_to_the_hash_is_needed(number: int) -> None:
    key = HEADER[number].partition(":")[0]
    data = "\n".join(["---", *HEADER[:number], *HEADER[number + 1 :], "---\n"]) + CHUNK.text
    with pytest.raises(FormatError, match=f"`{key}` is missing|not a `key: value` that belongs here"):
        parse(PATH, data.encode())


def test_what_need_not_be_there_need_not_be_there() -> None:
    data = "\n".join(["---", *HEADER[:11], "---\n"]) + CHUNK.text
    read = parse(PATH, data.encode())
    assert read.chunk == CHUNK and (read.previous, read.next) == (None, None)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2.0, "2.0"),
        (0.1234567, "0.123457"),
        (-1.5, "-1.5"),
        (100, "100"),
        (("a", "b, c"), '[a, "b, c"]'),
        ((), "[]"),
        ("3", '"3"'),
        ("yes", '"yes"'),
        ("plain text", "plain text"),
        ("ends with space ", '"ends with space "'),
        ("\x85", '"\\u0085"'),
    ],
)
def test_the_form_of_a_fact(value: Fact, text: str) -> None:
    assert f"\nzeta: {text}\n---\n" in render(replace(CHUNK, facts=(("zeta", value),))).decode()


@pytest.mark.parametrize(
    "text", ["[1, 2", "1, 2]", "[1, 2], 3]", "[[1, 2]", "[[1, 2], ]", "[[1, 2] [3, 4]]", "[[1]]", "[[a, b]]"]
)
def test_parents_of_another_form_are_refused(text: str) -> None:
    data = render(replace(CHUNK, parents=((0, 2), (0, 9)))).decode()
    assert "parents: [[0, 2], [0, 9]]\n" in data
    with pytest.raises(FormatError, match=r"`parents`|belongs here"):
        parse(PATH, data.replace("parents: [[0, 2], [0, 9]]", f"parents: {text}").encode())


@pytest.mark.parametrize(
    ("embed_text", "lines"),
    [
        ("a > b\n\ntext\n", []),
        ("text\n", ['breadcrumb: ""']),
        ("c\n\ntext\n", ["breadcrumb: c"]),
        ("a > b\n\nhead\ntext\ntail\n", ['repeat_before: "head\\n"', 'repeat_after: "tail\\n"']),
        ("a > b\n\nother\n", ['embedded: "other\\n"']),
        ("c\n\nother\n", ["breadcrumb: c", 'embedded: "other\\n"']),
    ],
)
def test_what_is_embedded_is_said_as_far_as_it_is_not_the_path_and_the_slice(embed_text: str, lines: list[str]) -> None:
    digest = hashlib.sha256(b"text\n").hexdigest()
    chunk = replace(CHUNK, text="text\n", section_path=("a", "b"), embed_text=embed_text, sha256=digest)
    said = render(chunk).decode().split("\n")
    assert [line for line in said if line.startswith(("breadcrumb", "repeat", "embedded"))] == lines

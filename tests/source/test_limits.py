"""A file exactly at a limit is read; one byte, block or level more is an error by name."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from infograph.errors import DocumentError
from infograph.model import Document
from infograph.source import document as reading
from infograph.source import textfile
from infograph.source.blocks import parse_blocks
from infograph.source.discovery import DEEPEST, SourceRules, discover
from infograph.source.document import decode, read_document
from infograph.source.frontmatter import front_matter
from infograph.source.ignores import MOST_BYTES, read_lines
from infograph.source.limits import SourceLimits
from infograph.source.textfile import TextFile


def test_the_limits_where_no_setting_has_others() -> None:
    assert SourceLimits() == SourceLimits(bytes=5_000_000, blocks=100_000, front_matter=1_048_576, nesting=100)


def test_a_file_may_have_as_many_bytes_as_the_limit(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(b"a,b\n" * 25)
    at, below = SourceLimits(bytes=100), SourceLimits(bytes=99)
    assert decode("t.csv", b"a,b\n" * 25, at).body == "a,b\n" * 25
    assert read_document(tmp_path, "t.csv", at).body == "a,b\n" * 25
    with TextFile(tmp_path, "t.csv", at) as file:
        assert file.size == 100
    attempts: list[Callable[[], object]] = [
        lambda: decode("t.csv", b"a,b\n" * 25, below),
        lambda: read_document(tmp_path, "t.csv", below),
        lambda: TextFile(tmp_path, "t.csv", below),
    ]
    for attempt in attempts:
        with pytest.raises(DocumentError, match="100 bytes, more than 99"):
            attempt()


def test_a_file_that_grows_beyond_the_limit_while_it_is_read_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "page.md").write_bytes(b"x" * 100)
    real = reading.open_source

    def opened(root: Path, path: str, limits: SourceLimits) -> int:
        descriptor = real(root, path, limits)
        with (root / path).open("ab") as file:
            file.write(b"y" * 100)
        return descriptor

    monkeypatch.setattr(reading, "open_source", opened)
    with pytest.raises(DocumentError, match="101 bytes, more than 100"):
        read_document(tmp_path, "page.md", SourceLimits(bytes=100))


def test_a_large_file_that_grows_beyond_the_limit_is_read_no_further(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "t.csv").write_bytes(b"a,b\n" * 25)
    real = textfile.open_source

    def opened(root: Path, path: str, limits: SourceLimits) -> int:
        descriptor = real(root, path, limits)
        with (root / path).open("ab") as file:
            file.write(b"y\n" * 100)
        return descriptor

    monkeypatch.setattr(textfile, "open_source", opened)
    monkeypatch.setattr(textfile, "_BLOCK", 50)
    with pytest.raises(DocumentError, match="150 bytes, more than 100"):
        TextFile(tmp_path, "t.csv", SourceLimits(bytes=100))


def test_a_large_file_of_the_same_size_written_meanwhile_is_another(tmp_path: Path) -> None:
    """Its time tells, as its size does for a file whose time was set back."""
    path = tmp_path / "t.csv"
    path.write_bytes(b"a,b\n" * 10)
    os.utime(path, ns=(1, 1))
    with TextFile(tmp_path, "t.csv") as file:
        path.write_bytes(b"c,d\n" * 10)
        os.utime(path, ns=(2, 2))
        with pytest.raises(DocumentError, match="was changed while it was read"):
            file.check()
    os.utime(path, ns=(1, 1))
    with TextFile(tmp_path, "t.csv") as file:
        path.write_bytes(b"c,d\n" * 11)
        os.utime(path, ns=(1, 1))
        with pytest.raises(DocumentError, match="was changed while it was read"):
            file.check()


def test_a_front_matter_may_have_as_many_bytes_as_the_limit() -> None:
    text = "---\ntitle: ä\n---\n"
    size = len("title: ä\n".encode())
    assert front_matter("page.md", text, SourceLimits(front_matter=size)).title == "ä"
    with pytest.raises(DocumentError, match=f"front matter of {size} bytes, more than {size - 1}"):
        front_matter("page.md", text, SourceLimits(front_matter=size - 1))


@pytest.mark.parametrize(
    ("text", "deepest"),
    [
        ("---\ntitle: T\na: {}\n---\n", 19),
        ("+++\ntitle = 'T'\na = {}\n+++\n", 20),
        ('{{\n"title": "T",\n"a": {}\n}}\n\n', 20),
    ],
)
def test_lists_may_nest_as_deep_as_the_limit(text: str, deepest: int) -> None:
    """In YAML the mapping around them counts too."""
    nested = text.format("[" * deepest + "]" * deepest)
    assert front_matter("page.md", nested, SourceLimits()).title == "T"
    with pytest.raises(DocumentError, match="nesting deeper than 20"):
        front_matter("page.md", text.format("[" * (deepest + 1) + "]" * (deepest + 1)), SourceLimits())


def test_objects_may_nest_as_deep_as_the_limit() -> None:
    text = '{\n"title": "T",\n"a": %s1%s\n}\n\n'
    assert front_matter("page.md", text % ('{"b": ' * 19, "}" * 19), SourceLimits()).title == "T"
    with pytest.raises(DocumentError, match="nesting deeper than 20"):
        front_matter("page.md", text % ('{"b": ' * 20, "}" * 20), SourceLimits())


def test_brackets_in_a_text_of_yaml_are_none_of_its_nesting() -> None:
    text = f"---\na: {{}}\ntitle: '{'[' * 20}'\n---\n"
    assert front_matter("page.md", text, SourceLimits()).title == "[" * 20


@pytest.mark.parametrize("body", ["a\n\n" * 5, "- a\n- b\n", "[a]: b\n\n* a\n\n  > b\n\n c\n", "a\n===\n", "- a\n=\n"])
def test_a_page_may_have_as_many_blocks_as_the_limit(body: str) -> None:
    document = Document("page.md", "0" * 64, "", body)

    def count(blocks: tuple) -> int:
        return sum((block.kind != "other") + count(block.children) for block in blocks)

    blocks = count(parse_blocks(document)[0])
    assert count(parse_blocks(document, SourceLimits(blocks=blocks))[0]) == blocks
    with pytest.raises(DocumentError, match=f"more than {blocks - 1} Markdown blocks"):
        parse_blocks(document, SourceLimits(blocks=blocks - 1))


def test_folders_may_lie_as_deep_as_the_limit(tmp_path: Path) -> None:
    assert DEEPEST == 200
    place = tmp_path / "/".join("a" * DEEPEST)
    (place / "b").mkdir(parents=True)
    for folder in (place, place / "b"):
        (folder / "page.md").touch()
    found = discover(tmp_path, SourceRules())
    assert found.documents == (f"{'a/' * DEEPEST}page.md",)
    (error,) = found.errors
    assert error.place == f"{'a/' * DEEPEST}b" and f"more than {DEEPEST} folders deep" in error.reason


def test_a_stem_may_have_as_many_bytes_as_the_limit(tmp_path: Path) -> None:
    names = ["x" * 240 + ".md", "ä" * 120 + ".md", "x" * 241 + ".md", "y" + "ä" * 120 + ".md", "🎈" * 61 + ".md"]
    for name in names:
        (tmp_path / name).touch()
    found = discover(tmp_path, SourceRules())
    assert found.documents == tuple(sorted(names[:2]))
    assert sorted(error.place for error in found.errors) == sorted(names[2:])


def test_an_ignore_file_may_have_as_many_bytes_as_the_limit(tmp_path: Path) -> None:
    place = tmp_path / ".gitignore"
    place.write_bytes(b"a\n" * (MOST_BYTES // 2))
    lines = read_lines(str(place))
    assert lines is not None and len(lines) == MOST_BYTES // 2 + 1
    place.write_bytes(b"a\n" * (MOST_BYTES // 2) + b"b")
    assert read_lines(str(place)) is None


def test_an_ignore_file_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("*.md\n")
    (tmp_path / ".gitignore").symlink_to(tmp_path / "secret")
    (tmp_path / "page.md").touch()
    found = discover(tmp_path, SourceRules())
    assert found.documents == ("page.md",)
    assert [notice.path for notice in found.notices] == [".gitignore"]

"""Bytes to documents: nothing changed, everything odd an error by name."""

from __future__ import annotations

import contextlib
import hashlib
import os
import socket
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infograph.chunking.chunker import chunk_document
from infograph.chunking.interface import StrategyTools
from infograph.chunking.registry import strategy
from infograph.chunking.tokens import WordPieceCounter
from infograph.errors import DocumentError
from infograph.source.blocks import parse_blocks
from infograph.source.document import decode, read_document
from infograph.source.hidden import hidden_text
from infograph.source.limits import SourceLimits
from infograph.source.textfile import TextFile


def test_prefix_and_body_are_the_text() -> None:
    data = "\ufeff---\r\ntitle: A\r\n---\r\n# H\r\n".encode()
    document = decode("a/page.md", data)
    assert document.prefix == "\ufeff---\r\ntitle: A\r\n---\r\n"
    assert document.body == "# H\r\n"
    assert (document.title, document.stem, document.topic) == ("A", "page", "a")
    assert document.sha256 == hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    ("front", "line"),
    [
        ("", 1),
        ("\ufeff", 1),
        ("---\ntitle: A\n---\n", 4),
        ('+++\ntitle = "A"\n+++\n', 4),
        ('\ufeff{\n"title": "A"\n}\n', 4),
    ],
)
def test_a_line_has_the_same_number_wherever_it_is_named(front: str, line: int, end: str) -> None:
    """In a chunk, in what is told of comments, invisible characters and nesting, and in errors."""
    body = "\n# H\n\n<!-- c -->\n\na\u2060b\n\n" + ">" * 200 + " deep\n"
    text = (front + body).replace("\n", end)
    document = decode("page.md", text.encode())
    blocks, (deep,) = parse_blocks(document)
    assert document.first_line == line and document.body == body.replace("\n", end)
    comment, invisible = sorted(hidden_text(document, blocks), key=lambda notice: notice.kind)
    assert comment.message.endswith(f": line {line + 3}")
    assert invisible.message.endswith(f": line {line + 5}")
    assert f"first in line {line + 7};" in deep.message
    (chunk,) = chunk_document(document, blocks, strategy(), StrategyTools(WordPieceCounter())).chunks
    assert chunk.lines == (line, line + 7)
    for wrong in (b"\0", b"\xff"):
        with pytest.raises(DocumentError) as error:
            decode("page.md", text.encode() + wrong)
        assert error.value.place == f"page.md:{line + 8}"


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)), max_size=200))
@settings(deadline=None)
def test_no_byte_is_lost(text: str) -> None:
    try:
        document = decode("page.md", text.encode())
    except DocumentError:
        assert text.lstrip("\ufeff").startswith(("---", "+++", "{"))
        return
    assert (document.prefix + document.body).encode() == text.encode()


@pytest.mark.parametrize("data", [b"", b"\n", b" ", b"\xef\xbb\xbf"])
def test_nothing_is_a_document_too(data: bytes) -> None:
    document = decode("page.md", data)
    assert (document.prefix + document.body).encode() == data


@pytest.mark.parametrize(
    "data, message",
    [
        (b"a\nb\xff\n", r"page\.md:2: not UTF-8: .* at byte 3\. Save the file as UTF-8"),
        (b"a\n\xc0\x80", r"page\.md:2: not UTF-8"),
        ("\ud800".encode("utf-16-le", "surrogatepass"), r"page\.md:1: not UTF-8"),
        (b"\xed\xa0\x80", r"page\.md:1: not UTF-8"),
        (b"a\n\nb\0c", r"page\.md:3: a NUL character at byte 4"),
        (b"\0\1", r"page\.md:1: a NUL character at byte 0"),
        (b"\n\n\0", r"page\.md:3: a NUL character at byte 2"),
        (b"\n\xff", r"page\.md:2: not UTF-8: .* at byte 1"),
    ],
)
def test_bad_bytes_are_named_with_line_and_byte(data: bytes, message: str) -> None:
    with pytest.raises(DocumentError, match=message):
        decode("page.md", data)


def test_too_large_names_the_setting(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_bytes(b"x" * 101)
    for attempt in (
        lambda: decode("page.md", b"x" * 101, SourceLimits(bytes=100)),
        lambda: read_document(tmp_path, "page.md", SourceLimits(bytes=100)),
    ):
        with pytest.raises(DocumentError, match=r"101 bytes, more than 100\. Raise `limits\.bytes`"):
            attempt()
    assert read_document(tmp_path, "page.md", SourceLimits(bytes=101)).body == "x" * 101


def test_a_table_too_large_names_both_settings_at_once() -> None:
    with pytest.raises(DocumentError, match=r"prices\.csv: 101 bytes.*`limits\.bytes` and `limits\.seconds`"):
        decode("prices.csv", b"x" * 101, SourceLimits(bytes=100))


def test_links_fifos_and_sockets_are_not_opened(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("canary")
    (tmp_path / "link.md").symlink_to(tmp_path / "secret")
    os.mkfifo(tmp_path / "fifo.md")
    (tmp_path / "directory.md").mkdir()
    with socket.socket(socket.AF_UNIX) as listener:
        here = Path.cwd()
        os.chdir(tmp_path)  # a socket's path is limited to about 100 bytes
        try:
            listener.bind("socket.md")
        finally:
            os.chdir(here)
        for name in ("link.md", "fifo.md", "socket.md", "directory.md", "missing.md"):
            with pytest.raises(DocumentError, match=name):
                read_document(tmp_path, name)


@pytest.mark.parametrize("path", ["link/secret.md", "real/link/secret.md", "link/below/secret.md"])
def test_no_folder_on_the_way_is_a_link(tmp_path: Path, path: str) -> None:
    """It may have become one since the tree was walked."""
    outside = tmp_path / "outside"
    (outside / "below").mkdir(parents=True)
    for place in (outside, outside / "below"):
        (place / "secret.md").write_text("canary")
    root = tmp_path / "docs"
    (root / "real").mkdir(parents=True)
    (root / path.partition("link")[0] / "link").symlink_to(outside, target_is_directory=True)
    for read in (read_document, TextFile):
        with pytest.raises(DocumentError, match=f"{path}: cannot be opened"):
            read(root, path)


def test_the_root_itself_may_lie_behind_a_link(tmp_path: Path) -> None:
    (tmp_path / "real/sub").mkdir(parents=True)
    (tmp_path / "real/sub/page.md").write_text("# A\n")
    (tmp_path / "docs").symlink_to("real", target_is_directory=True)
    assert read_document(tmp_path / "docs", "sub/page.md").body == "# A\n"


@pytest.mark.parametrize("call", ["read", "fstat"])
def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    (tmp_path / "page.md").touch()

    def broken(*arguments: object) -> bytes:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(os, call, broken)
        with pytest.raises(DocumentError, match=r"page\.md: cannot be read: Input/output error"):
            read_document(tmp_path, "page.md")


def test_where_folders_cannot_be_opened_from_each_other_the_file_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/page.md").write_text("b")
    (tmp_path / "a/link.md").symlink_to(tmp_path / "a/page.md")
    monkeypatch.setattr(os, "supports_dir_fd", set())
    assert read_document(tmp_path, "a/page.md").body == "b"
    with pytest.raises(DocumentError, match="cannot be opened"):
        read_document(tmp_path, "a/link.md")


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs /proc to count descriptors")
def test_no_descriptor_is_left_open(tmp_path: Path) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/b/page.md").write_text("# A\n")
    before = len(os.listdir("/proc/self/fd"))
    for path in ("a/b/page.md", "a/b/missing.md", "a/missing/page.md", "a/b"):
        with contextlib.suppress(DocumentError):
            read_document(tmp_path, path)
    assert len(os.listdir("/proc/self/fd")) == before


@pytest.mark.parametrize("path", ["a.py", "a.CSV", "a/talk.vtt"])
def test_only_markdown_has_front_matter(path: str) -> None:
    data = b"\xef\xbb\xbf---\r\ntitle: [\r\n---\r\n"
    document = decode(path, data)
    assert (document.prefix, document.body) == ("\ufeff", "---\r\ntitle: [\r\n---\r\n")
    assert document.title is None
    assert document.stem == path.rpartition("/")[2]

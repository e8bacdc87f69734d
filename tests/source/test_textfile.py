"""A file that is read again and again: the same text, or the same error, as a file that is held."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import settings as options
from hypothesis import strategies as st

from infograph.errors import DocumentError
from infograph.source import textfile
from infograph.source.document import decode
from infograph.source.limits import SourceLimits
from infograph.source.textfile import TextFile
from infograph.text.lines import line_starts

Written = Callable[[bytes], Path]


@pytest.fixture(scope="module", autouse=True)
def blocks_of_four_bytes():
    """So that characters, line ends and errors lie across the borders of blocks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(textfile, "_BLOCK", 4)
        patch.setattr(textfile, "_LONGEST_LINE", 1000)
        yield


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    folder = tmp_path_factory.mktemp("texts")

    def written(data: bytes) -> Path:
        (folder / "t.csv").write_bytes(data)
        return folder

    return written


@given(text=st.text(st.sampled_from("a,\n\ré☃🎈\ufeff\u2028\x85"), max_size=60), data=st.data())
@options(deadline=None)
def test_it_is_the_text_of_the_document(text: str, data: st.DataObject, written: Written) -> None:
    document = decode("t.csv", text.encode())
    with TextFile(written(text.encode()), "t.csv") as file:
        known = (file.sha256, file.prefix, file.size, file.length)
        assert known == (document.sha256, document.prefix, len(text.encode()), len(document.body))
        for _ in range(2):
            lines = list(file.lines())
            assert lines == [document.body[start:end] for start, end in pairwise(line_starts(document.body))]
            ends = sorted(data.draw(st.lists(st.integers(0, file.length))))
            spans = list(pairwise((0, *ends)))
            assert list(file.slices(end - start for start, end in spans)) == [document.body[s:e] for s, e in spans]
        file.check()


PARTS = st.lists(st.sampled_from([b"a", b"\n", b"\r", b"\0", b"\xff", b"\xe2\x98", "☃".encode()]))


@given(data=st.binary(max_size=30) | PARTS.map(b"".join))
@example(data=b"\0")
@example(data=b"\n\0")
@example(data=b"a\n\0b")
@example(data=b"\na\0")
@example(data=b"\nab\xff")
@example(data=b"\nabc\n\xff")
@example(data=b"abc\xe2\n\nab")
@example(data=b"\0\n\xff")
@example(data=b"abc\xe2")
@example(data=b"abc\r\n\xff")
@example(data=b"ab\xe2\x98\x83\xff\n\n")
@options(deadline=None)
def test_it_has_the_errors_of_the_document(data: bytes, written: Written) -> None:
    assert failure(lambda: TextFile(written(data), "t.csv").close()) == failure(lambda: decode("t.csv", data))


def failure(attempt: Callable[[], object]) -> str | None:
    try:
        attempt()
    except DocumentError as error:
        return str(error)
    return None


def test_the_limit_is_that_of_other_files(written: Written) -> None:
    folder = written(b"x" * 101)
    found = failure(lambda: TextFile(folder, "t.csv", SourceLimits(bytes=100)))
    assert found == failure(lambda: decode("t.csv", b"x" * 101, SourceLimits(bytes=100)))
    assert found is not None and "101 bytes, more than 100" in found


def test_a_line_that_never_ends_is_refused(written: Written, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(textfile, "_LONGEST_LINE", 2)
    with TextFile(written(b"a\n" + b"x" * 10 + b"\r"), "t.csv"):
        pass
    message = failure(lambda: TextFile(written(b"a\n" + b"x" * 14), "t.csv"))
    assert message == "t.csv:2: a line longer than 8 bytes. Exclude the file if it is no table"


def test_what_is_written_meanwhile_is_noticed(written: Written) -> None:
    for change in (b"a,b\n", b"a,b\n" * 100, b"\xff" * 50):
        folder = written(b"a,b\n" * 50)
        os.utime(folder / "t.csv", ns=(1, 1))
        with TextFile(folder, "t.csv") as file:
            written(change)
            with pytest.raises(DocumentError, match=r"t\.csv: was changed while it was read\. Build again when"):
                for _ in file.slices([200]):
                    file.check()


def test_lines_that_are_no_text_any_more_are_noticed(written: Written) -> None:
    folder = written(b"a,b\n" * 50)
    with TextFile(folder, "t.csv") as file:
        written(b"\xff" * 50)
        with pytest.raises(DocumentError, match=r"t\.csv: was changed while it was read"):
            list(file.lines())


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs /proc to count descriptors")
def test_a_file_that_is_refused_is_closed(written: Written, monkeypatch: pytest.MonkeyPatch) -> None:
    before = len(os.listdir("/proc/self/fd"))
    folder = written(b"a\0")
    with pytest.raises(DocumentError, match="NUL"):
        TextFile(folder, "t.csv")
    with monkeypatch.context() as patch:
        patch.setattr(os, "read", no_read)
        with pytest.raises(DocumentError, match=r"t\.csv: cannot be read: Input/output error"):
            TextFile(folder, "t.csv")
    assert len(os.listdir("/proc/self/fd")) == before


def no_read(*arguments: object) -> bytes:
    raise OSError(5, "Input/output error")


def test_a_file_that_takes_its_place_is_another_file(written: Written) -> None:
    folder = written(b"old\n")
    with TextFile(folder, "t.csv") as file:
        (folder / "new").write_bytes(b"new\n")
        os.replace(folder / "new", folder / "t.csv")
        assert list(file.lines()) == ["old\n"]
        file.check()


def test_links_and_fifos_are_not_opened(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("canary")
    (tmp_path / "link.csv").symlink_to(tmp_path / "secret")
    os.mkfifo(tmp_path / "fifo.csv")
    for name in ("link.csv", "fifo.csv", "missing.csv"):
        with pytest.raises(DocumentError, match=name):
            TextFile(tmp_path, name)

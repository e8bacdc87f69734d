"""Which file a link of a document means, and what the first bytes of an image say."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.files.stamps import Stamp
from infograph.source.local_images import ImageKind, ImageLostError, LocalImages, image_kind, is_remote
from infograph.source.repository import MISSING

GIF = b"GIF89a" + struct.pack("<HH", 40, 30) + b"\0" * 8
JPEG = b"\xff\xd8" + b"\xff\xe1\0\x08Exif\0\0" + b"\xff\xff\xc2\0\x0b\x08" + struct.pack(">HH", 30, 40) + b"\0" * 6
RIFF = b"RIFF\0\0\0\0WEBP"
LOSSY = RIFF + b"VP8 " + b"\0" * 7 + b"\x9d\x01\x2a" + struct.pack("<HH", 40 | 1 << 14, 30)
LOSSLESS = RIFF + b"VP8L" + b"\0" * 4 + b"\x2f" + struct.pack("<I", 39 | 29 << 14 | 1 << 28)
EXTENDED = RIFF + b"VP8X" + b"\0" * 8 + (39).to_bytes(3, "little") + (29).to_bytes(3, "little") + b"\0\0"


@pytest.mark.parametrize(
    ("data", "media_type"),
    [(GIF, "gif"), (JPEG, "jpeg"), (LOSSY, "webp"), (LOSSLESS, "webp"), (EXTENDED, "webp")],
)
def test_kind_and_size(data: bytes, media_type: str) -> None:
    assert image_kind(data) == ImageKind(f"image/{media_type}", 40, 30)
    for end in range(len(data)):  # torn: nothing, or what is known already
        assert image_kind(data[:end]) in (None, ImageKind(f"image/{media_type}", 40, 30))


@given(st.sampled_from([b"", b"\xff\xd8\xff", RIFF + b"VP8X", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"]), st.binary())
def test_any_bytes_are_taken(head: bytes, rest: bytes) -> None:
    assert isinstance(image_kind(head + rest), ImageKind | None)


@pytest.mark.parametrize(
    ("link", "path"),
    [
        ("a.gif", "docs/guide/a.gif"),
        ("./a.gif#part", "docs/guide/a.gif"),
        ("../img/b%20c.gif?v=2", "docs/img/b c.gif"),
        ("/img/b%20c.gif", "docs/img/b c.gif"),
        ("/logo.gif", "static/logo.gif"),
        ("../../static/logo.gif", "static/logo.gif"),
        ("own.gif", "docs/guide/page/own.gif"),
    ],
)
def test_which_file_a_link_means(tmp_path: Path, link: str, path: str) -> None:
    for name in ("docs/guide/a.gif", "docs/img/b c.gif", "static/logo.gif", "docs/guide/page/own.gif"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(GIF)
    looked: dict[str, Stamp] = {}
    found = LocalImages(tmp_path / "docs", tmp_path).find("guide/page.md", link, looked)
    assert (found.path, found.kind) == (path, ImageKind("image/gif", 40, 30))
    assert looked[path] != MISSING


def test_git_is_no_folder_of_images(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git/a.gif").write_bytes(GIF)
    with pytest.raises(ImageLostError, match="no such file"):
        LocalImages(tmp_path, tmp_path).find("page.md", ".git/a.gif", {})


@given(st.text(max_size=30))
def test_no_link_leaves_the_repository(link: str) -> None:
    images, looked = LocalImages(Path("/nowhere/docs"), Path("/nowhere")), dict[str, Stamp]()
    with pytest.raises(ImageLostError):
        images.find("guide/page.md", link, looked)
    assert not any(path.startswith(("/", "..")) or "\0" in path for path in looked)


def test_what_is_remote() -> None:
    assert all(map(is_remote, ["", "#a", "//h/a", "http://h/a", "data:x", "c:\\a", "mailto:a", "a\0b"]))
    assert not any(map(is_remote, ["a.png", "./a/b:c.png", "/a.png"]))

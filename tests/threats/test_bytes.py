"""Whatever bytes a page has: its chunk files give them back one after the other, or an error names it. Lines are
counted as the parser counts them."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from infograph.build import Summary, build
from infograph.config import load
from infograph.formats.chunk_file import parse
from infograph.source.document import decode

EXAMPLES = json.loads((Path(__file__).parents[1] / "source/data/commonmark-0.31.2.json").read_text("utf-8"))
LINE_END = re.compile(rb"\r\n|\n|\r")
PIECES = [
    *(b"# h\n", b"\r\n", b"\r", b"\n", b"\xef\xbb\xbf", b"\xff", b"\xc3", b"\xc3\xa9", b"\xe2\x80\xa8", b"\xc2\x85"),
    *(b"\x0b", b"\x0c", b"\x1c\x1d\x1e", b"\0", b"---\n", b"title: a\n", b"+++\n", b"text ", b"- ", b"> ", b"```\n"),
    *(b"|a|\n|-|\n", b"\xf0\x9f\x98\x80", b"\xed\xa0\x80", b"\t", b"    ", b"=\n", b"<!--\n", b"-->\n", b"[a]: b\n"),
]


def run(docs: Path, **flags: Any) -> Summary:
    (docs.parent / "infograph.toml").touch()
    given = {name.replace("__", "."): value for name, value in flags.items()}
    return build(load(str(docs), flags=given, environment={}))


def joined(docs: Path, name: str) -> bytes:
    """A page as its prefix and its chunk files give it, whose places are exact."""
    data = (docs / name).read_bytes()
    joined = decode(name, data).prefix.encode()
    for index in range(len(list((docs / "_chunks").glob(f"{name.removesuffix('.md')}-*.md")))):
        path = docs / f"_chunks/{name.removesuffix('.md')}-{index}.md"
        chunk = parse(str(path), path.read_bytes()).chunk
        start, end = len(joined), len(joined) + len(chunk.text.encode())
        assert chunk.bytes == (start, end)
        assert chunk.lines == (line_of(data, start), line_of(data, end - 1)), path
        joined += chunk.text.encode()
    return joined


def line_of(data: bytes, at: int) -> int:
    """The 1-based line of a byte, as CommonMark ends lines; a line end belongs to the line that it ends."""
    before = LINE_END.findall(data, 0, at)
    return len(before) + 1 - (data[at - 1 : at + 1] == b"\r\n" and at > 0)


@pytest.mark.slow
@pytest.mark.parametrize(
    "end",
    [
        pytest.param(b"\n", id="LF"),
        pytest.param(b"\r\n", id="CRLF", marks=pytest.mark.slow),
        pytest.param(b"\r", id="CR", marks=pytest.mark.slow),
    ],
)
def test_the_commonmark_examples_come_back(tmp_path: Path, quick: Any, end: bytes) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    pages = {f"{example['number']}.md": example["markdown"].encode().replace(b"\n", end) for example in EXAMPLES}
    for name, data in pages.items():
        (docs / name).write_bytes(data)
    summary = run(docs, search__enabled=False)
    assert summary.errors == []
    differing = [name for name, data in pages.items() if joined(docs, name) != data]
    print(f"{len(pages)} examples, {len(differing)} that differ")
    assert differing == []


@pytest.mark.slow
def test_random_bytes_come_back_or_are_named(tmp_path: Path, quick: Any) -> None:
    chance = random.Random(20)
    docs = tmp_path / "docs"
    docs.mkdir()
    pages = {f"{n}.md": b"".join(chance.choices(PIECES, k=chance.randint(1, 60))) for n in range(400)}
    pages |= {f"r{n}.md": chance.randbytes(chance.randint(0, 300)) for n in range(100)}
    text = bytes(range(32, 127)) + b"\n\r\t"
    pages |= {f"t{n}.md": bytes(chance.choices(text, k=chance.randint(0, 2000))) for n in range(100)}
    for name, data in pages.items():
        (docs / name).write_bytes(data)
    summary = run(docs, search__enabled=False)
    failed = {error.place.partition(":")[0] for error in summary.errors}
    differing = [name for name, data in pages.items() if name not in failed and joined(docs, name) != data]
    print(f"{len(pages)} files: {len(failed)} errors by name, {len(differing)} that differ")
    assert differing == [] and failed < pages.keys()
    assert len(pages) - len(failed) > 100
    reasons = ("not UTF-8", "NUL character", "front matter", "YAML", "TOML")
    assert [str(error) for error in summary.errors if not any(reason in str(error) for reason in reasons)] == []


@pytest.mark.parametrize("between", ["\x0b", "\x0c", "\x85", "\u2028", "\u2029", "\x1c", "\x1d", "\x1e"])
def test_what_python_takes_for_a_line_end_is_none(tmp_path: Path, quick: Any, between: str) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    filler = " ".join(f"word{number}" for number in range(300))
    text = "".join(f"# Part{between}{number}\n\n{filler}{between}{filler}\n\n" for number in range(6))
    (docs / "page.md").write_bytes(text.encode())
    assert run(docs).errors == []
    assert joined(docs, "page.md") == text.encode()
    assert len(list((docs / "_chunks").iterdir())) > 2


@pytest.mark.parametrize("before", ["", "\n", "---\ntitle: a\n---\n"])
def test_a_byte_order_mark_hides_no_heading(tmp_path: Path, quick: Any, before: str) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "page.md").write_bytes(f"\ufeff{before}# Seen\n\nText.\n".encode())
    run(docs)
    assert b'"section_path":["Seen"]' in (docs / "index.json").read_bytes().replace(b'": [', b'":[')
    assert joined(docs, "page.md") == (docs / "page.md").read_bytes()

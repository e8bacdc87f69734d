"""A page made to be expensive costs at most ten seconds and a gigabyte, and only itself.

Generators after the pathological inputs that cmark, the reference implementation of CommonMark, is tested with, and
after what else is here looked for by pattern: includes, images, sentences, front matter, hidden text.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

MeasuredBuild = Callable[..., Any]

SECONDS = 10.0
MEGABYTES = 1000.0


def pages(size: int) -> dict[str, str]:
    """Pages of about so many bytes."""

    def times(part: str) -> str:
        return part * max(1, size // len(part.encode()))

    root = int((2 * size) ** 0.5)
    return {
        # of cmark
        "nested strong emphasis": "*a **a " * (size // 14) + "b" + " a** a*" * (size // 14),
        "emphasis closers": times("a_ "),
        "emphasis openers": times("_a "),
        "link closers": times("a]"),
        "link openers": times("[a"),
        "mismatched openers and closers": times("*a_ "),
        "openers and closers of three": "a***b" + times("c* "),
        "link openers and emphasis closers": times("[ a_"),
        "brackets and parentheses": times("[ (]("),
        "images that do not end": times("![[]()"),
        "nested brackets": "[" * (size // 2) + "a" + "]" * (size // 2),
        "nested parentheses": "[a]" + "(" * size,
        "nested quotes": times("> ") + "a",
        "deep lists": "".join("  " * depth + "* a\n" for depth in range(int(size**0.5))),
        "growing runs of backticks": "".join("e" + "`" * length for length in range(root)),
        "unclosed angled links": times("[a](<b"),
        "unclosed links": times("[a](b"),
        "unclosed comments": "</" + times("<!--"),
        "unclosed processing instructions": times("<?"),
        "unclosed declarations": times("<!A "),
        "unclosed CDATA": times("<![CDATA["),
        "empty lines in deep lists": "- a\n" + "  " * 30 + "- b\n" + "\n" * size,
        "blank lines in deep lists": "- a\n" + "  " * 30 + "- b\n" + " \n" * (size // 2),
        "reference definitions": "".join(f"[r{number}]: /u\n" for number in range(size // 12)),
        "definitions and uses": "[a]: u\n" * (size // 14) + "[a][] " * (size // 12),
        "a definition's title that does not end": "[a]: u 'x\n" + "y\n" * (size // 2),
        "wide tables": "|" + "a|" * (size // 4) + "\n|" + "-|" * (size // 4) + "\n",
        "rows that are filled up": "|" + "a|" * 1000 + "\n|" + "-|" * 1000 + "\n" + "|a\n" * (size // 3),
        "strike-through": times("~~a "),
        # of the block parser
        "list markers": times("- ") + "a",
        "markers of all kinds": times("- > 1. ") + "# h",
        "lazy lines under quotes": ">" * 90 + "a\n" + times("lazy\n"),
        "lazy lines under lists": "- " * 45 + "a\n" + times("lazy\n"),
        "comments between paragraphs": times("a <!--\n\n"),
        "fences of growing length": "".join("`" * (3 + number % 200) + "\n" for number in range(size // 100)),
        "lines above an underline": times("a\n") + "===",
        "rules in a line": times("* ") + "\n- - -",
        "tabs": "\t" * size + "a",
        # of what is looked for by pattern
        "headings": times("# h\n"),
        "different headings": "".join(f"# heading {number}\n" for number in range(size // 14)),
        "a long heading": "# " + times("a *b* `c` "),
        "braces in a heading": "# " + "{" * size,
        "tags": times("<a b=c "),
        "entities": "&" * size,
        "addresses": times("a@b."),
        "compounds": "".join(f"a{number}-b{number} " for number in range(size // 12)),
        "camel case": times("aB"),
        "one word": "a" * size,
        "one line": times("word "),
        "ideographs": times("\u6f22"),
        "combining marks": "a" + times("\u0301"),
        "joined emoji": times("\U0001f469\u200d"),
        "flags": times("\U0001f3f4\U000e0067"),
        "comments in code spans": times("`<!--"),
        "comments and backticks": times("``` <!-- a --> "),
        "sentences": times("A. "),
        "questions": times("A? "),
        "shortcodes": times("{{<"),
        "includes": times("{% include "),
        "DocFX includes": times("[!include[](a"),
        "snippets": times('--8<-- "'),
        "imports": times("import {a,\n"),
        "images in one paragraph": times("![a](b) "),
        "HTML images": times("<img alt='"),
        "a front matter that does not end": "---\n" + times("a: b\n"),
        "fences of a front matter": times("---\n"),
        "carriage returns": times("a\r"),
        "other line ends": times("a\x0b\x0c\x85\u2028"),
    }


def write(root: Path, texts: dict[str, str]) -> Path:
    root.mkdir()
    (root / "good.md").write_text("# Good\n\nA page that stays.\n")
    for name, text in texts.items():
        (root / f"{name}.md").write_bytes(text.encode())
    return root


def cost(built: Any, pages: int) -> None:
    print(f"{pages} pages: {built.seconds:.1f} s of processor time, largest process {built.megabytes:.0f} MB")
    assert built.megabytes <= MEGABYTES
    assert "Traceback" not in built.log


@pytest.mark.slow
def test_pathological_pages(tmp_path: Path, measured_build: MeasuredBuild) -> None:
    """Of 3 KB, each within a fiftieth of the time that it may take. (Their costs grow with their size.)"""
    texts = pages(3_000)
    built = measured_build(write(tmp_path / "docs", texts), limits__seconds=SECONDS / 10)
    cost(built, len(texts))
    assert built.errors == []
    assert built.documents == len(texts) + 1


@pytest.mark.slow
def test_large_pathological_pages(tmp_path: Path, measured_build: MeasuredBuild) -> None:
    """Of 100 KB. A worker that takes longer is ended by the system, so no error is a figure of at most ten seconds."""
    texts = pages(100_000)
    docs = write(tmp_path / "docs", texts)
    built = measured_build(docs, limits__seconds=SECONDS)
    cost(built, len(texts))
    assert built.errors == []
    assert (docs / "_chunks/good-0.md").exists()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["one line", "markers of all kinds", "different headings"])
def test_the_largest_pages_there_may_be(tmp_path: Path, measured_build: MeasuredBuild, name: str) -> None:
    """Of 5 MB: made in time, or ended by name, with the rest built."""
    docs = write(tmp_path / "docs", {"bad": pages(4_900_000)[name]})
    built = measured_build(docs, limits__seconds=SECONDS)
    cost(built, 1)
    assert all(error.startswith("bad.md: ") for error in built.errors)
    assert built.seconds < 3 * SECONDS
    assert (docs / "_chunks/good-0.md").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    "name, text, said",
    [
        pytest.param("a line of 100 MB", "x" * 100_000_000, "bytes, more than 5000000", marks=pytest.mark.slow),
        pytest.param("a million headings", "# h\n" * 1_000_000, "more than 100000 Markdown", marks=pytest.mark.slow),
        ("16,000 lazy lines under 90 quotes", ">" * 90 + "a\n" + "b\n" * 16_000, ""),
    ],
)
def test_the_measured_three(tmp_path: Path, measured_build: MeasuredBuild, name: str, text: str, said: str) -> None:
    docs = write(tmp_path / "docs", {"bad": text})
    built = measured_build(docs, limits__seconds=SECONDS)
    cost(built, 1)
    assert [said in error and error.startswith("bad.md: ") for error in built.errors] == [True] * bool(said)
    assert said or ("bad.md", "nesting", 1) in built.notices
    assert (docs / "_chunks/good-0.md").exists()

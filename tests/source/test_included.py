"""Includes are resolved below the repository's root, within bounds, and never beyond a link."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from infograph.model import Document
from infograph.source import included
from infograph.source.included import Included, Includer
from infograph.source.repository import MISSING, repository_of
from infograph.text.edits import edited


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A repository with documents in `docs`."""
    for folder in (".git", "docs/guide", "src"):
        (tmp_path / folder).mkdir(parents=True)
    return tmp_path


def resolve(tree: Path, body: str, path: str = "guide/page.md", **options: tuple[str, ...]) -> tuple[str, Included]:
    found = Includer(tree / "docs", tree, **options).resolve(Document(path, "0" * 64, "", body))
    return edited(body, found.edits), found


def test_code_gets_a_fence_and_a_page_stands_as_it_is(tree: Path) -> None:
    (tree / "src/a.py").write_text("import a\n\nprint('```')\n")
    (tree / "docs/guide/part.md").write_text("---\ntitle: Part\n---\nThe *part*. { #x }\n")
    text, found = resolve(tree, "Look:\n\n{* ../../src/a.py *}\n\n{!part.md!}\n")
    assert text == "Look:\n\n````python\nimport a\n\nprint('```')\n````\n\nThe *part*.\n"
    assert found.lost == []
    assert found.files.keys() == {"src/a.py", "docs/guide/part.md"}


def test_folders_above_the_page_are_tried_in_turn(tree: Path) -> None:
    """FastAPI's paths are relative to the folder of mkdocs.yml, MkDocs' own to the working directory."""
    (tree / "src/a.py").write_text("one\n")
    text, found = resolve(tree, "{* ../src/a.py *}\n{* src/a.py *}\n")
    assert text == "```python\none\n```\n```python\none\n```\n"
    assert found.files["docs/src/a.py"] == found.files["docs/guide/src/a.py"] == MISSING


def test_further_folders_are_those_of_the_setting(tree: Path) -> None:
    (tree / "snippets").mkdir()
    (tree / "snippets/a.md").write_text("text")
    assert resolve(tree, '--8<-- "a.md"\n')[1].lost[0][1] == "no such file in the repository"
    assert resolve(tree, '--8<-- "a.md"\n', paths=("../snippets",))[0] == "text\n"


def test_includes_of_includes_are_relative_to_their_file(tree: Path) -> None:
    (tree / "docs/parts").mkdir()
    (tree / "docs/parts/a.md").write_text("A {!b.md!}")
    (tree / "docs/parts/b.md").write_text("B")
    assert resolve(tree, "{!../parts/a.md!}\n")[0] == "A B\n"


def test_a_circle_ends(tree: Path) -> None:
    (tree / "docs/a.md").write_text("A {!b.md!}")
    (tree / "docs/b.md").write_text("B {!a.md!}")
    assert resolve(tree, "{!a.md!}\n", "page.md")[0] == "A B\n"
    text, found = resolve(tree, "{!a.md!}\n", "a.md")
    assert text == "{!a.md!}\n" and found.lost[0][1] == "docs/a.md includes itself"


def test_depth_size_and_number_are_bounded(tree: Path) -> None:
    for number in range(12):
        (tree / f"docs/d{number}.md").write_text(f"{number} {{!d{number + 1}.md!}}")
    assert resolve(tree, "{!d0.md!}", "page.md")[0].split() == [str(number) for number in range(included.DEEPEST)]
    (tree / "docs/big.md").write_text("x" * (included.MOST_CHARACTERS + 1))
    assert "too much text" in resolve(tree, "{!big.md!}", "page.md")[1].lost[0][1]
    (tree / "docs/bigger.md").write_text("x" * (included.MOST_BYTES + 1))
    assert "more than" in resolve(tree, "{!bigger.md!}", "page.md")[1].lost[0][1]
    (tree / "docs/half.md").write_text("x" * 60_000)
    assert len(resolve(tree, "{!half.md!}\n" * 9, "page.md")[1].lost) == 5
    (tree / "docs/t.md").write_text("t")
    (tree / "docs/s.md").write_text("{!t.md!}" * 40)
    assert len(resolve(tree, "{!s.md!}" * 30, "page.md")[1].lost) == 30 - included.MOST_FILES // 41 - 1


@pytest.mark.parametrize(
    "target",
    [
        "/etc/passwd",
        "../../../../../../../../etc/passwd",
        "../../../secret.txt",
        "https://example.org/a.md",
        "file:///etc/passwd",
        "..\\..\\..\\secret.txt",
        "../../.git/config",
        "link.txt",
        "linked/secret.txt",
        "fifo",
        "..",
        ".",
    ],
)
def test_nothing_outside_of_the_repository_is_read(tree: Path, target: str) -> None:
    outside = tree.parent / f"{tree.name}-outside"
    outside.mkdir()
    for place in (outside / "secret.txt", tree.parent / "secret.txt", tree / ".git/config"):
        place.write_text("CANARY")
    (tree / "docs/guide/link.txt").symlink_to(outside / "secret.txt")
    (tree / "docs/guide/linked").symlink_to(outside)
    os.mkfifo(tree / "docs/guide/fifo")
    for body in (f"{{* {target} *}}\n", f'--8<-- "{target}"\n', f"[!INCLUDE [a]({target})]\n"):
        text, found = resolve(tree, body)
        assert "CANARY" not in text and "root:" not in text
        assert len(found.lost) == 1


def test_what_is_no_text_is_said(tree: Path) -> None:
    (tree / "docs/guide/a.bin").write_bytes(b"\xff\xfe\x00")
    assert resolve(tree, "{* a.bin *}\n")[1].lost[0][1] == "docs/guide/a.bin is not readable text"
    (tree / "docs/guide/a.py").write_text("x")
    assert resolve(tree, '--8<-- "a.py:part"\n')[1].lost[0][1] == "docs/guide/a.py has no such part"


def test_an_include_named_in_a_sentence_is_none(tree: Path) -> None:
    assert resolve(tree, "Write `{* a.py *}` there.\n")[1] == Included()


def test_lines_are_indented_as_the_include(tree: Path) -> None:
    (tree / "docs/guide/a.py").write_text("a\nb\n")
    assert resolve(tree, "- x\n\n    {* a.py *}\n")[0] == "- x\n\n    ```python\n    a\n    b\n    ```\n"


def test_line_ends_of_a_page_stay(tree: Path) -> None:
    (tree / "docs/guide/a.md").write_text("text")
    assert resolve(tree, 'x\r\n\r\n--8<-- "a.md"\r\ny\r\n')[0] == "x\r\n\r\ntext\r\ny\r\n"


def test_listings_of_mdbook_lose_includes_that_are_not_there(tree: Path) -> None:
    text, found = resolve(tree, "```rust\n{{#rustdoc_include ../a.rs:here}}\n```\n")
    assert text == "```rust\n\n```\n" and len(found.lost) == 1


@pytest.mark.parametrize(
    ("marks", "root"),
    [
        ((".git/", "docs/pyproject.toml"), "."),
        (("pyproject.toml",), "."),
        (("docs/infograph.toml", "pyproject.toml"), "docs"),
        (("mkdocs.yml",), "."),
        (("docs/infograph.toml", "hugo.toml"), "docs"),
        (("docs/conf.py", "pyproject.toml"), "."),
        (("docs/mkdocs.yml", "mkdocs.yml"), "docs"),
        (("config.toml", "conf.py"), "docs"),
    ],
)
def test_the_repository_is_gits_else_the_projects(tmp_path: Path, marks: tuple[str, ...], root: str) -> None:
    (tmp_path / "docs").mkdir()
    for mark in marks:
        (tmp_path / mark).mkdir() if mark.endswith("/") else (tmp_path / mark).touch()
    assert repository_of(tmp_path / "docs") == tmp_path / root

"""The walk: sorted, follows nothing, respects patterns, never takes outputs for sources."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import tempfile
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from infograph.errors import ConfigError, DocumentError
from infograph.formats.markdown_table import escape
from infograph.formats.marks import WEB_MARK, is_specification
from infograph.formats.topic_spec import render
from infograph.model import TopicSpec
from infograph.source.discovery import DEEPEST, SourceRules, discover
from infograph.text.inline import short_title

Tree = Callable[..., Path]

NEEDS_GIT = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    def make(*names: str, **contents: str) -> Path:
        for name in names:
            file = tmp_path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(contents.get(name, "x\n"))
        return tmp_path

    return make


def test_sorted_documents_of_the_suffixes(tree: Tree) -> None:
    root = tree("b.md", "a/z.markdown", "a/B.MD", "a.mdx", "c.txt", "d.md.bak", "e/f/g.md", "README")
    assert discover(root, SourceRules()).documents == ("a.mdx", "a/B.MD", "a/z.markdown", "b.md", "e/f/g.md")
    assert discover(root, SourceRules(suffixes=(".txt",))).documents == ("c.txt",)


def test_other_kinds_are_documents_where_a_pattern_ends_in_their_suffix(tree: Tree) -> None:
    root = tree(
        "a.md", "util.py", "util.ts", "UTIL2.PY", "src/a.py", "src/a.md", "src/test/a.py", "data.csv", "talk.vtt"
    )

    def found(*include: str) -> tuple[str, ...]:
        discovery = discover(root, SourceRules(include=include))
        assert discovery.errors == ()
        return discovery.documents

    assert found() == ("a.md", "src/a.md")
    assert found("src/") == ("src/a.md",)
    assert found("*") == ("a.md", "src/a.md")
    assert found("*.md", "src/**/*.py") == ("a.md", "src/a.md", "src/a.py", "src/test/a.py")
    assert found("src/", "/util.py", "/util.ts") == ("src/a.md", "util.py", "util.ts")
    assert found("*.py", "!/util.py") == ("src/a.py", "src/test/a.py")
    assert found("*.csv", "*.vtt", "/a.md") == ("a.md", "data.csv", "talk.vtt")


def test_names_of_two_kinds_do_not_meet(tree: Tree) -> None:
    root = tree("util.py", "util.ts", "util.md", "util.py.md")
    discovery = discover(root, SourceRules(include=("*.md", "*.py", "*.ts")))
    assert discovery.documents == ("util.md", "util.py", "util.ts")
    assert [str(error) for error in discovery.errors] == [
        "util.py.md: its chunks would have the names of those of `util.py`. "
        "Rename one of the two (letter case, Unicode form and suffix do not count)"
    ]


def test_hidden_own_and_foreign_directories_are_left_out(tree: Tree) -> None:
    root = tree(
        "a.md",
        ".hidden.md",
        ".git/a.md",
        ".venv/a.md",
        ".infograph/a.md",
        ".embedding-cache/a.md",
        "node_modules/x/a.md",
        "_chunks/a-0.md",
        "_keywords/words.md",
        "t/_search/a.md",
        "_schema/a.md",
        "t/topic-spec.md",
        "llms.txt",
        ".#a.md",
        "_draft/a.md",
        "dist/guide/a.md",
        "site/.infograph/output",
        "site/a.md",
    )
    assert discover(root, SourceRules(), root / "dist").documents == ("_draft/a.md", "a.md")
    assert "dist/guide/a.md" in discover(root, SourceRules(), root).documents


def test_an_output_tree_is_left_out_whatever_its_mark_is(tree: Tree) -> None:
    root = tree("a.md", "site/a.md", "folder/a.md")
    (root / "site/.infograph").mkdir()
    (root / "site/.infograph/output").symlink_to("nowhere")
    (root / "folder/.infograph/output").mkdir(parents=True)
    assert discover(root, SourceRules()).documents == ("a.md",)


def test_pages_named_as_chunk_files_are_told_and_chunk_files_without_a_document_are_not(tree: Tree) -> None:
    ours = "---\ntitle: Gone\nsource: gone.md\nchunk_type: structural\nsha256: 0\n---\ntext\n"
    names = ("_chunks/gone-0.md", "_chunks/step-1.md", "_chunks/a-1.md", "t/_keywords/a-1.md")
    root = tree("a.md", *names, **{"_chunks/gone-0.md": ours})
    for _ in range(2):
        told = [notice.path for notice in discover(root, SourceRules()).notices]
        assert told == ["_chunks/step-1.md", "t/_keywords/a-1.md"]


def test_pages_in_our_own_directories_are_told_and_ours_are_not_opened(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tree(
        "a.md",
        "a.py",
        "_chunks/a-0.md",
        "_chunks/a.py-12.md",
        "_chunks/notes.md",
        "_chunks/picture.png",
        "_chunks/.draft.md",
        "_chunks/deep/er/page-1.MD",
        "t/_keywords/words.md",
        "t/_keywords/mine.mdx",
        "_search/a.md",
        "_search/p-0123456789abcdef.z",
        "_search/manifest.json",
        "_schema/index.schema.json",
    )
    os.mkfifo(root / "_chunks/pipe")
    (root / "_chunks/link").symlink_to(root / "t")
    monkeypatch.setattr(os, "open", None)
    told = ["_chunks/deep/er/page-1.MD", "_chunks/notes.md", "_search/a.md", "t/_keywords/mine.mdx"]

    def notices(**rules: object) -> list[str]:
        found = discover(root, SourceRules(gitignore=False, **rules))  # type: ignore[arg-type]
        assert found.documents == ("a.md",)
        assert all(notice.kind == "reserved-name" and "never indexed" in notice.message for notice in found.notices)
        return [notice.path for notice in found.notices]

    assert notices() == told
    assert notices(exclude=("_chunks/",)) == told[2:]
    assert notices(exclude=("deep/",)) == told[1:]
    assert notices(exclude=("notes.md",)) == [path for path in told if path != "_chunks/notes.md"]
    assert notices(include=("/a.md",)) == []


def test_a_link_to_a_chunk_file_is_no_chunk_file(tree: Tree) -> None:
    root = tree("a.md", "_chunks/b-0.md")
    chunk = "---\ntitle: B\nsource: b.md\nchunk_type: prose\nsha256: 0\n---\nb\n"
    (root / "_chunks/b-0.md").write_text(chunk)
    assert discover(root, SourceRules()).notices == ()
    (root / "chunk").write_text(chunk)
    (root / "_chunks/b-0.md").unlink()
    (root / "_chunks/b-0.md").symlink_to(root / "chunk")
    assert [notice.path for notice in discover(root, SourceRules()).notices] == ["_chunks/b-0.md"]


def test_what_cannot_be_read_as_a_chunk_file_is_none(tree: Tree) -> None:
    root = tree("a.md")
    (root / "_chunks/b-0.md").mkdir(parents=True)
    os.mkfifo(root / "_chunks/c-0.md")
    assert [notice.path for notice in discover(root, SourceRules()).notices] == ["_chunks/b-0.md", "_chunks/c-0.md"]


def test_a_file_that_is_gone_since_its_directory_was_listed_is_passed_over(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tree("a.md", "_chunks/b.md")
    listdir = os.listdir
    monkeypatch.setattr(os, "listdir", lambda path: ["4913", *listdir(path)])
    assert [notice.path for notice in discover(root, SourceRules()).notices] == ["_chunks/b.md"]


def test_a_page_named_as_a_specification_is_told(tree: Tree) -> None:
    root = tree("topic-spec.md", "ours/topic-spec.md", "z.md", "link/b.md", "pipe/c.md")
    (root / "ours/topic-spec.md").write_bytes(render(TopicSpec("", "A", "", "", "")))
    (root / "link/topic-spec.md").symlink_to(root / "z.md")
    os.mkfifo(root / "pipe/topic-spec.md")
    found = discover(root, SourceRules())
    assert found.documents == ("link/b.md", "pipe/c.md", "z.md")
    assert [(notice.path, notice.kind) for notice in found.notices] == [("topic-spec.md", "reserved-name")]


def test_a_file_for_browsers_is_a_document_unless_it_is_ours(tree: Tree) -> None:
    mark = WEB_MARK.decode()
    root = tree("infograph.js", "sub/infograph.js", "sub/own.js", "z.js", **{"infograph.js": mark, "sub/own.js": mark})
    rules = SourceRules(include=("*.js",))
    assert discover(root, rules).documents == ("sub/infograph.js", "sub/own.js", "z.js")
    (root / "infograph.js").write_text("x\n")
    assert discover(root, rules).documents == ("infograph.js", "sub/infograph.js", "sub/own.js", "z.js")


def test_a_pattern_for_folders_leaves_out_no_file(tree: Tree) -> None:
    root = tree("a.md", "b/c.md", ".gitignore", **{".gitignore": "a.md/\nb/\n"})
    assert discover(root, SourceRules()).documents == ("a.md",)
    assert discover(root, SourceRules(gitignore=False, exclude=("a.md/",))).documents == ("a.md", "b/c.md")


def test_a_gitignore_above_may_hide_the_whole_tree(tree: Tree) -> None:
    root = tree("docs/a.md", ".gitignore", ".git/HEAD", **{".gitignore": "docs/\n"})
    assert discover(root / "docs", SourceRules()).documents == ()
    assert discover(root / "docs", SourceRules(gitignore=False)).documents == ("a.md",)


def test_an_output_elsewhere_leaves_out_nothing(tree: Tree) -> None:
    root = tree("docs/a.md", "site/b.md")
    assert discover(root / "docs", SourceRules(), root / "site").documents == ("a.md",)


def test_our_own_directories_are_searched_as_deep_as_the_tree(tree: Tree) -> None:
    root = tree("a.md", f"_chunks/{'a/' * (DEEPEST + 1)}b.md", f"_chunks/{'a/' * DEEPEST}a.md")
    assert [notice.path for notice in discover(root, SourceRules()).notices] == [f"_chunks/{'a/' * DEEPEST}a.md"]


def test_our_own_directories_are_listed_again_when_they_change(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tree("a.md", "_chunks/a-0.md", "t/_keywords/words.md", "u/_chunks/deep/page.md", "v/_chunks/page.md")
    long_ago = 1_700_000_000_000_000_000
    own = ("_chunks", "t/_keywords", "u/_chunks", "u/_chunks/deep", "v/_chunks")
    for name in own:
        os.utime(root / name, ns=(long_ago, long_ago))
    first = discover(root, SourceRules())
    assert first.listed == {"_chunks": long_ago, "t/_keywords": long_ago}
    looked: list[str] = []
    scandir = os.scandir
    monkeypatch.setattr(os, "scandir", lambda path: looked.append(str(path)) or scandir(path))  # type: ignore[func-returns-value]
    again = discover(root, SourceRules(), listed=first.listed)
    assert again == first
    listed = {f"{root}/{name}" for name in own}
    assert [path for path in looked if path in listed] == [f"{root}/{name}" for name in own[2:]]
    (root / "_chunks/mine.md").touch()
    (root / "t/_keywords/words.md").write_text("y\n")
    changed = discover(root, SourceRules(), listed=again.listed)
    assert [notice.path for notice in changed.notices] == [
        "_chunks/mine.md",
        "u/_chunks/deep/page.md",
        "v/_chunks/page.md",
    ]
    assert changed.listed == {"t/_keywords": long_ago}
    (root / "_chunks/mine.md").unlink()
    assert "_chunks" not in discover(root, SourceRules()).listed, "it may change again within a tick of the clock"


def test_source_code_in_our_own_directories_is_told_where_it_is_asked_for(tree: Tree) -> None:
    root = tree("a.py", "_chunks/a.py", "_chunks/a.py-0.md")
    assert discover(root, SourceRules()).notices == ()
    assert [notice.path for notice in discover(root, SourceRules(include=("*.py",))).notices] == ["_chunks/a.py"]


def test_a_specification_is_known_whatever_its_title() -> None:
    """No character takes more bytes in the file than these, and no title has more characters."""
    longest = max(len(escape(chr(code)).encode()) for code in [*range(1, 0xD800), *range(0xE000, 0x12000), 0x10FFFF])
    assert longest == len(escape("\ufeff"))
    data = render(TopicSpec("", short_title("\ufeff" * 9000), "", "", ""))
    assert is_specification(data) and data.index(b"\n") > 2000


def test_the_root_itself_may_be_marked_or_hidden(tmp_path: Path) -> None:
    root = tmp_path / ".docs"
    (root / ".infograph").mkdir(parents=True)
    (root / ".infograph/output").touch()
    (root / "a.md").touch()
    assert discover(root, SourceRules()).documents == ("a.md",)


def test_include_and_exclude(tree: Tree) -> None:
    root = tree("a.md", "guide/a.md", "guide/old/a.md", "guide/old/keep.md", "api/a.md")
    found = discover(root, SourceRules(include=("guide/",), exclude=("**/old/*", "!keep.md")))
    assert found.documents == ("guide/a.md", "guide/old/keep.md")
    with pytest.raises(ConfigError, match="exclude"):
        discover(root, SourceRules(exclude=("!",)))


@pytest.mark.parametrize("broken", ["!", "[z-a].md", "a\\"])
def test_a_line_that_is_no_pattern_costs_itself_alone(tree: Tree, broken: str) -> None:
    root = tree("a.md", "b.md", ".gitignore", **{".gitignore": f"a.md\n{broken}\n"})
    found = discover(root, SourceRules())
    assert found.documents == ("b.md",)
    (notice,) = found.notices
    assert (notice.path, notice.kind) == (".gitignore", "unreadable") and f"`{broken}`" in notice.message
    for setting in ("include", "exclude"):
        with pytest.raises(ConfigError, match="not a gitignore pattern") as error:
            discover(root, SourceRules(**{setting: ("*.md", broken)}))
        assert f"`{broken}`" in str(error.value)


def test_a_sign_of_a_setting_is_a_character_and_one_of_gitignore_a_byte(tree: Tree) -> None:
    root = tree("e.md", "é.md", "caf.md", "café.md")
    assert discover(root, SourceRules(include=("?.md", "caf[é].md"))).documents == ("café.md", "e.md", "é.md")
    assert discover(root, SourceRules(exclude=("?.md",))).documents == ("caf.md", "café.md")
    tree(".gitignore", **{".gitignore": "?.md\n"})
    assert discover(root, SourceRules()).documents == ("caf.md", "café.md", "é.md")


def test_a_broken_line_of_a_gitignore_above_is_left_out(tree: Tree) -> None:
    root = tree("docs/a.md", "docs/b.md", ".gitignore", ".git/HEAD", **{".gitignore": "a.md\n[z-a]\n"})
    assert discover(root / "docs", SourceRules()).documents == ("b.md",)


@NEEDS_GIT
def test_gitignore_agrees_with_git(tree: Tree) -> None:
    root = tree(
        "repo/docs/a.md",
        "repo/docs/draft.md",
        "repo/docs/build/a.md",
        "repo/docs/sub/a.md",
        "repo/docs/sub/draft.md",
        "repo/docs/sub/deep/only.md",
        "repo/docs/x/only.md",
        "repo/docs/tmp/keep.md",
        "repo/docs/Z a.md",
    )
    (root / "repo/.gitignore").write_text("build/\n/docs/x/\n*.tmp\n# comment\n\n")
    (root / "repo/docs/.gitignore").write_text("draft.md\ntmp/*\n!tmp/keep.md\n")
    (root / "repo/docs/sub/.gitignore").write_text("!draft.md\n/deep\n")
    expected = kept_by_git(root / "repo", root / "repo/docs")
    assert discover(root / "repo/docs", SourceRules()).documents == expected
    assert len(discover(root / "repo/docs", SourceRules(gitignore=False)).documents) == 9


IGNORE_FILES = [
    b"\xef\xbb\xbfd/\n",
    b"\xef\xbb\xbf#c\nd/\n",
    b"\xef\xbb\xbf\xef\xbb\xbfd/\n",
    b"q\n\xef\xbb\xbfd/\n",
    b"d/\r\n",
    b"d/\r\r\n",
    b"q\rd/\r",
    b"d/\r",
    b"q\nd/",
    b"d/\0q\n\0y.md\n",
    b"a\x0cd/\n",
    b"a\x0by.md\n",
    b"a\x1cy.md\n",
    b"a\xc2\x85y.md\n",
    b"a\xe2\x80\xa8y.md\n",
    b"a\xe2\x80\xa9y.md\r\n",
    b"d/\x0c\ny.md\t\nz.md\xc2\xa0\n",
    b"*.md\n!y.md\t\n!z.md\x0b\r\n",
    b"e\t\n",
    b"e\\\t\n",
    b"e\\\\\t\n",
    b"d/  \ny.md \r\n",
    b" d/\n z.md\n",
    b"e\\ \n",
    b"e\\  \r\n",
    b"e\\\\ \n",
    b"\xff\xfe\nd/\n",
    b"*\n!*/\n!y.md\n",
]
"""Of these, pairs are told apart by what git takes for the end of a line, or for a part of a pattern."""


@NEEDS_GIT
@pytest.mark.parametrize("ignored", IGNORE_FILES, ids=[repr(data)[2:-1] for data in IGNORE_FILES])
def test_lines_of_a_gitignore_end_as_they_do_for_git(tree: Tree, ignored: bytes) -> None:
    names = [f"{folder}/x.md" for folder in ("d", "d/\x0c", "e", "e\t", "e ", "e\\")] + ["y.md", "z.md"]
    root = tree(*names)
    (root / ".gitignore").write_bytes(ignored)
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
    subprocess.run(["git", "init", "-q", root], check=True, env=environment)
    command = ["git", "check-ignore", "-z", "--stdin", "--no-index"]
    asked = "\0".join(names)
    hidden = subprocess.run(command, cwd=root, input=asked, capture_output=True, text=True, env=environment)
    assert hidden.returncode in (0, 1), hidden.stderr
    kept = sorted(set(names) - set(hidden.stdout.split("\0")))
    assert discover(root, SourceRules()).documents == tuple(kept)


def test_a_gitignore_that_is_too_large_hides_its_folder(tree: Tree) -> None:
    """It hides something, and nobody knows what."""
    root = tree("a.md", "part/b.md", "part/deep/c.md", "part/deep/.gitignore", **{"part/deep/.gitignore": "!c.md\n"})
    file = root / "part/.gitignore"
    file.write_bytes(b"#" * (1 << 20))
    assert discover(root, SourceRules()).documents == ("a.md", "part/b.md", "part/deep/c.md")
    file.write_bytes(b"#" * (1 << 20) + b"\n")
    found = discover(root, SourceRules())
    assert found.documents == ("a.md",)
    (notice,) = found.notices
    assert (notice.path, notice.kind) == ("part/.gitignore", "unreadable")
    assert "1048576 bytes" in notice.message and "nothing in its folder is indexed" in notice.message
    assert len(discover(root, SourceRules(gitignore=False)).documents) == 3


def test_a_gitignore_above_the_tree_that_is_too_large_is_an_error(tree: Tree) -> None:
    root = tree("docs/a.md", ".gitignore", ".git/HEAD", **{".gitignore": "x" * ((1 << 20) + 1)})
    with pytest.raises(ConfigError, match=r"source.gitignore: .*1048576 bytes"):
        discover(root / "docs", SourceRules())
    assert discover(root / "docs", SourceRules(gitignore=False)).documents == ("a.md",)


@NEEDS_GIT
@pytest.mark.parametrize(
    "patterns",
    [
        {"": ["*", "!*/", "!*.md"]},
        {"docs": ["*", "!/**/", "!*.md"]},
        {"docs": ["guide/**", "!guide/**/", "!guide/**/b.md"]},
        {"docs": ["a.md"], "docs/guide": ["!build/"]},
        {"docs": ["guide/**/", "[[:upper:][:digit:]]*"]},
        {"docs": ["[:alpha:].md", "\\[[:alpha:]].md", "[]:[:digit:]].md"]},
        {"docs": ["guide[!a]a.md", "build[+-9]a.md", "**/a[!x]b.md", "guide/build?a.md"]},
        {"": ["docs"], "docs": ["!*.md"]},
        {"": ["**"], "docs": ["![!a]*"]},
        *range(60),
    ],
)
def test_random_patterns_agree_with_git(tree: Tree, patterns: dict[str, list[str]] | int) -> None:
    folders = ["docs", "docs/build", "docs/guide", "docs/guide/build", "docs/guide/build/a", "docs/a/b/guide"]
    root = tree(*(f"{folder}/{name}.md" for folder in folders for name in "ab1"))
    for folder, lines in (patterns if isinstance(patterns, dict) else random_patterns(patterns, folders)).items():
        (root / folder / ".gitignore").write_text("\n".join(lines) + "\n")
    expected = kept_by_git(root, root / "docs")  # first: it makes the repository
    assert discover(root / "docs", SourceRules()).documents == expected


@NEEDS_GIT
@pytest.mark.parametrize("sign", ["", "!", "^"])
@pytest.mark.parametrize(
    "name",
    ["alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "xdigit"],
)
def test_named_classes_agree_with_git(tree: Tree, name: str, sign: str) -> None:
    root = tree(*(f"docs/{code:03}{chr(code)}.md" for code in range(1, 128) if chr(code) not in "\n\r/"))
    (root / "docs/.gitignore").write_text(f"*[{sign}[:{name}:]].md\n")
    expected = {name[:3] for name in kept_by_git(root, root / "docs")}
    assert 0 < len(expected) < 124
    found = discover(root / "docs", SourceRules())
    assert {name[:3] for name in (*found.documents, *(error.place for error in found.errors))} == expected


def random_patterns(seed: int, folders: list[str]) -> dict[str, list[str]]:
    """Lines of ignore files, by folder."""
    chance = random.Random(seed)
    pieces = [
        "*",
        "**",
        "a",
        "b",
        "a.md",
        "*.md",
        "build",
        "guide",
        "?",
        "[ab]",
        "[!a]*",
        "b*",
        "*a*",
        "[[:alpha:]].md",
    ]

    def pattern() -> str:
        path = "/".join(chance.choices(pieces, k=chance.choice([1, 1, 1, 2, 2, 3])))
        return "!" * (chance.random() < 0.4) + "/" * (chance.random() < 0.25) + path + "/" * (chance.random() < 0.3)

    chosen = chance.sample(["", *folders[:4]], chance.randint(1, 3))
    return {folder: [pattern() for _ in range(chance.randint(1, 4))] for folder in chosen}


def kept_by_git(repository: Path, folder: Path) -> tuple[str, ...]:
    """The Markdown files of a folder that git does not ignore."""
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
    subprocess.run(["git", "init", "-q", repository], check=True, env=environment)
    command = ["git", "ls-files", "-z", "--others", "--exclude-standard", "."]
    listed = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True, env=environment).stdout
    return tuple(sorted(name for name in listed.split("\0") if name.endswith(".md")))


def test_links_fifos_and_devices_are_noticed_not_followed(tree: Tree, tmp_path: Path) -> None:
    root = tree("docs/a.md") / "docs"
    (tmp_path / "secret.md").write_text("canary")
    (root / "file.md").symlink_to(tmp_path / "secret.md")
    (root / "directory").symlink_to(tmp_path)
    (root / "loop").symlink_to(root)
    (root / "picture").symlink_to(root / "a.md")
    (root / "dangling.md").symlink_to("nowhere")
    os.mkfifo(root / "fifo.md")
    found = discover(root, SourceRules())
    assert found.documents == ("a.md",)
    assert [(notice.path, notice.kind) for notice in found.notices] == [
        ("dangling.md", "symlink"),
        ("directory", "symlink"),
        ("fifo.md", "not-regular"),
        ("file.md", "symlink"),
        ("loop", "symlink"),
        ("picture", "symlink"),
    ]


COMPOSED, DECOMPOSED = "caf\u00e9", unicodedata.normalize("NFD", "caf\u00e9")


@pytest.mark.parametrize(
    "first, second",
    [
        ("README.md", "Readme.md"),
        ("a.md", "a.mdx"),
        ("STRASSE.md", "straße.md"),
        (f"{DECOMPOSED}.md", f"{COMPOSED}.md"),
        ("Guide/a.md", "guide/b.md"),
        ("X/one/a.md", "x/two/b.md"),
        ("a.markdown", "a.md"),
    ],
)
def test_of_two_names_that_collide_the_first_is_kept(tree: Tree, first: str, second: str) -> None:
    root = tree(first, second, "other.md")
    if len(list(root.rglob("*.m*"))) < 3:
        pytest.skip("this file system cannot hold both names")
    found = discover(root, SourceRules())
    assert found.documents == tuple(sorted((first, "other.md")))
    (error,) = found.errors
    assert error.place == second
    assert (first in error.reason or first.partition("/")[0] in error.reason) and "Rename" in error.hint


def test_names_that_no_output_can_carry(tree: Tree) -> None:
    root = tree("a.md", "two\nlines.md", "x" * 245 + ".md")
    Path(os.fsdecode(os.fsencode(root) + b"/\xff.md")).touch()
    Path(os.fsdecode(os.fsencode(root) + b"/\xfe")).mkdir()
    found = discover(root, SourceRules())
    assert found.documents == ("a.md",)
    assert [error.place[:5] for error in found.errors] == ["\\xfe", "\\xff.", "two\nl", "xxxxx"]
    for error in found.errors:
        str(error).encode()


@pytest.mark.parametrize("character", ["\x01", "\t", "\x1f", "\x7f"])
def test_a_name_with_a_control_character_is_an_error(tree: Tree, character: str) -> None:
    found = discover(tree("a.md", f"b{character}c.md"), SourceRules())
    assert found.documents == ("a.md",)
    assert [error.reason for error in found.errors] == ["a control character in the file's name"]


def test_a_name_may_have_spaces_and_characters_without_a_shape(tree: Tree) -> None:
    found = discover(tree("a b\u00ad.md"), SourceRules())
    assert found.documents == ("a b\u00ad.md",) and found.errors == ()


@contextmanager
def without_rights(root: Path) -> Iterator[Path]:
    """The tree as somebody sees it who may not open everything: root may, and so becomes nobody for a while."""
    if os.geteuid() != 0:
        yield root
        return
    with tempfile.TemporaryDirectory(prefix="infograph-") as public:  # pytest's own folders are closed to others
        Path(public).chmod(0o755)
        moved = shutil.move(root, Path(public) / "docs")
        Path(moved).chmod(0o755)
        os.seteuid(65534)
        try:
            yield Path(moved)
        finally:
            os.seteuid(0)


@pytest.mark.skipif(os.name == "nt", reason="needs the permissions of a Unix file system")
def test_unreadable_directory_is_an_error_and_the_rest_is_found(tree: Tree) -> None:
    root = tree("a.md", "closed/b.md")
    (root / "closed").chmod(0)
    with without_rights(root) as seen:
        found = discover(seen, SourceRules())
    if root.exists():
        (root / "closed").chmod(0o755)
    assert found.documents == ("a.md",)
    assert [error.place for error in found.errors] == ["closed"]


def test_a_directory_that_cannot_be_listed_is_an_error(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    """As above, for root: the only mock here."""
    root = tree("a.md", "closed/b.md")
    real = os.scandir

    def scandir(path: str) -> object:
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    found = discover(root, SourceRules())
    assert found.documents == ("a.md",)
    assert [str(error) for error in found.errors] == [
        "closed: the directory cannot be listed: Permission denied. Its documents are missing"
    ]


def test_no_root_no_discovery(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="cannot be listed"):
        discover(tmp_path / "missing", SourceRules())
    assert discover(tmp_path, SourceRules()).documents == ()

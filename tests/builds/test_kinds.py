"""Builds of what is not Markdown, with routes and with metadata: equal whatever way they came about."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from infograph.build import build
from infograph.config import load
from infograph.errors import ConfigError
from infograph.formats import chunk_file as chunkfile
from infograph.formats.index_json import decode_index
from infograph.model import Chunk
from infograph.pipeline import tools
from infograph.source.revision import source_version

SOURCE = '''"""Keeps entries warm."""


def warm(entry):
    """Warm an entry."""
    return heat_slowly(entry)
'''
TREE = {
    "index.md": "# Library\n\nThe library keeps entries warm.\n",
    "util.md": "# Utilities\n\nWhat the module is for.\n",
    "src/index.md": "# Source\n\nCode lies here.\n",
    "src/util.py": SOURCE,
    "src/util.ts": "export function warm(entry: Entry) {\n  return heatSlowly(entry);\n}\n",
    "src/index.js": "---\nnot: front matter\n",
    "src/skipped.rs": "fn main() {}\n",
    "data/rows.csv": "\ufeffname,size\r\nada,3\r\neve,4\r\n",
    "data/talk.vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ada>Entries stay warm.\n",
    "data/qa-pairs.csv": "question,answer\nQ: Why?,No reason\n",
}
INCLUDE = '[source]\ninclude = ["*.md", "*.py", "*.ts", "/src/*.js", "*.csv", "*.vtt"]\n'


def make(root: Path, settings: str = INCLUDE) -> None:
    (root.parent / "infograph.toml").write_text(settings)
    assert not build(load(str(root), environment={})).errors


def chunks(root: Path) -> dict[str, Chunk]:
    """First chunks by document."""
    found = (path for path in sorted(root.rglob("*")) if path.parent.name == "_chunks" and path.stem.endswith("-0"))
    read = [chunkfile.parse(path.relative_to(root).as_posix(), path.read_bytes()).chunk for path in found]
    return {chunk.document: chunk for chunk in read}


def test_by_default_only_markdown(tmp_path: Path, write_tree, quick) -> None:
    root = write_tree(tmp_path / "docs", TREE)
    make(root, "")
    assert set(chunks(root)) == {"index.md", "util.md", "src/index.md"}


def test_other_kinds(tmp_path: Path, write_tree, quick) -> None:
    pytest.importorskip("tree_sitter_python")
    root = write_tree(tmp_path / "docs", TREE)
    make(root)
    found = chunks(root)
    assert set(found) == TREE.keys() - {"src/skipped.rs"}
    for path, chunk in found.items():
        assert chunk.text == TREE[path].removeprefix("\ufeff")
    facts = {path: dict(chunk.facts) for path, chunk in found.items()}
    assert {path: fact["strategy"] for path, fact in facts.items() if "strategy" in fact} == {
        "src/util.py": "code",
        "src/util.ts": "code",
        "src/index.js": "code",
        "data/rows.csv": "tabular",
        "data/qa-pairs.csv": "tabular",
        "data/talk.vtt": "transcript",
    }
    assert [path for path, chunk in found.items() if chunk.is_code] == ["src/index.js", "src/util.py", "src/util.ts"]
    index = decode_index((root / "src/index.json").read_bytes(), "src/index.json")
    assert index.title == "Source", "index.js does not speak for its topic"
    documents = index.embedded.chunks.documents
    assert {key: document.source for key, document in documents.items()} == {
        "index": "index.md",
        "index.js": "index.js",
        "util.py": "util.py",
        "util.ts": "util.ts",
    }
    (item,) = documents["util.py"].items
    assert "heat_slowly" in [keyword.name for keyword in item.keywords]
    assert not any(
        chunk.prompt_hashes
        for chunk in decode_index((root / "data/index.json").read_bytes(), "")
        .embedded.chunks.documents["rows.csv"]
        .items
    ), "a table is no list of questions"


def test_incremental_equals_clean(tmp_path: Path, write_tree, snapshot, quick) -> None:
    pytest.importorskip("tree_sitter_python")
    root = write_tree(tmp_path / "docs", TREE)
    make(root)
    built = snapshot(root)
    settings = load(str(root), environment={})
    assert build(settings).written == 0
    (root / "src/util.py").write_text(SOURCE.replace("Warm", "Heat"))
    (root / "src/util.ts").unlink()
    assert not build(settings).errors
    changed = {path for path, data in snapshot(root).items() if built.get(path) != data}
    assert {"src/util.py", "src/_chunks/util.py-0.md", "src/index.json"} <= changed
    fresh = write_tree(
        tmp_path / "fresh" / "docs", {path: (root / path).read_bytes() for path in TREE.keys() - {"src/util.ts"}}
    )
    make(fresh)
    assert snapshot(root) == snapshot(fresh)
    assert "src/_chunks/util.ts-0.md" not in snapshot(root)


def test_tools_in_sequence_leave_the_bytes_of_build(tmp_path: Path, write_tree, snapshot, quick) -> None:
    pytest.importorskip("tree_sitter_python")
    settings = INCLUDE + '[chunks]\noverlap = 20\nprefix = "summary"\nmetadata = ["id", "summary"]\n'
    roots = [write_tree(tmp_path / name / "docs", TREE) for name in ("tools", "build")]
    make(roots[1], settings)
    (roots[0].parent / "infograph.toml").write_text(settings)
    for tool in (tools.chunk, tools.keywords, tools.topic, tools.index):
        assert not tool(load(str(roots[0]), environment={})).errors
    assert snapshot(roots[0]) == snapshot(roots[1])


SETTINGS = [
    "",
    'strategy = "auto"\n',
    '[routes]\n"deep/" = "fixed"\n',
    '[routes]\n"deep/" = "fixed"\n[strategies.fixed]\nwindow = 80\n',
    '[chunks]\nmetadata = ["id"]\n',
    "[chunks]\noverlap = 30\n",
    '[chunks]\nprefix = "none"\n',
    "[chunks]\nimages = false\n",
    "",
]


@pytest.mark.slow
def test_a_change_of_settings_leaves_what_a_build_from_nothing_leaves(
    tmp_path: Path, write_tree, snapshot, quick
) -> None:
    page = "# Page\n\n" + "".join(
        f"## Part {n}\n\n{'The cache stays warm. ' * 40}\n\n![a](a.png)\n\n" for n in range(6)
    )
    root = write_tree(tmp_path / "docs", {"page.md": page, "deep/page.md": page, "deep/faq.md": "# A\n\n## B?\n\nx\n"})
    seen = []
    for number, settings in enumerate(SETTINGS):
        make(root, settings)
        fresh = write_tree(tmp_path / f"fresh-{number}" / "docs", {})
        for path in ("page.md", "deep/page.md", "deep/faq.md"):
            (fresh / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(root / path, fresh / path)
        make(fresh, settings)
        assert snapshot(root) == snapshot(fresh)
        seen.append(snapshot(root))
    assert seen[0] == seen[-1]
    assert len({repr(sorted(outputs.items())) for outputs in seen[:-1]}) == len(SETTINGS) - 1


def test_pages_of_one_name_have_ids_and_routes_of_their_own(tmp_path: Path, write_tree, quick) -> None:
    root = write_tree(tmp_path / "docs", {f"{folder}/page.md": "# Same\n\nText.\n" for folder in "abc"})
    make(root, '[routes]\n"/b/" = "structural"\n[chunks]\nmetadata = ["id"]\n')
    facts = [dict(chunk.facts) for chunk in chunks(root).values()]
    assert len({fact["chunk_id"] for fact in facts}) == 3
    assert [fact.get("reason") for fact in facts] == [None, "the path matches /b/", None]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ('strategy = "structrual"\n', "there is no `structrual`. Did you mean `structural`"),
        ('[routes]\n"a/" = "fixd"\n', "routes: `a/`: there is no `fixd`"),
        ("[strategies.fixed]\nwidow = 3\n", "there is no option `widow`"),
        ('[chunks]\nprefix = "x"\n', "chunks.prefix: there is no `x`"),
        ('[chunks]\nmetadata = ["x"]\n', "chunks.metadata: there is no `x`"),
        ("[chunks]\noverlap = -1\n", "`chunks.overlap` must lie between 0 and"),
        ("routes = 3\n", "`routes` must be a table, not 3"),
    ],
)
def test_wrong_settings_are_named_before_anything_is_written(
    tmp_path: Path, write_tree, snapshot, quick, settings: str, said: str
) -> None:
    root = write_tree(tmp_path / "docs", {"a.md": "# A\n"})
    with pytest.raises(ConfigError) as caught:
        make(root, settings)
    assert said in str(caught.value)
    assert set(snapshot(root)) == {"a.md"}


class TestSourceVersion:
    @staticmethod
    def git(folder: Path, *arguments: str) -> str:
        identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
        done = subprocess.run(["git", *identity, *arguments], cwd=folder, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def commit(self, folder: Path) -> str:
        self.git(folder, "add", "-A")
        self.git(folder, "commit", "-q", "-m", "A change", "--allow-empty")
        return self.git(folder, "rev-parse", "HEAD")

    def test_follows_the_documents_and_nothing_else(self, tmp_path: Path, write_tree, quick) -> None:
        root = write_tree(tmp_path / "docs", {"a.md": "# A\n", "deep/b.md": "# B\n"})
        assert source_version(root) is None, "outside of git"
        self.git(tmp_path, "init", "-q")
        assert source_version(root) is None, "before the first commit"
        first = self.commit(tmp_path)
        assert source_version(root) == first
        (tmp_path / "program.c").write_text("int x;")
        (root / "a.png").write_text("x")
        self.commit(tmp_path)
        assert source_version(root) == first
        make(root, '[chunks]\nmetadata = ["source_version"]\n')
        assert {dict(chunk.facts)["source_version"] for chunk in chunks(root).values()} == {first}
        assert source_version(root) == first, "outputs are no documents"
        self.commit(tmp_path)
        assert source_version(root) == first, "also when they are committed"
        assert build(load(str(root), environment={}), check=True).stale == []
        (root / "deep/b.md").write_text("# C\n")
        assert source_version(root) == f"{first}-dirty"
        assert source_version(root / "deep") == f"{first}-dirty"
        second = self.commit(tmp_path)
        assert source_version(root) == second != first
        make(root, '[chunks]\nmetadata = ["source_version"]\n')
        assert {dict(chunk.facts)["source_version"] for chunk in chunks(root).values()} == {second}

    def test_a_broken_repository_is_named(self, tmp_path: Path, write_tree) -> None:
        root = write_tree(tmp_path / "docs", {"a.md": "# A\n"})
        (tmp_path / ".git").write_text("gitdir: nowhere\n")
        with pytest.raises(ConfigError, match=r"chunks.metadata: git cannot tell the version of .*nowhere"):
            source_version(root)

"""The command line: exit statuses, what is printed, and what is not imported."""

from __future__ import annotations

import errno
import gc
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from infograph import __version__, web
from infograph.cli import main
from infograph.embedding import identify

HEAVY = {
    "numpy",
    "onnxruntime",
    "tokenizers",
    "markdown_it",
    "yaml",
    "watchdog",
    "httpx2",
    "orjson",
    "matplotlib",
    "torch",
    "sentence_transformers",
    "Stemmer",
}
SUMMARY_KEYS = [
    "documents",
    "topics",
    "chunks",
    "embedded",
    "cached",
    "shared",
    "written",
    "removed",
    "bytes",
    "seconds",
    "stale",
    "errors",
    "warnings",
]


@pytest.fixture
def docs(tmp_path: Path, library: dict[str, str], write_tree, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "infograph.toml").touch()
    return write_tree(tmp_path / "docs", library)


def infograph(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def imported_by(*arguments: str, cwd: Path) -> set[str]:
    """The modules that a real run has imported at its end."""
    program = (
        "import atexit, sys\n"
        "atexit.register(lambda: print('\\n'.join(sys.modules), file=sys.stderr))\n"
        "from infograph.cli import main\n"
        "main(prog_name='infograph')\n"
    )
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
    result = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env=environment,
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return {name.partition(".")[0] for name in result.stderr.split()}


class TestImports:
    def test_help_imports_nothing_heavy(self, tmp_path: Path) -> None:
        assert imported_by("--help", cwd=tmp_path) & HEAVY == set()

    def test_nothing_changed_imports_nothing_heavy(self, tmp_path: Path, write_tree) -> None:
        docs = write_tree(tmp_path / "docs", {"page.md": "# Page\n\nWith the packaged model.\n"})
        arguments = ["build", str(docs)]
        assert imported_by(*arguments, cwd=docs.parent) & HEAVY >= {"numpy", "onnxruntime"}
        again = imported_by(*arguments, cwd=docs.parent)
        assert again & HEAVY == set()
        assert "email" not in again, "importlib.metadata, for plugins that are not asked for"


class TestBuild:
    def test_the_collector_is_left_as_it_was(self, docs: Path, quick) -> None:
        assert gc.isenabled()
        assert infograph("build", "docs").exit_code == 0
        assert gc.isenabled()

    def test_json(self, docs: Path, quick) -> None:
        result = infograph("build", "docs", "--json")
        assert result.exit_code == 0
        summary = json.loads(result.stdout)
        assert list(summary) == SUMMARY_KEYS
        assert summary["documents"] == 7 and summary["topics"] == 5
        assert summary["embedded"] + summary["cached"] + summary["shared"] == summary["chunks"]

    def test_json_of_a_run_that_never_began(self, docs: Path) -> None:
        (docs.parent / "infograph.toml").write_text("stategy = 'fixed'\n")
        result = infograph("build", "docs", "--json")
        assert result.exit_code == 1
        (error,) = json.loads(result.stdout)["errors"]
        assert list(error) == ["place", "reason", "hint"]
        assert "stategy" in error["reason"] and "strategy" in error["hint"]

    def test_json_of_what_went_wrong(self, docs: Path, quick) -> None:
        (docs / "bad.md").write_bytes(b"\xff")
        (docs / "link.md").symlink_to("licence.md")
        result = infograph("build", "docs", "--json")
        assert result.exit_code == 1
        summary = json.loads(result.stdout)
        (error,), (warning,) = summary["errors"], summary["warnings"]
        assert error["place"] == "bad.md:1" and error["hint"] == "Save the file as UTF-8"
        assert warning == {
            "path": "link.md",
            "kind": "symlink",
            "message": "a symbolic link is not followed",
            "count": 1,
        }

    def test_the_closing_summary(self, docs: Path, quick) -> None:
        result = infograph("build", "docs")
        assert result.exit_code == 0
        assert result.stderr.startswith("chunk: 7 documents\nembed: ")
        first, second = result.stdout.splitlines()
        assert first.startswith("7 documents · 5 topics · ") and first.endswith("shared")
        assert "written, 0 removed" in second and second.endswith(" s")
        assert infograph("build", "docs", "--quiet").output == ""

    def test_errors_are_one_line_each(self, docs: Path, quick) -> None:
        (docs / "bad.md").write_bytes(b"\xff")
        result = infograph("build", "docs", "-q")
        assert result.exit_code == 1
        assert result.output == "error: bad.md:1: not UTF-8: invalid start byte at byte 0. Save the file as UTF-8\n"

    def test_names_cannot_command_the_terminal(self, docs: Path, quick) -> None:
        (docs / "a\nb\x1b[2J\u202e.md").write_text("# Page\n")
        (docs / "c\nd\x1b[2J\x9b.md").symlink_to("licence.md")
        result = infograph("build", "docs", "-q", "--strict")
        assert "a\\nb\\x1b[2J\\u202e.md: a control character" in result.stderr
        assert "c\\nd\\x1b[2J\\x9b.md: a symbolic link" in result.stderr
        assert len(result.stderr.splitlines()) == 3 and "\x1b" not in result.stderr

    def test_the_tools_take_the_options_of_build(self, docs: Path, quick) -> None:
        options = ["--model", "static", "--strategy", "fixed", "--jobs", "1", "--max-files", "16", "--strict", "-q"]
        for tool in ("chunk", "keywords", "topic", "index", "build"):
            result = infograph(tool, "docs", *options)
            assert (result.exit_code, result.output) == (0, ""), tool
        assert "@".join(identify("static")) in (docs / "topic-spec.md").read_text()

    @pytest.mark.slow
    def test_most_files_of_the_search_bundle(self, docs: Path, quick) -> None:
        for page in range(60):
            words = " ".join(f"word{page}of{word}" for word in range(90))
            (docs / f"page-{page}.md").write_text(f"# Page {page}\n\n{words}\n")
        infograph("build", "docs")
        assert len(list((docs / "_search").iterdir())) > 16
        shutil.rmtree(docs / "_search")
        infograph("build", "docs", "--max-files", "16")
        assert len(list((docs / "_search").iterdir())) <= 16
        result = infograph("build", "docs", "--max-files", "3")
        assert result.exit_code == 1 and "`search.max_files` must lie between 16 and" in result.stderr

    def test_strict_makes_warnings_count(self, docs: Path, quick, monkeypatch: pytest.MonkeyPatch) -> None:
        (docs / "link.md").symlink_to("licence.md")
        assert infograph("build", "docs").exit_code == 0
        result = infograph("build", "docs", "--strict")
        assert result.exit_code == 1 and "link.md: a symbolic link is not followed" in result.stderr
        monkeypatch.setenv("INFOGRAPH_STRICT", "yes")
        assert infograph("build", "docs").exit_code == 1
        assert infograph("build", "docs", "--no-strict").exit_code == 0

    def test_what_stops_a_build_is_one_line(self, docs: Path) -> None:
        (docs.parent / "infograph.toml").write_text("[limit]\n")
        result = infograph("build", "docs")
        assert result.exit_code == 1 and result.stdout == ""
        assert result.stderr == (
            f"error: {docs.parent / 'infograph.toml'}: `limit` is not a setting. Did you mean `limits`?\n"
        )
        assert infograph("build", "nowhere").exit_code == 1
        assert infograph("build", "--no-such-flag").exit_code == 2


class TestCheck:
    def test_fresh_and_stale(self, docs: Path, snapshot, quick) -> None:
        result = infograph("build", "docs", "--check")
        assert result.exit_code == 1 and "outputs stale:" in result.stderr
        assert not list(docs.rglob("index.json")) and not (docs / ".infograph").exists()
        infograph("build", "docs")
        assert infograph("build", "docs", "--check").exit_code == 0
        (docs / "guide/deep/licence.md").write_text("# Licence\n\nAnother one.\n")
        (docs / "reference/api/calls.md").unlink()
        before = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in docs.rglob("*") if path.is_file()}
        result = infograph("build", "docs", "--check", "--json")
        after = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in docs.rglob("*") if path.is_file()}
        assert result.exit_code == 1 and before == after
        stale = json.loads(result.stdout)["stale"]
        assert stale == sorted(stale)
        assert {"guide/deep/_chunks/licence-0.md", "guide/deep/index.json", "reference/api/index.json"} <= set(stale)
        assert "guide/index.md" not in stale

    def test_it_notices_what_a_build_takes_on_trust(self, docs: Path, quick) -> None:
        infograph("build", "docs")
        path = docs / "_chunks/README-0.md"
        path.write_bytes(path.read_bytes() + b"x")
        result = infograph("build", "docs", "--check")
        assert result.exit_code == 1 and "  _chunks/README-0.md\n" in result.stderr

    def test_it_reads_the_cache(self, docs: Path, quick) -> None:
        infograph("build", "docs")
        quick.seen.clear()
        infograph("build", "docs", "--check")
        assert quick.seen == []


def test_the_tools_run_as_commands(docs: Path, quick) -> None:
    for name in ("chunk", "keywords", "topic", "index"):
        result = infograph(name, "docs", "--json")
        assert result.exit_code == 0, result.output
        assert list(json.loads(result.stdout)) == SUMMARY_KEYS
    assert infograph("build", "docs", "--check").exit_code == 0
    assert infograph("clean", "docs").stdout.startswith("removed ")


def test_init_writes_once(docs: Path) -> None:
    (docs.parent / "infograph.toml").unlink()
    assert infograph("init").stdout == "wrote infograph.toml\n"
    assert infograph("init").exit_code == 1
    assert infograph("init", "nowhere").exit_code == 1


def test_version_and_help() -> None:
    assert infograph("--version").stdout.startswith(f"infograph, version {__version__}\ncompiled parts: ")
    listed = infograph("--help").stdout.partition("Commands:\n")[2].partition("\n\n")[0]
    assert [line.split()[0] for line in listed.splitlines() if line[2:3].strip()] == [
        "build",
        "watch",
        "serve",
        "chunk",
        "keywords",
        "topic",
        "index",
        "enrich",
        "questions",
        "clean",
        "init",
        "check",
        "show",
        "search",
        "get",
        "ask",
        "mcp",
        "export",
        "publish",
        "diff",
        "stats",
        "bench",
        "federate",
        "eval",
        "fit",
    ]


def test_help_of_out_says_what_the_command_does_there() -> None:
    helps = {
        name: str(option.help)
        for name, command in main.every().items()
        for option in command.params
        if isinstance(option, click.Option) and option.name == "out"
    }
    said = {name: text.split()[0].rstrip(",") for name, text in helps.items()}
    assert said == {
        "build": "Write",
        "watch": "Write",
        "serve": "Serve",
        "chunk": "Write",
        "keywords": "Read",
        "topic": "Read",
        "index": "Read",
        "questions": "Write",
        "clean": "Clean",
    }
    assert len(set(helps.values())) == 8, "only build and watch do the same"


def test_help_promises_no_setting_that_there_is_not() -> None:
    """Some options say how a command runs, and are no settings."""
    assert "Every option" not in infograph("--help").stdout
    assert "`infograph init`" in infograph("--help").stdout


def test_ctrl_c_says_that_nothing_is_half_done(docs: Path, quick, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*arguments: object, **named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("infograph.build.build", interrupt)
    result = infograph("build", "docs")
    assert result.exit_code == 130 and "nothing half-done was published" in result.stderr


@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize("error", [MemoryError(), RuntimeError("can't start new thread")], ids=["data", "a thread"])
def test_too_little_memory_is_an_error_of_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, as_json: bool, error: Exception
) -> None:
    def build(*arguments: Any, **options: Any) -> None:
        raise error

    monkeypatch.setattr("infograph.build.build", build)
    done = CliRunner().invoke(main, ["build", str(tmp_path), *["--json"] * as_json])
    assert done.exit_code == 1
    assert done.stderr.startswith("error: this machine has not enough memory for it. Build with fewer workers")
    assert done.stderr.count("\n") == 1
    if as_json:
        assert "memory" in json.loads(done.stdout)["errors"][0]["reason"]


def test_a_file_of_the_package_that_cannot_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = Path.read_bytes

    def fail(path: Path) -> bytes:
        if path.name == "ranking.js":
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return read(path)

    (tmp_path / "page.md").write_text("# Page\n\nText.\n")
    monkeypatch.setattr(Path, "read_bytes", fail)
    web._of_every_site.cache_clear()  # which a build before this one may have filled
    done = CliRunner().invoke(main, ["build", str(tmp_path), "--model", "static", "--jobs", "1"])
    assert done.exit_code == 1
    assert "ranking.js: a file of infograph itself cannot be read: Permission denied." in done.stderr
    assert "--force-reinstall" in done.stderr
    assert not (tmp_path / "index.json").exists()


def test_another_error_of_the_system_is_not_hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def build(*arguments: Any, **options: Any) -> None:
        raise OSError(errno.EIO, "Input/output error", "/elsewhere")

    monkeypatch.setattr("infograph.build.build", build)
    assert isinstance(CliRunner().invoke(main, ["build", str(tmp_path)]).exception, OSError)


def test_nor_is_another_error_while_it_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def build(*arguments: Any, **options: Any) -> None:
        raise RuntimeError("a mistake of ours")

    monkeypatch.setattr("infograph.build.build", build)
    assert isinstance(CliRunner().invoke(main, ["build", str(tmp_path)]).exception, RuntimeError)

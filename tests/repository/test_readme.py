"""README.md: its commands are those that CI runs, and what it shows is what comes out."""

from __future__ import annotations

import fnmatch
import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from infograph import web
from infograph.formats import pack

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
GOLDEN = ROOT / "tests" / "golden" / "sample-docs"


def _fences(language: str, heading: str) -> list[str]:
    text = README.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    assert text, f"there is no section {heading!r}"
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def _commands() -> tuple[str, str]:
    """The command that builds the sample, and the one that runs the tests."""
    build, test = (code.strip() for code in _fences("sh", "Two commands"))
    return build, test


def _golden_script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("update_golden", ROOT / "tests" / "update_golden.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_sections_stand_in_their_order() -> None:
    assert re.findall(r"^## (.*)", README, re.MULTILINE) == [
        "Two commands",
        "What came out",
        "Serve it",
        "Put it into a site",
        "Read it",
        "Configuration",
        "Measurements",
    ]


def test_commands_are_one_line_each_and_need_nothing_of_each_other() -> None:
    for command in _commands():
        assert "\n" not in command
        assert command.startswith("python3 -m venv .venv && .venv/bin/pip install ")
    build, test = _commands()
    assert "infograph build sample-docs" in build
    assert test.endswith(".venv/bin/pytest")


def test_extras_that_are_installed_exist() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    named = set(",".join(re.findall(r"\[([\w,-]+)\]", " ".join(_commands()))).split(","))
    assert named <= project.get("optional-dependencies", {}).keys()


def test_ci_runs_the_test_command_of_the_readme() -> None:
    _, test = _commands()
    assert test in (ROOT / ".ci" / "run").read_text("utf-8")


def test_listing_shows_files_that_are_there() -> None:
    (listing,) = _fences("text", "What came out")
    chunks = (GOLDEN / "chunks.sha256").read_text("utf-8")
    files = {line.split("  ")[1] for line in chunks.splitlines()}
    files |= {path.relative_to(GOLDEN).as_posix() for path in GOLDEN.rglob("*")}
    files |= {"_schema/index.schema.json", ".nojekyll", "_search/manifest.json", *web.files()}
    files.add("reference/index.0123456789.json")  # the golden output leaves out the second copies
    folders = {str(parent) for file in files for parent in Path(file).parents}
    first, *lines = listing.splitlines()
    assert first == "site/"
    above: list[str] = []
    for line in lines:
        match = re.fullmatch(r"((?:│   |    )*)[├└]── (\S+)(?: {2,}\S.*)?", line)
        assert match, line
        above[len(match[1]) // 4 :] = [match[2].rstrip("/")]
        path = "/".join(above)
        assert fnmatch.filter(folders if match[2].endswith("/") else files, path.replace("…", "*")), path


def test_excerpt_is_that_of_the_golden_output() -> None:
    script = _golden_script()
    match = script.EXCERPT.search(README)
    assert match
    golden = (GOLDEN / "reference" / "index.json").read_text("utf-8")
    assert match[2] == script.excerpt(golden), f"If that is right, run: {script.COMMAND}"


def test_golden_comparison_forgives_last_digits_only() -> None:
    same = _golden_script().same
    assert same('"build_id": "0123456789abcdef", 0.123456', '"build_id": "fedcba9876543210", 0.123457')
    assert not same("0.123456", "0.123459")
    assert not same("[1,2]", "[2,1]")
    assert not same("a 0.5", "b 0.5")
    assert same('"guide/index.0123456789.json"', '"guide/index.9876543210.json"')
    assert not same('"_chunks/a.0123456789-0.md"', '"_chunks/a.9876543210-0.md"')


def test_client_example_works_on_the_golden_output(capsys: pytest.CaptureFixture[str]) -> None:
    """The Python client of the README, reading files instead of a server."""
    code = next(code for code in _fences("python", "Read it") if "def get" in code)
    asked: list[str] = []

    def get(url: str) -> bytes:
        asked.append(url)
        if "/_chunks/" in url:
            return b"---\ntitle: T\n---\nthe text\n"
        return (GOLDEN / unversioned_index(url.removeprefix("http://localhost:8000/"))).read_bytes()

    code = re.sub(r"def get\(url\):\n(?: +.*\n)+", "", code)
    names: dict[str, Any] = {"get": get}
    exec(compile(code, "README.md", "exec"), names)
    printed = capsys.readouterr().out
    assert re.search(r"Reference http://localhost:8000/reference/index\.[0-9a-f]{10}\.json", printed)
    assert printed.count("the text\n") == 4
    first = next(url for url in asked if "/_chunks/" in url)
    assert re.search(r"/reference/_chunks/cli\.[0-9a-f]{10}-0\.md$", first)

    texts = ["one\n", "two\n---\n", "three"]
    names["get"] = lambda url: pack.render(32, [f"---\ntitle: T\n---\n{text}".encode() for text in texts])
    assert [names["chunk"](f"http://h/_chunks/a-32.pack.txt#{number}") for number in (32, 33, 34)] == texts


def unversioned_index(path: str) -> str:
    """The golden output has each index once, since versions depend on the last digits of numbers."""
    return re.sub(r"(index(?:-\d+)?)\.[0-9a-f]{10}\.json$", r"\1.json", path)


def test_search_examples_work(sample_site: Path) -> None:
    """The Python client's example and the two commands, on a tree that `infograph serve` serves."""
    program = [sys.executable, "-m", "infograph"]
    command = [*program, "serve", str(sample_site), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
        try:
            assert server.stdout is not None
            here = re.search(r"http://127\.0\.0\.1:\d+/", next(line for line in server.stdout if "http://" in line))
            assert here
            _try_searching(program, here[0])
        finally:
            server.terminate()


def _try_searching(program: list[str], here: str) -> None:
    code = next(code for code in _fences("python", "Read it") if "infograph.client" in code)
    names: dict[str, Any] = {}
    exec(compile(code.replace("http://localhost:8000/", here), "README.md", "exec"), names)
    assert names["context"].passages and "cache" in names["context"].passages[0].text.lower()
    lines = next(code for code in _fences("sh", "Read it") if "infograph search" in code).splitlines()
    assert len(lines) == 2
    for line in lines:
        words = shlex.split(line.replace("http://localhost:8000/", here))
        assert words[0] == ".venv/bin/infograph"
        found = subprocess.run([*program, *words[1:]], capture_output=True, text=True, check=True)
        assert "cache" in found.stdout.lower()


@pytest.mark.skipif(shutil.which("jq") is None, reason="needs jq")
def test_jq_example_names_chunks() -> None:
    command = next(code for code in _fences("sh", "Read it") if "jq" in code)
    program = re.search(r"jq -r '(.*)'", command)
    assert program
    arguments = ["jq", "-r", program[1], str(GOLDEN / "reference" / "index.json")]
    lines = subprocess.run(arguments, capture_output=True, text=True, check=True).stdout.split()
    assert len(lines) == 4
    assert re.fullmatch(r"_chunks/cli\.[0-9a-f]{10}-0\.md", lines[0])


@pytest.mark.slow
def test_build_command_works_on_a_fresh_copy(tmp_path: Path) -> None:
    """As on a fresh clone: only what git knows, none of our environment, and nothing left lying in the sources."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        pytest.skip("not a git checkout: nothing says which files a clone has")
    copy = tmp_path / "clone"
    for name in subprocess.run(listing, cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0"):
        if name and (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, copy / name)
    before = _names(copy)
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "INFOGRAPH_", "VIRTUAL_ENV"))}
    build, _ = _commands()
    result = subprocess.run(build, shell=True, cwd=copy, env=environment, capture_output=True, text=True, check=False)
    if result.returncode and "No matching distribution" in result.stderr:
        pytest.skip("no package index within reach")
    assert result.returncode == 0, result.stdout + result.stderr
    assert (copy / "site" / "index.json").is_file()
    left = {name.split("/")[0] for name in _names(copy) - before}
    # Beside them, where Python may write it, the compiled form of hatch_build.py, which git ignores.
    assert left - {"__pycache__"} == {".venv", "site", ".embedding-cache", ".infograph"}


def _names(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}

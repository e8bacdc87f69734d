"""What README and guide show is run as it stands: commands, Python, JavaScript. What cannot has a reason here."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
import threading
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner
from javascript import needs_node

from infograph import cli
from infograph.build import build
from infograph.client import Client
from infograph.client.embedded import embed_query
from infograph.commands.serving.server import Access, Server
from infograph.config import load

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "sample-docs").rglob("*.md"))]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
ADDRESSES = ("http://localhost:8000/", "https://example.org/docs/", "https://example.org/")
"""What stands in the pages for the address of a published graph."""
OTHER_MODEL = "sentence-transformers/all-mpnet-base-v2"
"""What stands there for a model of the hub."""

NOT_RUN = {
    r"infograph (?:chunk docs/guide/setup|topic docs/guide)": "wants a tree built in place; tests/config",
    r"python3 -m venv|(\S*/)?pip install|npm ": "installs packages; that they exist is tested below",
    r"npx |npm run|hugo$|mkdocs build|zensical|sphinx-build|mdbook|bundle exec": "a generator: tests/integrations",
    r"infograph build docs --out s3:": "needs an account: tests/publishing",
    r"infograph build docs .*--ray": "needs a cluster: tests/execution",
    r"next=|cp -a site|rm -rf \"\$next|find \"\$next|ln -s \"\$next": "changes /srv, where a server's files lie",
    r"python3 -m http\.server": "does not end",
    r"infograph (watch|serve|mcp)\b": "does not end; tests/commands and tests/integrations run it",
    r"infograph federate |infograph (search|check) \S*federation\.json": "wants several sites; tests/commands/federate",
    r"infograph search .*--embed-with": "downloads a model; tests/client/test_embedded.py",
    r"infograph eval docs --answers ": "wants answers to the questions of this set; tests/commands/judging",
    r"infograph fit ": "fits a model for minutes; tests/fit does it in small",
    r"(?:infograph build docs && )?infograph (?:enrich (?!.*--estimate)|questions )": "asks a language model for money",
    r".*infograph eval .*(?:rerank|--html|semantic-250-750|enriched|ENRICHED)": "evaluates for minutes; tests/evaluate",
    r"python benchmarks/": "measures for hours",
    r"infograph build docs --model sentence-transformers/": "downloads a model",
    r"infograph build (?:src|content|\.|public)(?:/content)?(?:/docs|/)? ?": "a generator's: tests/integrations",
    r"export |git diff": "part of what asks a language model",
    r"# ": "says something",
}
"""Lines of shell that are not run: a pattern of their start, and the reason."""
MAY_FAIL = re.compile(
    r"infograph (build docs --check|init|search site --global)|infograph eval docs --gate|infograph bench .*--min-hit"
)
"""Commands whose exit status says what they found."""


def fences(*languages: str) -> list[Any]:
    pattern = re.compile(
        r"^(?P<indent> *)```(?P<language>\w*)\n(?P<code>.*?)^(?P=indent)```$", re.MULTILINE | re.DOTALL
    )
    return [
        pytest.param(textwrap.dedent(match["code"]), id=f"{path.relative_to(ROOT).as_posix()}:{number}")
        for path in PAGES
        for number, match in enumerate(pattern.finditer(path.read_text("utf-8")))
        if match["language"] in languages
    ]


def not_run(line: str) -> str:
    """Why a line is not run; empty for one that is."""
    bare = re.sub(r"^\S*/(?=infograph )", "", line)
    return next((reason for start, reason in NOT_RUN.items() if re.match(start, bare)), "")


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project as the pages take it for granted: sources in docs/, their graph in site/."""
    folder = tmp_path_factory.mktemp("snippets")
    shutil.copytree(ROOT / "sample-docs", folder / "docs")
    (folder / "infograph.toml").write_text('model = "static"\n[graph]\nentities = "terms"\n')
    start = (folder / "docs/guide/install.md").read_bytes().index(b"Python 3.11")
    gold = [{"file": "guide/install.md", "start": start, "end": start + 11}]
    question = {"id": "install-1", "question": "Which Python is needed?", "gold": gold}
    (folder / "questions.jsonl").write_text(json.dumps(question) + "\n")
    build(load(str(folder / "docs"), flags={"out": str(folder / "site")}, environment={}))
    return folder


@pytest.fixture(scope="module")
def address(workspace: Path) -> Iterator[str]:
    """Where the graph of the workspace is served."""
    server = Server(workspace / "site", "127.0.0.1", 0, access=Access(), quiet=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.close()
        thread.join()


def placed(text: str, address: str) -> str:
    for shown in ADDRESSES:
        text = text.replace(shown, address)
    return text.replace(OTHER_MODEL, "static")


@pytest.mark.slow
@pytest.mark.parametrize("code", fences("sh"))
def test_commands(code: str, workspace: Path, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [line for line in code.replace("\\\n", " ").replace("|\n", "| ").splitlines() if line.strip()]
    wanted = [line for line in lines if not not_run(line)]
    if not wanted:
        pytest.skip("; ".join(sorted({not_run(line) for line in lines})))
    project = tmp_path / "project"
    shutil.copytree(workspace, project)
    monkeypatch.chdir(project)
    for line in wanted:
        line = placed(line, address)
        words = shlex.split(line, comments=True)
        while "=" in words[0]:  # set for this command, as a shell does
            monkeypatch.setenv(*words.pop(0).split("=", 1))
        if words[0].rpartition("/")[2] == "infograph" and "|" not in words:
            done = CliRunner().invoke(cli.main, words[1:], catch_exceptions=False)
            assert done.exit_code == 0 or (MAY_FAIL.search(line) and done.exit_code == 1), f"{line}\n{done.output}"
            continue
        if shutil.which("jq") is None and "jq" in words:
            pytest.skip("jq is not there")
        if "build_id" in line:
            monkeypatch.chdir(project / "site")
        shell = subprocess.run(
            ["/bin/sh", "-ec", line], capture_output=True, encoding="utf-8", check=False, timeout=600
        )
        assert shell.returncode == 0 and not shell.stderr, f"{line}\n{shell.stdout}{shell.stderr}"


@pytest.mark.slow
@pytest.mark.parametrize(
    "page", [path for path in PAGES if "```python" in path.read_text("utf-8")], ids=lambda p: p.name
)
def test_python(page: Path, workspace: Path, address: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The listings of a page, one after the other, with the names that the text around them speaks of."""
    with Client(address, timeout=60) as client:
        index = json.loads((workspace / "site/reference/index.json").read_text("utf-8"))
        manifest = json.loads((workspace / "site/_search/manifest.json").read_text("utf-8"))
        spoken_of = {
            "client": client,
            "document": index["_embedded"]["chunks"]["cli"],
            "ask_my_model": lambda prompt: "[1]",
            "ask_my_server": lambda query: embed_query(manifest["vectors"]["model"], query),
            "json": json,
        }
        names: dict[str, Any] = {}
        for number, match in enumerate(re.finditer(r"^```python\n(.*?)^```$", page.read_text("utf-8"), re.M | re.S)):
            if "federation.json" in match[1]:
                continue  # wants several sites: tests/client/test_federation.py
            names |= spoken_of  # one before may have its own client, which it closed, or its own document
            exec(compile(placed(match[1], address), f"{page.name}:{number}", "exec"), names)
        if page.name in ("README.md", "clients.md", "quick-start.md"):
            assert capsys.readouterr().out.strip(), "it prints what it found"


@needs_node
@pytest.mark.parametrize("code", fences("js"))
def test_javascript_parses(code: str, tmp_path: Path) -> None:
    if re.search(r"<[a-z-]+ .*/>", code):
        pytest.skip("JSX, which Docusaurus compiles: tests/integrations/test_search_box_on_sites.py")
    (tmp_path / "code.mjs").write_text(code)
    done = subprocess.run(
        ["node", "--check", tmp_path / "code.mjs"], capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr


def test_every_reason_is_needed() -> None:
    lines = [line for code in fences("sh") for line in str(code.values[0]).splitlines()]
    needed = {not_run(line) for line in lines}
    assert set(NOT_RUN.values()) <= needed


# ---- names: what is installed from where is said in pyproject.toml and nowhere else --------------------------------

TEXTS = [*PAGES, ROOT / "action.yml", ROOT / "CONTRIBUTING.md"]


def test_packages_and_extras_exist() -> None:
    found = re.findall(
        r"pip install (?:--?[\w-]+ )*'?(infograph|\.)(?:\[([\w,-]+)\])?(?=['`\s.])",
        "\n".join(path.read_text("utf-8") for path in TEXTS),
    )
    assert len(found) > 8
    for name, extras in found:
        assert name in (".", PROJECT["name"])
        assert set(filter(None, extras.split(","))) <= PROJECT["optional-dependencies"].keys()


def test_programs_and_hooks_that_are_shown_exist() -> None:
    assert PROJECT["scripts"].keys() == {"infograph"}
    hooks = set(re.findall(r"- id: (\S+)", (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8")))
    text = (ROOT / "sample-docs/publishing/checking.md").read_text("utf-8")
    shown = SimpleNamespace(ids=set(re.findall(r"- id: (\S+)", text)) | set(re.findall(r"`(infograph-\w+)`", text)))
    assert shown.ids <= hooks and shown.ids
    assert sys.version_info[:2] >= tuple(map(int, PROJECT["requires-python"].removeprefix(">=").split(".")))

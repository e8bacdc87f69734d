"""What the environment knows stays there: no output, no cache, no log and no error repeats it."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

CANARY = "sk-canary-4f1c9e7a2b"
VARIABLES = (
    "OPENAI_API_KEY",
    "ANTHROPIC_API_KEY",
    "COHERE_API_KEY",
    "VOYAGE_API_KEY",
    "HF_TOKEN",
    "HUGGING_FACE_HUB_TOKEN",
    "GITHUB_TOKEN",
    "AWS_SECRET_ACCESS_KEY",
    "AZURE_OPENAI_API_KEY",
    "NPM_TOKEN",
    "INFOGRAPH_TOKEN_OF_ANOTHER_TOOL",
)
PACKAGE = Path(__file__).parents[2]
FAILING = """
import sys
if "infograph" in " ".join(sys.orig_argv):
    import infograph.chunking.chunker as chunker
    def fails(document, *rest, **more):
        raise RuntimeError(document.path)
    chunker.chunk_document = fails
"""


def infograph(*arguments: str, cwd: Path, without: tuple[str, ...] = (), **environment: str) -> tuple[int, str]:
    secrets = {name: CANARY for name in VARIABLES if name not in without}
    paths = os.pathsep.join([str(PACKAGE), environment.pop("PYTHONPATH", "")])
    run = subprocess.run(
        [sys.executable, "-P", "-m", "infograph", *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=os.environ | secrets | {"PYTHONPATH": paths} | environment,
        check=False,
    )
    return run.returncode, run.stdout + run.stderr


def hits(folder: Path, log: str) -> list[str]:
    """Files with the canary, and the log where it has it."""
    needle = CANARY.encode()
    found = [
        str(path.relative_to(folder))
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not {".git"} & set(path.parts) and needle in path.read_bytes()
    ]
    return found + ["log"] * (CANARY in log)


@pytest.fixture
def project(tmp_path: Path, write_tree: Any) -> Path:
    """A repository whose remote has a password."""
    root = tmp_path / "project"
    write_tree(
        root, {"docs/a.md": "# A\n\nText of a.\n", "docs/sub/bad.md": b"\xff", "infograph.toml": 'model = "static"\n'}
    )
    if git := shutil.which("git"):
        quiet = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        for command in (
            ["init", "-q"],
            ["remote", "add", "origin", f"https://user:{CANARY}@example.org/x.git"],
            ["add", "."],
            ["-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "one"],
        ):
            subprocess.run([git, *command], cwd=root, check=True, env=os.environ | quiet)
    return root


KNOWN = ("INFOGRAPH_TOKEN_OF_ANOTHER_TOOL",)


@pytest.mark.slow
def test_a_build_repeats_nothing_of_the_environment(project: Path) -> None:
    log = ""
    for arguments in (("docs",), ("docs", "--json")):
        log += infograph(
            "build", *arguments, cwd=project, without=KNOWN, INFOGRAPH_CHUNKS_METADATA="source_version,id"
        )[1]
    assert "bad.md" in log and (project / "docs/.infograph").is_dir()
    print(f"{len(VARIABLES)} variables, {len(hits(project, log))} hits")
    assert hits(project, log) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "what",
    [
        "a variable that is no setting",
        "a setting of the wrong type",
        "a worker that fails",
        "a hub out of reach",
        "a server that is away",
    ],
)
def test_no_error_repeats_it(project: Path, tmp_path: Path, what: str) -> None:
    environment: dict[str, str] = {}
    arguments = ["build", "docs"]
    without = KNOWN
    if what == "a variable that is no setting":
        without = ()
    elif what == "a setting of the wrong type":
        (project / "infograph.toml").write_text(f'site.url = "https://user:{CANARY}@example.org/a b"\n')
    elif what == "a worker that fails":
        (tmp_path / "site-packages").mkdir()
        (tmp_path / "site-packages/sitecustomize.py").write_text(FAILING)
        environment["PYTHONPATH"] = str(tmp_path / "site-packages")
    elif what == "a hub out of reach":
        if importlib.util.find_spec("huggingface_hub") is None:
            pytest.skip("needs huggingface_hub, of the extra sentence-transformers")
        environment |= {"HF_ENDPOINT": "http://127.0.0.1:9", "HF_HOME": str(tmp_path / "hub"), "HF_HUB_OFFLINE": "0"}
        arguments += ["--model", "acme/model"]
    else:
        arguments = ["check", f"http://user:{CANARY}@127.0.0.1:9/docs/"]
    status, log = infograph(*arguments, cwd=project, without=without, **environment)
    assert status != 0 and log
    if what == "a setting of the wrong type":
        (project / "infograph.toml").unlink()  # where its author wrote it
    assert hits(project, log) == [], log


@pytest.mark.parametrize("command", ["search", "get"])
def test_an_address_with_a_password_is_not_repeated(project: Path, command: str) -> None:
    status, log = infograph(command, f"http://user:{CANARY}@127.0.0.1:9/docs/", "cache", cwd=project, without=KNOWN)
    assert status != 0 and log and CANARY not in log, log

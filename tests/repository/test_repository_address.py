"""The repository's address is one decision: every snippet that shows it repeats `pyproject.toml`."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
import yaml

ROOT = Path(__file__).parents[2]
NAME = "scripts/repository_address.py"
SNIPPETS = ROOT / "sample-docs/publishing/checking.md"


def script(root: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("repository_address", root / NAME)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_no_page_shows_another_address() -> None:
    address = script(ROOT)
    assert list(address.strays(address.repository())) == []
    undecided = address.repository().startswith(f"{address.UNDECIDED}/")
    assert (address.NOTE in SNIPPETS.read_text("utf-8")) == undecided, "a placeholder is explained, and nothing else"


def test_each_form_that_the_guide_shows_is_known() -> None:
    """An action, a pre-commit hook, a link: no other form hides from the script."""
    address = script(ROOT)
    for path in address.texts():
        text = path.read_text("utf-8")
        loose = set(re.findall(r"(?:uses: |repo: |github\.com[/:])\S*infograph\b", text))
        assert all(address._SHOWN.search(found + "@") for found in loose), (path, loose)


def test_the_snippets_are_what_their_programs_read() -> None:
    address = script(ROOT).repository()
    step, hook = (
        yaml.safe_load(found)
        for found in re.findall(r"^```yaml\n(.*?)^```$", SNIPPETS.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    )
    uses = next(one for one in step if "infograph" in one["uses"])
    assert uses["uses"] == f"{address}@VERSION"
    inputs = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))["inputs"]
    assert uses["with"].keys() <= inputs.keys()
    assert hook["repos"][0]["repo"] == f"https://github.com/{address}"
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert {one["id"] for one in hook["repos"][0]["hooks"]} <= {one["id"] for one in hooks}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The files that the script reads and writes."""
    for path in [*script(ROOT).texts(), ROOT / NAME]:
        target = tmp_path / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    return tmp_path


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, folder / NAME, *arguments], capture_output=True, encoding="utf-8", check=False
    )


def test_it_is_decided_in_one_step(copy: Path) -> None:
    assert run(copy, "https://github.com/OWNER/infograph").returncode == 1, "a release waits for a decision"
    done = run(copy, "https://github.com/some-one/infograph.git")
    assert (done.returncode, done.stdout) == (0, "https://github.com/some-one/infograph\n")
    text = (copy / "sample-docs/publishing/checking.md").read_text("utf-8")
    assert "uses: some-one/infograph@VERSION" in text and "repo: https://github.com/some-one/infograph\n" in text
    assert "OWNER" not in text
    assert '"https://github.com/some-one/infograph"' in (copy / "infograph/web/package.json").read_text("utf-8")
    again = run(copy, "https://github.com/another/infograph")
    assert again.returncode == 0
    assert "some-one" not in (copy / "sample-docs/publishing/checking.md").read_text("utf-8")


def test_a_stray_is_named(copy: Path) -> None:
    run(copy, "https://github.com/some-one/infograph")
    page = copy / "sample-docs/index.md"
    page.write_text(page.read_text("utf-8") + "\n- uses: nobody/infograph@v1\n", "utf-8")
    done = run(copy)
    assert done.returncode == 1 and "sample-docs/index.md:" in done.stdout and "nobody/infograph@v1" in done.stdout


def test_what_is_no_address_of_a_repository_is_refused(copy: Path) -> None:
    before = (copy / "pyproject.toml").read_bytes()
    for given in ("https://example.org/infograph", "https://github.com/some-one", "some-one/other"):
        assert run(copy, given).returncode == 2
    assert (copy / "pyproject.toml").read_bytes() == before

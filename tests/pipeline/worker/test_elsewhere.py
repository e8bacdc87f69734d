"""A worker on another machine notices what would make its outputs different."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from infograph.errors import InfographError
from infograph.pipeline.worker.elsewhere import COMPUTING, Elsewhere


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "page.md").write_text("# Page\n")
    return tmp_path


@pytest.fixture
def here(tree: Path) -> Elsewhere:
    return Elsewhere.here([*COMPUTING, "no-such-package"], tree, ["page.md"], str(tree))


def test_the_same_machine_is_no_other(tree: Path, here: Elsewhere) -> None:
    here.check(tree)
    assert here.versions["numpy"] is not None and here.versions["no-such-package"] is None


def test_another_version_and_a_missing_package_are_named(tree: Path, here: Elsewhere) -> None:
    with pytest.raises(InfographError, match=r"machine `.+`: has numpy \S+, and the machine that builds numpy 0\.1"):
        replace(here, versions={"numpy": "0.1"}).check(tree)
    with pytest.raises(InfographError, match=r"has no no-such-package, and the machine that builds no-such-package 2"):
        replace(here, versions={"no-such-package": "2"}).check(tree)


def test_a_tree_that_is_missing_or_another_is_named(tree: Path, here: Elsewhere) -> None:
    with pytest.raises(InfographError, match=r"cannot read `.+page\.md` \(No such file or directory\)"):
        here.check(tree / "elsewhere")
    (tree / "page.md").write_text("# Other\n")
    with pytest.raises(InfographError, match=r"has another file as `.+page\.md`"):
        here.check(tree)


def test_a_file_of_the_same_size_that_changed_at_another_time_is_another(tree: Path, here: Elsewhere) -> None:
    os.utime(tree / "page.md", ns=(1, 1))
    with pytest.raises(InfographError, match="has another file"):
        here.check(tree)


def test_a_staging_folder_that_is_not_shared_is_named(tree: Path, here: Elsewhere) -> None:
    with pytest.raises(InfographError, match=r"has no folder `.+staging`.* folders that every machine"):
        replace(here, staging=str(tree / "staging")).check(tree)
    replace(here, staging=None).check(tree)

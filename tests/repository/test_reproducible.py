"""The wheel and the sdist are a function of the sources: built twice under everything that could differ."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]


def built(tree: Path, out: Path, umask: int, **environment: str) -> dict[str, str]:
    """Name of each file to its SHA-256."""
    subprocess.run(
        [sys.executable, str(tree / "scripts" / "build_dist.py"), str(out)],
        cwd=tree,
        env=os.environ | environment,
        umask=umask,
        check=True,
        capture_output=True,
    )
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(out.iterdir())}


@pytest.mark.slow
def test_the_wheel_and_the_sdist_are_the_same_bytes_again(tmp_path: Path) -> None:
    """Needs the package index, for the build backend. Another folder, umask, time zone, time, language and state of
    the checkout (modes, times, order of creation)."""
    listed = subprocess.run(
        ["git", "-C", str(REPOSITORY), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True,
        check=True,
    ).stdout.decode()
    names = [name for name in listed.split("\0") if name and (REPOSITORY / name).is_file()]
    trees = (tmp_path / "one", tmp_path / "a longer name" / "two")
    for tree, order, time, mode in ((trees[0], 1, 946_684_800, 0o600), (trees[1], -1, 1_900_000_000, 0o664)):
        for name in sorted(names)[::order]:
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(REPOSITORY / name, tree / name)
            (tree / name).chmod(mode | ((REPOSITORY / name).stat().st_mode & 0o100))
            os.utime(tree / name, (time, time))
    first = built(trees[0], tmp_path / "first", 0o077, TZ="Pacific/Kiritimati", LANG="C", PYTHONHASHSEED="1")
    second = built(
        trees[1],
        tmp_path / "second",
        0o002,
        TZ="America/St_Johns",
        LANG="tr_TR.UTF-8",
        PYTHONHASHSEED="2",
        SOURCE_DATE_EPOCH="1700000000",
    )
    assert first == second
    assert [name.rpartition(".")[2] for name in first] == ["whl", "gz"]

    (wheel,) = (tmp_path / "first").glob("*.whl")
    (sdist,) = (tmp_path / "first").glob("*.tar.gz")
    with zipfile.ZipFile(wheel) as archive:
        assert {info.date_time for info in archive.infolist()} == {(2020, 1, 1, 0, 0, 0)}
        assert not any(name.startswith(("tests", "fuzz")) for name in archive.namelist())
    with tarfile.open(sdist) as packed:
        members = packed.getmembers()
    assert {(member.uid, member.gid, member.uname, member.gname) for member in members} == {(0, 0, "", "")}
    assert {member.mode for member in members if member.isfile()} <= {0o644, 0o755}


def test_another_version_than_the_tag_says_is_not_built(tmp_path: Path) -> None:
    command = [sys.executable, str(REPOSITORY / "scripts" / "build_dist.py"), "--version", "0.0.0", str(tmp_path)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert "not 0.0.0" in run.stderr
    assert not list(tmp_path.iterdir())

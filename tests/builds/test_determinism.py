"""Same input, same bytes: whatever the place, the order of directories, the environment, the number of workers."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

SHUFFLED = """
import os, random, sys
if "infograph" in " ".join(sys.orig_argv):
    with open(os.environ["SHUFFLED"], "a") as log:
        log.write(" ".join(sys.orig_argv) + "\\n")
real = os.scandir
class Shuffled:
    def __init__(self, *arguments):
        with real(*arguments) as entries:
            self.entries = list(entries)
        random.shuffle(self.entries)
    def __iter__(self): return iter(self.entries)
    def __next__(self): return self.entries.pop() if self.entries else next(iter(()))
    def __enter__(self): return self
    def __exit__(self, *error): pass
    def close(self): pass
os.scandir = Shuffled
os.supports_fd.add(Shuffled)  # what it was for is looked up by the function
names = os.listdir
def listdir(*arguments):
    found = names(*arguments)
    random.shuffle(found)
    return found
os.listdir = listdir
"""
"""As sitecustomize.py: directories in another order at every look, in the workers too."""

PAGES = {
    f"{topic}{name}.md": f"# {name.title()} of {topic}\n\nThe {name} keeps `{name}Cache` warm while {topic} waits.\n"
    for topic in ("", "guide/", "guide/deep/", "größe/")
    for name in ("kettle", "window", "naïve café", "zebra")
} | {
    "guide/qa-pairs.md": "Q: How do I keep a kettle warm?\nA: Wait.\n",
    "guide/long.md": "# Long\n\n" + "".join(f"## Part {n}\n\n{f'Words of part {n}. ' * 40}\n\n" for n in range(3)),
}

ENVIRONMENTS: list[dict[str, str]] = [
    {"PYTHONHASHSEED": "1", "TZ": "UTC", "LANG": "C.UTF-8", "jobs": "1"},
    {"PYTHONHASHSEED": "4242", "TZ": "Asia/Kathmandu", "LANG": "C", "LC_ALL": "C", "jobs": "3"},
]


@pytest.mark.slow
@pytest.mark.parametrize("elsewhere", [False, True])
def test_two_builds_have_equal_checksums(tmp_path: Path, write_tree, snapshot, elsewhere: bool) -> None:
    sums = []
    for number, environment in enumerate(ENVIRONMENTS):
        project = tmp_path / ("deep/" * number + "project")
        order = sorted(PAGES, reverse=bool(number))
        root = write_tree(project / "docs", {name: PAGES[name] for name in order})
        (project / "infograph.toml").touch()
        write_tree(project / "site-packages", {"sitecustomize.py": SHUFFLED})
        command = [sys.executable, "-m", "infograph", "build", str(root), "--jobs", environment["jobs"]]
        package = Path(__file__).parents[2]
        paths = os.pathsep.join([str(package), str(project / "site-packages")])
        result = subprocess.run(
            [*command, *(["--out", str(project / "site")] if elsewhere else [])],
            env={**os.environ, **environment, "PYTHONPATH": paths, "SHUFFLED": str(project / "log")},
            capture_output=True,
            cwd=project,
            check=False,
        )
        assert result.returncode == 0, result.stderr.decode()
        shuffled = (project / "log").read_text()
        assert "-m infograph build" in shuffled
        # On Linux workers are copies of the process that builds, and look into directories as that does.
        assert sys.platform == "linux" or "-m infograph.pipeline.worker.worker" in shuffled
        built = snapshot(project / "site" if elsewhere else root)
        sums.append({name: hashlib.sha256(data).hexdigest() for name, data in built.items()})
        assert str(tmp_path).encode() not in b"".join(built.values())
    print(f"{len(sums[0])} files, {len(sums[0].items() ^ sums[1].items())} checksums that differ")
    assert sums[0] == sums[1]
    assert "guide/index.json" in sums[0]
    assert any(re.fullmatch(r"größe/_chunks/naïve café(\.[0-9a-f]{10})?-0\.md", name) for name in sums[0])

"""Builds the sdist and, from it, the wheel for every platform: the same bytes on every machine, at any time, from the
same commit. Nothing is compiled; wheels that have compiled parts are made of this sdist, see tool.cibuildwheel.

    python scripts/build_dist.py [--version VERSION] FOLDER

Hatchling sorts names and takes times from SOURCE_DATE_EPOCH. The rest is settled here: files are copied with the modes
that git knows (a checkout has those of its umask), the time is a constant, the build backend is of one release.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
BACKEND = "hatchling==1.27.0"
"""It writes the archives, and its version into the wheel."""
SWITCH = "INFOGRAPH_PURE"
"""Variable that has nothing compiled, see hatch_build.py."""
TIME = 1_577_836_800
"""2020-01-01, UTC: zip files cannot be older than 1980."""


def sources() -> list[Path]:
    """What git tracks, or would; without git, as in an sdist, every file."""
    if not (ROOT / ".git").exists():
        return [path.relative_to(ROOT) for path in sorted(ROOT.rglob("*")) if path.is_file()]
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, capture_output=True, check=True).stdout.decode().split("\0")
    return [Path(name) for name in sorted(listed) if name and (ROOT / name).is_file()]


def copy(to: Path) -> None:
    """The sources, with modes 644 and 755 only."""
    for path in sources():
        made = to / path
        made.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, made)
        made.chmod(0o755 if (ROOT / path).stat().st_mode & 0o100 else 0o644)


def backend(folder: Path) -> Path:
    """The Python of an environment that has the build backend, and nothing else."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    subprocess.run([str(python), "-m", "pip", "install", "--quiet", BACKEND], check=True)
    return python


def build(out: Path) -> list[Path]:
    """The sdist and the wheel, in `out`."""
    with tempfile.TemporaryDirectory() as work:
        tree = Path(work, "tree")
        copy(tree)
        python = backend(Path(work, "backend"))
        environment = os.environ | {"SOURCE_DATE_EPOCH": str(TIME), "TZ": "UTC", "LC_ALL": "C.UTF-8", SWITCH: "1"}
        os.umask(0o022)

        def hatch(what: str, folder: Path) -> None:
            command = [str(python), "-m", "hatchling", "build", "--target", what, "--directory", str(out.resolve())]
            subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)

        out.mkdir(parents=True, exist_ok=True)
        hatch("sdist", tree)
        (sdist,) = out.glob("*.tar.gz")
        with tarfile.open(sdist) as archive:
            archive.extractall(Path(work, "sdist"), filter="data")
        (unpacked,) = Path(work, "sdist").iterdir()
        hatch("wheel", unpacked)  # what is published is what the sdist gives
    return sorted(out.iterdir())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", help="refuse to build another")
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    if options.version not in (None, version):
        sys.exit(f"pyproject.toml: the version is {version}, not {options.version}. Tag the commit v{version}")
    if options.folder.exists() and any(options.folder.iterdir()):
        sys.exit(f"{options.folder}: is not empty. Name a new folder")
    for path in build(options.folder):
        print(path)


if __name__ == "__main__":
    main()

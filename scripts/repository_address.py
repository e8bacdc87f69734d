"""The address of the repository, which `pyproject.toml` decides and every page that shows it repeats.

    python scripts/repository_address.py                                    says it; status 1 with strays, or undecided
    python scripts/repository_address.py https://github.com/NAME/infograph  decides it, here and on every page

Until it is decided, `OWNER` stands in it for the account, and a page says so. No release is made before.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
UNDECIDED = "OWNER"
NOTE = "`OWNER` stands for the account that has the repository.\n"
"""Line of a page that shows the address undecided."""
_SHOWN = re.compile(r"(?<=github\.com/)[\w.-]+/infograph\b|(?<=uses: )[\w.-]+/infograph(?=@)")


def repository() -> str:
    """Returns the address that is decided, without its host: `NAME/infograph`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return str(project["urls"]["Repository"]).removeprefix("https://github.com/")


def texts() -> list[Path]:
    """Returns the files that may show the address."""
    pages = sorted((ROOT / "sample-docs").rglob("*.md"))
    top = [*sorted(ROOT.glob("*.md")), ROOT / "action.yml", ROOT / "pyproject.toml", ROOT / ".pre-commit-hooks.yaml"]
    return [*top, *pages, ROOT / "infograph/web/package.json"]


def strays(address: str) -> Iterator[str]:
    """Yields each line that shows another address, with its place."""
    for path in texts():
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if any(found != address for found in _SHOWN.findall(line)):
                yield f"{path.relative_to(ROOT).as_posix()}:{number}: {line.strip()}"


def decided(text: str, address: str) -> str:
    """Returns a text with the address wherever it shows one, and without the note about an undecided one."""
    text = _SHOWN.sub(address, text)
    return text if address.startswith(f"{UNDECIDED}/") else text.replace(NOTE, "")


def main() -> int:
    """Decides the address that is given, or checks the one that is there. Returns the exit status."""
    if len(sys.argv) > 1:
        address = sys.argv[1].removeprefix("https://github.com/").removesuffix(".git").rstrip("/")
        if not re.fullmatch(r"[\w.-]+/infograph", address):
            print(f"{sys.argv[1]}: is no https://github.com/NAME/infograph, which an action needs", file=sys.stderr)
            return 2
        for path in texts():
            path.write_text(decided(path.read_text("utf-8"), address), "utf-8")
    address = repository()
    print(f"https://github.com/{address}", *strays(address), sep="\n")
    if address.startswith(f"{UNDECIDED}/"):
        print("It is not decided who has the repository: say it with this script.", file=sys.stderr)
        return 1
    return int(any(strays(address)))


if __name__ == "__main__":
    sys.exit(main())

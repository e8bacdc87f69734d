"""What a build of sample-docs/ gives: kept in tests/golden/ and, in part, in README.md.

    python tests/update_golden.py            build with the default model and write both
    python tests/update_golden.py --check    build and compare; exit 1, naming what differs

Similarities may differ in the last of their six places between processors, so numbers are compared with a
tolerance, and the checksums that follow from them are not. Text, orders and hashes must be equal.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import re
import shutil
import sys
import tempfile
import textwrap
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
GOLDEN = ROOT / "tests" / "golden" / "sample-docs"
README = ROOT / "README.md"
CHUNK_LIST = "chunks.sha256"
"""In place of the chunk files: their checksums, as `sha256sum` writes them."""
COMMAND = "python tests/update_golden.py"

TOLERANCE = 2e-6
_NUMBER = re.compile(r"(?<![\w.])-?\d+\.\d+(?![\w.])")
_BUILD_ID = re.compile(r'"build_id": "[0-9a-f]{16}"|(?:index(?:-\d+)?|manifest|topic-spec)\.[0-9a-f]{10}\.(?:json|md)')
"""Digits that follow from numbers: the digest of an index, and the versions in the names of files that these are in."""

EXCERPT = re.compile(r"(<!-- excerpt of .*?-->\n```json\n)(.*?)(```\n)", re.DOTALL)
"""In README.md: what stands before the excerpt, the excerpt, the fence's end."""


def build(folder: Path) -> dict[str, str]:
    """The files of a graph of sample-docs/ by name, chunk files summed up in one list."""
    from infograph.build import build
    from infograph.config import load

    settings = load(
        str(ROOT / "sample-docs"), flags={"out": str(folder / "site"), "cache": str(folder / "cache")}, environment={}
    )
    summary = build(settings)
    told = [notice for notice in summary.notices if notice.kind != "enrichment"]  # records of edited pages
    if summary.errors or told:
        raise SystemExit(f"sample-docs does not build clean: {[*summary.errors, *told]}")
    return collect(folder / "site")


def collect(site: Path) -> dict[str, str]:
    """The text of every file that depends on sample-docs/, by path from the root, but for the search bundle, whose
    answers are in tests/fixtures/queries.json."""
    from infograph.formats.names import is_index, is_published, is_spec, version_of

    files = {}
    chunks = []
    for path in sorted(path for path in site.rglob("*") if path.is_file()):
        name = path.relative_to(site).as_posix()
        if "/_chunks/" in f"/{name}":
            chunks.append(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {name}\n")
        elif is_index(name) and version_of(name):  # the digits depend on similarities, so on the processor
            if not name.endswith(f"index.{version_of(name)}.json"):  # a later page has no other name
                files[name.replace(f".{version_of(name)}", "")] = path.read_bytes().decode()
        elif not (
            name.startswith((".", "_schema/", "_search/")) or is_published(name) or (is_spec(name) and version_of(name))
        ):
            files[name] = path.read_bytes().decode()
    files[CHUNK_LIST] = "".join(chunks)
    return files


def differences(golden: dict[str, str], built: dict[str, str]) -> list[str]:
    """What is not as it should be, for a person to read."""
    found = [f"{name}: is built, but not in tests/golden" for name in sorted(built.keys() - golden.keys())]
    found += [f"{name}: is in tests/golden, but not built" for name in sorted(golden.keys() - built.keys())]
    for name in sorted(golden.keys() & built.keys()):
        if not same(golden[name], built[name]):
            lines = difflib.unified_diff(golden[name].split("\n"), built[name].split("\n"), n=0, lineterm="")
            found.append("\n".join([f"{name}:", *(line[:200] for line in list(lines)[2:12])]))
    return found


def same(a: str, b: str) -> bool:
    """Equal, but for the last digits of numbers and for checksums of files that hold such numbers."""
    if a == b:
        return True
    skeletons = [_BUILD_ID.sub("", _NUMBER.sub("0.0", text)) for text in (a, b)]
    numbers = [list(map(float, _NUMBER.findall(text))) for text in (a, b)]
    return skeletons[0] == skeletons[1] and all(abs(x - y) <= TOLERANCE for x, y in zip(*numbers, strict=True))


def excerpt(index: str) -> str:
    """The part of reference/index.json that README.md shows."""
    body = json.loads(index)
    links, chunks = body["_links"], body["_embedded"]["chunks"]
    document = chunks["cli"]
    document["items"] = [document["items"][1]]
    document["units"] = [unit | {"slices": unit["slices"][:1]} for unit in document["units"] if "slices" in unit][:1]
    body["_links"] = {name: links[name] for name in ("self", "parent")} | {"related": links["related"][:1]}
    body["_embedded"] = {"topics": body["_embedded"]["topics"], "chunks": {"cli": document}}
    return _layout(body, "") + "\n"


def _layout(value: Any, indent: str) -> str:
    """JSON with every value that fits on a line of 100 characters on one line, and lists of numbers filled."""
    line = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(line) <= 90 or not isinstance(value, dict | list) or not value:
        return line
    inner = indent + "  "
    if all(isinstance(item, int) for item in value):
        filled = textwrap.fill(line[1:-1], 90, initial_indent=inner, subsequent_indent=inner)
        return f"[\n{filled}\n{indent}]"
    if isinstance(value, list):
        return "[\n" + ",\n".join(inner + _layout(item, inner) for item in value) + f"\n{indent}]"
    members = (f"{inner}{json.dumps(key)}: {_layout(item, inner)}" for key, item in value.items())
    return "{\n" + ",\n".join(members) + f"\n{indent}}}"


def read_golden() -> dict[str, str]:
    return {
        path.relative_to(GOLDEN).as_posix(): path.read_bytes().decode() for path in GOLDEN.rglob("*") if path.is_file()
    }


def write(built: dict[str, str]) -> None:
    """Replaces what is in tests/golden and the excerpt in README.md; leaves what only differs in last digits."""
    golden = read_golden()
    if differences(golden, built):
        shutil.rmtree(GOLDEN, ignore_errors=True)
        for name, text in built.items():
            path = GOLDEN / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes((golden[name] if name in golden and same(golden[name], text) else text).encode())
    text = README.read_text("utf-8")
    shown = excerpt(read_golden()["reference/index.json"])
    README.write_text(EXCERPT.sub(lambda match: match[1] + shown + match[3], text), "utf-8")


def main(arguments: list[str]) -> int:
    sys.path.insert(0, str(ROOT))
    with tempfile.TemporaryDirectory() as folder:
        built = build(Path(folder))
    if arguments == ["--check"]:
        found = differences(read_golden(), built)
        if found:
            print("\n".join([*found, f"If that is right, run: {COMMAND}"]))
        return 1 if found else 0
    write(built)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

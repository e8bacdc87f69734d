"""What our strategies do to the structure of Markdown, told by a checker that knows nothing of them.

    python benchmarks/structure.py write TREE --out DIR              chunks of a tree as JSON lines, a file a strategy
    python benchmarks/structure.py check INTEGRITY.py TREE…          the checker's counts on several trees, as a table

The checker aligns chunks with the source and counts, by markdown-it-py's blocks: those cut although they fit into
the limit, tables without their header, cut rows, headings at the end of a chunk, changed fences, lost words; and in
percent, files given back, offsets, first lines and section paths. It is run as a program: `INTEGRITY.py TREE FILE
--limit=N`, its last line JSON. A line of its input is `{"path", "chunks": [{"t": text, "s", "e": bytes, "p": section
path, "l0", "l1": lines from 0, "x": embedded text}]}`. Front matter, and blank lines above the first text, stand
before the first chunk as an entry of their own, so that the file can be given back.

It knows neither a byte order mark nor a lone carriage return as the end of a line (six files of powershell-docs have
one), so trees are copied without the one and with a line feed for the other.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from infograph.chunking.chunker import chunk_document
from infograph.chunking.interface import StrategyTools
from infograph.chunking.registry import strategy
from infograph.chunking.tokens import WordPieceCounter
from infograph.source.blocks import parse_blocks
from infograph.source.document import read_document

_LINE_END = re.compile(r"\r\n?|\n")
_BLANK_LINES = re.compile(rf"(?:[ \t]*(?:{_LINE_END.pattern}))*")

SUFFIXES = (".md", ".mdx", ".markdown")
STRATEGIES = ("structural", "semantic-250-750")

COLUMNS = {
    "fences cut": "fence_split_avoid",
    "tables cut": "table_split_avoid",
    "items cut": "item_split_avoid",
    "headers lost": "table_hdr_lost",
    "rows cut": "rows_cut",
    "orphan headings": "heading_orphan",
    "fences altered": "fence_altered",
    "words lost %": "lost_word_pct",
    "round trip %": "roundtrip",
    "offsets %": "off",
    "lines %": "line0",
    "paths %": "path_ok",
    "chunks": "chunks",
    "over limit %": "over_limit",
}
"""Maps a column's heading to the checker's name. `off` counts offsets in characters, `off_bytes` those in bytes
where they differ."""


def lines(tree: Path, name: str) -> Iterator[str]:
    """Yields one line of JSON for each Markdown file of the tree."""
    made, tools = strategy(name), StrategyTools(WordPieceCounter())
    for path in sorted(tree.rglob("*")):
        if path.suffix not in SUFFIXES or not path.is_file():
            continue
        document = read_document(tree, path.relative_to(tree).as_posix())
        chunks = chunk_document(document, parse_blocks(document)[0], made, tools).chunks
        blank = _BLANK_LINES.match(chunks[0].text if chunks else "")
        assert blank is not None  # it matches nothing, too
        before, size = document.prefix + blank[0], len(blank[0].encode())
        rows = []
        if before:
            rows.append({"t": before, "s": 0, "e": len(before.encode()), "p": [], "l0": 0, "l1": before.count("\n")})
        for chunk in chunks:
            (first, last), (start, end) = chunk.lines, chunk.bytes
            text = chunk.text
            if chunk.index == 0:
                text, start, first = text[blank.end() :], start + size, first + len(_LINE_END.findall(blank[0]))
            path_ = list(chunk.section_path)
            row = {"t": text, "s": start, "e": end, "p": path_, "l0": first - 1, "l1": last - 1}
            rows.append({**row, "x": chunk.embed_text})
        yield json.dumps({"path": document.path, "chunks": rows})


def write(tree: Path, name: str, folder: Path) -> Path:
    """Writes the file of a strategy on a tree."""
    place = folder / f"{tree.name}-{name}.jsonl"
    with place.open("w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in lines(tree, name))
    return place


def copied(tree: Path, folder: Path) -> Path:
    """Copies the Markdown of a tree in a form that the checker reads as the standard requires."""
    copy = folder / tree.name
    for path in tree.rglob("*"):
        if path.suffix in SUFFIXES and path.is_file():
            target = copy / path.relative_to(tree)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(re.sub(rb"\r(?!\n)", b"\n", path.read_bytes().removeprefix(b"\xef\xbb\xbf")))
    return copy


def check(checker: Path, tree: Path, place: Path, limit: int) -> dict[str, float]:
    """Returns the checker's counts."""
    command = [sys.executable, str(checker), str(tree), str(place), f"--limit={limit}"]
    counts: dict[str, float] = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    counts["off"] = round((counts["off"] or 0) + (counts["off_bytes"] or 0), 3)
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    writing = commands.add_parser("write")
    writing.add_argument("tree", type=Path)
    writing.add_argument("--out", type=Path, required=True)
    checking = commands.add_parser("check")
    checking.add_argument("checker", type=Path)
    checking.add_argument("trees", type=Path, nargs="+")
    checking.add_argument("--limit", type=int, default=1500, help="characters; a block that fits must be whole")
    for command in (writing, checking):
        command.add_argument("--strategy", action="append", help=f"default: {', '.join(STRATEGIES)}")
    options = parser.parse_args()
    names = options.strategy or STRATEGIES
    if options.command == "write":
        options.out.mkdir(parents=True, exist_ok=True)
        for name in names:
            print(write(options.tree, name, options.out))
        return
    print(f"| tree | strategy | {' | '.join(COLUMNS)} |\n|{' --- |' * (2 + len(COLUMNS))}")
    with tempfile.TemporaryDirectory() as folder:
        for tree in (copied(tree, Path(folder)) for tree in options.trees):
            for name in names:
                counts = check(options.checker, tree, write(tree, name, Path(folder)), options.limit)
                cells = " | ".join(f"{counts[key]:g}" for key in COLUMNS.values())
                print(f"| {tree.name} | {name} | {cells} |", flush=True)


if __name__ == "__main__":
    main()

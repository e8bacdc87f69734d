"""Counts what of a generator's markup reaches readers and agents, on whole trees: run it with two versions to compare.

    python benchmarks/markup.py TREE…            build each with the static model, and print a row for each count

Wrong titles are told by PyYAML's own reading of the front matter; marks by patterns that know nothing of the rules that
remove them.
"""

from __future__ import annotations

import contextlib
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path

import yaml

from infograph.build import build
from infograph.config import load
from infograph.formats import chunk_file
from infograph.formats.index_json import decode_index
from infograph.model import Chunk
from infograph.search.writing.page_index import snippet_of
from infograph.source.blocks import parse_blocks
from infograph.source.document import decode

ROWS = (
    *("documents", "documents that failed", "chunks", "wrong titles", "warnings unresolved-include"),
    *(
        "warnings generated-text",
        "includes resolved",
        "includes lost",
        "marks in titles",
        "snippets with marks",
        "chunks with marks in embedded text",
    ),
    *(
        "keywords with marks",
        "chunks that say nothing",
        "first chunks that say nothing",
        "chunks that end with an anchor",
    ),
    *("lead-ins", "lead-ins parted", "lead-ins parted, %"),
)
MARK = re.compile(
    r"\{ ?[#.][A-Za-z][^{}]*\}|\{:[^{}]*\}|\{/\*|^\s*/{3,}(?:\s|$)|^\s*(?:!!!|\?\?\?)\s+\w|^=== \"|^\s*:::"
    r"|\[!(?:NOTE|TIP|WARNING|IMPORTANT|CAUTION|INCLUDE|code)|\{\{[<%](?!/\*)|\{%|\{\*\s|<!--|img\.shields\.io"
    r"|</?(?:div|span|a|p|td|tr|th|table|br|kbd|details|summary|img|sup|center)\b"
    r"|</?(?:Tab|Intro|Note|Pitfall|DeepDive|Sandpack|Listing|Recap|YouWillLearn|Solution)[\w]*",
    re.MULTILINE,
)
FENCE = re.compile(
    r"^([ \t>]*)(`{3,}|~{3,}).*?(?:^[ \t>]*\2`*[ \t]*$|\Z)|`[^`\n]+`|^(?: {4}|\t).*$", re.MULTILINE | re.DOTALL
)
ANCHOR = re.compile(r"<(a|span)\s+(?:name|id)=[^<>]*>(?:</\1>)?\s*(?:<!--.*?-->\s*)*\Z")
LINK = re.compile(r"\]\([^()\s]*(?:\([^()]*\))?[^()]*\)")


def prose(text: str) -> str:
    """The text without code and link targets."""
    return LINK.sub("]", FENCE.sub("", text))


def chunks_of(out: Path) -> Iterator[Chunk]:
    for path in sorted(out.rglob("_chunks/*.md")):
        yield chunk_file.parse(path.relative_to(out).as_posix(), path.read_bytes()).chunk


def expected_title(path: Path) -> str | None:
    """The title of a front matter, as PyYAML reads it."""
    match = re.match(r"\ufeff?---[ \t]*\n(.*?)\n---[ \t]*\n", path.read_text("utf-8", "replace"), re.DOTALL)
    try:
        values = yaml.load(match[1], yaml.BaseLoader) if match else None
    except yaml.YAMLError:
        return None
    if not isinstance(values, dict):
        return None
    lower = {str(key).lower(): value for key, value in values.items()}
    title = lower.get("title") or lower.get("linktitle")
    return " ".join(title.split()) if isinstance(title, str) else None


def lead_ins(root: Path, documents: set[str]) -> int:
    found = 0
    for path in documents:
        document = decode(path, (root / path).read_bytes())
        lines = document.body.split("\n")
        blocks = parse_blocks(document)[0]
        for block, following in pairwise(blocks):
            led = following.kind in ("list", "fence", "code", "table")
            found += (
                led and block.kind == "paragraph" and "\n".join(lines[block.start : block.end]).rstrip().endswith(":")
            )
    return found


def count(root: Path) -> Counter[str]:
    """Builds a tree and counts."""
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        flags = {"out": str(out), "cache": f"{folder}/cache", "model": "static"}
        settings = load(str(root), flags=flags, environment={})
        summary = build(settings)
        counts["documents"], counts["chunks"] = summary.documents, summary.chunks
        counts["documents that failed"] = len(summary.errors)
        for notice in summary.notices:
            counts[f"warnings {notice.kind}"] += notice.count
        parts: dict[str, list[Chunk]] = {}
        for chunk in chunks_of(out):
            parts.setdefault(chunk.document, []).append(chunk)
            count_chunk(counts, chunk)
        count_indexes(counts, root, out)
        count_includes(counts, root, parts)
        counts["lead-ins"] = lead_ins(root, {path for path in parts if path.lower().endswith((".md", ".mdx"))})
    counts["lead-ins parted, %"] = round(100 * counts["lead-ins parted"] / max(1, counts["lead-ins"]), 1)  # type: ignore[assignment]
    return counts


def count_includes(counts: Counter[str], root: Path, documents: Iterable[str]) -> None:
    with contextlib.suppress(ImportError):  # a version that resolves none
        from infograph.source.included import Includer
        from infograph.source.repository import repository_of

        includer = Includer(root, repository_of(root))
        for path in documents:
            found = includer.resolve(decode(path, (root / path).read_bytes()))
            counts["includes lost"] += len(found.lost)
            counts["includes resolved"] += sum(bool(edit.text) for edit in found.edits)


def count_chunk(counts: Counter[str], chunk: Chunk) -> None:
    shown = getattr(chunk, "readable", chunk.text)
    counts["marks in titles"] += any(MARK.search(title) for title in (chunk.title, *chunk.section_path))
    # In a listing tags are the text.
    counts["snippets with marks"] += MARK.search(snippet_of(FENCE.sub("", shown))) is not None
    starts_in_code = chunk.continues and chunk.is_code
    counts["chunks with marks in embedded text"] += (
        not starts_in_code and MARK.search(prose(chunk.embed_text)) is not None
    )
    silent = not re.search(
        r"\w", re.sub(r"<[^<>]*>|<!--.*?-->|\{[^{}]*\}|^\s*(?:///|:::).*$", "", shown, flags=re.DOTALL | re.MULTILINE)
    )
    counts["chunks that say nothing"] += silent
    counts["first chunks that say nothing"] += silent and chunk.index == 0 and chunk.count > 1
    last = chunk.index + 1 == chunk.count
    counts["chunks that end with an anchor"] += not last and ANCHOR.search(chunk.text) is not None
    lines = chunk.text.rstrip().rsplit("\n", 1)[-1]
    prose_end = not chunk.is_code and not lines.lstrip().startswith(("#", "|", "```", ">"))
    counts["lead-ins parted"] += not last and prose_end and lines.endswith(":")


def count_indexes(counts: Counter[str], root: Path, out: Path) -> None:
    for path in sorted(out.rglob("index*.json")):
        name = path.relative_to(out).as_posix()
        if name.startswith("_"):
            continue
        for document in decode_index(path.read_bytes(), name).embedded.chunks.documents.values():
            source = root / path.parent.relative_to(out) / document.source
            title = expected_title(source) if source.is_file() else None
            first = next(iter(document.items), None)
            told = {first.title, *first.section_path} if first else set()
            counts["wrong titles"] += bool(title and first and first.index == 0 and not same_title(title, told, source))
            for item in document.items:
                counts["keywords with marks"] += sum(MARK.search(word.name) is not None for word in item.keywords)


def same_title(title: str, told: set[str], source: Path) -> bool:
    """Whether the first chunk is called by the title, or by the H1 that goes before it."""
    if title in told:
        return True
    body = re.sub(r"\A\ufeff?---.*?\n---[ \t]*\n", "", source.read_text("utf-8", "replace"), flags=re.DOTALL)
    return re.search(r"^# |^=+[ \t]*$|<h1", FENCE.sub("", body), re.MULTILINE) is not None


def main(trees: list[str]) -> None:
    """Prints a column for each tree."""
    columns = {Path(tree).name: count(Path(tree).resolve()) for tree in trees}
    width = max(map(len, ROWS))
    print(" " * width, *(f"{name:>16}" for name in columns))
    for row in ROWS:
        print(f"{row:<{width}}", *(f"{column[row]:>16,}" for column in columns.values()))


if __name__ == "__main__":
    main(sys.argv[1:])

"""How many files of a search bundle one edited page rewrites.

    python benchmarks/edited_pages.py TREE… [--pages 24]

Builds a copy of each tree with the static model. Then, page by page over pages spread evenly by size, one word is
replaced by one that the site does not have, a sentence of twelve words is added, a section is added at the end, and the
page is rewritten: below its first heading stands the text of another page. Each time the tree is built again, and the
files of the bundle are counted that were not in it before: of postings, and of all. Prints the median, the ninth decile
and the largest share of each kind of edit, and by kinds of files where the changed ones of all edits come from.

What an edit must change. Numbers of the whole tree (chunks, average length, document frequencies) are in no posting, so
a shard changes only with a term of its own; a term's shard follows from its hash, so of S shards an edit of T terms
changes S · (1 - (1 - 1/S)^T). A page of fastapi has 81 different terms (median; 421 the most) and S is 128: rewritten,
with the terms that it had and has, 160 of them change 71% of the shards, and 68% were counted. Neither more nor fewer
shards help: with 64 it is 92% of them, with 256 it is 46%, each time some 15 to 20% of the bundle's files, and fewer
shards are more bytes a query. To bring a page's terms together, shards would have to follow from what stands on pages
and no longer from a hash, and each query would first read where its terms are.

Hence, at 600 to 2,400 chunks, an edited word or sentence stays below 15% of the files in the median, so does a section
on most trees, and a page that is rewritten on none. A word, a sentence, a section, a page: kubeflow 2.4, 8.8, 14.8,
45.3%; react-dev 1.6, 7.8, 11.3, 38.8%; rust-book 3.4, 7.5, 25.6, 56.9%. Of powershell-docs, 24,000 chunks and 1,930
files, two pages: 0.5 and 0.7, 1.6 and 3.3, 5.3 and 3.3, 24.1 and 14.6%.
"""

from __future__ import annotations

import argparse
import re
import shutil
import statistics
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from infograph.build import build
from infograph.config import load
from infograph.search.format.layout import MANIFEST
from infograph.search.reading.listing import named_files

WORD = re.compile(r"(?<= )[a-z]{5,9}(?= [a-z])")
HEADING = re.compile(r"^# .*$", re.MULTILINE)
SENTENCE = "The quokka measures each vessel twice before the harbour opens at dawn.\n"


def replaced(text: str, number: int) -> str:
    """Returns the text with one word in its middle replaced."""
    found = list(WORD.finditer(text))
    if not found:
        return text
    word = found[len(found) // 2]
    return f"{text[: word.start()]}zebracorn{number}{text[word.end() :]}"


def lengthened(text: str, number: int) -> str:
    """Returns the text with a sentence after its middle paragraph."""
    parts = text.split("\n\n")
    parts.insert(1 + len(parts) // 2, SENTENCE)
    return "\n\n".join(parts)


def extended(text: str, number: int) -> str:
    """Returns the text with a section more."""
    return f"{text.rstrip()}\n\n## What else {number}\n\n{SENTENCE * 4}\n"


def rewritten(text: str, other: str) -> str:
    """Returns what stands above the end of a text's first heading, and another page's text below that."""
    found = HEADING.search(text)
    own = text[: found.end()] if found else ""
    return f"{own}\n\n{HEADING.sub('', other, count=1).strip()}\n"


EDITS: dict[str, Callable[[str, int], str]] = {"a word": replaced, "a sentence": lengthened, "a section": extended}
REWRITTEN = "a page"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", type=Path, nargs="+", metavar="TREE")
    parser.add_argument("--pages", type=int, default=24)
    given = parser.parse_args()
    for tree in given.trees:
        with tempfile.TemporaryDirectory() as scratch:
            root = Path(shutil.copytree(tree, Path(scratch) / tree.name))
            measure(root, Path(scratch) / "site", given.pages)


def measure(root: Path, out: Path, count: int) -> None:
    """Prints a row for each kind of edit, and one of where changed files come from."""

    def built() -> set[str]:
        summary = build(load(str(root), flags={"model": "static", "out": str(out)}, environment={}))
        assert not summary.errors, summary.errors
        folder, found, waiting = out / "_search", {MANIFEST}, [MANIFEST]
        while waiting:
            name = waiting.pop()
            more = set(named_files(name, (folder / name).read_bytes())) - found
            found |= more
            waiting += more
        return found

    before = built()
    pages = sorted(root.rglob("*.md"), key=lambda path: (path.stat().st_size, path))
    chosen = [pages[len(pages) * place // count] for place in range(count)]
    texts = {page: page.read_text("utf-8") for page in chosen}
    shares: dict[str, list[tuple[float, float]]] = {}
    kinds: dict[str, Counter[str]] = {}
    for number, page in enumerate(chosen):
        other = texts[chosen[number - 1]]
        for name, edit in {**EDITS, REWRITTEN: lambda text, number, other=other: rewritten(text, other)}.items():
            page.write_text(edit(page.read_text("utf-8"), number), "utf-8")
            after = built()
            new = after - before
            postings = sum(name.startswith("p-") for name in new) / max(1, sum(n.startswith("p-") for n in after))
            shares.setdefault(name, []).append((postings, len(new) / len(after)))
            kinds.setdefault(name, Counter()).update(own.partition("-")[0] for own in new)
            before = after
    print(f"{len(before)} files of {root.name}, {count} pages")
    print("              postings: median, 90%, most  all files: median, 90%, most")
    for name, rows in shares.items():
        columns = [sorted(column) for column in zip(*rows, strict=True)]
        told = [(statistics.median(c), c[int(0.9 * (len(c) - 1))], c[-1]) for c in columns]
        print(f"{name:12}", *(f"{share:8.1%}" for column in told for share in column))
    print("files that change, by the beginning of their names, of one edit:")
    there = Counter(name.partition("-")[0] for name in before)
    for name, found in kinds.items():
        print(f"{name:12}", *(f"{kind} {number / count:.1f} of {there[kind]}" for kind, number in found.most_common()))


if __name__ == "__main__":
    main()

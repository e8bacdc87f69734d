"""Rendered sites as the source: how long they take, whether results are right, whether links lead to their headings.

    python benchmarks/rendered.py speed     TREE HTML [--pagefind BIN] [--runs 5]   cold builds, in turn
    python benchmarks/rendered.py questions SITE FILE                               a built site, a file of questions
    python benchmarks/rendered.py links     SITE                                    every chunk's link of a built site

`speed`: TREE is Markdown, HTML the same tree rendered; the ratio, run by run, is the result. Beside it Pagefind, which
reads the same pages. `questions`: lines of a question, a tab, and the right pages' routes with `|` between them; it
counts questions with a right page among the first five. `links`: the page must be there and have the id; a link to the
beginning of a page counts where the chunk begins the page.
"""

from __future__ import annotations

import argparse
import re
import shutil
import statistics
import tempfile
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

import orjson
from build import Run, build_command, fresh, fresh_html, measure, spread
from selectolax.lexbor import LexborHTMLParser

from infograph.client import Client
from infograph.search.format.encoding import inflate

_SHARD_KEY = re.compile(r"\d+\.\d+")
_INDEX = re.compile(r"(?:^|/)(?:index)?(?:\.html?)?$")


def speed(arguments: argparse.Namespace, folder: Path) -> None:
    tree, pages = map(Path, arguments.places)
    copies: dict[str, Callable[[], Path]] = {
        "Markdown": lambda: fresh(tree, folder),
        "rendered": lambda: fresh_html(pages, folder),
    }
    if arguments.pagefind:
        copies["Pagefind"] = lambda: fresh_html(pages, folder)
    runs: dict[str, list[Run]] = {name: [] for name in copies}
    for _ in range(arguments.runs):
        for name, copied in copies.items():
            copy = copied()
            command = [arguments.pagefind, "--site", str(copy)] if name == "Pagefind" else build_command(copy, "static")
            runs[name].append(measure(command, sample=False))
            assert copy.parent.parent == folder  # nothing but what was made here is removed
            shutil.rmtree(copy.parent)
    for name, timed in runs.items():
        wall, processor = ([getattr(run, field) for run in timed] for field in ("seconds", "processor"))
        print(f"{name}: {spread(wall)}; processor {spread(processor)}")
    for name in [name for name in runs if name != "rendered"]:
        for field in ("seconds", "processor"):
            pairs = zip(runs["rendered"], runs[name], strict=True)
            ratios = [getattr(a, field) / getattr(b, field) for a, b in pairs]
            middle = statistics.median(ratios)
            print(f"rendered / {name}, {field}: {middle:.2f} ({min(ratios):.2f}–{max(ratios):.2f})")


def questions(arguments: argparse.Namespace, folder: Path) -> None:
    site, file = map(Path, arguments.places)
    right, asked = 0, [line.split("\t") for line in file.read_text("utf-8").splitlines() if line.strip()]
    with Client(str(site)) as client:
        for question, gold in asked:
            hits = client.pages(question, limit=5, rerank=None if arguments.rerank else False).hits
            found = [_INDEX.sub("", hit.page).removesuffix(".html") for hit in hits]
            if set(gold.split("|")) & set(found):
                right += 1
            else:
                print(f"missed: {question}\n  wanted {gold}\n  found {', '.join(found)}")
    print(f"right page within the first five: {right} of {len(asked)}")


def links(arguments: argparse.Namespace, folder: Path) -> None:
    site = Path(arguments.places[0])
    counts: Counter[str] = Counter()
    examples: dict[str, str] = {}
    for page, url, anchor, index in chunk_links(site):
        verdict = judged(site, page, url, anchor, index)
        counts[verdict] += 1
        examples.setdefault(verdict, f"{page}: {url}#{anchor}")
    total = sum(counts.values())
    for verdict, count in counts.most_common():
        print(f"{verdict}: {count:,} ({count / total:.2%}), such as {examples[verdict]}")
    good = sum(count for verdict, count in counts.items() if verdict[0] != "!")
    print(f"lead to an existing page and place: {good / total:.2%} of {total:,}")


def chunk_links(site: Path) -> list[tuple[str, str, str, int]]:
    """Page, URL, anchor and index of every chunk in the search bundle of a built site."""
    found = []
    for shard in sorted((site / "_search").glob("*.z")):
        try:
            content = orjson.loads(inflate(shard.read_bytes(), 1 << 28, shard.name))
        except ValueError:
            continue  # postings or vectors
        if isinstance(content, dict) and content and all(map(_SHARD_KEY.fullmatch, content)):
            for key, (page, _, url, rows, _) in content.items():
                found += ((page, url, row[2], int(key.partition(".")[2]) + place) for place, row in enumerate(rows))
    return found


def judged(site: Path, page: str, url: str, anchor: str, index: int) -> str:
    path = unquote(urlsplit(url).path)
    candidates = [site / path, site / path / "index.html", site / f"{path.rstrip('/')}.html"]
    file = next((candidate for candidate in candidates if candidate.is_file()), None)
    if file is None or file != site / page:
        return "! no such page, or another one"
    if anchor:
        return "to a heading's id" if anchor in ids_of(file) else "! no such id"
    return "to the beginning of a page" if index == 0 or not headings_with_ids(file) else "to the page of a later chunk"


@cache
def _parsed(file: Path) -> LexborHTMLParser:
    return LexborHTMLParser(file.read_bytes())


@cache
def ids_of(file: Path) -> frozenset[str]:
    named = (node.attributes.get(name) for name in ("id", "name") for node in _parsed(file).css(f"[{name}]"))
    return frozenset(filter(None, named))


@cache
def headings_with_ids(file: Path) -> int:
    return len(_parsed(file).css("h2[id], h3[id], section[id] > h2, section[id] > h3"))


def main() -> None:
    modes = {"speed": speed, "questions": questions, "links": links}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mode", choices=modes)
    parser.add_argument("places", nargs="+", metavar="PLACE")
    parser.add_argument("--pagefind", help="the program; `npm install pagefind@1.6.0` has it")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--rerank", action="store_true", help="order the best by the site's model")
    parser.add_argument("--folder", help="where to copy trees to; default: the system's folder for temporary files")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        modes[arguments.mode](arguments, Path(folder))


if __name__ == "__main__":
    main()

"""The search box on a slow line: how long one waits for the first results, and what they cost.

    npm ci --prefix tests/explorer
    python benchmarks/search_box.py SITE [--latency 400] [--throughput 51200] [QUERY ...]

SITE is the folder of a tree that `infograph build --out` wrote; each query is asked in a profile of its own, with
nothing in the cache, over a line with that latency (milliseconds for each request) and throughput (bytes a second), as
Chromium emulates it, by HTTP/1.1: six requests at a time. Needs Node.js and Chromium.

    pasted         the whole query is there as soon as the box is open: nothing was loaded before
    typed          key by key, five a second, while the box loads what it needs
    opening        from the click on the button to the first results
    last key       from the last key to the first results, which may be those of the bare words
    whole          from the last key to the whole answer, which stays
    key            from a key to the frame that shows it, the slowest of all
    quoted         from the last key until the last passage stands in the place of its chunk's beginning
    page, bytes    body bytes as a host sends them (.js, .json and .md by gzip): of the page with the box, of the search
    passages       of the chunks that are read after the answer, and of the modules that find the passages

Milliseconds; the median and the largest of all queries. A machine that does other work too adds to them.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

SCRIPT = Path(__file__).with_suffix(".mjs")
MODULES = Path(__file__).parents[1] / "tests" / "explorer"
QUERIES = (
    "upload a file",
    "cors",
    "dependency with yield",
    "websocket",
    "response model exclude unset",
    "how do I return a 404",
    "bakground tasks",
    "oauth2 scopes",
)
"""Questions to the documentation of FastAPI; one has a slip."""
COLUMNS = {
    "opening": "from_opening",
    "last key": "from_last_key",
    "whole": "whole",
    "quoted": "quoted",
    "key": "slowest_key",
    "page": "page_bytes",
    "bytes": "bytes",
    "requests": "requests",
    "passages": "passages",
}

Row = dict[str, Any]


def measure(site: Path, queries: tuple[str, ...], latency: float, throughput: float) -> list[Row]:
    """Returns a row for each query, pasted and typed."""
    names = ("chromium", "chromium-browser", "google-chrome")
    chromium = next(filter(None, map(shutil.which, names)), None)
    node = shutil.which("node")
    if node is None or chromium is None or not (MODULES / "node_modules").is_dir():
        sys.exit("search_box.py: needs Node.js, Chromium, and `npm ci --prefix tests/explorer`")
    said = {
        "site": str(site.resolve()),
        "queries": queries,
        "latency": latency,
        "throughput": throughput,
        "modules": str(MODULES),
        "chromium": chromium,
    }
    run = subprocess.run([node, str(SCRIPT)], input=json.dumps(said), stdout=subprocess.PIPE, text=True, check=True)
    rows: list[Row] = json.loads(run.stdout)
    return rows


def table(rows: list[Row]) -> str:
    """The rows in Markdown, with medians and largest values."""
    lines = ["| | " + " | ".join(COLUMNS) + " |", "| --- |" + " ---: |" * len(COLUMNS)]
    for how, typed in (("pasted", False), ("typed", True)):
        own = [row for row in rows if row["typed"] is typed]
        for name, choose in (("median", statistics.median), ("largest", max)):
            values = " | ".join(f"{choose(row[key] for row in own):,.0f}" for key in COLUMNS.values())
            lines.append(f"| {how}, {name} | {values} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", type=Path)
    parser.add_argument("queries", nargs="*", default=QUERIES)
    parser.add_argument("--latency", type=float, default=400, help="milliseconds")
    parser.add_argument("--throughput", type=float, default=50 * 1024, help="bytes a second")
    options = parser.parse_args()
    rows = measure(options.site, tuple(options.queries), options.latency, options.throughput)
    for row in rows:
        print(json.dumps(row), file=sys.stderr)
    print(table(rows))


if __name__ == "__main__":
    main()

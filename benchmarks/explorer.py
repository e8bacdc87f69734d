"""Lighthouse over the explorer on a slow line: its scores, and what a view costs.

    npm install --prefix TOOLS lighthouse@12
    python benchmarks/explorer.py SITE --tools TOOLS [--runs 3] [VIEW ...]

SITE is the folder of a tree that `infograph build --out` wrote; a view is what stands in the address after
`explorer.html`. Each run is a first visit, over HTTP/1.1, by Lighthouse's model of a line and of a telephone of the
middle class: by its own measure of this machine (`machine`; those have 125 to 800) it counts the processor as slower.
Two lines:

    slow 4G        Lighthouse's: 150 ms for each request, 1.6 Mbit/s
    slower         400 ms, 50 KB/s: as for the search box

    performance    Lighthouse's score, 0 to 100; the others are audits that do not depend on the line
    fcp, lcp       milliseconds to the first text and to the largest
    speed index    milliseconds until most of the window is as it stays
    blocked        milliseconds that the page does not react for, beyond 50 at a time
    shift          how much moves while it loads; below 0.1 is good
    KB, requests   body bytes as a host sends them, of all files read

The median of the runs. Needs Node.js and Chromium; a machine that does other work too makes the scores worse.
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
VIEWS = ("", "#topic=docs/tutorial", "#q=how do I upload a file")
"""The first page, a topic and the results of a question, of the documentation of FastAPI."""
LINES = [
    {"name": "slow 4G", "throttling": {"rttMs": 150, "throughputKbps": 1638.4}},
    {"name": "slower", "throttling": {"rttMs": 400, "throughputKbps": 400}},
]
COLUMNS = {
    "machine": "machine",
    "performance": "performance",
    "accessibility": "accessibility",
    "best practices": "best_practices",
    "fcp": "fcp",
    "lcp": "lcp",
    "speed index": "speed_index",
    "blocked": "blocked",
    "shift": "shift",
    "KB": "bytes",
    "requests": "requests",
}

Row = dict[str, Any]


def measure(site: Path, tools: Path, views: list[str], runs: int) -> list[Row]:
    """Returns a row for each run."""
    names = ("chromium", "chromium-browser", "google-chrome")
    chromium = next(filter(None, map(shutil.which, names)), None)
    node = shutil.which("node")
    if node is None or chromium is None or not (tools / "node_modules" / "lighthouse").is_dir():
        sys.exit(f"explorer.py: needs Node.js, Chromium, and `npm install --prefix {tools} lighthouse@12`")
    said = {
        "site": str(site.resolve()),
        "tools": str(tools.resolve()),
        "chromium": chromium,
        "views": views,
        "lines": LINES,
        "runs": runs,
    }
    run = subprocess.run([node, str(SCRIPT)], input=json.dumps(said), stdout=subprocess.PIPE, text=True, check=True)
    rows: list[Row] = json.loads(run.stdout)
    return rows


def table(rows: list[Row]) -> str:
    """The rows in Markdown, the median of each line and view."""
    lines = ["| line | view | " + " | ".join(COLUMNS) + " |", "| --- | --- |" + " ---: |" * len(COLUMNS)]
    for line, view in dict.fromkeys((row["line"], row["view"]) for row in rows):
        own = [row for row in rows if (row["line"], row["view"]) == (line, view)]
        medians = {name: statistics.median(row[key] for row in own) for name, key in COLUMNS.items()}
        medians["KB"] /= 1000
        shown = (f"{value:.3f}" if name == "shift" else f"{value:,.0f}" for name, value in medians.items())
        lines.append(f"| {line} | `{view or '(first page)'}` | " + " | ".join(shown) + " |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", type=Path)
    parser.add_argument("views", nargs="*", default=VIEWS)
    parser.add_argument("--tools", type=Path, required=True, help="folder of the npm package")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_intermixed_args()
    rows = measure(options.site, options.tools, list(options.views), options.runs)
    for row in rows:
        print(json.dumps(row), file=sys.stderr)
    print(table(rows))


if __name__ == "__main__":
    main()

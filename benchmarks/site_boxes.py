"""From an existing site to a working search box, for each generator, beside Pagefind's UI on the same site.

    npm ci --prefix tests/explorer && npm ci --prefix tests/integrations/sites/starlight    # Pagefind is among these
    python benchmarks/site_boxes.py [GENERATOR …] [--shots DIR]

The sites are those of tests/integrations/test_search_box_on_sites.py: the sample docs, built by the generator itself
with the files that the guide shows. Both searches index what the generator wrote and stand in a page of their own.

    steps      files of the guide that are new or changed, and commands beside the generator's
    seconds    of the generator, of infograph, of Pagefind, each from nothing
    links      results of twelve questions, how many of them lead to a page that has the heading
    before     bytes of the search until the page stands, as hosts send them
    after      bytes that one question costs then, the first one, median of twelve
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).parents[1]
MODULES = ROOT / "tests/explorer"
PAGEFIND = ROOT / "tests/integrations/sites/starlight/node_modules/@pagefind/linux-x64/bin/pagefind_extended"
SCRIPT = Path(__file__).with_suffix(".mjs")


def cases() -> ModuleType:
    """The sites, as the tests build them."""
    path = ROOT / "tests/integrations/test_search_box_on_sites.py"
    spec = importlib.util.spec_from_file_location("sites", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["sites"] = module
    spec.loader.exec_module(module)
    return module


def write(files: dict[str, str], project: Path) -> None:
    for name, text in files.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text, "utf-8")


def touched(sites: ModuleType, case: Any) -> list[str]:
    """Returns the files that are new or changed for the search: those of the guide, and those that name it."""

    def is_shown(name: str) -> bool:
        return re.search(rf"^(?://|#|<!--) {re.escape(name)}\b", sites.GUIDE, re.MULTILINE) is not None

    return [name for name, text in case.files.items() if "infograph" in text or is_shown(name)]


def is_ours(command: str) -> bool:
    return command.startswith("infograph ")


def built(sites: ModuleType, case: Any, folder: Path) -> tuple[Path, dict[str, float]]:
    """Builds a site with its graph. Returns the project and the seconds of each part."""
    project = folder / "project"
    write(sites.pages(case) | case.files, project)
    sites.install(case, project)
    seconds = {"generator": 0.0, "infograph": 0.0}
    for command in case.commands:
        start = time.monotonic()
        sites.run(command, project, folder)
        seconds["infograph" if is_ours(command) else "generator"] += time.monotonic() - start
    return project, seconds


def asked(tool: str, site: Path, at: str, queries: list[str], shot: str) -> list[dict[str, Any]]:
    """Asks a search in a browser."""
    said = {
        "tool": tool,
        "site": str(site),
        "at": at,
        "queries": queries,
        "modules": str(MODULES),
        "chromium": shutil.which("chromium") or shutil.which("google-chrome"),
        "shot": shot,
    }
    done = subprocess.run(
        ["node", str(SCRIPT)], input=json.dumps(said), stdout=subprocess.PIPE, text=True, check=True, timeout=300
    )
    rows: list[dict[str, Any]] = json.loads(done.stdout)
    return rows


class Pages:
    """The pages of a rendered site, to see whether they have a heading."""

    def __init__(self, site: Path, mount: str) -> None:
        self._site, self._mount = site, mount
        self._ids: dict[str, set[str] | None] = {}

    def leads(self, url: str) -> bool:
        """Whether an address is a page of the site that has what its fragment names."""
        parts = urlsplit(url)
        path = unquote(parts.path)
        path = path.removeprefix(self._mount).lstrip("/")
        if path not in self._ids:
            self._ids[path] = self._read(path)
        ids = self._ids[path]
        return ids is not None and (not parts.fragment or unquote(parts.fragment) in ids)

    def _read(self, path: str) -> set[str] | None:
        from selectolax.lexbor import LexborHTMLParser

        for name in (path, f"{path}.html", f"{path}/index.html".lstrip("/")):
            file = self._site / name
            if file.is_file() and file.suffix == ".html":
                page = LexborHTMLParser(file.read_text("utf-8"))
                return {str(node.attributes.get("id")) for node in page.css("[id]")}
        return None


def measured(sites: ModuleType, name: str, shots: str) -> list[str]:
    """Returns the row of a generator."""
    from infograph.client import Client

    case = sites.CASES[name]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        project, seconds = built(sites, case, folder)
        site = project / case.site
        pages = Pages(site, case.mount)
        graph = project / case.site / case.tree.removeprefix(case.mount.lstrip("/")).strip("/")
        own, theirs = set(), set()
        with Client(str(graph)) as client:
            for query in sites.QUERIES:
                hits = client.search(query, limit=50).hits
                own |= {hit.url or f"{hit.page_url}#{hit.anchor}" for hit in hits}  # relative, without an address
        at = f"/{graph.relative_to(site).as_posix()}/".replace("/./", "/")
        box = asked("infograph", site, at, sites.QUERIES, f"{shots}/{name}-infograph.png" if shots else "")
        plain = folder / "plain"
        ours = shutil.ignore_patterns("_search", "_chunks", "_keywords", "infograph*.js", "explorer*", "graph")
        shutil.copytree(site, plain, ignore=ours)
        start = time.monotonic()
        subprocess.run([PAGEFIND, "--site", plain], check=True, capture_output=True)
        seconds["pagefind"] = time.monotonic() - start
        peer = asked("pagefind", plain, "/", sites.QUERIES, f"{shots}/{name}-pagefind.png" if shots else "")
        for row in peer:
            theirs |= set(row["links"])
        right = [f"{sum(map(pages.leads, links))} of {len(links)}" for links in (own, theirs)]
    steps = len(touched(sites, case)) + sum(map(is_ours, case.commands))

    def size(rows: list[dict[str, Any]], key: str) -> str:
        return f"{statistics.median(row[key] for row in rows) / 1000:.0f} KB"

    return [
        name,
        str(steps),
        f"{seconds['generator']:.0f} + {seconds['infograph']:.0f} ({seconds['pagefind']:.1f})",
        f"{right[0]} ({right[1]})",
        f"{size(box, 'before')} ({size(peer, 'before')})",
        f"{size(box, 'after')} ({size(peer, 'after')})",
    ]


def main() -> None:
    """Measures the generators that are named, or all."""
    sites = cases()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("generators", nargs="*", choices=[[], *sites.CASES])
    parser.add_argument("--shots", default="", help="folder for pictures")
    options = parser.parse_args()
    print("| Site | Steps | Seconds | Links that lead to their heading | Before a question | A question |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for name in options.generators or sites.CASES:
        print(f"| {' | '.join(measured(sites, name, options.shots))} |", flush=True)
    print("\nIn brackets: Pagefind on the same pages.")


if __name__ == "__main__":
    main()

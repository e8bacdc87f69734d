"""Search beside Pagefind and MiniSearch, in one run: right pages, bytes, files, time.

    npm install --prefix TOOLS pagefind@1.6.0 minisearch@7 esbuild playwright-core
    python benchmarks/search_peers.py --trees DIR --questions DIR --tools TOOLS --work DIR [--sections 60000]
        [--tasks questions bytes files time] [--no-default-model]

Needs Node.js and Chromium. Trees: `fastapi` and `powershell-docs`; questions: `fastapi-pages`. Everything is what a
site would publish: `infograph build --out`; Pagefind's own program over the same pages as plain HTML; MiniSearch over
the same sections that infograph cuts, of which title, section path and text are fields, with the setting of five that
found most right pages (prefixes match; no typos, no weights of fields). The tree `large` is powershell-docs, repeated
until it has so many sections, in each copy one word in eight replaced by another of the tree.

    right page   one of the first five pages is one of those that answer
    bytes        bodies as a static server sends them to Chromium: .js, .json and .md compressed by gzip at level 6,
                 the rest as it lies on disk. All that is asked for: code, manifest and index, texts of the first five
                 pages. infograph's and MiniSearch's text is the best section of a page, Pagefind's the page
    cold         each query in a profile of its own, with nothing in the cache
    warm         one query after the other in one page; section titles of 2 to 7 words, chosen by their SHA-256, the
                 same as in `search_bytes.py`; the first one's bytes, code and manifest, are left out
    time         in Node.js, each engine in turn for each query, every file in memory as a browser's cache has it. The
                 first time files are checked, inflated and read; the second time what was read is still there.
                 MiniSearch has its whole index read before the first query

A machine that does other work too tells no seconds: there the ratios are the result. Prints a table in Markdown.
"""

from __future__ import annotations

import argparse
import hashlib
import html
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from mdit_py_plugins.anchors import anchors_plugin

from infograph import web
from infograph.config import Config
from infograph.errors import DocumentError
from infograph.formats.chunk_file import ChunkFile, parse
from infograph.formats.names import CLIENT
from infograph.source.document import decode

SCRIPT = Path(__file__).with_suffix(".mjs")
ENGINES = ("infograph", "pagefind", "minisearch")
MINISEARCH = {"prefix": True}
KINDS = {"natural": "questions", "keywords": "keyword queries"}
TASKS = ["questions", "bytes", "files", "time"]
PACKED = 500
"""Files that a host with a limit may allow."""
WORD = re.compile("[A-Za-z]{3,}")

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Site:
    """A tree as each engine publishes it: a folder for each."""

    tree: Path
    root: Path

    @property
    def infograph(self) -> Path:
        return self.root / "infograph"


class Bench:
    def __init__(self, tools: Path, work: Path) -> None:
        self.tools = tools.resolve()
        self.work = work.resolve()
        chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
        if chromium is None:
            sys.exit("search_peers.py needs Chromium on the PATH")
        self._chromium = chromium

    def node(self, task: str, **given: object) -> Any:
        """What a task of the script beside this one answers."""
        command = ["node", "--max-old-space-size=4096", str(SCRIPT), task]
        made = json.dumps({"tools": str(self.tools), "search": MINISEARCH, **given}, default=str)
        run = subprocess.run(command, input=made, stdout=subprocess.PIPE, check=True, encoding="utf-8")
        return json.loads(run.stdout)

    def browse(self, site: Site, engines: Sequence[str], queries: Sequence[str], *, cold: bool) -> list[Row]:
        rows: list[Row] = self.node(
            "browse", chromium=self._chromium, root=site.root, engines=engines, queries=queries, cold=cold
        )
        return rows

    def publish(self, name: str, tree: Path) -> Site:
        site = Site(tree, self.work / name)
        infograph(tree, site.infograph)
        pages = self.work / f"{name}-html"
        for stale in (pages, site.root / "pagefind"):
            shutil.rmtree(stale, ignore_errors=True)
        write_html(tree, pages)
        program = self.tools / "node_modules" / ".bin" / "pagefind"
        command: list[str | Path] = [program, "--site", pages, "--output-path", site.root / "pagefind", "--quiet"]
        subprocess.run(command, check=True, stdout=sys.stderr)
        documents = self.work / f"{name}-sections.json"
        documents.write_text(json.dumps([section(path, file) for path, file in chunk_files(site.infograph)]), "utf-8")
        self.node("bundle", documents=documents, folder=site.root / "minisearch")
        return site


# ---- what each engine makes of a tree --------------------------------------------------------------------------------


def infograph(tree: Path, out: Path, model: str = "static", **settings: str) -> None:
    command: list[str | Path] = [
        sys.executable,
        "-m",
        "infograph",
        "build",
        tree,
        "--out",
        out,
        "--model",
        model,
        "--quiet",
    ]
    run = subprocess.run(command, check=False, env=os.environ | settings)
    if run.returncode not in (0, 1):  # 1: pages that cannot be read were left out
        sys.exit(f"{tree}: infograph build failed with {run.returncode}")


def chunk_files(out: Path) -> Iterator[tuple[str, ChunkFile]]:
    for path in sorted(out.rglob("_chunks/*.md")):
        name = path.relative_to(out).as_posix()
        yield name, parse(name, path.read_bytes())


def section(path: str, file: ChunkFile) -> Row:
    """A chunk as a document of MiniSearch."""
    chunk = file.chunk
    above = " ".join(chunk.section_path[:-1])
    return {"id": path, "page": chunk.document, "title": chunk.title, "path": above, "text": chunk.text}


def write_html(tree: Path, out: Path) -> None:
    """Every page that can be read, at `page/index.html`, without a frame."""
    render = (
        MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).use(anchors_plugin, max_level=4)
    )
    for path in sorted(tree.rglob("*.md")):
        name = path.relative_to(tree).as_posix()
        try:
            document = decode(name, path.read_bytes())
        except DocumentError as error:
            print(error, file=sys.stderr)
            continue
        body = render.render(document.body)
        title = html.escape(document.title or document.stem)
        if "<h1" not in body:
            body = f"<h1>{title}</h1>{body}"
        page = out / page_id(name) / "index.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(
            f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title></head>'
            f"<body><main data-pagefind-body>{body}</main></body></html>",
            "utf-8",
        )


def page_id(found: str) -> str:
    """Of a source's path or a rendered page's: `tutorial/security` for `tutorial/security/index.md`."""
    name = found.strip("/").removesuffix(".md").removesuffix("/index")
    return "" if name == "index" else name


def write_large(site: Site, sections: int, out: Path) -> None:
    """The pages of a site, and copies of them with other words, until they have so many sections."""
    counts: dict[str, int] = {}
    for _, file in chunk_files(site.infograph):
        counts[file.chunk.document] = file.chunk.count
    shutil.rmtree(out, ignore_errors=True)
    draw = random.Random(0)
    words = [word for name in sorted(counts)[::20] for word in WORD.findall((site.tree / name).read_text("utf-8"))]

    def another(word: re.Match[str]) -> str:
        return draw.choice(words) if draw.random() < 1 / 8 else word[0]

    made = copy = 0
    while made < sections:
        for name in sorted(counts):
            document = decode(name, (site.tree / name).read_bytes())
            path = out / f"copy-{copy}" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(document.prefix + (WORD.sub(another, document.body) if copy else document.body), "utf-8")
            made += counts[name]
            if made >= sections:
                break
        copy += 1


# ---- queries and tables ----------------------------------------------------------------------------------------------


def titles(site: Site, size: int) -> list[str]:
    found = {file.chunk.title for _, file in chunk_files(site.infograph)}
    usable = [title for title in sorted(found) if 2 <= len(title.split()) <= 7]
    return sorted(usable, key=lambda title: hashlib.sha256(title.encode()).digest())[:size]


def total(row: Row) -> float:
    return float(row["code"] + row["index"] + row["texts"])


def spread(values: Sequence[float], unit: float = 1000) -> str:
    """Median and 90th percentile."""
    p90 = statistics.quantiles(values, n=10)[-1]
    return f"{statistics.median(values) / unit:.1f} / {p90 / unit:.1f}"


def table(title: str, head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    print(f"\n## {title}\n")
    for row in (head, ["---"] * len(head), *rows):
        print(f"| {' | '.join(map(str, row))} |", flush=True)


def folder_size(folder: Path) -> tuple[int, int]:
    """Files and their bytes."""
    sizes = [path.stat().st_size for path in folder.rglob("*") if path.is_file()]
    return len(sizes), sum(sizes)


def measure_questions(bench: Bench, site: Site, questions: Path, *, default: bool) -> None:
    """Prints what the questions find and what they cost.

    default: also of a site that is built with the default model, which ranks by words alike and embeds for minutes
    """
    engines = ENGINES
    if default:
        other = "infograph-default"
        infograph(site.tree, site.root / other, Config().model)
        engines = (ENGINES[0], other, *ENGINES[1:])
    for kind, plural in KINDS.items():
        lines = (questions / "fastapi-pages" / f"{kind}.tsv").read_text("utf-8").splitlines()
        gold = {query: set(pages.split("|")) for query, pages in (line.split("\t") for line in lines if line.strip())}
        found = bench.browse(site, engines, list(gold), cold=True)
        cells = []
        for engine in engines:
            rows = [row for row in found if row["engine"] == engine]
            right = sum(any(page_id(page) in gold[row["query"]] for page in row["pages"]) for row in rows)
            parts = [
                f"{statistics.median(row[part] for row in rows) / 1000:.1f}" for part in ("code", "index", "texts")
            ]
            requests = statistics.median(row["requests"] for row in rows)
            cells.append([engine, f"{right} of {len(rows)}", spread([*map(total, rows)]), *parts, f"{requests:.0f}"])
        head = ("", "right page in first 5", "cold KB, median / p90", "code", "index", "texts", "requests")
        table(f"fastapi, {len(gold)} {plural}", head, cells)


def measure_bytes(bench: Bench, site: Site, queries: Sequence[str]) -> None:
    found = bench.browse(site, ENGINES, queries, cold=False)
    cells = []
    for engine in ENGINES:
        first, *rows = [row for row in found if row["engine"] == engine]
        index = spread([row["index"] for row in rows])
        cells.append([engine, index, spread([*map(total, rows)]), f"{total(first) / 1000:.1f}"])
    head = ("", "index KB, median / p90", "with texts", "first query, all")
    table(f"powershell-docs, {len(queries)} section titles, warm", head, cells)


def measure_files(bench: Bench, site: Site) -> None:
    packed = bench.work / f"packed-{PACKED}"
    infograph(site.tree, packed, INFOGRAPH_SEARCH_MAX_FILES=str(PACKED))
    files, size = folder_size(site.infograph / "_search")
    fewer, packed_size = folder_size(packed / "_search")
    folders = {engine: site.root / engine for engine in ENGINES}
    cells = [
        ["infograph, search", files, f"{size / 1e6:.2f}", "1"],
        [f"infograph, search, at most {PACKED} files", fewer, f"{packed_size / 1e6:.2f}", f"{packed_size / size:.2f}"],
    ]
    for engine, folder in folders.items():
        count, all_size = folder_size(folder)
        cells.append([f"{engine}, all", count, f"{all_size / 1e6:.2f}", f"{all_size / size:.2f}"])
    table("powershell-docs, files written", ("", "files", "MB", "of infograph's search"), cells)


def measure_time(bench: Bench, site: Site, queries: Sequence[str]) -> None:
    found = bench.node("time", root=site.root, client=(web.HERE / CLIENT).as_uri(), queries=queries)
    cells = []
    for engine in ENGINES:
        row: list[str] = [engine]
        for turn in ("first", "again"):
            for clock in ("clock", "processor"):
                taken = [each[clock] for each in found if each["engine"] == engine and each["round"] == turn]
                row.append(spread(taken, 1))
        cells.append(row)
    sections = sum(1 for _ in chunk_files(site.infograph))
    head = ("ms, median / p90", "first, clock", "first, processor", "again, clock", "again, processor")
    table(f"{sections:,} sections, {len(queries)} section titles, in Node.js", head, cells)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trees", type=Path, required=True, help="folder of the trees")
    parser.add_argument("--questions", type=Path, required=True, help="folder of the question sets")
    parser.add_argument("--tools", type=Path, required=True, help="folder of the npm packages")
    parser.add_argument("--work", type=Path, required=True, help="folder for what is built; may be kept")
    parser.add_argument("--sections", type=int, default=60_000, help="of the large tree")
    parser.add_argument("--queries", type=int, default=200, help="section titles asked")
    parser.add_argument("--default-model", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--tasks", nargs="+", default=TASKS, choices=TASKS)
    args = parser.parse_args()
    bench = Bench(args.tools, args.work)

    versions = [
        f"{name} {json.loads((bench.tools / 'node_modules' / name / 'package.json').read_text('utf-8'))['version']}"
        for name in ENGINES[1:]
    ]
    print(f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC, {', '.join(versions)}")
    if "questions" in args.tasks:
        fastapi = bench.publish("fastapi", args.trees / "fastapi" / "docs" / "en" / "docs")
        measure_questions(bench, fastapi, args.questions, default=args.default_model)
    if args.tasks == ["questions"]:
        return
    powershell = bench.publish("powershell-docs", args.trees / "powershell-docs")
    queries = titles(powershell, args.queries)
    if "bytes" in args.tasks:
        measure_bytes(bench, powershell, queries)
    if "files" in args.tasks:
        measure_files(bench, powershell)
    if "time" in args.tasks:
        write_large(powershell, args.sections, bench.work / "large-tree")
        measure_time(bench, bench.publish("large", bench.work / "large-tree"), queries)


if __name__ == "__main__":
    main()

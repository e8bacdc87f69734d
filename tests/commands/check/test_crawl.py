"""The link checker against trees that are right, wrong in one way, or hostile."""

from __future__ import annotations

import contextlib
import functools
import gzip
import json
import os
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import orjson
import pytest

from infograph.build import build
from infograph.client.scope import RefusedError, Scope
from infograph.commands.check.crawl import check
from infograph.commands.check.findings import CheckReport, Problem
from infograph.commands.check.target import CheckLimits
from infograph.config import load
from infograph.errors import ConfigError
from infograph.formats import pack
from infograph.index.hal import IndexOptions
from infograph.model import SpecSource, TopicSpec

MakeSource = Callable[..., SpecSource]
MakeSpec = Callable[..., TopicSpec]
Publish = Callable[..., Path]
TABLES, SECTIONS = b'"table","level":2,"count":1', b'"section","level":1,"count":1'
FAST = CheckLimits(reply_seconds=60.0, total_seconds=600.0, connections=4)


def kinds(report: CheckReport) -> list[str]:
    return sorted({problem.kind for problem in report.problems})


@contextlib.contextmanager
def serving(handler: Callable[..., BaseHTTPRequestHandler]) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)  # type: ignore[arg-type]
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class Quiet(SimpleHTTPRequestHandler):
    """A plain file server that lets pages of other origins read."""

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing on the terminal."""

    def end_headers(self) -> None:
        self.send_header("Access-Control-Allow-Origin", "*")
        super().end_headers()


def files_of(root: Path, handler: type[Quiet] = Quiet) -> contextlib.AbstractContextManager[str]:
    return serving(functools.partial(handler, directory=str(root)))


def test_a_folder_as_built_is_right(small_tree: Path) -> None:
    report = check(str(small_tree))
    assert report.ok and not report.warnings
    # 3 indexes, 25 chunks, 4 documents, 3 specifications, 3 keyword tables, the schema, llms.txt
    assert (report.topics, report.documents, report.chunks, report.files) == (3, 4, 25, 40)
    assert report.bytes > 10_000


def test_a_server_gives_the_same_report_as_its_folder(small_tree: Path) -> None:
    with files_of(small_tree) as url:
        served = check(url, limits=FAST)
    folder = check(str(small_tree))
    assert served.ok and not served.warnings
    assert (served.files, served.bytes, served.chunks) == (folder.files, folder.bytes, folder.chunks)


def test_the_root_index_may_be_named(small_tree: Path) -> None:
    assert check(str(small_tree / "index.json")).ok
    with files_of(small_tree) as url:
        assert check(url + "index.json", limits=FAST).ok


def test_progress_counts_up(small_tree: Path) -> None:
    seen: list[tuple[int, int]] = []
    check(str(small_tree), progress=lambda done, known: seen.append((done, known)))
    assert seen == sorted(seen)
    assert seen[-1] == (40, 40)


@pytest.mark.parametrize(
    ("file", "content", "kind", "words"),
    [
        ("guide/_chunks/intro-3.md", b"---\ntitle: x\n---\nother", "hash", "other bytes"),
        ("guide/_chunks/intro-3.md", None, "missing", "there is no such file"),
        ("guide/intro.md", None, "missing", "there is no such file"),
        ("guide/deep/index.json", b"{", "format", "is not JSON"),
        ("guide/deep/index.json", b"{}", "format", "`id` is missing"),
        ("_schema/index.schema.json", b"<", "format", "is not JSON"),
    ],
)
def test_one_fault_is_named(small_tree: Path, file: str, content: bytes | None, kind: str, words: str) -> None:
    if content is None:
        (small_tree / file).unlink()
    else:
        (small_tree / file).write_bytes(content)
    report = check(str(small_tree))
    assert kinds(report) == [kind]
    (problem,) = report.problems
    assert problem.url.endswith(file)
    assert words in problem.message
    assert problem.linked_from.endswith("index.json")


def test_a_missing_root(tmp_path: Path) -> None:
    assert kinds(check(str(tmp_path))) == ["missing"]


def replace_in(path: Path, old: bytes, new: bytes) -> None:
    data = path.read_bytes()
    assert old in data
    path.write_bytes(data.replace(old, new, 1))


def test_an_index_changed_on_the_way(small_tree: Path) -> None:
    replace_in(small_tree / "guide/index.json", b"What guide", b"What guidE")
    assert kinds(check(str(small_tree))) == ["build-id"]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (b'"count": 12', b'"count": 13', "count is 13"),
        (b'"stripe_order": [', b'"stripe_order": [0,', "stripe_order is not every chunk"),
        (b'"stripe_order_technical": [', b'"stripe_order_technical": [1,', "stripe_order_technical is not every"),
        (b'"0020000000000001"', b'"0020000000000000"', "prompt_hashes_hex of item 0"),
    ],
)
def test_an_index_that_contradicts_itself(small_tree: Path, old: bytes, new: bytes, words: str) -> None:
    replace_in(small_tree / "guide/index.json", old, new)
    report = check(str(small_tree))
    assert kinds(report) == ["build-id", "inconsistent"]
    assert words in report.problems[1].message


def test_links_with_relations_nobody_knows_are_followed(small_tree: Path) -> None:
    replace_in(small_tree / "guide/index.json", b'"_links": {', b'"_links": {"x:new": [{"href": "gone.txt"}],')
    report = check(str(small_tree))
    assert [problem.url for problem in report.problems if problem.kind == "missing"] == ["guide/gone.txt"]


@pytest.mark.parametrize("base", ["/docs/", "https://example.org/docs/"])
def test_a_folder_with_absolute_links(
    tmp_path: Path, make_spec: MakeSpec, make_source: MakeSource, publish: Publish, base: str
) -> None:
    specs = [make_spec(""), make_spec("guide", make_source("a b.md"))]
    assert check(str(publish(tmp_path, specs, IndexOptions(base_url=base)))).ok


def test_a_tree_that_is_not_where_its_base_url_says(
    tmp_path: Path, make_spec: MakeSpec, make_source: MakeSource, publish: Publish
) -> None:
    publish(tmp_path, [make_spec("", make_source("a.md"))], IndexOptions(base_url="/elsewhere/"))
    with files_of(tmp_path) as url:
        report = check(url, limits=FAST)
    assert "moved" in kinds(report)


def test_all_pages_are_followed(tmp_path: Path, make_spec: MakeSpec, make_source: MakeSource, publish: Publish) -> None:
    spec = make_spec("", *(make_source(f"d{number}.md", 9) for number in range(9)))
    report = check(str(publish(tmp_path, [spec], IndexOptions(page_bytes=9000))))
    assert report.ok
    assert (report.topics, report.documents, report.chunks) == (1, 9, 81)


def test_sources_elsewhere_are_counted_and_left_alone(
    tmp_path: Path, make_spec: MakeSpec, make_source: MakeSource, publish: Publish
) -> None:
    options = IndexOptions(sources_beside=False, source_url="https://example.org/{path}")
    report = check(str(publish(tmp_path, [make_spec("", make_source("a.md"), make_source("b.md"))], options)))
    assert report.ok
    assert report.external == 2


class TestHiddenNames:
    """Hosts that leave out names which begin with an underscore."""

    class Jekyll(Quiet):
        def do_GET(self) -> None:
            if "/_" in self.path:
                self.send_error(404)
            else:
                super().do_GET()

    def test_the_cause_stands_for_its_effects(self, small_tree: Path) -> None:
        with files_of(small_tree, self.Jekyll) as url:
            report = check(url, limits=FAST)
        (problem,) = report.problems
        assert (problem.kind, problem.url) == ("hidden", url + "index.json")
        assert "none of 30 files" in problem.message and "`.nojekyll`" in problem.message

    def test_one_missing_chunk_is_no_such_case(self, small_tree: Path) -> None:
        (small_tree / "guide/_chunks/intro-3.md").unlink()
        assert kinds(check(str(small_tree))) == ["missing"]


def test_what_nothing_links_to_is_a_warning(small_tree: Path) -> None:
    (small_tree / "guide/_chunks/gone-0.md").write_text("old")
    (small_tree / "old").mkdir()
    (small_tree / "old/topic-spec.md").write_text("old")
    (small_tree / ".embedding-cache/_chunks").mkdir(parents=True)
    (small_tree / ".embedding-cache/_chunks/x.md").write_text("private")
    (small_tree / "node_modules/package").mkdir(parents=True)
    (small_tree / "node_modules/package/topic-spec.md").write_text("of somebody else")
    report = check(str(small_tree))
    assert report.ok
    assert [(warning.kind, warning.url) for warning in report.warnings] == [
        ("orphan", "guide/_chunks/gone-0.md"),
        ("orphan", "old/topic-spec.md"),
    ]


def test_a_tree_that_was_built_on_its_own_is_no_orphan(small_tree: Path) -> None:
    shutil.copytree(small_tree, small_tree.with_name("copy"))
    small_tree.with_name("copy").rename(small_tree / "elsewhere")
    assert not check(str(small_tree)).warnings


def test_pages_of_an_index_that_nothing_links_to_are_a_warning(small_tree: Path) -> None:
    for name in ("guide/index-2.json", "old/index.json"):
        (small_tree / name).parent.mkdir(exist_ok=True)
        (small_tree / name).write_bytes((small_tree / "guide/index.json").read_bytes())
    (small_tree / "index-3.json").write_text('{"of": "somebody else"}')
    report = check(str(small_tree))
    assert report.ok
    assert [(warning.kind, warning.url) for warning in report.warnings] == [
        ("orphan", "guide/index-2.json"),
        ("orphan", "old/index.json"),
    ]


@pytest.mark.slow
def test_a_host_that_sends_its_start_page_for_the_browser_client(manual: Path, tmp_path: Path) -> None:
    class StartPage(Quiet):
        def send_head(self) -> Any:
            if not Path(self.translate_path(self.path)).is_file():
                self.path = "/start.html"
            return super().send_head()

    site = shutil.copytree(manual, tmp_path / "site")
    (site / "start.html").write_text("<!doctype html>")
    for name in ("infograph.js", "explorer.html"):
        (site / name).unlink()
    with files_of(site, StartPage) as url:
        report = check(url, limits=FAST)
    assert [(problem.kind, problem.url) for problem in report.problems] == [
        ("web-page", url + "explorer.html"),
        ("web-page", url + "infograph.js"),
    ]


@pytest.mark.skipif(os.name == "nt", reason="symbolic links and FIFOs")
class TestHostileFolder:
    def test_links_out_of_the_tree_are_not_read(self, small_tree: Path) -> None:
        secret = small_tree.parent / "secret.md"
        secret.write_text("secret")
        (small_tree / "guide/intro.md").unlink()
        (small_tree / "guide/intro.md").symlink_to(secret)
        (problem,) = check(str(small_tree)).problems
        assert problem.kind == "address" and "symbolic link out of the tree" in problem.message

    def test_a_fifo_does_not_hang(self, small_tree: Path) -> None:
        (small_tree / "guide/intro.md").unlink()
        os.mkfifo(small_tree / "guide/intro.md")
        assert kinds(check(str(small_tree))) == ["missing"]

    def test_a_folder_is_no_file(self, small_tree: Path) -> None:
        (small_tree / "guide/intro.md").unlink()
        (small_tree / "guide/intro.md").mkdir()
        assert kinds(check(str(small_tree))) == ["missing"]

    def test_a_large_file_stops_at_the_limit(self, small_tree: Path) -> None:
        (small_tree / "guide/intro.md").write_bytes(b"x" * 200_000)
        report = check(str(small_tree), limits=CheckLimits(reply_bytes=100_000))
        assert [problem.message for problem in report.problems] == ["is larger than 100000 bytes"]


ESCAPES = [
    "//evil.example/x",
    "\\\\evil.example/x",
    "/\t/evil.example/x",
    "%2e%2e/%2e%2e/%2e%2e/x",
    "..%2f..%2fx",
    " http://evil.example",
    "http://evil.example",
    "https://host/tree/x",
    "http://host:81/tree/x",
    "file:///etc/passwd",
    "data:,x",
    "javascript:0",
    "http://user@host/tree/x",
    "http://host@evil.example/tree/x",
    "../../x",
    "/x",
    "/treex",
    "a%00b",
    "é.md",
    "a b.md",
    "http://[::1",
    "http://host:99999/tree/x",
]


class TestScope:
    scope = Scope("http://host/tree/")

    @pytest.mark.parametrize("href", ESCAPES)
    def test_escapes_are_refused(self, href: str) -> None:
        with pytest.raises(RefusedError):
            self.scope.resolve("http://host/tree/a/index.json", href)

    @pytest.mark.parametrize(
        ("href", "url"),
        [
            ("x.md", "http://host/tree/a/x.md"),
            ("../index.json", "http://host/tree/index.json"),
            ("/tree/b", "http://host/tree/b"),
            ("HTTP://HOST:80/tree/b", "http://HOST:80/tree/b"),
            ("index.json#chunks", "http://host/tree/a/index.json"),
            ("./c%3Ad.md", "http://host/tree/a/c%3Ad.md"),
            ("a%5Cb.md", "http://host/tree/a/a%5Cb.md"),
        ],
    )
    def test_addresses_within(self, href: str, url: str) -> None:
        assert self.scope.resolve("http://host/tree/a/index.json", href) == url

    def test_spellings_of_one_address_are_one(self) -> None:
        assert self.scope.key("http://host/tree/%7ea") == self.scope.key("http://HOST:80/tree/~a")


def test_no_request_leaves_the_tree(small_tree: Path) -> None:
    (small_tree.parent / "x").write_text("secret")
    asked: list[str] = []

    class Recorder(Quiet):
        def do_GET(self) -> None:
            asked.append(self.path)
            super().do_GET()

    links = orjson.dumps([{"href": href} for href in ESCAPES])
    replace_in(small_tree / "guide/index.json", b'"_links": {', b'"_links": {"x": %s,' % links)
    with files_of(small_tree.parent, Recorder) as url:
        report = check(url + "site/", limits=FAST)
    assert sorted(problem.url for problem in report.problems if problem.kind == "address") == sorted(ESCAPES)
    assert all(path.startswith("/site/") and ".." not in path for path in asked)


class Scripted(BaseHTTPRequestHandler):
    """Says one thing to every request for the root's index."""

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing on the terminal."""

    def reply(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        with contextlib.suppress(ConnectionError):
            self.wfile.write(body)


def scripted(answer: Callable[[Scripted], None], seconds: float = 30.0) -> CheckReport:
    """seconds: for one reply"""
    handler = type("Handler", (Scripted,), {"do_GET": answer})
    limits = CheckLimits(reply_bytes=100_000, reply_seconds=seconds, total_seconds=10 * seconds, connections=2)
    with serving(handler) as url:
        return check(url, limits=limits)


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        (lambda h: h.reply(302, Location="http://evil.example/"), "address", "redirects to where no client may"),
        (lambda h: h.reply(302, Location="//evil.example/"), "address", "redirects to where no client may"),
        (lambda h: h.reply(302, Location="/again"), "no-reply", "redirects more than 5 times"),
        (lambda h: h.reply(500), "status", "answers 500"),
        (lambda h: h.reply(200, b"<!doctype html><p>", Content_Type="text/html"), "web-page", "a web page instead"),
        (lambda h: h.reply(200, b"x" * 200_000), "no-reply", "larger than 100000 bytes"),
        (
            lambda h: h.reply(200, gzip.compress(b"x" * 50_000_000), Content_Encoding="gzip"),
            "no-reply",
            "larger than 100000 bytes",
        ),
        (lambda h: h.reply(200, gzip.compress(b"{}")[:-9], Content_Encoding="gzip"), "no-reply", "is cut off"),
        (lambda h: h.reply(200, b"no", Content_Encoding="gzip"), "no-reply", "does not unpack"),
        (lambda h: h.reply(200, b"no", Content_Encoding="br"), "no-reply", "which was not asked for"),
        (lambda h: h.reply(200, b"{}", Content_Length="50"), "no-reply", "does not answer"),
        (lambda h: h.reply(200, b"{}"), "format", "`id` is missing"),
    ],
)
def test_bad_replies(answer: Callable[[Scripted], None], kind: str, words: str) -> None:
    (problem,) = scripted(answer).problems
    assert problem.kind == kind
    assert words in problem.message


def test_a_slow_reply_ends_at_its_limit() -> None:
    release = threading.Event()

    def drip(handler: Scripted) -> None:
        handler.reply(200, b"{", Content_Type="application/json")
        release.wait(0.3)
        for _ in range(100):
            if release.wait(0.1):
                return
            with contextlib.suppress(ConnectionError):
                handler.wfile.write(b" ")

    try:
        (problem,) = scripted(drip, seconds=1.0).problems
    finally:
        release.set()
    assert (problem.kind, problem.message) == ("no-reply", "takes longer than 1 s")


def test_a_server_that_is_not_there() -> None:
    with serving(Scripted) as url:
        pass
    (problem,) = check(url, limits=FAST).problems
    assert problem.kind == "no-reply" and "does not answer" in problem.message


def test_compressed_replies_are_read(small_tree: Path) -> None:
    class Compressing(Quiet):
        def do_GET(self) -> None:
            body = gzip.compress(Path(self.translate_path(self.path)).read_bytes())
            self.send_response(200)
            self.send_header("Content-Encoding", "gzip")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    with files_of(small_tree, Compressing) as url:
        assert check(url, limits=FAST).ok


@pytest.mark.parametrize("allowed", [None, "https://one.example"])
def test_a_host_that_keeps_other_origins_out_is_a_warning(small_tree: Path, allowed: str | None) -> None:
    class Closed(Quiet):
        def end_headers(self) -> None:
            if allowed is not None:
                self.send_header("Access-Control-Allow-Origin", allowed)
            SimpleHTTPRequestHandler.end_headers(self)

    with files_of(small_tree, Closed) as url:
        report = check(url, limits=FAST)
    assert report.ok
    assert [warning.kind for warning in report.warnings] == ["cors"]


def test_the_report_for_a_person_and_for_a_machine(small_tree: Path) -> None:
    assert str(check(str(small_tree))).splitlines()[-1] == "ok"
    (small_tree / "guide/intro.md").unlink()
    report = check(str(small_tree))
    lines = str(report).splitlines()
    assert lines[0] == "problem: guide/intro.md: there is no such file (linked from guide/index.json)"
    assert re.search(r"files, [\d,]+ bytes: \d+ topics, \d+ documents, \d+ chunks$", lines[-2])
    assert lines[-1] == "1 problem, 0 warnings"
    value = json.loads(json.dumps(report.as_dict()))
    assert value["ok"] is False
    assert value["problems"][0]["kind"] == "missing"


def test_a_long_report_is_cut_and_its_lines_are_clean(small_tree: Path) -> None:
    problem = Problem("x\x1b[2J\xad\u202e.md", "missing", "line\nbreak", "a\tb/index.json")
    text = str(replace(check(str(small_tree)), problems=(problem,) * 80))
    assert "\x1b" not in text
    lines = text.splitlines()
    # The path as it is, what would command the terminal escaped: nothing is left out of it.
    named = "problem: x\\x1b[2J\xad\\u202e.md: line\\nbreak (linked from a\\tb/index.json)"
    assert lines[0] == named
    assert lines[50] == "problem: 30 more"


def test_time_is_limited(small_tree: Path) -> None:
    report = check(str(small_tree), limits=CheckLimits(total_seconds=0.0))
    assert kinds(report) == ["unfinished"]


@pytest.mark.parametrize("target", ["nowhere", "ftp://host/", "http://user:secret@host/"])
def test_what_is_no_target(target: str) -> None:
    with pytest.raises(ConfigError) as caught:
        check(target)
    assert "secret" not in str(caught.value)


class TestPacks:
    """A tree whose chunks share files: every chunk is looked at, and each file is asked for once."""

    @pytest.fixture
    def packed(self, built_tree: Callable[..., Any]) -> Path:
        out: Path = built_tree(elsewhere=True, packed=True).out
        return out

    @staticmethod
    def pack_of(site: Path, name: str) -> Path:
        (path,) = site.glob(name)
        return path

    def test_it_counts_as_the_same_tree_without_packs(self, packed: Path, tmp_path: Path) -> None:
        found = check(str(packed))
        flags = {"out": str(tmp_path / "each"), "chunks.files": "each"}
        build(load(str(tmp_path / "docs"), flags=flags, environment={}))
        other = check(str(tmp_path / "each"))
        assert found.problems == found.warnings == other.problems == other.warnings == ()
        for what in ("topics", "documents", "chunks", "tokens", "repeated"):
            assert getattr(found, what) == getattr(other, what), what
        files = len(list(packed.rglob("_chunks/*.pack.txt")))
        assert found.kinds["chunks"].files == files < found.chunks == other.kinds["chunks"].files

    def test_a_pack_that_is_cut_off_is_one_line(self, packed: Path) -> None:
        path = self.pack_of(packed, "guide/_chunks/index.*.pack.txt")
        data = path.read_bytes()
        assert len(pack.parse(path.name, data).files) > 1
        path.write_bytes(data[: len(data) // 2])
        (problem,) = check(str(packed)).problems
        assert (problem.url, problem.kind) == (f"guide/_chunks/{path.name}", "format")
        assert problem.message == f"is cut off: it has {len(data) // 2} bytes of {len(data)}"
        path.unlink()
        (problem,) = check(str(packed)).problems
        assert (problem.kind, problem.message) == ("missing", "there is no such file")

    def test_each_chunk_is_compared_with_its_entry(self, packed: Path) -> None:
        path = self.pack_of(packed, "guide/_chunks/index.*.pack.txt")
        held = pack.parse(path.name, path.read_bytes())
        last = len(held.files) - 1
        changed = [*held.files[:-1], held.files[-1].replace(b"warm", b"cold")]
        assert changed[-1] != held.files[-1]
        path.write_bytes(pack.render(0, changed))
        (problem,) = check(str(packed)).problems
        assert (problem.url, problem.kind) == (f"guide/_chunks/{path.name}#{last}", "hash")
        path.write_bytes(pack.render(0, held.files[:-1]))
        (problem,) = check(str(packed)).problems
        assert (problem.url, problem.kind) == (f"guide/_chunks/{path.name}#{last}", "missing")
        assert problem.message == f"has the chunks 0 to {last - 1} and not {last}"

    def test_one_that_nothing_links_to_is_told(self, packed: Path) -> None:
        path = self.pack_of(packed, "guide/_chunks/index.*.pack.txt")
        shutil.copy(path, packed / "guide/_chunks/gone.0123456789-0.pack.txt")
        (warning,) = check(str(packed)).warnings
        assert (warning.url, warning.kind) == ("guide/_chunks/gone.0123456789-0.pack.txt", "orphan")

    def test_the_chunks_of_a_converted_document_tile_it(self, tmp_path: Path, quick: Any) -> None:
        docs, site = tmp_path / "docs", tmp_path / "site"
        docs.mkdir()
        parts = "".join(f"<h2>Part {n}</h2><p>{'The kettle boils. ' * 60}</p>" for n in range(70))
        (docs / "page.html").write_text(f"<!doctype html><title>Page</title><main><h1>Page</h1>{parts}</main>")
        build(load(str(docs), flags={"out": str(site), "chunks.files": "pack"}, environment={}))
        assert len(list(site.glob("_chunks/page.*.pack.txt"))) > 1
        assert check(str(site)).problems == ()
        (whole,) = site.glob("_chunks/*.converted.md")
        whole.write_bytes(whole.read_bytes().replace(b"boils", b"boilt"))
        (problem,) = check(str(site)).problems
        assert problem.kind == "tiling"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (TABLES, b'"table","level":2,"count":2', "units[1].count is 2, but there are slices of 1"),
        (b"[3,0,4]", b"[13,0,4]", "units[1].slices[0] [13, 0, 4] lies outside of the 12 chunks"),
        (b"[3,0,4]", b"[1,0,4]", "units[1].slices[0] [1, 0, 4] is not behind the slice before it"),
        (SECTIONS, b'"section","level":1,"count":2', "units count 2 of type 'section' and level 1, but 1"),
        (SECTIONS, b'"section","level":3,"count":1', "units count 0 of type 'section' and level 1, but 1"),
        (
            b',"slices":[[[2,0,4],[3,0,4]]]',
            b"",
            "units[1] has no slices, which do not follow from the items for",
        ),
        (b'"table","level":2', b'"Table 2","level":2', "units[1] has the type 'Table 2', which is no word"),
        (b'"table","level":2', b'"table","names":["a","b"],"level":2', "units[1] has 2 names of 1 units"),
        (b'"table","level":2', b'"section","level":2', "units[1] has slices of type 'section', which follow from"),
        (b'"table","level":2', b'"section","level":1', "units[1] is another group of type 'section' and level 1"),
    ],
)
def test_units_that_the_index_contradicts(small_tree: Path, old: bytes, new: bytes, words: str) -> None:
    replace_in(small_tree / "guide/index.json", old, new)
    report = check(str(small_tree))
    assert kinds(report) == ["build-id", "inconsistent"]
    assert any(problem.message.startswith(f"intro: {words}") for problem in report.problems)


@pytest.mark.parametrize(
    ("span", "words"),
    [(b"[0,0,999]", "bytes 0 to 999 of the "), (b"[0,5,6]", "bytes 5 to 6, which part a character")],
)
def test_units_that_a_chunk_does_not_have(
    tmp_path: Path, write_tree: Callable[..., Path], quick: Any, span: bytes, words: str
) -> None:
    root = write_tree(tmp_path / "docs", {"a.md": "# A\n\nжизнь\n\n| жук | b |\n| - | - |\n| 1 | 2 |\n"})
    build(load(str(root), environment={}))
    assert check(str(root)).ok
    listed = orjson.loads((root / "index.json").read_bytes())["_embedded"]["chunks"]["a"]["units"]
    (own,) = [slices for group in listed for slices in group.get("slices", ())]
    replace_in(root / "index.json", orjson.dumps(own[0]), span)
    report = check(str(root))
    assert kinds(report) == ["build-id", "unit"]
    (problem,) = [problem for problem in report.problems if problem.kind == "unit"]
    assert problem.url.endswith("_chunks/a-0.md") and problem.linked_from.endswith("index.json")
    assert problem.message.startswith(f"a unit has its {words}")

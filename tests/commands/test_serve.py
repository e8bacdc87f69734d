"""`infograph serve`: a real server on a real socket, asked by real clients, while files are replaced under it."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import http.client
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from infograph import web
from infograph.cli import main
from infograph.commands.check.crawl import check
from infograph.commands.serve import serve
from infograph.commands.serving.addresses import BadAddressError, folder_address, may_be_served, split_target
from infograph.commands.serving.representation import accepts_gzip, media_type, represent, unchanged
from infograph.commands.serving.server import Server
from infograph.config import load
from infograph.errors import ConfigError, InfographError
from infograph.formats.names import EXPLORER

PATIENCE = 20.0
"""Seconds until a test gives up; never a measure."""
ODD = ["a b.md", "100%.md", "c#&d+e;f=g.md", "ünï.md", "日本語.md", "?x.md", "'(!)'.md", "%41.md", "a:b.md", "[x].md"]
needs_posix = pytest.mark.skipif(os.name == "nt", reason="needs names and links that Windows does not have")


@contextlib.contextmanager
def serving(root: Path, **flags: Any) -> Iterator[Server]:
    """`serve` in a thread, on a free port."""
    stop, answered, servers, errors = threading.Event(), threading.Event(), [], []

    def ready(server: Server) -> None:
        servers.append(server)
        answered.set()

    def run() -> None:
        try:
            options = {name: flags.pop(name) for name in ("watch",) if name in flags}
            file = flags.pop("file", None)
            given = ({} if file else {"out": str(root), "docs": str(root)}) | {"serve.port": 0} | flags
            serve(lambda: load(file=file, flags=given, environment={}), stop=stop, ready=ready, quiet=True, **options)
        except Exception as error:  # noqa: BLE001 - raised in the test's own thread
            errors.append(error)
            answered.set()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        assert answered.wait(PATIENCE)
        if errors:
            raise errors[0]
        yield servers[0]
    finally:
        stop.set()
        thread.join(PATIENCE)
        assert not thread.is_alive()
    if errors:
        raise errors[0]


@pytest.fixture
def client() -> Iterator[httpx.Client]:
    with httpx.Client(timeout=PATIENCE) as client:
        yield client


@pytest.fixture
def site(tmp_path: Path, write_tree: Callable[..., Path]) -> Path:
    return write_tree(
        tmp_path / "site",
        {
            "index.json": '{"id": ""}' + " " * 2000,
            "index-2.json": "{}",
            "llms.txt": "# Everything\n",
            "infograph.js": "export const x = 1;\n" * 50,
            "page.html": "<!doctype html><title>x</title>",
            "guide/index.html": "<p>guide",
            "guide/_chunks/a-0.md": "---\ntitle: Ä\n---\ntext\n" * 40,
            "_search/p-0.z": b"\x78\x9c" + bytes(300),
            "_schema/index.schema.json": "{}",
            ".git/config": "secret",
            ".infograph/lock": "1",
            ".well-known/security.txt": "x",
            "empty.txt": "",
        },
    )


@pytest.fixture
def server(site: Path) -> Iterator[Server]:
    with serving(site) as server:
        yield server


def raw(server: Server, target: str, method: str = "GET", **headers: str) -> http.client.HTTPResponse:
    """A request whose target no client has tidied up."""
    connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=PATIENCE)
    connection._validate_path = lambda url: None  # type: ignore[attr-defined]
    with contextlib.closing(connection):
        connection.request(method, target, headers=headers)
        response = connection.getresponse()
        response.text = response.read().decode()  # type: ignore[attr-defined]
        return response


# ---- which file a request means -------------------------------------------------------------------------------


@settings(deadline=None)
@given(st.lists(st.text(st.characters(exclude_characters="/\0", codec="utf-8"), min_size=1), min_size=1))
def test_every_name_has_one_address(names: list[str]) -> None:
    path = "/" + "/".join(quote(name, safe="") for name in names)
    if {".", ".."} & set(names):
        with pytest.raises(BadAddressError):
            split_target(path)
        return
    assert split_target(path) == (names, "")
    assert split_target(f"http://host:1{path}?a=b#c") == (names, "a=b")
    assert split_target(folder_address(names, "q=1")) == ([*names, ""], "q=1")


@settings(deadline=None)
@given(st.text(max_size=30))
def test_no_target_leaves_the_root(target: str) -> None:
    try:
        segments, _ = split_target(target)
    except BadAddressError:
        return
    assert segments
    for segment in segments:
        assert segment not in (".", "..") and "/" not in segment and "\0" not in segment


@pytest.mark.parametrize(
    "target",
    [
        "/../secret",
        "/a/../../secret",
        "/%2e%2e/secret",
        "/.%2E/secret",
        "/%2e/x",
        "/a%2fb",
        "/..%2fsecret",
        "/%00",
        "/index.json%00.md",
        "/%zz",
        "/%",
        "/a b",
        "/\\..\\secret",
        "/..\\secret",
        "//../secret",
        "secret",
        "*",
        "/ü",
    ],
)
def test_what_is_no_address_is_refused(target: str) -> None:
    with pytest.raises(BadAddressError):
        split_target(target)


def test_names_that_are_not_served() -> None:
    for names in (
        [".git", "config"],
        ["a", ".env"],
        ["", "etc", "passwd"],
        ["a", "", "b"],
        [".nojekyll"],
        [".well-known", ".git"],
    ):
        assert not may_be_served(names), names
    for names in ([""], ["a", ""], ["a.b"], ["_chunks", "x"], [".well-known", "x"]):
        assert may_be_served(names), names


def test_nothing_outside_of_the_root_is_read(site: Path, server: Server) -> None:
    (site.parent / "secret").write_text("SECRET")
    for target in (
        "/../secret",
        "/%2e%2e/secret",
        "/..%2fsecret",
        "/%2e%2e%2fsecret",
        "/..%5csecret",
        "/..\\secret",
        "/guide/../../secret",
        "//secret",
        f"/{site.parent}/secret",
        f"//{site.parent}/secret",
        "/secret%00.md",
        "/.git/config",
        "/.infograph/lock",
        "/%2egit/config",
    ):
        response = raw(server, target)
        assert response.status in (400, 404), target
        assert "SECRET" not in response.text and "secret" not in response.text  # type: ignore[attr-defined]


@needs_posix
def test_links_out_of_the_root_are_refused_and_links_within_followed(site: Path, client: httpx.Client) -> None:
    (site.parent / "secret").write_text("SECRET")
    (site.parent / "site-two").mkdir()
    (site.parent / "site-two" / "x.md").write_text("SECRET")
    (site / "out.md").symlink_to(site.parent / "secret")
    (site / "relative.md").symlink_to("../secret")
    (site / "folder").symlink_to(site.parent / "site-two")
    (site / "loop.md").symlink_to("loop.md")
    (site / "gone.md").symlink_to("nowhere.md")
    (site / "within.txt").symlink_to("llms.txt")
    os.mkfifo(site / "pipe.md")
    (site.parent / "link").symlink_to(site)
    with serving(site.parent / "link") as server:
        for name in ("out.md", "relative.md", "folder/x.md", "loop.md", "gone.md", "pipe.md", "x" * 300):
            assert client.get(server.url + name).status_code == 404, name
        assert client.get(server.url + "within.txt").text == "# Everything\n"


def test_a_file_that_cannot_be_read(server: Server, client: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    for error, status in ((PermissionError(13, "Permission denied"), 403), (OSError(5, "Input/output error"), 500)):

        def fail(root: Path, names: list[str], error: OSError = error) -> bytes:
            raise error

        monkeypatch.setattr("infograph.commands.serving.server.read_below", fail)
        response = client.get(f"{server.url}llms.txt")
        assert response.status_code == status and str(error.strerror) in response.text


@needs_posix
def test_odd_names(site: Path, server: Server, client: httpx.Client) -> None:
    names = [os.fsencode(name) for name in [*ODD, "back\\slash.md", "new\nline.md", '"<&>".md']] + [b"\xff.md"]
    for number, name in enumerate(names):
        (site / os.fsdecode(name)).write_text(f"text {number}\n")
    for number, name in enumerate(names):
        for address in (quote(name, safe=""), quote(name, safe="!$&'()*+,;=:@")):
            response = client.get(server.url + address)
            assert (response.status_code, response.text) == (200, f"text {number}\n"), name


def test_folders(server: Server, client: httpx.Client) -> None:
    assert client.get(f"{server.url}guide/").text == "<p>guide"
    response = client.get(f"{server.url}guide?q=1")
    assert (response.status_code, response.headers["Location"]) == (307, "/guide/?q=1")
    for address in ("", "guide/_chunks/", "index.json/", "guide/index.html/x", "nowhere", "nowhere/"):
        assert client.get(server.url + address).status_code == 404, address


# ---- what is said about a file --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("index.json", "application/hal+json"),
        ("index-12.json", "application/hal+json"),
        ("manifest.json", "application/json"),
        ("search_index.json", "application/json"),
        ("index.schema.json", "application/schema+json"),
        ("a.MD", "text/markdown; charset=utf-8"),
        ("a.markdown", "text/markdown; charset=utf-8"),
        ("infograph.js", "text/javascript; charset=utf-8"),
        ("x.mjs", "text/javascript; charset=utf-8"),
        ("infograph.d.ts", "text/plain; charset=utf-8"),
        ("p-0123.z", "application/octet-stream"),
        ("llms.txt", "text/plain; charset=utf-8"),
        ("a.html", "text/html; charset=utf-8"),
        ("a.css", "text/css; charset=utf-8"),
        ("a.svg", "image/svg+xml"),
        ("a.png", "image/png"),
        ("a.woff2", "font/woff2"),
        ("a.tar.gz", "application/octet-stream"),
        ("README", "application/octet-stream"),
        ("data:,x", "application/octet-stream"),
        ("js", "application/octet-stream"),
    ],
)
def test_media_types(name: str, expected: str) -> None:
    assert media_type(name) == expected


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("gzip", True),
        ("", False),
        ("identity", False),
        ("gzip, deflate, br", True),
        ("gzip;q=0", False),
        ("*", True),
        ("*;q=0", False),
        ("gzip;q=0, *", False),
        ("br;q=1.0, GZIP;q=0.5", True),
        ("gzip ; q=0.001", True),
        ("x-gzip", True),
        ("gzip;q=x", False),
        ("gzipped", False),
    ],
)
def test_accept_encoding(header: str, expected: bool) -> None:
    assert accepts_gzip(header) is expected


def test_if_none_match() -> None:
    for header in ('"a"', 'W/"a"', '"b", "a"', '"b" , W/"a"', "*", ' "x,y", "a" '):
        assert unchanged('"a"', header), header
    for header in (None, "", '"b"', "a", '"a-gzip"', '"a", but not'[1:]):
        assert not unchanged('"a"', header), header


@settings(deadline=None)
@given(st.binary(max_size=400), st.sampled_from(["a.md", "index.json", "a.z", "a.png"]), st.booleans())
def test_a_representation_is_of_these_bytes(data: bytes, name: str, gzipped: bool) -> None:
    found = represent(data, name, "gzip" if gzipped else "identity")
    assert (gzip.decompress(found.body) if found.encoding else found.body) == data
    assert found == represent(data, name, "gzip" if gzipped else "identity")
    assert len(found.body) <= len(data)
    if found.encoding:
        assert found.etag != represent(data, name, "").etag and found.varies


def test_headers(site: Path, server: Server, client: httpx.Client) -> None:
    response = client.get(f"{server.url}guide/_chunks/a-0.md")
    data = (site / "guide/_chunks/a-0.md").read_bytes()
    assert response.content == data
    assert response.headers["Content-Encoding"] == "gzip" and response.headers["Vary"] == "Accept-Encoding"
    assert response.headers["Content-Type"] == "text/markdown; charset=utf-8"
    assert response.headers["Cache-Control"] == "no-cache"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    plain = client.get(f"{server.url}guide/_chunks/a-0.md", headers={"Accept-Encoding": "identity"})
    assert plain.content == data and "Content-Encoding" not in plain.headers
    assert plain.headers["Content-Length"] == str(len(data)) and plain.headers["ETag"] != response.headers["ETag"]
    shard = client.get(f"{server.url}_search/p-0.z")
    assert "Content-Encoding" not in shard.headers and "Vary" not in shard.headers
    assert client.get(f"{server.url}empty.txt").headers["Content-Length"] == "0"


def test_revalidation(site: Path, server: Server, client: httpx.Client) -> None:
    url = f"{server.url}index.json"
    etag = client.get(url).headers["ETag"]
    response = client.get(url, headers={"If-None-Match": etag})
    assert (response.status_code, response.content, response.headers["ETag"]) == (304, b"", etag)
    assert "Content-Length" not in response.headers and "Content-Type" not in response.headers
    assert client.get(url, headers={"If-None-Match": etag, "Accept-Encoding": "identity"}).status_code == 200
    (site / "index.json").touch()
    assert client.get(url, headers={"If-None-Match": etag}).status_code == 304, "other times, the same bytes"
    size, stamp = (site / "index.json").stat().st_size, (site / "index.json").stat().st_mtime_ns
    (site / "index.json").write_bytes(b"x" * size)
    os.utime(site / "index.json", ns=(stamp, stamp))
    assert client.get(url, headers={"If-None-Match": etag}).status_code == 200, "the same times, other bytes"


def test_head_says_what_get_says(server: Server, client: httpx.Client) -> None:
    for address in ("index.json", "_search/p-0.z", "page.html", "nowhere", "guide", "%2e%2e"):
        for encoding in ("gzip", "identity"):
            headers = {"Accept-Encoding": encoding}
            get, head = (client.request(m, server.url + address, headers=headers) for m in ("GET", "HEAD"))
            assert head.status_code == get.status_code and head.content == b""
            same = [{k: v for k, v in r.headers.items() if k != "date"} for r in (get, head)]
            assert same[0] == same[1], address


def test_other_origins_may_read(server: Server, client: httpx.Client) -> None:
    etag = client.get(f"{server.url}index.json").headers["ETag"]
    for response in (
        client.get(f"{server.url}index.json"),
        client.get(f"{server.url}index.json", headers={"If-None-Match": etag}),
        client.get(f"{server.url}nowhere"),
        client.get(f"{server.url}guide"),
        client.post(server.url, content=b"x"),
        client.options(f"{server.url}index.json"),
    ):
        assert response.headers["Access-Control-Allow-Origin"] == "*"
        assert response.headers["Access-Control-Expose-Headers"] == "ETag"
    asked = {
        "Origin": "https://x.org",
        "Access-Control-Request-Method": "GET",
        "Access-Control-Request-Headers": "if-none-match",
    }
    response = client.options(f"{server.url}index.json", headers=asked)
    assert response.status_code == 204 and response.content == b""
    assert "GET" in response.headers["Access-Control-Allow-Methods"]
    assert response.headers["Access-Control-Allow-Headers"] == "*"


def test_other_methods(server: Server, client: httpx.Client) -> None:
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        response = client.request(method, f"{server.url}index.json", content=b"GET /page.html HTTP/1.1\r\n\r\n")
        assert (response.status_code, response.headers["Allow"]) == (405, "GET, HEAD, OPTIONS")
        assert response.headers["Connection"] == "close", "the body that was not read is no second request"
    assert client.request("BREW", server.url).status_code == 501


def test_a_connection_serves_many_requests(server: Server) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=PATIENCE)
    with contextlib.closing(connection):
        sockets = set()
        for path, status in (("/index.json", 200), ("/nowhere", 404), ("/guide", 307), ("/%2e%2e", 400)) * 2:
            connection.request("GET", path)
            response = connection.getresponse()
            response.read()
            assert response.status == status
            sockets.add(connection.sock)
        assert len(sockets) == 1 and None not in sockets


def test_clients_that_go_away_or_talk_nonsense_harm_nobody(
    server: Server, client: httpx.Client, capfd: pytest.CaptureFixture[str]
) -> None:
    address = server.server_address[:2]
    for message in (
        b"",
        b"\0\xff\r\n\r\n",
        b"GET /index.json HTTP/1.1\r\n",
        b"GET /x HTTP/9.9\r\n\r\n",
        b"GET " + b"/x" * 40_000 + b" HTTP/1.1\r\n\r\n",
        b"GET /index.json HTTP/1.1\r\n\r\n",
    ):
        with socket.create_connection(address, PATIENCE) as connection:
            connection.sendall(message)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    assert client.get(f"{server.url}index.json").status_code == 200
    assert capfd.readouterr().err == ""


def test_a_published_tree_passes_the_check(small_tree: Path) -> None:
    with serving(small_tree) as server:
        report = check(server.url)
    assert report.ok and not report.warnings, str(report)


# ---- while files are replaced ---------------------------------------------------------------------------------


def test_no_reply_mixes_two_files(site: Path) -> None:
    """Readers ask for a file that is replaced all the time, by others of other lengths: each reply is one of them, its
    length and its ETag are of the bytes that came, and 304 only ever confirms bytes that the reader has."""
    path, stop, faults, seen = site / "busy.md", threading.Event(), [], set()

    def publish() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            temporary = path.with_suffix(f".{number}.tmp")
            temporary.write_bytes(f"{number % 97}\n".encode() * (1 + 4001 * (number % 7)))
            os.utime(temporary, ns=(0, 0))
            os.replace(temporary, path)

    def read(url: str, encoding: str) -> None:
        known: dict[str, bytes] = {}
        etag = ""
        with httpx.Client(timeout=PATIENCE, headers={"Accept-Encoding": encoding}) as client:
            for _ in range(60):
                response = client.get(url, headers={"If-None-Match": etag} if etag else {})
                if response.status_code == 304:
                    if response.headers["ETag"] not in known:
                        faults.append(f"304 for unknown {response.headers['ETag']}")
                    continue
                lines = response.content.split(b"\n")
                if response.status_code != 200 or lines.pop() != b"" or len(set(lines)) != 1:
                    faults.append(f"{response.status_code}, {len(response.content)} bytes, {set(lines)}")
                etag = response.headers["ETag"]
                if hashlib.sha256(response.content).hexdigest()[:32] != etag.strip('"').removesuffix("-gzip"):
                    faults.append(f"{etag} is of other bytes")
                if known.setdefault(etag, response.content) != response.content:
                    faults.append(f"{etag} twice for different bytes")
                seen.add(response.content)

    path.write_bytes(b"0\n")
    with serving(site) as server:
        publisher = threading.Thread(target=publish)
        readers = [
            threading.Thread(target=read, args=(f"{server.url}busy.md", encoding))
            for encoding in ("gzip", "identity", "gzip", "identity")
        ]
        for thread in (publisher, *readers):
            thread.start()
        for thread in readers:
            thread.join()
        stop.set()
        publisher.join()
    assert not faults, faults[:3]
    assert len(seen) > 10


# ---- watching and live reload ---------------------------------------------------------------------------------


def _version(page: str) -> str:
    return page.rpartition("version=")[2].partition('"')[0]


def test_without_watching_pages_are_as_they_are(site: Path, server: Server, client: httpx.Client) -> None:
    assert client.get(f"{server.url}page.html").content == (site / "page.html").read_bytes()
    for name in ("events", "reload.js"):
        assert client.get(f"{server.url}.infograph/{name}").status_code == 404


def test_pages_load_again_after_each_build(
    tmp_path: Path, library: dict[str, str], write_tree: Callable[..., Path], client: httpx.Client, quick: Any
) -> None:
    docs, out = write_tree(tmp_path / "docs", library), tmp_path / "site"
    flags = {"docs": str(docs), "cache": str(tmp_path / "cache"), "watch.debounce": 0.05}
    with serving(out, watch=True, **flags) as server:
        _until(lambda: (out / "index.json").exists())
        (out / "look.html").write_text("<!doctype html><body>look</body></html>")
        assert client.get(f"{server.url}.infograph/reload.js").headers["Content-Type"].startswith("text/javascript")
        assert client.get(f"{server.url}.infograph/nothing").status_code == 404
        with httpx.stream("GET", f"{server.url}.infograph/events", timeout=PATIENCE) as events:
            assert events.headers["Content-Type"] == "text/event-stream; charset=utf-8"
            assert events.headers["Cache-Control"] == "no-store"
            versions = (line.removeprefix("data: ") for line in events.iter_lines() if line.startswith("data: "))
            version = next(versions)
            if version.endswith("-0"):  # the stream began before the first build was over
                version = next(versions)
            page = client.get(f"{server.url}look.html").text
            assert page.startswith("<!doctype html><body>look</body></html>") and _version(page) == version
            (docs / "licence.md").write_text("# Licence\n\nAn edit that shows.\n")
            after = next(versions)
            assert after != version
            assert "An edit that shows." in client.get(f"{server.url}_chunks/licence-0.md").text
            assert _version(client.get(f"{server.url}look.html").text) == after
            assert check(server.url).ok


def test_the_server_follows_the_configuration(
    tmp_path: Path, library: dict[str, str], write_tree: Callable[..., Path], client: httpx.Client, quick: Any
) -> None:
    write_tree(tmp_path / "docs", library)
    file = tmp_path / "infograph.toml"
    file.write_text('docs = "docs"\nout = "one"\n[watch]\ndebounce = 0.05\n')
    with serving(tmp_path, watch=True, file=str(file)) as server:
        _until(lambda: (tmp_path / "one/index.json").exists())
        file.write_text('docs = "docs"\nout = "two"\n')
        _until(lambda: (tmp_path / "two/index.json").exists())
        assert server.root.name == "two"
        assert client.get(f"{server.url}index.json").content == (tmp_path / "two/index.json").read_bytes()


def test_readers_of_a_tree_that_is_built_again_and_again(
    tmp_path: Path, library: dict[str, str], write_tree: Callable[..., Path], quick: Any
) -> None:
    """Each chunk file that comes is whole: it has the checksum it says itself."""
    docs, out, faults = write_tree(tmp_path / "docs", library), tmp_path / "site", []
    flags = {"docs": str(docs), "cache": str(tmp_path / "cache"), "watch.debounce": 0.02}
    stop, passes = threading.Event(), []

    def read(server: Server) -> None:
        with httpx.Client(timeout=PATIENCE) as client:
            while not stop.is_set():
                response = client.get(f"{server.url}_chunks/licence-0.md")
                head, _, text = response.content.partition(b"\n---\n")
                if response.status_code != 200 or hashlib.sha256(text).hexdigest().encode() not in head:
                    faults.append(f"{response.status_code}: {response.text[:80]}")
                passes.append(text)
                time.sleep(0.005)  # leaves the processor to the build

    with serving(out, watch=True, **flags) as server:
        _until(lambda: (out / "index.json").exists())
        threads = [threading.Thread(target=read, args=(server,)) for _ in range(2)]
        for thread in threads:
            thread.start()
        for number in range(3):
            text = f"# Licence\n\n{'word ' * number}edit {number}.\n"
            (docs / "licence.md").write_text(text)
            _until(lambda text=text: (out / "_chunks/licence-0.md").read_text().endswith(text))
        stop.set()
        for thread in threads:
            thread.join()
    assert not faults, faults[:3]
    assert len(set(passes)) > 2


def test_an_idle_stream_ends_with_the_server(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from infograph.commands.serving import live

    monkeypatch.setattr(live, "HEARTBEAT", 0.05)
    versions = live.Versions()
    stream = versions.stream()
    assert next(stream).startswith(b"retry: 1000\ndata: ")
    assert next(stream) == b":\n\n"
    versions.next()
    assert next(stream).endswith(b"-1\n\n")
    versions.close()
    assert list(stream) == []
    assert versions.current.endswith("-1")
    assert live.Versions().current.partition("-")[0] != versions.current.partition("-")[0], "a restart is a new version"


def _until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


NODE, CHROMIUM = shutil.which("node"), shutil.which("chromium") or shutil.which("google-chrome")
BROWSER_TESTS = Path(__file__).parents[1] / "explorer"
LOADED_AGAIN = """
import { chromium } from "playwright-core";
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
const page = await browser.newPage();
page.setDefaultTimeout(30_000);
await page.addInitScript(() => {
  addEventListener("securitypolicyviolation", (event) => console.error(event.violatedDirective));
});
page.on("console", (message) => message.type() === "error" && console.log(message.text()));
page.on("pageerror", (error) => console.log(error.stack));
await Promise.all([page.goto(process.env.URL), page.waitForResponse(/events$/)]);
console.log("loaded");
await page.waitForEvent("load");
console.log("loaded again");
await browser.close();
"""


@pytest.mark.slow
@pytest.mark.skipif(
    not (NODE and CHROMIUM and (BROWSER_TESTS / "node_modules").is_dir()),
    reason="needs Node.js, Chromium and `npm ci --prefix tests/explorer`",
)
def test_the_explorer_loads_again_in_a_browser(
    tmp_path: Path, library: dict[str, str], write_tree: Callable[..., Path]
) -> None:
    """The content security policy of the explorer lets the script in, and a build makes the page load again."""
    docs, out = write_tree(tmp_path / "docs", library), tmp_path / "site"
    with serving(out, watch=True, docs=str(docs), model="static") as server:
        _until(lambda: (out / "index.json").exists())
        write_tree(out, web.files())
        process = subprocess.Popen(
            [str(NODE), "--input-type=module", "-e", LOADED_AGAIN],
            cwd=BROWSER_TESTS,
            env=os.environ | {"CHROMIUM": str(CHROMIUM), "URL": f"{server.url}{EXPLORER}"},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        with process.stdout:
            assert process.stdout.readline() == "loaded\n"
            (docs / "licence.md").write_text("# Licence\n\nAn edit.\n")
            assert process.stdout.read() == "loaded again\n"
        assert process.wait(PATIENCE) == 0


# ---- the command ----------------------------------------------------------------------------------------------


def test_a_port_that_is_taken_is_a_clear_error(site: Path, server: Server) -> None:
    port = server.server_address[1]
    message = f"127.0.0.1:{port}: another program uses this port. .*--port N"
    with pytest.raises(ConfigError, match=message), serving(site, **{"serve.port": port}):
        pass


def test_addresses_that_cannot_be_had(site: Path) -> None:
    for host in ("no.such.host.invalid", "192.0.2.1"):
        with pytest.raises(ConfigError, match="no address of this machine"), serving(site, **{"serve.host": host}):
            pass
    with pytest.raises(ConfigError, match=r"`serve\.port` must lie between"), serving(site, **{"serve.port": 65536}):
        pass


def test_every_interface_and_ipv6(site: Path, client: httpx.Client) -> None:
    with serving(site, **{"serve.host": "0.0.0.0"}) as server:
        assert server.url.startswith("http://127.0.0.1:")
        assert client.get(f"{server.url}llms.txt").status_code == 200
    with contextlib.suppress(ConfigError), serving(site, **{"serve.host": "::1"}) as server:  # where there is IPv6
        assert server.url.startswith("http://[::1]:")
        assert client.get(f"{server.url}llms.txt").status_code == 200


def test_there_must_be_a_folder(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(site)
    result = CliRunner().invoke(main, ["serve", "nowhere", "--port", "0"])
    assert result.exit_code == 1
    assert "nowhere: is no folder to serve. Build it first, or build and serve: --watch." in result.output
    assert CliRunner().invoke(main, ["serve", "a", "--out", "b"]).exit_code == 2


def test_a_first_build_that_fails_ends_the_server(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# A\n")
    flags = {"docs": str(tmp_path / "docs"), "out": str(tmp_path / "site"), "model": "no-such-model", "serve.port": 0}
    before = threading.active_count()
    with pytest.raises(InfographError, match="no-such-model"):
        serve(lambda: load(flags=flags, environment={}), watch=True, quiet=True)
    assert threading.active_count() == before


@needs_posix
@pytest.mark.parametrize("watch", [False, True])
def test_ctrl_c_ends_it_without_a_traceback(
    tmp_path: Path, watch: bool, write_tree: Callable[..., Path], publish: Any
) -> None:
    docs = write_tree(tmp_path / "docs", {"page.md": "# Page\n\nText.\n"})
    arguments = [str(docs), "--watch", "--model", "static"] if watch else [str(docs)]
    process = subprocess.Popen(
        [sys.executable, "-m", "infograph", "serve", *arguments, "--port", "0"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # a background job ignores it
    )
    assert process.stderr is not None
    with process.stderr:
        lines = []
        for line in process.stderr:
            lines.append(line)
            if line.startswith("serving "):
                break
        assert [line.startswith("watching ") for line in lines].count(True) == watch
        url = lines[-1].split()[-1].removesuffix("explorer.html").removesuffix("index.json")
        with httpx.stream("GET", f"{url}.infograph/events", timeout=PATIENCE) as events:
            assert events.status_code == (200 if watch else 404)
            process.send_signal(signal.SIGINT)
            assert process.wait(PATIENCE) == 130
        rest = process.stderr.read()
    assert "Traceback" not in rest and "nothing half-done" in rest


def test_the_server_says_what_failed(site: Path, client: httpx.Client, capsys: pytest.CaptureFixture[str]) -> None:
    server = Server(site, "127.0.0.1", 0)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        client.get(f"{server.url}index.json")
        client.get(f"{server.url}no%1b[2Jwhere")
    finally:
        server.close()
        thread.join()
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith(" 404 GET /no%1b[2Jwhere")

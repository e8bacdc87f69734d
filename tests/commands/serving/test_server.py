"""A real server on a real socket, asked by real clients, while files are replaced under it."""

from __future__ import annotations

import contextlib
import hashlib
import http.client
import os
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import httpx2
import pytest

from infograph.commands.serving.server import Access, Server

SHARD = "_search/p-" + hashlib.sha256(b"\x78\x9c" + bytes(300)).hexdigest()[:16] + ".z"
ServeTree = Callable[..., contextlib.AbstractContextManager[Server]]
PATIENCE = 120.0
"""Seconds until a test gives up; never a measure."""
ODD = ["a b.md", "100%.md", "c#&d+e;f=g.md", "ünï.md", "日本語.md", "?x.md", "'(!)'.md", "%41.md", "a:b.md", "[x].md"]
needs_posix = pytest.mark.skipif(os.name == "nt", reason="needs names and links that Windows does not have")


def raw(server: Server, target: str, method: str = "GET", **headers: str) -> http.client.HTTPResponse:
    """A request whose target no client has tidied up."""
    connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=PATIENCE)
    connection._validate_path = lambda url: None  # type: ignore[attr-defined]
    with contextlib.closing(connection):
        connection.request(method, target, headers=headers)
        response = connection.getresponse()
        response.text = response.read().decode()  # type: ignore[attr-defined]
        return response


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
def test_links_out_of_the_root_are_refused_and_links_within_followed(
    serving: ServeTree, site: Path, client: httpx2.Client
) -> None:
    (site.parent / "secret").write_text("SECRET")
    (site.parent / "site-two").mkdir()
    (site.parent / "site-two" / "x.md").write_text("SECRET")
    (site / "out.md").symlink_to(site.parent / "secret")
    (site / "relative.md").symlink_to("../secret")
    (site / "folder").symlink_to(site.parent / "site-two")
    (site / "loop.md").symlink_to("loop.md")
    (site / "gone.md").symlink_to("nowhere.md")
    (site / "index-3.json").symlink_to("index-2.json")
    os.mkfifo(site / "pipe.md")
    (site.parent / "link").symlink_to(site)
    with serving(site.parent / "link") as server:
        for name in ("out.md", "relative.md", "folder/x.md", "loop.md", "gone.md", "pipe.md", "x" * 300):
            assert client.get(server.url + name).status_code == 404, name
        assert client.get(server.url + "index-3.json").text == (site / "index-2.json").read_text()


def test_a_link_shows_nothing_that_is_not_served_by_its_own_name(
    serving: ServeTree, site: Path, client: httpx2.Client
) -> None:
    (site / "id_rsa").write_text("SECRET")
    (site / ".env").write_text("SECRET")
    (site / "photo.png").write_bytes(b"a picture")
    for name, target in (("key.png", "id_rsa"), ("env.png", ".env"), ("same.png", "photo.png"), ("all", ".")):
        (site / name).symlink_to(target)
    with serving(site) as server:
        for name in ("key.png", "env.png", "all/key.png", "all/.env"):
            assert client.get(server.url + name).status_code == 404, name
        assert client.get(server.url + "same.png").content == client.get(server.url + "all/photo.png").content


def test_a_file_that_cannot_be_read(server: Server, client: httpx2.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    for error, status in ((PermissionError(13, "Permission denied"), 403), (OSError(5, "Input/output error"), 500)):

        def fail(root: Path, names: list[str], error: OSError = error) -> bytes:
            raise error

        monkeypatch.setattr("infograph.commands.serving.server.read_below", fail)
        response = client.get(f"{server.url}llms.txt")
        assert response.status_code == status and str(error.strerror) in response.text


@needs_posix
def test_odd_names(site: Path, server: Server, client: httpx2.Client, index_of: Callable[..., str]) -> None:
    names = [os.fsencode(name) for name in [*ODD, "back\\slash.md", "new\nline.md", '"<&>".md']]
    (site / "index.json").write_text(index_of(*map(os.fsdecode, names)))
    for number, name in enumerate(names):
        (site / os.fsdecode(name)).write_text(f"text {number}\n")
    for number, name in enumerate(names):
        for address in (quote(name, safe=""), quote(name, safe="!$&'()*+,;=:@")):
            response = client.get(server.url + address)
            assert (response.status_code, response.text) == (200, f"text {number}\n"), name


def test_folders(server: Server, client: httpx2.Client) -> None:
    assert client.get(f"{server.url}guide/").text == "<p>guide"
    response = client.get(f"{server.url}guide?q=1")
    assert (response.status_code, response.headers["Location"]) == (307, "/guide/?q=1")
    for address in ("", "guide/_chunks/", "index.json/", "guide/index.html/x", "nowhere", "nowhere/"):
        assert client.get(server.url + address).status_code == 404, address


def test_headers(site: Path, server: Server, client: httpx2.Client) -> None:
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
    shard = client.get(f"{server.url}{SHARD}")
    assert "Content-Encoding" not in shard.headers and "Vary" not in shard.headers
    assert client.get(f"{server.url}_chunks/empty-0.md").headers["Content-Length"] == "0"


def test_revalidation(site: Path, server: Server, client: httpx2.Client) -> None:
    url = f"{server.url}index.json"
    etag = client.get(url).headers["ETag"]
    response = client.get(url, headers={"If-None-Match": etag})
    assert (response.status_code, response.content, response.headers["ETag"]) == (304, b"", etag)
    assert "Content-Length" not in response.headers and "Content-Type" not in response.headers
    assert client.get(url, headers={"If-None-Match": etag, "Accept-Encoding": "identity"}).status_code == 200
    (site / "index.json").touch()
    assert client.get(url, headers={"If-None-Match": etag}).status_code == 304, "other times, the same bytes"
    size, stamp = (site / "index.json").stat().st_size, (site / "index.json").stat().st_mtime_ns
    (site / "index.json").write_bytes((site / "index.json").read_bytes().replace(b"page.md", b"PAGE.md"))
    assert (site / "index.json").stat().st_size == size
    os.utime(site / "index.json", ns=(stamp, stamp))
    assert client.get(url, headers={"If-None-Match": etag}).status_code == 200, "the same times, other bytes"


def test_head_says_what_get_says(server: Server, client: httpx2.Client) -> None:
    for address in ("index.json", SHARD, "guide/index.html", "nowhere", "guide", "%2e%2e"):
        for encoding in ("gzip", "identity"):
            headers = {"Accept-Encoding": encoding}
            get, head = (client.request(m, server.url + address, headers=headers) for m in ("GET", "HEAD"))
            assert head.status_code == get.status_code and head.content == b""
            same = [{k: v for k, v in r.headers.items() if k != "date"} for r in (get, head)]
            assert same[0] == same[1], address


@contextlib.contextmanager
def running(site: Path, access: Access | None = None, host: str = "127.0.0.1") -> Iterator[Server]:
    server = Server(site, host, 0, access=access, quiet=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.close()
        thread.join()


def replies(server: Server, client: httpx2.Client) -> list[httpx2.Response]:
    """One of each kind."""
    etag = client.get(f"{server.url}index.json").headers["ETag"]
    return [
        client.get(f"{server.url}index.json"),
        client.get(f"{server.url}index.json", headers={"If-None-Match": etag}),
        client.get(f"{server.url}nowhere"),
        client.get(f"{server.url}guide"),
        client.post(server.url, content=b"x"),
        client.options(f"{server.url}index.json"),
        client.get(f"{server.url}index.json", headers={"Host": "evil.example"}),
    ]


ASKED = {
    "Origin": "https://x.org",
    "Access-Control-Request-Method": "GET",
    "Access-Control-Request-Headers": "if-none-match",
}


def test_other_origins_may_not_read(server: Server, client: httpx2.Client) -> None:
    for response in (*replies(server, client), client.options(f"{server.url}index.json", headers=ASKED)):
        assert not [name for name in response.headers if name.lower().startswith("access-control-")]
        assert response.headers["Cross-Origin-Resource-Policy"] == "same-origin"


def test_other_origins_may_read_where_that_is_asked_for(site: Path, client: httpx2.Client) -> None:
    with running(site, Access(cors=True)) as server:
        for response in replies(server, client):
            assert response.headers["Access-Control-Allow-Origin"] == "*"
            assert response.headers["Access-Control-Expose-Headers"] == "ETag, Content-Range"
        response = client.options(f"{server.url}index.json", headers=ASKED)
        assert response.status_code == 204 and response.content == b""
        assert "GET" in response.headers["Access-Control-Allow-Methods"]
        assert response.headers["Access-Control-Allow-Headers"] == "*"


def host_asked(server: Server, host: str, target: str = "/index.json") -> int:
    return raw(server, target, Host=host).status


def test_a_name_that_was_given_this_address_is_refused(server: Server) -> None:
    port = server.server_address[1]
    for host in ("localhost", "LOCALHOST.", f"localhost:{port}", "127.0.0.1", f"127.0.0.1:{port}", "[::1]:80"):
        assert host_asked(server, host) == 200, host
    for host in ("evil.example", f"evil.example:{port}", "localhost.evil.example", "127.0.0.1.evil.example", "0x7f.1"):
        response = raw(server, "/index.json", Host=host)
        assert response.status == 421, host
        assert "--allow-host NAME" in response.text and "build_id" not in response.text  # type: ignore[attr-defined]
    for host in ("", "a b", "a@localhost", "localhost/", "[::1", "localhost:port", "a,b"):
        assert host_asked(server, host) in (400, 421), host


def test_the_host_of_an_absolute_target_counts(server: Server) -> None:
    assert host_asked(server, "localhost", "http://evil.example/index.json") == 421
    assert host_asked(server, "localhost", "http://localhost/index.json") == 200
    assert host_asked(server, "localhost", "http://localhost@evil.example/index.json") == 400


def test_every_method_asks_for_the_host(server: Server) -> None:
    for method in ("GET", "HEAD", "OPTIONS", "POST"):
        assert raw(server, "/index.json", method, Host="evil.example").status == 421


def test_hosts_that_are_allowed(site: Path) -> None:
    with running(site, Access(frozenset({"docs.example", "192.0.2.7"}))) as server:
        for host in ("docs.example", "DOCS.example.:81", "192.0.2.7:80", "localhost"):
            assert host_asked(server, host) == 200, host
        assert host_asked(server, "other.example") == 421


def test_what_the_server_is_bound_to_is_a_host(site: Path) -> None:
    with running(site, host="0.0.0.0") as server:
        connection = http.client.HTTPConnection("127.0.0.2", server.server_address[1], timeout=PATIENCE)
        with contextlib.closing(connection):  # the address that the connection came to
            connection.request("GET", "/index.json")
            assert connection.getresponse().status == 200


def test_other_methods(server: Server, client: httpx2.Client) -> None:
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
    server: Server, client: httpx2.Client, capfd: pytest.CaptureFixture[str]
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


MALFORMED = {
    b"\r\n": 400,
    b"\r\n\r\n": 400,
    b"nonsense\r\n\r\n": 400,
    b"GET /index.json\r\n": 400,
    b"GET /index.json HTTP/1.1 more\r\n\r\n": 400,
    b"GET /index.json SMTP/1.1\r\n\r\n": 400,
    b"GET /index.json HTTP/x.y\r\n\r\n": 400,
    b"GET /index.json HTTP/1.1.1\r\n\r\n": 400,
    b"\0\xff\x16\x03 \x01 \x02\r\n\r\n": 400,
    b"GET /x HTTP/9.9\r\n\r\n": 505,
    b"GET /" + b"x" * 70_000 + b" HTTP/1.1\r\n\r\n": 414,
    b"GET / HTTP/1.1\r\nX: " + b"x" * 70_000 + b"\r\n\r\n": 431,
    b"GET / HTTP/1.1\r\n" + b"X: x\r\n" * 200 + b"\r\n": 431,
    b"GET /index.json HTTP/1.1\r\n\r\n": 400,
    b"GET /index.json HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n": 400,
    b"GET /index.json HTTP/1.1\r\nHost: localhost\r\nno colon here\r\n\r\n": 400,
    b"GET /index.json HTTP/1.1\r\n Host: localhost\r\n\r\n": 400,
    b"POST /index.json HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n": 400,
    b"GET /index.json HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1e3\r\n\r\n": 400,
    b"GET /index.json HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab": 400,
    b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n": 400,
    b"GET no-slash HTTP/1.1\r\nHost: localhost\r\n\r\n": 400,
    b"BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n": 501,
}


@pytest.mark.parametrize(("message", "status"), MALFORMED.items(), ids=[repr(m[:60]) for m in MALFORMED])
def test_a_malformed_request_gets_a_reply(
    server: Server, message: bytes, status: int, capfd: pytest.CaptureFixture[str]
) -> None:
    with socket.create_connection(server.server_address[:2], PATIENCE) as connection:
        connection.sendall(message)
        connection.settimeout(PATIENCE)
        reply = b""
        while b"\r\n\r\n" not in reply and (part := connection.recv(65536)):
            reply += part
    head = reply.decode().split("\r\n")
    assert head[0].startswith(f"HTTP/1.1 {status} "), reply
    assert "Content-Type: text/plain; charset=utf-8" in head
    assert capfd.readouterr().err == ""


def test_an_upload_is_a_method_that_is_not_allowed(server: Server) -> None:
    """Whatever its body says of itself: it is not read."""
    kind = "multipart/form-data; boundary=x"
    assert raw(server, "/index.json", "POST", **{"Content-Type": kind, "Content-Length": "0"}).status == 405


def test_a_request_after_a_malformed_one_is_not_answered(server: Server) -> None:
    """Where a request ends is not known: what follows may be part of it."""
    with socket.create_connection(server.server_address[:2], PATIENCE) as connection:
        connection.sendall(
            b"GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\nGET /index.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
        )
        reply = b""
        with contextlib.suppress(ConnectionError):
            while part := connection.recv(65536):
                reply += part
    assert reply.count(b"HTTP/1.1 ") == 1 and b"build_id" not in reply


@pytest.mark.slow
def test_no_reply_mixes_two_files(serving: ServeTree, site: Path) -> None:
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
        with httpx2.Client(timeout=PATIENCE, headers={"Accept-Encoding": encoding}) as client:
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


def test_without_watching_pages_are_as_they_are(site: Path, server: Server, client: httpx2.Client) -> None:
    assert client.get(f"{server.url}guide/").content == (site / "guide/index.html").read_bytes()
    for name in ("events", "reload.js"):
        assert client.get(f"{server.url}.infograph/{name}").status_code == 404


@pytest.mark.parametrize("quiet", [False, True])
def test_requests_that_fail_are_printed(site: Path, quiet: bool, capsys: pytest.CaptureFixture[str]) -> None:
    server = Server(site, "127.0.0.1", 0, quiet=quiet)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        for target in ("/index.json", "/guide", "/no%1b[2Jwhere", "/no\x1b[2Jaddress"):
            raw(server, target)
    finally:
        server.close()
        thread.join()
    said = [line.partition(" ")[2] for line in capsys.readouterr().err.splitlines()]
    assert said == ([] if quiet else ["404 GET /no%1b[2Jwhere", "400 GET /no\\x1b[2Jaddress"])


def test_a_part_of_a_file_is_sent_where_one_is_asked_for(site: Path, server: Server) -> None:
    whole = raw(server, "/guide/_chunks/a-0.md")
    data = whole.text.encode()  # type: ignore[attr-defined]
    assert (whole.status, whole.headers["Accept-Ranges"]) == (200, "bytes")
    for asked, first, last in (
        ("bytes=0-9", 0, 9),
        ("bytes=30-", 30, len(data) - 1),
        ("bytes=-5", len(data) - 5, None),
    ):
        part = raw(server, "/guide/_chunks/a-0.md", Range=asked)
        assert part.status == 206
        end = len(data) - 1 if last is None else last
        assert part.headers["Content-Range"] == f"bytes {first}-{end}/{len(data)}"
        assert part.text.encode() == data[first : end + 1]  # type: ignore[attr-defined]
        assert part.headers["ETag"] == whole.headers["ETag"]
    beyond = raw(server, "/guide/_chunks/a-0.md", Range=f"bytes={len(data)}-")
    assert (beyond.status, beyond.headers["Content-Range"]) == (416, f"bytes */{len(data)}")


def test_a_part_of_another_version_is_not_sent(site: Path, server: Server) -> None:
    etag = raw(server, "/page.md").headers["ETag"]
    for if_range, status in ((etag, 206), ('"another"', 200), ("Wed, 21 Oct 2015 07:28:00 GMT", 200)):
        response = raw(server, "/page.md", **{"Range": "bytes=0-2", "If-Range": if_range})
        assert response.status == status
    head = raw(server, "/page.md", "HEAD", Range="bytes=0-2")
    assert (head.status, head.headers["Content-Length"]) == (200, "9")
    assert raw(server, "/page.md", **{"Range": "bytes=0-2", "If-None-Match": etag}).status == 304

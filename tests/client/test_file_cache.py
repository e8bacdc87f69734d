"""Files that are kept from one process to the next."""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from collections.abc import Callable
from pathlib import Path

import httpx2
import pytest

from infograph.client import Answer, Client, Progress, answers
from infograph.client.file_cache import FileCache

URL = "https://example.org/docs/"


class Server(httpx2.AsyncBaseTransport):
    """Serves a tree with ETags, and remembers what it has sent."""

    def __init__(self, root: Path, etags: bool = True) -> None:
        self.root = root
        self.etags = etags
        self.sent: list[tuple[str, int]] = []

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        href = request.url.path.removeprefix("/docs/")
        path = self.root / href
        if not path.is_file():
            return self._answer(href, 404)
        data = path.read_bytes()
        etag = f'"{hash(data)}"'
        if self.etags and request.headers.get("If-None-Match") == etag:
            return self._answer(href, 304)
        return self._answer(href, 200, data, {"ETag": etag} if self.etags else {})

    def _answer(
        self, href: str, status: int, data: bytes = b"", headers: dict[str, str] | None = None
    ) -> httpx2.Response:
        self.sent.append((href, status))
        return httpx2.Response(status, stream=httpx2.ByteStream(data), headers=headers)


def ask(server: Server, cache: Path) -> tuple[list[tuple[str, int]], list[object]]:
    """What a new client asks the server for, and its answers."""
    server.sent.clear()
    with Client(URL, timeout=60, cache=cache, transport=server) as client:
        found: list[object] = [client.search("clear the cache"), client.topics(), client.retrieve("clear the cache")]
        found.append(client.read(next(item.href for item in client.topic("guide").documents["install"].items[1:])))
    return list(server.sent), found


def test_what_is_known_by_its_digest_is_not_asked_for_again(site: Path, tmp_path: Path) -> None:
    server = Server(site)
    first, found = ask(server, tmp_path)
    again, same = ask(server, tmp_path)
    assert {status for _, status in first} == {200}
    assert {status for _, status in again} == {304}
    assert {href for href, _ in again} == {
        href
        for href, _ in first
        if not href.endswith(".z") and ("/_chunks/" not in href or re.search(r"/install\.[0-9a-f]+-1\.md$", href))
    }
    assert same == found


def test_an_answer_says_what_it_has_cost(site: Path, tmp_path: Path) -> None:
    """Requests and bytes are those that the server has seen, and what did not have to come is counted."""
    server = Server(site)

    def asked(client: Client) -> tuple[Answer, int]:
        server.sent.clear()
        answer = client.search("clear the cache", texts=True)
        assert answer.stats.requests == len(server.sent)
        assert answer.stats.bytes == sum((site / href).stat().st_size for href, status in server.sent if status == 200)
        return answer, len(server.sent)

    with Client(URL, timeout=60, cache=tmp_path, transport=server) as client:
        first, cold = asked(client)
        within = first.stats.cache_hits  # files that one search needs twice
        assert set(first.stats.milliseconds) == {"manifest", "search", "texts", "computing"}
        assert first.stats.total_milliseconds == sum(first.stats.milliseconds.values()) > 0
        warm, sent = asked(client)
        assert sent == 0
        assert warm.stats.cache_hits == cold + within - 1  # the manifest is opened once
        assert "manifest" not in warm.stats.milliseconds
    with Client(URL, timeout=60, cache=tmp_path, transport=server) as client:
        again, sent = asked(client)
        assert (sent, again.stats.cache_hits) == (1, cold + within)
    assert first == warm == again
    assert "stats" not in answers.as_json(first)


def test_an_answer_of_a_folder_says_what_it_has_read(site: Path) -> None:
    with Client(site) as client:
        seen: list[Progress] = []
        client._progress = seen.append
        context = client.retrieve("clear the cache")
    assert (context.stats.requests, context.stats.bytes) == (seen[-1].done, seen[-1].bytes)


def test_a_server_without_etags_sends_what_may_have_changed(site: Path, tmp_path: Path) -> None:
    server = Server(site, etags=False)
    ask(server, tmp_path)
    again, _ = ask(server, tmp_path)
    assert again
    assert {status for _, status in again} == {200}
    assert not [href for href, _ in again if href.endswith(".z")]


def test_what_has_changed_is_seen(site: Path, changed: Callable[..., Path], tmp_path: Path) -> None:
    server = Server(site)
    with Client(URL, timeout=60, cache=tmp_path / "cache", transport=server) as client:
        before = client.topic("")
        index = json.loads((site / "index.json").read_bytes()) | {"title": "Another"}
        index.pop("build_id")
        server.root = changed(**{"index.json": json.dumps(index).encode()})
        assert client.topic("") == before
        client.refresh()
        assert client.topic("").title == "Another"
    server.root = site
    with Client(URL, timeout=60, cache=tmp_path / "cache", transport=server) as client:
        assert client.topic("") == before


def test_a_broken_entry_is_none(site: Path, tmp_path: Path) -> None:
    server = Server(site)
    _, found = ask(server, tmp_path)
    for path in tmp_path.glob("*/*"):
        path.write_bytes(path.read_bytes()[:-1])
    again, same = ask(server, tmp_path)
    assert {status for _, status in again} == {200}
    assert same == found


def test_an_entry_is_of_one_address_and_whole(tmp_path: Path) -> None:
    cache = FileCache(tmp_path)
    cache.put("a", b"body", '"1"')
    found = cache.get("a")
    assert found is not None
    assert (found.body, found.etag) == (b"body", '"1"')
    assert cache.get("b") is None
    (path,) = tmp_path.glob("*/*")
    data = path.read_bytes()
    for size in range(len(data)):
        path.write_bytes(data[:size])
        assert cache.get("a") is None
    for place in range(len(data)):
        path.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        entry = cache.get("a")
        assert entry is None or entry.body == b"body"


def test_an_entry_in_the_place_of_another_is_none(tmp_path: Path) -> None:
    cache = FileCache(tmp_path)
    cache.put("a", b"body", '"1"')
    (path,) = tmp_path.glob("*/*")
    cache.put("b", b"another", '"2"')
    (other,) = set(tmp_path.glob("*/*")) - {path}
    other.write_bytes(path.read_bytes())
    assert cache.get("a") is not None
    assert cache.get("b") is None


def test_room_is_made_when_the_limit_is_passed_and_for_more_than_one_entry(tmp_path: Path) -> None:
    cache = FileCache(tmp_path / "measure")
    cache.put("00", bytes(100), "")
    (path,) = tmp_path.glob("measure/*/*")
    size = path.stat().st_size
    cache = FileCache(tmp_path / "cache", most_bytes=8 * size)
    for number in range(8):
        cache.put(f"{number:02}", bytes(100), "")
    assert all(cache.get(f"{number:02}") for number in range(8))
    cache.put("08", bytes(100), "")
    assert len(list(tmp_path.glob("cache/*/*"))) == 6


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
def test_only_the_user_may_look_into_the_cache(tmp_path: Path) -> None:
    FileCache(tmp_path / "cache").put("a", b"body", "")
    (path,) = tmp_path.glob("cache/*/*")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_the_entries_that_were_not_read_for_longest_go(tmp_path: Path) -> None:
    cache = FileCache(tmp_path, most_bytes=5000)
    for number in range(40):
        cache.put(str(number), bytes(200), "")
        for path in tmp_path.glob("*/*"):
            state = path.stat()
            os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns - 10**9))
        assert cache.get("0")
    kept = [number for number in range(40) if cache.get(str(number))]
    assert sum(path.stat().st_size for path in tmp_path.glob("*/*")) <= 5000
    assert kept[0] == 0
    assert kept[1:] == list(range(kept[1], 40))


def test_a_folder_that_cannot_be_written_costs_no_answer(site: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    _, found = ask(Server(site), blocked)
    assert found[1]


@pytest.mark.parametrize("head", [b"{}", b"[]", b"7", b'{"address": "a"}', b"{", b""])
def test_a_head_that_is_none_is_a_miss(tmp_path: Path, head: bytes) -> None:
    cache = FileCache(tmp_path)
    cache.put("a", b"body", '"1"')
    (path,) = tmp_path.glob("*/*")
    path.write_bytes(head + b"\nbody")
    assert cache.get("a") is None
    cache.put("a", b"body", '"1"')
    assert cache.get("a") is not None


def test_a_head_may_be_longer_than_any_address_and_is_not_read_on_without_end(tmp_path: Path) -> None:
    cache = FileCache(tmp_path)
    for length, kept in ((60_000, True), (70_000, False)):
        cache.put("a" * length, b"body", "")
        assert (cache.get("a" * length) is not None) is kept


def test_entries_lie_where_another_release_looks_for_them(tmp_path: Path) -> None:
    FileCache(tmp_path).put("a", b"body", "")
    (path,) = tmp_path.glob("*/*")
    digest = hashlib.sha256(b"a").hexdigest()
    assert path.relative_to(tmp_path).parts == (digest[:2], digest[2:34])


def test_what_cannot_be_put_in_its_place_leaves_nothing_behind(tmp_path: Path) -> None:
    cache = FileCache(tmp_path)
    cache._path("a").mkdir(parents=True)
    cache.put("a", b"body", "")
    assert [path.name for path in tmp_path.glob("*/*")] == [cache._path("a").name]
    assert cache.get("a") is None


def sizes(folder: Path) -> list[int]:
    return [path.stat().st_size for path in folder.glob("*/*")]


def test_entries_of_another_process_count_and_may_fill_the_limit(tmp_path: Path) -> None:
    for number in range(4):
        FileCache(tmp_path).put(f"{number}", bytes(100), "")
    FileCache(tmp_path, most_bytes=5 * sizes(tmp_path)[0]).put("4", bytes(100), "")
    assert len(sizes(tmp_path)) == 5
    FileCache(tmp_path, most_bytes=5 * sizes(tmp_path)[0]).put("5", bytes(100), "")
    assert len(sizes(tmp_path)) == 3


def test_two_processes_may_remove_the_same_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        FileCache(tmp_path).put(f"{number}", bytes(100), "")
    unlink = Path.unlink

    def twice(path: Path, missing_ok: bool = False) -> None:
        os.unlink(path)
        unlink(path, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "unlink", twice)
    cache = FileCache(tmp_path, most_bytes=4 * sizes(tmp_path)[0])
    cache.put("5", bytes(100), "")
    assert len(sizes(tmp_path)) == 3
    assert cache._size == sum(sizes(tmp_path))

"""Chunks, from files of one or of several: each is the one that was asked for, and a file is read once for all."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import itertools
import json
import random
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from javascript import CLIENT, WEB, needs_node, run_node

import infograph
from infograph.client import AsyncClient, Client, ClientError, chunks
from infograph.client.asks import File, Freshness
from infograph.client.chunks import ChunkReader, read_chunk
from infograph.client.place import Place
from infograph.errors import FormatError
from infograph.formats import pack

BASE = "https://example.org/docs/"
SCRIPT = """
const { Client } = await import(process.argv[1]);
const asked = JSON.parse(process.argv[3]);
const client = new Client(process.argv[2], { timeout: 60_000 });
const said = ({ code, message }) => ({ code: code ?? "none", message });
// The first alone, so that the others find what it has left; then all at once.
const first = await client.read(asked[0]).catch(said);
const found = [first, ...(await Promise.all(asked.slice(1).map((one) => client.read(one).catch(said))))];
console.log(JSON.stringify(found));
"""


def chunk(text: bytes, digest: str) -> bytes:
    return b'---\ntitle: A\nsha256: "%s"\n---\n%s' % (digest.encode(), text)


def whole(text: bytes) -> bytes:
    return chunk(text, hashlib.sha256(text).hexdigest())


def test_a_chunk_of_other_bytes_than_utf8_is_refused_with_the_place() -> None:
    data = b"caf\xe9"
    with pytest.raises(FormatError, match="not UTF-8 at byte 3"):
        read_chunk("a.md", "", chunk(data, hashlib.sha256(data).hexdigest()))


def test_a_chunk_whose_digest_only_begins_alike_is_refused() -> None:
    digest = hashlib.sha256(b"text").hexdigest()
    assert read_chunk("a.md", "", chunk(b"text", digest)).text == "text"
    texts = (str(number).encode() for number in itertools.count())
    near = next(text for text in texts if hashlib.sha256(text).hexdigest().startswith(digest[:4]))
    with pytest.raises(ClientError, match="not the whole of it"):
        read_chunk("a.md", "", chunk(near, digest))
    assert read_chunk("a.md", digest[:32], chunk(b"text", digest)).sha256 == digest
    other = digest[:31] + ("0" if digest[31] != "0" else "1")
    with pytest.raises(ClientError, match="has changed"):
        read_chunk("a.md", other, chunk(b"text", digest))


@pytest.mark.parametrize("href", ["_chunks/a-3.md", "_chunks/a-0.pack.txt#3"])
def test_only_chunks_whose_digests_are_known_come_from_a_cache_unasked(href: str) -> None:
    digest = "0" * 32
    for wanted, freshness in (
        ([(href, "")], Freshness.VALIDATED),
        ([(href, digest)], Freshness.FOREVER),
        ([("_chunks/b-0.pack.txt#1", ""), ("_chunks/b-0.pack.txt#2", digest)], Freshness.VALIDATED),
        ([("_chunks/b-0.pack.txt#1", digest), ("_chunks/b-0.pack.txt#2", digest)], Freshness.FOREVER),
    ):
        (files,) = itertools.islice(ChunkReader(Place(BASE, BASE)).read(wanted), 1)
        assert isinstance(files, list) and [file.freshness for file in files] == [freshness]


class Drive:
    """Answers what a reader asks, from files by href, and counts them."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files
        self.reader = ChunkReader(Place(BASE, BASE))
        self.asked: list[str] = []

    def read(self, *wanted: tuple[str, str]) -> list[Any]:
        asks = self.reader.read(wanted)
        reply = None
        while True:
            try:
                files = asks.send(reply)
            except StopIteration as ended:
                return [getattr(one, "text", one) for one in ended.value]
            reply = [self._one(file) for file in files] if isinstance(files, list) else None

    def _one(self, file: File) -> Any:
        href = file.address.removeprefix(BASE)
        self.asked.append(href)
        if href not in self.files:
            return ClientError("missing", href, "there is no such file")
        try:
            return file.accept(self.files[href])
        except FormatError as error:
            return ClientError("broken", error.place, error.reason)
        except ClientError as error:
            return error


TEXTS = [b"zero", b"one", b"two", b"three"]
DIGESTS = [hashlib.sha256(text).hexdigest() for text in TEXTS]
HREF = "_chunks/a-0.pack.txt"
PACK = pack.render(0, [whole(text) for text in TEXTS])


def test_a_pack_is_read_once_for_all_of_its_chunks() -> None:
    drive = Drive({HREF: PACK, "_chunks/b-0.md": whole(b"b")})
    assert drive.read((f"{HREF}#2", ""), ("_chunks/b-0.md", ""), (f"{HREF}#0", "")) == ["two", "b", "zero"]
    assert sorted(drive.asked) == [HREF, "_chunks/b-0.md"]
    assert drive.read((f"{HREF}#1", DIGESTS[1]), (f"{HREF}#1", DIGESTS[1])) == ["one", "one"]
    assert len(drive.asked) == 2, "it was kept"
    assert drive.read((f"{HREF}#1", "")) == ["one"] and len(drive.asked) == 3, "without a digest nobody knows its age"
    drive.reader = ChunkReader(drive.reader._place)
    assert drive.read((f"{HREF}#1", DIGESTS[1])) == ["one"] and len(drive.asked) == 4, "by this reader alone"
    assert drive.read() == []


def test_what_was_kept_of_another_publication_is_read_anew() -> None:
    drive = Drive({HREF: PACK})
    assert drive.read((f"{HREF}#1", DIGESTS[1])) == ["one"]
    drive.files[HREF] = pack.render(0, [whole(b"new")])
    digest = hashlib.sha256(b"new").hexdigest()
    assert drive.read((f"{HREF}#0", digest[:32])) == ["new"]
    (gone,) = drive.read((f"{HREF}#1", DIGESTS[1]))
    assert (gone.code, gone.reason) == ("broken", "has the chunks 0 to 0 and not 1")


def test_a_chunk_that_has_changed_costs_none_of_the_others() -> None:
    drive = Drive({HREF: PACK})
    first, changed, last = drive.read((f"{HREF}#0", DIGESTS[0]), (f"{HREF}#1", "f" * 32), (f"{HREF}#3", DIGESTS[3]))
    assert (first, last) == ("zero", "three")
    assert (changed.code, changed.place, changed.reason) == ("broken", f"{HREF}#1", "the chunk has changed")
    assert drive.asked == [HREF, HREF], "once for all, and once more for all"


def test_of_a_missing_or_torn_pack_every_chunk_is_told() -> None:
    drive = Drive({"_chunks/torn-0.pack.txt": PACK[:-1]})
    lost = drive.read(("_chunks/gone-0.pack.txt#0", ""), ("_chunks/gone-0.pack.txt#1", ""))
    assert [error.code for error in lost] == ["missing", "missing"] and drive.asked == ["_chunks/gone-0.pack.txt"]
    for error in drive.read(("_chunks/torn-0.pack.txt#0", ""), ("_chunks/torn-0.pack.txt#1", "")):
        said = f"_chunks/torn-0.pack.txt: is cut off: it has {len(PACK) - 1} bytes of {len(PACK)}. Build again "
        assert str(error).startswith(said) and "\n" not in str(error)
    (outside,) = drive.read(("../_chunks/a-0.pack.txt#0", ""))
    assert outside.code == "outside"


def test_packs_take_no_more_memory_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "MOST_KEPT", 3 * len(PACK))
    names = [f"_chunks/{letter}-0.pack.txt" for letter in "abcd"]
    drive = Drive(dict.fromkeys(names, PACK))
    for name in names:
        drive.read((f"{name}#0", DIGESTS[0]))
    drive.asked.clear()
    for name in names[1:]:
        assert drive.read((f"{name}#1", DIGESTS[1])) == ["one"]
    assert drive.asked == []
    assert drive.read((f"{names[0]}#1", DIGESTS[1])) == ["one"] and drive.asked == names[:1]


@pytest.fixture(scope="module")
def asked_of(packed_server: Any) -> Iterator[Any]:
    """Chunk files that the server was asked for since the last call."""

    def since() -> list[str]:
        found = [path for path in packed_server.asked if "/_chunks/" in path]
        packed_server.asked.clear()
        return found

    since()
    yield since


def test_a_sample_of_a_document_is_one_request(packed_server: Any, asked_of: Any) -> None:
    with Client(f"{packed_server.url}site/", timeout=60) as client:
        items = client.topic("guide").documents["searching"].items
        assert len(items) > 10
        texts = [client.read(item).text for item in items]
        assert len(asked_of()) == 1
        assert "".join(texts) == (Path(infograph.__file__).parents[1] / "sample-docs/guide/searching.md").read_text()

    async def at_once() -> list[str]:
        async with AsyncClient(f"{packed_server.url}site/", timeout=60) as client:
            found = await client.run(lambda tree: tree.read_all([(item.href, item.sha256) for item in items]))
            return [chunk.text for chunk in found]

    assert asyncio.run(at_once()) == texts and len(asked_of()) == 1


def test_a_search_with_its_texts_reads_each_pack_once(packed_server: Any, asked_of: Any) -> None:
    with Client(f"{packed_server.url}site/", timeout=60) as client:
        hits = client.search("clear the embedding cache", limit=20, texts=True).hits
        packs = {hit.href.partition("#")[0] for hit in hits}
        assert all(hit.text for hit in hits) and len(packs) < len(hits)
        assert sorted(asked_of()) == sorted(f"/site/{path}" for path in packs)


@pytest.mark.parametrize("href", ["guide/_chunks/install-1.md", "guide/_chunks/install-0.pack.txt#1"])
def test_a_chunk_is_found_by_its_name_without_a_version(packed_server: Any, href: str) -> None:
    """The one is what people write, and what links from before the tree had packs say."""
    with Client(f"{packed_server.url}site/", timeout=60) as client:
        item = client.topic("guide").documents["install"].items[1]
        assert client.read(href) == client.read(item)
        with pytest.raises(ClientError) as caught:
            client.read(href.replace("1", "9"))
        assert caught.value.code == "missing"


def test_a_link_to_the_whole_pack_names_no_chunk(packed: Path) -> None:
    with Client(packed, timeout=60) as client:
        items = client.topic("guide").documents["install"].items
        href = items[1].href.partition("#")[0]
        for named in (href, f"{href}#x"):
            said = f"{named}: holds the chunks 0 to {len(items) - 1}. Name one of them: `{href}#0`"
            with pytest.raises(ClientError, match=re.escape(said)) as caught:
                client.read(named)
            assert caught.value.code == "unknown"


def test_a_pack_that_numbers_its_chunks_as_they_do_not_is_damaged() -> None:
    """It gave chunks under the numbers of others: their digests are right, and a link without one had nothing else."""
    files = [b"---\nindex: %d\n%b" % (at, whole(text).removeprefix(b"---\n")) for at, text in enumerate(TEXTS)]
    drive = Drive({HREF: pack.render(0, files), "_chunks/b-0.pack.txt": pack.render(1, files)})
    assert drive.read((f"{HREF}#2", "")) == ["two"]
    for digest in ("", DIGESTS[1]):
        (error,) = drive.read(("_chunks/b-0.pack.txt#2", digest))
        said = "_chunks/b-0.pack.txt: is damaged: its chunk 2 is the chunk 1"
        assert (error.code, str(error)) == ("broken", said)


@pytest.fixture
def damaged_pack(packed: Path, tmp_path: Path) -> tuple[Path, Any]:
    """A tree in packs of its own, and the item of a chunk whose pack may be damaged."""
    root = shutil.copytree(packed, tmp_path / "site")
    with Client(root, timeout=60) as client:
        return root, client.topic("guide").documents["install"].items[1]


def test_a_pack_that_was_cut_is_damaged_and_no_other_publication(damaged_pack: tuple[Path, Any]) -> None:
    root, item = damaged_pack
    file = root / unquote(item.href.partition("#")[0])
    with Client(root, timeout=60) as client:
        assert client.topic("guide").documents
        file.write_bytes(file.read_bytes()[:-1])
        for what in (item, item.href):
            with pytest.raises(ClientError, match=r"is cut off: .*The file is damaged: build the site again") as caught:
                client.read(what)
            assert caught.value.code == "broken" and "anew" not in str(caught.value)


@needs_node
def test_both_clients_say_alike_what_is_wrong_with_a_pack(
    damaged_pack: tuple[Path, Any], fault_server_module: Any
) -> None:
    root, item = damaged_pack
    path = item.href.partition("#")[0]
    file = root / unquote(path)
    file.write_bytes(file.read_bytes().replace(b"\nchunks 0:", b"\nchunks 1:", 1))
    asked: list[Any] = [item.href, {"href": item.href, "sha256": item.sha256}, f"{path}#2", path, f"{path}#x"]
    with fault_server_module.running(root) as server:
        theirs = ask_javascript(f"{server.url}site/", asked)
    with Client(root, timeout=60) as client:
        for one, other in zip(asked, theirs, strict=True):
            named = (one, "") if isinstance(one, str) else (one["href"], one["sha256"])
            with pytest.raises(ClientError) as caught:
                client.run(lambda tree, named=named: tree.read(*named))
            assert caught.value.code == other["code"]
            assert other["message"].startswith(f"{caught.value.place}: {caught.value.reason}")
    assert [other["code"] for other in theirs] == ["broken"] * 3 + ["unknown"] * 2


def test_both_layouts_hold_the_same_chunks(site: Path, packed: Path) -> None:
    """Byte for byte, but for where they lie."""
    files = {path.relative_to(site).as_posix(): path.read_bytes() for path in site.rglob("_chunks/*.md")}
    found = {}
    for path in packed.rglob("_chunks/*"):
        held = pack.parse(path.name, path.read_bytes())
        stem = path.name.removesuffix(".pack.txt").rpartition("-")[0]
        folder = path.parent.relative_to(packed).as_posix()
        found |= {f"{folder}/{stem}-{held.first + at}.md": data for at, data in enumerate(held.files)}
    assert found == files


def ask_javascript(url: str, asked: list[Any]) -> list[Any]:
    found: list[Any] = run_node(SCRIPT, CLIENT, url, json.dumps(asked))
    return found


FAULTS = ["site", "half", "truncated", "unavailable", "page", "wrong", "wrong-once", "redirected", "gzip-bomb"]


@needs_node
@pytest.mark.parametrize(
    "fault", [*FAULTS[1:2], *(pytest.param(own, marks=pytest.mark.slow) for own in FAULTS[:1] + FAULTS[2:])]
)
def test_both_clients_read_a_pack_alike_whatever_a_server_does(
    packed: Path, fault_server_module: Any, fault: str
) -> None:
    with fault_server_module.running(packed, "http://127.0.0.1:9/") as server:
        with Client(packed, timeout=60) as client:
            items = client.topic("guide").documents["clients"].items
        asked: list[Any] = [{"href": item.href, "sha256": item.sha256} for item in items]
        asked += [items[0].href, {"href": items[0].href, "sha256": "0" * 32}]
        asked += [f"{items[0].href.partition('#')[0]}#{number}" for number in (99, "x", 10**12)]
        url = f"{server.url}{fault}~clients/"
        theirs = ask_javascript(url, asked)
        server.asked.clear()  # some faults happen once
        with Client(url, timeout=60) as client:
            for one, other in zip(asked, theirs, strict=True):
                named = (one, "") if isinstance(one, str) else (one["href"], one["sha256"])
                try:
                    ours: Any = client.run(lambda tree, named=named: tree.read(*named))
                except ClientError as error:
                    assert error.code == other.get("code"), (one, error, other)
                    if error.code == "broken":
                        assert other["message"].startswith(f"{error.place}: {error.reason}"), (error, other)
                    assert "\n" not in f"{error}{other['message']}"
                else:
                    assert (ours.href, ours.sha256, ours.text) == (other["href"], other["sha256"], other["text"])
                    assert (ours.front_matter, ours.readable) == (other["front_matter"], other["readable"])


PARSE = """
const { ofPack } = await import(process.argv[1]);
let text = "";
for await (const part of process.stdin) text += part;
const found = [];
for (const [data, number] of JSON.parse(text)) {
  const bytes = new Uint8Array(Buffer.from(data, "base64"));
  const get = async (address, most, accept) => accept(bytes);
  const site = { resolve: () => "P", relative: (address) => address, get };
  const encoded = async (own) => Buffer.from(own).toString("base64");
  const own = await ofPack(site, `P#${number}`, "", encoded).catch((error) => error);
  found.push(typeof own === "string" ? { own } : { code: own.code, message: own.message });
}
console.log(JSON.stringify(found));
"""


PUT_IN = [b"0", b"1", b"9", b" ", b"  ", b"\n", b"\r\n", b"-", b"a", b"\xd9\xa2", b"\xff", b"\0", b""]


def damaged(chance: random.Random) -> bytes:
    """A pack with some bytes changed, taken away or put in, mostly where its table is."""
    files = [chance.randbytes(chance.randint(1, 30)) for _ in range(chance.randint(1, 4))]
    data = bytearray(pack.render(chance.choice([0, 7, 32]), files))
    for _ in range(chance.randint(0, 3)):
        at = chance.randrange(min(len(data), 45))
        data[at : at + chance.randint(0, 2)] = chance.choice(PUT_IN)
    return bytes(data[: chance.choice([len(data), len(data), chance.randint(0, len(data))])])


@needs_node
def test_both_readers_take_and_refuse_the_same_bytes_for_the_same_reason() -> None:
    chance = random.Random(4)
    rows = [(damaged(chance), chance.choice([0, 1, 7, 32, 33, 99])) for _ in range(4000)]
    encoded = [[base64.b64encode(data).decode(), number] for data, number in rows]
    taken = 0
    for (data, number), theirs in zip(rows, run_node(PARSE, WEB / "packs.js", given=encoded), strict=True):
        try:
            ours = {"own": base64.b64encode(pack.parse("P", data).file("P", number)).decode()}
            taken += 1
        except FormatError as error:
            ours = {"code": "broken", "message": f"P: {error.reason}"}
        assert ours == theirs, (data, number)
    assert 100 < taken < 2000


@needs_node
def test_javascript_reads_a_pack_once_for_all_of_its_chunks(packed_server: Any, asked_of: Any) -> None:
    with Client(f"{packed_server.url}site/", timeout=60) as client:
        items = client.topic("guide").documents["searching"].items
    asked = [{"href": item.href, "sha256": item.sha256} for item in items]
    asked_of()
    theirs = ask_javascript(f"{packed_server.url}site/", asked)
    assert [one["sha256"] for one in theirs] == [item.sha256 for item in items]
    assert len(asked_of()) == 1

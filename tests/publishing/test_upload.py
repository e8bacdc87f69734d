"""Trees that are published to an object store: what is sent, in which order, and what is left when it fails."""

from __future__ import annotations

import gzip
import itertools
import random
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import httpx2 as httpx
import pytest

from infograph.build import build
from infograph.client import Client
from infograph.commands.check.crawl import check
from infograph.commands.clean import clean
from infograph.config import Settings, load
from infograph.errors import ConfigError, ForeignFileError, FormatError, InfographError, LockedError, OutputError
from infograph.formats.names import INDEX, PUBLISHED, PUBLISHER, is_output, is_versioned
from infograph.formats.publication import Publication, read_publication
from infograph.pipeline.tools import chunk, index
from infograph.progress import Silent
from infograph.publishing.claim import Clock
from infograph.publishing.store import Store, StoredObject
from infograph.publishing.upload import Upload, changes, ranks, represented, upload

from .conftest import S3Server


def page(word: str) -> str:
    return f"# Kettle\n\n{f'The kettle is {word}. ' * 30}\n\n## Use\n\n{f'Boil {word} water. ' * 40}\n"


READS, PUBLICATIONS = 2000, 12


class Trees:
    """Built trees by what their pages say: each is what a machine that publishes has made."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, kettle: str | None = "green", pot: str = "big", **more: str) -> Path:
        pages = {"kettle": kettle, "guide/pot": pot, "guide/deep/cup": "small"}
        pages |= {f"guide/{name}": word for name, word in more.items()}
        name = "-".join(f"{path}={word}".replace("/", "_") for path, word in pages.items())
        out = self.folder / name / "site"
        if not out.exists():
            for path, word in pages.items():
                if word is not None:
                    file = self.folder / name / "docs" / f"{path}.md"
                    file.parent.mkdir(parents=True, exist_ok=True)
                    file.write_text(page(word), "utf-8")
            build(self.settings(name, str(out)))
        return out

    def settings(self, name: str, out: str) -> Settings:
        flags = {"cache": str(self.folder / "cache"), "out": out, "model": "static", "jobs": 1}
        return load(str(self.folder / name / "docs"), flags=flags, environment={}, project=self.folder / name)


@pytest.fixture(scope="session")
def trees(tmp_path_factory: pytest.TempPathFactory) -> Trees:
    return Trees(tmp_path_factory.mktemp("trees"))


class Site:
    """An address, and what is published to it."""

    def __init__(self, folder: Path, server: S3Server) -> None:
        self.folder = folder
        self.server = server
        self.bucket = server.bucket()
        self.address = f"s3://{self.bucket}/docs"
        self.url = f"{server.url}/{self.bucket}/docs/"
        self.store = Store(self.address)

    def publish(self, tree: Path, machine: str = "a", *, force: bool = False) -> list[str]:
        """Publishes a tree and returns what was sent, relative to it."""
        self.server.asked.clear()
        (self.folder / machine).mkdir(exist_ok=True)
        upload(Upload(tree, self.store, self.folder / machine, Silent(), force))
        return [path.removeprefix(f"{self.bucket}/docs/") for path in self.server.sent()]

    def tree(self) -> dict[str, bytes]:
        """Everything that is published, as readers get it."""
        found = {}
        for path in self.store.names():
            item = self.store.read(path)
            assert item is not None
            if is_output(path):
                found[path] = gzip.decompress(item.data) if item.data[:2] == b"\x1f\x8b" else item.data
        return found

    def list(self) -> Publication:
        found = self.store.read(PUBLISHED)
        assert found is not None
        return read_publication(found.data, "list")

    def is_whole(self) -> bool:
        """Whether all that readers can reach is there, with the bytes that are promised."""
        return not check(self.url).problems


@pytest.fixture
def site(s3: S3Server, tmp_path: Path) -> Site:
    return Site(tmp_path, s3)


def files_of(tree: Path) -> dict[str, bytes]:
    files = {path.relative_to(tree).as_posix(): path for path in tree.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for name, path in files.items() if is_output(name)}


@pytest.mark.slow
def test_a_build_goes_to_a_store_and_then_only_what_changed(site: Site, tmp_path: Path) -> None:
    docs = Trees(tmp_path)
    (tmp_path / "x/docs/guide").mkdir(parents=True)
    for name, word in (("kettle", "green"), ("guide/pot", "big")):
        (tmp_path / f"x/docs/{name}.md").write_text(page(word))
    settings = docs.settings("x", site.address)
    build(settings)
    assert site.tree() == files_of(settings.out)
    first = [path for path in site.server.sent() if is_output(path.partition("docs/")[2])]
    assert first[-1].endswith(f"docs/{INDEX}")
    assert site.is_whole()
    build(settings)
    assert site.server.sent() == [], "nothing changed, so nothing is sent and nobody is kept out"
    (tmp_path / "x/docs/kettle.md").write_text(page("purple"))
    build(settings)
    sent = [path for path in site.server.sent() if not path.partition("docs/")[2].startswith(".")]
    assert not [path for path in sent if "pot" in path] and len(sent) < len(first) / 2
    with Client(site.url) as client:
        assert "purple" in client.search("purple kettle").hits[0].snippet


@pytest.mark.usefixtures("hasty")
def test_an_address_that_is_wrong_is_told_before_anything_is_built(s3: S3Server, tmp_path: Path) -> None:
    (tmp_path / "x/docs").mkdir(parents=True)
    (tmp_path / "x/docs/a.md").write_text("# A\n")
    settings = Trees(tmp_path).settings("x", "s3://there-is-none/docs")
    with pytest.raises(OutputError, match="there is no such bucket"):
        build(settings)
    assert files_of(settings.out) == {}


@pytest.mark.parametrize("act", [lambda settings: build(settings, check=True), clean, chunk, index])
def test_other_commands_name_the_one_that_publishes(s3: S3Server, tmp_path: Path, act: Callable[..., object]) -> None:
    (tmp_path / "x/docs").mkdir(parents=True)
    with pytest.raises(ConfigError, match=r"names an object store, and `.*` works on a folder"):
        act(Trees(tmp_path).settings("x", "s3://bucket/docs"))


@pytest.mark.slow
def test_headers_are_right_for_browsers_and_caches(site: Site, trees: Trees) -> None:
    site.publish(trees())
    index = httpx.get(site.url + INDEX)
    assert index.headers["content-type"] == "application/hal+json"
    assert (index.headers["content-encoding"], index.headers["cache-control"]) == ("gzip", "no-cache")
    chunk = next(path for path in site.tree() if "/_chunks/pot" in path)
    found = httpx.get(site.url + chunk)
    assert found.headers["content-type"] == "text/markdown; charset=utf-8"
    assert "content-encoding" not in found.headers
    assert found.headers["cache-control"] == "public, max-age=31536000, immutable"
    shard = next(path for path in site.tree() if path.endswith(".z"))
    assert httpx.get(site.url + shard).headers["content-type"] == "application/octet-stream"
    script = httpx.get(site.url + "infograph.js")
    assert script.headers["content-type"].startswith("text/javascript") and script.text.startswith("/*")
    assert httpx.get(site.url + PUBLISHER).headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", ["index.json", "llms.txt", "a.md", "infograph.js", "p-0123456789abcdef.z"])
def test_a_small_file_is_never_compressed(path: str) -> None:
    assert represented(path, b"x" * 900)[0] == b"x" * 900


def test_a_pack_is_compressed_as_only_clients_read_it() -> None:
    data, headers = represented("_chunks/a.0123456789-0.pack.txt", b"x" * 2000)
    assert gzip.decompress(data) == b"x" * 2000 and headers == {
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Encoding": "gzip",
        "Cache-Control": "public, max-age=31536000, immutable",
    }
    for path in ("_chunks/a.0123456789-0.md", "llms.txt", "a.pack.txt"):
        assert represented(path, b"x" * 2000)[0] == b"x" * 2000


@pytest.mark.slow
def test_what_is_gone_stays_for_two_publications(site: Site, trees: Trees) -> None:
    site.publish(trees())
    old = next(path for path in site.tree() if path.startswith("_chunks/kettle"))
    for number, word in enumerate(("purple", "blue", "red")):
        assert old in site.tree()
        site.publish(trees(word), machine=f"machine-{number}")  # that knows nothing of the ones before
    assert old not in site.tree()
    assert site.tree().keys() == site.list().known
    site.publish(trees(None))
    for word in ("large", "big", "large"):
        site.publish(trees(None, word))
    assert not [path for path in site.tree() if "kettle" in path]
    assert site.is_whole()


@pytest.mark.slow
def test_files_of_others_stay(site: Site, trees: Trees) -> None:
    site.store.write("index.html", b"<h1>mine</h1>")
    site.store.write("guide/notes.md", b"mine")
    for tree in (trees(), trees(None), trees(None, "large"), trees(None), trees(None, "large")):
        site.publish(tree)
    assert {"index.html", "guide/notes.md"} <= site.store.names()
    assert not [path for path in site.tree() if "kettle" in path]


@pytest.mark.slow
@pytest.mark.parametrize("name", [INDEX, "llms.txt", "guide/topic-spec.md"])
def test_a_file_of_another_in_the_place_of_ours_ends_it(site: Site, trees: Trees, name: str) -> None:
    site.store.write(name, b"somebody else's")
    with pytest.raises(ForeignFileError, match=r"infograph did not write it. Nothing was published"):
        site.publish(trees())
    assert site.store.names() == {name, PUBLISHER}
    site.store.remove([name])
    site.publish(trees())
    assert site.tree() == files_of(trees())


@pytest.mark.slow
def test_a_tree_that_was_copied_there_by_hand_is_taken_over(site: Site, trees: Trees) -> None:
    for name, data in files_of(trees("purple")).items():
        site.store.write(name, data)
    site.publish(trees())
    assert files_of(trees()).items() <= site.tree().items()


@pytest.mark.slow
@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("after", [3, 30])
def test_an_upload_that_was_interrupted_is_repaired(site: Site, trees: Trees, after: int) -> None:
    site.publish(trees())
    before = site.tree().keys()
    puts = itertools.count()
    site.server.fault = lambda method, path: "503 SlowDown" if method == "PUT" and next(puts) >= after else None
    with pytest.raises(InfographError):
        site.publish(trees("purple", jug="new"))
    site.server.fault = None
    assert site.is_whole(), "readers find a whole tree, old or new"
    assert before <= site.tree().keys()
    time = Clock(iter(range(0, 10_000, 100)).__next__, lambda seconds: None)
    upload(Upload(trees("purple"), site.store, site.folder, Silent(), clock=time))
    assert files_of(trees("purple")).items() <= site.tree().items()
    assert site.tree().keys() <= site.list().known and site.list().pending == []
    for word in ("blue", "red", "green"):
        site.publish(trees(word))
    assert not [path for path in site.tree() if "jug" in path]
    assert site.is_whole()


@pytest.mark.slow
@pytest.mark.usefixtures("hasty")
def test_what_was_sent_whole_is_not_sent_again(site: Site, trees: Trees) -> None:
    puts = itertools.count()
    site.server.fault = lambda method, path: "503 SlowDown" if method == "PUT" and next(puts) >= 40 else None
    with pytest.raises(OutputError, match="too busy"):
        site.publish(trees())
    site.server.fault = None
    there = {path for path in site.store.names() if is_versioned(path)}
    assert len(there) > 10
    assert there.isdisjoint(site.publish(trees()))
    assert site.tree() == files_of(trees())


@pytest.mark.slow
def test_a_busy_store_and_broken_connections_are_waited_for(site: Site, trees: Trees) -> None:
    faults = itertools.cycle([None, None, "503 SlowDown", None, None, "cut", None, None, "lost", None])
    site.server.fault = lambda method, path: next(faults)
    site.publish(trees())
    site.publish(trees("purple"))
    site.server.fault = None
    assert files_of(trees("purple")).items() <= site.tree().items()
    assert site.is_whole()


@pytest.mark.slow
def test_what_somebody_removed_is_sent_again_when_told(site: Site, trees: Trees) -> None:
    site.publish(trees())
    site.store.remove([path for path in site.tree() if path.startswith("guide/")])
    site.publish(trees())
    assert site.tree() != files_of(trees())
    site.publish(trees(), force=True)
    assert site.tree() == files_of(trees())


@pytest.mark.slow
@pytest.mark.usefixtures("hasty")
def test_a_bucket_without_rights_to_write_is_left_as_it_is(site: Site, trees: Trees) -> None:
    site.publish(trees())
    before = site.tree()
    site.server.fault = lambda method, path: "403 AccessDenied" if method in ("PUT", "POST") else None
    with pytest.raises(OutputError, match="have not the right to it") as caught:
        site.publish(trees("purple"))
    assert "\n" not in str(caught.value) and site.address in str(caught.value)
    site.server.fault = None
    assert site.tree() == before


@pytest.mark.slow
def test_of_two_publishers_one_says_so(site: Site, trees: Trees) -> None:
    """The second comes while the first sends, and sees that it lives."""
    site.publish(trees())
    said: list[str] = []

    def second(method: str, path: str) -> None:
        if method != "PUT" or "_chunks" not in path or said:
            return
        said.append("comes")
        claim = site.store.read(PUBLISHER)
        assert claim is not None

        def beat(seconds: float) -> None:  # as the first does every few seconds
            site.store.write(PUBLISHER, claim.data + b" ", over=claim.version)
            site.store.write(PUBLISHER, claim.data)

        seen = itertools.count()
        pause = Clock(lambda: float(next(seen)), lambda seconds: None)
        with pytest.raises(LockedError, match="another infograph publishes to it") as caught:
            twin = Store(site.address)
            reads = itertools.count()
            read = twin.read

            def once_more(path: str) -> StoredObject | None:
                found = read(path)
                late = path == PUBLISHER and next(reads) > 0
                return replace(found, data=found.data + b" ") if late and found else found

            twin.read = once_more  # type: ignore[method-assign]
            upload(Upload(trees("red"), twin, site.folder / "b", Silent(), clock=pause))
        said.append(str(caught.value))

    site.server.fault = second
    site.publish(trees("purple"))
    site.server.fault = None
    assert len(said) == 2 and "\n" not in said[1]
    assert files_of(trees("purple")).items() <= site.tree().items()


@pytest.mark.slow
@pytest.mark.parametrize("name", [INDEX, PUBLISHED])
def test_a_publisher_that_was_overtaken_writes_nothing_that_readers_see(site: Site, trees: Trees, name: str) -> None:
    """It slept; another took the claim over and published. What it writes last holds for what it saw first."""
    site.publish(trees())
    twin = Store(site.address)
    other: list[bytes] = []

    def overtake(method: str, path: str) -> None:
        if method == "PUT" and path == f"/{site.bucket}/docs/{name}" and not other:
            other.append(b"of the other")
            twin.write(name, other[0])

    site.server.fault = overtake
    with pytest.raises(LockedError, match="another infograph publishes to it"):
        site.publish(trees("purple"))
    site.server.fault = None
    found = twin.read(name)
    assert found is not None and found.data == other[0]


@pytest.mark.slow
def test_a_list_that_is_damaged_ends_it(site: Site, trees: Trees) -> None:
    site.publish(trees())
    site.store.write(PUBLISHED, b"cut off")
    with pytest.raises(FormatError, match=r"is no list of published files. Remove it from the store"):
        site.publish(trees("purple"))
    site.store.remove([PUBLISHED])
    site.publish(trees("purple"))
    assert site.is_whole()


def test_ranks_hold_what_leads_nowhere_in_the_same() -> None:
    paths = ["index.json", "llms.txt", "a/index.json", "a/index-2.json", "a/b/index.json", "new/index.json"]
    paths += ["_chunks/x.0123456789-0.md", "a/topic-spec.md", "_search/p-0123456789abcdef.z"]
    random.Random(1).shuffle(paths)
    found = list(ranks(paths, ["a/index.json", "a/b/index.json"]))
    assert found[0] == ["_chunks/x.0123456789-0.md"]
    order = [path for group in found for path in group]
    assert order[-2:] == ["llms.txt", "index.json"]
    assert order.index("new/index.json") < order.index("a/index-2.json") < order.index("a/index.json")
    assert order.index("a/b/index.json") < order.index("a/index.json")


def test_changes_between_two_publications() -> None:
    before = Publication(
        {"index.json": "1", "llms.txt": "2", "a/index.json": "3"}, [["b/index.json"], ["c/index.json"]]
    )
    found = changes(before, {"index.json": "1", "llms.txt": "9"})
    assert (found.sent, found.expired) == (["llms.txt"], ["c/index.json"])
    assert found.after == Publication({"index.json": "1", "llms.txt": "9"}, [["a/index.json"], ["b/index.json"]])
    assert changes(found.after, {"index.json": "1", "llms.txt": "9"}).idle
    back = changes(found.after, {"index.json": "1", "llms.txt": "9", "b/index.json": "4"})
    assert (back.sent, back.expired) == (["b/index.json"], [])
    assert back.after.older == [[], ["a/index.json"]]


@pytest.mark.slow
def test_every_read_is_whole_while_it_is_published(site: Site, trees: Trees) -> None:
    """Readers follow links from the root's index, and search, while it is published again and again."""
    site.publish(trees())
    reads, failed, stop = itertools.count(), [], threading.Event()
    done = threading.Semaphore(0)

    def read() -> None:
        with Client(site.url) as client:
            while not stop.is_set():
                try:
                    client.refresh()
                    if next(reads) % 4 == 0:
                        hit = client.search("kettle").hits[0]
                        assert "kettle" in client.read(hit).text.lower()
                    else:
                        items = client.topic("").documents["kettle"].items
                        assert all(client.read(item).sha256 == item.sha256 for item in items)
                except Exception as error:  # noqa: BLE001 (all are counted)
                    failed.append(repr(error))
                done.release()

    readers = [threading.Thread(target=read) for _ in range(4)]
    for reader in readers:
        reader.start()
    counted = publications = 0
    while counted < READS or publications < PUBLICATIONS:
        site.publish(trees(("green", "purple", "blue", "red")[publications % 4]))
        publications += 1
        while done.acquire(blocking=False):
            counted += 1
    stop.set()
    for reader in readers:
        reader.join()
    assert failed == []

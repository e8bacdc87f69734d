"""HAL clients of other people read a published tree: npm ketting and halfred (see package.json)."""

from __future__ import annotations

import functools
import hashlib
import http.server
import json
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from javascript import NODE, needs_node

from infograph.build import build
from infograph.config import load
from infograph.formats.names import is_index
from infograph.index.hal import IndexOptions
from infograph.model import SpecSource, TopicSpec

MakeSource = Callable[..., SpecSource]
MakeSpec = Callable[..., TopicSpec]
Publish = Callable[..., Path]

HERE = Path(__file__).parent

pytestmark = [
    needs_node,
    pytest.mark.skipif(
        not (HERE / "node_modules").is_dir(), reason="needs the npm packages: npm ci --prefix tests/clients"
    ),
]


def node(script: str, *arguments: str) -> Any:
    assert NODE is not None
    command = [NODE, str(HERE / script), *arguments]
    run = subprocess.run(command, capture_output=True, timeout=600, check=False, text=True, encoding="utf-8")
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Nothing on the terminal."""


@contextmanager
def serving(root: Path) -> Iterator[str]:
    """The URL of a folder."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(root)))
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def served(small_tree: Path) -> Iterator[tuple[str, Path]]:
    """The small tree's URL and folder."""
    with serving(small_tree) as url:
        yield url, small_tree


def test_ketting_walks_the_whole_tree(served: tuple[str, Path]) -> None:
    url, root = served
    seen = node("ketting.mjs", f"{url}index.json")
    assert seen["warnings"] == []
    assert {address.removeprefix(url): topic["title"] for address, topic in seen["topics"].items()} == {
        "index.json": "Everything",
        "guide/index.json": "guide",
        "guide/deep/index.json": "deep",
    }
    guide = seen["topics"][f"{url}guide/index.json"]
    assert guide["documents"] == ["intro", "_index"]
    assert guide["children"] == ["deep"]
    assert sorted(guide["orders"][0]) == list(range(1, 12))
    assert {"item", "parent", "profile", "related", "source", "topic-spec", "topics"} <= set(guide["relations"])
    assert len(seen["chunks"]) == 25
    for address, digest in seen["chunks"].items():
        path = root / unquote(urlsplit(address).path).lstrip("/")
        assert hashlib.sha256(path.read_bytes()).hexdigest() == digest


@pytest.mark.slow
@pytest.mark.parametrize("place", ["in place", "versioned"])
def test_ketting_goes_down_by_what_is_embedded(tmp_path: Path, quick: object, place: str) -> None:
    folders = ["", "a", "a/b", "a/b/c", "a/b/c/d", "a/e", "f/g"]
    for folder in folders:
        (tmp_path / "docs" / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / "docs" / folder / "page.md").write_text(f"# Page of {folder}\n\nText.\n")
    out = tmp_path / ("docs" if place == "in place" else "site")
    flags = {} if place == "in place" else {"out": str(out)}
    for text in ("Text.", "Other text."):  # the second build changes what lies three levels below the root
        (tmp_path / "docs/a/b/c/page.md").write_text(f"# Page\n\n{text}\n")
        build(load(str(tmp_path / "docs"), flags=flags, environment={}))
        with serving(out) as url:
            levels = node("ketting_topics.mjs", f"{url}index.json")
            found = [[address.removeprefix(url).rpartition("/")[0] for address in level] for level in levels]
            assert found == [[""], ["a", "f"], ["a/b", "a/e", "f/g"], ["a/b/c"], ["a/b/c/d"]]
            # These are the newest: older versions stay for a while.
            for path in (out / address.removeprefix(url) for level in levels[1:] for address in level):
                newest = json.loads((path.parent / "index.json").read_bytes())
                assert json.loads(path.read_bytes())["_embedded"]["topics"] == newest["_embedded"]["topics"]
                assert json.loads(path.read_bytes())["_links"].get("item") == newest["_links"].get("item")


def test_ketting_follows_pages(tmp_path: Path, make_spec: MakeSpec, make_source: MakeSource, publish: Publish) -> None:
    spec = make_spec("", *(make_source(f"d{number}.md", 9) for number in range(6)))
    root = publish(tmp_path / "site", [spec], IndexOptions(page_bytes=9000))
    with serving(root) as url:
        seen = node("ketting.mjs", f"{url}index.json")
    assert len(seen["topics"]) > 1
    documents = [name for topic in seen["topics"].values() for name in topic["documents"]]
    assert sorted(documents) == [f"d{number}" for number in range(6)]
    assert len(seen["chunks"]) == 54


@pytest.mark.slow
def test_both_read_what_a_build_wrote(tmp_path: Path, quick: object) -> None:
    docs = Path(__file__).parents[2] / "sample-docs"
    summary = build(load(str(docs), flags={"out": str(tmp_path / "site")}, environment={}))
    with serving(tmp_path / "site") as url:
        seen = node("ketting.mjs", f"{url}index.json")
    assert seen["warnings"] == []
    # Each index below the root is there under two names, and both are linked to.
    indexes = [path for path in (tmp_path / "site").rglob("index*.json") if is_index(path.name)]
    assert len([url for url in seen["topics"] if url.endswith("/index.json")]) == summary.topics
    assert len(seen["topics"]) == len(indexes)
    assert len(seen["chunks"]) == summary.chunks
    for address, digest in seen["chunks"].items():
        path = tmp_path / "site" / unquote(urlsplit(address).path).lstrip("/")
        assert hashlib.sha256(path.read_bytes()).hexdigest() == digest
    for index in indexes:
        found = node("halfred.mjs", str(index))
        assert found["issues"] == found["chunkIssues"] == found["topicIssues"] == [], index


@pytest.mark.parametrize("topic", ["", "guide", "guide/deep"])
def test_halfred_finds_nothing_to_object_to(small_tree: Path, topic: str) -> None:
    seen = node("halfred.mjs", str(small_tree / topic / "index.json"))
    assert seen["issues"] == seen["chunkIssues"] == seen["topicIssues"] == []
    assert seen["self"] == "index.json#chunks"


def test_halfred_reads_what_is_there(small_tree: Path) -> None:
    seen = node("halfred.mjs", str(small_tree / "guide" / "index.json"))
    assert seen["title"] == "guide"
    assert seen["documents"] == ["intro", "_index"]
    assert seen["topics"] == ["deep/index.json"]
    assert seen["items"][:2] == ["_chunks/intro-0.md", "_chunks/intro-1.md"]
    assert seen["ownRelation"] == "infograph:keywords"

"""Builds of pages that include files: what is found and returned, and that an incremental build equals a clean one."""

from __future__ import annotations

import functools
import http.server
import json
import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from javascript import CLIENT, needs_node, run_node

from infograph.build import build
from infograph.client import Client
from infograph.config import load
from infograph.errors import ConfigError
from infograph.formats.names import is_shard, is_versioned
from infograph.pipeline.kept import led_to
from infograph.pipeline.summary import Summary

pytestmark = pytest.mark.usefixtures("in_this_process")

PAGES = {
    "docs/index.md": "# Site { #site }\n\n<div class='x'>\n\nWhat the quokkas do.\n\n</div>\n",
    "docs/guide/page.md": (
        "# First Steps { #first-steps }\n\n/// note | Look\n\n{* ../../src/app.py ln[2:4] *}\n\n///\n"
    ),
    "docs/guide/other.md": "# Other\n\nNothing is included here.\n",
    "src/app.py": "import os\n\ndef wombat():\n    return 1\n",
    "docs/parts/part.md": "# Part\n\nThe *numbat*. {: .x }\n",
}


@pytest.fixture
def site(tmp_path: Path, write_tree: Callable[[Path, dict[str, str]], Path]) -> Path:
    write_tree(tmp_path / "repository", PAGES)
    (tmp_path / "repository/.git").mkdir()
    return tmp_path / "repository"


def made(root: Path, out: str = "out", **flags: object) -> Summary:
    flags = {"out": str(root.parent / out), "cache": str(root.parent / "cache"), "model": "static", **flags}
    return build(load(str(root / "docs"), flags=flags, environment={}))


def outputs(folder: Path) -> dict[str, bytes]:
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file())
    found = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
    led = led_to(folder)
    return {
        name: data
        for name, data in found.items()
        if not name.startswith(".") and (name in led or is_shard(name) or not is_versioned(name))
    }


@pytest.mark.slow
def test_the_included_text_is_found_and_read(site: Path) -> None:
    assert not made(site).errors
    with Client(str(site.parent / "out")) as client:
        hit = client.search("wombat").hits[0]
        assert hit.page == "guide/page.md"
        assert "def wombat()" in hit.snippet and "{*" not in hit.snippet and "///" not in hit.snippet
        chunk = client.read(hit)
        assert chunk.text == PAGES["docs/guide/page.md"]
        assert chunk.readable == "# First Steps\n\n**Look**\n\n```python\ndef wombat():\n    return 1\n```\n\n"
        passages = client.retrieve("wombat", 500).passages
        assert any("def wombat()" in passage.text and "{*" not in passage.text for passage in passages)
        assert "div" not in client.search("quokkas").hits[0].snippet


@pytest.mark.slow
def test_nothing_of_the_markup_reaches_readers(site: Path) -> None:
    made(site)
    named = ("llms.txt", "words.md", "index.json")
    said = "".join(data.decode() for name, data in outputs(site.parent / "out").items() if name.endswith(named))
    assert "{ #" not in said and "<div" not in said and "///" not in said and "first-steps" not in said


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [
        {"src/app.py": "import os\n\ndef potoroo():\n    return 1\n"},
        {"src/app.py": None},
        {"docs/src/app.py": "a\n\ndef nearer():\n    pass\n"},
        {"docs/guide/page.md": "# Page\n\n{!../parts/part.md!}\n"},
        {"docs/parts/part.md": "# Part\n\nAnother.\n"},
    ],
    ids=["changed", "removed", "nearer", "another include", "unrelated"],
)
def test_incremental_equals_clean(site: Path, change: dict[str, str | None]) -> None:
    made(site)
    for name, text in change.items():
        place = site / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text) if text is not None else place.unlink()
    again = made(site)
    clean = made(site, "clean")
    expected = outputs(site.parent / "clean")
    found = outputs(site.parent / "out")
    assert {name: data for name, data in found.items() if name in expected or "_search/" not in name} == expected
    assert [str(n) for n in again.notices] == [str(n) for n in clean.notices]


@pytest.mark.slow
def test_a_tree_as_it_was_is_left_alone(site: Path) -> None:
    made(site)
    made(site)  # a stamp of just now is not trusted
    time.sleep(0.06)
    made(site)
    assert made(site).written == 0


def test_an_included_file_that_changes_twice_at_once_is_read_twice(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the clock has not ticked since a change, a stamp tells nothing: neither this build's nor the last one's."""
    monkeypatch.setattr("infograph.files.stamps.RACY_NANOSECONDS", 1 << 60)
    file = site / "src/app.py"
    for animal in ("bilby", "quoll", "bilby"):
        file.write_text(f"import os\n\ndef {animal}s():\n    return 1\n")
        made(site)
        with Client(site.parent / "out") as client:
            assert client.search(f"{animal}s", exact=True).hits, animal


@pytest.mark.slow
def test_a_file_that_comes_back_mends_the_page(site: Path) -> None:
    shutil.move(site / "src", site.parent / "src")
    (notice,) = made(site).notices
    assert (notice.path, notice.kind, notice.count) == ("guide/page.md", "unresolved-include", 1)
    shutil.move(site.parent / "src", site / "src")
    assert made(site).notices == []
    with Client(str(site.parent / "out")) as client:
        assert client.search("wombat").hits


@pytest.mark.slow
def test_any_kind_of_warning_can_be_silenced(site: Path) -> None:
    (site / "src/app.py").unlink()
    assert made(site).failed(strict=True)
    assert not made(site, silence=["unresolved-include"]).failed(strict=True)
    with pytest.raises(ConfigError, match="there is no kind `includes`"):
        made(site, silence=["includes"])


@pytest.mark.slow
def test_includes_can_be_left_alone(site: Path) -> None:
    made(site, **{"markup.includes": False})
    chunk = next((site.parent / "out").glob("guide/_chunks/page.*-0.md")).read_text()
    assert "wombat" not in chunk


@pytest.mark.slow
def test_a_sites_own_shortcodes(site: Path) -> None:
    (site / "docs/index.md").write_text("# Site\n\n{{< api Cat >}}\n")
    assert [notice.kind for notice in made(site).notices] == ["generated-text"]
    summary = made(site, **{"markup.shortcodes": {"api": "The {0} interface"}})
    assert summary.notices == []
    with Client(str(site.parent / "out")) as client:
        assert client.search("interface").hits[0].snippet == "The Cat interface"


@pytest.mark.slow
def test_front_matter_that_is_not_used_is_a_remark(site: Path) -> None:
    (site / "docs/index.md").write_text("---\nTitle: [a]\n---\n# Site\n")
    summary = made(site)
    assert [(n.kind, n.message) for n in summary.notices] == [("front-matter", "`title` is no text and is not used")]
    assert not summary.failed(strict=True)


@pytest.mark.slow
def test_the_edits_are_those_of_the_file(site: Path) -> None:
    made(site)
    head = next((site.parent / "out").glob("guide/_chunks/page.*-0.md")).read_text().split("\n---\n")[0]
    edits = json.loads(next(line for line in head.splitlines() if line.startswith("edits: "))[7:])
    data = PAGES["docs/guide/page.md"].encode()
    assert next(data[start:end] for start, end, _ in edits) == b" { #first-steps }"


@pytest.mark.slow
@needs_node
def test_both_clients_read_the_same(site: Path) -> None:
    (site / "docs/guide/page.md").write_text("# Größe 😀 { #g }\n\n{* ../../src/app.py *}\n\nµ <b>x</b>\n")
    made(site)
    out = site.parent / "out"
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(out))
    script = (
        "const { Client } = await import(process.argv[1]);"
        'const chunk = await new Client(process.argv[2], { timeout: 60_000 }).read("guide/_chunks/page-0.md");'
        "console.log(JSON.stringify([chunk.text, chunk.readable]));"
    )
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        shown = run_node(script, CLIENT, f"http://127.0.0.1:{server.server_port}/")
        server.shutdown()
    with Client(str(out)) as client:
        chunk = client.read("guide/_chunks/page-0.md")
    assert shown == [chunk.text, chunk.readable]
    assert "def wombat()" in chunk.readable and "<b>" not in chunk.readable

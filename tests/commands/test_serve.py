"""`infograph serve`: the command, with builds under it and pages that reload."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest
from click.testing import CliRunner

from infograph import web
from infograph.build import build
from infograph.cli import main
from infograph.commands.check.crawl import check
from infograph.commands.federate.run import federate
from infograph.commands.serve import serve
from infograph.commands.serving.server import Server
from infograph.config import load
from infograph.errors import ConfigError, InfographError
from infograph.formats.names import EXPLORER

ServeTree = Callable[..., contextlib.AbstractContextManager[Server]]
PATIENCE = 120.0
"""Seconds until a test gives up; never a measure."""
needs_posix = pytest.mark.skipif(os.name == "nt", reason="needs names and links that Windows does not have")
NODE, CHROMIUM = shutil.which("node"), shutil.which("chromium") or shutil.which("google-chrome")
BROWSER_TESTS = Path(__file__).parents[1] / "explorer"
LOADED_AGAIN = """
import { chromium } from "playwright-core";
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
const page = await browser.newPage();
page.setDefaultTimeout(120_000);
await page.addInitScript(() => {
  addEventListener("securitypolicyviolation", (event) => console.error(event.violatedDirective));
});
page.on("console", (message) => message.type() === "error" && console.log(message.text()));
page.on("pageerror", (error) => console.log(error.stack));
await Promise.all([page.goto(process.env.URL), page.waitForResponse(/events$/)]);
const again = page.waitForEvent("load");
console.log("loaded");
await again;
console.log("loaded again");
await browser.close();
"""


def _until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def _replace(path: Path, text: str) -> None:
    """Writes a file at once, so that nobody reads a part of it."""
    beside = path.with_name(f".{path.name}.tmp")
    beside.write_text(text)
    beside.replace(path)


def _version(page: str) -> str:
    return page.rpartition("version=")[2].partition('"')[0]


def test_a_published_tree_passes_the_check(serving: ServeTree, small_tree: Path) -> None:
    with serving(small_tree, **{"serve.cors": True}) as server:
        report = check(server.url)
    assert report.ok and not report.warnings, str(report)


@pytest.mark.slow
def test_pages_load_again_after_each_build(
    serving: ServeTree,
    tmp_path: Path,
    library: dict[str, str],
    write_tree: Callable[..., Path],
    client: httpx2.Client,
    quick: Any,
) -> None:
    docs, out = write_tree(tmp_path / "docs", library), tmp_path / "site"
    flags = {"docs": str(docs), "cache": str(tmp_path / "cache"), "watch.debounce": 0.05}
    with serving(out, watch=True, **flags) as server:
        _until(lambda: (out / "index.json").exists())
        (out / "look").mkdir()
        (out / "look/index.html").write_text("<!doctype html><body>look</body></html>")
        assert client.get(f"{server.url}.infograph/reload.js").headers["Content-Type"].startswith("text/javascript")
        assert client.get(f"{server.url}.infograph/nothing").status_code == 404
        with httpx2.stream("GET", f"{server.url}.infograph/events", timeout=PATIENCE) as events:
            assert events.headers["Content-Type"] == "text/event-stream; charset=utf-8"
            assert events.headers["Cache-Control"] == "no-store"
            versions = (line.removeprefix("data: ") for line in events.iter_lines() if line.startswith("data: "))
            version = next(versions)
            if version.endswith("-0"):  # the stream began before the first build was over
                version = next(versions)
            page = client.get(f"{server.url}look/").text
            assert page.startswith("<!doctype html><body>look</body></html>") and _version(page) == version
            _replace(docs / "licence.md", "# Licence\n\nAn edit that shows.\n")
            after = next(versions)
            assert after != version
            index = client.get(f"{server.url}index.json").json()
            href = index["_embedded"]["chunks"]["licence"]["items"][0]["href"]
            assert "An edit that shows." in client.get(f"{server.url}{href}").text
            assert _version(client.get(f"{server.url}look/").text) == after
            assert check(server.url).ok


@pytest.mark.slow
def test_the_server_follows_the_configuration(
    serving: ServeTree,
    tmp_path: Path,
    library: dict[str, str],
    write_tree: Callable[..., Path],
    client: httpx2.Client,
    quick: Any,
) -> None:
    write_tree(tmp_path / "docs", library)
    file = tmp_path / "infograph.toml"
    file.write_text('docs = "docs"\nout = "one"\n[watch]\ndebounce = 0.05\n')
    with serving(tmp_path, watch=True, file=str(file)) as server:
        _until(lambda: (tmp_path / "one/index.json").exists())
        _replace(file, 'docs = "docs"\nout = "two"\n')
        _until(lambda: (tmp_path / "two/index.json").exists())
        assert server.root.name == "two"
        assert client.get(f"{server.url}index.json").content == (tmp_path / "two/index.json").read_bytes()


@pytest.mark.slow
def test_readers_of_a_tree_that_is_built_again_and_again(
    serving: ServeTree, tmp_path: Path, library: dict[str, str], write_tree: Callable[..., Path], quick: Any
) -> None:
    """Each chunk that the index leads to is there and whole: it has the checksum that the index says."""
    docs, out, faults = write_tree(tmp_path / "docs", library), tmp_path / "site", []
    flags = {"docs": str(docs), "cache": str(tmp_path / "cache"), "watch.debounce": 0.02}
    stop, passes = threading.Event(), []

    def read(server: Server) -> None:
        with httpx2.Client(timeout=PATIENCE) as client:
            while not stop.is_set():
                index = client.get(f"{server.url}index.json").json()
                item = index["_embedded"]["chunks"]["licence"]["items"][0]
                response = client.get(f"{server.url}{item['href']}")
                text = response.content.partition(b"\n---\n")[2]
                if response.status_code != 200 or hashlib.sha256(text).hexdigest() != item["sha256"]:
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
            _replace(docs / "licence.md", text)
            _until(lambda text=text: text.encode() in passes)
        stop.set()
        for thread in threads:
            thread.join()
    assert not faults, faults[:3]
    assert len(set(passes)) > 2


@pytest.mark.slow
@pytest.mark.skipif(
    not (NODE and CHROMIUM and (BROWSER_TESTS / "node_modules").is_dir()),
    reason="needs Node.js, Chromium and `npm ci --prefix tests/explorer`",
)
def test_the_explorer_loads_again_in_a_browser(
    serving: ServeTree, tmp_path: Path, library: dict[str, str], write_tree: Callable[..., Path]
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


def test_a_port_that_is_taken_is_a_clear_error(serving: ServeTree, site: Path, server: Server) -> None:
    port = server.server_address[1]
    message = f"127.0.0.1:{port}: another program uses this port. .*--port N"
    with pytest.raises(ConfigError, match=message), serving(site, **{"serve.port": port}):
        pass


def test_addresses_that_cannot_be_had(serving: ServeTree, site: Path) -> None:
    for host in ("no.such.host.invalid", "192.0.2.1"):
        with pytest.raises(ConfigError, match="no address of this machine"), serving(site, **{"serve.host": host}):
            pass
    with pytest.raises(ConfigError, match=r"`serve\.port` must lie between"), serving(site, **{"serve.port": 65536}):
        pass


def test_every_interface_and_ipv6(serving: ServeTree, site: Path, client: httpx2.Client) -> None:
    with serving(site, **{"serve.host": "0.0.0.0"}) as server:
        assert server.url.startswith("http://127.0.0.1:")
        assert client.get(f"{server.url}llms.txt").status_code == 200
    with contextlib.suppress(ConfigError), serving(site, **{"serve.host": "::1"}) as server:  # where there is IPv6
        assert server.url.startswith("http://[::1]:")
        assert client.get(f"{server.url}llms.txt").status_code == 200


def test_hosts_on_the_command_line_and_in_settings(serving: ServeTree, site: Path, client: httpx2.Client) -> None:
    def status(server: Server, host: str) -> int:
        return client.get(f"{server.url}llms.txt", headers={"Host": host}).status_code

    with serving(site, **{"serve.allow_hosts": ("Docs.example:80", "fe80::2")}) as server:
        assert [status(server, host) for host in ("docs.example", "[fe80::2]:1", "other.example")] == [200, 200, 421]
    with (
        pytest.raises(ConfigError, match=r"docs\.example/"),
        serving(site, **{"serve.allow_hosts": ["http://docs.example/"]}),
    ):
        pass
    result = CliRunner().invoke(main, ["serve", str(site), "--allow-host", "a b", "--port", "0"])
    assert result.exit_code == 1
    assert "'a b': the host is not a name or an address" in result.output


def test_there_must_be_a_folder(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(site)
    result = CliRunner().invoke(main, ["serve", "nowhere", "--port", "0"])
    assert result.exit_code == 1
    assert "nowhere: is no folder to serve. Build it first: `infograph build DOCS --out nowhere`" in result.output
    (site / "unbuilt").mkdir()
    result = CliRunner().invoke(main, ["serve", "unbuilt", "--port", "0"])
    assert result.exit_code == 1
    assert "unbuilt: holds no built tree. Build it first: `infograph build unbuilt`, or do both" in result.output
    assert CliRunner().invoke(main, ["serve", "a", "--out", "b"]).exit_code == 2


def test_a_first_build_that_fails_ends_the_server(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# A\n")
    flags = {"docs": str(tmp_path / "docs"), "out": str(tmp_path / "site"), "model": "no-such-model", "serve.port": 0}
    before = threading.active_count()
    with pytest.raises(InfographError, match="no-such-model"):
        serve(lambda: load(flags=flags, environment={}), watch=True, quiet=True)
    assert threading.active_count() == before


@pytest.mark.slow
@needs_posix
@pytest.mark.parametrize("watch", [False, True])
def test_ctrl_c_ends_it_without_a_traceback(
    tmp_path: Path, watch: bool, write_tree: Callable[..., Path], publish: Any, interruptible: dict[str, Any]
) -> None:
    docs = write_tree(tmp_path / "docs", {"page.md": "# Page\n\nText.\n"})
    build(load(str(docs), flags={"model": "static"}, environment={}))
    arguments = [str(docs), "--watch", "--model", "static"] if watch else [str(docs)]
    process = subprocess.Popen(
        [sys.executable, "-m", "infograph", "serve", *arguments, "--port", "0"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        **interruptible,
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
        with httpx2.stream("GET", f"{url}.infograph/events", timeout=PATIENCE) as events:
            assert events.status_code == (200 if watch else 404)
            process.send_signal(signal.SIGINT)
            assert process.wait(PATIENCE) == 130
        rest = process.stderr.read()
    assert "Traceback" not in rest and "nothing half-done" in rest


def test_of_a_federation_the_explorers_of_its_sites_are_named(
    small_sites: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "sites"
    shutil.copytree(small_sites, root)
    federate(str(root), [str(root / "apples"), str(root / "pears")])
    stop = threading.Event()
    stop.set()
    serve(lambda: load(str(root), flags={"serve.port": 0}, environment={}), stop=stop)
    first, *sites = capsys.readouterr().err.splitlines()
    url = re.escape(first.rpartition(" at ")[2].removesuffix("federation.json"))
    assert first.endswith("federation.json")
    assert [re.sub(url, "", line) for line in sites] == ["  apples/explorer.html", "  pears/explorer.html"]

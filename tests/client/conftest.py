"""The sample docs as a build publishes them, in a folder and behind a web server that can do everything wrong."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from infograph.build import build
from infograph.client import Client
from infograph.commands.federate.run import federate
from infograph.config import load

WEB = Path(__file__).parents[1] / "web"
SAMPLE_DOCS = Path(__file__).parents[2] / "sample-docs"


def _module(name: str) -> Any:
    """A module of the tests of the client in JavaScript, which has to pass the same ones."""
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, WEB / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


update_queries, fault_server = _module("update_queries"), _module("fault_server")


@pytest.fixture(scope="session")
def fault_server_module() -> Any:
    return fault_server


@pytest.fixture(scope="session")
def expected() -> dict[str, Any]:
    """Queries with the answers that every client must give."""
    found: dict[str, Any] = json.loads(update_queries.FIXTURE.read_text("utf-8"))
    return found


@pytest.fixture(scope="session")
def site(once: Callable[..., Path]) -> Path:
    return once("sample-in-small-shards", update_queries.make_site) / "site"


@pytest.fixture(scope="session")
def elsewhere(site: Path) -> Iterator[Any]:
    """A server that must never be asked."""
    with fault_server.running(site) as server:
        yield server


@pytest.fixture(scope="session")
def server(site: Path, elsewhere: Any) -> Iterator[Any]:
    with fault_server.running(site, elsewhere.url) as server:
        yield server


@pytest.fixture(scope="session")
def packed(once: Callable[..., Path]) -> Path:
    """The same tree, in which chunks share files."""
    return once("sample-in-packs", partial(update_queries.make_site, files="pack")) / "site"


@pytest.fixture(scope="session")
def packed_server(packed: Path) -> Iterator[Any]:
    with fault_server.running(packed) as server:
        yield server


@pytest.fixture(
    scope="session",
    params=["folder", "http", *(pytest.param(how, marks=pytest.mark.slow) for how in ("packs", "packs-http"))],
)
def client(
    request: pytest.FixtureRequest, site: Path, server: Any, packed: Path, packed_server: Any
) -> Iterator[Client]:
    """Of the same tree in both places, and of one whose chunks share files."""
    places = {"folder": site, "http": f"{server.url}site/", "packs": packed, "packs-http": f"{packed_server.url}site/"}
    with Client(places[request.param], timeout=60) as client:
        yield client


@pytest.fixture(scope="session")
def folder(site: Path) -> Client:
    return Client(site, timeout=60)


@pytest.fixture
def changed(site: Path, tmp_path: Path) -> Callable[..., Path]:
    """The tree with other bytes in some files (href to bytes; None takes the file away), the rest linked."""

    def change(**files: bytes | None) -> Path:
        root = tmp_path / "changed"
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(site, root, copy_function=os.link)
        for href, data in files.items():
            (root / href).unlink(missing_ok=True)
            if data is not None:
                (root / href).write_bytes(data)
        return root

    return change


PARTS = ("guide", "publishing", "reference")
"""Folders of the sample docs, each of which is a site of a federation."""


def _federation(folder: Path) -> None:
    """Sites of parts of the sample docs in one folder, their federation, and one site of all these parts."""
    docs = folder / "docs"
    for part in PARTS:
        shutil.copytree(SAMPLE_DOCS / part, docs / part)
    for out, source in (*((f"sites/{part}", docs / part) for part in PARTS), ("joint", docs)):
        flags = {"out": str(folder / out), "cache": str(folder / "cache"), "model": "static"}
        build(load(str(source), flags=flags, environment={}))
    federate(str(folder / "sites"), [str(folder / "sites" / part) for part in PARTS])


@pytest.fixture(scope="session")
def federated(once: Callable[..., Path]) -> Path:
    """A folder with a federation of three sites in `sites/`, and the site of all their pages in `joint/`."""
    return once("federation", _federation)


@pytest.fixture(scope="session")
def federated_server(federated: Path) -> Iterator[Any]:
    with fault_server.running(federated) as server:
        yield server

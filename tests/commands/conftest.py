"""A server of `infograph serve` in a thread of the test, a small site, and a client."""

from __future__ import annotations

import contextlib
import hashlib
import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from infograph.commands.serve import serve
from infograph.commands.serving.server import Server
from infograph.config import load

PATIENCE = 120.0
"""Seconds until a test gives up; never a measure."""


SHARD_DATA = b"\x78\x9c" + bytes(300)
SHARD = f"_search/p-{hashlib.sha256(SHARD_DATA).hexdigest()[:16]}.z"

ServeTree = Callable[..., contextlib.AbstractContextManager[Server]]


@contextlib.contextmanager
def _serving(root: Path, **flags: Any) -> Iterator[Server]:
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
def serving() -> ServeTree:
    """serving(root, **flags): `serve` of a folder in a thread, on a free port, as a context."""
    return _serving


@pytest.fixture
def client() -> Iterator[httpx2.Client]:
    with httpx2.Client(timeout=PATIENCE) as client:
        yield client


def _index(*documents: str) -> str:
    """An index page that lists documents, with infograph's marks."""
    chunks = {name: {"source": name} for name in documents}
    links = {"profile": {"href": "_schema/index.schema.json"}}
    return json.dumps({"id": "", "build_id": "0" * 16, "_links": links, "_embedded": {"chunks": chunks}})


@pytest.fixture
def index_of() -> Callable[..., str]:
    """index_of(*documents): an index page that lists them."""
    return _index


@pytest.fixture
def site(tmp_path: Path, write_tree: Callable[..., Path]) -> Path:
    return write_tree(
        tmp_path / "site",
        {
            "index.json": _index("page.md") + " " * 2000,
            "index-2.json": _index("busy.md"),
            "llms.txt": "# Everything, by stripe_order\n",
            "infograph.js": "// Written by `infograph build`\n" + "export const x = 1;\n" * 50,
            "page.md": "# A page\n",
            "guide/index.html": "<p>guide",
            "guide/_chunks/a-0.md": "---\ntitle: Ä\nsource: a.md\nchunk_type: x\nsha256: 0\n---\n" + "text\n" * 40,
            SHARD: SHARD_DATA,
            "_schema/index.schema.json": "infograph",
            ".git/config": "secret",
            ".infograph/lock": "1",
            ".well-known/security.txt": "x",
            "_chunks/empty-0.md": "",
        },
    )


@pytest.fixture
def server(serving: ServeTree, site: Path) -> Iterator[Server]:
    with serving(site) as server:
        yield server

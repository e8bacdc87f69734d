"""A small reply that unpacks to a thousand times its size costs the reader its limit, and no more."""

from __future__ import annotations

import contextlib
import http.server
import re
import subprocess
import sys
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from javascript import CLIENT, needs_node, node_command

PACKAGE = Path(__file__).parents[2]
UNPACKED = 1 << 29
"""Bytes."""
MOST_MEGABYTES = 200.0
"""Of the whole process: the interpreter, its libraries, and a body of at most 16 MiB."""

PYTHON = """
import sys
from infograph.client import Client, ClientError
for ask in (lambda c: c.topics(), lambda c: c.search("x"), lambda c: c.read("_chunks/a-0.md")):
    with Client(sys.argv[1], timeout=60) as client:
        try:
            ask(client)
            print("answered")
        except ClientError as error:
            print(error.code)
print(next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM:")) // 1024)
"""
JAVASCRIPT = """
import { readFileSync } from "node:fs";
const { Client } = await import(process.argv[1]);
for (const ask of [(c) => c.topics(), (c) => c.search("x"), (c) => c.read("_chunks/a-0.md")]) {
  const client = new Client(process.argv[2], { timeout: 60_000 });
  await ask(client).then(() => console.log("answered"), ({ code }) => console.log(code));
}
console.log(Math.round(/VmHWM:\\s+(\\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1] / 1024));
process.exit(0);
"""


@pytest.fixture(scope="module")
def bomb() -> bytes:
    packer = zlib.compressobj(9, wbits=16 + zlib.MAX_WBITS)
    zeros = bytes(1 << 24)
    return b"".join(packer.compress(zeros) for _ in range(UNPACKED >> 24)) + packer.flush()


@pytest.fixture(scope="module")
def server(bomb: bytes) -> Iterator[str]:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            for name, value in {"Content-Encoding": "gzip", "Content-Length": str(len(bomb))}.items():
                self.send_header(name, value)
            self.end_headers()
            with contextlib.suppress(OSError):  # the client has had enough, as it should
                self.wfile.write(bomb)

        def log_message(self, format: str, *arguments: object) -> None:
            """Nothing on the terminal."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}/"
        running.shutdown()
        thread.join()


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").is_file(), reason="needs /proc to know what a process took")
@pytest.mark.parametrize("language", ["Python", pytest.param("JavaScript", marks=needs_node)])
def test_it_stops_at_the_cap(bomb: bytes, server: str, language: str) -> None:
    if language == "Python":
        command = [sys.executable, "-c", PYTHON, server]
    else:
        command = node_command(JAVASCRIPT, CLIENT, server)
    run = subprocess.run(
        command, capture_output=True, check=False, text=True, timeout=120, env={"PYTHONPATH": str(PACKAGE), "PATH": ""}
    )
    assert run.returncode == 0, run.stderr
    *codes, megabytes = run.stdout.split()
    print(f"{language}: {UNPACKED >> 20} MiB in {len(bomb) >> 10} KiB; the reader took {megabytes} MB in all")
    assert codes == ["large"] * 3
    assert re.fullmatch(r"\d+", megabytes) and float(megabytes) < MOST_MEGABYTES

"""What `infograph enrich` costs beside the model: calls a second, a resumed run, memory, a build that reads records.

    python benchmarks/enrichment.py overhead

The endpoint answers at once, from a process of its own, with what a model said of the chunks of `sample-docs`. Goals:
300 calls a second on one core, validation and recording included; 10,000 chunks found up to date in under 2 seconds;
memory that does not grow with the chunks; a build of 24,000 enriched chunks (`--pages 1200`) at most 15% slower than
one without records. Builds with and without take turns, in pairs. The goal is judged by the processor's user time:
other work may run on the machine, so seconds say little, and the system's time for the same work was 0.8 seconds in one
build and 4.1 in another on a virtual machine, more than what is measured. Both are printed. `TMPDIR=/dev/shm` keeps the
disk out of it. The 607 questions of these answers come again and again, and their hashes are remembered: where all
questions differ, hashing them takes some 10 microseconds each more.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from infograph.formats.enrichment import parse
from infograph.formats.names import ENRICHMENT

PAGES, SECTIONS = 500, 20
"""Pages of the large tree, and chunks of each."""
BUILDS = 6
"""Pairs of builds that are compared: an even number, so that neither kind comes first more often."""

_SERVER = """
import itertools, json, socket, sys, threading
HEAD = b"HTTP/1.1 200 OK\\r\\ncontent-type: application/json\\r\\ncontent-length: %d\\r\\n\\r\\n"
def response(answer):
    body = json.dumps({"choices": [{"message": {"content": json.dumps(answer)}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 500, "completion_tokens": 90}}).encode()
    return HEAD % len(body) + body
RESPONSES = itertools.cycle([response(answer) for answer in json.loads(sys.stdin.readline())])
def serve(connection):
    file = connection.makefile("rb")
    while True:
        line = file.readline()
        if not line:
            return
        length = 0
        while line.strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
            line = file.readline()
        file.read(length)
        connection.sendall(next(RESPONSES))
listener = socket.create_server(("127.0.0.1", 0), backlog=128)
print(listener.getsockname()[1], flush=True)
while True:
    connection, _ = listener.accept()
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    threading.Thread(target=serve, args=(connection,), daemon=True).start()
"""


def tree(folder: Path, pages: int) -> Path:
    """A tree whose pages have `SECTIONS` chunks each, all different."""
    for number in range(pages):
        parts = [f"# Page {number}\n"]
        for section in range(SECTIONS):
            words = " ".join(f"The widget {number} of part {section} turns gear {n} slowly." for n in range(30))
            parts.append(f"## Part {section} of {number}\n\n{words}\n")
        place = folder / f"topic{number % 25}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"page{number}.md").write_text("\n".join(parts), "utf-8")
    return folder


def answers() -> list[dict[str, Any]]:
    """What a capable model said of the chunks of this repository's own documentation: answers as long as real ones."""
    found = []
    for place in sorted((Path(__file__).parents[1] / "sample-docs").rglob(f"{ENRICHMENT}/*.json")):
        records = parse(str(place), place.read_bytes()).records
        found += [dict(record.fields) for record in records if record.task == "metadata" and record.fields]
    return [{name: value for name, value in fields.items() if name != "unverified"} for fields in found]


@dataclass(frozen=True, slots=True)
class Spent:
    """What a command and its workers took."""

    seconds: float
    user: float
    """Seconds of the processor in the programs themselves."""
    system: float
    """Seconds of the processor in the system, for them."""
    peak: int
    """Kilobytes of the largest process."""


def run(*arguments: str, **variables: str) -> tuple[Spent, str]:
    """What a command took, and its output."""
    start = time.perf_counter()
    command, environment = [sys.executable, "-m", "infograph", *arguments], os.environ | variables
    process = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment)
    assert process.stdout
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)  # of this command and its workers alone
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(out.decode())
    return Spent(seconds, usage.ru_utime, usage.ru_stime, usage.ru_maxrss), out.decode()


def builds(tree: Path, folder: Path) -> tuple[list[Spent], list[Spent]]:
    """What builds from nothing without records took, and with them: `BUILDS` pairs, one after the other, each in the
    other order than the one before."""
    elsewhere = {"INFOGRAPH_ENRICH_DIR": str(folder / "none")}  # where no records are
    without: list[Spent] = []
    recorded: list[Spent] = []
    run("build", str(tree), "--model", "static", "-q", "--out", str(folder / "warm"))  # reads it all from the disk
    for number in range(BUILDS):
        pair = [(without, elsewhere), (recorded, dict[str, str]())]
        for spent, added in pair if number % 2 else reversed(pair):
            out = folder / f"out-{number}-{len(added)}"
            spent.append(run("build", str(tree), "--model", "static", "-q", "--out", str(out), **added)[0])
            shutil.rmtree(out)
    return without, recorded


def compared(name: str, without: Sequence[float], recorded: Sequence[float]) -> str:
    """A line with the processor seconds of the builds without records and with them, and how much more these are
    together; and the least, median and most of a pair: what else runs slows both of its builds, or shows here."""
    base, found = (f"{min(every):.1f} to {max(every):.1f}" for every in (without, recorded))
    pairs = sorted(more / less - 1 for less, more in zip(without, recorded, strict=True))
    more = f"{sum(recorded) / sum(without) - 1:+.1%} (pairs: {pairs[0]:+.1%}, {median(pairs):+.1%}, {pairs[-1]:+.1%})"
    return f"build, {name}: {base} processor seconds without records, {found} with: {more}"


def overhead(pages: int = PAGES) -> None:
    """Prints the figures."""
    os.environ["INFOGRAPH_STRATEGY"] = "structural"
    os.environ["INFOGRAPH_ENRICH_UNVERIFIED"] = "keep"  # what was said of other texts is published whole
    server = subprocess.Popen([sys.executable, "-c", _SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert server.stdin and server.stdout
    server.stdin.write(json.dumps(answers()).encode() + b"\n")
    server.stdin.flush()
    asking = ["--model", "fake", "--base-url", f"http://127.0.0.1:{int(server.stdout.readline())}/v1"]
    asking += ["--provider", "openai-compatible", "--concurrency", "8", "--json"]
    try:
        with tempfile.TemporaryDirectory() as folder:
            small, large = tree(Path(folder, "small"), pages // 10), tree(Path(folder, "large"), pages)
            for name, place in (("a tenth", small), ("whole", large)):
                spent, out = run("enrich", str(place), *asking)
                made = json.loads(out)
                rate = made["calls"] / made["seconds"]
                print(
                    f"{name}: {made['calls']:,} calls in {made['seconds']:.1f} s, {rate:,.0f} a second "
                    f"({made['calls'] / (spent.user + spent.system):,.0f} a processor second); "
                    f"peak {spent.peak / 1000:,.0f} MB"
                )
            spent, out = run("enrich", str(large), *asking)
            made = json.loads(out)
            print(
                f"resumed: {made['standing']['current']:,} chunks up to date in {made['seconds']:.2f} s "
                f"({spent.seconds:.2f})"
            )
            without, recorded = builds(large, Path(folder))
            print(compared("user", [b.user for b in without], [b.user for b in recorded]), "(goal: +15%)")
            print(compared("total", [b.user + b.system for b in without], [b.user + b.system for b in recorded]))
    finally:
        server.kill()
        server.wait()

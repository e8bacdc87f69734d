"""A published graph under load: nginx as the guide configures it, against nginx with a bare file of equal size.

    infograph build TREE --out SITE
    python benchmarks/load.py SITE [--seconds 5] [--rounds 11] [--connections 32]

Needs `apt-get install nginx-light wrk`. The commands and the server block are those of the guide's page on hosts: the
folder is copied and compressed by them. Each file (the largest index, a chunk, the largest shard) is fetched over many
connections that accept gzip; then a file of as many random bytes as were sent, from a server block with only a root.
Both are fetched in turn, from one worker process. The results are two ratios, of requests per second and of the 99th
percentile of latency (bare over ours), so that 1 means as fast as a bare file.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote
from urllib.request import Request, urlopen

GUIDE = (Path(__file__).parents[1] / "sample-docs/publishing/hosts.md").read_text("utf-8")
CONFIGURATION = """
daemon off; worker_processes 1; pid nginx.pid; error_log error.log; events {{ worker_connections 1024; }}
http {{
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000000;
  client_body_temp_path t; proxy_temp_path t; fastcgi_temp_path t; uwsgi_temp_path t; scgi_temp_path t;
  {block}
  server {{ listen 127.0.0.1:{bare}; root "{root}"; }}
}}
"""
_RATE = re.compile(r"Requests/sec:\s+([\d.]+)")
_TAIL = re.compile(r"99%\s+([\d.]+)(us|ms|s)")
MICROSECONDS = {"us": 1.0, "ms": 1e3, "s": 1e6}


@dataclass(frozen=True, slots=True)
class Load:
    """The result of one round."""

    rate: float
    """Requests per second."""
    p99: float
    """99th percentile of latency, in microseconds."""


def published(site: Path, folder: Path) -> Path:
    """Copies the site into a folder and compresses it with the guide's commands; returns the copy."""
    commands = next(
        text for text in re.findall(r"^```sh\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL) if "gzip -9" in text
    )
    script = commands.replace("/srv/", f"{folder}/").replace("cp -a site", f"cp -a '{site}'")
    subprocess.run(["sh", "-ec", script], check=True)
    return folder / "site"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def serving(site: Path, bare: Path, folder: Path) -> Iterator[tuple[str, str]]:
    """Runs nginx; yields the URLs of the site and of the folder of bare files."""
    ports = free_port(), free_port()
    (block,) = re.findall(r"^```nginx\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
    block = block.replace("/srv/site", f'"{site}"').replace("listen 80;", f"listen 127.0.0.1:{ports[0]};")
    (folder / "mime.types").write_text("types { text/html html; application/json json; text/plain txt; }\n")
    (folder / "nginx.conf").write_text(CONFIGURATION.format(block=block, bare=ports[1], root=bare))
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin") or sys.exit("needs nginx")
    with subprocess.Popen([program, "-p", str(folder), "-e", "error.log", "-c", "nginx.conf"], cwd=folder) as process:
        try:
            for _ in range(100):
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", ports[1])) == 0:
                        break
                time.sleep(0.05)
            yield f"http://127.0.0.1:{ports[0]}/", f"http://127.0.0.1:{ports[1]}/"
        finally:
            process.terminate()


def loaded(url: str, seconds: int, connections: int) -> Load:
    """Fetches a file with `wrk` again and again. Ends the program where a request fails."""
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-H", "Accept-Encoding: gzip", url]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    if "Non-2xx" in said or "Socket errors" in said:
        sys.exit(f"{url}:\n{said}")
    rate, tail = _RATE.search(said), _TAIL.search(said)
    if not rate or not tail:
        sys.exit(f"wrk says neither rate nor latency:\n{said}")
    return Load(float(rate[1]), float(tail[1]) * MICROSECONDS[tail[2]])


def spread(values: list[float]) -> str:
    """The median of values with their range, as text."""
    return f"{statistics.median(values):.2f} ({min(values):.2f}–{max(values):.2f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", type=Path)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--connections", type=int, default=32)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        folder.chmod(0o755)
        site = published(args.site.resolve(), folder)
        bare = folder / "bare"
        bare.mkdir()
        files = {
            "index": max(site.rglob("index.json"), key=lambda path: path.stat().st_size),
            "chunk": sorted(site.rglob("_chunks/*.md"))[0],
            "shard": max(site.glob("_search/*.z"), key=lambda path: path.stat().st_size),
        }
        print("| file | bytes sent | requests a second | ratio | p99, ms | ratio |\n|---|---|---|---|---|---|")
        with serving(site, bare, folder) as (ours, plain):
            for name, path in files.items():
                url = ours + quote(path.relative_to(site).as_posix())
                with urlopen(Request(url, headers={"Accept-Encoding": "gzip"})) as reply:
                    size = len(reply.read())
                (bare / name).write_bytes(os.urandom(size))
                runs: dict[str, list[Load]] = {url: [], plain + name: []}
                for number in range(args.rounds):  # either side begins in turn: a machine slows down while it is busy
                    for address in list(runs)[:: -1 if number % 2 else 1]:
                        runs[address].append(loaded(address, args.seconds, args.connections))
                rounds = list(zip(*runs.values(), strict=True))
                rates = spread([own.rate / other.rate for own, other in rounds])
                tails = spread([other.p99 / own.p99 for own, other in rounds])
                rate = statistics.median(own.rate for own, _ in rounds)
                p99 = statistics.median(own.p99 for own, _ in rounds) / 1000
                print(f"| {name} | {size:,} | {rate:,.0f} | {rates} | {p99:.2f} | {tails} |", flush=True)


if __name__ == "__main__":
    main()

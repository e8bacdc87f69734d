"""Workers on the machines of a Ray cluster: the same worker processes, each started by an actor of Ray
(`ray_worker.py`).

An actor owns one worker process of its machine (`ProcessWorker`) and passes tasks and answers on. So a task that takes
too long, or takes its worker down, costs here what it costs on one machine; an actor that is lost with its machine is
replaced elsewhere. Needs the extra `ray`.
"""

from __future__ import annotations

import contextlib
import os
import socket
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from infograph.errors import ConfigError, missing_extra
from infograph.execution.pool_worker import Hire
from infograph.execution.ray_worker import RayWorker

_CONNECT_SECONDS = 10.0
"""Seconds for the first connection to an address. Ray itself tries for more than three minutes."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """A Ray cluster that this process is connected to."""

    processors: int
    """Processors that are free, at least one."""
    hire: Hire
    """Starts a worker on one of its machines."""


@contextlib.contextmanager
def cluster(address: str) -> Iterator[Cluster]:
    """Connects to a Ray cluster, until the end of the block; one that this process is connected to already is used and
    left as it is. Raises ConfigError where it cannot be reached.

    address: `HOST:PORT` of the head, `ray://HOST:PORT` of a Ray Client server, `auto` for the cluster that this machine
             belongs to, `local` for one of this machine alone
    """
    try:
        import ray
    except ImportError as error:
        raise missing_extra("ray", "ray", "needs Ray", error) from error

    with contextlib.ExitStack() as stack:
        if not ray.is_initialized():
            _reach(address)
            # Ray prints what it hears of machines among the answers of a command: `--json` could not be read.
            stack.enter_context(contextlib.redirect_stdout(sys.stderr))
            _connect(address)
            stack.callback(ray.shutdown)
        free = ray.available_resources().get("CPU", 0.0)
        yield Cluster(max(1, int(free)), RayWorker)


def _connect(address: str) -> None:
    """Connects this process to a cluster. Raises ConfigError."""
    import ray

    options = {"include_dashboard": False} if address == "local" else {}
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # a build tells nobody anything
    try:
        ray.init(address=address, configure_logging=False, **options)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise _unreached(address, str(error).strip().partition("\n")[0]) from error


def _reach(address: str) -> None:
    """Opens a connection to an address and closes it again. Raises ConfigError."""
    if address in ("auto", "local"):
        return
    try:
        parts = urlsplit(address if "://" in address else f"//{address}")
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise _unreached(address, str(error)) from error
    if parts.scheme not in ("", "ray") or not host or not port:
        raise _unreached(address, "is no address of a cluster")
    try:
        socket.create_connection((host, port), _CONNECT_SECONDS).close()
    except OSError as error:
        raise _unreached(address, f"does not answer ({error.strerror or error})") from error


def _unreached(address: str, reason: str) -> ConfigError:
    hint = "Give the head as `HOST:6379`, a Ray Client server as `ray://HOST:10001`, or `auto` on one of its machines."
    return ConfigError(f"ray = `{address}`", reason, hint)

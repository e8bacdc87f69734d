"""How agents reach a server: by standard input and output of a process, or by HTTP ("streamable HTTP").

By HTTP the SDK refuses requests that a page of another site may have sent: those whose Host or Origin is not allowed.
"""

from __future__ import annotations

import errno
import ipaddress
import re
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import anyio
import click
import uvicorn
from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings

from infograph.commands.serving.hosts import LOCAL, NoHostError, normal
from infograph.errors import ConfigError, printable
from infograph.integrations.mcp.server import make_server
from infograph.integrations.mcp.site import SiteOptions, open_sites

PATH = "/mcp"
"""Path of the only address that the server answers."""

_ADDRESS = re.compile(r"(?:\[(?P<six>[0-9A-Fa-f:.]+)\]|(?P<host>[^\s:/?#@\[\]]+)):(?P<port>\d{1,5})")
_EXAMPLE = "127.0.0.1:8765"


@dataclass(frozen=True, slots=True)
class HttpAddress:
    """Where a server listens, and the names that requests may call it by beside those of this machine."""

    host: str
    port: int
    allowed: tuple[str, ...] = ()


def http_address(written: str, allowed: Sequence[str] = ()) -> HttpAddress:
    """Returns the address that `HOST:PORT` names.

    allowed: further names by which requests may ask; for a host that other machines reach there must be one

    Raises ConfigError for what is no address, and for such a host that nobody has allowed.
    """
    found = _ADDRESS.fullmatch(written)
    if found is None or int(found["port"]) > 65535:
        raise ConfigError("--http", f"{written[:100]!r} is not HOST:PORT", f"Write it as `--http {_EXAMPLE}`")
    host = found["six"] or found["host"]
    names = []
    for name in allowed:
        try:
            names.append(normal(f"[{name}]" if name.count(":") > 1 and not name.startswith("[") else name))
        except NoHostError as error:
            hint = "Write it without `http://`, as `docs.example`"
            raise ConfigError("--allow-host", f"{name[:100]!r}: {error}", hint) from None
    if not _is_local(host) and not names:
        hint = f"Use `--http 127.0.0.1:{found['port']}`, or say by `--allow-host NAME` what other machines call it"
        raise ConfigError("--http", f"other machines reach {host!r}", hint)
    return HttpAddress(host, int(found["port"]), tuple(names))


def security(address: HttpAddress) -> TransportSecuritySettings:
    """Returns the hosts and origins that requests may name: those of this machine and the allowed ones, at any port."""
    names = [f"[{name}]" if ":" in name else name for name in sorted({*LOCAL, address.host, *address.allowed})]
    origins = [f"{scheme}://{name}" for scheme in ("http", "https") for name in names]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[*names, *(f"{name}:*" for name in names)],
        allowed_origins=[*origins, *(f"{origin}:*" for origin in origins)],
    )


async def serve_stdio(server: Server[Any]) -> None:
    """Serves one agent on standard input and output until the input ends; nothing else may write to standard output."""
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


async def serve_http(server: Server[Any], address: HttpAddress, ready: Callable[[str], None]) -> None:
    """Serves agents over HTTP until the process is told to end.

    ready: called with the URL for clients as soon as the address is taken

    Raises ConfigError where the address cannot be used.
    """
    with _listener(address) as listener:
        # No tool keeps anything between calls, so that no session is kept either.
        app = server.streamable_http_app(
            streamable_http_path=PATH, json_response=True, stateless_http=True, transport_security=security(address)
        )
        host = f"[{address.host}]" if ":" in address.host else address.host
        ready(f"http://{host}:{listener.getsockname()[1]}{PATH}")
        config = uvicorn.Config(app, log_level="warning", access_log=False)
        await uvicorn.Server(config).serve(sockets=[listener])


def run(
    sources: Sequence[str],
    options: SiteOptions | None = None,
    *,
    http: HttpAddress | None = None,
    text_only: bool = False,
) -> None:
    """Serves published trees to agents, over HTTP or else on standard input and output.

    text_only: as in `make_server`

    Raises ConfigError where a source is no tree or the address cannot be used, ClientError where a tree cannot be read.
    """

    async def serve() -> None:
        async with open_sites(sources, options) as sites:
            server = make_server(sites, text_only=text_only)
            if http is None:
                await serve_stdio(server)
                return
            names = printable(", ".join(site.facts.title or site.id for site in sites))
            await serve_http(server, http, lambda url: click.echo(f"serving {names} at {url}", err=True))

    anyio.run(serve)


def _is_local(host: str) -> bool:
    """Returns whether only this machine reaches a host."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() in LOCAL


def _listener(address: HttpAddress) -> socket.socket:
    """Returns a socket that listens. Raises ConfigError where the address cannot be used."""
    try:
        found = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, place = found[0]
        return socket.create_server((str(place[0]), int(place[1])), family=family)
    except socket.gaierror as error:
        hint = f"Write it as `--http {_EXAMPLE}`"
        raise ConfigError("--http", f"{address.host!r} is no address of this machine: {error.strerror}", hint) from None
    except OSError as error:
        reasons = {
            errno.EADDRINUSE: ("another program uses this port", "Choose another; 0 takes any free one"),
            errno.EACCES: ("this port is not for everybody", "Choose one above 1023"),
            errno.EADDRNOTAVAIL: ("is no address of this machine", f"Name one that is: `--http {_EXAMPLE}`"),
        }
        reason, hint = reasons.get(error.errno or 0, (error.strerror or str(error), ""))
        raise ConfigError(f"{address.host}:{address.port}", reason, hint) from None

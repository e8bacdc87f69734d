"""A server as agents reach it: the pipes of a process, and HTTP. Both give the same answers."""

from __future__ import annotations

import asyncio
import functools
import json
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import httpx2
import mcp
import pytest
from click.testing import CliRunner

from infograph.cli import main
from infograph.errors import ConfigError
from infograph.integrations.mcp.transport import HttpAddress, http_address, security

ROOT = Path(__file__).parents[3]
PATIENCE = 120.0
"""Seconds until a test gives up; never a measure."""
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("search", {"query": "how do I clear the cache?"}),
    ("search", {"query": "cache " * 200_000}),
    ("search", {"query": " "}),
    ("search", {"query": "cache", "filters": {"indx": 1}}),
    ("search", {"query": "cache", "path": "nowhere"}),
    ("retrieve", {"query": "how do I clear the cache?", "max_tokens": 300}),
    ("read", {"id": "guide/v1/_chunks/cache-0.md"}),
    ("read", {"id": "reference/api.md", "max_tokens": 300}),
    ("read", {"id": "reference/api.md", "cursor": "1-0-00000000"}),
    ("read", {"id": "../../secret.md"}),
    ("read", {"id": "reference/none.md"}),
    ("match", {"question": "How can I plug the kettle in?"}),
    ("sample", {"topic": "reference"}),
    ("topics", {}),
    ("topics", {"path": "nowhere"}),
    ("search", {"query": "cache", "site": "nowhere"}),
]
WRONG = ("indx", "nowhere", "secret", "none.md", "00000000", '" "')


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-W", "error", "-m", "infograph", "mcp", *map(str, arguments)]


def parameters(*arguments: object) -> Any:
    program, *rest = command(*arguments)
    return mcp.StdioServerParameters(command=program, args=rest, env={"PYTHONPATH": str(ROOT)})


async def asks(client: Any) -> list[Any]:
    answers = [await client.call_tool(name, arguments) for name, arguments in CALLS]
    return [await client.list_tools(), *answers]


def asked(server: Any, mode: Any = "auto") -> Any:
    async def run() -> Any:
        async with mcp.Client(server, mode=mode) as client:
            return client.server_info, client.instructions, await asks(client)

    return asyncio.run(run())


Serving = Callable[..., AbstractContextManager[str]]


@pytest.fixture
def serving(interruptible: dict[str, Any]) -> Serving:
    """serving(*arguments): the URL of a server in a process of its own, which ends by an interrupt."""
    return contextmanager(functools.partial(_serving, interruptible))


def _serving(options: dict[str, Any], *arguments: object) -> Iterator[str]:
    process = subprocess.Popen(command(*arguments), stderr=subprocess.PIPE, text=True, cwd=ROOT, **options)
    assert process.stderr
    with process:
        line = process.stderr.readline()
        found = re.fullmatch(r"serving .+ at (http://\S+/mcp)\n", line)
        assert found, line + process.stderr.read()
        try:
            yield found[1]
        finally:
            process.send_signal(signal.SIGINT)
            errors = process.communicate(timeout=PATIENCE)[1]
        assert process.returncode == 130 and "Traceback" not in errors


@pytest.mark.slow
def test_over_pipes_and_http_answers_are_those_in_memory(
    manual: Path, ask: Callable[..., Any], serving: Serving
) -> None:
    in_memory = [own.model_dump(exclude={"meta"}) for own in ask(manual, asks)]
    for (_, arguments), answer in zip(CALLS, in_memory[1:], strict=True):
        assert answer["is_error"] == any(word in json.dumps(arguments) for word in WRONG), arguments
    with serving(manual, "--http", "127.0.0.1:0") as url:
        for server, mode in ((mcp.stdio_client(parameters(manual)), "auto"), (url, "auto"), (url, "legacy")):
            info, instructions, found = asked(server, mode)
            assert (info.name, info.title) == ("manual", "Manual") and '{"title": "Manual"' in instructions
            assert [own.model_dump(exclude={"meta"}) for own in found] == in_memory


@pytest.mark.slow
def test_requests_that_pages_of_other_sites_send_are_refused(manual: Path, serving: Serving) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    accepts = {"Accept": "application/json, text/event-stream"}
    with serving(manual, "--http", "127.0.0.1:0", "--allow-host", "docs.example") as url:
        port = url.split(":")[2].partition("/")[0]

        def status(**headers: str) -> int:
            return int(httpx2.post(url, json=message, headers=accepts | headers).status_code)

        assert status() == status(Origin=f"http://localhost:{port}") == 200
        assert status(Host="docs.example") == status(Host="docs.example:8765", Origin="https://docs.example") == 200
        for host in ("evil.example", f"evil.example:{port}", "docs.example.evil.example", "127.0.0.1.evil.example:80"):
            assert status(Host=host) == 421, host
        for origin in ("https://evil.example", "null", "http://localhost.evil.example", "file://"):
            assert status(Origin=origin) == 403, origin
        assert httpx2.post(url, content=b"{}", headers={"Content-Type": "text/plain"}).status_code == 400
        assert httpx2.get(url.removesuffix("/mcp")).status_code == 404
        assert not {name for name in httpx2.post(url, json=message, headers=accepts).headers if "allow-origin" in name}


def test_a_server_on_a_port_in_use_says_so_in_one_line(manual: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        found = CliRunner().invoke(main, ["mcp", str(manual), "--http", address])
    assert (found.exit_code, found.stdout) == (1, "")
    assert found.stderr == f"error: {address}: another program uses this port. Choose another; 0 takes any free one\n"


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("8765", "'8765' is not HOST:PORT. Write it as `--http 127.0.0.1:8765`"),
        ("http://127.0.0.1:8765", "is not HOST:PORT"),
        ("127.0.0.1:65536", "is not HOST:PORT"),
        ("127.0.0.1:", "is not HOST:PORT"),
        ("::1:8765", "is not HOST:PORT"),
        ("0.0.0.0:8765", "other machines reach '0.0.0.0'. Use `--http 127.0.0.1:8765`, or say by `--allow-host NAME`"),
        ("[::]:8765", "other machines reach '::'"),
        ("192.0.2.1:8765", "other machines reach '192.0.2.1'"),
        ("docs.example:8765", "other machines reach 'docs.example'"),
        ("127.0.0.1.evil.example:8765", "other machines reach"),
    ],
)
def test_an_address_that_is_none_or_too_open_is_refused(manual: Path, address: str, reason: str) -> None:
    found = CliRunner().invoke(main, ["mcp", str(manual), "--http", address])
    assert (found.exit_code, found.stdout) == (1, "") and found.stderr.count("\n") == 1
    assert found.stderr.startswith("error: --http: ") and reason in found.stderr


def test_an_address_of_another_machine_is_refused(manual: Path) -> None:
    found = CliRunner().invoke(main, ["mcp", str(manual), "--http", "192.0.2.1:8765", "--allow-host", "docs.example"])
    assert found.exit_code == 1 and "192.0.2.1:8765: is no address of this machine" in found.stderr


def test_hosts_are_those_of_this_machine_and_those_allowed() -> None:
    assert http_address("localhost:1") == HttpAddress("localhost", 1)
    assert http_address("127.0.0.2:1") == HttpAddress("127.0.0.2", 1)
    assert http_address("[::1]:65535") == HttpAddress("::1", 65535)
    open_to_all = http_address("0.0.0.0:80", ["Docs.Example.", "2001:db8::1"])
    assert open_to_all.allowed == ("docs.example", "2001:db8::1")
    allowed = security(open_to_all)
    assert allowed.enable_dns_rebinding_protection
    assert {"docs.example", "docs.example:*", "[2001:db8::1]:*", "localhost:*"} <= set(allowed.allowed_hosts)
    assert {"https://docs.example", "http://docs.example:*"} <= set(allowed.allowed_origins)
    with pytest.raises(ConfigError, match="--allow-host"):
        http_address("127.0.0.1:80", ["http://docs.example"])


def test_allowing_a_host_means_nothing_without_http(manual: Path) -> None:
    found = CliRunner().invoke(main, ["mcp", str(manual), "--allow-host", "docs.example"])
    assert found.exit_code == 2 and "does nothing without --http" in found.stderr


@pytest.mark.slow
def test_nothing_but_protocol_is_printed(manual: Path, tmp_path: Path) -> None:
    """Over the pipes themselves: broken input, a call, an error, the end."""
    initialize = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    call = {"name": "search", "arguments": {"query": "cache"}}
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call},
        {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "read", "arguments": {"id": "../x"}}},
    ]
    process = subprocess.Popen(
        command(manual, "--timeout", str(PATIENCE), "--cache", tmp_path),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    )
    assert process.stdin and process.stdout
    with process:
        process.stdin.write("".join(json.dumps(message) + "\n" for message in messages).encode() + b"no protocol\n")
        process.stdin.flush()
        answers = {}
        while not {1, 2, 3} <= answers.keys():
            message = json.loads(process.stdout.readline())
            assert message["jsonrpc"] == "2.0"
            answers[message.get("id")] = message
        rest, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in rest.splitlines())
    assert answers[2]["result"]["structuredContent"]["hits"]
    assert answers[3]["result"]["isError"]
    assert b"Traceback" not in errors


@pytest.mark.slow
def test_a_client_that_reads_no_fields_is_answered_in_text(manual: Path) -> None:
    async def run() -> Any:
        async with mcp.Client(mcp.stdio_client(parameters(manual, "--text"))) as client:
            return await client.call_tool("read", {"id": "guide/v1/cache.md"}), await client.list_tools()

    result, listed = asyncio.run(run())
    assert result.structured_content is None and "Delete the folder `.warm`" in result.content[0].text
    assert all(tool.output_schema is None for tool in listed.tools)


@pytest.mark.parametrize("way", [[], ["--http", "127.0.0.1:0"]])
def test_what_cannot_be_read_ends_the_command(manual: Path, tmp_path: Path, way: list[str]) -> None:
    (tmp_path / "empty").mkdir()
    for source, reason in {
        tmp_path / "none": "is neither a folder nor an http(s) address",
        tmp_path / "empty": "index.json: there is no such file",
        "http://127.0.0.1:9/": "index.json: no answer: ",
        "ftp://example.org/": "is neither a folder nor an http(s) address",
    }.items():
        found = CliRunner().invoke(main, ["mcp", str(manual), str(source), *way])
        assert (found.exit_code, found.stdout) == (1, "") and found.stderr.count("\n") == 1
        assert reason in found.stderr


def test_a_missing_extra_is_named(manual: Path) -> None:
    code = "import sys; sys.modules['mcp'] = None; from infograph.cli import main; main(prog_name='infograph')"
    found = subprocess.run(
        [sys.executable, "-c", code, "mcp", str(manual)], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert (found.returncode, found.stdout) == (1, "")
    assert found.stderr.count("\n") == 1 and "pip install 'infograph[mcp]'" in found.stderr

"""What the two clients are, beside their answers."""

from __future__ import annotations

import asyncio
import doctest
import gc
import inspect
import os
import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

import infograph.client
from infograph.client import AsyncClient, Client, ClientError, Progress, SearchArguments

MODULES = 67
"""Modules of infograph that importing a client loads: a program that only searches pays for each."""
BUILDERS = {
    "infograph.build",
    "infograph.chunking",
    "infograph.cli",
    "infograph.commands",
    "infograph.config",
    "infograph.embedding",
    "infograph.evaluate",
    "infograph.execution",
    "infograph.index",
    "infograph.integrations",
    "infograph.pipeline",
    "infograph.progress",
    "infograph.search.writing",
    "infograph.source",
    "infograph.topic",
    "infograph.web",
}
"""Packages and modules that a client never needs to be imported."""
HEAVY = {"httpx2", "numpy", "onnxruntime", "tokenizers", "markdown_it", "yaml"}


@pytest.mark.parametrize("source", [None, b"docs", 7, ["docs"], {}])
def test_a_source_that_is_none_is_refused(source: Any, tmp_path: Path) -> None:
    for client in (Client, AsyncClient):
        with pytest.raises(ClientError, match=r"source: has to be an address or a path, not ") as caught:
            client(source)
        assert caught.value.code == "unknown"
        with pytest.raises(ClientError, match=r"transport: has to be one of httpx2, asynchronous, not "):
            client(tmp_path, transport=source or 1)


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), "5", None, True])
def test_a_timeout_that_is_no_time_is_refused(site: Path, timeout: Any) -> None:
    with pytest.raises(ClientError, match="timeout: has to be a number of seconds above 0") as error:
        Client(site, timeout=timeout)
    assert error.value.code == "unknown"


def test_any_time_may_be_given(server: Any) -> None:
    for timeout in (float("inf"), 1e10):
        with Client(f"{server.url}site/", timeout=timeout) as client:
            assert client.topics()


def test_both_have_the_same_methods() -> None:
    def methods(kind: type) -> dict[str, inspect.Signature]:
        return {n: inspect.signature(f) for n, f in inspect.getmembers(kind, callable) if not n.startswith("_")}

    waiting, awaited = methods(Client), methods(AsyncClient)
    assert waiting == awaited
    assert inspect.signature(Client.__init__) == inspect.signature(AsyncClient.__init__)


def test_the_names_are_those_of_the_client_in_javascript() -> None:
    types = (Path(infograph.client.__file__).parents[1] / "web/infograph.d.ts").read_text("utf-8")
    body = re.search(r"export class Client \{.*?\n\}", types, re.DOTALL)
    assert body is not None
    named = set(re.findall(r"^  (\w+)\(", body[0], re.MULTILINE)) - {"constructor"}
    assert named <= set(dir(Client))
    codes = re.search(r'readonly code: (("\w+"(?: \| )?)+);', types)
    assert codes is not None
    assert re.findall(r'"(\w+)"', codes[1]) == list(infograph.client.errors.Code.__args__)  # type: ignore[attr-defined]


def test_the_arguments_of_a_search_are_those_of_the_client_in_javascript() -> None:
    types = (Path(infograph.client.__file__).parents[1] / "web/infograph.d.ts").read_text("utf-8")
    body = re.search(r"interface SearchOptions .*?\n\}", types, re.DOTALL)
    assert body is not None
    assert set(SearchArguments.__annotations__) == set(re.findall(r"^  (\w+)\?:", body[0], re.MULTILINE))
    documented = re.findall(r"^(\w+): ", inspect.getdoc(SearchArguments) or "", re.MULTILINE)
    assert documented == list(SearchArguments.__annotations__)


@pytest.mark.parametrize("kind", [Client, AsyncClient])
def test_a_signature_spells_out_the_arguments_of_a_search(kind: type) -> None:
    for call in ("search", "pages"):
        _, query, *named = inspect.signature(getattr(kind, call)).parameters.values()
        assert query.name == "query"
        assert [parameter.name for parameter in named] == list(SearchArguments.__annotations__)
        assert str(named[0]) == "limit: 'int' = 10" and str(named[3]) == "filters: 'Filters | None' = None"


@pytest.mark.parametrize("call", ["search", "pages"])
def test_an_argument_that_there_is_not_is_named(site: Path, folder: Client, call: str) -> None:
    unknown = rf"{call}\(\) got an unexpected keyword argument 'limt'; there are: limit, offset, "
    with pytest.raises(TypeError, match=unknown):
        getattr(folder, call)("cache", limt=3)

    async def ask() -> None:
        async with AsyncClient(site, timeout=60) as client:
            await getattr(client, call)("cache", limt=3)

    with pytest.raises(TypeError, match=unknown):
        asyncio.run(ask())


def test_arguments_that_are_not_given_have_the_defaults_that_are_documented(folder: Client) -> None:
    said = {"limit": 10, "offset": 0, "path": "", "filters": None, "collapse": True, "diversity": 0, "exact": False}
    for call in (folder.search, folder.pages):
        assert call("cache") == call("cache", rerank=None, **said)
    lines = inspect.getdoc(SearchArguments) or ""
    for name, value in said.items():
        assert re.search(rf"^{name}: .*?(\b{value}|empty for all)$", lines, re.MULTILINE), name


def run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code, *arguments],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def test_importing_a_client_loads_nothing_that_builds() -> None:
    found = run("import sys, infograph.client; print(*sys.modules)")
    assert found.returncode == 0, found.stderr
    loaded = sorted(name for name in found.stdout.split() if name.split(".")[0] == "infograph")
    assert [name for name in loaded if any(f"{name}.".startswith(f"{own}.") for own in BUILDERS)] == []
    assert len(loaded) <= MODULES, "\n".join(loaded)
    assert not HEAVY & set(found.stdout.split())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system does not fork")
def test_a_forked_process_leaves_the_connections_to_its_parent(server: Any) -> None:
    code = """if True:
        import os, sys
        from infograph.client import Client, ClientError
        client = Client(sys.argv[1], timeout=60)
        client.topics()
        child = os.fork()
        if not child:
            client.refresh()
            client._patience = 0.1
            try:
                client.topics()
            except ClientError as error:
                print(error.code, error.reason)
            client.close()
            client.close()
            sys.exit()
        os.waitpid(child, 0)
        client.refresh()
        print(len(client.topics()))
        client.close()
    """
    found = subprocess.run(
        [sys.executable, "-u", "-c", code, f"{server.url}site/"], capture_output=True, text=True, timeout=120
    )
    assert (found.returncode, found.stdout) == (0, "timeout the client's thread does not answer\n4\n"), found.stderr


def test_a_folder_is_searched_without_httpx_and_without_what_a_build_needs(site: Path) -> None:
    code = """if True:
        import sys
        from infograph.client import Client
        client = Client(sys.argv[1])
        assert client.search("clear the cache").hits and client.retrieve("clear the cache").passages and client.topics()
        print(*sys.modules)
    """
    found = run(code, str(site))
    assert found.returncode == 0, found.stderr
    assert not HEAVY & set(found.stdout.split())


def test_a_client_that_nobody_closed_lets_the_process_end(server: Any) -> None:
    code = """if True:
        import sys
        from infograph.client import Client
        client = Client(sys.argv[1], timeout=60)
        print(len(client.topics()))
    """
    found = run(code, f"{server.url}site/")
    assert (found.returncode, found.stdout, found.stderr) == (0, "4\n", "")


def test_a_closed_client_has_no_thread_and_no_answer(server: Any) -> None:
    def threads() -> int:
        return sum(thread.name == "infograph-client" for thread in threading.enumerate())

    before = threads()
    client = Client(f"{server.url}site/", timeout=60)
    assert threads() == before
    client.topics()
    assert threads() == before + 1
    client.close()
    client.close()
    assert threads() == before
    with pytest.raises(RuntimeError, match="closed"):
        client.topics()
    forgotten = Client(f"{server.url}site/", timeout=60)
    forgotten.topics()
    del forgotten
    gc.collect()
    assert threads() == before


def test_a_waiting_client_works_within_an_event_loop(server: Any) -> None:
    async def ask() -> int:
        with Client(f"{server.url}site/", timeout=60) as client:
            return len(client.topics())

    assert asyncio.run(ask()) == 4


def test_several_threads_may_ask_one_client(folder: Client, server: Any, expected: dict[str, Any]) -> None:
    with Client(f"{server.url}site/", timeout=60) as client:
        found: dict[str, Any] = {}
        queries = list(expected["search"])[:8]
        threads = [
            threading.Thread(target=lambda query=query: found.update({query: client.search(query, limit=5)}))
            for query in queries
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert {query: [hit.href for hit in answer.hits] for query, answer in found.items()} == {
        query: [hit.href for hit in folder.search(query, limit=5).hits] for query in queries
    }


@pytest.mark.parametrize("where", ["folder", "http"])
def test_progress_is_told_after_each_file(site: Path, server: Any, where: str) -> None:
    told: list[Progress] = []
    source = site if where == "folder" else f"{server.url}site/"
    with Client(source, timeout=60, progress=told.append) as client:
        client.search("cache", texts=True)
        assert [progress.done for progress in told] == list(range(1, len(told) + 1))
        assert all(progress.done <= progress.known for progress in told)
        assert told[-1].done == told[-1].known > 6  # the manifest, shards of words and sections, texts
        assert told[-1].bytes > 5000
        told.clear()
        client.topics()
        client.topics()
        assert told[-1].done == told[-1].known == len(told) > 1  # what was read stays


def test_what_the_callers_own_code_raises_comes_back_as_it_is(server: Any) -> None:
    def stop(progress: Progress) -> None:
        raise LookupError("enough")

    with Client(f"{server.url}site/", timeout=60, progress=stop) as client, pytest.raises(LookupError, match="enough"):
        client.search("cache")


def test_calls_that_run_at_once_may_forget_each_others_files(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infograph.client.opened_tree.REMEMBERED", 2)

    async def ask() -> None:
        async with AsyncClient(site, timeout=60) as client:
            first = await asyncio.gather(*(client.search(query) for query in ("cache", "build", "cache", "index")))
            again = await asyncio.gather(*(client.search(query) for query in ("cache", "build", "cache", "index")))
        assert first == again

    asyncio.run(ask())


def test_an_awaited_call_can_be_given_up(server: Any) -> None:
    async def ask() -> None:
        async with AsyncClient(f"{server.url}silent~manifest/", timeout=60) as client:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.1):
                    await client.search("cache")

    asyncio.run(ask())


def test_a_folder_serves_nothing_from_outside(site: Path, changed: Any, tmp_path: Path, href_of: Any) -> None:
    root, href = changed(), href_of(site, "guide/_chunks/install-1.md")
    secret = tmp_path / "secret.md"
    secret.write_bytes((site / href).read_bytes())
    link = root / href
    link.unlink()
    link.symlink_to(secret)
    with pytest.raises(infograph.client.ClientError) as caught:
        Client(root).read(href)
    assert caught.value.code == "outside"


TAKE_NOTHING = {"close", "refresh"}
"""Methods that take nothing and raise nothing of the client's."""
METHODS = sorted(name for name, _ in inspect.getmembers(Client, inspect.isfunction) if name[0] != "_")


@pytest.mark.parametrize("name", sorted({*METHODS} - {"close"}))
def test_the_example_of_a_method_runs(folder: Client, name: str) -> None:
    text = inspect.getdoc(getattr(Client, name)) or ""
    example = doctest.DocTestParser().get_doctest(text, {"client": folder}, name, None, 0)
    assert example.examples
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL)
    assert runner.run(example, out=said.append).failed == 0, "".join(said)


@pytest.mark.parametrize("name", sorted({*METHODS} - TAKE_NOTHING))
def test_a_method_says_what_it_takes_and_raises(name: str) -> None:
    method = getattr(Client, name)
    text, code = inspect.getdoc(method) or "", method.__code__
    assert "\n\nRaises ClientError: " in text
    for argument in code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]:
        assert f"\n{argument}: " in text, f"{name} says nothing of {argument}"


@pytest.mark.parametrize("name", METHODS)
def test_a_method_that_is_awaited_says_what_it_gives(name: str) -> None:
    text = inspect.getdoc(getattr(AsyncClient, name)) or ""
    assert not text.startswith("See ") and (name in TAKE_NOTHING or f"See `Client.{name}`." in text)

"""Runs `infograph` again and again without the third of a second that a fresh interpreter needs to start.

    python fork_server.py WORKING_DIRECTORY FILE_FOR_WHAT_IS_SAID ARGUMENT...

Runs that command itself, and then others in lines of JSON, `[working directory, file for what is said, arguments]`;
answers each with the exit status, negative for a signal. Each run is a fork of this process, which has everything
imported: what a run does to the process ends with it. Documents are cut in the process itself (`InlinePool`), so that
every call is made by one process, in one order; the model counts words.
"""

from __future__ import annotations

import functools
import gc
import importlib.util
import json
import os
import sys
import traceback
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def quicken() -> None:
    """As the fixture `quick` does in the process of the tests."""
    import infograph.build
    import infograph.embedding
    import infograph.embedding.backends as backends
    import infograph.execution.pool
    from infograph import web
    from infograph.config import Config

    spec = importlib.util.spec_from_file_location("shared_fixtures", HERE.parent / "conftest.py")
    assert spec is not None and spec.loader is not None
    shared: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(shared)
    embedder = shared.HashEmbedder()
    backend = backends.Backend(
        takes=Config().model.__eq__,
        identify=lambda model: (embedder.name, embedder.revision),
        load=lambda model, threads: embedder,
    )
    backends.BACKENDS = (backend, *backends.BACKENDS)
    infograph.execution.pool.Pool = shared.InlinePool
    infograph.embedding.load = functools.cache(infograph.embedding.load)
    published = web.files()
    web.files = lambda *_: {name: published[name] for name in sorted(published)[:: len(published) // 3]}
    infograph.build._SAVE_SECONDS = 0  # nobody edits these trees


def run(folder: str, said: str, arguments: list[str]) -> int:
    """One command, in this process; returns its exit status."""
    from infograph.cli import main

    os.chdir(folder)
    descriptor = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)
    os.close(descriptor)
    status: Any = 0
    try:
        main(arguments, prog_name="infograph")
    except SystemExit as end:
        status = end.code or 0
    except BaseException:  # noqa: BLE001 - what the interpreter would do at its end
        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    return int(status)


def fork(*job: Any) -> int:
    """The exit status of a job done in a fork."""
    child = os.fork()
    if not child:
        status = 1
        try:
            status = run(*job)
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main() -> None:
    quicken()
    answers = os.fdopen(os.dup(1), "w")
    folder, said, *arguments = sys.argv[1:]
    status = run(folder, said, arguments)
    gc.collect()
    gc.freeze()
    print(status, file=answers, flush=True)
    for line in sys.stdin:
        print(fork(*json.loads(line)), file=answers, flush=True)


main()

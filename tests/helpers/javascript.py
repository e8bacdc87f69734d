"""Runs scripts in Node.js, for tests that compare what the client in JavaScript does with what Python does."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="needs Node.js")

WEB = Path(__file__).parents[2] / "infograph/web"
CLIENT = WEB / "infograph.js"


def node_command(script: str, *arguments: str | Path) -> list[str]:
    """Returns the command that runs a script as a module.

    arguments: `process.argv[1]` and what follows; a path becomes a file URL, as `import` takes it
    """
    assert NODE is not None, "such a test carries `needs_node`"
    given = (own if isinstance(own, str) else own.as_uri() for own in arguments)
    return [NODE, "--input-type=module", "-e", script, "--", *given]


def run_node(
    script: str, *arguments: str | Path, given: Any = None, default: Callable[[Any], Any] | None = None
) -> Any:
    """Returns what a script prints, read as JSON. It gets `given` as JSON at its standard input.

    default: as of `json.dumps`, for values in `given` that JSON does not have
    """
    run = subprocess.run(
        node_command(script, *arguments),
        input=json.dumps(given, default=default),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=600,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)

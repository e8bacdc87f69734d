"""A process that brings the search bundle up to date, while the one that asks for it makes the files of topics.

Both take a second of Python at 24,000 chunks, and threads of one process would wait for each other: so this one reads
what the last build remembered while documents are cut, and needs no more of them than their pages.
"""

from __future__ import annotations

import gc
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from infograph.errors import InfographError
from infograph.execution.child import serve_parent
from infograph.files.disk import read_file
from infograph.formats.names import SEARCH
from infograph.pipeline.memory.state import BUNDLE, RecordsLost
from infograph.pipeline.worker.bundle_tasks import BundlerSetup, BundleTask, Searched
from infograph.pipeline.worker.search_files import SearchFiles
from infograph.search.writing.bundle_state import SearchState, unpack_state

_early: list[SearchState | None] = []
"""What was read of the last bundle before it was known what to do with it; at most one."""


def read_ahead(memory: Path) -> None:
    """Reads what is remembered of the last bundle, before the setup comes."""
    _early.append(unpack_state(read_file(memory / BUNDLE) or b""))


def begin(name: str, setup: BundlerSetup) -> Callable[[BundleTask], Searched | Exception]:
    """Returns what does the task of a build."""
    files = SearchFiles(setup.settings, setup.model, early=_early.pop if _early else None, build=setup.build)
    with suppress(RecordsLost):  # the task tries again, and its answer says so
        files.recall()

    def do(task: BundleTask) -> Searched | Exception:
        try:
            return files.updated_files(task.gone, dict(task.pages), anew=False, pack=True)
        except (InfographError, RecordsLost) as error:
            return error
        except Exception as error:  # noqa: BLE001 - a fault of ours must not end the process without a word
            traceback.print_exc()
            reason = f"made infograph fail: {type(error).__name__}: {error}"
            return InfographError(SEARCH, reason, "Please report it, with the lines above.")

    return do


def main() -> None:
    """Serves the task until the parent closes the pipe or ends."""
    gc.disable()  # see `pipeline.run`
    serve_parent(begin)

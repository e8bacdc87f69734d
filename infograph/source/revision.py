"""Asks git which version a source tree has, and when its documents were committed last."""

from __future__ import annotations

import subprocess
from pathlib import Path

from infograph.errors import ConfigError
from infograph.formats.names import OWN_FOLDERS, SPEC, VERSION_DIGITS, WEB_FOLDERS, WEB_ROOTS, spec_name
from infograph.model import MARKDOWN, OTHERS

_SOURCES = [f":(glob,icase)**/*{suffix}" for suffix in (*MARKDOWN, *OTHERS)]
_SPECS = (SPEC, spec_name("[0-9a-f]" * VERSION_DIGITS))
_OURS = [f":(exclude,glob)**/{name}" for name in (*(f"{folder}/**" for folder in sorted(OWN_FOLDERS)), *_SPECS)]
_OURS += [f":(exclude,glob){name}" for name in (*WEB_ROOTS, *(f"{folder}/*.js" for folder in WEB_FOLDERS))]


def source_version(root: Path) -> str | None:
    """Returns the last commit that changed documents of the tree, followed by `-dirty` where they differ from it.

    None outside of git and before the first commit.

    Not HEAD: commits elsewhere in the repository change nothing here, and outputs that are committed beside their
    sources must not make themselves out of date. Raises ConfigError when git cannot be run or refuses.
    """
    if not _in_git(root):
        return None
    commit = _git(root, "log", "-1", "--format=%H", "--", *_SOURCES, *_OURS).strip()
    if not commit:
        return None
    dirty = _git(root, "status", "--porcelain", "--", *_SOURCES, *_OURS)
    return f"{commit}-dirty" if dirty else commit


def commit_days(root: Path) -> dict[str, int]:
    """Returns the day, since 1970-01-01 in UTC, of the last commit of each document, by its path below the root;
    nothing outside of git. A document that was never committed has none, and edits since then do not count.

    Raises ConfigError where git cannot be run or refuses, and for a shallow clone, which says of most documents that
    its oldest commit changed them.
    """
    if not _in_git(root):
        return {}
    if _git(root, "rev-parse", "--is-shallow-repository", field=_CREATED).strip() == "true":
        hint = "Fetch the whole history (`fetch-depth: 0`), or take created_at out of `search.fields`"
        raise ConfigError("search.fields", f"{root} is a shallow clone, in which documents have no dates", hint)
    arguments = ("log", "--format=%x01%ct", "--name-only", "--no-renames", "--relative", "-z", "--", *_SOURCES, *_OURS)
    found: dict[str, int] = {}
    for commit in _git(root, *arguments, field=_CREATED).split("\x01")[1:]:
        time, *names = commit.split("\0")
        for name in names:
            if name := name.lstrip("\n"):
                found.setdefault(name, int(time) // 86_400)
    return found


def _in_git(root: Path) -> bool:
    return any((folder / ".git").exists() for folder in (root, *root.parents))


_VERSION = ("chunks.metadata", "source_version")
_CREATED = ("search.fields", "created_at")
"""A setting and what it asks git for."""
_SAID = {"source_version": "version", "created_at": "dates"}


def _git(root: Path, *arguments: str, field: tuple[str, str] = _VERSION) -> str:
    command = ["git", "-c", "core.fsmonitor=false", "-c", "core.quotepath=true", *arguments]
    try:
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=60, check=True)
    except subprocess.CalledProcessError as error:
        if "does not have any commits" in error.stderr:
            return ""
        reason = " ".join(error.stderr.split())
    except (OSError, subprocess.TimeoutExpired) as error:
        reason = str(error)
    else:
        return done.stdout
    setting, name = field
    hint = f"Take {name} out of `{setting}`, or make git work there."
    raise ConfigError(setting, f"git cannot tell the {_SAID[name]} of {root}: {reason}", hint)

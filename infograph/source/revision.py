"""Asks git which version a source tree has."""

from __future__ import annotations

import subprocess
from pathlib import Path

from infograph.errors import ConfigError
from infograph.formats.names import OWN_FOLDERS, SPEC, WEB_FOLDERS, WEB_ROOTS
from infograph.model import MARKDOWN, OTHERS

_SOURCES = [f":(glob,icase)**/*{suffix}" for suffix in (*MARKDOWN, *OTHERS)]
_OURS = [f":(exclude,glob)**/{name}" for name in (*(f"{folder}/**" for folder in sorted(OWN_FOLDERS)), SPEC)]
_OURS += [f":(exclude,glob){name}" for name in (*WEB_ROOTS, *(f"{folder}/*.js" for folder in WEB_FOLDERS))]


def source_version(root: Path) -> str | None:
    """Returns the last commit that changed documents of the tree, followed by `-dirty` where they differ from it.

    None outside of git and before the first commit.

    Not HEAD: commits elsewhere in the repository change nothing here, and outputs that are committed beside their
    sources must not make themselves out of date. Raises ConfigError when git cannot be run or refuses.
    """
    if not any((folder / ".git").exists() for folder in (root, *root.parents)):
        return None
    commit = _git(root, "log", "-1", "--format=%H", "--", *_SOURCES, *_OURS).strip()
    if not commit:
        return None
    dirty = _git(root, "status", "--porcelain", "--", *_SOURCES, *_OURS)
    return f"{commit}-dirty" if dirty else commit


def _git(root: Path, *arguments: str) -> str:
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
    hint = "Take source_version out of `chunks.metadata`, or make git work there."
    raise ConfigError("chunks.metadata", f"git cannot tell the version of {root}: {reason}", hint)

"""Compiles infograph/words/_compiled.c when a wheel is built or a checkout is installed in place.

Without a compiler, or where it fails, the package is built without the extension, and says so: infograph/words/pure.py
gives the same results. INFOGRAPH_PURE=1 compiles nothing; INFOGRAPH_PURE=0 makes it an error if compiling fails.
"""

from __future__ import annotations

import os
import platform
import shutil
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SWITCH = "INFOGRAPH_PURE"  # as in infograph/words/twins.py
SOURCE = Path("infograph", "words", "_compiled.c")
TAG = "cp311-abi3"
"""Python 3.11 and every later one: what `Py_LIMITED_API` in the source says."""


class CompiledWords(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the extension to a wheel. In place, it lies beside its source, where git ignores it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel":
            return
        self._work = tempfile.mkdtemp()
        built = self._built(Path(self._work))
        if version == "editable":
            for old in Path(self.root, SOURCE.parent).glob(f"{SOURCE.stem}.*"):
                if old.suffix in (".so", ".pyd"):
                    old.unlink()
            if built:
                shutil.copyfile(built, Path(self.root, SOURCE.parent, built.name))
        elif built:
            build_data["force_include"][str(built)] = (SOURCE.parent / built.name).as_posix()
            build_data["pure_python"] = False
            build_data["tag"] = f"{TAG}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if self.target_name == "wheel":
            shutil.rmtree(self._work)

    def _built(self, work: Path) -> Path | None:
        """Returns the extension; None where there is none."""
        switch = os.environ.get(SWITCH, "")
        if switch not in ("", "0"):
            return None
        if platform.python_implementation() != "CPython" or sysconfig.get_config_var("Py_GIL_DISABLED"):
            reason = "this Python has no limited API"
        else:
            reason = compiled(Path(self.root, SOURCE), work)
        found = [path for path in work.rglob(f"{SOURCE.stem}.*") if path.suffix in (".so", ".pyd")]
        if reason is None and len(found) == 1:
            return found[0]
        if switch:
            sys.exit(f"{SOURCE}: was not compiled ({reason}), and {SWITCH} is 0")
        print(f"{SOURCE}: was not compiled ({reason}). infograph works without it, only slower.", file=sys.stderr)
        return None


def compiled(source: Path, work: Path) -> str | None:
    """Compiles the extension into a folder. Returns why that failed; None where it did not."""
    from setuptools import Distribution, Extension  # finds the compiler of each platform, and its options
    from setuptools.errors import BaseError, CompileError, LinkError

    extension = Extension(
        ".".join(SOURCE.with_suffix("").parts),
        [str(source)],
        py_limited_api=True,
        extra_compile_args=[] if os.name == "nt" else ["-O3", "-g0"],
    )
    command = Distribution({"name": "infograph", "ext_modules": [extension]}).get_command_obj("build_ext")
    command.build_lib, command.build_temp = str(work), str(work / "objects")
    try:
        command.ensure_finalized()
        command.run()
    except (BaseError, CompileError, LinkError, OSError) as error:
        return str(error) or type(error).__name__
    return None

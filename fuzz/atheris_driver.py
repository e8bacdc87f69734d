"""Runs one target under libFuzzer: `python atheris_driver.py TARGET.py [libFuzzer options] [corpus folders]`.

Only infograph is instrumented, so that new branches in numpy or in a parser do not count as coverage.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random

import atheris

Mutate = Callable[[bytes, Random], bytes | None]
"""A function from an input and a source of randomness to another input; None where it cannot make one."""


def main() -> None:
    path = Path(sys.argv.pop(1))
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    target = module_from_spec(spec)
    with atheris.instrument_imports(include=["infograph"]):
        spec.loader.exec_module(target)
    atheris.instrument_func(target.check)
    if hasattr(target, "mutate"):
        atheris.Setup(sys.argv, target.check, custom_mutator=_mutator(target.mutate))
    else:
        atheris.Setup(sys.argv, target.check)
    atheris.Fuzz()


def _mutator(mutate: Mutate) -> Callable[[bytes, int, int], bytes]:
    """A mutator that uses the target's mutation half of the time, and libFuzzer's where it cannot or does not."""

    def mutator(data: bytes, most: int, seed: int) -> bytes:
        chance = Random(seed)
        made = mutate(data, chance) if chance.random() < 0.5 else None
        return atheris.Mutate(data, most) if made is None or len(made) > most else made

    return mutator


if __name__ == "__main__":
    main()

"""The map of the chunks: the same bytes on any machine and in any order, similar chunks near, none hidden."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys

import numpy as np
import pytest
from numpy.typing import NDArray

from infograph.formats.marks import is_marked
from infograph.web.chunk_map import LEVELS, MappedPage, map_file, places

DIMENSION = 256


def vectors(groups: int, each: int, seed: int = 7) -> NDArray[np.int8]:
    """Groups of similar vectors."""
    random = np.random.default_rng(seed)
    middles = random.integers(-90, 90, (groups, DIMENSION))
    rows = np.repeat(middles, each, axis=0) + random.integers(-30, 30, (groups * each, DIMENSION))
    return np.clip(rows, -127, 127).astype(np.int8)


def unpacked(data: bytes) -> tuple[list[list[object]], NDArray[np.int64]]:
    value = json.loads(data)
    rows = np.frombuffer(base64.b64decode(value["places"]), np.uint8).reshape(-1, 3).astype(np.int64)
    return value["pages"], np.stack([rows[:, 0] << 4 | rows[:, 1] >> 4, (rows[:, 1] & 15) << 8 | rows[:, 2]], axis=1)


def test_similar_chunks_lie_near_each_other() -> None:
    at = places(vectors(12, 20)).astype(float).reshape(12, 20, 2)
    middles = at.mean(axis=1)
    own = np.linalg.norm(at - middles[:, None], axis=2).mean()
    others = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    assert own * 3 < others[others > 0].mean()


def test_no_chunk_hides_another() -> None:
    at = places(vectors(15, 20))
    assert len({tuple(row) for row in at.tolist()}) == len(at)
    assert at.min() == 0
    assert at.max() == LEVELS - 1


@pytest.mark.parametrize("count", [0, 1, 2, 3, 5, 17])
def test_small_trees(count: int) -> None:
    at = places(vectors(1, count))
    assert at.shape == (count, 2)
    assert ((at >= 0) & (at < LEVELS)).all()


def test_equal_vectors_and_vectors_of_nothing() -> None:
    for rows in (np.zeros((40, DIMENSION), np.int8), np.full((40, DIMENSION), 127, np.int8)):
        assert len({tuple(row) for row in places(rows).tolist()}) == 40


def test_the_file_does_not_depend_on_the_order_of_pages() -> None:
    rows = vectors(10, 8)
    pages = [MappedPage(f"p{number:02}.md", 8, 7 * number) for number in range(10)]
    order = [3, 0, 9, 1, 2, 8, 4, 6, 5, 7]
    data = map_file(pages, rows)
    mixed = np.concatenate([rows[8 * number : 8 * number + 8] for number in order])
    assert map_file([pages[number] for number in order], mixed) == data
    listed, at = unpacked(data)
    assert listed == [[page.path, page.size, page.slot] for page in pages]
    assert (at == places(rows)).all()
    assert is_marked(data)
    assert map_file([], rows[:0]).endswith(b"}\n")


PROGRAM = """
import hashlib, sys
import numpy as np
from infograph.web.chunk_map import places
rows = np.random.default_rng(3).integers(-127, 128, (3000, 256)).astype(np.int8)
sys.stdout.write(hashlib.sha256(places(rows).astype("<i8").tobytes()).hexdigest())
"""
HASH = "44e98218f82d3e48d4caee0cc34b61e31230caae546c357797911c9cfb74fe73"


@pytest.mark.slow
@pytest.mark.parametrize("threads", ["1", "2"])
@pytest.mark.parametrize("kernel", ["Prescott", "Haswell", ""])
def test_the_same_bytes_whatever_kernel_multiplies(threads: str, kernel: str) -> None:
    """OpenBLAS sums in another order with each kernel and number of threads; other BLAS take the names for none."""
    environment = os.environ | {"OPENBLAS_NUM_THREADS": threads}
    if kernel:
        environment |= {"OPENBLAS_CORETYPE": kernel, "NPY_DISABLE_CPU_FEATURES": "AVX512F AVX512CD AVX512_SKX"}
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True
    )
    assert run.stdout == HASH

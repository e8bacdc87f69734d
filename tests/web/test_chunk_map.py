"""The map of the chunks: the same bytes on any machine and in any order, similar chunks near, none hidden."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from infograph.formats.marks import is_marked
from infograph.web import landmarks
from infograph.web.chunk_map import LEVELS, MappedPage, map_file, places
from infograph.web.landmarks import chance_keys

DIMENSION = 256


def vectors(groups: int, each: int, seed: int = 7) -> NDArray[np.int8]:
    """Groups of similar vectors."""
    random = np.random.default_rng(seed)
    middles = random.integers(-90, 90, (groups, DIMENSION))
    rows = np.repeat(middles, each, axis=0) + random.integers(-30, 30, (groups * each, DIMENSION))
    return np.clip(rows, -127, 127).astype(np.int8)


def placed(rows: NDArray[np.int8]) -> NDArray[np.int64]:
    """The places of the chunks of one page."""
    return places(rows, np.arange(len(rows)), chance_keys(["a.md"], np.array([len(rows)])))[0]


def unpacked(data: bytes) -> tuple[list[list[object]], NDArray[np.int64]]:
    value = json.loads(data)
    rows = np.frombuffer(base64.b64decode(value["places"]), np.uint8).reshape(-1, 3).astype(np.int64)
    return value["pages"], np.stack([rows[:, 0] << 4 | rows[:, 1] >> 4, (rows[:, 1] & 15) << 8 | rows[:, 2]], axis=1)


def test_similar_chunks_lie_near_each_other() -> None:
    at = placed(vectors(12, 20)).astype(float).reshape(12, 20, 2)
    middles = at.mean(axis=1)
    own = np.linalg.norm(at - middles[:, None], axis=2).mean()
    others = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    assert own * 3 < others[others > 0].mean()


def test_no_chunk_hides_another() -> None:
    at = placed(vectors(15, 20))
    assert len({tuple(row) for row in at.tolist()}) == len(at)
    assert at.min() == 0
    assert at.max() == LEVELS - 1


@pytest.mark.parametrize("count", [1, 2, 3, 5, 17])
def test_small_trees(count: int) -> None:
    at = placed(vectors(1, count))
    assert at.shape == (count, 2)
    assert ((at >= 0) & (at < LEVELS)).all()


def test_equal_vectors_and_vectors_of_nothing() -> None:
    for rows in (np.zeros((40, DIMENSION), np.int8), np.full((40, DIMENSION), 127, np.int8)):
        assert len({tuple(row) for row in placed(rows).tolist()}) == 40


def test_the_file_does_not_depend_on_the_order_of_pages() -> None:
    rows = vectors(10, 8)
    pages = [MappedPage(f"p{number:02}.md", 8, 7 * number) for number in range(10)]
    order = [3, 0, 9, 1, 2, 8, 4, 6, 5, 7]
    data, _ = map_file(pages, rows)
    mixed = np.concatenate([rows[8 * number : 8 * number + 8] for number in order])
    assert map_file([pages[number] for number in order], mixed)[0] == data
    listed, at = unpacked(data)
    assert listed == [[page.path, page.size, page.slot] for page in pages]
    assert (at == placed(rows)).all()
    assert is_marked(data)
    assert map_file([], rows[:0])[0].endswith(b"}\n")


@pytest.mark.parametrize("pages", [0, 1])
def test_a_tree_without_a_chunk(pages: int) -> None:
    data, left = map_file([MappedPage("a.md", 0, 0)] * pages, vectors(1, 0))
    listed, at = unpacked(data)
    assert (len(listed), at.shape, left) == (pages, (0, 2), None)


def test_a_map_that_starts_from_the_last_one_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages come, go, change and change places, and each map starts from what the one before has left."""
    monkeypatch.setattr(landmarks, "SAMPLE", 60)
    random = np.random.default_rng(5)
    parts = {f"p{number:02}.md": vectors(1, int(random.integers(1, 12)), number) for number in range(40)}
    last: list[tuple[str, int]] = []
    left: bytes | None = None
    stayed = 0
    for step in range(60):
        path = f"p{random.integers(0, 44):02}.md"
        size = len(parts.pop(path, ())) if step % 2 else int(random.integers(1, 12))
        if step % 5 and size:
            parts[path] = vectors(1, size, 100 + step)
        order = list(parts)
        random.shuffle(order)
        starts = dict(zip(order, np.cumsum([0, *(len(parts[name]) for name in order)]).tolist(), strict=False))
        numbers = [starts[name] + at if name in starts and name != path else -1 for name, n in last for at in range(n)]
        pages = [MappedPage(name, len(parts[name]), 0) for name in order]
        rows = np.concatenate([parts[name] for name in order])
        before = landmarks.Landmarks.load(left).renumbered(np.array(numbers, np.int32), len(rows)) if left else None
        data, found = map_file(pages, rows, before)
        assert data == map_file(pages, rows)[0]
        assert found is not None
        stayed += before is not None and before.sample == found.sample
        left, last = found.dump(), [(name, len(parts[name])) for name in order]
    assert 5 < stayed < 55, "some samples are the same, and some are not"


def test_where_most_chunks_are_new_they_are_not_held_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """As after an edit of every page that leaves the texts as they are."""
    monkeypatch.setattr(landmarks, "SAMPLE", 20)
    taken, held = landmarks._taken, list[int]()

    def _taken(rows: Any, chosen: NDArray[np.int64]) -> NDArray[np.int16]:
        held.append(len(chosen))
        return taken(rows, chosen)

    monkeypatch.setattr(landmarks, "_taken", _taken)
    rows, pages = vectors(30, 10), [MappedPage("a.md", 300, 0)]
    data, found = map_file(pages, rows)
    assert found is not None
    for new in (300, 21, 20, 1):
        numbers = np.arange(300, dtype=np.int32)
        numbers[:new] = -1
        assert map_file(pages, rows, found.renumbered(numbers, 300))[0] == data
    assert max(held) == 20
    assert landmarks.LANDMARKS < landmarks.UNKNOWN


def test_a_chunk_more_changes_the_sample_by_one_at_most() -> None:
    paths, sizes = [f"p{number}.md" for number in range(3000)], np.full(3000, 3)

    def sample() -> set[tuple[int, int]]:
        pages = np.repeat(np.arange(3000), sizes)
        chosen = landmarks.sampled(landmarks.chance_keys(paths, sizes))
        return {(int(pages[at]), int(at - np.searchsorted(pages, pages[at]))) for at in chosen}

    first = sample()
    sizes[1234] += 1
    assert len(first) == len(sample()) == landmarks.SAMPLE
    assert len(first - sample()) <= 1


PROGRAM = """
import hashlib, sys
import numpy as np
from infograph.web.chunk_map import places
rows = np.random.default_rng(3).integers(-127, 128, (3000, 256)).astype(np.int8)
at, _ = places(rows, np.arange(3000), np.arange(3000))
sys.stdout.write(hashlib.sha256(at.astype("<i8").tobytes()).hexdigest())
"""
HASH = "ae2b23e4de94c8e40de16820628ccc9a25123cd01fbb041304611f94ed1d6b2c"


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

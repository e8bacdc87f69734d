"""benchmarks/restructuring.py: units by key against Algorithm 2 of the paper, written down as it stands there."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

RESTRUCTURING = Path(__file__).parents[2] / "benchmarks" / "restructuring.py"


def _loaded() -> Any:
    """The module, which is no part of the package."""
    spec = spec_from_file_location(RESTRUCTURING.stem, RESTRUCTURING)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


restructuring = _loaded()


def algorithm_2(keys: list[str], sizes: list[int], most: int) -> list[tuple[int, ...]]:
    groups: dict[str, list[int]] = {}
    for place, key in enumerate(keys):
        if key:
            groups.setdefault(key, []).append(place)
    found = []
    for indices in groups.values():
        bins, size = [[indices[0]]], sizes[indices[0]]
        for index in indices[1:]:
            if size + sizes[index] + 2 <= most:
                bins[-1].append(index)
                size += sizes[index] + 2
            else:
                bins.append([index])
                size = sizes[index]
        found += [tuple(members) for members in bins]
    found += [(place,) for place, key in enumerate(keys) if not key]
    return sorted(found)


@given(
    st.lists(st.tuples(st.sampled_from(["", "gear wear", "shaft oil", "belts"]), st.integers(1, 900))),
    st.integers(1, 2000),
)
def test_it_is_algorithm_2(chunks: list[tuple[str, int]], most: int) -> None:
    keys, sizes = [key for key, _ in chunks], [size for _, size in chunks]
    units = restructuring.units_by_key(keys, sizes, most)
    assert units == algorithm_2(keys, sizes, most)
    assert sorted(chunk for unit in units for chunk in unit) == list(range(len(chunks)))
    for unit in units:
        assert len(unit) == 1 or sum(sizes[chunk] for chunk in unit) + 2 * (len(unit) - 1) <= most


def test_the_example_of_the_paper() -> None:
    keys = ["information retrieval", "exact matching", "latent models", "Information  Retrieval"]
    assert restructuring.units_by_key(keys, [1511, 700, 800, 990]) == [(0, 3), (1,), (2,)]
    assert 1511 + 990 + 2 == 2503 <= restructuring.MOST_CHARACTERS


def test_a_chunk_is_shown_with_what_its_neighbours_say() -> None:
    said = ["Oils the shaft.", "", "Cleans the belt."]
    assert restructuring.around(said, 1) == "Oils the shaft. Cleans the belt."
    assert restructuring.around(said, 0) == ""
    assert restructuring.around(said, 2) == ""

"""The map of the chunks starts from that of the last build, and is the one that a build from nothing draws."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from infograph.build import build
from infograph.config import load
from infograph.formats.names import EXPLORER_MAP
from infograph.web import landmarks


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many samples landmarks were found from."""
    monkeypatch.setattr(landmarks, "SAMPLE", 12)
    means, sizes = landmarks._means, list[int]()

    def _means(sample: Any) -> Any:
        sizes.append(len(sample))
        return means(sample)

    monkeypatch.setattr(landmarks, "_means", _means)
    return sizes


def test_an_edit_draws_the_map_of_a_build_from_nothing(
    tmp_path: Path, write_tree: Any, quick: Any, found: list[int]
) -> None:
    sections = "".join(f"## Part {part}\n\n" + f"The kettle {part} is warm. " * 60 + "\n\n" for part in range(4))
    docs = write_tree(tmp_path / "docs", {f"p{page:02}.md": f"# Page {page}\n\n{sections}" for page in range(30)})
    build(load(str(docs), environment={}))
    kept = 0
    for number in range(12):
        page = docs / f"p{7 * number % 30:02}.md"
        if number % 4 == 3:
            page.unlink(missing_ok=True)
        else:
            page.write_text(f"# Page\n\n{sections}## More {number}\n\n" + f"Whistles {number}. " * (90 * (number % 3)))
        before = len(found)
        build(load(str(docs), environment={}))
        kept += len(found) == before
        copy = tmp_path / f"copy{number}"
        copy.mkdir()
        for source in docs.glob("p*.md"):
            shutil.copy(source, copy)
        build(load(str(copy), environment={}))
        assert (docs / EXPLORER_MAP).read_bytes() == (copy / EXPLORER_MAP).read_bytes()
    assert 0 < kept < 12, "some edits leave the sample as it is, and some do not"

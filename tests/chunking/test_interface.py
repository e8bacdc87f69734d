from __future__ import annotations

import pytest

from infograph.chunking.interface import DocumentLayout
from infograph.source.blocks import parse_blocks
from infograph.source.document import decode


@pytest.mark.parametrize(
    ("source", "titled"),
    [
        ("text", False),
        ("# Top", False),
        ("---\ntitle: T\n---\ntext", True),
        ("---\ntitle: T\n---\n## Part", True),
        ("---\ntitle: T\n---\n# Top\n\ntext", False),
    ],
)
def test_the_title_of_the_front_matter_stands_for_an_h1_that_is_not_there(source: str, titled: bool) -> None:
    document = decode("a.md", source.encode())
    assert DocumentLayout(document, parse_blocks(document)[0]).titled_by_front_matter == titled

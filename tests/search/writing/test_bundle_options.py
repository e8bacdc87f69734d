"""The defaults are said twice more: in the configuration, and on the page of the format."""

from __future__ import annotations

import re
from pathlib import Path

from infograph.config import Config
from infograph.search.writing.bundle_options import DEFAULTS

PAGE = (Path(__file__).parents[3] / "sample-docs/reference/formats/search-bundle.md").read_text("utf-8")


def test_a_bundle_made_without_a_configuration_is_that_of_the_default_one() -> None:
    assert DEFAULTS.max_files == Config().search.max_files


def test_lists_have_the_limit_that_the_page_says() -> None:
    said = re.search(r"strongest postings \((\d+)\)", " ".join(PAGE.split()))
    assert said is not None
    assert float(said[1]) == DEFAULTS.most_postings


def test_the_sizes_that_were_measured() -> None:
    """Bytes and files a question: `benchmarks/search_bytes.py`."""
    assert (DEFAULTS.posting_bytes, DEFAULTS.document_bytes, DEFAULTS.vector_bytes) == (3000, 1500, 32768)

"""The defaults are said twice more: in the configuration, and on the page of the format."""

from __future__ import annotations

import re
from pathlib import Path

from infograph.config import Config
from infograph.search.writing.bundle_options import DEFAULTS

PAGE = (Path(__file__).parents[3] / "sample-docs/reference/formats/search-bundle.md").read_text("utf-8")


def test_a_bundle_made_without_a_configuration_is_that_of_the_default_one() -> None:
    search = Config().search
    assert (DEFAULTS.alpha, DEFAULTS.max_files) == (search.alpha, search.max_files)


def test_lists_have_the_limits_that_the_page_says() -> None:
    text = " ".join(PAGE.split())
    said = re.search(
        r"strongest postings \((\d+)\).* best chunks \((\d+) at the most.* \(a cosine of ([\d.]+)\)"
        r".* dense list \((\d+), a cosine of ([\d.]+)\)",
        text,
    )
    assert said is not None
    assert [float(number) for number in said.groups()] == [
        DEFAULTS.most_sparse,
        DEFAULTS.most_dense,
        DEFAULTS.least_dense,
        DEFAULTS.most_dense_absent,
        DEFAULTS.least_dense_absent,
    ]

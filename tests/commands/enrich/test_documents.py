"""A model is shown what a reader sees: included text, and no markup; and what it said holds for just that."""

from __future__ import annotations

from typing import Any

import pytest

from infograph.build import build
from infograph.progress import Silent

pytestmark = pytest.mark.usefixtures("in_this_process")

INCLUDER = "# Start\n\n:::{include} part.txt\n:::\n\nThe end of it all.\n"


def lacking(site: Any, fake: Any) -> int:
    """Builds, and returns how many chunks have no record."""
    settings = site.settings(fake, out=str(site.root.parent / "out"), model="static", cache=str(site.root.parent / "c"))
    return sum(notice.count for notice in build(settings, Silent()).notices if notice.kind == "enrichment")


@pytest.fixture
def including(site: Any) -> Any:
    site.write(a=INCLUDER, b="# Other\n\n/// note | Look\n\nA wombat digs.\n\n///\n")
    (site.root / "part.txt").write_text("The quokka smiles.\n")
    return site


def test_the_model_sees_the_included_text_and_no_markup(including: Any, fake: Any) -> None:
    including.run(fake)
    assert "The quokka smiles." in fake.record() and "{include}" not in fake.record()
    assert "A wombat digs." in fake.record() and "///" not in fake.record()


@pytest.mark.slow
def test_another_included_text_makes_the_record_old(including: Any, fake: Any) -> None:
    including.run(fake)
    calls = fake.calls
    assert including.run(fake).asked == 0
    assert lacking(including, fake) == 0
    (including.root / "part.txt").write_text("The quokka sleeps.\n")
    assert lacking(including, fake) == 1
    outcome = including.run(fake)
    assert (outcome.asked, outcome.dropped, fake.calls) == (1, 1, calls + 1)
    assert lacking(including, fake) == 0

"""Facts with numbers at their end: what is written is read back, whatever the text has in brackets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.formats.enriched_facts import claim_fact, image_fact, read_claim, read_image, read_section, section_fact


@given(st.text(), st.integers(0, 10**9), st.integers(0, 10**9))
def test_what_is_written_is_read_back(text: str, first: int, second: int) -> None:
    assert read_claim(claim_fact(text, first, second)) == {"claim": text, "start": first, "end": second}
    assert read_section(section_fact(text, first)) == {"summary": text, "chunks": first}


@pytest.mark.parametrize("fact", ["", "A claim", "A claim (x-y)", "A claim (1)"])
def test_numbers_that_are_none_are_what_no_reader_takes(fact: str) -> None:
    assert read_claim(fact)["end"] == 0


@given(st.text(), st.text())
def test_an_image_is_read_back_with_its_link(text: str, link: str) -> None:
    read = read_image(image_fact(text, link))
    assert read["description"] == text
    assert read["image"] == link.replace(" ", "%20").replace("(", "%28").replace(")", "%29")

"""Hits and remarks of which little is said."""

from __future__ import annotations

from infograph.search.format.results import Hit, Remarks


def test_what_is_not_said_of_a_hit() -> None:
    hit = Hit("p", "", "", 0, "", (), "", "", 1, "h", "", 1.0)
    assert (hit.simhash, hit.url, hit.duplicates) == ("0" * 16, "", ())
    assert int(hit.simhash, 16) == 0


def test_remarks_are_empty_and_of_one_answer() -> None:
    remarks = Remarks()
    assert (remarks.missing, remarks.corrected, remarks.notes) == ({}, {}, [])
    remarks.missing["a"] = remarks.corrected["a"] = "b"
    remarks.notes.append("c")
    assert Remarks() == Remarks({}, {}, [])

"""What a build keeps of entities for the next one."""

from __future__ import annotations

import pytest

from infograph.model import DocumentEntities, Mention
from infograph.pipeline.memory.entities import (
    EntityState,
    dump_entities,
    load_entities,
    pack_entities,
    unpack_entities,
)
from infograph.pipeline.memory.state import RecordsLost

RECORD = DocumentEntities(
    ((Mention("Größe", "name", 2), Mention("CORS", "title", 1)), ()),
    (("One.", (0,)), ("", ())),
    (("C", "See"),),
    3,
    "CORS",
)
STATE = EntityState(
    {"a.md": ("0" * 64, pack_entities(RECORD)), "b.md": ("1" * 64, b"")},
    "digest",
    ("_graph/manifest.json",),
    {"a.md": [(0, "b.md", "link"), (2, "b.md", "title")]},
)


def test_what_is_kept_reads_back() -> None:
    found = load_entities(b"".join(dump_entities(STATE)))
    assert found == STATE
    assert unpack_entities(found.documents["a.md"][1]) == RECORD


@pytest.mark.parametrize("place", [0, 40, -1])
def test_damage_and_nothing_are_lost_records(place: int) -> None:
    data = bytearray(b"".join(dump_entities(STATE)))
    data[place] ^= 1
    for lost in (bytes(data), b"", None):
        with pytest.raises(RecordsLost):
            load_entities(lost)

"""What a graph takes of the records of a document, whatever somebody wrote into them."""

from __future__ import annotations

from typing import Any

from infograph.enrich.named import named_by_records
from infograph.formats.enrichment import EnrichmentFile, EnrichmentRecord, digest_of
from infograph.model import Chunk

TEXTS = (
    "Cross-Origin Resource Sharing (CORS) is a rule.\n",
    "The server sends CORS headers to the browser.\n",
    "Nothing.\n",
)


def chunk(index: int) -> Chunk:
    text = TEXTS[index]
    own = (index, len(TEXTS), "T", ("Rules of the web",), text, text, (1, 1), (0, len(text)), 1)
    return Chunk("a.md", *own, False, "structural", digest_of(text))


CHUNKS = [chunk(index) for index in range(len(TEXTS))]


def record(index: int, fields: dict[str, Any], **more: Any) -> EnrichmentRecord:
    return EnrichmentRecord(digest_of(TEXTS[index]), "entities", "entities-1", "model", fields=fields, **more)


def entity(name: str) -> dict[str, str]:
    return {"name": name, "type": "TECH", "description": "What it is."}


def test_only_what_the_text_names_is_taken_and_short_forms_of_the_document_count() -> None:
    fields = {
        "entities": [entity("server"), entity("cross-origin resource sharing"), entity("Rules of the web")],
        "relations": [
            {"source": "server", "relation": "sends headers of", "target": "CORS"},
            {"source": "server", "relation": "obeys", "target": "Rules of the web"},
        ],
    }
    (place, found), *rest = named_by_records(CHUNKS, EnrichmentFile("a.md", records=(record(1, fields),))).items()
    assert (place, found.model, rest) == (1, "model", [])
    assert [name for name, _, _ in found.said.entities] == ["server", "cross-origin resource sharing"]
    assert found.said.relations == (("server", "sends headers of", "cross-origin resource sharing"),)
    assert found.said.dropped == ("Rules of the web",)


def test_a_chunk_without_a_record_that_holds_is_missing() -> None:
    other = EnrichmentRecord("0" * 64, "entities", "entities-1", "model", fields={"entities": []})
    failed = record(2, {}, failed="why")
    metadata = EnrichmentRecord(digest_of(TEXTS[0]), "metadata", "metadata-1", "model", fields={"title": "T"})
    assert named_by_records(CHUNKS, EnrichmentFile("a.md", records=(other, failed, metadata))) == {}
    assert named_by_records(CHUNKS, None) == {}


def test_of_two_records_the_pinned_one_counts() -> None:
    kept = record(1, {"entities": [entity("browser")], "relations": []}, pinned=True)
    made = record(1, {"entities": [entity("server")], "relations": []})
    found = named_by_records(CHUNKS, EnrichmentFile("a.md", records=(kept, made)))
    assert [name for name, _, _ in found[1].said.entities] == ["browser"]


def test_a_model_that_named_nothing_was_asked() -> None:
    found = named_by_records(CHUNKS, EnrichmentFile("a.md", records=(record(2, {"entities": [], "relations": []}),)))
    assert found[2].said.entities == ()

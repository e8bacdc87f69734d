"""What a person reads of the records of a tree."""

from __future__ import annotations

import json
from typing import Any

import pytest

from infograph.commands.enrich import modes
from infograph.commands.enrich.report import lost_keys_text
from infograph.commands.enrich.request import EnrichRequest

pytestmark = pytest.mark.usefixtures("in_this_process")


def test_related_keys_that_are_gone_are_counted_with_their_page_and_listed(site: Any, fake: Any) -> None:
    site.write(a="# Gears\n\n" + "Gears turn. " * 60 + "\n\n## Oil\n\n" + "Oil them. " * 60 + "\n")
    site.run(fake)
    settings = site.settings(fake)
    assert json.loads(modes.show_status(settings, EnrichRequest(), as_json=True))["lost_keys"] == []
    assert "related keys" not in modes.show_status(settings, EnrichRequest(), as_json=False).partition("\n\n")[0]

    file = site.records("a")
    first, second = (record["fields"] for record in file["records"])
    first["key"], second["related_keys"] = "gear turning", ["Gear  Turning", "gear grinding", 7]
    (site.root / "_enrichment" / "a.json").write_text(json.dumps(file))
    assert json.loads(modes.show_status(settings, EnrichRequest(), as_json=True))["lost_keys"] == [
        {"document": "a.md", "chunk": 1, "key": "gear grinding"}
    ]
    said = modes.show_status(settings, EnrichRequest(), as_json=False)
    assert "related keys that no chunk of their document has: 1, of 1 chunk in a.md. Builds leave them out" in said


def test_of_many_pages_the_first_are_named() -> None:
    (line,) = lost_keys_text([{"document": f"{number}.md", "chunk": 0, "key": "k"} for number in range(12)])
    assert "12, of 12 chunks in 0.md, 1.md" in line and "9.md and 2 more." in line

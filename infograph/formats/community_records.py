"""What a language model said of communities of entities: `_enrichment/communities.jsonl`, a line for each.

An input of builds like the records of documents, written by `infograph enrich --task communities`, to be committed:

    {"community": "61273af70748859a", "model": "…", "names": […], "prompt": "…", "summary": "…", "title": "…"}

`community` is the id, which is made of the entities that it has: of other entities it is another one, and the record is
stale. `pinned` keeps one as it is; one with `failed` says why there is nothing else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from infograph.errors import FormatError

LARGEST = 1 << 25
"""Most bytes of it that are read."""
_ID = re.compile("[0-9a-f]{16}")
_HINT = "Mend it, or remove the line and run `infograph enrich --task communities` again."


@dataclass(frozen=True, slots=True)
class CommunityRecord:
    """A model's words about one community."""

    community: str
    prompt: str
    """Version of the prompt."""
    model: str
    title: str = ""
    summary: str = ""
    names: tuple[str, ...] = ()
    """Names that matter most in it."""
    failed: str = ""
    pinned: bool = False


def render(records: Iterable[CommunityRecord]) -> bytes:
    """Returns the bytes of a file."""
    lines = []
    for own in sorted(records, key=lambda own: own.community):
        value: dict[str, Any] = {"community": own.community, "model": own.model, "prompt": own.prompt}
        said = {"title": own.title, "summary": own.summary, "names": list(own.names), "failed": own.failed}
        value |= {name: given for name, given in said.items() if given}
        value |= {"pinned": True} if own.pinned else {}
        lines.append(json.dumps(value, ensure_ascii=False, sort_keys=True) + "\n")
    return "".join(lines).encode("utf-8", "surrogatepass")


def parse(place: str, data: bytes) -> dict[str, CommunityRecord]:
    """Returns the records by community; of several a pinned one counts, else the last. Raises FormatError that names
    the line.

    place: the file's name in errors
    """
    if len(data) > LARGEST:
        raise FormatError(place, f"has more than {LARGEST >> 20} MiB", _HINT)
    found: dict[str, CommunityRecord] = {}
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            record = _record(json.loads(line))
        except (ValueError, RecursionError) as error:
            raise FormatError(f"{place}:{number}", f"is no record of a community: {error}", _HINT) from None
        known = found.get(record.community)
        if known is None or record.pinned or not known.pinned:
            found[record.community] = record
    return found


def _record(value: Any) -> CommunityRecord:
    """Reads a record. Raises ValueError."""
    if not isinstance(value, dict) or not _ID.fullmatch(str(value.get("community"))):
        raise ValueError("`community` must be the 16 digits of its id")
    texts = {name: value.get(name, "") for name in ("prompt", "model", "title", "summary", "failed")}
    if wrong := [name for name, text in texts.items() if not isinstance(text, str)]:
        raise ValueError(f"`{wrong[0]}` must be a text")
    names = value.get("names", [])
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ValueError("`names` must be a list of texts")
    return CommunityRecord(value["community"], **texts, names=tuple(names), pinned=value.get("pinned") is True)

"""Files that `infograph fit` writes, as JSON with a format number, before their fields are read."""

from __future__ import annotations

from typing import Any

import orjson

from infograph.errors import FormatError


def fitted_json(place: str, data: bytes, *, largest: int, version: int, hint: str) -> Any:
    """Returns the value of a file's JSON.

    place:   name of the file, for errors
    largest: most bytes that it may have
    version: its format, which this release knows

    Raises FormatError, with the hint, for one that is too large, no JSON, or of another version.
    """
    if len(data) > largest:
        raise FormatError(place, f"has {len(data):,} bytes, more than {largest:,}", hint)
    try:
        found = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise FormatError(place, f"is not JSON: {error}", hint) from None
    said = found.get("format") if isinstance(found, dict) else None
    if said != version or isinstance(said, bool):
        raise FormatError(place, f"its format is {str(said)[:40]}, and this release of infograph knows {version}", hint)
    return found

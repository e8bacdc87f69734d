"""The names, the format number and the limits that writer and reader of a search bundle agree on."""

from __future__ import annotations

FORMAT = 1


MANIFEST = "manifest.json"


DIRECTORY = 64
"""Names in a directory file."""

"""What infograph's files and folders are called: the one place that says so."""

from __future__ import annotations

CHUNKS = "_chunks"
TABLES = "_keywords"
KEYWORDS = f"{TABLES}/words.md"
SPEC = "topic-spec.md"
SPEC_TITLE = "— topic specification"
"""How the first line of a topic's specification ends."""
INDEX = "index.json"
SCHEMAS = "_schema"
SCHEMA = f"{SCHEMAS}/index.schema.json"
LLMS = "llms.txt"
NO_JEKYLL = ".nojekyll"
SEARCH = "_search"
"""The search bundle."""
SEARCH_MANIFEST = f"{SEARCH}/manifest.json"

OWN_FOLDERS = (CHUNKS, TABLES, SCHEMAS, SEARCH)
"""Folders that hold nothing but outputs."""

CACHE = ".embedding-cache"
PRIVATE = ".infograph"
"""What one machine remembers of its last build. Never published, safe to delete."""
LOCK = f"{PRIVATE}/lock"
STAGING = f"{PRIVATE}/staging"
OUTPUT_MARK = f"{PRIVATE}/output"
"""Present in an `--out` tree only: discovery never takes such a tree for sources."""


def join(topic: str, name: str) -> str:
    """Path of a file of a topic, relative to the root; the root topic is the empty string."""
    return f"{topic}/{name}" if topic else name

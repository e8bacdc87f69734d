"""What infograph's files and folders are called: the one place that says so."""

from __future__ import annotations

import re

from infograph.model import stem_of

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


QUESTIONS = "qa-pairs"
"""Stem of the document whose questions are matched to the chunks of its topic."""


def topic_of(path: str) -> str:
    """The topic a document belongs to."""
    return path.rpartition("/")[0]


def all_topics(documents: list[str]) -> list[str]:
    """Every directory that holds documents or lies above one, the root first, sorted."""
    topics = {""}
    for path in documents:
        topic = topic_of(path)
        while topic not in topics:
            topics.add(topic)
            topic = topic_of(topic)
    return sorted(topics)


def is_questions(path: str) -> bool:
    return stem_of(path.rpartition("/")[2]) == QUESTIONS


def output_topic(path: str) -> str:
    """The topic an output that is not a chunk file belongs to."""
    if is_table(path):
        return path[: -len(KEYWORDS)].rstrip("/")
    if path in (SCHEMA, LLMS, NO_JEKYLL) or is_published(path):
        return ""
    return topic_of(path)


_INDEX_FILE = re.compile(r"index(?:-\d+)?\.json")


SHARD_DIGITS = 16
"""Hex digits of SHA-256 in the name of a shard's file."""
SHARD_NAME = re.compile(rf"[a-z]-([0-9a-f]{{{SHARD_DIGITS}}})\.z")
"""Names of the files in `_search/`, except the manifest's."""
_SHARD = re.compile(rf"{SEARCH}/{SHARD_NAME.pattern}")


def is_table(path: str) -> bool:
    """Whether an authority table has this path."""
    return path == KEYWORDS or path.endswith("/" + KEYWORDS)


def is_index(path: str) -> bool:
    """Whether a page of a topic's index has this path."""
    return _INDEX_FILE.fullmatch(path.rpartition("/")[2]) is not None


def is_shard(path: str) -> bool:
    """Whether a file of the search bundle has this path: any but the manifest."""
    return _SHARD.fullmatch(path) is not None


NO_JEKYLL_TEXT = b"Written by infograph: Jekyll would leave out folders such as _chunks.\n"


FOLDER = "infograph"
"""Of the modules, in the output tree."""


CLIENT = "infograph.js"


PAGE = "explorer.html"


STEMMER = f"{FOLDER}/stemmer.js"


FOLDERS = (FOLDER, f"{FOLDER}/explorer")


_PUBLISHED = re.compile(rf"{CLIENT}|{PAGE}|{FOLDER}/(?:explorer/)?[a-z0-9-]+\.(?:js|css|svg)")


def is_published(path: str) -> bool:
    """Whether a file of this path, relative to the output tree, may be one of ours, of this version or another."""
    return _PUBLISHED.fullmatch(path) is not None

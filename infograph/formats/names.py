"""Names of the files and folders that infograph writes, and what a path says about the file: the one place for both."""

from __future__ import annotations

import re

from infograph.model import placed, stem_of

# ---- files and folders of an output tree -------------------------------------------------------------------------

CHUNKS = "_chunks"
"""Folder of a topic's chunk files."""
CONVERTED = ".converted.md"
"""End of the names of converted documents, which lie beside the chunk files that tile them."""
PACK = ".pack.txt"
"""End of the names of files that hold several chunks of a document, see `formats/pack.py`. With the suffix of plain
text every host compresses them, browsers show them, and generators copy them as they are."""
PACKED = 32
"""Most chunks in a pack. The chunks of most documents are one file then, and what is read along with a chunk stays at
some 64 KB: a chunk file has 2 KB on average. A number and no size, so that the name of a chunk's file follows from the
number of the chunk."""
TABLES = "_keywords"
"""Folder of a topic's keyword authority table."""
KEYWORDS = f"{TABLES}/words.md"
"""Keyword authority table of a topic."""
SPEC = "topic-spec.md"
"""Specification of a topic; with `--out` the newest copy, see `spec_name`."""
INDEX = "index.json"
"""First page of a topic's index; the others are `index-2.json` and so on."""
SCHEMAS = "_schema"
"""Folder of JSON schemas."""
SCHEMA = f"{SCHEMAS}/index.schema.json"
"""JSON Schema of index files."""
LLMS = "llms.txt"
"""Description of the tree, or of a topic that has too many pages for it, for language models."""
LLMS_FULL = "llms-full.txt"
"""All pages as one text."""
PAGES = "_pages"
"""Folder, at the root of an `--out` tree, of the pages as a reader sees them."""
_OTHER_PAGE = ".page.md"
"""End of the names of such pages whose document is no `.md` file."""
NO_JEKYLL = ".nojekyll"
"""File that keeps GitHub Pages from leaving out folders that begin with an underscore."""
SEARCH = "_search"
"""Folder of the search bundle."""
SEARCH_MANIFEST = f"{SEARCH}/manifest.json"
"""Manifest of the search bundle."""
GRAPH = "_graph"
"""Folder of the graph of entities."""
GRAPH_MANIFEST = f"{GRAPH}/manifest.json"
"""Manifest of the graph: the newest copy, see `graph_manifest_path`."""
GRAPH_KINDS = ("e", "g", "k", "r")
"""First letters of the names of shards in `_graph/`; no file of `_search/` has one of them."""
FEDERATION = "federation.json"
"""Manifest of several published trees that are searched as one."""
FEDERATION_FOLDER = "_federation"
"""Folder, beside it, of what the sites have together."""
COMMUNITIES = f"{GRAPH}/c-all.json"
"""The communities of entities that lie in no other."""
ALIASES = f"{GRAPH}/aliases.md"
"""Table of names that stand for others."""

CLIENT = "infograph.js"
"""Module for browsers that users import."""
CLIENT_TWIN = "infograph.mjs"
"""Module for Node.js that is the same as `CLIENT`: beside a `package.json` of type `commonjs` a `.js` is no module."""
SEARCH_BOX = "infograph-search.js"
"""Module for browsers that puts a search box into the pages of a site."""
CLIENT_TYPES = "infograph.d.ts"
"""Declarations of `CLIENT` for TypeScript."""
EXPLORER = "explorer.html"
"""Page that searches and shows the tree."""
WEB_FOLDER = "infograph"
"""Folder of the modules for browsers."""
WEB_PACKAGE = f"{WEB_FOLDER}/package.json"
"""Tells Node.js that these are modules, whatever a `package.json` above says."""
WEB_EXTRAS = (f"{WEB_FOLDER}/stats.js", f"{WEB_FOLDER}/webmcp.js")
"""Modules that users import beside `CLIENT`, or that the search box loads where a browser has agents."""
EXPLORER_START = f"{WEB_FOLDER}/explorer/start.json"
"""Figures of a tree and questions to begin with, for the explorer's first page."""
EXPLORER_MAP = f"{WEB_FOLDER}/explorer/map.json"
"""Places of all chunks on the explorer's map."""
EXPLORER_DATA = (EXPLORER_START, EXPLORER_MAP)
WEB_ROOTS = (CLIENT, CLIENT_TWIN, CLIENT_TYPES, SEARCH_BOX, EXPLORER, WEB_PACKAGE, *WEB_EXTRAS)
"""Files for browsers that a build publishes with each search bundle, and that no index links to."""
WEB_FOLDERS = (WEB_FOLDER, f"{WEB_FOLDER}/box", f"{WEB_FOLDER}/explorer")
"""Folders of the files for browsers, which may hold other files, too."""
STEMMER = f"{WEB_FOLDER}/stemmer.js"
"""Module for browsers that stems the words of the site's language."""

OWN_FOLDERS = (CHUNKS, TABLES, SCHEMAS, SEARCH, GRAPH)
"""Folders that hold nothing but outputs."""

# ---- files beside the sources that builds read -------------------------------------------------------------------

COMMUNITY_RECORDS = "communities.jsonl"
"""Name of the records of communities, which no document's records can have: these end in `.json`."""
ENRICHMENT = "_enrichment"
"""Folder of what a language model said of a topic's documents: an input, committed like the documents."""

# ---- files and folders of one machine, never published -----------------------------------------------------------

CACHE = ".embedding-cache"
"""Folder of the embedding cache."""
PRIVATE = ".infograph"
"""Folder of what one machine remembers of its last build; safe to delete."""
LLM_CACHE = ".llm-cache"
"""Folder of the raw answers of language models."""
LOCK = f"{PRIVATE}/lock"
"""File that a running build locks."""
STAGING = f"{PRIVATE}/staging"
"""Folder of outputs that are not published yet."""
OUTPUT_MARK = f"{PRIVATE}/output"
"""File that marks an `--out` tree: discovery never takes such a tree for sources."""
KEPT = f"{PRIVATE}/kept"
"""File that lists what of an `--out` tree stays for readers of earlier publications, see `pipeline/kept.py`."""
STORED_COPY = f"{PRIVATE}/store-"
"""Beginning of the path of the folder that holds a copy of what is published to an object store."""

# ---- objects beside a tree that is published to an object store --------------------------------------------------

PUBLISHER = f"{PRIVATE}/publisher"
"""Object that says who publishes at the moment, see `publishing/claim.py`."""
PUBLISHED = f"{PRIVATE}/published"
"""Object that lists what is published, see `formats/publication.py`."""

# ---- documents ---------------------------------------------------------------------------------------------------

QUESTIONS = "qa-pairs"
"""Stem of the document whose questions are matched to the chunks of its topic."""

VERSION_DIGITS = 10
"""Hex digits of SHA-256 in the names of files whose bytes never change: they only tell versions of one file apart."""
UNVERSIONED = "0" * VERSION_DIGITS
"""What stands in the place of a version while the digest of what has it is taken."""

_VERSION = re.compile(rf"(?<=.)\.[0-9a-f]{{{VERSION_DIGITS}}}\Z")
_VERSIONED = re.compile(
    rf".+\.[0-9a-f]{{{VERSION_DIGITS}}}(?:-\d+(?:\.md|{re.escape(PACK)})|{re.escape(CONVERTED)}|\.json)"
    rf"|topic-spec\.[0-9a-f]{{{VERSION_DIGITS}}}\.md"
)
_CHUNK_NAME = re.compile(rf".+-\d+(?:\.md|{re.escape(PACK)})")
_INDEX_NAME = re.compile(rf"index(?:-\d+)?(?:\.[0-9a-f]{{{VERSION_DIGITS}}})?\.json")
_SPEC_NAME = re.compile(rf"topic-spec(?:\.[0-9a-f]{{{VERSION_DIGITS}}})?\.md")
_MANIFEST = re.compile(rf"{SEARCH}/manifest(?:\.[0-9a-f]{{{VERSION_DIGITS}}})?\.json")
SHARD_DIGITS = 16
"""Hex digits of SHA-256 in the name of a shard's file."""
SHARD_NAME = re.compile(rf"[a-z]-([0-9a-f]{{{SHARD_DIGITS}}})\.z")
"""Names of the files in `_search/`, except the manifest's."""
_SHARD = re.compile(rf"(?:{SEARCH}|{GRAPH})/{SHARD_NAME.pattern}")
_GRAPH_MANIFEST = re.compile(rf"{GRAPH}/manifest(?:\.[0-9a-f]{{{VERSION_DIGITS}}})?\.json")
_COMMUNITY = re.compile(rf"{GRAPH}/c-(?:all|[0-9a-f]{{16}})(?:\.[0-9a-f]{{{VERSION_DIGITS}}})?\.json")
_PUBLISHED = re.compile(
    "|".join(map(re.escape, (*WEB_ROOTS, *EXPLORER_DATA)))
    + rf"|{WEB_FOLDER}/(?:(?:box|explorer)/)?[a-z0-9-]+\.(?:js|css|svg)"
)


def join(topic: str, name: str) -> str:
    """Path of a file of a topic, relative to the root; the root topic is the empty string."""
    return f"{topic}/{name}" if topic else name


def topic_of(path: str) -> str:
    """The topic of a document, or the folder of another file."""
    return placed(path)[0]


def enrichment_file(path: str) -> str:
    """File name of the records of a document, from its path."""
    return f"{stem_of(path.rpartition('/')[2])}.json"


def all_topics(documents: list[str]) -> list[str]:
    """Every folder that holds documents or lies above one, the root first, sorted."""
    topics = {""}
    for path in documents:
        topic = topic_of(path)
        while topic not in topics:
            topics.add(topic)
            topic = topic_of(topic)
    return sorted(topics)


def output_topic(path: str) -> str:
    """The topic of an output that is not a chunk file."""
    if is_table(path):
        return path[: -len(KEYWORDS)].rstrip("/")
    if path in (SCHEMA, LLMS_FULL, NO_JEKYLL, ALIASES) or is_published(path) or is_page(path):
        return ""
    return topic_of(path)


def is_questions(path: str) -> bool:
    """Whether a document is the one whose questions are matched to the chunks of its topic."""
    return stem_of(placed(path)[1]) == QUESTIONS


def named_by(stem: str, version: str) -> str:
    """What the names of a document's chunk files begin with: its stem, and in an `--out` tree the version of their
    bytes, so that an address never gets other bytes.

    version: `VERSION_DIGITS` hex digits, or empty
    """
    return f"{stem}.{version}" if version else stem


def index_name(number: int, version: str = "") -> str:
    """File name of a page of a topic's index, from 1; with a version, of the page whose bytes never change."""
    return f"{named_by('index' if number == 1 else f'index-{number}', version)}.json"


def spec_name(version: str) -> str:
    """File name of a topic's specification; with a version, of the one whose bytes never change."""
    return f"{named_by(SPEC.removesuffix('.md'), version)}.md"


def manifest_path(version: str) -> str:
    """Path of the search bundle's manifest; with a version, of the one whose bytes never change."""
    return f"{SEARCH}/{named_by('manifest', version)}.json"


def graph_manifest_path(version: str) -> str:
    """Path of the manifest of the graph, by which the search bundle leads to it: its bytes never change."""
    return f"{named_by(GRAPH_MANIFEST.removesuffix('.json'), version)}.json"


def communities_path(version: str) -> str:
    """Path of the communities that lie in no other; with a version, of the file whose bytes never change."""
    return f"{named_by(COMMUNITIES.removesuffix('.json'), version)}.json"


def is_community(path: str) -> bool:
    """Whether a community of the graph, or the list of those that lie in no other, has this path."""
    return _COMMUNITY.fullmatch(path) is not None


def unversioned(stem: str) -> str:
    """What `named_by` made a name from; a stem that has no version is returned as it is."""
    return _VERSION.sub("", stem)


def document_and_number(name: str) -> tuple[str, int]:
    """The stem of a document, without its version, and the number of the chunk, from the chunk file's name, or that of
    the first chunk from a pack's; -1 where there is none."""
    stem, _, number = (name.removesuffix(PACK) if is_pack_name(name) else name.removesuffix(".md")).rpartition("-")
    return unversioned(stem), int(number) if number.isascii() and number.isdecimal() else -1


def is_chunk_name(name: str) -> bool:
    """Whether a file in `_chunks` is called as chunk files, packs of them or converted documents are."""
    return _CHUNK_NAME.fullmatch(name) is not None or is_converted_name(name)


def chunk_name(stem: str, index: int) -> str:
    """File name of a chunk. No two documents of a topic share one, since the last number is always the index."""
    return f"{stem}-{index}.md"


def is_pack_name(name: str) -> bool:
    """Whether a file in `_chunks` is called as a pack of chunks is."""
    return name.endswith(PACK) and _CHUNK_NAME.fullmatch(name) is not None


def pack_name(stem: str, index: int) -> str:
    """File name, in `_chunks`, of the pack that holds a chunk; no other file of a topic has it, as with chunk files.

    stem:  what the names of the document's files begin with, see `named_by`
    index: number of the chunk
    """
    return f"{stem}-{index - index % PACKED}{PACK}"


def converted_name(stem: str) -> str:
    """File name, in `_chunks`, of the Markdown that a document was converted to. No chunk file has such a name."""
    return f"{stem}{CONVERTED}"


def is_converted_name(name: str) -> bool:
    """Whether a file in `_chunks` is called as the Markdown of converted documents is."""
    return name.endswith(CONVERTED) and name != CONVERTED


def page_path(document: str) -> str:
    """Path of the Markdown of a page as a reader sees it, from the path of its document; no two documents share one:
    what ends as those of other kinds do gets that end once more."""
    plain = document.endswith(".md") and not document.endswith(_OTHER_PAGE)
    return f"{PAGES}/{document}" if plain else f"{PAGES}/{document}{_OTHER_PAGE}"


def is_page(path: str) -> bool:
    """Whether the Markdown of a page as a reader sees it has this path: in a tree with a folder `_pages` of documents,
    none of the outputs of that folder."""
    folder, _, name = path.rpartition("/")
    own = is_spec(name) or folder.rpartition("/")[2] in OWN_FOLDERS
    return path.startswith(f"{PAGES}/") and path.endswith(".md") and not own


def is_table(path: str) -> bool:
    """Whether a keyword authority table has this path."""
    return path == KEYWORDS or path.endswith("/" + KEYWORDS)


def has_rows_set_by_hand(path: str) -> bool:
    """Whether a table has this path that people may set rows in: of keywords, or of aliases."""
    return is_table(path) or path == ALIASES


def is_index(path: str) -> bool:
    """Whether a page of a topic's index has this path."""
    return _INDEX_NAME.fullmatch(path.rpartition("/")[2]) is not None


def is_spec(path: str) -> bool:
    """Whether a topic's specification has this path."""
    return _SPEC_NAME.fullmatch(path.rpartition("/")[2]) is not None


def version_of(path: str) -> str:
    """The version in the name of an index page, a manifest or a specification; empty where it has none."""
    match = _VERSION.search(path.rpartition("/")[2].removesuffix(".json").removesuffix(".md"))
    return match[0][1:] if match else ""


def is_manifest(path: str) -> bool:
    """Whether a manifest of the search bundle has this path."""
    return _MANIFEST.fullmatch(path) is not None


def is_versioned(path: str) -> bool:
    """Whether the name of a file of ours says which bytes it has, so that it never gets others."""
    return is_shard(path) or (_VERSIONED.fullmatch(path.rpartition("/")[2]) is not None and is_output(path))


def is_shard(path: str) -> bool:
    """Whether a file of the search bundle or of the graph has this path whose name is the digest of its bytes."""
    return _SHARD.fullmatch(path) is not None


def is_graph(path: str) -> bool:
    """Whether a file of the graph other than its shards has this path."""
    return path == ALIASES or is_graph_manifest(path) or _COMMUNITY.fullmatch(path) is not None


def is_graph_manifest(path: str) -> bool:
    """Whether a manifest of the graph has this path."""
    return _GRAPH_MANIFEST.fullmatch(path) is not None


def shard_digest(path: str) -> str | None:
    """The first 16 hex digits of the SHA-256 of a shard, which its name has; None for another file's path."""
    match = _SHARD.fullmatch(path)
    return match and match[1]


def is_published(path: str) -> bool:
    """Whether a file for browsers, of this version or another, has this path; relative to the output tree."""
    return _PUBLISHED.fullmatch(path) is not None


def is_output(path: str) -> bool:
    """Whether infograph writes files of this path; relative to the output tree."""
    folder, _, name = path.rpartition("/")
    inner = folder.rpartition("/")[2]
    if inner == CHUNKS:
        return is_chunk_name(name)
    if inner == ENRICHMENT:  # an input: what was said of `index.md` has the name of an index
        return False
    return (
        name == LLMS
        or is_spec(name)
        or is_index(path)
        or path in (SCHEMA, LLMS_FULL, NO_JEKYLL)
        or is_page(path)
        or is_manifest(path)
        or is_shard(path)
        or is_graph(path)
        or is_published(path)
        or is_table(path)
    )


def is_own_name(folder: str, name: str) -> bool:
    """Whether infograph writes files of this name into one of `OWN_FOLDERS`, or into `ENRICHMENT`."""
    if folder == CHUNKS:
        return is_chunk_name(name)
    if folder == ENRICHMENT:
        return name.endswith((".json", ".jsonl"))
    path = f"{folder}/{name}"
    return path in (KEYWORDS, SCHEMA) or is_manifest(path) or is_shard(path) or is_graph(path)

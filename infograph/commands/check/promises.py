"""Checks the bytes of each published file: the rules of `infograph check`.

Sites of other releases keep these rules too: files are recognized by the mark by which a build knows its own outputs,
not by comparison with what this release would write.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from functools import cache

import orjson

from infograph import web
from infograph.errors import FormatError
from infograph.formats import chunk_file as chunkfile
from infograph.formats import pack
from infograph.formats.index_json import OWN_RELATIONS, DocumentChunks, IndexItem
from infograph.formats.marks import is_marked, written_by_us
from infograph.formats.names import (
    CHUNKS,
    EXPLORER,
    EXPLORER_DATA,
    LLMS_FULL,
    SCHEMA,
    SEARCH_BOX,
    STEMMER,
    WEB_FOLDER,
    is_graph_manifest,
    join,
)
from infograph.formats.page_file import said_size
from infograph.formats.unit_groups import groups_of_items
from infograph.model import Chunk
from infograph.search.format.bundle_manifest import GraphFile, UnknownFormatError, read_manifest
from infograph.search.format.graph_layout import LATEST
from infograph.search.format.graph_manifest import read_graph_manifest
from infograph.search.reading.listing import named_files
from infograph.text.units import DERIVED, LISTED, SPAN, misplaced

COMMUNITY = f"{OWN_RELATIONS}:community"
"""Relation that leads to a file of the graph's communities."""

_LEADS_TO = re.compile(rb'(?:\b(?:from|import)\s*\(?\s*"(?=\.)|\b(?:src|href)=")([^"]+)"')
"""The references of a JavaScript module (imports) and of the explorer's page (scripts and links)."""
_PAGE_START = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<!--.*?-->\s*)*<(?:!doctype html|html)\b", re.IGNORECASE | re.DOTALL)


WEB_PAGE = "answers with a web page instead of the file, as hosts do that send one for every address"


class Broken(Exception):
    """A file does not keep what its index, its name or its format promises."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        """Kind of the problem, as in `findings.Problem`."""


def is_web_page(data: bytes) -> bool:
    """Whether bytes are an HTML page, independent of the media type a server gives."""
    return _PAGE_START.match(data) is not None


def chunk_body(data: bytes) -> bytes:
    """The text of a chunk file, without its front matter; the whole file where it has none."""
    parts = chunkfile.split(data)
    return parts.text if parts.whole else data


def check_chunk(name: str, data: bytes, item: IndexItem, spans: Iterable[tuple[int, int]] = ()) -> str:
    """Raises Broken for a chunk file whose text is not the one of its index, that has no front matter of a chunk, or
    that does not have what its index says of units.

    spans: half-open ranges of bytes of its text as a reader sees it, in which units lie

    Returns a remark where front matter and index differ, which is only a warning: titles of a topic specification may
    be edited, and other releases know other keys. Returns an empty text where they agree.
    """
    if item.sha256 not in (None, hashlib.sha256(chunk_body(data)).hexdigest()):
        raise Broken("hash", "has other bytes than the index says: an old copy, or changed on the way")
    path = join(CHUNKS, name)
    if not data or not written_by_us(path, data):
        raise Broken("format", "has not the front matter of a chunk file")
    try:
        chunk = chunkfile.parse(path, data).chunk
    except FormatError as error:
        return error.reason
    _check_reach(chunk, spans)
    for what, said, promised in (
        ("index", chunk.index, item.index),
        ("title", chunk.title, item.title),
        ("section path", chunk.section_path, item.section_path),
    ):
        if said != promised:
            return f"its {what} is {said!r}, in the index {promised!r}"
    return ""


def check_pack(path: str, data: bytes) -> pack.Pack:
    """The chunk files that a pack holds. Raises Broken for what is none, or not the whole of it."""
    try:
        return pack.parse(path, data)
    except FormatError as error:
        raise Broken("format", error.reason) from None


def check_packed(held: pack.Pack, number: int) -> bytes:
    """The chunk file of a number in a pack. Raises Broken where it is not there."""
    try:
        return held.file("", number)
    except FormatError as error:
        raise Broken("missing", error.reason) from None


def check_text(path: str, data: bytes) -> None:
    """Raises Broken unless the file is a `topic-spec.md`, `llms.txt`, keyword table or schema that infograph wrote."""
    if path == SCHEMA:
        _json(data)
    if not data or not written_by_us(path, data):
        raise Broken("format", "is not what infograph wrote")
    if path == LLMS_FULL and said_size(data) != len(data) - data.index(b"\n") - 1:
        raise Broken("format", "has other bytes than its first line says: cut off, or changed on the way")


def check_manifest(path: str, data: bytes) -> tuple[tuple[int, int] | None, GraphFile | None]:
    """The number of pages and of chunks in a search bundle, None where its format is of another release; and the graph
    that it leads to, if any.

    Raises Broken for data that is no manifest.
    """
    said = _json(data)
    if not written_by_us(path, data):
        raise Broken("format", "is not the manifest of a search bundle")
    try:
        manifest = read_manifest(data)
    except UnknownFormatError:
        return None, None
    except FormatError as error:
        raise Broken("format", error.reason) from None
    pages = said.get("pages")
    if not isinstance(pages, int):
        raise Broken("format", "`pages` is missing")
    return (pages, manifest.chunks), manifest.graph


def check_graph(name: str, path: str, data: bytes, sha256: str) -> Iterator[tuple[str, str, str]]:
    """Yields the files of the graph that one of them leads to, each as the relation (empty for a shard), the address
    relative to it, and the digest that is stated, if any: chunks are checked by the indexes. Raises Broken for a file
    that is none, or has another digest.

    sha256: digest that the link to it states, or empty
    """
    if sha256 and hashlib.sha256(data).hexdigest() != sha256:
        raise Broken("hash", "has other bytes than were written")
    if not data or not written_by_us(path, data):
        raise Broken("format", "is no file of a graph")
    if is_graph_manifest(path):
        try:
            read_graph_manifest(data)
            yield from (("", shard, "") for shard in named_files(name, data))
        except UnknownFormatError:
            return
        except FormatError as error:
            raise Broken("format", error.reason) from None
    elif name.startswith("c-"):
        links = _json(data).get("_links")
        for relation in (COMMUNITY, "describedby", "up", LATEST):
            own = links.get(relation, []) if isinstance(links, dict) else []
            for link in own if isinstance(own, list) else [own]:
                if not isinstance(link, dict) or not isinstance(link.get("href"), str):
                    raise Broken("format", f"a link `{relation}` has no href")
                if not link["href"].startswith(".."):  # the root's index, which led here
                    yield relation, link["href"], str(link.get("sha256", ""))


def _json(data: bytes) -> dict[str, object]:
    """A JSON object. Raises Broken for anything else."""
    try:
        found = orjson.loads(data)
    except orjson.JSONDecodeError:
        raise Broken("format", "is not JSON") from None
    if not isinstance(found, dict):
        raise Broken("format", "is not a JSON object")
    return found


def check_web(path: str, data: bytes) -> list[str]:
    """The files that a file of the browser client or explorer loads, as hrefs relative to it: of the search box, the
    texts of every language too, one of which a page loads.

    Raises Broken for a file that infograph did not write, or that is not the whole of it.
    """
    if not is_marked(data):
        if is_web_page(data):
            raise Broken("web-page", WEB_PAGE)
        raise Broken("format", "is not what infograph wrote")
    if path.endswith(".json"):
        _json(data)
    elif _is_cut_off(path, data):
        raise Broken("format", "is cut off: publish it again")
    texts = [own for own in _files_for_browsers() if own.startswith(f"{WEB_FOLDER}/box/")] if path == SEARCH_BOX else []
    return [*(match.decode("utf-8", "replace") for match in _LEADS_TO.findall(data)), *texts]


def _is_cut_off(path: str, data: bytes) -> bool:
    """Whether a file for browsers ends in the middle. Those of all releases end with a line; a page may come with more
    behind it, as `serve --watch` and some hosts send it. One that begins as that of this release may be a shorter one
    of an earlier release, but then it ends where as many brackets are closed."""
    if path == EXPLORER:
        return b"</html>" not in data
    if not data.endswith(b"\n"):
        return True
    whole = _files_for_browsers().get(path, b"")
    return len(data) < len(whole) and whole.startswith(data) and _open(whole) != _open(data)


def _open(data: bytes) -> int:
    """Returns how many more brackets are opened than closed."""
    return sum(map(data.count, (b"(", b"[", b"{"))) - sum(map(data.count, (b")", b"]", b"}")))


def unlike_this_release(path: str, data: bytes) -> bool:
    """Whether a file for browsers has other bytes than this release publishes.

    Always False for the stemmer, which depends on the site's language, and for what the explorer shows of the site.
    """
    published = _files_for_browsers().get(path)
    if path == EXPLORER and published is not None:
        return web.unnamed(data) != web.unnamed(published)
    return path not in (STEMMER, *EXPLORER_DATA) and data != published


@cache
def _files_for_browsers() -> dict[str, bytes]:
    return web.files()


def inconsistencies(document: DocumentChunks) -> Iterator[str]:
    """Contradictions within one document of an index that a JSON schema cannot express."""
    indices = {item.index for item in document.items}
    if document.count != len(document.items) or len(indices) != document.count:
        yield f"count is {document.count}, but there are {len(indices)} different items"
    first = {document.baseline_conceptual}
    for name, order, left_out in (
        ("stripe_order", document.stripe_order, first),
        ("stripe_order_technical", document.stripe_order_technical, first | {document.baseline_technical}),
    ):
        if order is not None and sorted(order) != sorted(indices - left_out):
            yield f"{name} is not every chunk but the baseline, once"
    yield from _of_units(document)
    for item in document.items:
        if item.prompt_hashes_hex and tuple(int(digits, 16) for digits in item.prompt_hashes_hex) != item.prompt_hashes:
            yield f"prompt_hashes_hex of item {item.index} are not its prompt_hashes"


_TYPE = re.compile(r"[a-z][a-z_-]{0,40}")
"""A type of units, be it one that only another release knows."""


def _of_units(document: DocumentChunks) -> Iterator[str]:
    """Contradictions among the units of a document, which other releases do not list, or list of other types."""
    seen: set[tuple[str, int]] = set()
    for place, group in enumerate(document.units):
        if (group.type, group.level) in seen:
            yield f"units[{place}] is another group of type {group.type!r} and level {group.level}"
        seen.add((group.type, group.level))
        if group.slices and group.type in DERIVED:
            yield f"units[{place}] has slices of type {group.type!r}, which follow from the items"
        if group.slices and len(group.slices) != group.count:
            yield f"units[{place}].count is {group.count}, but there are slices of {len(group.slices)}"
        if not group.slices and group.type in LISTED:
            yield f"units[{place}] has no slices, which do not follow from the items for type {group.type!r}"
        if not _TYPE.fullmatch(group.type):
            yield f"units[{place}] has the type {group.type[:40]!r}, which is no word"
        if group.names and len(group.names) != len(group.slices):
            yield f"units[{place}] has {len(group.names)} names of {len(group.slices)} units"
        if len(set(group.slices)) < len(group.slices) and group.type != "image":  # of which two may share a sentence
            yield f"units[{place}] has a unit twice"
        for number, own in enumerate(group.slices):
            if wrong := misplaced(own, document.count):
                yield f"units[{place}].slices[{number}] {wrong}"
    if document.units:
        follow = {(own.type, own.level): own.count for own in groups_of_items(document.items)}
        said = {(own.type, own.level): own.count for own in document.units if own.type in DERIVED}
        for type, level in sorted(follow.keys() | said.keys()):
            promised, there = said.get((type, level), 0), follow.get((type, level), 0)
            if promised != there:
                yield f"units count {promised} of type {type!r} and level {level}, but {there} follow from the items"


def spans_of(document: DocumentChunks) -> dict[int, list[tuple[int, int]]]:
    """Returns the ranges of bytes in which units lie, by chunk: those that the index lists, and of propositions."""
    found: dict[int, list[tuple[int, int]]] = {}
    for own in (own for group in document.units for slices in group.slices for own in slices):
        if len(own) == SPAN:
            found.setdefault(own[0], []).append((own[1], own[2]))
    for item in document.items:
        for claim in item.enriched.propositions if item.enriched else ():
            found.setdefault(item.index, []).append((claim.start, claim.end))
    return found


def _check_reach(chunk: Chunk, spans: Iterable[tuple[int, int]]) -> None:
    """Raises Broken where a slice of a unit does not lie in a chunk, or parts a character of it."""
    shown = chunk.readable.encode("utf-8", "surrogatepass")
    for start, end in spans:
        if not start < end <= len(shown):
            raise Broken("unit", f"a unit has its bytes {start} to {end} of the {len(shown)} that a reader sees")
        if any(at < len(shown) and shown[at] & 0xC0 == 0x80 for at in (start, end)):
            raise Broken("unit", f"a unit has its bytes {start} to {end}, which part a character")

"""What a published file must be by its own bytes, whoever asks for it: the rules of `infograph check`.

Sites of other releases keep these promises, too: a file is told by the mark that a build knows its own outputs by,
never by comparison with what this release would write.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from functools import cache

import orjson

from infograph import web
from infograph.errors import FormatError
from infograph.formats import chunk_file as chunkfile
from infograph.formats.index_json import DocumentChunks, IndexItem
from infograph.formats.marks import is_marked, written_by_us
from infograph.formats.names import CHUNKS, SCHEMA, STEMMER, join
from infograph.search.format.manifest import UnknownFormatError, read_manifest

_LEADS_TO = re.compile(rb'(?:\b(?:from|import)\s*\(?\s*"(?=\.)|\b(?:src|href)=")([^"]+)"')
"""In a module what it imports, in the explorer's page what it loads."""
_PAGE_START = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<!--.*?-->\s*)*<(?:!doctype html|html)\b", re.IGNORECASE | re.DOTALL)


WEB_PAGE = "answers with a web page instead of the file, as hosts do that send one for every address"


class Broken(Exception):
    """A promise that a file does not keep."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        """As in `findings.Problem`."""


def is_web_page(data: bytes) -> bool:
    """Whether bytes are an HTML page, whatever a server calls them."""
    return _PAGE_START.match(data) is not None


def chunk_body(data: bytes) -> bytes:
    """What follows a chunk file's front matter; all of a file without one."""
    parts = chunkfile.split(data)
    return parts.text if parts.whole else data


def check_chunk(name: str, data: bytes, item: IndexItem) -> str:
    """Raises Broken for a chunk file of another text than its index says, or without the front matter of one.

    Returns a remark where the front matter says something else than the index; empty where both agree. That is no
    fault by itself: titles of a topic specification may be edited, and other releases know other keys.
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
    for what, said, promised in (
        ("index", chunk.index, item.index),
        ("title", chunk.title, item.title),
        ("section path", chunk.section_path, item.section_path),
    ):
        if said != promised:
            return f"its {what} is {said!r}, in the index {promised!r}"
    return ""


def check_text(path: str, data: bytes) -> None:
    """Raises Broken for another file in place of `topic-spec.md`, `llms.txt` or the schema."""
    if path == SCHEMA:
        _json(data)
    if not data or not written_by_us(path, data):
        raise Broken("format", "is not what infograph wrote")


def check_manifest(path: str, data: bytes) -> tuple[int, int] | None:
    """How many pages and chunks a bundle holds; None for one of a format that only other releases know. Raises Broken
    for what is no manifest."""
    said = _json(data)
    if not written_by_us(path, data):
        raise Broken("format", "is not the manifest of a search bundle")
    try:
        chunks = read_manifest(data).chunks
    except UnknownFormatError:
        return None
    except FormatError as error:
        raise Broken("format", error.reason) from None
    pages = said.get("pages")
    if not isinstance(pages, int):
        raise Broken("format", "`pages` is missing")
    return pages, chunks


def _json(data: bytes) -> dict[str, object]:
    try:
        found = orjson.loads(data)
    except orjson.JSONDecodeError:
        raise Broken("format", "is not JSON") from None
    if not isinstance(found, dict):
        raise Broken("format", "is not a JSON object")
    return found


def check_web(data: bytes) -> Iterator[str]:
    """What a file of the browser client or of the explorer leads to, hrefs relative to it. Raises Broken for one that
    is none of ours."""
    if not is_marked(data):
        if is_web_page(data):
            raise Broken("web-page", WEB_PAGE)
        raise Broken("format", "is not what infograph wrote")
    return (match.decode("utf-8", "replace") for match in _LEADS_TO.findall(data))


def unlike_this_release(path: str, data: bytes) -> bool:
    """Whether a file for browsers has other bytes than this release publishes; the stemmer depends on the site's
    language and is never said to."""
    return path != STEMMER and data != _files_for_browsers().get(path)


@cache
def _files_for_browsers() -> dict[str, bytes]:
    return web.files()


def inconsistencies(document: DocumentChunks) -> Iterator[str]:
    """What the schema cannot say of one document."""
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
    for item in document.items:
        if item.prompt_hashes_hex and tuple(int(digits, 16) for digits in item.prompt_hashes_hex) != item.prompt_hashes:
            yield f"prompt_hashes_hex of item {item.index} are not its prompt_hashes"

"""Examines an index: is it what it says that it is, and where does it lead?"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import orjson

from infograph.client.scope import RefusedError
from infograph.client.served_folder import Reply
from infograph.commands.check.findings import Problem
from infograph.commands.check.promises import (
    COMMUNITY,
    inconsistencies,
    spans_of,
)
from infograph.commands.check.target import Target
from infograph.commands.check.tasks import Examination, FileTask, PromisedChunk
from infograph.errors import FormatError
from infograph.formats.chunk_href import number_in_pack
from infograph.formats.index_bytes import build_id
from infograph.formats.index_json import OWN_RELATIONS, Index, IndexItem, decode_index
from infograph.formats.names import (
    SPEC,
)

_INDEX_RELATIONS = frozenset({"self", "first", "prev", "next", "parent", "related", "topics"})
"""Relations of links that lead to an index."""


_KINDS = {
    "profile": "text",
    "search": "search",
    "topic-spec": "text",
    f"{OWN_RELATIONS}:keywords": "text",
    f"{OWN_RELATIONS}:llms": "text",
    COMMUNITY: "graph",
}
"""Kind of the file that a relation leads to; other relations lead to files that only must exist."""


_MAY_LEAVE = frozenset({"source"})
"""Relations of links that may leave the tree, as documents may be published elsewhere; those are only counted."""


def examine_index(
    site: Target, task: FileTask, reply: Reply, result: Examination, problem: Callable[[str, str], None]
) -> None:
    """Examines an index, and follows its links.

    problem: takes a problem with the file, as its kind and a message
    """
    try:
        index = decode_index(reply.body, task.url)
    except FormatError as error:
        problem("format", str(error).removeprefix(f"{task.url}: "))
        return
    if index.build_id not in (None, build_id(reply.body)):
        problem("build-id", "has other bytes than were written: changed on the way")
    if not task.linked_from and reply.media_type and reply.allow_origin != "*":
        message = "has no `Access-Control-Allow-Origin: *`: pages of other origins cannot read the graph"
        result.warnings.append(Problem(task.url, "cors", message, ""))
    result.build_id = index.build_id or ""
    result.topics = int(index.links.prev is None)
    result.documents = len(index.embedded.chunks.documents)
    result.pages = sum(bool(document.items) for document in index.embedded.chunks.documents.values())

    def follow(
        relation: str, href: str, kind: str, item: IndexItem | None = None, spans: Sequence[tuple[int, int]] = ()
    ) -> None:
        try:
            url = site.scope.resolve(task.url, href)
        except RefusedError as error:
            if error.outside and relation in _MAY_LEAVE:
                result.external += 1
            else:
                result.problems.append(Problem(href, "address", f"link `{relation}`: {error}", task.url))
            return
        if relation == "self" and kind == "index" and site.scope.key(url) != site.scope.key(task.url):
            problem("moved", f"says that it is {url}: the tree is not where its base URL says")
        number = number_in_pack(href) if item else None
        result.tasks.append(FileTask(url, kind, task.url, (PromisedChunk(number, item, spans),) if item else ()))
        if kind == "chunk":
            result.chunks.add(site.scope.key(url) + ("" if number is None else f"#{number}"))
        _note(relation, url, result)

    # Chunks first: other links to the same file come without its hash.
    for name, document in index.embedded.chunks.documents.items():
        for complaint in inconsistencies(document):
            problem("inconsistent", f"{name}: {complaint}")
        spans = spans_of(document)
        for item in document.items:
            follow("item", item.href, "chunk", item, spans.get(item.index, ()))
    result.tasks = _by_file(result.tasks)
    own, before = index.links.topic_spec, index.links.prev
    if (own or before) and not result.problems:
        with contextlib.suppress(RefusedError):  # said where it is followed
            url = site.scope.resolve(task.url, own.href if own else SPEC)
            documents = index.embedded.chunks.documents
            result.described = url, {document.source: document for document in documents.values()}
    _follow_own_links(orjson.loads(reply.body), index, follow)


def _note(relation: str, url: str, result: Examination) -> None:
    """Notes where an index leads that conclusions are drawn from."""
    if relation in ("next", "topic"):
        result.below.append(url)
    elif relation == "search":
        result.search = url
    elif relation == COMMUNITY:
        result.communities.append(url)


def _by_file(tasks: Iterable[FileTask]) -> list[FileTask]:
    """Puts the chunks of each pack into one task."""
    found: dict[str, FileTask] = {}
    for task in tasks:
        known = found.get(task.url)
        if known is None or not task.numbers:
            found.setdefault(task.url, task)
        else:
            found[task.url] = replace(known, items=known.items + task.items)
    return list(found.values())


def _follow_own_links(body: dict[str, Any], index: Index, follow: Callable[[str, str, str], None]) -> None:
    """Follows every link of an index, including those with unknown relations."""
    follow("self", index.links.self_.href, "index")
    for relation, link in _all_links(body):
        if relation in _INDEX_RELATIONS:
            # `self` of an embedded topic is the address of another file.
            follow("topic" if relation == "self" else relation, link["href"], "index")
        else:
            follow(relation, link["href"], _KINDS.get(relation, "file"))


def _all_links(body: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The links of a HAL resource and of its embedded resources, as pairs of relation and link; without templates."""
    for relation, value in body.get("_links", {}).items():
        for link in value if isinstance(value, list) else [value]:
            if isinstance(link, dict) and isinstance(link.get("href"), str) and not link.get("templated"):
                yield relation, link
    for value in body.get("_embedded", {}).values():
        for resource in value if isinstance(value, list) else [value]:
            if isinstance(resource, dict):
                yield from _all_links(resource)

"""Examines a file by its kind, and says which files it leads to."""

from __future__ import annotations

import contextlib
import hashlib
import posixpath
import re
from collections.abc import Iterator
from urllib.parse import urljoin

from infograph.client.scope import RefusedError
from infograph.client.served_folder import NoReplyError, Reply, ServedFolder
from infograph.commands.check.findings import Problem
from infograph.commands.check.indexes import examine_index
from infograph.commands.check.promises import (
    COMMUNITY,
    WEB_PAGE,
    Broken,
    check_chunk,
    check_graph,
    check_manifest,
    check_pack,
    check_packed,
    check_text,
    check_web,
    is_web_page,
    unlike_this_release,
)
from infograph.commands.check.specifications import read_specification
from infograph.commands.check.target import Target
from infograph.commands.check.tasks import Examination, FileTask
from infograph.commands.check.tiling import check_converted, tile_of
from infograph.errors import FormatError
from infograph.formats.marks import is_marked, written_by_us
from infograph.formats.names import (
    EXPLORER_DATA,
    LLMS,
    LLMS_FULL,
    SEARCH_MANIFEST,
    SPEC,
    WEB_ROOTS,
    chunk_name,
    is_graph_manifest,
    is_index,
    is_manifest,
    is_published,
    is_spec,
    version_of,
)
from infograph.search.format.graph_layout import LATEST
from infograph.search.reading.listing import named_files

_LISTED = re.compile(rb"^- \[(?:[^\]\\]|\\.)*\]\(([^()\s]+)\)|\[llms(?:-full)?\.txt\]\(([^()\s]+)\)", re.MULTILINE)
"""A line of an `llms.txt` that leads to a page, a topic or another one."""


def examine(site: Target, task: FileTask) -> Examination:
    """Requests one file and examines the reply."""
    result = Examination()

    def problem(kind: str, message: str) -> None:
        result.problems.append(Problem(task.url, kind, message, task.linked_from))

    try:
        reply = site.get(task.url)
    except RefusedError as error:
        problem("address", str(error))
        return result
    except NoReplyError as error:
        problem("no-reply", str(error))
        return result
    result.bytes = len(reply.body)
    if reply.status != 200:
        gone = reply.status in (404, 410)
        told = "there is no such file" if gone and isinstance(site, ServedFolder) else f"answers {reply.status}"
        problem("missing" if gone else "status", told)
        return result
    result.answered = True
    path = "/".join(site.scope.segments(task.url))
    if _is_web_page(task, reply):
        problem("web-page", WEB_PAGE)
    elif task.kind == "index":
        examine_index(site, task, reply, result, problem)
    else:
        try:
            _examine_file(site, task, path, reply.body, result)
        except Broken as error:
            problem(error.kind, str(error))
    return result


def _is_web_page(task: FileTask, reply: Reply) -> bool:
    """Whether a web page came instead of the file; a source may be a page, and the explorer is one."""
    if task.kind == "web":
        return reply.media_type == "text/html" and not is_marked(reply.body)
    if reply.media_type:
        return reply.media_type == "text/html" and reply.body.lstrip()[:1] == b"<"
    return task.kind != "file" and is_web_page(reply.body)


def _examine_file(site: Target, task: FileTask, path: str, data: bytes, result: Examination) -> None:
    """Examines a file that is no index. Raises Broken."""
    name = path.rpartition("/")[2]
    if task.kind == "chunk" and task.items:
        _examine_chunks(task, path, data, result)
    elif task.kind == "converted":
        result.parts.append(check_converted(data))
    elif task.kind == "text" and path == LLMS and data and not written_by_us(path, data):
        # A build leaves it alone, too.
        result.warnings.append(Problem(task.url, "format", "is not what infograph wrote", task.linked_from))
    elif task.kind == "text":
        check_text(path, data)
        if is_spec(name):
            _examine_specification(task, path, data, result)
        if name == LLMS:
            result.tasks += _listed_tasks(site, task.url, data)
    elif task.kind == "web":
        for href in check_web(path, data):
            result.tasks += _web_tasks(site, task.url, href)
        result.foreign = unlike_this_release(path, data)
    elif task.kind == "graph":
        for relation, href, sha256 in check_graph(name, path, data, task.sha256):
            try:
                url = site.scope.resolve(task.url, href)
            except RefusedError as error:
                result.problems.append(Problem(href, "address", str(error), task.url))
                continue
            result.tasks.append(FileTask(url, "graph", task.url, sha256=sha256))
            if relation == LATEST:
                result.latest = url
            elif relation == COMMUNITY:
                result.communities.append(url)
        if is_graph_manifest(path):
            result.graph = hashlib.sha256(data).hexdigest()
    elif task.kind == "search":
        if is_manifest(path):
            result.searchable, graph = check_manifest(path, data)
            if graph is not None:
                result.tasks.append(FileTask(urljoin(task.url, graph.href), "graph", task.url, sha256=graph.sha256))
                result.graph = graph.sha256
            result.manifest = hashlib.sha256(data).hexdigest()
            # A build publishes these with each bundle, but no index links to them; clients open the first.
            result.tasks.append(FileTask(urljoin(task.url, posixpath.basename(SEARCH_MANIFEST)), "search", task.url))
            for published in (*WEB_ROOTS, *EXPLORER_DATA):
                result.tasks += _web_tasks(site, task.url, f"../{published}")
        try:
            names = named_files(name, data)
        except FormatError as error:
            raise Broken("hash", error.reason) from None
        result.tasks += (FileTask(urljoin(task.url, name), "search", task.url) for name in names)


def _examine_specification(task: FileTask, path: str, data: bytes, result: Examination) -> None:
    """Examines a topic's specification. Raises Broken."""
    documents, digest = read_specification(path, data), hashlib.sha256(data).hexdigest()
    if is_spec(task.linked_from):  # the newest copy, for people: of this publication or of a later one
        if not digest.startswith(version_of(task.linked_from)):
            message = "is not the one that the index leads to: edited since, or a build is publishing: build again"
            result.warnings.append(Problem(task.url, "publication", message, task.linked_from))
        return
    result.specification = documents
    if version := version_of(path):
        if not digest.startswith(version):
            raise Broken("hash", "has other bytes than were written: changed since, or on the way")
        result.tasks.append(FileTask(urljoin(task.url, SPEC), "text", task.url))


def _examine_chunks(task: FileTask, path: str, data: bytes, result: Examination) -> None:
    """Examines a chunk file, or the chunks of a pack, each as the file that it would be. Raises Broken for what is no
    whole file."""
    held = check_pack(path, data) if task.numbers else None
    folder, _, name = path.rpartition("/")
    for number, item, spans in task.items:
        url, own = task.url, data
        try:
            if held is not None and number is not None:
                url, name = f"{task.url}#{number}", chunk_name(name.rpartition("-")[0], number)
                own = check_packed(held, number)
            if remark := check_chunk(name, own, item, spans):
                result.warnings.append(Problem(url, "front-matter", remark, task.linked_from))
            elif tile := tile_of(task.url, f"{folder}/{name}", own):
                result.parts.append(tile)
                result.tasks.append(FileTask(tile.url, "converted", task.url))
        except Broken as error:
            if held is None:
                raise
            result.problems.append(Problem(url, error.kind, str(error), task.linked_from))


def _listed_tasks(site: Target, here: str, data: bytes) -> Iterator[FileTask]:
    """The files of the tree that an `llms.txt` leads to."""
    for match in _LISTED.finditer(data):
        with contextlib.suppress(RefusedError):  # documents may be published elsewhere
            url = site.scope.resolve(here, (match[1] or match[2]).decode("utf-8", "replace"))
            name = url.rpartition("/")[2]
            kind = "index" if is_index(name) else "text" if name in (LLMS, LLMS_FULL) else "file"
            yield FileTask(url, kind, here)


def _web_tasks(site: Target, here: str, href: str) -> Iterator[FileTask]:
    """The file that a file for browsers loads, if it is one of those that a build publishes."""
    with contextlib.suppress(RefusedError):  # none of the published files leads out of the tree
        url = site.scope.resolve(here, href)
        if is_published("/".join(site.scope.segments(url))):
            yield FileTask(url, "web", here)

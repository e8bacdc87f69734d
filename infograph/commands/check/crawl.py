"""`infograph check`: checks that a published tree answers with what its links promise.

Starts at the root's index and follows every link. An index must match the schema and its `build_id`, a chunk its
`sha256`, the chunks of a converted document must tile its Markdown, a shard of the search bundle the digest in its
name; the bundle's manifest must count what the indexes hold. A specification must say what the index says that is made
from it. Keyword tables, `llms.txt` and the schema must be files that infograph wrote. Where there is a search bundle,
there must also be the browser client and the explorer, with all that they load; no checksums of these are published, so
that other bytes than those of this release are only a warning. Everything else, in particular sources, must exist.
"""

from __future__ import annotations

import contextlib
import hashlib
import posixpath
import re
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit

import orjson

from infograph.client.place import FOLDER_BASE
from infograph.client.scope import RefusedError
from infograph.client.served_folder import NoReplyError, Reply, ServedFolder, root_folder
from infograph.commands.check.findings import CheckReport, FileCount, Problem
from infograph.commands.check.orphans import orphans
from infograph.commands.check.promises import (
    WEB_PAGE,
    Broken,
    check_chunk,
    check_graph,
    check_manifest,
    check_pack,
    check_packed,
    check_text,
    check_web,
    inconsistencies,
    is_web_page,
    spans_of,
    unlike_this_release,
)
from infograph.commands.check.specifications import Specifications, read_specification
from infograph.commands.check.target import CheckLimits, Target, open_target
from infograph.commands.check.tiling import Tile, Tilings, Whole, check_converted, tile_of
from infograph.errors import FormatError
from infograph.formats.chunk_href import number_in_pack
from infograph.formats.index_bytes import build_id
from infograph.formats.index_json import OWN_RELATIONS, DocumentChunks, Index, IndexItem, decode_index
from infograph.formats.marks import is_marked, written_by_us
from infograph.formats.names import (
    EXPLORER_DATA,
    INDEX,
    LLMS,
    LLMS_FULL,
    SEARCH_MANIFEST,
    SPEC,
    WEB_ROOTS,
    chunk_name,
    is_index,
    is_manifest,
    is_published,
    is_spec,
    version_of,
)
from infograph.model import SpecSource
from infograph.search.reading.listing import named_files

_INDEX_RELATIONS = frozenset({"self", "first", "prev", "next", "parent", "related", "topics"})
"""Relations of links that lead to an index."""
_KINDS = {
    "profile": "text",
    "search": "search",
    "topic-spec": "text",
    f"{OWN_RELATIONS}:keywords": "text",
    f"{OWN_RELATIONS}:llms": "text",
    f"{OWN_RELATIONS}:community": "graph",
}
"""Kind of the file that a relation leads to; other relations lead to files that only must exist."""
_NAMED = {
    "index": "indexes",
    "chunk": "chunks",
    "search": "search",
    "graph": "graph",
    "converted": "converted",
    "text": "descriptions",
    "web": "browser",
    "file": "sources",
}
"""Kinds of files as a report names them."""
_MAY_LEAVE = frozenset({"source"})
"""Relations of links that may leave the tree, as documents may be published elsewhere; those are only counted."""

_LISTED = re.compile(rb"^- \[(?:[^\]\\]|\\.)*\]\(([^()\s]+)\)|\[llms(?:-full)?\.txt\]\(([^()\s]+)\)", re.MULTILINE)
"""A line of an `llms.txt` that leads to a page, a topic or another one."""

HIDDEN = (
    "Hosts and generators leave such names out. GitHub Pages does when it runs Jekyll: publish an empty `.nojekyll` at "
    "the root of the site. Docusaurus does in its docs folder: build with --out into its `static` folder, or into the "
    "finished site"
)


class _Promised(NamedTuple):
    """What an index says of a chunk."""

    number: int | None
    """Number by which the link names it in a pack; None for a file of its own."""
    item: IndexItem
    spans: Sequence[tuple[int, int]] = ()
    """Bytes in which units lie, see `check_chunk`."""


@dataclass(frozen=True, slots=True)
class _Task:
    """A file to request, and what it must be."""

    url: str
    kind: str
    """What the file must be: `index`, `chunk`, `search` (a file of the search bundle), `graph` (one of the graph's),
    `converted` (the text that the chunks of a converted document tile), `text` (another text that infograph writes),
    `web` (one of the browser client or explorer), or `file` (anything)."""
    linked_from: str
    items: tuple[_Promised, ...] = ()
    """What the index says of its chunks; nothing for other files."""
    sha256: str = ""
    """Digest that the link states; empty where it states none."""

    @property
    def numbers(self) -> set[int]:
        """Numbers of the chunks that are looked for in a pack."""
        return {own.number for own in self.items if own.number is not None}


@dataclass(slots=True)
class _Result:
    """The outcome of one file's examination."""

    problems: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)
    tasks: list[_Task] = field(default_factory=list)
    bytes: int = 0
    answered: bool = False
    build_id: str = ""
    """What an index says that it is."""
    topics: int = 0
    documents: int = 0
    pages: int = 0
    """Number of documents that have chunks."""
    below: list[str] = field(default_factory=list)
    """URLs of the pages that follow an index and of the indexes of the topics below it."""
    chunks: set[str] = field(default_factory=set)
    """Keys of the chunks that an index lists."""
    search: str = ""
    """URL of the manifest that an index leads to."""
    external: int = 0
    parts: list[Tile | Whole] = field(default_factory=list)
    """The slices that chunks of a converted document are, or such a document."""
    described: tuple[str, dict[str, DocumentChunks]] = ("", {})
    """Address of the specification that an index was made from, and its documents by name."""
    specification: dict[str, SpecSource] | None = None
    """Documents of a specification by name."""
    manifest: str = ""
    """Digest of the manifest of a search bundle."""
    searchable: tuple[int, int] | None = None
    """Number of pages and of chunks in the search bundle, as its manifest says."""
    foreign: bool = False
    """Whether this is a file of the browser client with other bytes than this release publishes."""


def check(
    target: str, *, limits: CheckLimits | None = None, progress: Callable[[int, int], None] | None = None
) -> CheckReport:
    """Checks a published tree, given its URL or folder.

    progress: called now and then with the number of files examined and the number of files known

    Raises ConfigError when the target is neither; everything wrong with the tree is in the report.
    """
    limits = limits or CheckLimits()
    local = "://" not in target
    site = open_target(target, _directory_base(root_folder(target)) if local else "", limits)
    try:
        return _crawl(target, site, limits, progress or (lambda done, known: None))
    finally:
        site.close()


def _crawl(target: str, site: Target, limits: CheckLimits, progress: Callable[[int, int], None]) -> CheckReport:
    deadline = time.monotonic() + limits.total_seconds
    root = urljoin(site.scope.base, INDEX)
    queue = deque([_Task(root, "index", "")])
    seen = {site.scope.key(root): queue[0]}
    running: dict[Future[_Result], _Task] = {}
    results: list[tuple[_Task, _Result]] = []
    tilings, specifications = Tilings(), Specifications()
    with ThreadPoolExecutor(limits.connections) as pool:
        while (queue or running) and time.monotonic() < deadline:
            while queue and len(running) < 2 * limits.connections:
                task = queue.popleft()
                running[pool.submit(_examine, site, task)] = task
            finished, _ = wait(running, timeout=max(0.0, deadline - time.monotonic()), return_when=FIRST_COMPLETED)
            for future in finished:
                task, result = running.pop(future), future.result()
                results.append((task, result))
                for part in result.parts:
                    if broken := tilings.add(task.url, part):
                        result.problems.append(Problem(task.url, "tiling", broken, task.linked_from))
                result.parts = []
                result.problems += _misspecified(specifications, task, result)
                queue += _unseen(site, result.tasks, seen)
            progress(len(results), len(seen))
        pool.shutdown(cancel_futures=True)
    problems = [problem for _, result in results for problem in result.problems]
    warnings = [problem for _, result in results for problem in result.warnings]
    warnings += _of_other_releases(results)
    warnings += _of_another_publication(results)
    if len(results) < len(seen):
        message = f"{len(seen) - len(results)} files were not looked at within {limits.total_seconds:g} s"
        problems.append(Problem(root, "unfinished", message, ""))
    elif isinstance(site, ServedFolder):
        linked = {tuple(site.scope.segments(task.url)) for task in seen.values()}
        warnings += orphans(root_folder(target), linked)
    tree = _tree(root, site, results)
    items = [item for task, result in results if result.answered for _, item, _ in task.items]
    if not problems:
        problems = [Problem(url, "inconsistent", message, "") for url, message in specifications.left()]
    problems = list(_diagnose(root, site, problems, results)) or list(_miscounted(site, tree, results))
    if isinstance(site, ServedFolder):
        problems = [_as_path(problem, site.scope.base) for problem in problems]
        warnings = [_as_path(warning, site.scope.base) for warning in warnings]
    return CheckReport(
        target=target,
        files=len(results),
        bytes=sum(result.bytes for _, result in results),
        topics=sum(result.topics for result in tree),
        documents=sum(result.documents for result in tree),
        chunks=len(set().union(*(result.chunks for result in tree))),
        tokens=sum(item.tokens or 0 for item in items),
        repeated=len(items) - len({item.sha256 or item.href for item in items}),
        build_id=tree[0].build_id if tree else "",
        kinds=_counted(results),
        external=sum(result.external for result in tree),
        problems=tuple(sorted(problems)),
        warnings=tuple(sorted(warnings)),
    )


def _misspecified(specifications: Specifications, task: _Task, result: _Result) -> list[Problem]:
    """Returns how a specification and an index contradict each other, as far as one of them is this file."""
    url, documents = result.described
    result.described = ("", {})
    if result.specification is not None:
        url = task.url
    if not url:
        return []
    found = specifications.add(url, result.specification, documents)
    result.specification = None
    return [Problem(url, "inconsistent", message, task.linked_from) for message in found]


def _unseen(site: Target, tasks: Iterable[_Task], seen: dict[str, _Task]) -> list[_Task]:
    """Returns the files that were not requested yet, and adds them to those that were."""
    new = []
    for task in tasks:
        key = site.scope.key(task.url)
        if key in seen and not task.numbers <= seen[key].numbers:  # another index looks for other chunks of a pack
            key = f"{key}#{sorted(task.numbers)}"
        if key not in seen:
            seen[key] = task
            new.append(task)
    return new


def _counted(results: Iterable[tuple[_Task, _Result]]) -> dict[str, FileCount]:
    """Returns what was read by kind of file, the kind with most bytes first."""
    files, sizes = Counter[str](), Counter[str]()
    for task, result in results:
        if result.answered:
            files[_NAMED[task.kind]] += 1
            sizes[_NAMED[task.kind]] += result.bytes
    return {kind: FileCount(files[kind], size) for kind, size in sizes.most_common()}


def _examine(site: Target, task: _Task) -> _Result:
    """Requests one file and examines the reply."""
    result = _Result()

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
        _examine_index(site, task, reply, result, problem)
    else:
        try:
            _examine_file(site, task, path, reply.body, result)
        except Broken as error:
            problem(error.kind, str(error))
    return result


def _is_web_page(task: _Task, reply: Reply) -> bool:
    """Whether a web page came instead of the file; a source may be a page, and the explorer is one."""
    if task.kind == "web":
        return reply.media_type == "text/html" and not is_marked(reply.body)
    if reply.media_type:
        return reply.media_type == "text/html" and reply.body.lstrip()[:1] == b"<"
    return task.kind != "file" and is_web_page(reply.body)


def _examine_file(site: Target, task: _Task, path: str, data: bytes, result: _Result) -> None:
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
            result.specification = read_specification(path, data)
            if not hashlib.sha256(data).hexdigest().startswith(version_of(path)):
                raise Broken("hash", "has other bytes than were written: changed since, or on the way")
        if name == LLMS:
            result.tasks += _listed_tasks(site, task.url, data)
    elif task.kind == "web":
        for href in check_web(path, data):
            result.tasks += _web_tasks(site, task.url, href)
        result.foreign = unlike_this_release(path, data)
    elif task.kind == "graph":
        for href, sha256 in check_graph(name, path, data, task.sha256):
            try:
                url = site.scope.resolve(task.url, href)
            except RefusedError as error:
                result.problems.append(Problem(href, "address", str(error), task.url))
            else:
                result.tasks.append(_Task(url, "graph", task.url, sha256=sha256))
    elif task.kind == "search":
        if is_manifest(path):
            result.searchable, graph = check_manifest(path, data)
            if graph is not None:
                result.tasks.append(_Task(urljoin(task.url, graph.href), "graph", task.url, sha256=graph.sha256))
            result.manifest = hashlib.sha256(data).hexdigest()
            # A build publishes these with each bundle, but no index links to them; clients open the first.
            result.tasks.append(_Task(urljoin(task.url, posixpath.basename(SEARCH_MANIFEST)), "search", task.url))
            for published in (*WEB_ROOTS, *EXPLORER_DATA):
                result.tasks += _web_tasks(site, task.url, f"../{published}")
        try:
            names = named_files(name, data)
        except FormatError as error:
            raise Broken("hash", error.reason) from None
        result.tasks += (_Task(urljoin(task.url, name), "search", task.url) for name in names)


def _examine_chunks(task: _Task, path: str, data: bytes, result: _Result) -> None:
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
                result.tasks.append(_Task(tile.url, "converted", task.url))
        except Broken as error:
            if held is None:
                raise
            result.problems.append(Problem(url, error.kind, str(error), task.linked_from))


def _listed_tasks(site: Target, here: str, data: bytes) -> Iterator[_Task]:
    """The files of the tree that an `llms.txt` leads to."""
    for match in _LISTED.finditer(data):
        with contextlib.suppress(RefusedError):  # documents may be published elsewhere
            url = site.scope.resolve(here, (match[1] or match[2]).decode("utf-8", "replace"))
            name = url.rpartition("/")[2]
            kind = "index" if is_index(name) else "text" if name in (LLMS, LLMS_FULL) else "file"
            yield _Task(url, kind, here)


def _web_tasks(site: Target, here: str, href: str) -> Iterator[_Task]:
    """The file that a file for browsers loads, if it is one of those that a build publishes."""
    with contextlib.suppress(RefusedError):  # none of the published files leads out of the tree
        url = site.scope.resolve(here, href)
        if is_published("/".join(site.scope.segments(url))):
            yield _Task(url, "web", here)


def _examine_index(
    site: Target, task: _Task, reply: Reply, result: _Result, problem: Callable[[str, str], None]
) -> None:
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
        result.tasks.append(_Task(url, kind, task.url, (_Promised(number, item, spans),) if item else ()))
        if relation in ("next", "topic"):
            result.below.append(url)
        elif relation == "search":
            result.search = url
        elif kind == "chunk":
            result.chunks.add(site.scope.key(url) + ("" if number is None else f"#{number}"))

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


def _by_file(tasks: Iterable[_Task]) -> list[_Task]:
    """Puts the chunks of each pack into one task."""
    found: dict[str, _Task] = {}
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


def _diagnose(
    root: str, site: Target, problems: list[Problem], results: list[tuple[_Task, _Result]]
) -> Iterator[Problem]:
    """The problems, with one for all missing files where the host hides names that begin with an underscore."""

    def underscored(url: str) -> bool:
        return any(segment.startswith("_") for segment in site.scope.segments(url))

    hidden = [problem for problem in problems if problem.kind == "missing" and underscored(problem.url)]
    if not hidden or any(result.answered and underscored(task.url) for task, result in results):
        yield from problems
        return
    message = f"none of {len(hidden)} files with a name or folder that begins with an underscore is there. {HIDDEN}"
    yield Problem(root, "hidden", message, "")
    yield from (problem for problem in problems if problem not in set(hidden))


def _of_other_releases(results: Sequence[tuple[_Task, _Result]]) -> Iterator[Problem]:
    """One warning for all files of the browser client that differ from those of this release."""
    if foreign := sorted((task.url, task.linked_from) for task, result in results if result.foreign):
        message = f"{len(foreign)} files of the browser client are not those of this release, this one the first: "
        yield Problem(foreign[0][0], "release", f"{message}published by another release, or changed", foreign[0][1])


def _of_another_publication(results: Sequence[tuple[_Task, _Result]]) -> Iterator[Problem]:
    """A warning where clients open another search bundle than the index of the root leads to, whole as both are."""
    if len({result.manifest for _, result in results if result.manifest}) > 1:
        message = "is not the one that the index leads to: a build is publishing, or was cut short: build again"
        for task, result in results:
            if result.manifest and task.url.endswith(f"/{SEARCH_MANIFEST}"):
                yield Problem(task.url, "publication", message, task.linked_from)


def _tree(root: str, site: Target, results: Sequence[tuple[_Task, _Result]]) -> list[_Result]:
    """The indexes that lead down from the root, which are of one publication even while another one is published; the
    root's is the first. Indexes that only others lead to, as to what is related or above, may be newer."""
    known = {site.scope.key(task.url): result for task, result in results}
    found: dict[str, _Result] = {}
    waiting = [site.scope.key(root)]
    while waiting:
        key = waiting.pop()
        if key in known and key not in found:
            found[key] = known[key]
            waiting += map(site.scope.key, known[key].below)
    return list(found.values())


def _miscounted(site: Target, tree: Sequence[_Result], results: Sequence[tuple[_Task, _Result]]) -> Iterator[Problem]:
    """A problem where the counts of the manifest that the root leads to differ from the indexes'; of use only when all
    files are right."""
    found = sum(result.pages for result in tree), len(set().union(*(result.chunks for result in tree)))
    own = {site.scope.key(result.search) for result in tree[:1] if result.search}
    for task, result in results:
        if result.searchable not in (None, found) and site.scope.key(task.url) in own:
            message = "says {} pages and {} chunks, the indexes have {} and {}".format(*result.searchable, *found)
            yield Problem(task.url, "inconsistent", message, task.linked_from)


def _as_path(problem: Problem, base: str) -> Problem:
    """A problem with paths for URLs: those of a folder are made up, and end in the path as the link spells it."""
    url, linked_from = problem.url.removeprefix(base), problem.linked_from.removeprefix(base)
    return replace(problem, url=url, linked_from=linked_from)


def _directory_base(root: Path) -> str:
    """The base URL of a folder, from the `self` link of its root index, so that absolute links can be resolved."""
    try:
        index = decode_index((root / INDEX).read_bytes(), INDEX)
        base = urljoin(urljoin(FOLDER_BASE, index.links.self_.href), ".")
    except (OSError, FormatError, ValueError):
        return FOLDER_BASE  # the crawl examines the same file and reports what is wrong
    return base if urlsplit(base).scheme in ("http", "https") else FOLDER_BASE

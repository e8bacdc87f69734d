"""`infograph check`: does a published tree answer with what its links promise?

Starts at the root's index and follows every link. An index must have the form of the schema and the bytes of its
`build_id`, a chunk the bytes of its `sha256`, a shard of the search bundle those of its name, and everything else must
answer at all.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import orjson

from infograph.errors import FormatError
from infograph.findings import Problem, Report
from infograph.index.encoding import build_id
from infograph.schema import DocumentChunks, Index, decode_index
from infograph.search.listing import named_files
from infograph.site import DirectorySite, Limits, NoReplyError, RefusedError, Reply, Site, open_site, site_root

_INDEX_RELATIONS = frozenset({"self", "first", "prev", "next", "parent", "related"})
_KINDS = {"profile": "json", "search": "search"}
"""Of what some relations lead to; anything else is a file that must answer."""
_MAY_LEAVE = frozenset({"source"})
"""Documents may be published elsewhere; such links are counted, not followed."""

_LOCAL = "http://localhost/"
"""What a folder with relative links stands for. Never requested."""

HIDDEN = (
    "Hosts and generators leave such names out. GitHub Pages does when it runs Jekyll: publish an empty `.nojekyll` at "
    "the root of the site. Docusaurus does in its docs folder: build with --out into its `static` folder, or into the "
    "finished site"
)


@dataclass(frozen=True, slots=True)
class _Task:
    """A file to ask for, and what it must be."""

    url: str
    kind: str
    """`index`, `chunk`, `search` (a file of the search bundle), `json` or `file`."""
    linked_from: str
    sha256: str | None = None


@dataclass(slots=True)
class _Result:
    """What one file gave."""

    problems: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)
    tasks: list[_Task] = field(default_factory=list)
    bytes: int = 0
    answered: bool = False
    topics: int = 0
    documents: int = 0
    external: int = 0


def check(target: str, *, limits: Limits | None = None, progress: Callable[[int, int], None] | None = None) -> Report:
    """Check a published tree by its URL or its folder.

    progress: called now and then with how many files were looked at and how many are known

    Raises ConfigError when the target is neither; everything wrong with the tree is in the report.
    """
    limits = limits or Limits()
    local = "://" not in target
    site = open_site(target, _directory_base(site_root(target)) if local else "", limits)
    try:
        return _crawl(target, site, limits, progress or (lambda done, known: None))
    finally:
        site.close()


def _crawl(target: str, site: Site, limits: Limits, progress: Callable[[int, int], None]) -> Report:
    deadline = time.monotonic() + limits.total_seconds
    root = urljoin(site.scope.base, "index.json")
    queue = deque([_Task(root, "index", "")])
    seen = {site.scope.key(root): queue[0]}
    running: dict[Future[_Result], _Task] = {}
    results: list[tuple[_Task, _Result]] = []
    with ThreadPoolExecutor(limits.connections) as pool:
        while (queue or running) and time.monotonic() < deadline:
            while queue and len(running) < 2 * limits.connections:
                task = queue.popleft()
                running[pool.submit(_examine, site, task)] = task
            finished, _ = wait(running, timeout=max(0.0, deadline - time.monotonic()), return_when=FIRST_COMPLETED)
            for future in finished:
                task, result = running.pop(future), future.result()
                results.append((task, result))
                for found in result.tasks:
                    if site.scope.key(found.url) not in seen:
                        seen[site.scope.key(found.url)] = found
                        queue.append(found)
            progress(len(results), len(seen))
        pool.shutdown(cancel_futures=True)
    problems = [problem for _, result in results for problem in result.problems]
    warnings = [problem for _, result in results for problem in result.warnings]
    if len(results) < len(seen):
        message = f"{len(seen) - len(results)} files were not looked at within {limits.total_seconds:g} s"
        problems.append(Problem(root, "unfinished", message, ""))
    elif isinstance(site, DirectorySite):
        warnings += _orphans(site_root(target), site, seen)
    problems = list(_diagnose(root, site, problems, results))
    if isinstance(site, DirectorySite):
        problems = [_as_path(problem, site.scope.base) for problem in problems]
    return Report(
        target=target,
        files=len(results),
        bytes=sum(result.bytes for _, result in results),
        topics=sum(result.topics for _, result in results),
        documents=sum(result.documents for _, result in results),
        chunks=sum(task.kind == "chunk" for task, _ in results),
        external=sum(result.external for _, result in results),
        problems=tuple(sorted(problems)),
        warnings=tuple(sorted(warnings)),
    )


def _examine(site: Site, task: _Task) -> _Result:
    """Ask for one file and look at what comes."""
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
        problem("missing" if reply.status in (404, 410) else "status", f"answers {reply.status}")
        return result
    result.answered = True
    if reply.media_type == "text/html" and reply.body.lstrip()[:1] == b"<":
        problem("web-page", "answers with a web page instead of the file, as hosts do that send one for every address")
    elif task.kind == "index":
        _examine_index(site, task, reply, result, problem)
    elif task.kind == "chunk" and task.sha256 not in (None, hashlib.sha256(chunk_body(reply.body)).hexdigest()):
        problem("hash", "has other bytes than the index says: an old copy, or changed on the way")
    elif task.kind == "search":
        try:
            names = named_files(urlsplit(task.url).path.rpartition("/")[2], reply.body)
        except FormatError as error:
            problem("hash", error.reason)
        else:
            result.tasks += (_Task(urljoin(task.url, name), "search", task.url) for name in names)
    elif task.kind == "json" and not _is_json(reply.body):
        problem("format", "is not JSON")
    return result


def chunk_body(data: bytes) -> bytes:
    """What follows a chunk file's front matter."""
    if not data.startswith(b"---\n"):
        return data
    end = data.find(b"\n---\n", 3)
    return data[end + 5 :] if end >= 0 else data


def _is_json(data: bytes) -> bool:
    try:
        orjson.loads(data)
    except orjson.JSONDecodeError:
        return False
    return True


def _examine_index(site: Site, task: _Task, reply: Reply, result: _Result, problem: Callable[[str, str], None]) -> None:
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
    result.topics = int(index.links.prev is None)
    result.documents = len(index.embedded.chunks.documents)

    def follow(relation: str, href: str, kind: str, sha256: str | None = None) -> None:
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
        result.tasks.append(_Task(url, kind, task.url, sha256))

    # Chunks first: the plain link to the same file does not know the hash.
    for name, document in index.embedded.chunks.documents.items():
        for complaint in _inconsistencies(document):
            problem("inconsistent", f"{name}: {complaint}")
        for item in document.items:
            follow("item", item.href, "chunk", item.sha256)
    _follow_own_links(orjson.loads(reply.body), index, follow)


def _follow_own_links(body: dict[str, Any], index: Index, follow: Callable[[str, str, str], None]) -> None:
    """Every link of the file, those with relations nobody knows included."""
    follow("self", index.links.self_.href, "index")
    for relation, link in _all_links(body):
        if relation in _INDEX_RELATIONS:
            # An embedded topic's own address is that of another file.
            follow("topic" if relation == "self" else relation, link["href"], "index")
        else:
            follow(relation, link["href"], _KINDS.get(relation, "file"))


def _all_links(body: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The links of a HAL resource and of those embedded in it; templates have no address."""
    for relation, value in body.get("_links", {}).items():
        for link in value if isinstance(value, list) else [value]:
            if isinstance(link, dict) and isinstance(link.get("href"), str) and not link.get("templated"):
                yield relation, link
    for value in body.get("_embedded", {}).values():
        for resource in value if isinstance(value, list) else [value]:
            if isinstance(resource, dict):
                yield from _all_links(resource)


def _inconsistencies(document: DocumentChunks) -> Iterator[str]:
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


def _diagnose(
    root: str, site: Site, problems: list[Problem], results: list[tuple[_Task, _Result]]
) -> Iterator[Problem]:
    """The problems, with one in place of all that have its cause."""

    def underscored(url: str) -> bool:
        return any(segment.startswith("_") for segment in site.scope.segments(url))

    hidden = [problem for problem in problems if problem.kind == "missing" and underscored(problem.url)]
    if not hidden or any(result.answered and underscored(task.url) for task, result in results):
        yield from problems
        return
    message = f"none of {len(hidden)} files with a name or folder that begins with an underscore is there. {HIDDEN}"
    yield Problem(root, "hidden", message, "")
    yield from (problem for problem in problems if problem not in set(hidden))


def _as_path(problem: Problem, base: str) -> Problem:
    """In a folder the addresses are made up; what follows the root is the link's own spelling of the path."""
    url, linked_from = problem.url.removeprefix(base), problem.linked_from.removeprefix(base)
    return replace(problem, url=url, linked_from=linked_from)


def _directory_base(root: Path) -> str:
    """The URL a folder stands for: absolute links in it are understood by what its root calls itself."""
    try:
        index = decode_index((root / "index.json").read_bytes(), "index.json")
        base = urljoin(urljoin(_LOCAL, index.links.self_.href), ".")
    except (OSError, FormatError, ValueError):
        return _LOCAL  # the crawl looks at the same file and says what is wrong with it
    return base if urlsplit(base).scheme in ("http", "https") else _LOCAL


def _orphans(root: Path, site: DirectorySite, seen: dict[str, _Task]) -> Iterator[Problem]:
    """Files that only infograph writes and no index links to: left over, or lost."""
    linked = {tuple(site.scope.segments(task.url)) for task in seen.values()}
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "node_modules")
        parts = Path(folder).relative_to(root).parts
        for name in sorted(files):
            chunk_or_table = parts[-1:] == ("_chunks",) or (*parts[-1:], name) == ("_keywords", "words.md")
            ours = chunk_or_table or name == "topic-spec.md"
            if ours and (*parts, name) not in linked:
                yield Problem("/".join((*parts, name)), "orphan", "nothing links to it", "")

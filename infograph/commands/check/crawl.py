"""`infograph check`: checks that a published tree answers with what its links promise.

Starts at the root's index and follows every link. An index must match the schema and its `build_id`, a chunk its
`sha256`, the chunks of a converted document must tile its Markdown, a shard of the search bundle the digest in its
name; the bundle's manifest must count what the indexes hold. A specification must say what the index says that is made
from it. Keyword tables, `llms.txt` and the schema must be files that infograph wrote. Where there is a search bundle,
there must also be the browser client and the explorer, with all that they load; no checksums of these are published, so
that other bytes than those of this release are only a warning. Everything else, in particular sources, must exist.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from infograph.client.place import FOLDER_BASE
from infograph.client.served_folder import ServedFolder, root_folder
from infograph.commands.check.conclusions import (
    as_path,
    diagnosed,
    miscounted,
    of_another_graph,
    of_another_publication,
    of_other_releases,
    tree_of,
)
from infograph.commands.check.examination import examine
from infograph.commands.check.findings import CheckReport, FileCount, Problem
from infograph.commands.check.orphans import orphans
from infograph.commands.check.specifications import Specifications
from infograph.commands.check.target import CheckLimits, Target, open_target
from infograph.commands.check.tasks import Examination, FileTask
from infograph.commands.check.tiling import Tilings
from infograph.errors import FormatError
from infograph.formats.index_json import decode_index
from infograph.formats.names import (
    INDEX,
)

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
    queue = deque([FileTask(root, "index", "")])
    seen = {site.scope.key(root): queue[0]}
    running: dict[Future[Examination], FileTask] = {}
    results: list[tuple[FileTask, Examination]] = []
    tilings, specifications = Tilings(), Specifications()
    with ThreadPoolExecutor(limits.connections) as pool:
        while (queue or running) and time.monotonic() < deadline:
            while queue and len(running) < 2 * limits.connections:
                task = queue.popleft()
                running[pool.submit(examine, site, task)] = task
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
    warnings += of_other_releases(results)
    warnings += of_another_publication(results)
    if len(results) < len(seen):
        message = f"{len(seen) - len(results)} files were not looked at within {limits.total_seconds:g} s"
        problems.append(Problem(root, "unfinished", message, ""))
    elif isinstance(site, ServedFolder):
        linked = {tuple(site.scope.segments(task.url)) for task in seen.values()}
        warnings += orphans(root_folder(target), linked)
    tree = tree_of(root, site, results)
    warnings += of_another_graph(site, tree, results)
    items = [item for task, result in results if result.answered for _, item, _ in task.items]
    if not problems:
        problems = [Problem(url, "inconsistent", message, "") for url, message in specifications.left()]
    problems = list(diagnosed(root, site, problems, results)) or list(miscounted(site, tree, results))
    if isinstance(site, ServedFolder):
        problems = [as_path(problem, site.scope.base) for problem in problems]
        warnings = [as_path(warning, site.scope.base) for warning in warnings]
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


def _misspecified(specifications: Specifications, task: FileTask, result: Examination) -> list[Problem]:
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


def _unseen(site: Target, tasks: Iterable[FileTask], seen: dict[str, FileTask]) -> list[FileTask]:
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


def _counted(results: Iterable[tuple[FileTask, Examination]]) -> dict[str, FileCount]:
    """Returns what was read by kind of file, the kind with most bytes first."""
    files, sizes = Counter[str](), Counter[str]()
    for task, result in results:
        if result.answered:
            files[_NAMED[task.kind]] += 1
            sizes[_NAMED[task.kind]] += result.bytes
    return {kind: FileCount(files[kind], size) for kind, size in sizes.most_common()}


def _directory_base(root: Path) -> str:
    """The base URL of a folder, from the `self` link of its root index, so that absolute links can be resolved."""
    try:
        index = decode_index((root / INDEX).read_bytes(), INDEX)
        base = urljoin(urljoin(FOLDER_BASE, index.links.self_.href), ".")
    except (OSError, FormatError, ValueError):
        return FOLDER_BASE  # the crawl examines the same file and reports what is wrong
    return base if urlsplit(base).scheme in ("http", "https") else FOLDER_BASE

"""What follows from all examinations together: counts, publications that are mixed, hosts that hide files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from infograph.commands.check.findings import Problem
from infograph.commands.check.target import Target
from infograph.commands.check.tasks import Examination, FileTask
from infograph.formats.names import GRAPH_MANIFEST, SEARCH_MANIFEST

HIDDEN = (
    "Hosts and generators leave such names out. GitHub Pages does when it runs Jekyll: publish an empty `.nojekyll` at "
    "the root of the site. Docusaurus does in its docs folder: build with --out into its `static` folder, or into the "
    "finished site"
)


def diagnosed(
    root: str, site: Target, problems: list[Problem], results: list[tuple[FileTask, Examination]]
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


def of_other_releases(results: Sequence[tuple[FileTask, Examination]]) -> Iterator[Problem]:
    """One warning for all files of the browser client that differ from those of this release."""
    if foreign := sorted((task.url, task.linked_from) for task, result in results if result.foreign):
        message = f"{len(foreign)} files of the browser client are not those of this release, this one the first: "
        yield Problem(foreign[0][0], "release", f"{message}published by another release, or changed", foreign[0][1])


def of_another_publication(results: Sequence[tuple[FileTask, Examination]]) -> Iterator[Problem]:
    """A warning where clients open another search bundle than the index of the root leads to, whole as both are."""
    if len({result.manifest for _, result in results if result.manifest}) > 1:
        message = "is not the one that the index leads to: a build is publishing, or was cut short: build again"
        for task, result in results:
            if result.manifest and task.url.endswith(f"/{SEARCH_MANIFEST}"):
                yield Problem(task.url, "publication", message, task.linked_from)


def of_another_graph(
    site: Target, tree: Sequence[Examination], results: Sequence[tuple[FileTask, Examination]]
) -> Iterator[Problem]:
    """Warnings where the newest copy of the graph's manifest is not the one of the search that the root leads to, and
    where the plain name of communities stands for a file that the root does not lead to, whole as all of them are."""
    known = {site.scope.key(task.url): result for task, result in results}
    search = known.get(site.scope.key(tree[0].search)) if tree and tree[0].search else None
    manifest = search.graph if search is not None else ""
    current = _communities_of(site, tree[:1], known)
    message = "is not the one that the index leads to: a build is publishing, or was cut short: build again"
    for task, result in results:
        of_graph = manifest and task.url.endswith(f"/{GRAPH_MANIFEST}")
        other_graph = of_graph and result.graph not in ("", manifest)
        if other_graph or (result.latest and current and site.scope.key(result.latest) not in current):
            yield Problem(task.url, "publication", message, task.linked_from)


def _communities_of(site: Target, tree: Sequence[Examination], known: Mapping[str, Examination]) -> set[str]:
    """Returns the keys of the communities' files that the root leads to."""
    found: set[str] = set()
    waiting = [url for result in tree for url in result.communities]
    while waiting:
        key = site.scope.key(waiting.pop())
        if key not in found:
            found.add(key)
            waiting += known[key].communities if key in known else ()
    return found


def tree_of(root: str, site: Target, results: Sequence[tuple[FileTask, Examination]]) -> list[Examination]:
    """The indexes that lead down from the root, which are of one publication even while another one is published; the
    root's is the first. Indexes that only others lead to, as to what is related or above, may be newer."""
    known = {site.scope.key(task.url): result for task, result in results}
    found: dict[str, Examination] = {}
    waiting = [site.scope.key(root)]
    while waiting:
        key = waiting.pop()
        if key in known and key not in found:
            found[key] = known[key]
            waiting += map(site.scope.key, known[key].below)
    return list(found.values())


def miscounted(
    site: Target, tree: Sequence[Examination], results: Sequence[tuple[FileTask, Examination]]
) -> Iterator[Problem]:
    """A problem where the counts of the manifest that the root leads to differ from the indexes'; of use only when all
    files are right."""
    found = sum(result.pages for result in tree), len(set().union(*(result.chunks for result in tree)))
    own = {site.scope.key(result.search) for result in tree[:1] if result.search}
    for task, result in results:
        if result.searchable not in (None, found) and site.scope.key(task.url) in own:
            message = "says {} pages and {} chunks, the indexes have {} and {}".format(*result.searchable, *found)
            yield Problem(task.url, "inconsistent", message, task.linked_from)


def as_path(problem: Problem, base: str) -> Problem:
    """A problem with paths for URLs: those of a folder are made up, and end in the path as the link spells it."""
    url, linked_from = problem.url.removeprefix(base), problem.linked_from.removeprefix(base)
    return replace(problem, url=url, linked_from=linked_from)

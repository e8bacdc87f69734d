"""Checks a federation: its own files, and that each site is there and what the federation says of it.

federation.json ─▶ the files of `_federation/`, which have the bytes of their names
               └─▶ the manifest of each site's search: there, of its kind, of the build that the federation was made of
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from typing import TypeVar
from urllib.parse import urljoin

from infograph.client.errors import ClientError
from infograph.client.federation import FederatedPlace
from infograph.client.place import FOLDER_BASE, Place, is_url, root_of, web_place
from infograph.client.served_folder import root_folder
from infograph.commands.check.examination import examine
from infograph.commands.check.findings import FederationCheck, FileCount, Problem, SiteCheck
from infograph.commands.check.member import (
    AGAIN,
    FileFindings,
    Member,
    check_member,
    check_tree,
    member_of,
    reply_of,
    told,
)
from infograph.commands.check.target import CheckLimits, Target, open_target
from infograph.commands.check.tasks import FileTask
from infograph.errors import FormatError
from infograph.files.disk import names_in
from infograph.formats.names import FEDERATION, FEDERATION_FOLDER, SHARD_NAME
from infograph.search.format.federation import FederationManifest, read_federation
from infograph.search.format.layout import MANIFEST
from infograph.search.reading.listing import named_files

S = TypeVar("S")
T = TypeVar("T")


def check_federation(
    target: str, *, whole: bool = False, local: bool = False, limits: CheckLimits | None = None
) -> FederationCheck:
    """Checks a federation, given the address or path of its manifest, or its folder.

    whole: check every site as a tree of its own, too
    local: ask no site that has an address of its own

    Raises ConfigError when the target is neither; everything wrong with it is in the report.
    """
    limits = limits or CheckLimits()
    if is_url(target):
        folder, own = "", web_place(target)
    else:
        folder = str(root_folder(root_of(target)))
        own = Place(FOLDER_BASE, folder)
    site = open_target(folder or own.base, own.base, limits)
    try:
        return _Check(target, folder, own, site, limits).report(whole=whole, local=local)
    finally:
        site.close()


class _Check:
    """One check of a federation."""

    def __init__(self, target: str, folder: str, own: Place, site: Target, limits: CheckLimits) -> None:
        """Takes the federation's place, and what answers with its files.

        folder: where it lies; empty for one of the web
        """
        self._target = target
        self._folder = folder
        self._own = own
        self._site = site
        self._limits = limits
        self._deadline = time.monotonic() + limits.total_seconds
        self._root = urljoin(own.base, FEDERATION)
        self._found = FileFindings()

    def report(self, *, whole: bool, local: bool) -> FederationCheck:
        """Returns everything that is wrong with the federation."""
        found = self._found
        reply = reply_of(self._site, self._root, found)
        manifest = self._manifest(reply.body) if reply is not None else None
        sites: list[SiteCheck] = []
        external, counted = 0, FileCount(found.files, found.bytes)
        if reply is not None and manifest is not None:
            self._check_files(named_files(MANIFEST, reply.body), manifest)
            counted = FileCount(found.files, found.bytes)
            members = list(self._members(manifest))
            asked = [member for member in members if not (local and is_url(member.site.href))]
            external = len(members) - len(asked)
            for site, own in self._each(asked, lambda member: self._of_member(member, manifest, whole)):
                sites.append(site)
                found.add(own)
        return FederationCheck(
            target=self._target,
            files=found.files,
            bytes=found.bytes,
            own=counted,
            pages=sum(own.pages for own in manifest.sites) if manifest else 0,
            chunks=manifest.bundle.chunks if manifest else 0,
            sites=tuple(sites),
            external=external,
            problems=tuple(sorted(map(self._shown, found.problems))),
            warnings=tuple(sorted(map(self._shown, found.warnings))),
        )

    def _problem(self, kind: str, message: str) -> None:
        """Notes a problem with the manifest."""
        self._found.problems.append(Problem(self._root, kind, message, ""))

    def _manifest(self, data: bytes) -> FederationManifest | None:
        """Returns the manifest; None where it cannot be read, which is a problem."""
        try:
            manifest = read_federation(data)
        except FormatError as error:
            self._problem("format", told(error))
            return None
        said, chunks = manifest.bundle.chunks, sum(site.chunks for site in manifest.sites)
        if said != chunks:
            self._problem("inconsistent", f"says {said} chunks, its sites have {chunks}: changed by hand. {AGAIN}")
        return manifest

    def _check_files(self, names: Sequence[str], manifest: FederationManifest) -> None:
        """Checks the files of `_federation/`.

        names: of files that the manifest leads to
        """
        seen = {manifest.bundle.vectors.map, manifest.bundle.fusion.file}  # these are the sites'
        tasks = list(self._unseen(names, self._root, seen))
        while tasks:
            results = self._each(tasks, lambda task: examine(self._site, task))
            tasks = []
            for result in results:
                self._found.add(FileFindings(result.problems, result.warnings, 1, result.bytes))
                for task in result.tasks:
                    tasks += self._unseen([task.url.rpartition("/")[2]], task.linked_from, seen)
        for name in names_in(self._folder, FEDERATION_FOLDER) if self._folder else ():
            if SHARD_NAME.fullmatch(name) and name not in seen:
                self._found.warnings.append(Problem(self._address(name), "orphan", "nothing links to it", ""))

    def _address(self, name: str) -> str:
        return urljoin(self._own.base, f"{FEDERATION_FOLDER}/{name}")

    def _unseen(self, names: Iterable[str], linked_from: str, seen: set[str]) -> Iterator[FileTask]:
        for name in names:
            if name not in seen:
                seen.add(name)
                yield FileTask(self._address(name), "search", linked_from)

    def _members(self, manifest: FederationManifest) -> Iterator[Member]:
        """Yields the sites; an address that no client follows is a problem."""
        for site, place in FederatedPlace(self._own, of_web=not self._folder).places(manifest.sites):
            if isinstance(place, ClientError):
                message = f"{place.reason}. Run `infograph federate` with another"
                self._found.problems.append(Problem(site.href, "address", message, self._root))
            else:
                yield member_of(site, place, self._folder, self._root)

    def _of_member(self, member: Member, manifest: FederationManifest, whole: bool) -> tuple[SiteCheck, FileFindings]:
        """Returns what is found of a site."""
        found = FileFindings()
        site = check_member(member, manifest.bundle, self._limits, found)
        if whole:
            left = replace(self._limits, total_seconds=max(0.0, self._deadline - time.monotonic()))
            below = "" if is_url(member.target) else member.base.removeprefix(self._own.base)
            site = replace(site, tree=check_tree(member, left, below, found))
        return site, found

    def _each(self, items: Sequence[S], ask: Callable[[S], T]) -> list[T]:
        """Returns what is found of several things, some at the same time; what there is no time for is a problem."""
        with ThreadPoolExecutor(self._limits.connections) as pool:
            futures = [pool.submit(ask, item) for item in items]
            wait(futures, timeout=max(0.0, self._deadline - time.monotonic()))
            pool.shutdown(cancel_futures=True)
        done = [future.result() for future in futures if not future.cancelled()]
        if left := len(items) - len(done):
            message = f"{left} files or sites were not looked at within {self._limits.total_seconds:g} s"
            self._problem("unfinished", message)
        return done

    def _shown(self, problem: Problem) -> Problem:
        """Returns a problem with paths for the addresses of a folder, which are made up."""
        if not self._folder:
            return problem
        url = problem.url if problem.kind == "address" else problem.url.removeprefix(self._own.base)
        return replace(problem, url=url, linked_from=problem.linked_from.removeprefix(self._own.base))

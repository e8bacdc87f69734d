"""Checks one site of a federation: is it there, and is it what the federation says of it?"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import unquote, urljoin

from infograph.client.errors import ClientError
from infograph.client.federation import site_manifest
from infograph.client.place import Place, is_url
from infograph.client.scope import RefusedError
from infograph.client.served_folder import NoReplyError, Reply, ServedFolder
from infograph.commands.check.crawl import check
from infograph.commands.check.findings import CheckReport, Problem, SiteCheck
from infograph.commands.check.promises import WEB_PAGE, is_web_page
from infograph.commands.check.target import CheckLimits, Target, open_target
from infograph.errors import ConfigError, FormatError, InfographError
from infograph.formats.names import FEDERATION, SEARCH_MANIFEST
from infograph.search.format.bundle_manifest import BundleManifest
from infograph.search.format.federation import FederatedSite, unfit
from infograph.search.reading.federation import SiteManifest

AGAIN = "Run `infograph federate` again"
GONE = "Publish it again, or run `infograph federate` without it"


@dataclass(slots=True)
class FileFindings:
    """What was found in some files."""

    problems: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)
    files: int = 0
    bytes: int = 0

    def add(self, other: FileFindings) -> None:
        """Adds what was found elsewhere."""
        self.problems += other.problems
        self.warnings += other.warnings
        self.files += other.files
        self.bytes += other.bytes


@dataclass(frozen=True, slots=True)
class Member:
    """A site of a federation as it is to be looked at."""

    site: FederatedSite
    base: str
    """URL that the site lies at, or stands for."""
    target: str
    """That URL, or in its place the folder that is read."""
    linked_from: str
    """URL of the federation."""

    @property
    def url(self) -> str:
        """URL of the manifest of its search."""
        return urljoin(self.base, SEARCH_MANIFEST)

    def problem(self, kind: str, message: str) -> Problem:
        """A problem with that manifest."""
        return Problem(self.url, kind, f"the site {self.site.id}: {message}", self.linked_from)


def member_of(site: FederatedSite, place: Place, folder: str, linked_from: str) -> Member:
    """Returns a site as it is to be looked at.

    folder: of the federation; empty where it is of the web
    """
    inside = folder and not is_url(site.href)
    parts = [unquote(part) for part in site.href.removeprefix("./").split("/")]
    return Member(site, place.base, str(Path(folder, *parts)) if inside else place.base, linked_from)


def check_member(member: Member, whole: BundleManifest, limits: CheckLimits, found: FileFindings) -> SiteCheck:
    """Asks for the manifest of a site's search, and compares it with what the federation says.

    whole: the federation's numbers of all sites
    """
    said = _read(member, limits, found)
    if said is not None:
        _compare(member, said, whole, found)
    return SiteCheck(
        id=member.site.id,
        href=member.site.href,
        chunks=member.site.chunks,
        model=said.manifest.vectors.model if said else "",
        language=said.manifest.language if said else "",
    )


def check_tree(member: Member, limits: CheckLimits, below: str, found: FileFindings) -> CheckReport | None:
    """Checks a site as a tree of its own; None where nothing is there, which has been said. Its files take the place of
    those that have been counted.

    below: address of the site from that of the federation on, which its files' paths are shown from; empty for one of
           the web, whose files are shown by their addresses
    """
    try:
        tree = check(member.target, limits=limits)
    except ConfigError:
        return None

    def moved(problem: Problem) -> Problem:
        linked = f"{below}{problem.linked_from}" if problem.linked_from else ""
        return replace(problem, url=f"{below}{problem.url}", linked_from=linked)

    found.files, found.bytes = 0, 0  # it has read the manifest, too
    found.add(FileFindings([*map(moved, tree.problems)], [*map(moved, tree.warnings)], tree.files, tree.bytes))
    return tree


def reply_of(site: Target, url: str, found: FileFindings, linked_from: str = "") -> Reply | None:
    """Returns the reply to a request; None where there is none that could be used, which is a problem."""
    found.files += 1
    try:
        reply = site.get(url)
    except RefusedError as error:
        found.problems.append(Problem(url, "address", str(error), linked_from))
        return None
    except NoReplyError as error:
        found.problems.append(Problem(url, "no-reply", str(error), linked_from))
        return None
    found.bytes += len(reply.body)
    if reply.status != 200:
        gone = reply.status in (404, 410)
        told = "there is no such file" if gone and isinstance(site, ServedFolder) else f"answers {reply.status}"
        found.problems.append(Problem(url, "missing" if gone else "status", told, linked_from))
        return None
    if reply.media_type == "text/html" or is_web_page(reply.body):
        found.problems.append(Problem(url, "web-page", WEB_PAGE, linked_from))
        return None
    if reply.media_type and reply.allow_origin != "*":
        message = "has no `Access-Control-Allow-Origin: *`: pages of other origins cannot search it"
        found.warnings.append(Problem(url, "cors", message, linked_from))
    return reply


def told(error: InfographError) -> str:
    """Returns an error without its place, with the way out."""
    return f"{error.reason}. {error.hint}" if error.hint else error.reason


def _read(member: Member, limits: CheckLimits, found: FileFindings) -> SiteManifest | None:
    """Returns the manifest of a site's search; None where it cannot be read, which is a problem."""
    own = FileFindings()
    try:
        site = open_target(member.target, member.base, limits)
    except ConfigError:  # a folder that is gone
        found.problems.append(member.problem("missing", f"there is no such folder. {GONE}"))
        return None
    try:
        reply = reply_of(site, member.url, own)
        federated = own.problems and reply_of(site, urljoin(member.base, FEDERATION), FileFindings()) is not None
    finally:
        site.close()
    hint = "It is itself a federation: name the sites that it is made of" if federated else GONE
    problems = [member.problem(problem.kind, f"{problem.message}. {hint}") for problem in own.problems]
    warnings = [replace(warning, linked_from=member.linked_from) for warning in own.warnings]
    found.add(FileFindings(problems, warnings, own.files, own.bytes))
    try:
        return site_manifest(reply.body) if reply is not None else None
    except (ClientError, FormatError) as error:
        found.problems.append(member.problem("format", told(error)))
        return None


def _compare(member: Member, said: SiteManifest, whole: BundleManifest, found: FileFindings) -> None:
    site, own = member.site, said.manifest
    if reason := unfit(own, whole):
        message = f"{reason}. Build all sites by one release, in one language. {AGAIN}"
        found.problems.append(member.problem("inconsistent", message))
    elif said.build != site.build:
        message = f"was published after the federation: words that are new in it are not found. {AGAIN}"
        found.warnings.append(member.problem("publication", message))
    elif (own.chunks, own.pages) != (site.chunks, site.pages):
        message = f"has {own.pages} pages and {own.chunks} chunks, the federation says {site.pages} and {site.chunks}"
        found.problems.append(member.problem("inconsistent", f"{message}. {AGAIN}"))

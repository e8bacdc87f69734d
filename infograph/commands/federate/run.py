"""Makes a federation of published trees, and keeps it up to date: a site that is as it was is not read again."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from os.path import realpath
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

import orjson

from infograph.client import Client, ClientError
from infograph.client.place import is_url, web_place
from infograph.commands.federate.site_terms import Read, is_federated, manifest_of, read_terms, title_of
from infograph.errors import ConfigError, InfographError
from infograph.files.disk import names_in, read_file, remove_private, same_bytes, write_durable, write_private
from infograph.formats.compression import compressed, decompressed
from infograph.formats.names import FEDERATION, FEDERATION_FOLDER, INDEX, PRIVATE, SHARD_NAME
from infograph.search.format.bundle_manifest import BundleManifest
from infograph.search.format.federation import MOST_SITES, FederatedSite, is_federation, unfit
from infograph.search.reading.federation import SiteManifest
from infograph.search.writing.federation import SiteTerms, federation

MEMORY = f"{PRIVATE}/federation"
"""Folder of what is remembered of sites, each in a file that is named by the bytes of its manifest."""
FORM = b"3"
"""Form of these files."""
TIMEOUT = 60.0
NAMED = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]{0,63})=(.+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class NamedSite:
    """A site as the caller names it."""

    id: str
    place: str
    """Folder or URL, to be read."""
    href: str
    """Address as the federation has it: relative to it, or absolute."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FederationReport:
    """What was made."""

    out: str
    sites: int
    read: tuple[str, ...]
    """Ids of the sites that were read; the others were as they were the last time."""
    skipped: dict[str, str] = field(default_factory=dict)
    """Why sites were left out, by id."""
    chunks: int
    terms: int
    bytes: int
    """Bytes of all files."""
    files: int


def federate(
    out: str,
    sites: Sequence[str],
    *,
    skip_broken: bool = False,
    timeout: float = TIMEOUT,
    cache: str | None = None,
) -> FederationReport:
    """Makes, or brings up to date, the federation of some sites.

    out:         folder for `federation.json` and `_federation/`
    sites:       addresses of published trees, or folders below `out`, each perhaps with an id before it: `docs=URL`
    skip_broken: leave out a site that cannot be read, or does not fit in with the first one
    timeout:     seconds that one call may take
    cache:       folder for what is read of sites of the web, for the next time

    Raises ConfigError, ClientError, FormatError and OutputError, which name the site.
    """
    root = Path(out)
    _refuse_site(root)
    named = _named(root, sites)
    reading = _Reading(root, timeout, cache, skip_broken)
    made = federation(reading.all(named))
    _write(root, made.manifest, made.shards, reading.builds)
    return FederationReport(
        out=out,
        sites=len(named) - len(reading.skipped),
        read=tuple(reading.read),
        skipped=reading.skipped,
        chunks=made.chunks,
        terms=made.terms,
        bytes=len(made.manifest) + sum(map(len, made.shards.values())),
        files=1 + len(made.shards),
    )


class _Reading:
    """Reads sites, one at a time."""

    def __init__(self, root: Path, timeout: float, cache: str | None, skip_broken: bool) -> None:
        self._root = root
        self._timeout = timeout
        self._cache = cache
        self._skip_broken = skip_broken
        self._first: BundleManifest | None = None
        self.read: list[str] = []
        """Ids of the sites that were read anew."""
        self.builds: set[str] = set()
        """`FederatedSite.build` of those that belong together."""
        self.skipped: dict[str, str] = {}

    def all(self, named: Sequence[NamedSite]) -> Iterator[SiteTerms]:
        """Yields what a federation has to know of each site. Raises ConfigError where there is nothing of any."""
        for site in named:
            try:
                found = self._one(site)
            except InfographError as error:
                if not self._skip_broken:
                    raise _of_site(site, error) from None
                self.skipped[site.id] = str(error)
                continue
            self.builds.add(found.site.build)
            yield found
        if not self.builds:
            reasons = "; ".join(self.skipped.values())[:500]
            raise ConfigError("infograph federate", "none of the sites can be read", reasons)

    def _one(self, site: NamedSite) -> SiteTerms:
        if not site.id:
            raise ConfigError(site.place, "has no name that an id could be made of", "Give one: `NAME=ADDRESS`.")
        with Client(site.place, timeout=self._timeout, cache=self._cache) as client:
            said = _manifest(site, client)
            if self._first is not None and (reason := unfit(said.manifest, self._first)):
                raise ClientError("version", site.place, reason, "Build all sites by one release, in one language")
            name = f"{MEMORY}/{said.build}"
            words = _remembered(read_file(self._root / name))
            title = title_of(client)
            if words is None:
                words = read_terms(client, said.manifest)
                write_private(self._root, name, _memory(words))
                self.read.append(site.id)
        self._first = self._first or said.manifest
        own = FederatedSite(site.id, site.href, said.manifest.chunks, said.build, title, said.manifest.pages)
        terms, frequencies, gains = zip(*words.rows, strict=True) if words.rows else ((), (), ())
        return SiteTerms(own, said.manifest, terms, frequencies, gains, words.forms, words.common, words.fields)


def _manifest(site: NamedSite, client: Client) -> SiteManifest:
    try:
        return manifest_of(client)
    except ClientError as error:
        if error.code == "missing" and is_federated(client):
            raise ClientError(
                "unknown", site.place, "is itself a federation", "Name the sites that it is made of"
            ) from None
        raise


def _refuse_site(root: Path) -> None:
    """Raises ConfigError where something else than a federation has the name of its manifest."""
    data = read_file(root / FEDERATION)
    if data is not None and not is_federation(data):
        reason = "is there, and was not written by `infograph federate`"
        raise ConfigError(str(root / FEDERATION), reason, "Move it away, or name another folder.")


def _named(root: Path, sites: Sequence[str]) -> list[NamedSite]:
    """Returns the sites with their ids. Raises ConfigError for two of one id or one address."""
    if not 0 < len(sites) <= MOST_SITES:
        raise ConfigError("infograph federate", f"takes 1 to {MOST_SITES} sites, not {len(sites)}")
    named = [_named_site(root, site) for site in sites]
    seen: dict[str, str] = {}
    for own, site in zip(named, sites, strict=True):
        for what in (own.id.casefold(), own.href):
            if what in seen:
                same = "id" if what == own.id.casefold() else "address"
                hint = "Give them others: `NAME=ADDRESS`." if same == "id" else ""
                raise ConfigError(site, f"has the same {same} as {seen[what]}", hint)
            seen[what] = site
    return named


def _named_site(root: Path, given: str) -> NamedSite:
    """Returns a site as `[NAME=]ADDRESS` or a folder names it. Raises ConfigError for what is neither, or elsewhere."""
    match = None if is_url(given) else NAMED.fullmatch(given)
    id, place = match.groups() if match else ("", given)
    if is_url(place):
        base = web_place(place).base
        return NamedSite(id or _id_of(urlsplit(base).path) or _id_of(urlsplit(base).hostname or ""), base, base)
    folder = Path(place)
    if folder.name == INDEX:
        folder = folder.parent
    if not folder.is_dir():
        raise ConfigError(place, "is neither a folder nor an http(s) address", "Name the root of a published tree.")
    own, above = realpath(folder), realpath(root)
    try:
        path = Path(own).relative_to(above)
    except ValueError:
        hint = "Write the federation to a folder above its sites, or give the site's http(s) address."
        raise ConfigError(place, f"does not lie below {root}, where the federation is written", hint) from None
    href = "".join(f"{quote(part, safe='')}/" for part in path.parts) or "./"
    return NamedSite(id or _id_of(own), place, href)


def _id_of(path: str) -> str:
    """Returns the id for a path: its last part, of the characters that an id may have."""
    last = unquote(path.rstrip("/").replace("\\", "/").rpartition("/")[2])
    return re.sub(r"[^A-Za-z0-9._-]+", "-", last).strip("-._")[:64]


def _memory(read: Read) -> bytes:
    data = compressed(orjson.dumps([read.rows, read.forms, read.common, read.fields]))
    return FORM + hashlib.sha256(data).digest() + data


def _remembered(data: bytes | None) -> Read | None:
    """Returns what is remembered of a site; None where nothing is, or a file is damaged."""
    if data is None or data[:1] != FORM or hashlib.sha256(data[33:]).digest() != data[1:33]:
        return None
    rows, forms, common, fields = orjson.loads(decompressed(data[33:]))
    return Read(tuple(map(tuple, rows)), forms, common, fields)


def _of_site(site: NamedSite, error: InfographError) -> InfographError:
    """Returns an error that names the site."""
    if site.place in error.place or site.place in error.reason:
        return error
    place = f"{site.id} ({site.place}): {error.place}"
    if isinstance(error, ClientError):
        return ClientError(error.code, place, error.reason, error.hint)
    return type(error)(place, error.reason, error.hint)


def _write(root: Path, manifest: bytes, shards: Mapping[str, bytes], builds: set[str]) -> None:
    """Writes the files of a federation, the manifest last; then removes what the one before had and this one has
    not. A reader of that one who comes too late reads the manifest again."""
    root.mkdir(parents=True, exist_ok=True)
    for name, data in shards.items():
        path = f"{FEDERATION_FOLDER}/{name}"
        if not same_bytes(str(root / path), data):
            write_durable(root, path, data)
    if not same_bytes(str(root / FEDERATION), manifest):
        write_durable(root, FEDERATION, manifest)
    for name in names_in(root, FEDERATION_FOLDER):
        if SHARD_NAME.fullmatch(name) and name not in shards:
            remove_private(root, f"{FEDERATION_FOLDER}/{name}")
    for name in names_in(root, MEMORY):
        if name not in builds:
            remove_private(root, f"{MEMORY}/{name}")

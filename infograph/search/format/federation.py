"""A federation: several published trees that are searched as one. `federation.json` is its manifest.

It has the fields of a bundle's manifest, with the numbers of all sites together (chunks, average length), and the list
of the sites. Its posting shards are those of a bundle whose chunks are sites: an entry has the document frequency over
all sites, and a posting for each site that has the term:

    slot      number of the site in the list
    index     0
    impact    a bound, of 1,023 steps: what a chunk of this site can gain by the term, see `step_up`

Its dictionary has the words of all sites. So a reader cuts a query, mends its slips and weighs its terms as in one
bundle of all documents, and reads only what the sites that have a term hold of it. Files lie in `_federation/`.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import Annotated

import orjson

from infograph.errors import FormatError
from infograph.formats.codec import DecodeError, Pattern, decode
from infograph.formats.names import FEDERATION
from infograph.search.format.bundle_manifest import (
    BoundedCount,
    BundleManifest,
    UnknownFormatError,
    read_manifest,
)
from infograph.search.format.layout import LARGEST_MANIFEST

FORMAT = 1
"""Number of the form, raised when an earlier release could not read it."""
MOST_SITES = 1024
"""Most sites of a federation: a chunk of one is a number below 2^53 then, see `SITE_SLOTS`."""
SITE_SLOTS = 1 << 23
"""Slots that a site has room for: chunk `(slot, index)` of the site `n` is `(n * SITE_SLOTS + slot, index)`. A site of
half a million pages has as many."""
BUILD_DIGITS = 32
SPARE_BITS = 5
"""Bits that a slot has beside those of the number of pages, and one more: the last slots may overflow."""
STEPS = 1023
"""Steps of a bound: an impact has ten bits."""
LONGEST_HREF = 2048
"""Most characters of a site's address."""

_NAME = r"(?!\.{1,2}/)[A-Za-z0-9._~%!$&'()*+,;=@-]+/"
_HREF = re.compile(rf"\./|(?:{_NAME})+|https?://[A-Za-z0-9.:\[\]-]+/(?:{_NAME})*")
"""An address of a folder: below that of the federation, or absolute. Neither a user's name nor a query is in one."""
_HIDDEN = re.compile(r"%(?:2e|2f|5c|00)", re.IGNORECASE)
"""What servers may take for something else than a letter of a name."""

MAKE_AGAIN = "Make it again: `infograph federate`"

SiteId = Annotated[str, Pattern(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")]


@dataclass(frozen=True, slots=True)
class FederatedSite:
    """One site of a federation."""

    id: SiteId
    """Name of the site, which the paths of its pages and the hrefs of its chunks begin with."""
    href: str
    """Address of its root, relative to the federation's or absolute, with its final slash."""
    chunks: BoundedCount
    build: Annotated[str, Pattern(rf"[0-9a-f]{{{BUILD_DIGITS}}}")]
    """First hex digits of the SHA-256 of its search bundle's manifest: of another one, terms may be missing here."""
    title: str = ""
    pages: BoundedCount = 0


@dataclass(frozen=True, slots=True)
class _Own:
    sites: tuple[FederatedSite, ...]
    most_postings: BoundedCount = 0


@dataclass(frozen=True, slots=True)
class FederationManifest:
    """Several sites as one."""

    bundle: BundleManifest
    """Numbers of all sites together, and where the shards of terms and the dictionary are."""
    sites: tuple[FederatedSite, ...]
    most_postings: int = 0
    """Most chunks that count for a term, the strongest of all sites, as a bundle keeps that many; 0 for all."""


def is_federation(data: bytes) -> bool:
    """Whether a file says of itself that it is a federation's manifest."""
    try:
        found = orjson.loads(data)
    except orjson.JSONDecodeError:
        return False
    return isinstance(found, dict) and "federation" in found


def read_federation(data: bytes) -> FederationManifest:
    """Reads a manifest. Raises FormatError where it is malformed, UnknownFormatError where its format is unknown."""
    if len(data) > LARGEST_MANIFEST:
        raise FormatError(FEDERATION, f"{len(data)} bytes, more than {LARGEST_MANIFEST}", MAKE_AGAIN)
    try:
        found = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise FormatError(FEDERATION, f"not JSON: {error}", MAKE_AGAIN) from None
    said = found.get("federation") if isinstance(found, dict) else None
    if type(said) is not int:
        raise FormatError(FEDERATION, "not the manifest of a federation", MAKE_AGAIN)
    if said != FORMAT:
        reason = f"its format is {str(said)[:40]}, and this release of infograph knows {FORMAT}"
        raise UnknownFormatError(FEDERATION, reason, f"Update infograph. {MAKE_AGAIN}")
    try:
        bundle, own = read_manifest(data), decode(_Own, found)
    except DecodeError as error:
        reason = f"a field is missing or of another kind: {error.placed}"
        raise FormatError(FEDERATION, reason, MAKE_AGAIN) from None
    except UnknownFormatError as error:
        raise UnknownFormatError(FEDERATION, error.reason, MAKE_AGAIN) from None
    except FormatError as error:
        raise FormatError(FEDERATION, error.reason, MAKE_AGAIN) from None
    refuse_unsound(own.sites)
    return FederationManifest(bundle, own.sites, own.most_postings)


def refuse_unsound(sites: tuple[FederatedSite, ...]) -> None:
    """Raises FormatError for a list of sites that is empty or too long, or has one name or one address twice."""
    if not 0 < len(sites) <= MOST_SITES:
        raise FormatError(FEDERATION, f"{len(sites)} sites: there are 1 to {MOST_SITES}", MAKE_AGAIN)
    seen: dict[str, str] = {}
    for site in sites:
        if not is_site_href(site.href):  # which is not repeated: it may hold a password
            raise FormatError(FEDERATION, f"the address of {site.id} is none that a federation may name", MAKE_AGAIN)
        for what in (site.id.casefold(), site.href):
            if what in seen:
                raise FormatError(FEDERATION, f"{seen[what]} and {site.id} have one name or one address", MAKE_AGAIN)
            seen[what] = site.id


def is_site_href(href: str) -> bool:
    """Whether a text is an address that a federation may name: of a folder below its own, or of one of the web."""
    return len(href) <= LONGEST_HREF and bool(_HREF.fullmatch(href)) and not _HIDDEN.search(href)


def unfit(own: BundleManifest, whole: BundleManifest) -> str:
    """Returns why a site cannot be ranked with others; empty where it can.

    whole: of the federation, or of another site
    """
    if own.language != whole.language:
        return f"its language is {own.language}, and that of the federation {whole.language}"
    if own.pages.bit_length() + SPARE_BITS > SITE_SLOTS.bit_length():
        return f"it has {own.pages:,} pages, more than a site of a federation may have"
    same = replace(own.bm25, average_length=whole.bm25.average_length) == whole.bm25
    if not same or own.neighbour != whole.neighbour or (own.block, own.group) != (whole.block, whole.group):
        return "it is of another release than the federation, and its numbers mean something else"
    return ""


def step_up(gain: float, most: float) -> int:
    """Returns the bound of what a chunk gains by a term as a step, rounded up.

    most: `Bm25Parameters.most`, which the last step stands for
    """
    return min(STEPS, math.ceil(gain * STEPS / most)) if most > 0 else STEPS  # not gain / most: the least would be 0


def bound(step: int, most: float) -> float:
    """Returns what a step stands for: no chunk of the site gains more by the term."""
    return step * most / STEPS


def place_in(number: int, slot: int) -> int:
    """Returns the slot in the federation of a slot of a site. Raises ValueError for one that a site has no room for."""
    if not 0 <= slot < SITE_SLOTS:
        raise ValueError(f"slot {slot}: a site of a federation has {SITE_SLOTS}")
    return number * SITE_SLOTS + slot


def site_of(slot: int) -> tuple[int, int]:
    """Returns the number of a site and the slot in it: the inverse of `place_in`."""
    return divmod(slot, SITE_SLOTS)

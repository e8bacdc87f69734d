"""The files of a federation, from what is known of its sites: terms with their frequencies, bounds and forms.

federation.json         numbers of all sites together, the sites, names of shards: see `format/federation.py`
_federation/p-*.z       terms by hash, each with its frequency and the sites that have it
_federation/w-*.z       the dictionary of all sites, as that of one
_federation/n-*.z       names of these
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from infograph.formats.codec import dump
from infograph.search.format.bundle_manifest import BundleManifest, LinkParameters, QuestionParameters, ShardTable
from infograph.search.format.encoding import front_coded, front_decoded, hashes32
from infograph.search.format.federation import FORMAT, FederatedSite, refuse_unsound, step_up
from infograph.search.format.forms import MOST_FORMS
from infograph.search.format.fusion_model import PLAIN_SUM
from infograph.search.format.layout import LARGEST_SHARD_WRITTEN, joined_names
from infograph.search.format.posting_shards import Columns, encode_entries
from infograph.search.format.rerank_policy import NO_POLICY
from infograph.search.writing.dictionary import dictionary
from infograph.search.writing.shards import Shards, each

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TERM_BYTES = 3000
"""Bytes of a shard of terms, before deflation, that the number of shards aims at: as of a bundle's."""
TERM_SHARE = 0.9
"""Share of all files that may be shards of terms; the dictionary has 0.04, directories the rest."""
MAX_FILES = 2000
"""Most files of a federation: a large one has larger shards."""
NO_TABLE = ShardTable(0, joined_names([""]))
"""A table without shards."""


@dataclass(frozen=True, slots=True)
class SiteTerms:
    """What a federation has to know of one site."""

    site: FederatedSite
    manifest: BundleManifest
    terms: tuple[str, ...]
    frequencies: tuple[int, ...]
    """Number of chunks that have each term."""
    gains: tuple[float, ...]
    """The most that a chunk gains by each term, by the site's own average length: see `impact.saturation`."""
    forms: Mapping[str, str]
    """Endings of the forms of terms, see `forms.written`."""
    common: Mapping[str, str]
    """Words of the language that the site does not have, with their endings."""


@dataclass(frozen=True, slots=True)
class FederationFiles:
    """The files of a federation."""

    manifest: bytes
    shards: Mapping[str, bytes]
    """Bytes by name, in `_federation/`."""
    terms: int
    """Number of different terms."""


def federation(sites: Sequence[SiteTerms]) -> FederationFiles:
    """Returns the files of a federation, a function of its sites in their order. Raises FormatError for sites that
    cannot be told apart."""
    refuse_unsound(tuple(own.site for own in sites))
    chunks = sum(own.manifest.chunks for own in sites)
    length = sum(own.manifest.chunks * own.manifest.bm25.average_length for own in sites)
    average = round(length / max(1, chunks), 3)
    shards = Shards(MAX_FILES, {})
    found = _merged(sites, average)
    terms = sorted(found)
    manifest: dict[str, Any] = {"federation": FORMAT} | _head(sites, chunks, average)
    hashes = hashes32([term.encode() for term in terms])
    entries = _entries(terms, found)
    manifest["postings"] = shards.hashed(
        "p",
        hashes,
        hashes,
        each(lambda places: b"".join([entries[place] for place in places])),
        sum(map(len, entries)),
        TERM_BYTES,
        TERM_SHARE,
    )
    frequencies = [sum(df for _, df, _ in found[term]) for term in terms]
    common: dict[str, str] = {}
    for own in sites:
        common.update(own.common)
    manifest["dictionary"] = dictionary(shards, terms, hashes, frequencies, _forms(sites), common)
    manifest["sites"] = dump(tuple(own.site for own in sites))
    data = json.dumps(manifest, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    return FederationFiles(data, dict(sorted(shards.files.items())), len(terms))


_Row = tuple[int, int, int]
"""Number of a site, frequency of the term there, step of its bound."""


def _merged(sites: Sequence[SiteTerms], average: float) -> dict[str, list[_Row]]:
    """Returns the rows of each term, by the sites' numbers."""
    found: dict[str, list[_Row]] = defaultdict(list)
    for number, own in enumerate(sites):
        # A gain is at most this factor larger where the average is: it divides one part of the denominator.
        factor, most = max(1.0, average / max(1.0, own.manifest.bm25.average_length)), own.manifest.bm25.most
        for term, df, gain in zip(own.terms, own.frequencies, own.gains, strict=True):
            found[term].append((number, df, step_up(gain * factor, most)))
    return found


def _entries(terms: Sequence[str], found: Mapping[str, Sequence[_Row]]) -> list[bytes]:
    import numpy as np

    rows = [row for term in terms for row in found[term]]
    lengths: NDArray[np.int64] = np.fromiter((len(found[term]) for term in terms), np.int64, len(terms))
    columns = Columns(
        lengths,
        np.fromiter((number for number, _, _ in rows), np.int64, len(rows)),
        np.zeros(len(rows), np.int64),
        np.fromiter((step for _, _, step in rows), np.uint16, len(rows)),
    )
    totals = np.fromiter((sum(df for _, df, _ in found[term]) for term in terms), np.int64, len(terms))
    return encode_entries([term.encode() for term in terms], totals, columns)


def _forms(sites: Sequence[SiteTerms]) -> dict[str, str]:
    """Returns the forms of terms over all sites: those that stand first where the term is in the most chunks."""
    weights: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for own in sites:
        for term, df in zip(own.terms, own.frequencies, strict=True):
            for place, ending in enumerate(own.forms.get(term, "").split(" ")):
                weights[term][ending] += df / (1 + place)
    joined = {term: _joined(found) for term, found in weights.items()}
    return {term: endings for term, endings in joined.items() if endings}


def _joined(weights: Mapping[str, float]) -> str:
    best = sorted(weights, key=lambda ending: (-weights[ending], len(ending), ending))
    return " ".join(best[:MOST_FORMS])


def _head(sites: Sequence[SiteTerms], chunks: int, average: float) -> dict[str, Any]:
    """Returns the fields of a bundle's manifest that say how queries are cut and chunks are ranked: those of all sites
    where they agree. Where they embed by several models, or fuse in several ways, no query is ordered by its vector."""
    first = sites[0].manifest
    manifests = [own.manifest for own in sites]
    agree = all((own.vectors, own.fusion) == (first.vectors, first.fusion) for own in manifests)
    stop_words = set.intersection(*(set(front_decoded(own.stop_words)) for own in manifests))
    fields: dict[str, Any] = {
        "format": first.format,
        "language": first.language,
        "stop_words": front_coded(stop_words),
        "chunks": chunks,
        "bm25": dump(first.bm25) | {"average_length": average},
        "neighbour": first.neighbour,
        "block": first.block,
        "group": first.group,
        "largest_shard": LARGEST_SHARD_WRITTEN,
        "documents": dump(NO_TABLE),
        "vectors": dump(first.vectors) if agree else {"dimension": first.vectors.dimension},
        "vector_shards": dump(NO_TABLE),
    }
    if agree and first.fusion != PLAIN_SUM:
        fields["fusion"] = dump(first.fusion)
    if first.rerank != NO_POLICY and all(own.rerank == first.rerank for own in manifests):
        fields["rerank"] = dump(first.rerank)
    links = next((own.links for own in manifests if own.links is not None), None)
    if links is not None:
        fields["links"] = dump(LinkParameters(links.share, links.leaders, links.after, NO_TABLE))
    questions = [own.questions for own in manifests if own.questions is not None]
    if questions:
        count = sum(own.count for own in questions)
        fields["questions"] = dump(QuestionParameters(count, questions[0].distance, NO_TABLE))
    return fields

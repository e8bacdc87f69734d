"""The files of a federation, from what is known of its sites: terms with their frequencies, bounds and forms.

federation.json         numbers of all sites together, the sites, names of shards: see `format/federation.py`
_federation/p-*.z       terms by hash, each with its frequency and the sites that have it
_federation/w-*.z       the dictionary of all sites, as that of one
_federation/n-*.z       names of these, and of the fields of all sites
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
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
from infograph.search.writing.bundle_options import DEFAULTS
from infograph.search.writing.columns import field_directory
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
    fields: Mapping[str, str] = field(default_factory=dict)
    """Types of the fields that the site can be filtered by."""


@dataclass(frozen=True, slots=True)
class FederationFiles:
    """The files of a federation."""

    manifest: bytes
    shards: Mapping[str, bytes]
    """Bytes by name, in `_federation/`."""
    terms: int
    """Number of different terms."""
    chunks: int
    """Chunks of all sites."""


def federation(sites: Iterable[SiteTerms]) -> FederationFiles:
    """Returns the files of a federation, a function of its sites in their order. Only what they have together is held
    of all of them. Raises FormatError for sites that cannot be told apart."""
    whole = _Whole()
    for own in sites:
        whole.add(own)
    refuse_unsound(tuple(whole.sites))
    shards = Shards(MAX_FILES, {})
    manifest: dict[str, Any] = {"federation": FORMAT} | _head(whole)
    terms, frequencies, entries = whole.entries(manifest["bm25"]["average_length"])
    hashes = hashes32([term.encode() for term in terms])
    manifest["postings"] = shards.hashed(
        "p",
        hashes,
        hashes,
        each(lambda places: b"".join([entries[place] for place in places])),
        sum(map(len, entries)),
        TERM_BYTES,
        TERM_SHARE,
    )
    forms = {term: joined for term, found in whole.forms.items() if (joined := _joined(found))}
    manifest["dictionary"] = dictionary(shards, terms, hashes, frequencies, forms, whole.common, ())
    manifest["fields"] = field_directory(shards, whole.fields)
    manifest["most_postings"] = DEFAULTS.most_postings
    manifest["sites"] = dump(tuple(whole.sites))
    data = json.dumps(manifest, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    return FederationFiles(data, dict(sorted(shards.files.items())), len(terms), whole.chunks)


class _Whole:
    """What some sites have together, as they come."""

    def __init__(self) -> None:
        self.sites: list[FederatedSite] = []
        self.manifests: list[BundleManifest] = []
        self.forms: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        """How much counts for each ending of a term: chunks, fewer the later it stands among a site's forms."""
        self.common: dict[str, str] = {}
        self.fields: dict[str, str] = {}
        """Types of the fields, each as the first site says that has it."""
        self._places: dict[str, int] = {}
        self._columns: list[tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.float64]]] = []
        """Numbers of the terms of each site, their frequencies and gains."""

    @property
    def chunks(self) -> int:
        return sum(own.chunks for own in self.manifests)

    def add(self, own: SiteTerms) -> None:
        """Adds a site."""
        import numpy as np

        self.sites.append(own.site)
        self.manifests.append(own.manifest)
        self.common.update(own.common)
        self.fields = {**own.fields, **self.fields}
        places = [self._places.setdefault(term, len(self._places)) for term in own.terms]
        columns = np.array(places, np.int32), np.array(own.frequencies, np.int64), np.array(own.gains, np.float64)
        self._columns.append(columns)
        for term, df in zip(own.terms, own.frequencies, strict=True):
            for place, ending in enumerate(own.forms.get(term, "").split(" ")):
                self.forms[term][ending] += df / (1 + place)

    def entries(self, average: float) -> tuple[list[str], NDArray[np.int64], list[bytes]]:
        """Returns all terms, sorted, with the number of chunks that have each, and its entry.

        average: length of a chunk over all sites
        """
        import numpy as np

        names = list(self._places)
        order = np.array(sorted(range(len(names)), key=names.__getitem__), np.int64)
        ranks = np.empty(len(names), np.int64)
        ranks[order] = np.arange(len(names))
        of = np.concatenate([ranks[places] for places, _, _ in self._columns])
        by_term = np.argsort(of, kind="stable")  # those of one term stay in the order of the sites
        sizes = [len(places) for places, _, _ in self._columns]
        lengths = np.bincount(of, minlength=len(names))
        numbers = np.repeat(np.arange(len(sizes)), sizes)
        steps = np.concatenate([self._steps(number, average) for number in range(len(sizes))])
        frequencies = np.concatenate([own for _, own, _ in self._columns])
        totals = np.bincount(of, frequencies, minlength=len(names)).astype(np.int64)
        columns = Columns(lengths, numbers[by_term], np.zeros(len(by_term), np.int64), steps[by_term])
        terms = [names[place] for place in order.tolist()]
        return terms, totals, encode_entries([term.encode() for term in terms], totals, columns)

    def _steps(self, number: int, average: float) -> NDArray[np.uint16]:
        """Returns the bounds of a site's terms. A gain is larger by the factor of the averages at the most, which stand
        in a part of its denominator."""
        import numpy as np

        bm25, gains = self.manifests[number].bm25, self._columns[number][2]
        factor = max(1.0, average / max(1.0, bm25.average_length))
        return np.array([step_up(gain * factor, bm25.most) for gain in gains.tolist()], np.uint16)


def _joined(weights: Mapping[str, float]) -> str:
    best = sorted(weights, key=lambda ending: (-weights[ending], len(ending), ending))
    return " ".join(best[:MOST_FORMS])


def _head(whole: _Whole) -> dict[str, Any]:
    """Returns the fields of a bundle's manifest that say how queries are cut and chunks are ranked: those of all sites
    where they agree. Where they embed by several models, or fuse in several ways, no query is ordered by its vector."""
    manifests, chunks = whole.manifests, whole.chunks
    first = manifests[0]
    length = sum(own.chunks * own.bm25.average_length for own in manifests)
    agree = all((own.vectors, own.fusion) == (first.vectors, first.fusion) for own in manifests)
    stop_words = set.intersection(*(set(front_decoded(own.stop_words)) for own in manifests))
    fields: dict[str, Any] = {
        "format": first.format,
        "language": first.language,
        "stop_words": front_coded(stop_words),
        "chunks": chunks,
        "bm25": dump(first.bm25) | {"average_length": round(length / max(1, chunks), 3)},
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

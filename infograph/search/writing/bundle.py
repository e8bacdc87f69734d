"""The search bundle as a value: name and bytes of every file of `_search/`, the manifest last.

How many shards there are follows from sizes rounded to powers of two, and which shard a thing is in from its own
hash: what is edited changes the shards it is in, and the manifest.

    manifest.json      the only fixed name: numbers, names of shards (or of directories, where they are many)
    p-*.z              postings by hash of the term, `posting_shards.py`
    d-*.z              what is shown, by hash of group of slots and block, JSON
    v-*.z              chunk vectors, int8, the same
    w-*.z              the dictionary: sorted terms, cut where a term's own hash says so, JSON; and once more backwards
    c-*.z              columns of the fields that can be filtered by, `columns.py`; none without `search.fields`
    l-*.z              links by hash of the page's slot, `links.py`, JSON; none where no page leads to another
    q-*.z              questions that chunks are known to answer, `question_rows.py`, JSON; none where there are none
    n-*.z              directories: names of 64 shards, of all dictionary files, or of the columns of each field, JSON
    m-*.z              the map by which a query's vector is compared, `projection.py`
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Collection, Iterable, Mapping, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from infograph.formats.codec import dump
from infograph.search.format.encoding import front_coded, hashes32
from infograph.search.format.fusion_model import SUM, TREES
from infograph.search.format.impact import COUNTS, FIELDS, K1, LENGTHS, B
from infograph.search.format.layout import FORMAT, LARGEST_SHARD_WRITTEN, MANIFEST
from infograph.search.format.links import shard_key
from infograph.search.format.projection import encode_map
from infograph.search.format.search_space import SearchSpace
from infograph.search.format.terms import Language
from infograph.search.ranking.linking import AFTER, LEADERS, SHARE
from infograph.search.ranking.reranking import FIELDS_SHARE, WEIGHT
from infograph.search.ranking.scoring import IDENTIFIER
from infograph.search.writing.bundle_options import DEFAULTS, SearchOptions
from infograph.search.writing.bundle_state import SearchState
from infograph.search.writing.calibration import pays
from infograph.search.writing.columns import columns, files_needed
from infograph.search.writing.dictionary import Wording, common_words, dictionary
from infograph.search.writing.link_lists import LinkLists, LinkRows, links
from infograph.search.writing.link_table import LinkTable
from infograph.search.writing.page_index import BLOCK, PageIndex
from infograph.search.writing.page_table import Blocks, PageTable, block_hashes
from infograph.search.writing.postings import Postings, merged
from infograph.search.writing.question_table import question_table
from infograph.search.writing.room import IN_MEMORY, Room
from infograph.search.writing.shards import Shards, each
from infograph.search.writing.slots import GROUP
from infograph.search.writing.term_entries import Merge, TermEntries

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LINKS_SHARE = 0.033
"""Share of all files that may be link shards: 64 of 2,000."""
LINK_BYTES = 1024
"""Bytes of a link shard, before deflation, that the number of shards aims at: a query reads up to `LEADERS` of them."""
POSTINGS_SHARE = 0.52
"""Share of all files that may be posting shards. Documents have half of it, vectors a quarter; the dictionary has
0.04, directories the rest. At 2,000 and at 500 files that is just above a power of two of posting shards."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """The files of `_search/`, in the order to write them."""

    files: MutableMapping[str, bytes]
    """Bytes of the files that the last build did not make, and of the manifest, by name."""
    names: tuple[str, ...]
    """Names of all files, the manifest last."""
    manifest: Mapping[str, Any] = field(repr=False)
    links: LinkRows = field(repr=False)
    """Links between the pages, which are numbered as in the state."""


def bundle(
    pages: Iterable[PageIndex], language: Language, space: SearchSpace, options: SearchOptions = DEFAULTS
) -> Bundle:
    """Returns the bundle of a tree: a function of the set of pages, whose order does not matter."""
    return update(None, (), pages, language, space, options)[0]


def state_key(language: Language, space: SearchSpace, options: SearchOptions) -> str:
    """Returns the digest of all that a bundle depends on except the pages: the key that `load_state` takes."""
    parts = [FORMAT, language.name, sorted(language.stop_words), space.revision, asdict(options)]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def update(
    state: SearchState | None,
    removed: Collection[str],
    changed: Iterable[PageIndex] | MutableMapping[str, PageIndex],
    language: Language,
    space: SearchSpace,
    options: SearchOptions = DEFAULTS,
    room: Room = IN_MEMORY,
) -> tuple[Bundle, SearchState]:
    """Returns the bundle after pages were removed and added, byte for byte that of all pages at once, and its state.

    state:   of the last bundle, made under the same `state_key`; None makes a bundle from nothing
    removed: paths of pages that are gone
    changed: new pages, and those that differ; as a mapping by path each is looked up when it is needed, several times,
             and in the end the mapping is emptied
    room:    where the bundle's files and what they show of pages wait
    """
    old = state or no_state(language, space, options)
    pages = PageTable.merged(old, removed, changed, room)
    return finished(old, pages, terms_of(old, pages, room), language, space, options, room)


def no_state(language: Language, space: SearchSpace, options: SearchOptions = DEFAULTS) -> SearchState:
    """Returns the state that the bundle of a new tree starts from."""
    has_own = not space.projects(options.model)
    return SearchState.empty(state_key(language, space, options), None if has_own else space.dimension)


@dataclass(frozen=True, slots=True)
class MergedTerms:
    """The terms of a bundle's pages."""

    postings: Postings
    moved: NDArray[np.int32] = field(repr=False)
    """Place of each term of the last bundle, -1 for one that is gone."""
    wording: Wording = field(repr=False)

    def rewritten(self, old: SearchState) -> set[str]:
        """Returns the terms that came, went, or have another document frequency or other forms than in the last
        bundle; none where there is no last bundle."""
        import numpy as np

        if not old.shards:
            return set()
        was, now, moved = old.postings, self.postings, self.moved
        stays = moved >= 0
        differs = np.ones(len(now.terms), bool)
        differs[moved[stays]] = was.frequencies[stays] != now.frequencies[moved[stays]]
        names = {now.terms[place] for place in np.flatnonzero(differs).tolist()}
        names.update(was.terms[place] for place in np.flatnonzero(~stays).tolist())
        forms, site = old.wording.site, self.wording.site
        names.update(term for term, endings in site.items() if forms.get(term) != endings)
        return names | (forms.keys() - site.keys())


def terms_of(old: SearchState, pages: PageTable, room: Room = IN_MEMORY) -> MergedTerms:
    """Returns the terms of the pages of a bundle, which the new ones are taken out of.

    old: state of the last bundle
    """
    postings, moved = merged(old.postings, pages.numbers, pages.added, room)
    wording = old.wording.updated(pages.numbers, pages.added, room)
    pages.added.clear()  # the merge has all of them
    return MergedTerms(postings, moved, wording)


def finished(
    old: SearchState,
    pages: PageTable,
    known: MergedTerms,
    language: Language,
    space: SearchSpace,
    options: SearchOptions = DEFAULTS,
    room: Room = IN_MEMORY,
) -> tuple[Bundle, SearchState]:
    """Returns the bundle of some pages, and its state: `update` once it is known which pages and terms there are.

    old:   state of the last bundle
    pages: those of that bundle without the removed ones, and the new ones
    known: their terms
    """
    found = links(pages.paths, pages.defined, pages.used)
    postings, wording = known.postings, known.wording
    merge = Merge(old, pages, postings, known.moved)
    terms = TermEntries(merge, options.most_postings, room)

    has_trees = options.fusion is not None and options.fusion.kind == TREES  # which have a file
    of_columns, taken = files_needed(len(options.fields), options.max_files)
    shards = Shards(options.max_files - has_trees - taken, old.shards, room.files())
    manifest = _head(shards, pages, language, space, options) | _fitted(shards, options)
    hashes = hashes32([term.encode() for term in postings.terms])
    with ThreadPoolExecutor(1) as beside:  # the shards are deflating for the most part, the rest is Python
        tables = beside.submit(_shards, shards, merge, terms, hashes, options)
        rest = shards.beside(room.files())
        common, changed = common_words(space, language), known.rewritten(old)
        of_words = dictionary(rest, postings.terms, hashes, postings.frequencies, wording.site, common, changed)
        of_links, digests = _links(rest, LinkLists(found, pages.slots), old, pages)
        of_chunks = _of_chunks(rest, pages, language, options, of_columns)
        manifest |= tables.result() | {"dictionary": of_words} | of_links | of_chunks
    shards.join(rest)
    data = json.dumps(manifest, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    names = (*dict.fromkeys(shards.names.values()), MANIFEST)
    shards.files[MANIFEST] = data
    made = Bundle(shards.files, names, manifest, found)
    return made, SearchState(
        key=old.key,
        paths=pages.paths,
        slots=pages.slots,
        sizes=pages.sizes,
        lengths=pages.lengths,
        blocks=pages.blocks,
        vectors=pages.vectors,
        questions=pages.questions,
        fields=pages.fields,
        postings=postings,
        wording=wording,
        entry_sizes=terms.sizes,
        links=LinkTable(pages.defined, pages.used, digests),
        shards=shards.names,
    )


def _of_chunks(
    shards: Shards, pages: PageTable, language: Language, options: SearchOptions, of_columns: int
) -> dict[str, Any]:
    """Returns the manifest's fields of what chunks answer and what they can be filtered by.

    of_columns: most files of columns
    """
    fields: dict[str, Any] = {}
    questions = question_table(shards, pages.questions, pages.slots.tolist(), language.name)
    if questions is not None:
        fields["questions"] = questions
    if options.fields:
        fields["fields"] = columns(shards, pages.slots, pages.sizes, pages.fields, options.fields, of_columns)
    return fields


def _fitted(shards: Shards, options: SearchOptions) -> dict[str, Any]:
    """Returns the manifest's fields that are from files of `infograph fit`; none by default."""
    fields: dict[str, Any] = {}
    if options.fusion is not None and options.fusion.kind != SUM:
        trees = options.fusion.tree_sum()
        fields["fusion"] = dump(options.fusion.fusion(shards.whole("f", trees) if trees else ""))
    if options.rerank is not None:
        fields["rerank"] = dump(options.rerank.policy)
    return fields


def _head(
    shards: Shards, pages: PageTable, language: Language, space: SearchSpace, options: SearchOptions
) -> dict[str, Any]:
    """Returns the manifest's fields that name no shard."""
    dimension = pages.vectors.shape[1]
    return {
        "format": FORMAT,
        "language": language.name,
        "stop_words": front_coded(language.stop_words),
        "pages": len(pages.paths),
        "chunks": len(pages.vectors),
        "bm25": {
            "k1": K1,
            "b": B,
            "average_length": round(int(pages.lengths.sum()) / max(1, len(pages.vectors)), 3),
            "counts": COUNTS,
            "lengths": LENGTHS,
            "fields": FIELDS,
            "identifier": IDENTIFIER,
        },
        "neighbour": options.neighbour,
        "vectors": {
            "dimension": dimension,
            "unit": space.unit(options.model, dimension),
            "model": f"{options.model}@{options.revision}",
            "weight": WEIGHT,
            "fields": FIELDS_SHARE,
            "rerank": pays(options.model, language.name, options.rerank.vectors if options.rerank else None),
            "map": shards.whole("m", encode_map(space.map(options.model, dimension))),
        },
        "block": BLOCK,
        "group": GROUP,
        "largest_shard": LARGEST_SHARD_WRITTEN,
    }


def _shards(
    shards: Shards, merge: Merge, terms: TermEntries, hashes: NDArray[np.uint32], options: SearchOptions
) -> dict[str, Any]:
    """Adds the shards of postings, documents and vectors; returns the manifest's fields that name them."""
    import numpy as np

    pages, old_terms = merge.pages, merge.old.postings.terms
    lost = hashes32([old_terms[place].encode() for place in np.flatnonzero(merge.moved < 0).tolist()])
    blocks, keys = Blocks(pages), block_hashes(pages.slots, pages.sizes)
    of_vectors = math.prod(pages.vectors.shape)
    return {
        "postings": shards.hashed(
            "p",
            hashes,
            np.concatenate([hashes[terms.touched], lost]),
            terms.shards,
            int(terms.sizes.sum()),
            options.posting_bytes,
            POSTINGS_SHARE,
        ),
        "documents": shards.hashed(
            "d", keys, pages.changed, each(blocks.shown), blocks.bytes_shown, options.document_bytes, POSTINGS_SHARE / 2
        ),
        "vector_shards": shards.hashed(
            "v",
            keys,
            pages.changed,
            each(blocks.vectors),
            of_vectors,
            options.vector_bytes,
            POSTINGS_SHARE / 4,
        ),
    }


def _links(
    shards: Shards, lists: LinkLists, old: SearchState, pages: PageTable
) -> tuple[dict[str, Any], NDArray[np.uint64]]:
    """Adds the link shards, where there are links; returns the manifest's field of them, and `LinkLists.digests`."""
    digests = lists.digests()
    if not len(lists.pages):
        return {}, digests
    was = dict(zip(old.slots.tolist(), old.links.digests.tolist(), strict=True))
    now = dict(zip(pages.slots.tolist(), digests.tolist(), strict=True))
    changed = [slot for slot in was.keys() | now.keys() if was.get(slot, 0) != now.get(slot, 0)]
    table = shards.hashed(
        "l",
        hashes32([shard_key(slot, GROUP).encode() for slot in pages.slots[lists.pages].tolist()]),
        hashes32([shard_key(slot, GROUP).encode() for slot in sorted(changed)]),
        each(lists.shard),
        lists.bytes,
        LINK_BYTES,
        LINKS_SHARE,
    )
    fields = {"share": SHARE, "leaders": LEADERS, "after": AFTER, "shards": table, "left_out": lists.left_out}
    return {"links": fields}, digests

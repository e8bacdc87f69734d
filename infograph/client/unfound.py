"""Tells an answer without hits from one that is not known: files that could not be read may have had some."""

from __future__ import annotations

from infograph.client.errors import ClientError
from infograph.formats.names import SEARCH, join
from infograph.search.format.results import Remarks
from infograph.search.reading.asking import RankedHits
from infograph.search.reading.query import Query
from infograph.search.reading.rankings import NO_WORDS, NOTHING_ASKED

NOTHING_BELOW = "nothing that was found lies below the path"

_NOTED = ("l-", "v-", "m-", "f-", "q-")
"""How the names of files begin without which a search finds as many chunks."""


def refuse_unfound(found: RankedHits, query: Query, remarks: Remarks) -> None:
    """Raises ClientError where nothing was found and files cannot be read that have words or sections, or by which a
    slip is mended or a filter decides: then it is not known that the site has nothing. Those of links, vectors and
    known questions are only noted; so is a path below which there is nothing."""
    if not found.undecided and (found.hits or not query.limit or (query.first and found.total)):
        return
    lost = [name for name in remarks.missing if found.undecided or not name.rpartition("/")[2].startswith(_NOTED)]
    if lost:
        more = f", nor can {len(lost) - 1} more" if lost[1:] else ""
        reason = f"cannot be read ({remarks.missing[lost[0]]}){more}"
        hint = "Nothing was found without them, which does not say that there is nothing: try again"
        raise ClientError("missing", file_of_search(lost[0]), reason, hint)
    if query.passes is not None and not found.hits and {NO_WORDS, NOTHING_ASKED}.isdisjoint(remarks.notes):
        remarks.notes.append(NOTHING_BELOW)


def file_of_search(name: str) -> str:
    """Returns the path of a file by the name that the remarks have: of a site of a federation that is the path."""
    return name if "/" in name else join(SEARCH, name)

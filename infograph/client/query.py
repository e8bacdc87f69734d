"""Turns the arguments of `search` and `pages` into a query, and a path into a test of hits."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from inspect import Parameter, signature
from typing import TYPE_CHECKING, NamedTuple, TypedDict, TypeVar

from infograph.client.embedded import Rerank
from infograph.client.errors import ClientError
from infograph.client.graph import plain_path
from infograph.client.judging import Judge
from infograph.client.options import LEAF, check
from infograph.errors import FilterError
from infograph.search.reading.query import Passes, Query

if TYPE_CHECKING:
    from infograph.search.format.filters import All, Filters


class SearchArguments(TypedDict, total=False):
    """Keyword arguments of `search` and `pages`, each with its default.

    limit:     most hits, 10
    offset:    hits to leave out at the beginning, 0
    path:      a folder of the source tree, or a document; empty for all
    filters:   what fields must be, see `infograph.search.format.filters`; None
               All of `{"language": "python", "tokens": {"gte": 100}, "tags": ["a", "b"], "not": {"product": "old"}}`
               must hold, and of a list one value. What the site has columns for (`search.fields`) is decided before the
               ranking and reads some KB more; other fields of hits are looked at once these are read
    facets:    fields whose most frequent values are counted over all chunks that the search ranks, by their columns; ()
    collapse:  list near-duplicates, as of one page in several versions, as `duplicates` of the best; True
    diversity: 0 to 1, how much the first 32 hits should differ from each other; fetches their vectors; 0
    rerank:    put the best 32 chunks that `path` and `filters` let pass in order by the site's model, which embeds
               the query here; fetches their vectors, some hundred KB, and from a site of another release once a map
               of 250 KB. None, the default: where the site says that it pays, and its model is installed here. True:
               always, and ClientError where it is not installed. To load it is part of the call's time. A function,
               see `infograph.client.embedded.model_embedder`: always, by the vector that it gives
    rerank_with: sends a prompt to a language model and returns its answer, by which the first 20 hits are put in order
               where the ranking is not sure of itself (by the site's threshold; always where there is none). Where it
               fails, or takes more than nine tenths of the call's time, `notes` says so; None
    exact:     search for the words as they are: do not take one that the site does not have for a typing slip; False
    graph:     steps, 0 to 2, to take from the first pages to pages that name the same entities: for questions that no
               page answers alone. Reads some tens of KB more, of a site with `graph.entities`, else ClientError; None,
               the default: no step
    links:     follow the links of the first eight pages, which brings pages that an answer takes beside these; one
               more read, of some KB; True
    prompts:   put chunks before all others that `qa-pairs.md` or a language model says answer a question like this
               one, and raise those that are near such a question; their `matched_question` says which. Of a site with
               known questions one or two files more are read, some KB; True
    texts:     read the chunks of the hits, too, into their `text`; it is empty where one cannot be read, which
               `missing` then names; False
    mode:      `leaf` for chunks; `parent` for the smallest section, of eight chunks at the most, in the place of
               several of its chunks that were found, see `Hit.unit`; `summary-first` for the smallest section around
               each of the best hits, three times `limit` and 30 at the least, in the order of what their summaries,
               or else first sentences, have of the query, for which their first chunks are read. The last two of
               `search` alone, without `rerank_with`; `leaf`
    """

    limit: int
    offset: int
    path: str
    filters: Filters | None
    facets: Sequence[str]
    collapse: bool
    diversity: float
    rerank: Rerank
    rerank_with: Judge | None
    exact: bool
    graph: int | None
    links: bool
    prompts: bool
    texts: bool
    mode: str


_DEFAULTS: SearchArguments = {
    "limit": 10,
    "offset": 0,
    "path": "",
    "filters": None,
    "facets": (),
    "collapse": True,
    "diversity": 0.0,
    "rerank": None,
    "rerank_with": None,
    "exact": False,
    "graph": None,
    "links": True,
    "prompts": True,
    "texts": False,
    "mode": "leaf",
}


class RetrieveArguments(TypedDict, total=False):
    """Keyword arguments of `retrieve`, each with its default.

    path, filters, rerank, exact, graph, prompts: as in `SearchArguments`
    question_class: `factoid`, `analytical`, `comparative`, `exploratory` or `multi-hop`; by the question's words: None
    level:   `passages`, pieces of chunks, or `chunks`, whole ones with what stands beside them; by the class: None
    packing: how pieces are chosen, `greedy` (the best first), `ratio` (by value for each token) or `knapsack` (the
             greatest sum of values); what has paid most, which is `greedy`: None
    sources: what stands above each passage of the text, and is counted: its number alone (`numbers`), as `citations`
             has the rest, or with the trail of headings (`titles`), or with that and the address (`urls`); `numbers`
    split:   search for each name of a comparative or multi-hop question, too; False
    """

    path: str
    filters: Filters | None
    rerank: Rerank
    exact: bool
    graph: int | None
    prompts: bool
    question_class: str | None
    level: str | None
    packing: str | None
    sources: str
    split: bool


RETRIEVE_DEFAULTS: RetrieveArguments = {
    "path": "",
    "filters": None,
    "rerank": None,
    "exact": False,
    "graph": None,
    "prompts": True,
    "question_class": None,
    "level": None,
    "packing": None,
    "sources": "numbers",
    "split": False,
}


Method = TypeVar("Method", bound=Callable[..., object])


def spelled_out(arguments: type) -> Callable[[Method], Method]:
    """Shows the arguments of a TypedDict in the signature of a method that takes them, for `help` and editors."""

    defaults: Mapping[str, object] = RETRIEVE_DEFAULTS if arguments is RetrieveArguments else _DEFAULTS

    def shown(method: Method) -> Method:
        own = signature(method)
        named = [parameter for parameter in own.parameters.values() if parameter.kind is not Parameter.VAR_KEYWORD]
        for name, annotation in arguments.__annotations__.items():
            text = getattr(annotation, "__forward_arg__", annotation)  # as the annotations of methods are
            named.append(Parameter(name, Parameter.KEYWORD_ONLY, default=defaults[name], annotation=text))
        method.__signature__ = own.replace(parameters=named)  # type: ignore[attr-defined]
        return method

    return shown


def refuse_others(call: str, arguments: Iterable[str], known: Collection[str]) -> None:
    """Raises TypeError for an argument that a method does not have.

    call: name of the method
    """
    for name in arguments:
        if name not in known:
            raise TypeError(f"{call}() got an unexpected keyword argument {name!r}; there are: {', '.join(known)}")


class SearchTask(NamedTuple):
    """What a call of `search` or `pages` asks for."""

    query: Query
    rerank: Rerank
    judge: Judge | None
    """`rerank_with`."""
    texts: bool
    mode: str


def asked(call: str, text: str, arguments: SearchArguments) -> SearchTask:
    """Returns what a call asks for.

    call: name of the method, `search` or `pages`

    Raises TypeError for an unknown argument, ClientError `unknown` for a value of another type or out of range.
    """
    refuse_others(call, arguments, _DEFAULTS)
    chosen: SearchArguments = {**_DEFAULTS, **arguments}
    check(query=text, **chosen)
    query = Query(
        text,
        limit=chosen["limit"],
        offset=chosen["offset"],
        one_per_page=call == "pages",
        passes=choice(chosen["path"]),
        path=plain_path(chosen["path"]),
        filters=parsed(chosen["filters"]),
        now=time.time(),
        facets=tuple(chosen["facets"]),
        collapsed=chosen["collapse"],
        diversity=chosen["diversity"],
        exact=chosen["exact"],
        links=chosen["links"],
        prompts=chosen["prompts"],
        hops=chosen["graph"],
    )
    mode = chosen["mode"]
    if mode != LEAF and (call == "pages" or chosen["rerank_with"] is not None):
        raise ClientError("unknown", "mode", f"{mode!r} goes with `search` alone: without `pages` and `rerank_with`")
    return SearchTask(query, chosen["rerank"], chosen["rerank_with"], chosen["texts"], mode)


def parsed(filters: Filters | None) -> All | None:
    """Returns a filter as a search takes it; None for one that lets everything pass. Raises ClientError `unknown` for
    one that is malformed."""
    check(filters=filters)
    if not filters:
        return None
    from infograph.search.format.filters import parse_filters  # no other search loads it

    try:
        return parse_filters(filters)
    except FilterError as error:
        raise ClientError("unknown", error.place, error.reason, error.hint) from None


def choice(path: str) -> Passes | None:
    """Returns the test that hits must pass; None for a query without a path.

    path: a folder of the source tree, or a document

    Raises ClientError `unknown` for an invalid path.
    """
    check(path=path)
    folder = plain_path(path)
    if not folder:
        return None
    return lambda _, hit: hit.page == folder or hit.page.startswith(f"{folder}/")

"""What answers hold where nothing is said of it, and the limits that both clients have."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

import infograph
from infograph.client import (
    Answer,
    AsyncClient,
    Client,
    Item,
    Passage,
    Progress,
    Related,
    SearchArguments,
    Topic,
    TopicDocument,
    TopicEntry,
    Words,
    chunks,
    embedded,
    file_cache,
    folder,
    graph,
    opened_tree,
    options,
    place,
    web,
)
from infograph.client.asks import SPARE_SHARE, File, Freshness, Tally, Work
from infograph.client.budget import SHINGLE, ShownChunk
from infograph.client.plan import FEWEST_CANDIDATES, MOST_CANDIDATES
from infograph.client.query import _DEFAULTS, RETRIEVE_DEFAULTS, RetrieveArguments, asked
from infograph.client.retrieve import SMALLEST_EXCERPT
from infograph.client.served_folder import Reply
from infograph.formats import pack
from infograph.search.format import layout, question_rows
from infograph.search.format.results import Hit, Remarks
from infograph.search.reading import questions

WEB = Path(infograph.__file__).parent / "web"


def in_javascript(file: str, name: str) -> int:
    """The value of a whole constant of `infograph/web`."""
    found = re.search(rf"^const {name} = ([\d_]+)(?: << (\d+))?;$", (WEB / file).read_text("utf-8"), re.MULTILINE)
    assert found, f"{file} has no {name}"
    return int(found[1].replace("_", "")) << int(found[2] or 0)


@pytest.mark.parametrize(
    ("value", "file", "name"),
    [
        (graph.LARGEST_FILE, "graph.js", "LARGEST_FILE"),
        (chunks.LARGEST_CHUNK, "chunk.js", "LARGEST_CHUNK"),
        (chunks.MOST_KEPT, "packs.js", "MOST_KEPT"),
        (pack.FORMAT, "packs.js", "FORMAT"),
        (pack.LARGEST, "packs.js", "LARGEST"),
        (pack.LARGEST_TABLE, "packs.js", "LARGEST_TABLE"),
        (pack.MOST_CHUNKS, "packs.js", "MOST_CHUNKS"),
        (graph.MOST_PAGES, "graph.js", "MOST_PAGES"),
        (web.CONNECTIONS, "graph.js", "AT_ONCE"),
        (opened_tree.REMEMBERED, "bundle.js", "SHARDS_REMEMBERED"),
        (folder.LARGEST, "bundle.js", "LARGEST_SHARD"),
        (question_rows.KEYS, "question.js", "KEYS"),
        (question_rows.MOST_STEMS, "question.js", "MOST_STEMS"),
        (questions.PINNED, "question.js", "PINNED"),
        (layout.HASH_BITS, "options.js", "BITS"),
    ],
)
def test_browsers_have_the_same_limit(value: int, file: str, name: str) -> None:
    assert value == in_javascript(file, name)


def test_limits_that_are_promised() -> None:
    assert (place.LONGEST_HREF, embedded.LONGEST_QUERY, options.MOST_SECONDS) == (4096, 4096, 1e6)
    assert (web.FILE_SHARE, SPARE_SHARE) == (0.25, 0.9)
    assert (MOST_CANDIDATES, FEWEST_CANDIDATES, SMALLEST_EXCERPT, SHINGLE) == (40, 8, 64, 4)
    assert (file_cache.MOST_BYTES, file_cache.LARGEST_ENTRY) == (1 << 28, 1 << 27)
    assert max(folder.LARGEST, chunks.LARGEST_CHUNK, pack.LARGEST, graph.LARGEST_FILE) < file_cache.LARGEST_ENTRY


@pytest.mark.parametrize("kind", [Client, AsyncClient])
def test_the_defaults_of_a_call(kind: type) -> None:
    def defaults(call: str) -> dict[str, object]:
        parameters = inspect.signature(getattr(kind, call)).parameters.values()
        return {p.name: p.default for p in parameters if p.default is not inspect.Parameter.empty}

    assert defaults("__init__") == {"timeout": 10.0, "cache": None, "progress": None, "transport": None}
    assert defaults("retrieve") == {"max_tokens": 2000, **RETRIEVE_DEFAULTS}
    assert RETRIEVE_DEFAULTS.keys() == RetrieveArguments.__annotations__.keys()
    assert {name: _DEFAULTS[name] for name in RETRIEVE_DEFAULTS if name in _DEFAULTS}.items() <= (
        RETRIEVE_DEFAULTS.items()
    )
    assert (defaults("complete"), defaults("correct")) == ({"limit": 10}, {"limit": 5})
    assert defaults("match") == {"topic": "", "limit": 10, "distance": None}
    assert (defaults("sample"), defaults("topics")) == ({"order": "conceptual"}, {"id": ""})
    assert defaults("search") == defaults("pages") == dict(_DEFAULTS)


def test_the_defaults_of_a_query() -> None:
    assert _DEFAULTS.keys() == SearchArguments.__annotations__.keys()
    query, rerank, _, texts, mode = asked("search", "cache", {})
    assert mode == "leaf"
    assert texts is False
    assert (query.limit, query.offset, query.collapsed, query.diversity, query.exact) == (10, 0, True, 0.0, False)
    assert query.prompts is True
    assert (query.passes, query.vector, rerank) == (None, None, None)
    query, rerank, *_ = asked(
        "pages", "cache", {"limit": 3, "offset": 4, "collapse": False, "exact": True, "rerank": True}
    )
    assert (query.limit, query.offset, query.collapsed, query.exact, rerank) == (3, 4, False, True, True)


def test_what_is_not_said_of_a_value() -> None:
    entry = TopicEntry(id="a", title="A", href="a/index.json")
    assert (entry.description, entry.documents, entry.chunks, entry.topics) == ("", 0, 0, 0)
    item = Item(topic="a", document="d", index=1, href="h", title="T")
    assert (item.section_path, item.is_code, item.tokens, item.sha256) == ((), False, None, "")
    assert (item.similarity_conceptual, item.similarity_technical, item.keywords, item.prompt_hashes) == (
        None,
        None,
        (),
        (),
    )
    document = TopicDocument(source="a.md", count=0)
    assert (document.baseline_conceptual, document.stripe_order, document.stripe_order_technical) == (None, (), None)
    related = Related(href="b")
    assert (related.title, related.similarity, dict(related.authority)) == ("", None, {})
    topic = Topic(id="", title="", href="", topics=(), documents={})
    assert (topic.description, topic.build_id, topic.related) == ("", "", ())
    answer, words = Answer(hits=(), total=0), Words(terms=())
    assert (answer.total_relation, dict(answer.missing), dict(answer.corrected), answer.notes) == ("eq", {}, {}, ())
    assert (dict(words.missing), words.notes) == ({}, ())
    assert Passage(text="", tokens=0, excerpt=False, hits=()).duplicates == ()
    hit = Hit("p", "", "", 0, "", (), "", "", 1, "h", "", 1.0)
    assert (hit.simhash, hit.url, hit.duplicates, hit.matched_question) == ("0" * 16, "", (), None)
    shown = ShownChunk(hit, "text", 1)
    assert (shown.excerpt, shown.duplicates) == (False, ())
    assert (Work(list).spare, File("a", 1, bytes).freshness) == (False, Freshness.VALIDATED)
    assert Reply(404) == Reply(404, b"", "", "")
    remarks = Remarks()
    assert (remarks.missing, remarks.corrected, remarks.notes) == ({}, {}, [])


def test_values_of_their_own_share_nothing() -> None:
    for kind in (Remarks, lambda: Answer(hits=(), total=0)):
        assert kind().missing is not kind().missing  # type: ignore[attr-defined]


def test_a_tally_counts_files_and_bytes() -> None:
    told: list[Progress] = []
    tally = Tally(told.append)
    tally.wanted([File("a", 1, bytes), File("b", 1, bytes)])
    tally.had(10)
    tally.wanted([File("c", 1, bytes)])
    tally.had(5)
    assert told == [Progress(1, 2, 10), Progress(2, 3, 15)]
    silent = Tally(None)
    silent.had(3)
    assert (silent.done, silent.known, silent.bytes) == (1, 0, 3)

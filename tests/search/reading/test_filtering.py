"""Filters and facets over a small site, beside a plain look at every chunk."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from infograph.errors import FilterError, InfographError
from infograph.formats.search_fields import parse_fields
from infograph.search.format.bundle_manifest import language_of, read_manifest
from infograph.search.format.filters import parse_filters
from infograph.search.format.results import Remarks
from infograph.search.format.search_space import load_space
from infograph.search.format.terms import Language
from infograph.search.reading import facets
from infograph.search.reading.asking import CURTAILED, RankedHits, Searcher
from infograph.search.reading.dialogue import Dialogue
from infograph.search.reading.facets import BY_COLUMNS_ALONE
from infograph.search.reading.fetching import opened
from infograph.search.reading.listing import named_files
from infograph.search.reading.query import Query
from infograph.search.writing import shards
from infograph.search.writing.bundle import bundle
from infograph.search.writing.bundle_options import SearchOptions
from infograph.search.writing.page_index import SearchChunk, SearchPage, index_page
from infograph.text.language import stemmer

Fields = dict[str, tuple[Any, ...]]
SPECS = parse_fields(["kind", "tags", "weight:number", "created_at", "is_code", "never", "one", "many"])
TODAY = 20_000
"""Day of the reader's clock."""
RANGES: dict[str, Callable[[Any, Any], bool]] = {
    "gt": lambda own, bound: own > bound,
    "gte": lambda own, bound: own >= bound,
    "lt": lambda own, bound: own < bound,
    "lte": lambda own, bound: own <= bound,
}


def fields_of(chance: random.Random, page: Fields) -> Fields:
    """The fields of a chunk: those of its page, and its own."""
    own: Fields = dict(page)
    own["kind"] = (chance.choice(["code", "text", "table"]),)
    own["is_code"] = ("true" if own["kind"] == ("code",) else "false",)
    own["one"] = ("same",)
    if chance.random() < 0.7:
        own["weight"] = (chance.choice([chance.randint(-50, 50), chance.uniform(-5, 5)]),)
    return own


class Site:
    """Sixty pages, their chunks' fields, and their bundle."""

    def __init__(self, language: Language, **options: Any) -> None:
        chance = random.Random(5)
        self.fields: dict[tuple[str, int], Fields] = {}
        pages = []
        for number in range(60):
            of_page: Fields = {}
            if number % 3:
                of_page["tags"] = tuple(chance.sample(["red", "green", "blue", "…東京", "old"], chance.randint(1, 3)))
            if number % 2:
                of_page["created_at"] = (TODAY - chance.randint(0, 400),)
            of_page["many"] = tuple(f"value {chance.randrange(10_000)}" for _ in range(30))
            chunks = []
            for index in range(chance.randint(1, 17)):
                own = self.fields[f"{number}.md", index] = fields_of(chance, of_page)
                text = f"cache {chance.choice(['alpha', 'beta'])} {' '.join(chance.choices(['x1', 'x2', 'x3'], k=5))}"
                chunks.append(SearchChunk(f"Part {index}", (), "", f"{index}.md", 9, "0" * 64, text, text, fields=own))
            page = SearchPage(f"{number}.md", f"Page {number}", f"{number}/", tuple(chunks))
            pages.append(index_page(page, np.zeros((len(chunks), 256), np.int8), language))
        made = bundle(pages, language, load_space(), SearchOptions(fields=SPECS, **options))
        self.files = dict(made.files)
        self.names = made.names
        self.manifest = read_manifest(self.files["manifest.json"])
        self.read: list[str] = []

    def search(self, text: str, remarks: Remarks | None = None, **how: Any) -> RankedHits:
        """The answer of a query; `read` lists the files that it read."""
        filters = how.pop("filters", None)
        node = parse_filters(filters) if filters is not None else None
        query = Query(text, filters=node, now=TODAY * 86_400 + 5.0, **{"limit": 1000, **how})
        searcher = Searcher(self.manifest, language_of(self.manifest, stemmer))
        self.read = []

        def contents(names: Sequence[str]) -> dict[str, Any]:
            self.read += names
            return {name: self.contents(name, searcher) for name in names}

        return Dialogue(searcher.search(query, remarks or Remarks())).run(contents)

    def contents(self, name: str, searcher: Searcher) -> Any:
        if name not in self.files:
            return InfographError(name, "is gone")
        return opened(name, self.files[name], searcher.shards.largest)


@pytest.fixture(scope="module")
def site(language: Language) -> Site:
    return Site(language)


def holds(filters: Any, own: Fields) -> bool:
    """What a filter says of a chunk, by the words of its page in the guide."""
    for name, condition in filters.items():
        if name == "not":
            right = not holds(condition, own)
        elif name in ("any", "all"):
            right = (any if name == "any" else all)(holds(part, own) for part in condition)
        else:
            right = fits(condition, own.get(name, ()), name)
        if not right:
            return False
    return True


def fits(condition: Any, values: tuple[Any, ...], name: str) -> bool:
    if not isinstance(condition, dict):
        wanted = condition if isinstance(condition, list) else [condition]
        return any(day_or(own, name) in values for own in wanted)
    ranges = {how: day_or(bound, name) for how, bound in condition.items() if how in RANGES}
    if ranges and not any(all(RANGES[how](own, bound) for how, bound in ranges.items()) for own in values):
        return False
    if "exists" in condition and condition["exists"] != bool(values):
        return False
    return "not" not in condition or not fits(condition["not"], values, name)


def day_or(value: Any, name: str) -> Any:
    if name == "created_at":
        return int(np.datetime64(value, "D").astype(int))
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else value


def random_filter(chance: random.Random, depth: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for _ in range(chance.randint(1, 2)):
        kind = chance.randrange(9 if depth < 2 else 7)
        if kind == 0:
            found["kind"] = chance.choice(["code", "text", ["code", "table"], {"not": "text"}, "absent", []])
        elif kind in (1, 2):
            tags = chance.choice(["red", "…東京", ["blue", "old"], {"exists": chance.random() < 0.5}, {"not": "red"}])
            found["tags"] = tags
        elif kind in (3, 4):
            how = chance.sample(sorted(RANGES), chance.randint(1, 3))
            found["weight"] = {own: chance.choice([chance.randint(-60, 60), chance.uniform(-6, 6)]) for own in how}
        elif kind == 5:
            day = str(np.datetime64(TODAY - chance.randint(-5, 420), "D"))
            found["created_at"] = chance.choice([day, {"gte": day}, {"lt": day}, {"exists": True}])
        elif kind == 6:
            found["is_code"] = chance.choice([True, False])
        elif kind == 7:
            found["not"] = random_filter(chance, depth + 1)
        else:
            found[chance.choice(["any", "all"])] = [random_filter(chance, depth + 1) for _ in range(2)]
    return found


def places(found: RankedHits) -> list[tuple[str, int, float]]:
    return [(hit.page, hit.index, hit.score) for hit in found.hits]


@pytest.mark.parametrize("rounds", [30, pytest.param(200, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "query", ["cache", *(pytest.param(own, marks=pytest.mark.slow) for own in ("alpha x1", "x3 beta"))]
)
def test_the_answer_is_the_whole_one_without_what_the_filter_does_not_allow(
    site: Site, query: str, rounds: int
) -> None:
    chance = random.Random(query)
    whole = places(site.search(query, links=False))
    used = 0
    for _ in range(rounds):
        filters = random_filter(chance)
        found = site.search(query, links=False, filters=filters)
        right = [own for own in whole if holds(filters, site.fields[own[:2]])]
        assert places(found) == right, filters
        assert (found.total, found.total_relation) == (len(right), "eq")
        used += 0 < len(right) < len(whole)
    assert used > rounds / 3


def test_the_best_k_are_the_best_of_those_that_are_allowed(site: Site) -> None:
    every = site.search("alpha x1", links=False, filters={"tags": "…東京"})
    few = site.search("alpha x1", links=False, filters={"tags": "…東京"}, limit=3, offset=2)
    assert places(few) == places(every)[2:5] and few.total == every.total
    read = [name for name in site.read if name.startswith("d-")]
    site.search("alpha x1", links=False, limit=3, offset=2)
    assert len(read) <= len([name for name in site.read if name.startswith("d-")]), "it reads what it shows"


def test_a_plain_query_reads_no_file_of_a_column(site: Site, language: Language) -> None:
    site.search("alpha x1")
    assert not [name for name in site.read if name[0] == "c" or name == site.manifest.fields]
    site.search("alpha x1", filters={"kind": "code", "tags": "red"})
    own = [name for name in site.read if name[0] == "c"]
    assert len(own) == len(set(own)) == 2 and site.manifest.fields in site.read


def test_every_file_of_a_column_is_found_from_the_manifest(site: Site) -> None:
    listed = set(named_files("manifest.json", site.files["manifest.json"]))
    listed |= {own for name in listed if name[0] == "n" for own in named_files(name, site.files[name])}
    assert listed == set(site.names) - {"manifest.json"}
    assert len([name for name in listed if name[0] == "c"]) > len(SPECS)


def test_fields_of_hits_are_looked_at_once_they_are_read(site: Site) -> None:
    whole = places(site.search("cache", links=False))
    found = site.search("cache", links=False, filters={"page": ["1.md", "2.md"], "index": {"lt": 2}, "kind": "code"})
    right = [(p, i, s) for p, i, s in whole if p in ("1.md", "2.md") and i < 2]
    assert places(found) == [own for own in right if site.fields[own[:2]]["kind"] == ("code",)]
    either = site.search("cache", links=False, filters={"any": [{"page": "1.md"}, {"tags": "old"}]})
    assert places(either) == [own for own in whole if own[0] == "1.md" or "old" in site.fields[own[:2]].get("tags", ())]
    assert places(site.search("cache", links=False, filters={"section_path": {"exists": True}})) == []
    assert places(site.search("cache", links=False, filters={"title": {"exists": True}})) == whole


@pytest.mark.parametrize("how", sorted(RANGES))
@pytest.mark.parametrize("bound", [0, 1, 2])
def test_a_range_of_a_field_of_hits_has_or_lacks_its_bound(site: Site, how: str, bound: int) -> None:
    whole = places(site.search("cache", links=False))
    found = places(site.search("cache", links=False, filters={"index": {how: bound}}))
    assert found == [own for own in whole if RANGES[how](own[1], bound)]
    assert len(found) < len(whole) or (how, bound) == ("gte", 0)


def test_freshness_is_one_for_today_and_less_for_what_is_older(site: Site) -> None:
    whole = places(site.search("cache", links=False))
    for share, days in ((0.5, 69), (1, 0), ("0.1", 230)):
        found = site.search("cache", links=False, filters={"freshness": {"gte": share}})
        created = [site.fields[own[:2]].get("created_at", (-1,))[0] for own in whole]
        assert places(found) == [own for own, day in zip(whole, created, strict=True) if day >= TODAY - days]
    assert len(site.search("cache", links=False, filters={"freshness": {"gt": 0}}).hits) == sum(
        bool(site.fields[own[:2]].get("created_at")) for own in whole
    )
    with pytest.raises(FilterError, match=r"^filters\.freshness: is compared in ranges only"):
        site.search("cache", filters={"freshness": 1})
    with pytest.raises(FilterError, match=r'^filters\.freshness: has to be a number, not "new"'):
        site.search("cache", filters={"freshness": {"gte": "new"}})


@pytest.mark.parametrize(
    ("filters", "said"),
    [
        (
            {"tag": "red"},
            'filters: there is no field "tag". Did you mean tags? There are: anchor, created_at, freshness,',
        ),
        ({"kind": 7}, "filters.kind: has to be a text, not 7"),
        ({"kind": {"gt": "a"}}, "filters.kind: is a text, and ranges are of numbers and dates. Give values"),
        ({"is_code": "maybe"}, 'filters.is_code: has to be true or false, not "maybe"'),
        ({"weight": "heavy"}, 'filters.weight: has to be a number, not "heavy"'),
        ({"weight": {"lt": "1e3"}}, 'filters.weight: has to be a number, not "1e3"'),
        ({"weight": True}, "filters.weight: has to be a number, not true"),
        ({"created_at": 7}, "filters.created_at: has to be a date like 2024-01-31, not 7"),
        (
            {"created_at": {"gte": "2024-02-30"}},
            'filters.created_at: has to be a date like 2024-01-31, not "2024-02-30"',
        ),
        ({"never": 7}, "filters.never: has to be a text, not 7"),
        ({"never": {"gt": 7}}, "filters.never: is a text, and ranges are of numbers and dates. Give values"),
        ({"title": {"lt": 7}}, "filters.title: is a text, and ranges are of numbers and dates. Give values"),
        ({"title": 7}, "filters.title: has to be a text, not 7"),
        ({"index": {"lt": "two"}}, 'filters.index: has to be a number, not "two"'),
    ],
)
def test_what_the_site_does_not_have_is_said(site: Site, filters: Any, said: str) -> None:
    with pytest.raises(FilterError) as caught:
        site.search("cache", filters=filters)
    assert str(caught.value).startswith(said)


def test_a_field_that_no_chunk_has_finds_nothing(site: Site) -> None:
    assert site.search("cache", filters={"never": "x"}).hits == ()
    assert site.search("cache", filters={"never": {"exists": True}}).hits == ()
    assert len(site.search("cache", filters={"never": {"exists": False}}).hits) == len(site.search("cache").hits)


def test_a_text_that_no_chunk_has_is_noted(site: Site) -> None:
    remarks = Remarks()
    assert site.search("cache", remarks, filters={"kind": "cod"}).hits == ()
    assert len(remarks.notes) == 1 and remarks.notes[0].startswith('no chunk has the kind "cod"; the most frequent: ')


def test_facets_count_what_is_ranked_and_allowed(site: Site) -> None:
    whole = places(site.search("alpha", links=False))
    for filters in (None, {"kind": "code"}):
        found = site.search("alpha", links=False, filters=filters, facets=("tags", "kind", "never"), limit=1)
        allowed = [site.fields[own[:2]] for own in whole if filters is None or holds(filters, site.fields[own[:2]])]
        for name in ("tags", "kind"):
            counts = Counter(value for own in allowed for value in own.get(name, ()))
            assert found.facets[name] == tuple(sorted(counts.items(), key=lambda own: (-own[1], own[0])))
        assert found.facets["never"] == () and len(found.hits) == 1


def test_a_path_and_a_filter_must_both_hold(site: Site) -> None:
    whole = places(site.search("cache", links=False))
    how: dict[str, Any] = {"passes": lambda _, hit: hit.page in ("1.md", "2.md", "3.md"), "links": False}
    for filters, right in (
        ({"index": 0}, lambda page, index: index == 0),
        ({"page": ["2.md", "9.md"]}, lambda page, index: page == "2.md"),
        ({"kind": "code"}, lambda page, index: site.fields[page, index]["kind"] == ("code",)),
    ):
        found = places(site.search("cache", filters=filters, **how))
        assert found == [own for own in whole if own[0] in ("1.md", "2.md", "3.md") and right(*own[:2])]


def test_as_many_values_as_are_counted_are_counted(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    for most in (3, 2):
        monkeypatch.setattr(facets, "MOST_VALUES", most)
        if most == 3:
            assert len(site.search("cache", facets=("kind",)).facets["kind"]) == 3
        else:
            with pytest.raises(FilterError, match="`kind` has 3 values, more than 2"):
                site.search("cache", facets=("kind",))


def test_so_many_values_of_a_facet_are_told(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = site.search("cache", facets=("tags",)).facets["tags"]
    monkeypatch.setattr(facets, "SHOWN", 2)
    assert site.search("cache", facets=("tags",)).facets["tags"] == whole[:2]


def test_names_of_files_may_lie_in_directories(site: Site, language: Language, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "INLINE", 0)
    other, chance = Site(language), random.Random(4)
    asked: list[dict[str, Any]] = [{"facets": ("tags", "kind", "never")}]
    asked += [{"filters": random_filter(chance), "facets": ("kind",)} for _ in range(8)]
    for how in asked:
        assert other.search("cache", **how) == site.search("cache", **how)
    lost = [name for name in other.read if name[0] == "n" and name != other.manifest.fields]
    assert lost
    for name in lost:
        del other.files[name]
    remarks = Remarks()
    assert other.search("cache", remarks, facets=("kind",)).undecided and set(remarks.missing) <= set(lost)


def test_facets_say_what_they_cannot_count(site: Site) -> None:
    with pytest.raises(FilterError, match=r"^facets: `many` has 1,[0-9]{3} values, more than 1,000\. Filter by it"):
        site.search("cache", facets=("many",))
    with pytest.raises(
        FilterError, match=r"^facets: 'weight' is no field whose values are counted\. There are: is_code"
    ):
        site.search("cache", facets=("weight",))
    remarks = Remarks()
    site.search("cache", remarks, facets=("kind",), filters={"page": "1.md"})
    assert remarks.notes == [BY_COLUMNS_ALONE]


def test_one_value_of_a_large_vocabulary_is_one_file(site: Site) -> None:
    values = sorted({value for own in site.fields.values() for value in own["many"]})
    for value in values[::100]:
        found = site.search("cache", links=False, filters={"many": value})
        assert {hit.page for hit in found.hits} == {
            page for (page, _), own in site.fields.items() if value in own["many"]
        }
        assert len([name for name in site.read if name[0] == "c"]) == 1
    column = [name for name in site.names if name[0] == "c"]
    assert len(column) > len(SPECS), "the values of one field are in several files"


@pytest.mark.parametrize("kind", ["c", "n"])
def test_without_a_file_of_a_filter_nothing_is_decided(language: Language, kind: str) -> None:
    site = Site(language)
    lost = [name for name in site.names if name[0] == "c"] if kind == "c" else [site.manifest.fields]
    for name in lost:
        del site.files[name]
    remarks = Remarks()
    found = site.search("cache", remarks, filters={"kind": "code"})
    assert found.undecided and (found.hits, found.total, found.total_relation) == ((), 0, "gte")
    assert remarks.missing and set(remarks.missing) <= set(lost)
    assert site.search("cache", facets=("kind",)).undecided
    assert not site.search("cache").undecided


def test_words_in_more_chunks_than_are_listed_are_said(language: Language) -> None:
    site = Site(language, most_postings=20)
    remarks = Remarks()
    found = site.search("cache", remarks, filters={"kind": "code"}, links=False)
    assert found.total_relation == "gte" and remarks.notes == [CURTAILED]
    for limit, notes in ((1, []), (len(found.hits), []), (len(found.hits) + 1, [CURTAILED])):
        remarks = Remarks()
        found = site.search("cache", remarks, filters={"kind": "code"}, links=False, limit=limit)
        assert (found.total_relation, remarks.notes) == ("gte", notes)


def test_what_is_listed_whole_is_not_curtailed(site: Site) -> None:
    remarks = Remarks()
    found = site.search("cache", remarks, filters={"kind": "code"}, links=False)
    assert (found.total_relation, remarks.notes, remarks.curtailed) == ("eq", [], False)


class DamagedSite(Site):
    """A site whose files of fields hold what they should not."""

    damage: Callable[[str, Any], Any]

    def contents(self, name: str, searcher: Searcher) -> Any:
        value = super().contents(name, searcher)
        return self.damage(name, value) if name[0] == "c" or name == self.manifest.fields else value


ODD: tuple[Any, ...] = (
    None,
    5,
    [],
    {},
    b"",
    "x",
    {"fields": []},
    {"fields": {"kind": {}}},
    {"fields": {"kind": {"type": "x"}}},
)


def test_files_that_hold_something_else_decide_nothing(language: Language) -> None:
    site = DamagedSite(language)
    undecided = 0
    for odd in ODD:
        for kind in ("c", "n"):
            site.damage = lambda name, value, odd=odd, kind=kind: odd if name[0] == kind else value
            remarks = Remarks()
            found = site.search("cache", remarks, filters={"kind": "code", "weight": {"gt": 1}})
            if found.undecided:
                assert found.hits == () and remarks.missing
                undecided += 1
    assert undecided >= 2 * len(ODD) - 1, "an empty file has no value"


def test_no_damage_is_more_than_a_file_that_is_missing(language: Language) -> None:
    site, chance = DamagedSite(language), random.Random(8)

    def damaged(name: str, value: Any) -> Any:
        if not isinstance(value, bytes) or chance.random() < 0.3:
            return value
        data = bytearray(value)
        for _ in range(chance.randint(1, 4)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        return bytes(data[: chance.choice([len(data), len(data), chance.randrange(len(data))])])

    site.damage = damaged
    undecided = 0
    for _ in range(60):
        found = site.search("cache", links=False, filters=random_filter(chance), facets=("kind",), limit=5)
        undecided += found.undecided
    assert 10 < undecided < 60

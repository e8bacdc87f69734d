"""`topic-spec.md`: any text survives, the tables render, a person may edit."""

import re
from dataclasses import replace
from html import unescape as html_text
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from infograph.errors import FormatError
from infograph.formats.topic_spec import parse, render
from infograph.formats.unit_groups import groups_of_source
from infograph.model import Keyword, RelatedTopic, SpecChunk, SpecSource, TopicSpec
from infograph.text.units import PlacedUnit

# Any text, and often the characters that matter to Markdown and to this file's own lists.
_TEXT = st.one_of(
    st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=12),
    st.text(alphabet="|\\`*_[]<>&;#~()\"', \t\r\n\x0b\x85\u2028\xa0\u200b\ufeffab.-+=:1", max_size=12),
    st.sampled_from(
        ["", ".", " ", "&amp;", "&#124;", "\\|", "# x", "## Metadata", "— topic specification", "> a > b", "a (1), b"]
    ),
)
_SIMILARITY = st.floats(-1, 1).map(lambda value: round(value, 6) + 0.0)
_SCORE = st.floats(0, allow_nan=False, allow_infinity=False)
_KEYWORDS = st.lists(st.builds(Keyword, _TEXT, _SCORE), max_size=3).map(tuple)
_CHUNK = st.builds(
    SpecChunk,
    index=st.just(0),
    title=_TEXT,
    section_path=st.lists(_TEXT, max_size=3).map(tuple),
    is_code=st.booleans(),
    tokens=st.integers(min_value=0),
    sha256=_TEXT,
    similarity_conceptual=_SIMILARITY,
    similarity_technical=st.none() | _SIMILARITY,
    keywords=_KEYWORDS,
    prompt_hashes=st.sets(st.integers(0, 2**64 - 1), max_size=3).map(lambda values: tuple(sorted(values))),
)


def _source(name: str, title: str, sha256: str, chunks: list[SpecChunk], technical: bool) -> SpecSource:
    numbered = tuple(replace(chunk, index=index) for index, chunk in enumerate(chunks))
    baseline = len(chunks) - 1 if technical and chunks else None
    last = max(0, len(chunks) - 1)
    units = (PlacedUnit("parent", 1, ((0, len(chunks)),)), PlacedUnit("table", 2, ((0, 3, 9), (last, 9, 20))))
    return SpecSource(name, title, sha256, numbered, baseline, units=units[:last])


_SPEC = st.builds(
    TopicSpec,
    id=_TEXT,
    title=_TEXT,
    description=_TEXT,
    chunking=_TEXT,
    model=_TEXT,
    sources=st.lists(
        st.builds(_source, _TEXT, _TEXT, _TEXT, st.lists(_CHUNK, max_size=3), st.booleans()),
        max_size=3,
        unique_by=lambda source: source.stem,
    ).map(tuple),
    keywords=_KEYWORDS,
    related=st.lists(st.builds(RelatedTopic, _TEXT, _TEXT, _SIMILARITY, _KEYWORDS), max_size=3).map(tuple),
)


@pytest.mark.slow
@given(_SPEC)
@settings(max_examples=300, deadline=None)
def test_round_trip(spec: TopicSpec):
    data = render(spec)
    assert parse("topic-spec.md", data) == spec
    assert render(parse("topic-spec.md", data)) == data


def visible(text: str) -> str:
    """As a renderer shows it: control characters, which HTML cannot hold, as the replacement character."""
    return re.sub(r"[\x01-\x08\x0b\x0e-\x1f\x7f-\x9f]", "\ufffd", text)


def _rows_of_units(source: SpecSource) -> list[int]:
    groups = groups_of_source(source)
    return [len(groups)] if groups else []


@given(_SPEC)
@settings(max_examples=100, deadline=None)
def test_renders_as_tables_that_show_the_text(spec: TopicSpec):
    tokens = MarkdownIt("commonmark").enable("table").parse(render(spec).decode())
    kinds = {token.type for token in tokens}
    assert not kinds & {"html_block", "fence", "code_block", "hr", "bullet_list_open", "ordered_list_open"}
    tables: list[list[list[str]]] = []
    headings = []
    for before, token in pairwise(tokens):
        if token.type == "table_open":
            tables.append([])
        elif token.type == "tr_open":
            tables[-1].append([])
        elif token.type == "inline":
            assert {child.type for child in token.children or ()} <= {"text", "text_special", "softbreak"}
            shown = "".join(child.content for child in token.children or ())
            if before.type in ("th_open", "td_open"):
                tables[-1][-1].append(shown)
            elif before.type == "heading_open":
                headings.append(shown)
    assert [len(rows) for rows in tables] == [
        4,
        len(spec.sources) + 1,
        len(spec.keywords) + 1,
        len(spec.related) + 1,
        *(rows + 1 for source in spec.sources for rows in (len(source.chunks), *_rows_of_units(source))),
    ]
    assert all(len(row) == len(rows[0]) for rows in tables for row in rows)
    titles = [row[1] for rows in tables[4:] for row in rows[1:] if rows[0][0] == "Index"]
    assert titles == [visible(chunk.title) for source in spec.sources for chunk in source.chunks]
    assert headings[0].startswith(visible(spec.title))


UNITS = (PlacedUnit("table", 1, ((0, 3, 90),)), PlacedUnit("table", 1, ((0, 95, 120), (1, 0, 40))))


def _spec() -> TopicSpec:
    chunks = (
        SpecChunk(0, "Overview", ("Guide",), False, 318, "e3b0", 1.0, 0.752113, (Keyword("cache", 7),), (1, 2**64 - 1)),
        SpecChunk(1, "Quick Reference", ("Guide", "Quick Reference"), True, 91, "5d0c", 0.752113, 1.0),
    )
    return TopicSpec(
        id="guide/start",
        title="Getting started",
        description="First paragraph.",
        chunking="semantic-250-750",
        model="all-MiniLM-L6-v2@53aa51172d14",
        sources=(SpecSource("start.md", "Getting started", "9f86d081884c7d65", chunks, 1, units=UNITS),),
        keywords=(Keyword("cache", 1.6),),
        related=(RelatedTopic("guide/deploy", "Deploy", 0.781204, (Keyword("cache", 1.6), Keyword("build", 1.4))),),
    )


def test_the_file():
    assert (
        render(_spec()).decode()
        == """\
# Getting started — topic specification

First paragraph.

## Metadata

| Property | Value |
| --- | --- |
| id | guide/start |
| chunking | semantic-250-750 |
| model | all-MiniLM-L6-v2@53aa51172d14 |

## Sources

| Source | Title | SHA-256 | Chunks | Conceptual baseline | Technical baseline |
| --- | --- | --- | --- | --- | --- |
| start.md | Getting started | 9f86d081884c7d65 | 2 | 0 | 1 |

## Keywords

| Keyword | Score |
| --- | --- |
| cache | 1.6 |

## Related topics

| Topic | Title | Similarity | Shared keywords |
| --- | --- | --- | --- |
| guide/deploy | Deploy | 0.781204 | cache (1.6), build (1.4) |

## Chunks: start

| Index | Title | Section path | Code | Tokens | SHA-256 | Conceptual | Technical | Keywords | Prompts |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
| 0 | Overview | > Guide | no | 318 | e3b0 | 1.000000 | 0.752113 | cache (7) | 0000000000000001 ffffffffffffffff |
| 1 | Quick Reference | > Guide > Quick Reference | yes | 91 | 5d0c | 0.752113 | 1.000000 |  |  |

## Units: start

| Type | Level | Count | Slices |
| --- | --- | --- | --- |
| section | 1 | 1 |  |
| table | 1 | 2 | 0:3-90; 0:95-120, 1:0-40 |
"""
    )


def test_rows_of_one_key_have_names_in_a_column_of_their_own():
    rows = (PlacedUnit("rows", 0, ((0, 3, 9),), "a, b"), PlacedUnit("rows", 0, ((0, 9, 12), (1, 0, 4)), "c|d"))
    spec = _spec()
    spec = replace(spec, sources=(replace(spec.sources[0], units=(*UNITS, *rows)),))
    text = render(spec).decode()
    assert "| Type | Level | Count | Slices | Names |\n" in text
    assert "| table | 1 | 2 | 0:3-90; 0:95-120, 1:0-40 |  |\n" in text
    assert "| rows | 0 | 2 | 0:3-9; 0:9-12, 1:0-4 | a&#44; b, c&#124;d |\n" in text
    assert parse("f.md", text.encode()) == spec
    with pytest.raises(FormatError, match="Expected 2 names with commas between, or nothing"):
        parse("f.md", text.replace(", c&#124;d |", " |").encode())


def test_the_root_topic_is_a_dot():
    spec = TopicSpec(id="", title="Root", description="", chunking="c", model="m")
    assert "| id | . |" in render(spec).decode()
    assert parse("f", render(spec)) == spec


def _edited(old: str, new: str) -> TopicSpec:
    text = render(_spec()).decode()
    assert old in text
    return parse("topic-spec.md", text.replace(old, new).encode())


def test_a_person_may_change_titles_and_description():
    assert _edited("# Getting started — topic specification", "# My title").title == "My title"
    assert _edited("| 0 | Overview |", "|0|A \\| *new* title|").sources[0].chunks[0].title == "A | *new* title"
    assert _edited("First paragraph.", "Two\nlines.\n\nOne more.").description == "Two lines.\n\nOne more."


def test_what_follows_from_chunks_is_worked_out_again():
    text = render(_spec()).decode()
    assert parse("f.md", text.replace("| section | 1 | 1 |  |\n", "").encode()) == _spec()
    assert parse("f.md", text.replace("| section | 1 | 1 |", "| section | 1 | 7 |").encode()) == _spec()
    units = text.index("## Units")
    assert parse("f.md", text[:units].encode()).sources[0].units == (), "those of an earlier release have none"


def test_a_person_may_drop_and_change_keywords():
    assert _edited("| cache | 1.6 |\n", "").keywords == ()
    keywords = _edited(" cache (7) ", " cache(8),chunk  (9) ").sources[0].chunks[0].keywords
    assert keywords == (Keyword("cache", 8.0), Keyword("chunk", 9.0))


def test_a_person_may_add_a_related_topic_by_its_id_alone():
    assert _edited("(1.4) |\n", "(1.4) |\n| guide/new |\n").related[1] == RelatedTopic("guide/new", "", 1.0)


def test_a_person_may_reorder_and_align_columns_and_change_line_ends():
    table = "| Keyword | Score |\n| --- | --- |\n| cache | 1.6 |"
    assert _edited(table, "score | keyword\n--:|:--\n2 | cache").keywords == (Keyword("cache", 2.0),)
    assert _edited("\n", "\r\n") == _spec()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("# Getting", "Getting", "f.md:1: the file does not begin with its title"),
        ("| id | guide/start |\n", "", "f.md:5: the property 'id' is missing"),
        ("| id |", "| ident |", "f.md:9: column 'Property' is 'ident'"),
        ("## Related topics", "## Relatd topics", "f.md: the section “## Related topics” is missing"),
        ("## Keywords", "## Notes\n\n## Keywords", "f.md:19: the section 'Notes' is not part of a specification"),
        ("## Keywords", "## Sources", "f.md:19: the section 'Sources' is there twice"),
        ("## Chunks: start", "## Chunks: begin", "f.md: the section “## Chunks: start” is missing"),
        ("| no |", "| maybe |", "f.md:35: column 'Code' is 'maybe'. Expected yes or no"),
        ("0.781204", "1.781204", "f.md:29: column 'Similarity' is '1.781204'. Expected a number from -1 to 1"),
        ("| cache | 1.6 |", "| cache | inf |", "f.md:23: column 'Score' is 'inf'. Expected a number"),
        ("cache (7)", "cache 7", "f.md:35: column 'Keywords' is 'cache 7'. Expected keywords such as"),
        ("ffffffffffffffff", "ffff", "f.md:35: column 'Prompts' is '0000000000000001 ffff'"),
        ("| 2 | 0 | 1 |", "| 3 | 0 | 1 |", "f.md:17: column 'Chunks' is '3'. Expected 2, the number of rows"),
        ("| 2 | 0 | 1 |", "| 2 | 1 | 1 |", "f.md:17: column 'Conceptual baseline' is '1'. Expected 0"),
        ("| 2 | 0 | 1 |", "| 2 | 0 | 2 |", "f.md:17: column 'Technical baseline' is '2'"),
        ("| 1 | Quick", "| 2 | Quick", "f.md:31: the chunks are not numbered"),
        ("| 0 | Overview |", "| 0 | Over | view |", "f.md:35: this is not a row of 10 cells"),
        ("| Prompts |", "| Hashes |", "f.md:33: these are not the table's columns"),
        ("| guide/deploy |", "| |", "f.md:29: column 'Topic' is ''"),
        ("1:0-40", "2:0-40", "f.md:43: column 'Slices' is '0:3-90; 0:95-120, 2:0-40'. Expected slices of the 2 chunks"),
        ("1:0-40", "1:0", "f.md:43: column 'Slices' is '0:3-90; 0:95-120, 1:0'. Expected slices such as"),
        ("| table | 1 | 2 |", "| table | 1 | 3 |", "f.md:43: column 'Count' is '3'. Expected 2, the number of its"),
        (
            "| table | 1 | 2 |",
            "| key | 1 | 2 |",
            "f.md:43: column 'Slices' is '0:3-90; 0:95-120, 1:0-40'. Expected nothing",
        ),
        ("| table | 1 | 2 |", "| table | x | 2 |", "f.md:43: column 'Level' is 'x'. Expected a whole number"),
    ],
)
def test_what_makes_no_sense_is_an_error_with_its_place(old: str, new: str, message: str):
    text = render(_spec()).decode()
    assert old in text
    with pytest.raises(FormatError) as caught:
        parse("f.md", text.replace(old, new, 1).encode())
    assert str(caught.value).startswith(message)


@given(st.binary(max_size=200))
@settings(deadline=None)
def test_any_bytes_are_an_error_not_a_crash(data: bytes):
    with pytest.raises(FormatError):
        parse("f.md", data)


@pytest.mark.parametrize("title", ["a\0b", "\ud800"])
def test_what_no_text_file_holds_is_refused(title: str):
    with pytest.raises(FormatError):
        render(TopicSpec(id="a", title=title, description="", chunking="c", model="m"))


def test_two_documents_of_one_stem_are_refused():
    sources = (SpecSource("a.md", "", "", ()), SpecSource("a.mdx", "", "", ()))
    with pytest.raises(FormatError, match="two documents are called 'a'"):
        render(TopicSpec(id="t", title="", description="", chunking="c", model="m", sources=sources))


def test_references_read_as_in_html():
    text = render(_spec()).decode().replace("| 0 | Overview |", "| 0 | caf&eacute; &#x2014; &AMP; &nosuch; &#0; |")
    title = parse("f", text.encode()).sources[0].chunks[0].title
    assert title == html_text("caf&eacute; &#x2014; &AMP;") + " &nosuch; &#0;"

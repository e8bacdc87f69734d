"""Front matter: strings only, small, and refused rather than guessed at."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import time
from collections.abc import Iterator

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from infograph.errors import DocumentError
from infograph.formats.search_fields import parse_fields
from infograph.source.front_yaml import _full_yaml, _plain_yaml
from infograph.source.frontmatter import FrontMatter, front_matter
from infograph.source.limits import SourceLimits
from infograph.text.inline import heading_text


def read(text: str) -> FrontMatter:
    return front_matter("page.md", text, SourceLimits())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "text",
        "---",
        "---\n",
        "---\n\ntext\n",
        "----\n---\n",
        "--- x\n---\n",
        "+++\ntext\n",
        " ---\na: b\n---\n",
        "---\ntitle: a\n ---\n",
        "---\nFoo\n---\nBar\n",
        "---\n\n# Release 2.0\n\n---\n\nNotes.\n",
        "---\r\n\r\nWarning: the API changed\r\n\r\n---\r\n",
        "---\n \n\n- one: two\n---\n",
        "---\n\n# Deploying\n\n```yaml\nname: web\n```\n\n---\n\nMore text.\n",
        "---\n\n# Options\n\nauto: it chooses by itself\n\n---\n\nMore text.\n",
        "---\n\n## Changes\n\nThere are two\nways: by hand, and by machine.\n\n---\n",
        "---\n\n**Bold** text\nhttps://a.b\n\n---\n",
        "---\n\nhttps://a.b\n---\n",
        "---\n\n- a\n- b\n\nfoo: bar\n\n---\n",
        "---\n\n[a]: https://x\nfoo: bar\n\n---\n",
        "---\n\n> quote\nq: why?\n\n---\n",
        "***\na: b\n***\n",
    ],
)
def test_without_a_closing_fence_it_is_a_thematic_break(text: str) -> None:
    assert read(text) == FrontMatter()


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_yaml(end: str) -> None:
    front = end.join(
        [
            "---",
            "title: The  page",
            "description: >-",
            "  Two",
            "  lines",
            "keywords: a, b c,",
            "tags:",
            "- d",
            "- a",
            "---",
            "",
        ]
    )
    assert read(front + "# H") == FrontMatter(front, "The page", "Two lines", ("a", "b c", "d"))


@pytest.mark.parametrize(
    "text",
    [
        "---\n\ntitle: A\n---\n",
        "---\n\n---\n",
        "---\n# title: B\n---\n",
        "---\n\nx : y\n---\n",
        "---\n\n# The site's\ntitle: A\n---\n",
        '---\n\n"title": A\n---\n',
        "---\n\nTitle: A\ntitle: B\n---\n",
        "---\n\nmy key: A\ntitle: B\n---\n",
        "---\n\n  title: A\n  description: B\n---\n",
        "---\n\ntags: [\n  a,\n]\n# of the page\ntitle: >\n\n  A\n---\n",
        "---\n\ntags:\n- a\n-\n  b\ntitle: A\n---\n",
    ],
)
def test_a_blank_line_may_stand_above_a_key(text: str) -> None:
    assert read(text).source == text


@pytest.mark.parametrize("length", [299, 300, 301, 2000])
def test_a_title_is_as_long_as_a_heading_at_the_most(length: int) -> None:
    title = ("word " * 400)[:length].strip()
    shown = heading_text(title)
    assert len(shown) <= 300
    for front in (f"---\ntitle: {title}\n---\n", f'+++\ntitle = "{title}"\n+++\n', f'{{\n"title": "{title}"\n}}\n'):
        assert read(front).title == shown


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_toml(end: str) -> None:
    front = (
        '+++\ntitle = "The page"\ndate = 2024-01-31\nweight = 3\ndraft = false\ntags = ["a", "b"]\n[menu]\nx = 1\n+++\n'
    ).replace("\n", end)
    assert read(front + "# H") == FrontMatter(front, "The page", None, ("a", "b"))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("below", ["", "# H\n", "\n\ntext"])
def test_json(end: str, below: str) -> None:
    front = end.join(
        [
            "{ ",
            '  "title": "The  \\ud83d\\ude00 page",',
            '  "date": "2024-01-31", "weight": 3, "draft": false, "description": null,',
            '  "tags": ["a", "b"],',
            '  "slug": "there",',
            '"menu": {',
            '"x": 1.50',
            "}",
            "}\t",
            "",
        ]
    )
    rest = end + below if below else ""
    found = read(front + rest)
    assert found == FrontMatter(front, "The \U0001f600 page", None, ("a", "b"), (("slug", "there"),))


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "{\n",
        "{}\n",
        "{}\n\ntext\n",
        '{"a": "b"}\n\n',
        '{ "a": "b"\n}\n\n',
        '{\n"a": "b"}\n\n',
        '{\n"a": "b"\n }\n\n',
        '{\n"a": "b"\n}\ntext\n',
        '{\r\n"a": "b"\r\n}\r\ntext\r\n',
        '{\n"a": "b"\n} text\n\n',
        '{\n"a": "b"\n\n# H\n',
        '{\n"a": "b",\n}\n\n',
        "{\n'a': 'b'\n}\n\n",
        '{\n"a": NaN\n}\n\n',
        '{\n"a": "b\n"\n}\n\n',
        '{\n"a": 1, "a": 2,\n}\n\n',
        ' {\n"a": "b"\n}\n\n',
        "{\n% include x %\n}\n\n",
        "{\n" + '"a":[' * 100_000 + "\n}\n\n",
    ],
)
def test_what_is_no_json_object_of_its_own_lines_is_text(text: str) -> None:
    assert read(text) == FrontMatter()


@pytest.mark.parametrize(
    "inner, reason",
    [
        ('"a": ' + "[" * 21 + "]" * 21, "nesting deeper than 20"),
        ('"a": "' + "x" * 1_100_000 + '"', r"front matter of \d+ bytes, more than 1048576"),
        ('"a": "\\ud800"', "half of a surrogate pair"),
        ('"a": ["\\u0000"]', "NUL"),
    ],
)
def test_json_refused(inner: str, reason: str) -> None:
    with pytest.raises(DocumentError, match=rf"page\.md:1: .*{reason}"):
        read(f"{{\n{inner}\n}}\n\n# H\n")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(
    st.dictionaries(st.text(max_size=4).filter(lambda key: key not in ("title", "keywords", "tags")), JSON, max_size=3),
    st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)), max_size=20),
    st.lists(st.text("abc é", min_size=1, max_size=5), max_size=3),
    st.sampled_from([None, 0, 2, "\t"]),
    st.booleans(),
    st.text("\n\r \ta{}#", max_size=20),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
@settings(deadline=None)
def test_what_json_writers_write_is_read_back(
    values: dict[str, object],
    title: str,
    tags: list[str],
    indent: int | str | None,
    ascii_only: bool,
    body: str,
    end: str,
) -> None:
    values |= {"title": title, "tags": tags}
    written = json.dumps(values, indent=indent, ensure_ascii=ascii_only)
    source = ("{\n" + written[1:-1].strip("\n") + "\n}\n").replace("\n", end)
    try:
        found = read(f"{source}{end}{body}")
    except DocumentError as error:
        assert "NUL" in error.reason or "description" in error.reason
        return
    assert found.source == source
    assert (found.title or "") == " ".join(title.split())
    assert list(found.keywords) == list(dict.fromkeys(filter(None, (" ".join(tag.split()) for tag in tags))))


@given(st.text('{}[]":,a1 \t\r\n', max_size=30))
@settings(max_examples=500, deadline=None)
def test_what_begins_with_a_brace_loses_nothing(text: str) -> None:
    text = "{\n" + text
    with contextlib.suppress(DocumentError):
        source = read(text).source
        assert text.startswith(source)
        if source:
            assert isinstance(json.loads(source), dict)
            assert not text[len(source) :].splitlines() or not text[len(source) :].splitlines()[0].strip()


@pytest.mark.parametrize(
    "value", ["no", "1:30", "2024-01-31", "12", "1e3", "0x1F", "true", "null", "~", ".nan", "1_000", "'no'"]
)
@pytest.mark.parametrize("extra", ["", "x: [1]\n"])  # the second goes through the YAML parser
def test_scalars_stay_what_was_written(value: str, extra: str) -> None:
    assert read(f"---\n{extra}title: {value}\n---\n").title == value.strip("'")


@pytest.mark.parametrize(
    "text", ["---\n---\n", "---\n# only a comment\n---\n", "---\ntitle:\n---\n", "---\ntitle: ''\n---\n"]
)
def test_empty(text: str) -> None:
    assert read(text) == FrontMatter(text)


@pytest.mark.parametrize(
    "inner, reason",
    [
        ("title: [a", r"page\.md:\d+: broken YAML"),
        ("a: b: c", r"page\.md:2: broken YAML"),
        ("b: *x", r"page\.md:2: alias `\*x` without its anchor"),
        ("? [a]\n: b", "a key that is not a string"),
        ("a: " + "[" * 21 + "]" * 21, "nesting deeper than 20"),
        ("a: \x01", "broken YAML"),
        ("a: " + "x" * 1_100_000, "front matter of 1100004 bytes, more than 1048576"),
        ("tags: [" + "a," * 60_000 + "]", "more than 50000 values"),
        ('a: "\\ud800"', r"page\.md:2: half of a surrogate pair"),
        ('a: "\\0"', r"page\.md:2: .*NUL"),
        ("a: 1\n...\n%YAML 1.1", "broken YAML"),
        ("title: a\n- b", r"page\.md:\d+: broken YAML"),
        ("a: 1\n--- b: 2", "a second YAML document|broken YAML"),
    ],
)
def test_refused_with_file_and_reason(inner: str, reason: str) -> None:
    with pytest.raises(DocumentError, match=reason) as error:
        read(f"---\n{inner}\n---\n")
    assert error.value.place.startswith("page.md:")


@pytest.mark.parametrize(
    "inner, reason",
    [
        ("a = ", r"page\.md:\d+: broken TOML"),
        ("a = 1\na = 2", "broken TOML"),
        ("a = " + "[" * 4000, "nesting|broken"),
        ("a = " + "[" * 21 + "]" * 21, "nesting deeper than 20"),
    ],
)
def test_toml_refused(inner: str, reason: str) -> None:
    with pytest.raises(DocumentError, match=reason):
        read(f"+++\n{inner}\n+++\n")


@pytest.mark.parametrize(
    "inner, said",
    [
        ('title = "a"\nb = oo', "page.md:3: broken TOML front matter: Invalid value. "),
        ('title = "a"\n\na = 1\na = 2', "page.md:5: broken TOML front matter: Cannot overwrite a value. "),
        ('title = "a"\ntags = ["a",', "page.md:3: broken TOML front matter: "),
    ],
)
def test_toml_is_broken_in_one_place(inner: str, said: str) -> None:
    """That of the file, not that of the text between the fences."""
    with pytest.raises(DocumentError) as error:
        read(f"+++\n{inner}\n+++\n")
    assert str(error.value).startswith(said)
    assert "(at " not in str(error.value)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("---\ntitle: a\nx: [\n  1,\nb: *c\n---\n", 5),
        ("---\ntitle: a\u2028b\nx: *c\n---\n", 3),
        ("---\ntitle: a\nx: {a: [\n---\n", 4),
        ("---\ntitle: a\nx: " + "[" * 21 + "\n---\n", 3),
        ("---\n\ntitle: a\nx: " + "[" * 21 + "\n---\n", 4),
        ("---\n\nb: *c\n---\n", 3),
        ("---\nx: [\n  a,\n  b\ny: 1\n---\n", 5),
        ('+++\ntitle = "a"\nx = \n+++\n', 3),
        ('+++\ntitle = "a"\nx = [\n+++\n', 3),
    ],
)
def test_a_refusal_names_the_line_of_the_file(text: str, line: int, end: str) -> None:
    with pytest.raises(DocumentError) as error:
        read(text.replace("\n", end))
    assert error.value.place == f"page.md:{line}"


def test_fences_may_end_in_different_ways() -> None:
    front = "---\rtitle: a\r\ntags: b\n---\r"
    assert read(front + "---\n") == FrontMatter(front, "a", None, ("b",))
    assert read("---\rtitle: a\r--- x\r") == FrontMatter()


@pytest.mark.parametrize(
    "text",
    [
        *(f"---\n{inner}\n---\n" for inner in ("b: *x", "b: [*x]", "<<: *x")),
        *(f"---\n{inner}\n---\n" for inner in ("? [a]\n: b", "title: [a", "a: \x01")),
        *(f"---\n{inner}\n---\n" for inner in ("a: " + "[" * 21 + "]" * 21, 'a: "\\0"', "a: b: c")),
        *(f"+++\n{inner}\n+++\n" for inner in ("a = ", "a = " + "[" * 4000, 'a = "\\u0000"')),
    ],
)
def test_a_refusal_says_what_to_write_instead(text: str) -> None:
    with pytest.raises(DocumentError) as error:
        read(text)
    assert error.value.hint == "Write each key once, with text (in quotes, where it has signs) or a list of texts"


HOSTILE = {
    "laughs": "a: &a [x,x]\n" + "".join(f"b{n}: &b{n} [*a,*a]\n" for n in range(200)),
    "open lists": "[" * 8000,
    "open lists with items": "[a," * 2600,
    "open mappings": "{a: " * 2000,
    "question marks": "? " * 4000,
    "dashes": "- " * 4000,
    "colons": "a: " * 2600,
    "keys": "".join(f"k{n}:\n" for n in range(1200)),
    "flow": "x: [" + "a," * 4000 + "]",
    "quotes": '"' * 8000,
    "block scalar": "a: |\n" + " x\n" * 2600,
    "indent": "".join(" " * n + "a:\n" for n in range(120)),
    "comments": "#\n" * 4000,
    "dotted": "a: " + "\\x" * 4000,
}


@pytest.mark.parametrize("inner", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_yaml_ends_by_name(inner: str) -> None:
    try:
        read(f"---\n{inner}\n---\n")
    except DocumentError as error:
        assert error.place.startswith("page.md:")


def test_hostile_yaml_costs_little_more_than_any_other(capsys: pytest.CaptureFixture[str]) -> None:
    """At most 0.1 s each, where 8 KB that are in order take a quarter of that."""

    def cost(inner: str) -> float:
        """Least processor time of three."""
        times = []
        for _ in range(3):
            begin = time.process_time()
            with contextlib.suppress(DocumentError):
                read(f"---\n{inner}\n---\n")
            times.append(time.process_time() - begin)
        return min(times)

    usual = cost("x: [1]\n" + "".join(f"key{n}: {{a: b, c: [d, e]}}\n" for n in range(300)))
    costs = {name: cost(inner) for name, inner in HOSTILE.items()}
    worst = max(costs, key=costs.__getitem__)
    with capsys.disabled():
        print(f" 8 KB of usual YAML {usual:.3f} s, the worst, {worst}, {costs[worst]:.3f} s", end="")
    assert costs[worst] <= 3 * usual


SCALARS = [
    *("no", "1:30", "2024-01-31", "2024-01-31T00:00:00Z", "0o17", "0x1F", "1_000", "1e400", ".nan", ".inf", "-.inf"),
    *("~", "null", "true", "!", "=", "<<x", "9007199254740993", "'no'", '"1"', "a", "\u00e9", "\U0001f600"),
]


@given(
    st.recursive(
        st.sampled_from(SCALARS) | st.from_regex(r"[0-9:.e+-]{1,12}", fullmatch=True),
        lambda inner: (
            st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]")
            | st.dictionaries(st.sampled_from(["a", "b", "c"]), inner, max_size=3).map(
                lambda items: f"{{{', '.join(f'{key}: {value}' for key, value in items.items())}}}"
            )
        ),
        max_leaves=8,
    ),
    st.sampled_from(["title", "date", "description", "weight"]),
)
@settings(max_examples=200, deadline=None)
def test_values_go_through_strict_json_as_they_are(value: str, key: str) -> None:
    """Never a date, a number or a NaN: text, lists and mappings of text."""
    try:
        values = _full_yaml("page.md", f"{key}: {value}\n", [])
    except DocumentError:
        return
    assert values is not None
    written = json.dumps(values, allow_nan=False)
    numbers = {"parse_int": pytest.fail, "parse_float": pytest.fail, "parse_constant": pytest.fail}
    assert json.loads(written, **numbers) == values


TEXT = st.text(st.characters(exclude_categories=("Cs", "Cc"), include_characters="\n"), max_size=40)
ITEMS = st.sampled_from(["a", "b c", "'d, e'", '""', "true", " f", "\u3000g"]) | st.text(
    " ab#:'\"[],&-é\xa0", max_size=4
)
LINES = st.lists(
    st.one_of(
        st.builds(
            "{}: {}".format,
            st.sampled_from(["a", "b c", "d.e-f", "g"]),
            st.text(" ab#:'\"[]{},&*-?!%é|>~=\\", max_size=8),
        ),
        st.builds("{}: [{}]".format, st.sampled_from(["a", "b"]), st.lists(ITEMS, max_size=3).map(", ".join)),
        st.builds("{}- {}".format, st.sampled_from(["", " ", "  "]), st.text(" ab#:'\",-é", max_size=5)),
        st.sampled_from(["a:", "b:  ", "g:", "# c", "", "- x", "  - y", "  more"]),
    ),
    max_size=5,
).map("\n".join)


@given(LINES)
@settings(max_examples=1000, deadline=None)
def test_the_short_way_agrees_with_the_yaml_parser(source: str) -> None:
    short = _plain_yaml(source)
    if short is not None and "- %" not in source and "- ?" not in source:
        assert short == _full_yaml("page.md", source, [])


def test_what_most_front_matter_is_takes_the_short_way() -> None:
    source = "title: Lists\ntags: [a, 'b, c', \"d\"]\ncategories: []\naliases:\n  - /old/\ndraft: false"
    found = {"title": "Lists", "tags": ["a", "b, c", "d"], "categories": [], "aliases": ["/old/"], "draft": "false"}
    assert _plain_yaml(source) == found == _full_yaml("page.md", source, [])


@given(st.dictionaries(st.from_regex(r"[a-z]{1,8}", fullmatch=True), TEXT, max_size=4))
@settings(deadline=None)
def test_what_yaml_writers_write_is_read_back(values: dict[str, str]) -> None:
    for source in (yaml.safe_dump(values, allow_unicode=True, default_style='"'), json.dumps(values)):
        assert _full_yaml("page.md", source, []) == values


def test_collections_are_put_into_those_that_are_open() -> None:
    found = _full_yaml("page.md", "a: {b: {c: d, e: [f, {g: h}, [i]]}, j: k}\nl: m\n", [])
    assert found == {"a": {"b": {"c": "d", "e": ["f", {"g": "h"}, ["i"]]}, "j": "k"}, "l": "m"}


def test_lists_and_blank_lines_are_read_without_the_parser() -> None:
    front = '---\ntitle: a\n\ntags:\n- b\n- "c"\n- \'d\'\n- %\n- ""\n---\n'
    assert read(front) == FrontMatter(front, "a", None, ("b", "c", "d", "%"))
    assert read("---\ntags:\n- a\n  - b\n---\n").keywords == ("a - b",)


def test_a_lone_sign_in_a_list_is_a_string() -> None:
    assert read("---\ntitle: a\ntags:\n  - %\n  - ?\n---\n").keywords == ("%", "?")


@pytest.mark.parametrize(
    ("front", "related"),
    [
        ("related: guide/setup.md\n", ("guide/setup.md",)),
        ("related: [guide/setup.md, The Big Picture]\nnext: b.md\n", ("b.md", "guide/setup.md", "The Big Picture")),
        ("see_also:\n- a.md\n- a.md\n- ' '\nprev: ''\n", ("a.md",)),
        ("parent: {title: A}\nprerequisites: [{page: b}]\nseealso: {}\n", ()),
        ("title: A\nrelatedness: b.md\n", ()),
    ],
)
def test_pages_that_a_front_matter_names(front: str, related: tuple[str, ...]) -> None:
    assert read(f"---\n{front}---\n# H\n").related == related


@pytest.mark.parametrize(
    ("front", "found"),
    [
        ("Title: Networking\nDESCRIPTION: How\nTags: [a]\n", FrontMatter("", "Networking", "How", ("a",))),
        ("Title: upper\ntitle: lower\n", FrontMatter("", "lower")),
        ("title: lower\nTitle: upper\n", FrontMatter("", "lower")),
        ("linkTitle: Short\n", FrontMatter("", "Short")),
        ("linkTitle: Short\ntitle: The long one\n", FrontMatter("", "The long one")),
        ("title: ''\nlinktitle: Short\n", FrontMatter("", "Short")),
        ("Slug: there\n", FrontMatter(addresses=(("slug", "there"),))),
        (
            "base: &base\n  alt: x\nhero: {<<: *base}\ntitle: &t Home\ndescription: *t\n",
            FrontMatter("", "Home", "Home"),
        ),
        ("tags: &tags [a, b]\nkeywords: *tags\n", FrontMatter(keywords=("a", "b"))),
        ("more: &more {title: From below, tags: [m]}\n<<: *more\n", FrontMatter("", "From below", None, ("m",))),
        ("more: &more {title: From below}\ntitle: Own\n<<: [*more]\n", FrontMatter("", "Own")),
        ("title: !!str Tagged\nx: !ENV [A, b]\ny: !!python/object:os.system z\n", FrontMatter("", "Tagged")),
        ("title: a\ntitle: b\n", FrontMatter("", "b", remarks=("key `title` twice: the last one holds",))),
        ("title: [a, b]\n", FrontMatter(remarks=("`title` is no text and is not used",))),
        (
            "tags: [a, [b], {c: d}]\n",
            FrontMatter(keywords=("a",), remarks=("`tags` is no list of texts; what is no text of it is not used",)),
        ),
        (
            "tags: {a: b}\n",
            FrontMatter(remarks=("`tags` is no list of texts; what is no text of it is not used",)),
        ),
    ],
)
def test_what_generators_build_is_read(front: str, found: FrontMatter) -> None:
    assert read(f"---\n{front}---\n") == dataclasses.replace(found, source=f"---\n{front}---\n")


def test_a_list_between_rules_is_text() -> None:
    assert read("---\n- a\n- b\n---\n") == FrontMatter()


def test_a_front_matter_of_12_kilobytes_is_read() -> None:
    """A reference page has its parameters there."""
    rows = "".join(f"  - name: option{n}\n    text: 'What option {n} does: much'\n" for n in range(220))
    front = f"---\nsynopsis: &s Starts it\noptions:\n{rows}Title: The page\ndescription: *s\ntags:\n- a\n- b\n---\n"
    assert len(front) > 12_000
    assert read(front + "text") == FrontMatter(front, "The page", "Starts it", ("a", "b"))


def test_what_nobody_asks_for_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 400 KB the parser sees the two lines that are read."""
    seen = []
    parse = yaml.parse

    def counted(source: str, Loader: type) -> Iterator[yaml.Event]:
        seen.append(len(source.replace("\n", "")))
        return parse(source, Loader=Loader)

    monkeypatch.setattr(yaml, "parse", counted)
    rows = "".join(f"  - {{name: option{n}}}\n" for n in range(18_000))
    assert read(f"---\ntitle: The page\noptions:\n{rows}tags: [a]\n---\n").title == "The page"
    assert seen == [len("title: The pagetags: [a]")]


def test_a_name_for_a_thousand_values_is_built_once() -> None:
    laughs = "a0: &a0 [lol]\n" + "".join(f"a{n + 1}: &a{n + 1} [{','.join([f'*a{n}'] * 9)}]\n" for n in range(60))
    found = read(f"---\ntitle: T\n{laughs}tags: *a60\nrelated: *a60\n---\n")
    assert (found.title, found.keywords, found.related) == ("T", (), ())
    assert read("---\na: &a [*a]\ntitle: T\nparent: &p {<<: *p}\n---\n").title == "T"


def test_merge_keys_are_bounded() -> None:
    keys = ", ".join(f"k{n}: v" for n in range(150))
    chain = "".join(f"m{n}: {{<<: *m0, own{n}: x}}\n" for n in range(1, 150))
    with pytest.raises(DocumentError, match="merge keys that bring in more than 10000 keys"):
        read(f"---\ntitle: T\nm0: &m0 {{{keys}}}\n{chain}---\n")


FIELDS = parse_fields(["tags", "Module Name", "weight:number", "updated:date", "draft:flag", "created_at", "product"])


def fields_of(text: str) -> tuple[dict[str, object], tuple[str, ...]]:
    found = front_matter("page.md", text, SourceLimits(), FIELDS)
    return dict(found.fields), found.remarks


@pytest.mark.parametrize(
    "text",
    [
        "---\ntags: [a, b c]\nmodule name: Core\nWeight: 7.5\nupdated: 2024-01-31\ndraft: True\n"
        "date: 2024-02-01\n---\n",
        '+++\ntags = ["a", "b c"]\n"Module Name" = "Core"\nweight = 7.5\nupdated = 2024-01-31\ndraft = true\n'
        "date = 2024-02-01T10:00:00Z\n+++\n",
        '{\n"tags": ["a", "b c"], "Module Name": "Core", "weight": 7.5, "updated": "2024-01-31", "draft": true,\n'
        '"date": "2024-02-01"\n}\n\n',
    ],
    ids=["yaml", "toml", "json"],
)
def test_fields_have_the_values_of_their_types(text: str) -> None:
    found = {
        "tags": ("a", "b c"),
        "Module Name": ("Core",),
        "weight": (7.5,),
        "updated": (19753,),
        "draft": ("true",),
        "created_at": (19754,),
    }
    assert fields_of(text) == (found, ())


def test_tags_may_be_a_text_with_commas_and_other_fields_may_not() -> None:
    assert fields_of("---\ntags: a, b\nproduct: a, b\n---\n")[0] == {"tags": ("a", "b"), "product": ("a, b",)}


def test_what_is_said_of_its_creation_comes_before_its_date() -> None:
    assert fields_of("---\ndate: 2024-02-01\ncreated_at: 2024-01-31\n---\n")[0] == {"created_at": (19753,)}


def test_a_value_of_another_type_is_remarked_and_left_out() -> None:
    found, remarks = fields_of("---\nweight: heavy\nupdated: soon\ndraft: perhaps\nproduct:\n  a: b\ntags: [x]\n---\n")
    assert found == {"tags": ("x",)}
    assert remarks == (
        "`weight`: 'heavy' is no number and is not filtered by",
        "`updated`: 'soon' is no date like 2024-01-31 and is not filtered by",
        "`draft`: 'perhaps' is neither true nor false and is not filtered by",
        "`product`: is no text or list of these and is not filtered by",
    )


def test_a_field_of_a_long_front_matter_is_read() -> None:
    filler = "".join(f"key{n}: value\n" for n in range(2000))
    assert fields_of(f"---\n{filler}other: [a,\n b]\nproduct: x\n---\n")[0] == {"product": ("x",)}


@pytest.mark.parametrize("front", ["---\ntags: [{}]\n---\n", "+++\ntags = [{}]\n+++\n", '{{\n"tags": [{}]\n}}\n\n'])
def test_more_values_than_a_document_may_have_are_refused(front: str) -> None:
    few, many = (front.format(", ".join(f'"t{n}"' for n in range(count))) for count in (1000, 1001))
    assert len(fields_of(few)[0]["tags"]) == 1000  # type: ignore[arg-type]
    with pytest.raises(
        DocumentError, match=r"page\.md:1: `tags` has 1,001 values, more than 1,000\. Give fewer, or take"
    ):
        fields_of(many)


def test_a_million_tags_are_refused() -> None:
    text = "---\ntags:\n" + "".join(f"- t{n}\n" for n in range(1_000_000)) + "---\n"
    with pytest.raises(DocumentError, match=r"front matter of [0-9]+ bytes, more than 1048576"):
        fields_of(text)

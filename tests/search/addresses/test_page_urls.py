from __future__ import annotations

from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.errors import ConfigError
from infograph.model import Site, UserTable
from infograph.search.addresses.page_urls import PAGES, page_url

BASE = "https://example.org/docs/"


def url(path: str, generator: str, /, front: dict[str, object] | None = None, **options: object) -> str:
    """Below the base."""
    return page_url(path, front or {}, Site(generator, BASE, **options)).removeprefix(BASE)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("generator", "path", "expected"),
    [
        ("mkdocs", "guide/setup.md", "guide/setup/"),
        ("mkdocs", "guide/index.md", "guide/"),
        ("mkdocs", "README.md", ""),
        ("docusaurus", "01-guide/02-setup.mdx", "guide/setup"),
        ("docusaurus", "guide/guide.md", "guide/"),
        ("docusaurus", "7.0-notes.md", "7.0-notes"),
        ("hugo", "Guide/Set Up.md", "guide/set-up/"),
        ("hugo", "guide/_index.md", "guide/"),
        ("sphinx", "guide/README.md", "guide/README.html"),
        ("mdbook", "guide/README.md", "guide/index.html"),
        ("github", "guide/set up.md", "guide/set%20up.md"),
        ("html", "guide/index.md", "guide/index.html"),
        ("vitepress", "guide/Set up.md", "guide/Set%20up.html"),
        ("vitepress", "guide/index.md", "guide/"),
        ("starlight", "Guide/Set Up.mdx", "guide/set-up/"),
        ("starlight", "guide/index.md", "guide/"),
        ("jekyll", "guide/setup.md", "guide/setup.html"),
        ("jekyll", "guide/README.md", "guide/"),
    ],
)
def test_each_generator_has_its_rule(generator: str, path: str, expected: str) -> None:
    assert url(path, generator) == expected


def test_options_of_the_generators() -> None:
    assert url("a/b.md", "mkdocs", directory_urls=False) == "a/b.html"
    assert url("a/README.md", "mkdocs", directory_urls=False) == "a/index.html"
    assert url("a/b.md", "sphinx", directory_urls=True) == "a/b/"
    assert url("01-a/b.md", "docusaurus", number_prefixes=False) == "01-a/b"
    assert url("a/b.md", "docusaurus", trailing_slash=True) == "a/b/"
    assert url("a/index.md", "docusaurus", trailing_slash=False) == "a"
    assert url("a/B.md", "hugo", ugly_urls=True, lower_paths=False) == "a/B.html"
    assert url("a/b.md", "vitepress", directory_urls=True) == "a/b"
    assert url("a/b.md", "jekyll", directory_urls=True) == "a/b/"


@pytest.mark.parametrize(("slash", "page", "root"), [(None, "a/b", ""), (True, "a/b/", ""), (False, "a/b", "")])
def test_docusaurus_ends_addresses_as_it_is_told(slash: bool | None, page: str, root: str) -> None:
    assert url("a/b.md", "docusaurus", trailing_slash=slash) == page
    assert url("index.md", "docusaurus", trailing_slash=slash) == root
    bare = Site("docusaurus", trailing_slash=slash)
    assert page_url("index.md", {}, bare) == "./" and page_url("a/b.md", {}, bare) == page
    without = Site("docusaurus", BASE.rstrip("/"), trailing_slash=slash)
    assert page_url("index.md", {}, without) == BASE.rstrip("/") + ("" if slash is False else "/")


@pytest.mark.parametrize(
    ("slash", "expected"), [(None, "2026/02/03/x"), (True, "2026/02/03/x/"), (False, "2026/02/03/x")]
)
def test_posts_end_as_docusaurus_is_told(slash: bool | None, expected: str) -> None:
    site = Site("docusaurus", BASE, roots=UserTable([("blog", "blog")]), blogs=("blog",), trailing_slash=slash)
    assert page_url("blog/2026-02-03-x.md", {}, site) == f"{BASE}blog/{expected}"
    assert page_url("blog/x.md", {"slug": "y/"}, site) == f"{BASE}blog/{'y' if slash is False else 'y/'}"


@pytest.mark.parametrize(
    ("path", "front", "ugly", "expected"),
    [
        ("a/index.md", {}, False, "a/"),
        ("a/b/_index.md", {}, False, "a/b/"),
        ("_index.md", {}, False, ""),
        ("_index.md", {}, True, "index.html"),
        ("index.md", {}, True, "index.html"),
        ("a/_index.md", {}, True, "a/index.html"),
        ("a/index.md", {}, True, "a.html"),
        ("a/b/index.md", {"slug": "c"}, False, "a/c/"),
        ("a/b.md", {"slug": "c/d"}, True, "a/c/d.html"),
        ("A  b/c-_.~+#@%d!.md", {}, False, "a--b/c-_.~%2B%23%40%25d/"),
    ],
)
def test_pages_of_hugo(path: str, front: dict[str, object], ugly: bool, expected: str) -> None:
    assert url(path, "hugo", front, ugly_urls=ugly) == expected


def test_hugo_keeps_capitals_where_it_is_told() -> None:
    assert url(" A  - b/C d.md", "hugo", lower_paths=False) == "A-b/C-d/"
    assert url("X/\u0130\u0660\u2163\u0301.md", "hugo") == "x/i%D9%A0%CC%81/"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("01-a/b.md", "a/b"),
        ("a/02. b.md", "a/b"),
        ("a/3_b.md", "a/b"),
        ("a/2024-01-b.md", "a/2024-01-b"),
        ("a/1.2.md", "a/1.2"),
        ("a/04-.md", "a/04-"),
        ("a/readme.md", "a/"),
        ("a/A.md", "a/"),
        ("01-a/a.md", "a/a"),
        ("x/a/a.md", "x/a/"),
    ],
)
def test_numbers_that_order_files_of_docusaurus(path: str, expected: str) -> None:
    assert url(path, "docusaurus") == expected


def test_numbers_stay_where_front_matter_says_so() -> None:
    assert url("01-a/02-b.md", "docusaurus", {"parse_number_prefixes": "False"}) == "01-a/02-b"
    assert url("01-a/02-b.md", "docusaurus", {"slug": "c"}) == "a/c"
    assert url("01-a/02-b.md", "docusaurus", {"slug": "/c/"}) == "c/"


def test_readme_and_index_of_each_generator() -> None:
    assert url("a/readme.md", "mkdocs") == "a/readme/" and url("a/index.md", "sphinx", directory_urls=True) == "a/"
    assert url("a/index.md", "sphinx") == "a/index.html" and url("ReadMe.md", "mdbook") == "index.html"
    assert url("a/Index.md", "jekyll") == "a/" and url("a/_b/c.md", "jekyll") == ""
    assert url("a/index.md", "starlight", {"slug": "b/"}) == "b/"
    assert url("a/b.MDX", "mkdocs") == "a/b/" and url("a/.md", "html") == "a/.md"


def test_front_matter_counts_where_the_generator_honours_it() -> None:
    front: dict[str, object] = {"slug": "other", "id": "other-id", "url": "/up/here/", "permalink": "/perma/"}
    assert url("a/b.md", "mkdocs", front) == "a/b/"
    assert url("a/b.md", "docusaurus", front) == "a/other"
    assert url("a/b.md", "docusaurus", {"id": "other-id"}) == "a/other-id"
    assert url("a/b.md", "hugo", front) == "up/here/"
    assert url("a/b.md", "hugo", {"slug": "Other one"}) == "a/other-one/"
    assert url("a/b.md", "pattern", front, pattern="{path}.html") == "perma/"
    assert url("a/b.md", "starlight", front) == "other/"
    assert url("a/b.md", "jekyll", front) == "perma/"
    assert url("a/b.md", "docusaurus", {"slug": None, "id": ["no", "text"]}) == "a/b"


def test_a_path_in_a_hugo_front_matter_begins_at_the_whole_sites_home() -> None:
    site = Site("hugo", "https://example.org/en/docs/", home="https://example.org/")
    assert page_url("a.md", {"url": "/elsewhere/"}, site) == "https://example.org/elsewhere/"
    assert page_url("a.md", {}, site) == "https://example.org/en/docs/a/"


def test_where_no_page_is_known_there_is_no_address() -> None:
    assert page_url("a/b.md", {"url": "/b/", "slug": "b"}, Site(url=BASE)) == ""
    assert page_url("a/talk.vtt", {}, Site(url=BASE)) == ""
    assert page_url("SUMMARY.md", {}, Site("mdbook", BASE)) == ""
    assert url_of_jekyll("_posts/2024-01-31-news.md") == url_of_jekyll("a.md", permalink="/:title/") == ""


def url_of_jekyll(path: str, **front: object) -> str:
    return page_url(path, front, Site("jekyll", BASE))


def test_front_matter_cannot_leave_the_site() -> None:
    for front in (
        {"slug": "../../../up"},
        {"slug": "//evil.example/up"},
        {"url": "/../up"},
        {"url": "//evil.example"},
        {"permalink": "/../../up"},
        {"permalink": "https://evil.example/"},
    ):
        for generator in PAGES:
            found = page_url("a/b.md", front, Site(generator, BASE, pattern="{path}.html"))
            assert found.startswith(BASE) or (not found and generator in ("auto", "jekyll"))
            assert ".." not in unquote(found)


OTHER = "https://other.example/o/"
ROOTS = UserTable({"docs/": "next", "versions/1/": "", "blog": "/news/", "other/": OTHER, "docs/in/": "x"}.items())


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("docs/01-a/b.md", BASE + "next/a/b"),
        ("docs/in/b.md", BASE + "x/b"),
        ("versions/1/index.md", BASE),
        ("versions/1/a.md", BASE + "a"),
        ("blog/a.md", "/news/a"),
        ("other/a.md", "https://other.example/o/a"),
        ("docs/a.html", BASE + "next/a.html"),
        ("README.md", ""),
        ("blogs/a.md", ""),
    ],
)
def test_a_site_of_several_roots(path: str, expected: str) -> None:
    assert page_url(path, {}, Site("docusaurus", BASE, roots=ROOTS)) == expected


@pytest.mark.parametrize(
    ("path", "front", "expected"),
    [
        ("blog/2026-02-03-first-words.md", {}, "2026/02/03/first-words"),
        ("blog/2026-02-03-first/index.mdx", {}, "2026/02/03/first"),
        ("blog/deep/2026-2-3-x.md", {}, "2026/2/3/deep/x"),
        ("blog/2026/02/03/x.md", {}, "2026/02/03/x"),
        ("blog/undated/index.md", {}, "undated"),
        ("blog/01-undated.md", {}, "01-undated"),
        ("blog/2026-02-03-x.md", {"slug": "/hello"}, "hello"),
        ("blog/2026-02-03-x.md", {"slug": "../../up"}, "up"),
    ],
)
def test_posts_of_a_blog(path: str, front: dict[str, object], expected: str) -> None:
    site = Site("docusaurus", BASE, roots=UserTable([("docs", ""), ("blog/", "blog")]), blogs=("blog",))
    assert page_url(path, front, site) == f"{BASE}blog/{expected}"


def test_a_pattern_has_named_parts() -> None:
    assert url("a/b.md", "pattern", pattern="/x/{path}.html") == "x/a/b.html"
    assert url("a/index.md", "pattern", pattern="/{route}") == "a/"
    assert url("b.md", "pattern", pattern="/{dir}/{name}/") == "b/"
    assert url("a/b.md", "pattern", {"slug": "c"}, pattern="{dir}/{slug}") == "a/c"


def test_a_wrong_setting_says_what_is_right() -> None:
    with pytest.raises(ConfigError, match=r"no `mkdoc`. Did you mean `mkdocs`"):
        url("a.md", "mkdoc")
    with pytest.raises(ConfigError, match=r"no part `\{file\}`. Valid: `\{path\}`"):
        url("a.md", "pattern", pattern="/{file}.html")
    with pytest.raises(ConfigError, match="names no part"):
        url("a.md", "pattern")


KNOWN = [name for name in PAGES if name != "auto"]


def test_a_file_that_no_generator_renders_stays_where_it_is() -> None:
    for generator in KNOWN:
        assert url("a/talk 1.vtt", generator, pattern="{path}") == "a/talk%201.vtt"
        assert url("LICENSE", generator, pattern="{path}") == "LICENSE"


def test_without_a_base_addresses_are_relative() -> None:
    assert page_url("a/b.md", {}, Site("mkdocs")) == "a/b/"
    assert page_url("index.md", {}, Site("mkdocs")) == "./"
    assert page_url("a:b.md", {}, Site("html")) == "a%3Ab.html"


@given(st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1), st.sampled_from(KNOWN))
def test_every_name_gives_an_address_below_the_base(name: str, generator: str) -> None:
    found = page_url(f"a/{name}.md", {}, Site(generator, BASE, pattern="{path}.html"))
    assert found.startswith(BASE) and found.isascii()
    assert not urlsplit(found).query and not urlsplit(found).fragment


@pytest.mark.parametrize(
    ("path", "canonical", "expected"),
    [
        ("guide/setup/index.html", "", "guide/setup/"),
        ("guide/setup.html", "", "guide/setup.html"),
        ("index.html", "https://x.org/docs/", "./"),
        ("guide/setup.html", "https://x.org/docs/guide/setup", "guide/setup"),
        ("guide/setup.html", "https://x.org/docs/guide/setup/", "guide/setup/"),
        ("guide/setup/index.html", "https://x.org/docs/guide/setup", "guide/setup"),
        ("guide/setup/index.html", "https://x.org/docs/other/setup/", "guide/setup/"),
        ("a b/c%d.html", "https://x.org/a%20b/c%25d", "a%20b/c%25d"),
        ("guide/setup.html", "//[", "guide/setup.html"),
        ("setup.html", "https://x.org/../../setup", "setup"),
    ],
)
def test_rendered_pages_lie_where_they_are(path: str, canonical: str, expected: str) -> None:
    for generator in ("html", "mkdocs", "hugo"):
        assert page_url(path, {"canonical": canonical}, Site(generator)) == expected
    below = page_url(path, {"canonical": canonical}, Site(url="https://y.org/z/"))
    assert below == f"https://y.org/z/{expected.removeprefix('./')}"

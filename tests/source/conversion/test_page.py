"""Rendered pages as Markdown."""

from __future__ import annotations

import re

import pytest
from markdown_it import MarkdownIt
from selectolax.lexbor import LexborHTMLParser

from infograph.errors import DocumentError
from infograph.source.conversion.interface import ConversionOptions, Converted
from infograph.source.conversion.page import convert_page


def convert(content: str, head: str = "") -> Converted:
    page = f"<!doctype html><html lang=en><head>{head}</head><body>{content}</body></html>"
    return convert_page("page.html", page.encode(), ConversionOptions())


def text(content: str) -> str:
    return convert(f"<main>{content}</main>").text


BLOCKS = {
    "paragraphs": ("<p>One\n two</p><p>Three<br>four</p>", "One two\n\nThree  \nfour\n"),
    "text around blocks": ("One<div>two</div>three", "One\n\ntwo\n\nthree\n"),
    "phrases": ("<p><b>a</b> <i>b</i> <code>c`d</code> <del>e</del></p>", "**a** *b* ``c`d`` ~~e~~\n"),
    "phrases around blocks": ("<b><p>one</p><p>two</p></b>", "**one**\n\n**two**\n"),
    "emphasis that Markdown cannot have": ("<p><b>Note:</b>text and x<i>(y)</i></p>", "Note:text and x(y)\n"),
    "lists": ("<ul><li>a<ul><li>b</ul><li>c</ul>", "- a\n  - b\n- c\n"),
    "airy lists": ("<ul><li>a<ul><li>b</ul><li><p>c<p>d</ul>", "- a\n\n  - b\n\n- c\n\n  d\n"),
    "numbers": ("<ol start=3><li>a<li>b</ol>", "3. a\n4. b\n"),
    "quote": ("<p>x</p><blockquote><p>a</p><p>b</p></blockquote>", "x\n\n> a\n>\n> b\n"),
    "terms": ("<dl><dt>term</dt><dd>what it is</dd></dl>", "**term**\n\nwhat it is\n"),
    "details that a heading names": ("<details><summary><h3>More</h3></summary><p>a</p></details>", "### More\n\na\n"),
    "details": ("<details><summary>More</summary><p>a</p></details>", "**More**\n\na\n"),
    "table": (
        "<table><thead><tr><th>A<th>B</thead><tr><td>1 | 2<td><code>a|b</code><br>c</table>",
        "| A | B |\n| --- | --- |\n| 1 \\| 2 | `a\\|b` c |\n",
    ),
    "lists in a cell": (
        "<table><tr><th>A<th>B<tr><td>x<ul><li>a<ul><li><b>b</b></ul><li>c<li></ul>y<td><ol><li>a<li>b</ol><ol><li>c</ol></table>",
        "| A | B |\n| --- | --- |\n| x • a • **b** • c y | (1) a (2) b (1) c |\n",
    ),
    "listing in a table of line numbers": (
        '<table class="highlighttable"><tr><td class="linenos"><pre>1</pre></td>'
        '<td class="code"><div class="highlight-python"><pre>x = 1\n</pre></div></td></tr></table>',
        "```python\nx = 1\n```\n",
    ),
    "link": ('<p><a href="../a b/?x#y" title="t">there</a></p>', "[there](../a%20b/?x#y)\n"),
    "link around a heading": ('<a href="x/"><h2>Card</h2><p>text</p></a>', "## [Card](x/)\n\n[text](x/)\n"),
    "brackets in a link": ('<p><a href="x">[a] <code>b[0]</code></a></p>', "[\\[a\\] `b[0]`](x)\n"),
    "image": ('<p><img src="x.png" alt="a [b]"></p>', "![a (b)](x.png)\n"),
    "picture in the page": ('<p>x<img src="data:image/png;base64,AAAA" alt="a plot"></p>', "x a plot\n"),
}


@pytest.mark.parametrize("name", BLOCKS)
def test_blocks(name: str) -> None:
    html, markdown = BLOCKS[name]
    assert text(html) == markdown


LISTINGS = {
    "of its code": '<pre><code class="language-python">x</code></pre>',
    "of an element around it": '<div class="highlight-python"><div class="highlight"><pre>x\n</pre></div></div>',
    "of an attribute": '<pre data-lang="python"><code>x</code></pre>',
    "of a highlighter": '<div class="language-python"><button>Copy</button><span class="lang">py</span><pre>'
    '<code><span class="line">x</span></code></pre></div>',
}


@pytest.mark.parametrize("name", LISTINGS)
def test_the_language_of_a_listing(name: str) -> None:
    assert "```python\nx\n```" in text(LISTINGS[name])


def test_the_lines_of_a_listing() -> None:
    lines = '<pre><span class="token-line">a<br></span><span class="token-line">  b</span><a class="lineno">1</a></pre>'
    assert text(lines) == "```\na\n  b\n```\n"
    assert text("<pre><code>a</code><code>b\n</code><button>copy</button></pre>") == "```\na\nb\n```\n"
    assert text("<pre>```\n&lt;b&gt;\n</pre>") == "````\n```\n<b>\n````\n"


def test_what_rustdoc_writes_of_a_method_is_a_section() -> None:
    page = """<h1>Struct Vec</h1><details open><summary class="hideme"><span>Expand description</span></summary>
        <p>An array.</p></details>
        <details open><summary><section id="method.len" class="method"><span class="rightside"><span>1.0.0</span> ·
        <a class="src" href="../src/mod.rs.html#9">Source</a></span><h4 class="code-header">pub fn
        <a href="#method.len" class="fn">len</a>(&amp;self)</h4></section></summary><p>Its length.</p></details>"""
    found = convert(page)
    assert found.text == "# Struct Vec\n\nAn array.\n\n#### pub fn len(&self)\n\nIts length.\n"
    assert found.anchors is not None and [name for _, name in found.anchors] == ["method.len"]


NOTES = {
    "MkDocs, Sphinx": '<div class="admonition note"><p class="admonition-title">Note</p><p>a</p></div>',
    "AsciiDoc": '<div class="admonitionblock note"><table><tbody><tr><td class="icon"><div class="title">Note</div>'
    '</td><td class="content"><div class="paragraph"><p>a</p></div></td></tr></tbody></table></div>',
    "Antora": '<div class="admonitionblock note"><table><tr><td class="icon"><i class="fa" title="Note"></i></td>'
    '<td class="content">a</td></tr></table></div>',
    "Docusaurus": '<div class="theme-admonition alert alert--info"><div class="admonitionHeading_x">Note</div>a</div>',
    "VitePress": '<div class="tip custom-block"><p class="custom-block-title">Note</p><p>a</p></div>',
    "Starlight": '<aside class="starlight-aside"><p class="starlight-aside__title">Note</p><p>a</p></aside>',
    "GitHub": '<div class="markdown-alert markdown-alert-note"><p class="markdown-alert-title">Note</p><p>a</p></div>',
}


@pytest.mark.parametrize("generator", NOTES)
def test_notes(generator: str) -> None:
    assert text(f"<p>x</p>{NOTES[generator]}<p>y</p>") == "x\n\n> **Note**\n>\n> a\n\ny\n"


TABS = {
    "Material": '<div class="tabbed-set"><input><div class="tabbed-labels"><label>A</label><label>B</label></div>'
    '<div class="tabbed-content"><div class="tabbed-block">one</div><div class="tabbed-block">two</div></div></div>',
    "Docusaurus": '<div><ul role="tablist"><li role="tab">A</li><li role="tab">B</li></ul>'
    '<div role="tabpanel">one</div>'
    '<div role="tabpanel" hidden>two</div></div>',
    "VitePress": '<div class="vp-code-group"><div class="tabs"><input><label>A</label><input><label>B</label></div>'
    '<div class="blocks"><div>one</div><div>two</div></div></div>',
}


@pytest.mark.parametrize("generator", TABS)
def test_tabs(generator: str) -> None:
    assert text(TABS[generator]) == "**A**\n\none\n\n**B**\n\ntwo\n"


FORMULAS = {
    "KaTeX": '<span class="katex"><span class="katex-mathml"><math><semantics><mi>x</mi>'
    '<annotation encoding="application/x-tex">x_1^2</annotation></semantics></math></span>'
    '<span class="katex-html" aria-hidden="true">x12</span></span>',
    "MathJax": '<script type="math/tex">x_1^2</script>',
    "arithmatex": '<span class="arithmatex">\\(x_1^2\\)</span>',
    "Sphinx": '<span class="math notranslate nohighlight">\\(x_1^2\\)</span>',
}


@pytest.mark.parametrize("renderer", FORMULAS)
def test_formulas(renderer: str) -> None:
    assert text(f"<p>So {FORMULAS[renderer]} holds.</p>") == "So $x_1^2$ holds.\n"


def test_what_is_no_content() -> None:
    page = """<header><nav>menu</nav></header><main><nav>menu</nav><h1>Title<a class="headerlink" href="#t">¶</a></h1>
    <p>Text<sup data-pagefind-ignore>ignored</sup>.</p><aside>other pages</aside><div hidden>hidden</div><p
    style="display: none">hidden</p><p aria-hidden="true">hidden</p><svg><title>icon</title></svg><template>x</template>
    <noscript>turn it on</noscript><form><select><option>x</select><button>Go</button></form>
    <footer>edit this page</footer></main><footer>footer</footer>"""
    assert convert(page).text == "# Title\n\nText.\n"


CONTENT = {
    "what authors mark": "<main><p>a</p></main><div data-pagefind-body><p>b</p></div><p data-pagefind-body>c</p>",
    "the article of a theme": '<main>x<article class="md-content__inner"><p>b</p></article></main><article>y</article>',
    "the only article of main": "<main>x<article><p>b</p><p>c</p></article></main>",
    "main": "<p>x</p><div role=main><article>b</article><article>c</article></div>",
    "the body": "<nav>x</nav><p>b</p><p>c</p>",
}


@pytest.mark.parametrize("name", CONTENT)
def test_where_the_content_is(name: str) -> None:
    assert convert(CONTENT[name]).text.replace("\n\n", "").strip() in ("bc", "b")


HEADINGS = {
    "of its own": "<h2 id=a>Setup</h2>",
    "of its section": "<section id=a><h2>Setup<a class=headerlink href=#a>#</a></h2></section>",
    "of an anchor in it": "<h2><a name=a></a>Setup</h2>",
    "of an anchor above it": "<p>x</p><a id=a></a><h2>Setup</h2>",
    "of a link that it is": "<h2 id=a><a class=header href=#a>Setup</a></h2>",
}


@pytest.mark.parametrize("name", HEADINGS)
def test_ids_of_headings(name: str) -> None:
    found = convert(f"<main><h1>Page</h1>{HEADINGS[name]}<p>text</p></main>")
    lines = found.text.split("\n")
    assert [(lines[line], id_) for line, id_ in found.anchors or ()] == [("## Setup", "a")]


def test_ids_of_definitions() -> None:
    found = convert('<main><h1 id=t>API</h1><dl><dt class="sig" id="pkg.run">run()</dt><dd>Runs.</dd></dl></main>')
    assert found.anchors == ((0, "t"), (2, "pkg.run"))


@pytest.mark.parametrize(
    ("title", "head", "content", "expected"),
    [
        ("Setup | Site", "", "<p>x</p>", "Setup"),
        ("Site - Setup", '<meta property="og:site_name" content="Site">', "<p>x</p>", "Setup"),
        ("A - B — Site", "", "<p>x</p>", "A - B"),
        ("Setup", "", "<p>x</p>", "Setup"),
        ("Other | Site", "", "<h1>Setup</h1>", None),
        ("", "", "<p>x</p>", None),
    ],
)
def test_the_title(title: str, head: str, content: str, expected: str | None) -> None:
    assert convert(f"<main>{content}</main>", f"<title>{title}</title>{head}").title == expected


def test_what_a_page_says_of_itself() -> None:
    head = '<meta name="description" content="How &amp; why"><link rel="canonical" href="https://x.org/a/">'
    found = convert("<main><p>x</p></main>", head)
    assert (found.description, found.language) == ("How & why", "en")
    assert found.addresses == (("canonical", "https://x.org/a/"),)
    linked = convert('<main><a href="b">x</a></main>', '<base href="/docs/">')
    assert linked.text == "[x](/docs/b)\n"


@pytest.mark.parametrize(
    ("head", "reason"),
    [
        ('<meta name="robots" content="NOINDEX, follow">', "noindex"),
        ('<meta http-equiv="refresh" content="0; url=../new/">', "leads to another page"),
        ("", ""),
        ('<meta http-equiv="refresh" content="30">', ""),
        ('<meta name="robots" content="all">', ""),
    ],
)
def test_what_is_left_out(head: str, reason: str) -> None:
    found = convert("<main><p>x</p></main>", head)
    assert (reason in found.left_out) if reason else not found.left_out


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("<main>\ufeffé</main>".encode("utf-16"), "é"),
        (b"<meta charset=iso-8859-1><main>caf\xe9</main>", "café"),
        (b"<meta charset=nonsense><main>x</main>", "x"),
        (b"<main>caf\xe9</main>", "caf\ufffd"),
    ],
)
def test_encodings(data: bytes, expected: str) -> None:
    found = convert_page("page.html", data, ConversionOptions())
    assert found.text.replace("\ufeff", "").strip() == expected
    assert [notice.kind for notice in found.notices] == ["encoding"] * ("\ufffd" in expected)


PAYLOADS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)><script>alert(1)</script></svg>",
    '<a href="javascript:alert(1)">x</a>',
    '<a href="JaVa\tScript:alert(1)">x</a>',
    '<a href="data:text/html,<script>alert(1)</script>">x</a>',
    "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>",
    "<p>&amp;lt;script&amp;gt;alert(1)</p>",
    "<pre><code>&lt;/code&gt;&lt;script&gt;alert(1)&lt;/script&gt;</code></pre>",
    '<pre class="language-x&quot;onload=alert(1)"><code>x</code></pre>',
    "<h2 id='\"><script>alert(1)</script>'>x</h2>",
    '<img alt="](x) <script>alert(1)</script>" src="x.png">',
    '<img src="x.png&quot; onerror=&quot;alert(1)" alt="x">',
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<math><annotation encoding='application/x-tex'>&lt;script&gt;alert(1)&lt;/script&gt;</annotation></math>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
    "<style><img src=x onerror=alert(1)></style>",
    "<p>\ufdd6script\ufdd6 \ufdde0\ufde0 \ufddf0\ufde0</p>",
]


@pytest.mark.parametrize("payload", PAYLOADS)
def test_nothing_of_a_page_is_markup(payload: str) -> None:
    """Even where raw HTML in Markdown is rendered, as it is on most sites."""
    page = LexborHTMLParser(MarkdownIt("commonmark", {"html": True}).enable("table").render(text(f"<p>a</p>{payload}")))
    assert not page.css("script, style, iframe, svg, noscript, template, object")
    for node in page.css("*"):
        assert not [name for name in node.attributes if name.startswith("on")]
        for name in ("href", "src"):
            assert not re.match(r"\s*(?:javascript|data|vbscript)", node.attributes.get(name) or "", re.IGNORECASE)


def test_marks_in_a_page_are_no_marks() -> None:
    assert text("<p>a\ufdd6b\ufdde0\ufde0</p>") == "ab0\n"


BROKEN = {
    "never closed": ("<main><h1>T<p>a<ul><li>b<table><tr><td>c", "# T\n\na\n\n- b\n\n  | c |\n  | --- |\n"),
    "closed twice": ("<main><p>a</p></p></div></main><p>b", "a\n"),
    "overlapping": ("<main><b>a<i>b</b>c</i></main>", "**a*b***c\n"),
    "rows without a table": ("<main><tr><td>a<td>b</main>", "ab\n"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_pages(name: str) -> None:
    html, markdown = BROKEN[name]
    words = re.sub(r"\W", "", markdown)
    found = convert_page("page.html", html.encode(), ConversionOptions()).text
    assert re.sub(r"\W", "", found) == words


def test_pages_without_content() -> None:
    frames = b"<html><frameset cols='20%,80%'><frame src=a.html><frame src=b.html></frameset></html>"
    for data, what in ((frames, "frames"), (b"<body><div id=app></div></body>", "script"), (b"", "script")):
        found = convert_page("page.html", data, ConversionOptions())
        assert not found.text
        assert [(notice.kind, what in notice.message) for notice in found.notices] == [("no-content", True)]
    found = convert("<main><p>x</p><iframe src=y></iframe></main>")
    assert [notice.kind for notice in found.notices] == ["frames"]


@pytest.mark.parametrize(
    "content",
    [
        "<div>" * 4000 + "x",
        "<ul><li>" * 2000 + "x",
        "<blockquote>" * 2000 + "x",
        "<b>" * 4000 + "x",
        "<table><tr><td>" * 1000 + "x",
        "<span class=katex>" * 2000 + "x",
        "<pre>" + "<span>" * 4000 + "x",
    ],
)
def test_deep_nesting_is_flattened(content: str) -> None:
    found = convert(f"<main>{content}</main>")
    assert "x" in found.text
    assert len(found.text) < 500


@pytest.mark.slow
def test_a_million_nodes_hide_nothing_that_stands_behind_them() -> None:
    found = convert(f"<main><h1>T</h1>{'<p>' * 1_000_000}The end.</main>")
    assert found.text == "# T\n\nThe end.\n"


@pytest.mark.parametrize(
    "content", ["<div>" * 21_000 + "x", f"<p {' '.join(f'a{n}' for n in range(9000))}x='{'y' * 9000}'>"]
)
def test_endless_pages_are_refused(content: str) -> None:
    with pytest.raises(DocumentError, match=r"page\.html: .*no page that somebody wrote"):
        convert(f"<main>{content}</main>")

"""PDF as Markdown: text, headings, listings and pages; what is broken, locked or without text."""

from __future__ import annotations

import sys
import zlib
from pathlib import Path

import pytest

from infograph.build import build
from infograph.client import Client
from infograph.config import load
from infograph.errors import ConfigError, DocumentError
from infograph.formats import chunk_file
from infograph.source.conversion import pdf as pdf_module
from infograph.source.conversion.interface import ConversionOptions, Converted
from infograph.source.conversion.pdf import convert_pdf

Row = tuple[str, float, float, str]
"""A text, its size, its height on the page, and its font: `F` for Helvetica, `C` for Courier."""
LOCKED = b"/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <" + b"11" * 32 + b"> /U <" + b"22" * 32 + b"> >>"


def pdf(
    *pages: list[Row], outline: tuple[tuple[str, int], ...] = (), title: str = "", more: bytes = b"", left: float = 72
) -> bytes:
    """Makes a PDF of pages of rows.

    outline: titles and pages, counted from 0, of the entries of its outline
    more:    what else its trailer has
    """
    objects: list[bytes] = [b"", b"", b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    objects.append(b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>")
    kids = []
    for rows in pages:
        drawn = [
            f"BT /{font} {size} Tf {left} {height} Td ({text}) Tj ET".encode("latin-1")
            for text, size, height, font in rows
        ]
        stream = zlib.compress(b"\n".join(drawn))
        objects.append(b"<< /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
        fonts = b"/Resources << /Font << /F 3 0 R /C 4 0 R >> >>"
        page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] %s /Contents %d 0 R >>" % (fonts, len(objects))
        objects.append(page)
        kids.append(len(objects))
    objects[1] = b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(kids), b" ".join(b"%d 0 R" % kid for kid in kids))
    first = len(objects) + 2
    for at, (text, page_at) in enumerate(outline):
        links = b"/Next %d 0 R" % (first + at + 1) if at + 1 < len(outline) else b""
        named = text.encode("latin-1")
        entry = b"<< /Title (%s) /Parent %d 0 R %s /Dest [%d 0 R /Fit] >>" % (named, first - 1, links, kids[page_at])
        if at == 0:
            objects.append(b"<< /First %d 0 R /Last %d 0 R >>" % (first, first + len(outline) - 1))
        objects.append(entry)
    objects[0] = b"<< /Type /Catalog /Pages 2 0 R %s >>" % (b"/Outlines %d 0 R" % (first - 1) if outline else b"")
    objects.append(b"<< /Title (%s) >>" % title.encode("latin-1"))
    out = b"%PDF-1.4\n"
    table = b""
    for number, body in enumerate(objects, 1):
        table += b"%010d 00000 n \n" % len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    trailer = b"<< /Size %d /Root 1 0 R /Info %d 0 R /ID [<00> <00>] %s >>" % (len(objects) + 1, len(objects), more)
    head = b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table)
    return out + head + b"trailer\n%s\nstartxref\n%d\n%%%%EOF\n" % (trailer, len(out))


def convert(data: bytes) -> Converted:
    return convert_pdf("manual.pdf", data, ConversionOptions())


def paragraph(height: float, *texts: str) -> list[Row]:
    return [(text, 10, height - 12 * at, "F") for at, text in enumerate(texts)]


FIRST = [
    ("The manual", 24, 780, "F"),
    ("1 Warm entries", 16, 740, "F"),
    *paragraph(710, "Entries are kept *warm* for an hour, and # is", "no heading, nor is <b> a tag."),
    *paragraph(670, "A second paragraph."),
]
SECOND = [
    ("1.1 Sizes", 13, 780, "F"),
    ("def size(entry):", 10, 740, "C"),
    ("    return len(entry)", 10, 728, "C"),
    *paragraph(690, "\\267 one item", "that goes on", "\\267 another"),
]
TEXT = """# The manual

## 1 Warm entries

Entries are kept \\*warm\\* for an hour, and # is
no heading, nor is &lt;b> a tag.

A second paragraph.

{} 1.1 Sizes

```
def size(entry):
    return len(entry)
```

- one item
  that goes on

- another
"""


def test_an_outline_says_which_lines_are_headings() -> None:
    found = convert(pdf(FIRST, SECOND, outline=(("Warm entries", 0), ("1.1 Sizes", 1), ("Nowhere", 1))))
    assert found.text == TEXT.format("##")
    assert (found.unit, found.places) == ("page", ((0, 1), (9, 2)))
    assert found.anchors == ((0, "page=1"), (9, "page=2"))
    assert found.notices == ()
    assert found.title is None


def test_without_an_outline_the_size_of_letters_says_it() -> None:
    assert convert(pdf(FIRST, SECOND)).text == TEXT.format("###")


@pytest.mark.parametrize(
    ("title", "found"), [("All of it", "All of it"), ("Microsoft Word - a.docx", None), ("untitled", None), ("", None)]
)
def test_the_title_that_it_says_it_has(title: str, found: str | None) -> None:
    converted = convert(pdf(FIRST, outline=(("Warm entries", 0),), title=title))
    assert converted.title == found
    assert ("# 1 Warm entries" in converted.text.split("\n")) == (found is None), "below the title, if there is one"


def test_running_heads_and_page_numbers_are_no_text() -> None:
    pages = [
        [
            (f"Manual of version 2, {number}.11.2026", 8, 820, "F"),
            *paragraph(700, f"What stands on sheet {'abcd'[number]}.", "3"),
            *paragraph(600, "More.", "Even more."),
            (f"{number + 5}", 8, 20, "F"),
        ]
        for number in range(4)
    ]
    text = convert(pdf(*pages)).text
    assert "Manual" not in text
    assert text.startswith("What stands on sheet a.\n3\n\nMore.\nEven more.\n\nWhat stands on sheet b.\n3\n")


def test_a_chapter_in_the_running_head_goes_with_the_number_of_its_page() -> None:
    pages = [
        [(f"Chapter {name}  {number + 7}", 8, 820, "F"), *paragraph(700, "Text.", "More text.", "And more.")]
        for number, name in enumerate(("one", "one", "two", "three"))
    ]
    assert "Chapter" not in convert(pdf(*pages)).text


def test_a_file_of_one_page_keeps_its_edges() -> None:
    assert convert(pdf([*paragraph(700, "2026"), *paragraph(20, "7")])).text == "2026\n\n7\n"


def test_leaders_of_a_table_of_contents_are_one_sign() -> None:
    assert convert(pdf(paragraph(700, "Sizes . . . . . . . . 12", "Words"))).text == "Sizes … 12\nWords\n"


def test_pages_without_text_are_named() -> None:
    found = convert(pdf(FIRST, [], SECOND, []))
    (notice,) = found.notices
    assert (notice.kind, notice.count) == ("no-content", 2)
    assert notice.message == "pages 2, 4 of 4 without text, such as pictures of text, are not indexed"
    assert [page for _, page in found.places] == [1, 3]


def test_a_file_without_text_is_no_document_and_says_why() -> None:
    found = convert(pdf([], []))
    assert found.text == ""
    assert "2 pages without text: pictures, as scanners make them; a program for text recognition" in found.left_out


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "no PDF that can be read"),
        (b"%PDF-1.4\nnonsense", "no PDF that can be read"),
        (b"<html>Not found</html>", "no PDF that can be read"),
        (pdf(FIRST, more=LOCKED), "locked by a password"),
        (pdf(FIRST).replace(b"/Kids [6 0 R]", b"/Kids [9 9 R]"), "no page of it opens"),
    ],
)
def test_what_cannot_be_read(data: bytes, said: str) -> None:
    with pytest.raises(DocumentError, match=said) as caught:
        convert(data)
    assert ".." not in str(caught.value)


def test_a_page_that_is_broken_is_named() -> None:
    whole = pdf(FIRST, SECOND)
    found = convert(whole.replace(b"/Kids [6 0 R 8 0 R]", b"/Kids [6 0 R 99 0R]"))
    assert "Warm entries" in found.text
    assert [(notice.kind, notice.message) for notice in found.notices] == [
        ("unreadable", "page 2 of 2 cannot be read and are missing")
    ]


def test_a_file_that_is_cut_off_is_read_as_far_as_it_goes_or_refused() -> None:
    whole = pdf(FIRST, SECOND)
    for end in range(0, len(whole), 97):
        try:
            assert convert(whole[:end]).text == "" or "Warm" in convert(whole[:end]).text
        except DocumentError as error:
            assert "no PDF" in str(error)


def test_far_too_much_text(monkeypatch) -> None:
    monkeypatch.setattr(pdf_module, "_MOST_CHARACTERS", 100)
    with pytest.raises(DocumentError, match="more than 100 characters of text on its first 1 pages"):
        convert(pdf(FIRST, SECOND))


SETTINGS = '[source]\ninclude = ["*.md", "*.pdf"]\n[site]\ngenerator = "mkdocs"\nurl = "https://example.org/"\n'


def test_a_build_leads_to_the_page(tmp_path: Path, write_tree, quick, snapshot) -> None:
    data = pdf(FIRST, SECOND, outline=(("Warm entries", 0), ("1.1 Sizes", 1)))
    root = write_tree(tmp_path / "docs", {"index.md": "# Home\n\nAll.\n", "manual.pdf": data})
    (tmp_path / "infograph.toml").write_text(SETTINGS)
    assert not build(load(str(root), environment={})).errors
    chunks = [
        chunk_file.parse(path.name, path.read_bytes()).chunk for path in sorted(root.glob("_chunks/manual.pdf-*.md"))
    ]
    assert "".join(chunk.text for chunk in chunks) == TEXT.format("##")
    assert {dict(chunk.facts)["first_page"] for chunk in chunks} <= {1, 2}
    head = (root / "_chunks/manual.pdf.converted.md").read_text().split("\n")
    assert head[:4] == ["---", 'title: ""', 'source: "manual.pdf"', 'converter: "pdf 1"']
    (hit, *_) = Client(str(root)).search("length of an entry: size").hits
    assert hit.url.startswith("https://example.org/manual.pdf#page=")
    built = snapshot(root)
    assert build(load(str(root), environment={})).written == 0
    assert snapshot(root) == built


def test_a_missing_package_names_the_extra(tmp_path: Path, write_tree, quick, monkeypatch) -> None:
    root = write_tree(tmp_path / "docs", {"manual.pdf": pdf(FIRST)})
    (tmp_path / "infograph.toml").write_text(SETTINGS)
    for name in ("infograph.source.conversion.pdf", "infograph.source.conversion.pdf_lines"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    with pytest.raises(ConfigError, match=r"needs pypdfium2 .*pip install 'infograph\[pdf\]'"):
        build(load(str(root), environment={}))

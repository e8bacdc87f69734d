"""Word documents as Markdown: styles, lists, tables, pictures; what is broken, locked or a bomb."""

from __future__ import annotations

import io
import sys
import zipfile
from pathlib import Path

import pytest

from infograph.build import build
from infograph.config import load
from infograph.errors import ConfigError, DocumentError
from infograph.source.conversion import docx as docx_module
from infograph.source.conversion.docx import convert_docx
from infograph.source.conversion.interface import ConversionOptions, Converted

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
STYLES = {"Title": "Title", "H1": "heading 1", "H2": "heading 2", "Code": "Source Code", "List": "List Bullet"}
CORE = (
    '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title> The  handbook </dc:title><dc:language>de-DE</dc:language>'
    "</cp:coreProperties>"
)


def p(text: str, style: str = "", run: str = "") -> str:
    """A paragraph of one run."""
    styled = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f'<w:p>{styled}<w:r><w:rPr>{run}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r></w:p>'


def table(*rows: tuple[str, ...]) -> str:
    cells = ("".join(f"<w:tc>{p(text)}</w:tc>" for text in row) for row in rows)
    return f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in cells)}</w:tbl>"


def docx(body: str, parts: dict[str, str] | None = None, relations: str = "") -> bytes:
    """Makes a Word document of the XML of its body."""
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="{id_}"><w:name w:val="{name}"/></w:style>'
        for id_, name in STYLES.items()
    )
    files = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="xml" ContentType="application/xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{RELATIONS}"><Relationship Id="r1" Type="{OFFICE}/officeDocument" '
        'Target="word/document.xml"/></Relationships>',
        "word/_rels/document.xml.rels": f'<Relationships xmlns="{RELATIONS}">{relations}</Relationships>',
        "word/styles.xml": f'<w:styles xmlns:w="{W}">{styles}</w:styles>',
        "word/document.xml": f'<w:document xmlns:w="{W}" xmlns:r="{OFFICE}"><w:body>{body}</w:body></w:document>',
        **(parts or {}),
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return out.getvalue()


def convert(data: bytes) -> Converted:
    return convert_docx("handbook.docx", data, ConversionOptions())


BODY = "".join(
    [
        p("The handbook", "Title"),
        p("Warm entries", "H1"),
        p("Kept *warm*, and &lt;b&gt; is no tag."),
        p("bold", run="<w:b/>"),
        p("def size(entry):", "Code"),
        p("    return len(entry)", "Code"),
        p("Sizes", "H2"),
        table(("Name", "Size"), ("a|b", "3")),
    ]
)
TEXT = """# The handbook

# Warm entries

Kept \\*warm\\*, and &lt;b> is no tag.

**bold**

```
def size(entry):
    return len(entry)
```

## Sizes

| Name | Size |
| --- | --- |
| a\\|b | 3 |
"""


def test_styles_are_what_they_are_called() -> None:
    found = convert(docx(BODY, {"docProps/core.xml": CORE}))
    assert found.text == TEXT
    assert (found.title, found.language, found.notices) == ("The handbook", "de-DE", ())
    assert convert(docx(BODY)).title is None


def test_no_file_of_the_machine_is_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret.png"
    secret.write_bytes(b"the secret")
    blip = (
        '<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing">'
        '<wp:docPr id="1" name="x" descr="What it shows"/>'
        '<a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData>'
        '<pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill>'
        '<a:blip r:link="r7"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>'
    )
    relation = f'<Relationship Id="r7" Type="{OFFICE}/image" Target="{secret.as_uri()}" TargetMode="External"/>'
    found = convert(docx(p("Before.") + blip + p("After."), relations=relation))
    assert "Before." in found.text and "After." in found.text
    assert "secret" not in found.text and "base64" not in found.text


def test_entities_that_name_others_are_refused() -> None:
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    document = f'<w:document xmlns:w="{W}"><w:body>{p("&l11;")}</w:body></w:document>'
    bomb = f'<!DOCTYPE d [<!ENTITY l0 "lol">{laughs}]>{document}'
    with pytest.raises(DocumentError, match="no Word document that can be read"):
        convert(docx("", {"word/document.xml": bomb}))


def test_what_unpacks_to_too_much(monkeypatch) -> None:
    monkeypatch.setattr(docx_module, "_MOST_BYTES", 10_000)
    with pytest.raises(DocumentError, match=r"bytes of text, unpacked, exceed the limit of 10,000"):
        convert(docx(p("x" * 10_000)))


def test_a_document_without_text_says_so() -> None:
    assert convert(docx(p(""))).left_out == "a document without text"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "no Word document that can be read"),
        (b"PK\x03\x04 and nothing else", "no Word document that can be read"),
        (docx(BODY)[:700], "no Word document that can be read"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512), "locked by a password, or in Word's format of before 2007"),
        (docx("", {"word/document.xml": "<w:document"}), "no Word document that can be read"),
        (docx("", {"docProps/core.xml": "<no"}), "no Word document that can be read"),
        (docx("<w:tbl><w:tr><w:tc>" * 400 + p("deep") + "</w:tc></w:tr></w:tbl>" * 400), ""),
    ],
)
def test_what_cannot_be_read(data: bytes, said: str) -> None:
    try:
        found = convert(data)
    except DocumentError as error:
        assert said in str(error)
    else:
        assert said == "" and "deep" in found.text


SETTINGS = '[source]\ninclude = ["*.docx"]\n'


def test_a_build_has_it_with_its_origin(tmp_path: Path, write_tree, quick) -> None:
    root = write_tree(tmp_path / "docs", {"handbook.docx": docx(BODY), "broken.docx": b"no"})
    (tmp_path / "infograph.toml").write_text(SETTINGS)
    summary = build(load(str(root), environment={}))
    assert [error.place for error in summary.errors] == ["broken.docx"]
    text = (root / "_chunks/handbook.docx.converted.md").read_text()
    assert text == f'---\ntitle: ""\nsource: "handbook.docx"\nconverter: "docx 2"\n---\n{TEXT}'


def test_a_missing_package_names_the_extra(tmp_path: Path, write_tree, quick, monkeypatch) -> None:
    root = write_tree(tmp_path / "docs", {"handbook.docx": docx(BODY)})
    (tmp_path / "infograph.toml").write_text(SETTINGS)
    monkeypatch.delitem(sys.modules, "infograph.source.conversion.docx", raising=False)
    monkeypatch.setitem(sys.modules, "mammoth", None)
    with pytest.raises(ConfigError, match=r"needs mammoth and .*pip install 'infograph\[docx\]'"):
        build(load(str(root), environment={}))

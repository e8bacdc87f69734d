"""Converts Word documents: mammoth makes HTML of their styles, and that is converted as a page is.

markitdown takes the same way with more around it, and docling brings models. Pictures are left out but for their
descriptions, and no file that a document links to is opened.
"""

from __future__ import annotations

import io
import zipfile
from xml.etree import ElementTree

import mammoth

from infograph.errors import DocumentError
from infograph.source.conversion.interface import ConversionOptions, Converted
from infograph.source.conversion.page import convert_page

_LOCKED = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""Start of an OLE file: Word's older format, and the envelope of an encrypted document."""
_MOST_BYTES = 100_000_000
"""Most bytes of text and styles in a document, unpacked; a small file can unpack to any number."""
_CORE = "docProps/core.xml"
_DUBLIN_CORE = "{http://purl.org/dc/elements/1.1/}"
_BROKEN = (zipfile.BadZipFile, ElementTree.ParseError, NotImplementedError, RuntimeError, EOFError, ValueError)
"""What an archive or a part of it that is none leads to."""
_STYLES = r"""
p[style-name='Title'] => h1:fresh
p[style-name='Subtitle'] => p:fresh
p[style-name='HTML Preformatted'] => pre:separator('\n')
p[style-name='Source Code'] => pre:separator('\n')
p[style-name='Code'] => pre:separator('\n')
p[style-name='Plain Text'] => pre:separator('\n')
p[style-name='Quote'] => blockquote:fresh
p[style-name='Intense Quote'] => blockquote:fresh
r[style-name='Verbatim Char'] => code
r[style-name='HTML Code'] => code
r[style-name='Code'] => code
"""
"""What styles become that mammoth does not know by itself."""


def convert_docx(path: str, data: bytes, options: ConversionOptions) -> Converted:
    """Converts a Word document. Raises DocumentError for one that is broken, locked by a password or far too large."""
    if data.startswith(_LOCKED):
        reason = "locked by a password, or in Word's format of before 2007"
        raise DocumentError(path, reason, "Save it as .docx without a password, or exclude it")
    title, language = _properties(path, data)
    try:
        made = mammoth.convert_to_html(
            io.BytesIO(data),
            style_map=_STYLES,
            convert_image=_picture,
            include_embedded_style_map=False,
            external_file_access=False,
        )
    except (Exception, RecursionError) as error:  # whatever a broken document leads mammoth to
        reason = f"no Word document that can be read: {type(error).__name__}: {str(error)[:200]}"
        raise DocumentError(path, reason, "Mend it, or exclude it") from error
    page = b"<meta charset=utf-8><main>" + made.value.encode("utf-8", "replace") + b"</main>"
    found = convert_page(path, page, options)
    if not found.text.strip():
        return Converted("", title, language=language, left_out="a document without text")
    # That a page has no content apart from its navigation says nothing here.
    notices = tuple(notice for notice in found.notices if notice.kind != "no-content")
    return Converted(found.text, title, language=language, notices=notices)


@mammoth.images.img_element  # type: ignore[untyped-decorator]
def _picture(image: object) -> dict[str, str]:
    """Keeps of a picture its description alone, which mammoth adds."""
    return {}


def _properties(path: str, data: bytes) -> tuple[str | None, str]:
    """Returns the title and the language that a document says it has. Raises DocumentError for one that is no archive,
    or that unpacks to too much."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            texts = [part for part in archive.infolist() if part.filename.lower().endswith((".xml", ".rels"))]
            size = sum(part.file_size for part in texts)
            if size > _MOST_BYTES:
                reason = f"{size:,} bytes of text, unpacked, exceed the limit of {_MOST_BYTES:,}"
                raise DocumentError(path, reason, "Split it, or exclude it")
            core = archive.read(_CORE) if any(part.filename == _CORE for part in texts) else b""
        root = ElementTree.fromstring(core) if core else None
    except _BROKEN as error:
        raise DocumentError(path, f"no Word document that can be read: {error}", "Mend it, or exclude it") from None
    if root is None:
        return None, ""
    title = " ".join((root.findtext(f"{_DUBLIN_CORE}title") or "").split())
    return title or None, (root.findtext(f"{_DUBLIN_CORE}language") or "").strip()

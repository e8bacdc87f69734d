"""AsciiDoc as Markdown, by asciidoctor itself."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from infograph.errors import ConfigError, DocumentError
from infograph.source.conversion.asciidoc import convert_asciidoc
from infograph.source.conversion.interface import ConversionOptions

needs_asciidoctor = pytest.mark.skipif(shutil.which("asciidoctor") is None, reason="asciidoctor is not on the PATH")
PAGE = """= Warm entries
:toc:

Kept *warm* for an hour by `warm()`, see <<sizes>>.

NOTE: Mind the size.

[[sizes]]
== Sizes

[source,python]
----
def size(entry):
    return len(entry)
----

|===
|Name |Size

|a
|3
|===

* one
** deeper
* two

include::{secret}[]
"""
TEXT = """# Warm entries

Kept **warm** for an hour by `warm()`, see [Sizes](#sizes).
"""


@needs_asciidoctor
def test_what_asciidoctor_makes_of_it(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret")
    page = PAGE.replace("{secret}", str(secret)).encode()
    text = convert_asciidoc("page.adoc", page, ConversionOptions()).text
    assert text.startswith(TEXT)
    assert "> **Note**\n>\n> Mind the size.\n" in text
    assert "## Sizes" in text
    assert "```python\ndef size(entry):\n    return len(entry)\n```" in text
    assert "| Name | Size |\n| --- | --- |\n| a | 3 |" in text
    assert "- one\n  - deeper\n- two" in text
    assert "Mind the size." in text
    assert "the secret" not in text


@needs_asciidoctor
def test_a_list_in_a_cell_keeps_its_items_apart() -> None:
    """`a|` has blocks in it, of which a cell in Markdown has the text."""
    items = "* one *thing*\n** deeper\n* `another`"
    page = f"|===\n|Name |What\n\n|cache\na|It keeps:\n\n{items}\n\n|order\na|. first\n. second\n|===\n"
    text = convert_asciidoc("page.adoc", page.encode(), ConversionOptions()).text
    assert "| cache | It keeps: • one **thing** • deeper • `another` |" in text
    assert "| order | (1) first (2) second |" in text


@needs_asciidoctor
def test_odd_input_is_read_or_refused() -> None:
    for data in (b"", b"\xff\xfe", b"= T\n\n++++\n<script>alert(1)</script>\n++++\n", b"[" * 5_000):
        try:
            assert "<script" not in convert_asciidoc("page.adoc", data, ConversionOptions()).text
        except DocumentError as error:
            assert "page.adoc" in str(error)


def test_without_the_program_the_error_says_how_to_get_it(monkeypatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ConfigError, match=r"asciidoctor, which is not on the PATH.*gem install asciidoctor"):
        convert_asciidoc("page.adoc", b"= A\n", ConversionOptions())

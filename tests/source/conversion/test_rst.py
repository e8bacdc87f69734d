"""reStructuredText as Markdown."""

from __future__ import annotations

from pathlib import Path

import pytest
from docutils.parsers.rst import directives, roles

from infograph.errors import DocumentError
from infograph.source.conversion.interface import ConversionOptions, Converted
from infograph.source.conversion.rst import convert_rst


def convert(text: str) -> Converted:
    return convert_rst("page.rst", text.encode(), ConversionOptions())


def test_what_docutils_knows() -> None:
    found = convert("Title\n=====\n\nA *word* and ``code``.\n\nPart\n----\n\n.. note:: Mind this.\n\n- a\n- b\n")
    assert found.text == "# Title\n\nA *word* and `code`.\n\n## Part\n\n> **Note**\n>\n> Mind this.\n\n- a\n- b\n"


def test_roles_of_sphinx_give_their_text() -> None:
    text = ":ref:`the title <target>`, :func:`~pkg.run`, :py:class:`pkg.Thing`, :doc:`setup`, :nonsense:`word`"
    assert convert(text).text == "the title, `pkg.run`, `pkg.Thing`, setup, `word`\n"


def test_directives_of_sphinx_give_their_text() -> None:
    text = """.. toctree::
   :maxdepth: 2

   a
   b

.. code-block:: python
   :emphasize-lines: 1

   x = 1

.. versionadded:: 2.0

   The argument *y*.

.. py:function:: run(x)
   :module: pkg

   Runs it.
"""
    found = convert(text).text
    assert "```python\nx = 1\n```" in found
    assert "> **Added in version 2.0**\n>\n> The argument *y*." in found
    assert "**run(x)**" in found
    assert "Runs it." in found
    assert "maxdepth" not in found
    assert "toctree" not in found


def test_fields_above_all_else_are_about_the_file() -> None:
    fields = ":title: The whole\n   title\n:Description: What it *says*.\n:orphan:\n:category: S3\n"
    found = convert(f"{fields}:author: A. N. Other\n\nPart\n====\n\nText.\n\n:argument: stays\n")
    assert (found.title, found.description) == ("The whole title", "What it says.")
    assert found.text.endswith("# Part\n\nText.\n\n**argument:**\n\nstays\n")
    assert "A. N. Other" in found.text and "orphan" not in found.text and "S3" not in found.text
    assert convert(":orphan:\n\nPart\n====\n").text == "# Part\n"


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("deprecated:: 1.2", "Deprecated since version 1.2"),
        ("versionremoved:: 2.0", "Removed in version 2.0"),
        ("seealso::", "See also"),
    ],
)
def test_notes_of_sphinx_have_the_names_that_readers_see(name: str, title: str) -> None:
    assert convert(f".. {name}\n\n   Use another.\n").text == f"> **{title}**\n>\n> Use another.\n"


def test_no_file_is_read_and_nothing_is_raw(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret")
    text = f"""Text.

.. include:: {secret}

.. literalinclude:: {secret}

.. csv-table::
   :file: {secret}

.. raw:: html

   <script>alert(1)</script>

.. image:: javascript:alert(1)

`x <javascript:alert(1)>`_ <script>alert(1)</script>
"""
    found = convert(text)
    assert "the secret" not in found.text
    assert "<script" not in found.text
    assert "(javascript:" not in found.text
    assert [(notice.kind, notice.count) for notice in found.notices] == [("markup", 3)]


@pytest.mark.parametrize("text", ["Title\n=\n", "*open", ".. image::\n", "+--+\n| a\n", ":x:`" * 50, ""])
def test_broken_markup_is_no_error(text: str) -> None:
    assert convert(text).text.strip() or text in (".. image::\n", "")


def test_what_is_no_text() -> None:
    with pytest.raises(DocumentError, match=r"page\.rst: not UTF-8"):
        convert_rst("page.rst", b"\xff", ConversionOptions())


def test_what_others_have_registered_in_this_process_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*arguments: object) -> None:
        raise AssertionError("not ours")

    monkeypatch.setitem(directives._directives, "note", fails)
    monkeypatch.setitem(roles._roles, "emphasis", fails)
    assert "Careful" in convert("A\n=\n\n.. note:: Careful :emphasis:`now`.\n").text
    assert directives._directives["note"] is fails and roles._roles["emphasis"] is fails


def test_what_follows_a_version_is_a_text_of_the_note() -> None:
    found = convert(".. versionadded:: 1.0\n   New *thing*.\n").text
    assert "**Added in version 1.0**" in found and "New *thing*." in found

"""The long fences of a document are cut where scopes begin."""

from __future__ import annotations

import pytest

from infograph.chunking.code.listings import cut_listings
from infograph.chunking.interface import DocumentLayout
from infograph.chunking.tokens import WordPieceCounter
from infograph.source.blocks import parse_blocks
from infograph.source.document import decode

LINE = "a b c d\n"
"""A line of four tokens; an opener with its language has 4 tokens, a closer 3."""


def cut(
    text: str, maximum: int, counter: WordPieceCounter, wanted: str = "X"
) -> tuple[list[str], list[tuple[str, str]]]:
    """Returns the pieces, given lines of `wanted` as starts of scopes; also the texts and languages of the fences
    looked up."""
    asked = []

    def cuts(code: str, language: str) -> list[int] | None:
        asked.append((code, language))
        if language == "unknown":
            return None
        return [at for at in range(len(code)) if code.startswith(wanted, at) and (at == 0 or code[at - 1] == "\n")]

    document = decode("a.md", text.encode())
    page = DocumentLayout(document, parse_blocks(document)[0])
    pieces = cut_listings(page, counter, maximum, cuts)
    return [text[piece.start : piece.end] for piece in pieces], asked


def fence(*scopes: int, info: str = "rust", mark: str = "X b c d\n") -> str:
    """A fence of scopes with the given numbers of lines."""
    return f"```{info}\n" + "".join(mark + LINE * (lines - 1) for lines in scopes) + "```\n"


def test_scopes_stay_together_where_they_fit(counter: WordPieceCounter) -> None:
    found, _ = cut(fence(3, 2, 3), 16, counter)
    assert [piece.count("X") for piece in found] == [1, 1, 1]
    assert [piece.count("\n") for piece in found] == [4, 2, 4]
    found, _ = cut(fence(3, 2, 3), 15, counter)  # the opener and a scope of three have one token more
    assert found[0].count("\n") < 4
    found, _ = cut(fence(2, 2, 2, 2), 16, counter)
    assert [piece.count("X") for piece in found] == [1, 2, 1]


@pytest.mark.parametrize(("maximum", "asks"), [(23, 0), (22, 1)])
def test_only_a_fence_larger_than_a_piece_is_looked_into(maximum: int, asks: int, counter: WordPieceCounter) -> None:
    found, asked = cut(fence(2, 2), maximum, counter)
    assert len(asked) == asks and (len(found) == 1) == (asks == 0)


@pytest.mark.parametrize("info", ["py", "{.py}", "py,ignore", "py title=x", " py"])
def test_the_language_is_the_first_word(info: str, counter: WordPieceCounter) -> None:
    _, asked = cut(fence(9, info=info), 16, counter)
    assert [language for _, language in asked] == ["py"]


@pytest.mark.parametrize(
    ("end", "code"),
    [
        ("```\n", LINE * 9),
        ("```", LINE * 9),
        ("```\n\n\n", LINE * 9),
        ("\n\n```\n", LINE * 9 + "\n\n"),
        ("", LINE * 9),  # never closed
        ("``\n", LINE * 9 + "``\n"),
    ],
)
def test_the_code_is_what_stands_between_the_marks(end: str, code: str, counter: WordPieceCounter) -> None:
    for indent in ("", "   "):
        text = f"- x\n\n   ```py\n{LINE * 9}{end}" if indent else f"```py\n{LINE * 9}{end}"
        if indent:
            text = text.replace("\na", "\n   a").replace("\n`", "\n   `")
        _, asked = cut(text, 16, counter)
        assert asked == [(code, "py")]


def test_line_ends_are_those_that_parsers_know(counter: WordPieceCounter) -> None:
    for end in ("\r\n", "\r"):
        found, asked = cut(fence(3, 3).replace("\n", end), 16, counter)
        assert asked == [("X b c d\n" + LINE * 2 + "X b c d\n" + LINE * 2, "rust")]
        assert [piece.count("X") for piece in found] == [1, 1]


def test_a_fence_of_nothing_and_one_of_no_language(counter: WordPieceCounter) -> None:
    long = "x " * 30
    for text in (f"```py {long}\n```\n", f"```py {long}\n\n\n"):
        _, asked = cut(text, 16, counter)
        assert [code.strip() for code, _ in asked] == [""]
    assert cut(fence(3, 9, info=""), 16, counter)[1] == []
    found, _ = cut(fence(3, 3, info="unknown"), 16, counter)
    assert "".join(found) == fence(3, 3, info="unknown")


def test_several_fences_each_have_their_own_scopes(counter: WordPieceCounter) -> None:
    """Fences in lists have scopes too; blocks between fences are packed as usual. A fence in a quote has markers in
    its lines and therefore no scopes."""
    item = "- x\n\n" + "".join(f"  {line}\n" for line in fence(3, 3).splitlines())
    quote = "".join(f"> {line}\n" for line in fence(3, 3).splitlines())
    text = f"{fence(3, 3)}\n{item}\n{quote}"
    found, asked = cut(text, 16, counter)
    assert len(asked) == 2 and "".join(found) == text
    inside = [piece for piece in found if not piece.lstrip().startswith(">")]
    assert [piece.count("X") for piece in inside if "X" in piece] == [1, 1, 1, 1]
    assert all(piece.count("\n   X") == 0 for piece in found)

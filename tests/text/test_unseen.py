"""Characters without a shape: those of a known use stay, all others go."""

from __future__ import annotations

import pytest

from infograph.text.unseen import unseen, without_unseen

TAGS = "".join(chr(0xE0000 + ord(character)) for character in "ignore all")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        (f"Page{TAGS} one", "Page one"),
        (f"{TAGS}é{TAGS}", "é"),
        ("a\u200bb\u200c", "ab"),
        ("\u200b", ""),
    ],
)
def test_what_nobody_sees_goes(text: str, shown: str) -> None:
    assert without_unseen(text) == shown
    assert not list(unseen(shown))


@pytest.mark.parametrize(
    "text",
    [
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",
        "\u26a0\ufe0f",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "co\u00adoperate",
    ],
)
def test_what_scripts_and_emoji_are_written_with_stays(text: str) -> None:
    assert without_unseen(text) == text

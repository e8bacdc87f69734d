"""Short forms that a text defines."""

from __future__ import annotations

import pytest

from infograph.text.acronyms import acronyms_in


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("CORS (cross-origin resource sharing) lets it.", {"CORS": "cross origin resource sharing"}),
        ("Use Cross-Origin Resource Sharing (CORS) here.", {"CORS": "Cross Origin Resource Sharing"}),
        ("Several APIs (application programming interfaces).", {"API": "application programming interfaces"}),
        ("HAL (see below) and (XY) alone.", {}),
        ("", {}),
    ],
)
def test_a_short_form_is_what_the_initials_say(text: str, found: dict[str, str]) -> None:
    assert acronyms_in(text) == found

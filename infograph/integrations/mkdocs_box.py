"""Puts the search box into the pages that MkDocs renders, in the place of the theme's own search."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape

from infograph.formats.names import SEARCH_BOX

BOX = "<infograph-search same-host></infograph-search>"
"""The element. A site is looked at where it is served, also when `site_url` names another host."""


@dataclass(frozen=True, slots=True)
class BoxPlace:
    """Where a theme has its search."""

    own: re.Pattern[str]
    """The theme's search, which gives way."""
    before: re.Pattern[str]
    """What the box comes before, in a page without such a search."""
    around: str = "{}"
    """Markup around the box, where the theme's search has none that stays."""
    style: str = ""
    """Colours of the theme, for the box."""


_MATERIAL_END = r'(?:<div class="md-header__source">|</nav>\s*(?:<nav class="md-tabs"|</header>))'
_MATERIAL_STYLE = """\
infograph-search { margin: 0 .4rem; --infograph-font: var(--md-text-font-family, sans-serif);
  --infograph-accent: var(--md-typeset-a-color); --infograph-background: var(--md-default-bg-color);
  --infograph-text: var(--md-typeset-color); --infograph-border: var(--md-default-fg-color--lightest);
  --infograph-selected: var(--md-code-bg-color) }
"""

PLACES: dict[str, BoxPlace] = {
    "material": BoxPlace(
        re.compile(
            r'<label[^<>]*\bfor="__search"[^<>]*>(?:(?!<label\b).)*?</label>\s*'
            rf'<div class="md-search".*?(?={_MATERIAL_END})',
            re.DOTALL,
        ),
        re.compile(_MATERIAL_END),
        style=_MATERIAL_STYLE,
    ),
    "mkdocs": BoxPlace(
        re.compile(r'<a [^>]*data-bs-target="#mkdocs_search_modal"[^>]*>.*?</a>', re.DOTALL),
        re.compile(r'(?<=<ul class="nav navbar-nav ms-md-auto">)'),
        around='<li class="nav-item">{}</li>',
        style="infograph-search { margin: .2rem .5rem; color: #fff }\n",
    ),
    "readthedocs": BoxPlace(
        re.compile(r'<div role="search">\s*<form id\s*="rtd-search-form".*?</form>\s*</div>', re.DOTALL),
        re.compile(r"(?<=<div class=\"wy-side-nav-search\">)"),
        style="infograph-search { color: #fff; margin-top: .5em; width: 100%; --infograph-trigger-width: 100% }\n",
    ),
}
"""By name of the theme."""


def with_box(page: str, theme: str, base: str) -> str | None:
    """Returns a page with the box in it; None where it has no place that is known.

    theme: name of the theme
    base:  relative address of the site's root, or an absolute path
    """
    place = PLACES.get(theme)
    if place is None:
        return None
    found = place.own.search(page)
    if found:
        page = f"{page[: found.start()]}{BOX}{page[found.end() :]}"
    elif found := place.before.search(page):
        page = f"{page[: found.start()]}{place.around.format(BOX)}{page[found.start() :]}"
    else:
        return None
    script = escape(f"{base.rstrip('/')}/{SEARCH_BOX}")
    head = f'<style>{place.style}</style><script type="module" src="{script}"></script>'
    return page.replace("</head>", f"{head}</head>", 1)

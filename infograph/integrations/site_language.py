"""The language that a site generator says its site has, as a setting."""

from __future__ import annotations

import re
from dataclasses import replace

from infograph.config.settings import Settings
from infograph.text.language import is_known


def in_language(settings: Settings, locale: object) -> Settings:
    """Returns the settings with the language of a site, where no setting says it and the language is known.

    locale: name of a language or locale, such as `pt_BR`
    """
    code = re.match(r"[A-Za-z]{2}(?![A-Za-z])", locale) if isinstance(locale, str) else None
    if code is None or "keywords.language" in settings.origins or not is_known(code[0].lower()):
        return settings
    keywords = replace(settings.config.keywords, language=code[0].lower())
    return replace(settings, config=replace(settings.config, keywords=keywords))

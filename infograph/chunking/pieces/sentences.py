"""Finds the ends of sentences: one definition for every strategy, linear in the text.

A sentence ends after `.`, `!`, `?` or `…`, the quotes and brackets closed there, and white space; after an
ideographic full stop, with or without white space; and at a blank line. It does not end after an abbreviation, an
initial or a list item's number, nor inside a code span. White space belongs to the sentence before it: sentences
tile the text.
"""

from __future__ import annotations

import re

_CLOSING = "\"'”’»)\\]*_"
_STOPS = ".!?…"
_OPENING = "\"'“‘«([*_"

_END = re.compile(
    rf"""
    [`.!?…。！？｡\r\n]
    (?: (?<=`) (?<!``) `*+ [^`\n]*+ `++                                   # a code span, passed over
      | (?<=[{_STOPS}]) (?<![{_STOPS}][{_STOPS}]) [{_STOPS}]*+ (?P<closed> [{_CLOSING}]*+ ) \s++
      | (?<=[。！？｡]) [。！？｡]*+ [{_CLOSING}」』）]*+ \s*+
      | (?: (?<=\r) \n?+ | (?<=\n) ) [ \t]*+ [\r\n] \s*+                  # a blank line
    )
    """,
    re.VERBOSE,
)
"""Matches the end of a sentence, or a code span.

It begins with a set of characters, which the search finds ten times as fast as anything else. Only the first of a
run of stops or backticks is tried, so that a long run takes no longer than other text.
"""

_WORD = re.compile(rf"[^\s{_CLOSING}{re.escape(_OPENING)}]*\Z")
"""Matches the word before a full stop."""

_LONGEST_WORD = 16
"""Characters searched before a full stop: more than an abbreviation has."""

_BEFORE_NAME = re.compile("capt|cf|col|dr|e\\.g|gen|i\\.e|lt|messrs|mme|mr|mrs|ms|mt|prof|rev|sen|sgt|st|viz|vs")
"""Abbreviations after which a sentence always goes on."""

_BEFORE_NUMBER = re.compile("art|ch|chap|eq|eqs|fig|figs|no|nos|nr|p|pp|sec|vol")
"""Words that are abbreviations only before a number; otherwise a full stop after them ends the sentence."""

_BEFORE_LOWER = re.compile("al|approx|ca|co|corp|dept|ed|eds|est|etc|inc|incl|jr|ltd|max|min|resp|sr|.*\\..*")
"""Abbreviations that end a sentence unless a lower-case letter follows; so does any word with a full stop inside."""


def sentence_ends(text: str, start: int = 0, end: int | None = None) -> list[int]:
    """Returns the offset after each sentence of `text[start:end]`, ascending; the last one is `end`. Empty for an
    empty range."""
    end = len(text) if end is None else end
    ends: list[int] = []
    begin = start
    for match in _END.finditer(text, start, end):
        if text[match.start()] == "`" or (match["closed"] is not None and _goes_on(text, begin, match)):
            continue
        begin = match.end()
        ends.append(begin)
    if start < end and begin < end:
        ends.append(end)
    return ends


def _goes_on(text: str, begin: int, match: re.Match[str]) -> bool:
    """Whether the sentence that begins at `begin` goes on after this stop."""
    after = text[match.end() : match.end() + 4].lstrip(_OPENING)[:1]
    stop = match.start()
    if text[stop] != "." or text[stop + 1] in _STOPS or match["closed"]:
        return after.islower()
    word = _WORD.search(text, max(begin, stop - _LONGEST_WORD), stop)
    assert word is not None  # it also matches the empty string
    key = word[0].lower()
    if key.isdigit():
        return not text[begin : word.start()].strip()
    if _BEFORE_NAME.fullmatch(key) or (len(key) == 1 and word[0].isupper()):
        return True
    if _BEFORE_NUMBER.fullmatch(key):
        return after.isdigit()
    return after.islower() and _BEFORE_LOWER.fullmatch(key) is not None

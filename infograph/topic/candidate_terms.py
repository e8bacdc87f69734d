"""Extracts the candidate terms of one chunk: words, compounds and code identifiers, without the Markdown around them.

This runs over every byte of a tree, so it works with a handful of regular expressions over the whole text and with
list comprehensions, never with a Python call per word. Each expression takes time linear in its input: what could
be tried again is possessive, bounded, fails at once, or always matches.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

from infograph.text.language import stop_words
from infograph.text.lines import unified
from infograph.words.phrases import Phrases
from infograph.words.twins import compounds


@dataclass(frozen=True, slots=True)
class ChunkTerms:
    """The candidate terms of one chunk, each as often as it occurs, separated by line ends.

    Strings instead of a thousand are small to send and to keep, and `str.split` with `Counter` counts them at the speed
    of C. Compounds are not kept: they are half of all, and the words say them.
    """

    runs: str = ""
    """Words in lower case. On one line, separated by spaces, are those that stand beside each other."""
    others: str = ""
    """Compounds that are not in the text, such as keywords of front matter."""
    codes: str = ""
    """Identifiers from code spans and fences, as spelled."""
    headed: tuple[tuple[str, int], ...] = ()
    """Compounds that stand in a heading, each with its best level (1 is best), sorted."""

    @property
    def words(self) -> str:
        """Words in lower case, each on a line."""
        return self.runs.replace(" ", "\n")

    @property
    def compounds(self) -> str:
        """Compounds in lower case, each on a line: two or three adjacent words joined by one space."""
        found = compounds(self.runs)
        return f"{found}\n{self.others}" if found and self.others else found or self.others

    def distinct(self) -> set[str]:
        """Returns the set of all terms."""
        found = {*self.words.split("\n"), *self.compounds.split("\n"), *self.codes.split("\n")}
        found.discard("")
        return found


# The text before a fence on its line: markers of quotes and list items.
_BEFORE_FENCE = re.compile(r"[ \t>]*+(?:[-*+][ \t]++|\d{1,9}[.)][ \t]++)?")
_FENCE = re.compile(r"```(?<!````)`*+|~~~(?<!~~~~)~*+")
_FENCE_OF_TICKS = re.compile(r"```(?<!````)`*+")  # far faster to search for, and nearly always sufficient
_SETEXT = re.compile(r"^([^\s#>|][^\n]*)\n {0,3}(?:=++|-++)[ \t]*$", re.MULTILINE)
# Begins with the line end above it, a literal: `^` would be tried at every character.
_HEADING = re.compile(r"\n[ \t>]*+(#{1,6})[ \t]++([^\n]*)")
# Begins with a literal tick, so that the search skips from one to the next; not in the middle of a run.
_CODE_SPAN = re.compile(r"(`(?<!``)`*+)([^`]{1,300})\1(?!`)")
_NOT_TEXT = re.compile(
    r"<!--.*?(?:-->|\Z)"  # comment
    r"|<(?P<raw>script|style|svg)\b.*?(?:</(?P=raw)|\Z)"  # element whose content is not prose
    r"|</?[A-Za-z][^<>]{0,2000}>"  # tag, autolink
    r"|\]\((?:[^()\n]++|\([^()\n]*+\))*\)|\]\[[^\]\n]{0,200}\]"  # link target
    r"|\[[!^][^\[\]\n]{0,80}\]"  # alert marker, footnote
    r"|\{[^{}\n]{0,500}\}"  # shortcode, attribute list, MDX expression, include
    r"|&\#?\w{1,31};"  # entity
    r"|https?://[^\s)>\]]*+|www\.[^\s)>\]]++",  # bare URL
    re.DOTALL,
)
# The alternative text of an HTML or JSX image; that of a Markdown image stands in brackets, as text does.
_ALT = re.compile(r"""<(?:img|Image)\b[^<>]{0,2000}?\balt=\{?(?:"([^"<>]{0,1000})"|'([^'<>]{0,1000})')[^<>]{0,2000}>""")
_NOT_TEXT_LINES = re.compile(
    r"^[ \t>]*+(?:"
    r"\[[^\]\n]{1,200}\]:.*"  # reference definition
    r"|(?:import|export)[ \t].*(?:from[ \t]*['\"]|[={]).*"  # ES module line of MDX
    r"|\*\*(?:Caution|Danger|Important|Info|Note|Tip|Warning)\*\*[ \t]*+$"  # what a box without a title is called
    r"|(?:/{3,}|!{3}|\?{3}\+?|:{3,})[ \t]*+[\w-]*+"  # opener of an admonition or container; its title is text
    r")",
    re.MULTILINE,
)
# Without one of these marks no line can match: a quick check saves most chunks the search.
_NOT_TEXT_LINE_MARKS = ("**\n", "]:", "import ", "export ", "///", "!!!", "???", ":::")
# Begins with a literal, so that looking for it costs next to nothing; `_SNAKE` alone would try every position.
_SNAKE_JOINT = re.compile(r"_(?<=[^\W_]_)(?=[^\W_])")
_SNAKE = re.compile(r"((?<!\w)[^\W_]++(?:_++[^\W_]++)+(?!\w))")
_POSSESSIVE = re.compile(r"'s\b")

_NAME = r"[^\W\d]\w*+(?:(?:\.|::|-)[^\W\d]\w*+)*"
_IDENTIFIER = re.compile(rf"--[a-z][\w-]*+|{_NAME}")
_WHOLE_SPAN = re.compile(rf"^[ \t]*+(?:[$@-](?=\w))?(--[a-z][\w-]*+|{_NAME})(?:\(\))?[ \t]*$", re.MULTILINE)
# What tells an identifier from a plain word in a listing: a hump, a joint or an option's dashes.
# (Lower-case words joined by one dash are as often a style property or a file's name.)
_SHAPED = re.compile(r"[a-z\d][A-Z]|[A-Z]{2}[a-z]{2}|\w_\w|\w(?:\.|::|[a-z]-(?=[A-Z]))\w|^--")
# Addresses, and lines that a site generator replaces by a file.
_NOT_CODE = re.compile(r"\w+://[^\s'\"`<>)]*+|\{\{#[^{}\n]*\}\}")


def chunk_terms(text: str, language: str = "en", *, in_fence: bool = False) -> ChunkTerms:
    """Returns the candidate terms of a chunk of Markdown.

    Compounds are two or three adjacent words with no stop word and no punctuation between them, inside one block. A
    code span that is one identifier counts whatever its shape; in longer spans and in fences, where most words are
    an example's, only words with the shape of a name count (`snake_case`, `os.path.join`, `Get-ChildItem`,
    `JsonSerializerContext`, `--no-cache`). Code marked by indentation alone is read as prose: in a slice it looks
    like the second paragraph of a list item.

    in_fence: whether the text begins inside a fence, as a piece of a cut fence does
    """
    prose, listings = _split_fences(unified(text), in_fence)
    if "\n==" in prose or "\n--" in prose:
        prose = _SETEXT.sub(lambda match: f"{'#' if match[0].rstrip().endswith('=') else '##'} {match[1]}", prose)
    # With two groups, split gives text, ticks, code, text, ticks, code, …; a lone bar breaks compounds.
    parts = _CODE_SPAN.split(prose)
    spans = "\n".join(part.replace("\n", " ") for part in parts[2::3])
    prose = "|".join(parts[::3])
    if "alt=" in prose:
        prose = _ALT.sub(r"|\1\2|", prose)
    prose = _NOT_TEXT.sub("|", prose)
    if any(map(prose.__contains__, _NOT_TEXT_LINE_MARKS)):
        prose = _NOT_TEXT_LINES.sub("|", prose)
    stop = stop_words(language)
    codes = [
        name for name in _WHOLE_SPAN.findall(spans) if len(name) > 2 or (len(name) == 2 and name.lower() not in stop)
    ]
    listings.append(_WHOLE_SPAN.sub("", spans))
    listing = "\n".join(listings)
    if "://" in listing or "{{#" in listing:
        listing = _NOT_CODE.sub(" ", listing)
    codes += filter(looks_like_code, _IDENTIFIER.findall(listing))
    if _SNAKE_JOINT.search(prose):
        parts = _SNAKE.split(prose)
        codes += parts[1::2]
        prose = "|".join(parts[::2])

    parts = _HEADING.split("\n" + prose)
    runs = [_runs("\n\n".join(parts[::3]), language)]
    headed: dict[str, int] = {}
    for marks, title in sorted(zip(parts[1::3], parts[2::3], strict=True), reverse=True):
        runs.append(_runs(title, language))
        headed.update(dict.fromkeys(compounds(runs[-1]).split("\n"), len(marks)))  # deepest first: the best level stays
    headed.pop("", None)  # splitting an empty string gives one
    return _pack(runs, (), codes, headed)


def document_terms(title: str | None, keywords: Iterable[str], language: str = "en") -> ChunkTerms:
    """Returns the terms that the front matter adds to a document: its title, read as an H1, and its keywords.

    A keyword is taken as it is written, in lower case unless it has the shape of an identifier; one of several
    words counts as a compound in an H1.
    """
    runs, others, codes = [_runs(" ".join((title or "").split()), language)], [], []
    headed = dict.fromkeys(filter(None, compounds(runs[0]).split("\n")), 1)
    for keyword in keywords:
        name = " ".join(keyword.split())
        if " " in name:
            others.append(name.lower())
            headed[name.lower()] = 1
        elif _IDENTIFIER.fullmatch(name) and looks_like_code(name):
            codes.append(name)
        elif name:
            runs.append(name.lower())
    return _pack(runs, others, codes, headed)


@lru_cache(maxsize=32_768)  # listings repeat their names
def looks_like_code(name: str) -> bool:
    """Whether a term has a shape that words lack: a hump, a joint, an option's dashes."""
    return bool(_SHAPED.search(name))


def _pack(runs: Iterable[str], others: Iterable[str], codes: list[str], headed: dict[str, int]) -> ChunkTerms:
    """Joins lines of terms; where there are none, some are empty."""
    return ChunkTerms("\n".join(filter(None, runs)), "\n".join(others), "\n".join(codes), tuple(sorted(headed.items())))


def _split_fences(text: str, in_fence: bool) -> tuple[str, list[str]]:
    """Returns the text outside of fences, and the contents of the fences."""
    if not in_fence and "```" not in text and "~~~" not in text:
        return text, []
    prose: list[str] = []
    listings: list[str] = []
    opener = "" if not in_fence else None  # None: the opener lies before this text
    start = line_end = 0
    for match in (_FENCE if "~~~" in text else _FENCE_OF_TICKS).finditer(text):
        if match.start() < line_end:  # each line is examined once, however many ticks it has
            continue
        line_start = text.rfind("\n", line_end, match.start()) + 1
        line_end = text.find("\n", match.end())
        line_end = len(text) if line_end < 0 else line_end
        if not _BEFORE_FENCE.fullmatch(text, line_start, match.start()):
            continue
        run, info = match[0], text[match.end() : line_end].strip()
        if opener == "":
            if "`" in info and run[0] == "`":  # a code span at the start of a line
                continue
            prose.append(text[start:line_start])
            opener = run
        elif not info and (opener is None or run.startswith(opener)):
            listings.append(text[start:line_start])
            opener = ""
        else:
            continue
        start = line_end
    (prose if opener == "" else listings).append(text[start:])
    return "\n\n".join(prose), listings


def _runs(text: str, language: str) -> str:
    """Returns the words in order, see `ChunkTerms.runs`."""
    return _phrases(language).of(_POSSESSIVE.sub("", text.replace("’", "'").replace("--", "|").lower()))


@cache
def _phrases(language: str) -> Phrases:
    return Phrases(stop_words(language))

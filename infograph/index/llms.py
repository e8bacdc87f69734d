"""Renders `llms.txt`, which describes the tree to a language model, in the form of llmstxt.org."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from infograph.formats.hrefs import Hrefs, index_path
from infograph.formats.marks import TOPIC_LISTING_MARK
from infograph.formats.names import INDEX, LLMS, LLMS_FULL, join
from infograph.index.hal import SUMMARY_CHARACTERS, ChildTopic
from infograph.text.inline import shorten
from infograph.text.unseen import without_unseen

MAXIMUM_BYTES = 50_000
"""Most bytes of a file: a reader takes it in before it has seen anything else."""

HOW_TO_READ = """\
- Every topic is a HAL+JSON file, `index.json`; the root is [index.json]({root}). Resolve each href against the file \
it stands in and never build a URL.
- Child topics are in `_embedded.topics`, neighbouring ones in `_links.related`, later pages at `_links.next`.
- `_embedded.chunks` has one entry a document (skip `_links`). Its `items` are the chunks, with title, keywords, \
`is_code` and `tokens`; `href` leads to the text. Where an item has `enriched`, a language model, named in `by`, wrote \
that about the chunk, and about the sections that begin with it: it is no word of the documents.
- To sample a document, read item 0 and then the first N of `stripe_order`: any N is spread over the whole document. \
`stripe_order_technical` does the same around its quick reference.
- Check what you fetch: `sha256` is that of a chunk file's bytes after its front matter.
"""
_FULL = "- All pages as one text, {size:,} bytes: [{name}]({href}).\n"
_OF_TOPIC = TOPIC_LISTING_MARK + ", as Markdown; topics lead to their `index.json`. The whole: [llms.txt]({root}).\n"
_OWN_PAGES = "Pages"
"""Heading above the pages of the root itself."""


class PageLink(NamedTuple):
    """A page that can be read as Markdown."""

    title: str
    path: str
    """Path in the tree, from the root; empty for a page that lies elsewhere."""
    url: str = ""
    """Address of a page that lies elsewhere."""


TopicSection = tuple[ChildTopic, Sequence[ChildTopic]]
"""A child topic of the root with the topics below it."""


@dataclass(frozen=True, slots=True)
class TreeListing:
    """What the `llms.txt` files of a tree say."""

    title: str
    description: str
    sections: Sequence[TopicSection]
    pages: Mapping[str, Sequence[PageLink]] = field(default_factory=dict)
    """Pages of each topic, where they can be read as Markdown."""
    base_url: str = ""
    full: int = 0
    """Bytes of `llms-full.txt`; 0 where there is none."""


def llms_files(listed: TreeListing, maximum: int = MAXIMUM_BYTES) -> dict[str, bytes]:
    """Returns the root's `llms.txt`, and that of each child topic whose pages the root's has no room for, by path.

    maximum: most bytes of each, divided evenly; a section that does not fit states how much it leaves out
    """
    hrefs = Hrefs("", listed.base_url)
    head = _head(listed.title, listed.description) + HOW_TO_READ.format(root=hrefs.to(INDEX))
    if listed.full:
        head += _FULL.format(size=listed.full, name=LLMS_FULL, href=hrefs.to(LLMS_FULL))
    blocks = [head]
    left = maximum - len(head.encode())
    files: dict[str, bytes] = {}
    if own := [_page(page, hrefs) for page in listed.pages.get("", ())]:
        heading = f"\n## {_OWN_PAGES}\n\n"
        room = left // (1 + len(listed.sections)) - len(heading)
        fitting, rest = _fitting(own, room, f"more pages]({hrefs.to(INDEX)})")
        blocks += [heading, *fitting, rest]
        left -= sum(len(block.encode()) for block in blocks[1:])
    for number, section in enumerate(listed.sections):
        block, whole = _section(section, listed, hrefs, left // (len(listed.sections) - number))
        if len(block.encode()) > left:
            blocks.append(f"\n## More topics\n\n- [{len(listed.sections) - number} more]({hrefs.to(INDEX)})\n")
            break
        if not whole:
            files[join(section[0].id, LLMS)] = _of_topic(section, listed, maximum)
        blocks.append(block)
        left -= len(block.encode())
    return {LLMS: "".join(blocks).encode(), **files}


def _section(section: TopicSection, listed: TreeListing, hrefs: Hrefs, room: int) -> tuple[str, bool]:
    """Returns the section of a topic, and whether it names all its pages: topics come first, pages where there is
    room."""
    topic, children = section
    title = _text(topic.title) or topic.id
    # In llms.txt, a section named "Optional" may be left out.
    heading = "Optional (topic)" if title == "Optional" else title
    head = f"\n## {heading}\n\n"
    first = _entry(topic, hrefs)
    below, more = _fitting(
        [_entry(child, hrefs) for child in children],
        room - len((head + first).encode()),
        f"more topics]({hrefs.to(index_path(topic.id))})",
    )
    count = sum(len(listed.pages.get(own.id, ())) for own in (topic, *children))
    rest = f"- [All {count} pages]({hrefs.to(join(topic.id, LLMS))})\n"
    left = room - len("".join([head, first, *below, more, rest]).encode())
    lines = []
    for own, line in zip((topic, *children), [first, *below], strict=False):  # those that are not shown have no pages
        lines.append(line)
        for page in listed.pages.get(own.id, ()):
            link = _page(page, hrefs)
            left -= len(link.encode())
            if left >= 0:
                lines.append(link)
                count -= 1
    return "".join([head, *lines, more, *([rest] if count else [])]), not count


def _of_topic(section: TopicSection, listed: TreeListing, maximum: int) -> bytes:
    """Returns the `llms.txt` of a topic: its pages, and those of the topics below it."""
    topic, children = section
    hrefs = Hrefs(topic.id, listed.base_url)
    head = _head(topic.title or topic.id, topic.description) + _OF_TOPIC.format(root=hrefs.to(LLMS)) + "\n"
    lines = []
    for own in (topic, *children):
        lines += [_entry(own, hrefs), *(_page(page, hrefs) for page in listed.pages.get(own.id, ()))]
    more = f"more lines]({hrefs.to(index_path(topic.id))})"
    fitting, rest = _fitting(lines, maximum - len(head.encode()), more)
    return "".join([head, *fitting, rest]).encode()


def _fitting(lines: Sequence[str], room: int, more: str) -> tuple[list[str], str]:
    """Returns the lines that fit, and a line that says how many do not; an empty one where all do.

    more: what follows that number in it
    """
    for number, line in enumerate(lines):
        rest = f"- [{len(lines) - number} {more}\n"
        room -= len(line.encode())
        if room < len(rest.encode()):
            return list(lines[:number]), rest
    return list(lines), ""


def _head(title: str, description: str) -> str:
    head = f"# {_text(title) or 'Documentation'}\n\n"
    return head + (f"> {_text(shorten(description, 600))}\n\n" if description else "")


def _entry(topic: ChildTopic, hrefs: Hrefs) -> str:
    counts = f"{_count(topic.documents, 'document')}, {_count(topic.chunks, 'chunk')}"
    notes = f"{_text(shorten(topic.description, SUMMARY_CHARACTERS))} ({counts})" if topic.description else counts
    return f"- [{_text(topic.title) or topic.id}]({hrefs.to(index_path(topic.id))}): {notes}\n"


def _page(page: PageLink, hrefs: Hrefs) -> str:
    href = hrefs.to(page.path) if page.path else page.url
    return f"- [{_text(page.title) or _text(page.path or page.url)}]({href})\n"


def _text(value: str) -> str:
    """Returns text on one line, escaped so that it cannot form Markdown structure or a link, without what a person
    would not see of it."""
    return re.sub(r"([\\\[\]<>`*_])", r"\\\1", " ".join(without_unseen(value).split()))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"

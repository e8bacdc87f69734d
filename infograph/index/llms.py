"""Renders `llms.txt`, which describes the tree to a language model, in the form of llmstxt.org."""

from __future__ import annotations

import re
from collections.abc import Sequence

from infograph.formats.hrefs import Hrefs, index_path
from infograph.formats.names import INDEX
from infograph.index.hal import SUMMARY_CHARACTERS, ChildTopic
from infograph.text.inline import shorten

MAXIMUM_BYTES = 50_000
"""Most bytes of the file: a reader takes it in before it has seen anything else."""

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


def llms_txt(
    title: str,
    description: str,
    sections: Sequence[tuple[ChildTopic, Sequence[ChildTopic]]],
    base_url: str = "",
    maximum: int = MAXIMUM_BYTES,
) -> bytes:
    """Returns the bytes of `llms.txt`.

    sections: the root's child topics, each with the topics below it; each becomes a section
    maximum:  most bytes, divided evenly; a section that does not fit states how many topics it leaves out
    """
    hrefs = Hrefs("", base_url)
    head = f"# {_text(title) or 'Documentation'}\n\n"
    if description:
        head += f"> {_text(shorten(description, 600))}\n\n"
    head += HOW_TO_READ.format(root=hrefs.to(INDEX))
    blocks = [head]
    left = maximum - len(head.encode())
    for number, (topic, children) in enumerate(sections):
        block = _section(topic, children, hrefs, left // (len(sections) - number))
        if len(block.encode()) > left:
            blocks.append(f"\n## More topics\n\n- [{len(sections) - number} more]({hrefs.to('index.json')})\n")
            break
        blocks.append(block)
        left -= len(block.encode())
    return "".join(blocks).encode()


def _section(topic: ChildTopic, children: Sequence[ChildTopic], hrefs: Hrefs, room: int) -> str:
    title = _text(topic.title) or topic.id
    # In llms.txt, a section named "Optional" may be left out.
    heading = "Optional (topic)" if title == "Optional" else title
    block = f"\n## {heading}\n\n{_entry(topic, hrefs)}"
    left = room - len(block.encode())
    for number, child in enumerate(children):
        line = _entry(child, hrefs)
        rest = f"- [{len(children) - number} more topics]({hrefs.to(index_path(topic.id))})\n"
        if len(line.encode()) + len(rest.encode()) > left:
            return block + rest
        block += line
        left -= len(line.encode())
    return block


def _entry(topic: ChildTopic, hrefs: Hrefs) -> str:
    counts = f"{_count(topic.documents, 'document')}, {_count(topic.chunks, 'chunk')}"
    notes = f"{_text(shorten(topic.description, SUMMARY_CHARACTERS))} ({counts})" if topic.description else counts
    return f"- [{_text(topic.title) or topic.id}]({hrefs.to(index_path(topic.id))}): {notes}\n"


def _text(value: str) -> str:
    """Returns text on one line, escaped so that it cannot form Markdown structure or a link."""
    return re.sub(r"([\\\[\]<>`*_])", r"\\\1", " ".join(value.split()))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"

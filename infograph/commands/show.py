"""`infograph show`: a topic's stripes as a table for a terminal, or as a picture."""

from __future__ import annotations

import io
import re
import shutil
import unicodedata
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from infograph.errors import ConfigError, OutputError, missing_extra, printable
from infograph.formats.index_json import DocumentChunks, Index, IndexItem, decode_index
from infograph.formats.names import INDEX

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

MINIMUM_WIDTH = 72
"""All columns, and 20 for the title."""

_NUMBERED = 40
"""With more chunks than this, their numbers in a picture would cover each other."""

_MARKERS = ((False, "o"), (True, "s"))


@dataclass(frozen=True, slots=True)
class Placed:
    """A chunk at its place in one of a document's orders."""

    position: int
    """From 1: after this many chunks it is part of the sample."""
    stripe: int
    """From 1."""
    rank: int
    """From 1, by similarity: 1 is the nearest to the baseline."""
    similarity: float
    item: IndexItem


def show(place: str, document: str | None = None, picture: str | None = None) -> str:
    """What the command prints: the table, as wide as the terminal, or which document the picture was drawn of.

    place:   a topic's folder in a built tree, or its index.json
    picture: file to draw to

    Raises ConfigError, also for an address, FormatError for what is no index, OutputError for a picture not written.
    """
    if "://" in place:
        hint = (
            "`infograph get` says what a topic of a published tree holds, `infograph search` and `ask` search in one."
        )
        raise ConfigError(place, "is an address, and `show` reads a folder only", hint)
    path = Path(place)
    index = read_topic(path.parent if path.name == INDEX else path)
    if picture is not None:
        drawn = for_display(plot(index, Path(picture), document))
        count = len(_chosen(index, document))
        chosen = f", which of {count} documents has the most chunks; --document draws another" if count > 1 else ""
        return f"wrote {picture}: {drawn}{chosen}"
    return stripe_table(index, document, shutil.get_terminal_size((100, 24)).columns).rstrip("\n")


def read_topic(folder: Path) -> Index:
    """A topic's index from its folder, all pages as one. Raises FormatError, or ConfigError when there is none."""
    index: Index | None = None
    name: str | None = INDEX
    seen = set()
    while name and name not in seen:
        seen.add(name)
        try:
            data = (folder / name).read_bytes()
        except OSError as error:
            hint = "Name the folder of a topic in a tree that is built."
            raise ConfigError(str(folder / name), f"cannot be read: {error.strerror}", hint) from None
        page = decode_index(data, str(folder / name))
        index = page if index is None else _joined(index, page)
        # Pages lie beside each other, whatever base URL their links carry.
        following = page.links.next
        match = re.search(r"(?:^|/)(index-\d+\.json)$", following.href) if following else None
        name = match[1] if match else None
    assert index is not None
    return index


def _joined(index: Index, page: Index) -> Index:
    chunks = replace(index.embedded.chunks, documents=index.embedded.chunks.documents | page.embedded.chunks.documents)
    embedded = replace(index.embedded, topics=index.embedded.topics + page.embedded.topics, chunks=chunks)
    return replace(index, embedded=embedded)


def place(document: DocumentChunks, technical: bool = False) -> list[Placed]:
    """A document's chunks in one of its orders; empty where it has no such order."""
    order = (document.stripe_order_technical if technical else document.stripe_order) or ()
    factor = (document.stripe_factor_technical if technical else document.stripe_factor) or 1
    items = {item.index: item for item in document.items}
    # Stripe k holds every factor-th rank from the k-th on.
    ranks = [(stripe, rank) for stripe in range(factor) for rank in range(stripe, len(order), factor)]
    placed = []
    for position, (index, (stripe, rank)) in enumerate(zip(order, ranks, strict=True)):
        if index in items:
            item = items[index]
            similarity = (item.similarity_technical if technical else item.similarity_conceptual) or 0.0
            placed.append(Placed(position + 1, stripe + 1, rank + 1, similarity, item))
    return placed


def stripe_table(index: Index, document: str | None = None, width: int = 100) -> str:
    """The orders of one document, or of all, as a table no wider than `width` columns of a terminal.

    document: its key, the file name without extension. Raises ConfigError for one that is not there.
    """
    width = max(width, MINIMUM_WIDTH)
    blocks = [_fit(f"{for_display(index.title)} ({printable(index.id) or 'root'})", width)]
    for key, chunks in _chosen(index, document):
        blocks.append(_order_table(key, chunks, False, width))
        if chunks.stripe_order_technical is not None:
            blocks.append(_order_table(key, chunks, True, width))
    return "\n\n".join(blocks) + "\n"


def _chosen(index: Index, document: str | None) -> list[tuple[str, DocumentChunks]]:
    documents = index.embedded.chunks.documents
    if document is None:
        return list(documents.items())
    for key, chunks in documents.items():
        if document in (key, chunks.source):
            return [(key, chunks)]
    names = ", ".join(documents) or "none"
    raise ConfigError(document, f"is no document of topic {index.id or 'root'!r}", f"It has: {names}.")


def _heading(key: str, chunks: DocumentChunks, technical: bool) -> str:
    baseline = chunks.baseline_technical if technical else chunks.baseline_conceptual
    title = next((for_display(item.title) for item in chunks.items if item.index == baseline), "")
    factor = (chunks.stripe_factor_technical if technical else chunks.stripe_factor) or 1
    stripes = "not striped" if factor == 1 else f"{factor} stripes"
    name = "technical" if technical else "conceptual"
    if baseline is None:
        return f"{printable(key)}: no chunks"
    return f"{printable(key)}, {name}: {stripes}, by similarity to chunk {baseline} “{title}”"


_COLUMNS = ("sample", "stripe", "rank", "chunk", "similar", "code", "tokens", "title")


def _order_table(key: str, chunks: DocumentChunks, technical: bool, width: int) -> str:
    lines = [_fit(_heading(key, chunks, technical), width)]
    placed = place(chunks, technical)
    if placed:
        lines.append("  ".join(_COLUMNS))
    last = 1
    for entry in placed:
        if entry.stripe != last:
            lines.append("")
            last = entry.stripe
        item = entry.item
        numbers = (entry.position, entry.stripe, entry.rank, item.index)
        cells = [str(number).rjust(len(name)) for number, name in zip(numbers, _COLUMNS, strict=False)]
        cells += [f"{entry.similarity:7.4f}", ("yes" if item.is_code else "").ljust(4)]
        cells.append(("" if item.tokens is None else str(item.tokens)).rjust(6))
        prefix = "  ".join(cells) + "  "
        lines.append((prefix + _fit(for_display(item.title), width - len(prefix))).rstrip())
    return "\n".join(lines)


def for_display(text: str) -> str:
    """A title as one line without what steers a terminal: control, formatting and bidirectional characters."""
    return "".join(
        " " if character.isspace() else character
        for character in text
        if character.isspace() or unicodedata.category(character) not in {"Cc", "Cf", "Cs", "Co", "Cn"}
    )


def _fit(text: str, width: int) -> str:
    """Cut to this many terminal columns: wide characters take two, combining marks none."""
    used = 0
    for number, character in enumerate(text):
        used += _columns(character)
        if used > width:
            while number and sum(map(_columns, text[:number])) > width - 1:
                number -= 1
            return text[:number].rstrip() + "…"
    return text


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def plot(index: Index, path: Path, document: str | None = None) -> str:
    """Write a picture of one document's similarity against order, a colour for each stripe. Returns its file name.

    document: its key; without it, the document with the most chunks
    path:     the suffix chooses the format: .png, .svg, .pdf

    Raises ConfigError without matplotlib, for an unknown suffix or a document that has nothing to order.
    """
    try:
        import matplotlib as mpl  # here: it takes a second, and only this picture needs it
        from matplotlib.figure import Figure
    except ImportError as error:
        raise missing_extra("plot", "--plot", "needs matplotlib", error) from None
    candidates = _chosen(index, document)
    key, chunks = max(candidates, key=lambda pair: len(pair[1].stripe_order), default=("", None))
    if chunks is None or not chunks.stripe_order:
        raise ConfigError(document or index.id or "root", "has no document with more than one chunk: nothing to draw")
    orders = [False, True] if chunks.stripe_order_technical else [False]
    # Without the salt and the date the same index would not give the same bytes; titles are text, not formulas.
    with mpl.rc_context({"svg.hashsalt": "infograph", "svg.fonttype": "none", "text.parse_math": False}):
        figure = Figure(figsize=(6.4 * len(orders), 4.4), layout="constrained", dpi=150)
        axes: Sequence[Axes] = figure.subplots(1, len(orders), sharey=True, squeeze=False)[0]
        for axis, technical in zip(axes, orders, strict=True):
            _draw(axis, key, chunks, technical)
        axes[0].set_ylabel("Cosine similarity to the baseline")
        figure.legend(handles=_legend(orders, chunks), loc="outside lower center", ncols=7, frameon=False, fontsize=8)
        figure.suptitle(f"{for_display(index.title)}: {for_display(chunks.source)}", fontsize=13)
        buffer = io.BytesIO()
        kind = path.suffix.removeprefix(".").lower()
        try:
            with warnings.catch_warnings():
                # A title in a script the font lacks is drawn with boxes: no reason to print a line for each letter.
                warnings.filterwarnings("ignore", message="Glyph .* missing from font")
                figure.savefig(buffer, format=kind, metadata={"Date": None} if kind == "svg" else None)
        except ValueError as error:
            raise ConfigError(str(path), f"cannot be drawn: {error}", "End the name in .png or .svg.") from None
    try:
        path.write_bytes(buffer.getvalue())
    except OSError as error:
        raise OutputError(str(path), f"cannot be written: {error.strerror}") from error
    return chunks.source


def _draw(axis: Axes, key: str, chunks: DocumentChunks, technical: bool) -> None:
    """One order: every stripe falls from left to right, and together they cover the range again and again."""
    from matplotlib.ticker import MaxNLocator

    placed = place(chunks, technical)
    stripes = list(_by_stripe(placed))
    for number, stripe in enumerate(stripes):
        colour = _colour(number, len(stripes))
        positions = [entry.position for entry in stripe]
        axis.plot(positions, [entry.similarity for entry in stripe], color=colour, linewidth=1, alpha=0.6)
        for code, marker in _MARKERS:
            some = [entry for entry in stripe if entry.item.is_code == code]
            axis.scatter(
                [entry.position for entry in some],
                [entry.similarity for entry in some],
                color=colour,
                marker=marker,
                s=34,
                zorder=3,
            )
        if number:
            axis.axvline(positions[0] - 0.5, color="0.85", linewidth=0.8, zorder=0)
    if len(placed) <= _NUMBERED:
        for entry in placed:
            axis.annotate(
                str(entry.item.index),
                (entry.position, entry.similarity),
                (0, 6),
                textcoords="offset points",
                ha="center",
                fontsize=7,
                color="0.35",
            )
    axis.set_title(_heading("", chunks, technical).removeprefix(", "), fontsize=9)
    axis.set_xlabel("Place in the order: a sample of N is the first N")
    axis.xaxis.set_major_locator(MaxNLocator(integer=True))
    axis.margins(y=0.12)
    axis.spines[["top", "right"]].set_visible(False)


def _legend(orders: Sequence[bool], chunks: DocumentChunks) -> list[Line2D]:
    """What the marks mean, once for all panels; of many stripes only the first and the last."""
    from matplotlib.lines import Line2D

    lengths = [len(place(chunks, technical)) for technical in orders]
    count = max(len(list(_by_stripe(place(chunks, technical)))) for technical in orders)
    shown = range(count) if count <= 10 else (0, count - 1)
    stripes = [
        Line2D([], [], color=_colour(number, count), linewidth=3, label=f"stripe {number + 1}")
        for number in (shown if count > 1 else ())
    ]
    marks = [
        Line2D([], [], color="0.35", marker=marker, linestyle="", label="code" if code else "prose")
        for code, marker in _MARKERS
    ]
    numbers = [Line2D([], [], linestyle="", label="numbers: chunk")] if min(lengths) <= _NUMBERED else []
    return [*stripes, *marks, *numbers]


def _colour(number: int, count: int) -> tuple[float, float, float, float]:
    import matplotlib as mpl

    # The far end of the map is a yellow that white paper swallows.
    return mpl.colormaps["viridis"](0.9 * number / max(1, count - 1))


def _by_stripe(placed: Sequence[Placed]) -> Iterator[list[Placed]]:
    for number in sorted({entry.stripe for entry in placed}):
        yield [entry for entry in placed if entry.stripe == number]

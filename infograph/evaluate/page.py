"""`--html`: the report as one page that needs nothing else: styles inside, plots as inline SVG."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from infograph.errors import missing_extra
from infograph.evaluate.bootstrap import interval
from infograph.evaluate.metrics import smaller_is_better
from infograph.evaluate.report import Report, System, cell

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MARKERS = "osD^v"
_METADATA = ("Creator", "Date", "Format", "Type")
"""That matplotlib writes unless told not to: its version, the time, addresses of vocabularies."""
_GROUP_ID = re.compile(r'<g id="[^"]*"')
_STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid #8884; text-align: right; white-space: nowrap; }
th:first-child, td:first-child, th:nth-child(2), td:nth-child(2) { text-align: left; }
td small { opacity: .65; }
td.best { font-weight: 700; }
figure { margin: 1rem 0; background: #fff; border-radius: .5rem; padding: .5rem; }
figure svg { max-width: 100%; height: auto; }
"""


def check_plots() -> None:
    """Raises ConfigError without matplotlib."""
    _figure((1, 1))


def page(report: Report) -> bytes:
    """The page. Raises ConfigError without matplotlib."""
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>Retrieval quality</title><style>{_STYLE}</style></head><body>",
        "<h1>Retrieval quality</h1>",
        f"<p>{escape(report.scope)}. Means over the questions with half the width of their 95% bootstrap interval; "
        "a figure in bold is better than every other of its column beyond chance (paired bootstrap, 95%).</p>",
        _table(report, report.main),
        f"<figure>{_svg(_bars(report), 'bars')}</figure>",
        "<h2>What is retrieved, and what it costs</h2>",
        "<p>Larger chunks cover more of the answers, and cost more tokens to read. Up and to the left is better.</p>",
        f"<figure>{_svg(_costs(report), 'costs')}</figure>",
        "<h2>All metrics</h2>",
        _table(report, [metric for metric in report.systems[0].values if metric not in report.main]),
        _intrinsic(report.systems),
        "</body></html>",
    ]
    return ("\n".join(part for part in parts if part) + "\n").encode()


def _table(report: Report, metrics: Sequence[str]) -> str:
    winners = report.winners()
    rows = []
    for system in report.systems:
        cells = [system.chunking.name, system.retriever, f"{system.chunking.chunks:,}", f"{system.chunking.tokens:.0f}"]
        row = "".join(f"<td>{escape(text)}</td>" for text in cells)
        for metric in metrics:
            mean, _, half = cell(metric, system.values[metric]).partition(" ")
            best = ' class="best"' if winners.get(metric) == system.name else ""
            row += f"<td{best}>{mean} <small>{half}</small></td>"
        rows.append(row)
    return _rows(["strategy", "retriever", "chunks", "tokens", *metrics], rows)


def _intrinsic(systems: Sequence[System]) -> str:
    measured = [system for system in systems if system.composite is not None]
    if not measured:
        return ""
    names = list(measured[0].chunking.intrinsic)
    rows = []
    for system in measured:
        figures = [*(system.chunking.intrinsic[name] for name in names), system.composite or 0.0]
        head = f"<td>{escape(system.chunking.name)}</td><td>{escape(system.retriever)}</td>"
        rows.append(head + "".join(f"<td>{figure:.3f}</td>" for figure in figures))
    return "<h2>The chunks themselves</h2>\n" + _rows(["strategy", "retriever", *names, "composite"], rows)


def _rows(head: Sequence[str], rows: Sequence[str]) -> str:
    columns = "".join(f"<th>{escape(name)}</th>" for name in head)
    body = "\n".join(f"<tr>{row}</tr>" for row in rows)
    return f'<div class="wide"><table>\n<tr>{columns}</tr>\n{body}\n</table></div>'


def _bars(report: Report) -> Figure:
    """A panel a metric, a mark with its interval a system."""
    figure = _figure((11, 1.2 + 0.24 * len(report.systems)))
    shares = [metric for metric in report.main if not smaller_is_better(metric)]
    panels = figure.subplots(1, len(shares), sharey=True, squeeze=False)[0]
    places = range(len(report.systems))
    for panel, metric in zip(panels, shares, strict=True):
        for place, system in zip(places, report.systems, strict=True):
            low, high = interval(system.values[metric])
            panel.plot([low, high], [place, place], color="#8aa", linewidth=3, solid_capstyle="butt")
            panel.plot([system.values[metric].mean()], [place], "o", color="#146", markersize=5)
        panel.set_title(metric, fontsize=9)
        panel.tick_params(labelsize=7)
        panel.grid(axis="x", alpha=0.3)
        panel.spines[["top", "right"]].set_visible(False)
    panels[0].set_yticks(places, [system.name for system in report.systems])
    panels[0].invert_yaxis()
    return figure


def _costs(report: Report) -> Figure:
    """Share of the answers covered against tokens to read: a colour a strategy, a mark a retriever."""
    figure = _figure((9, 4.5))
    panel = figure.subplots()
    cover, tokens = f"cover@{report.k}", f"tokens@{report.k}"
    strategies = list(dict.fromkeys(system.chunking.name for system in report.systems))
    retrievers = list(dict.fromkeys(system.retriever for system in report.systems))
    for system in report.systems:
        panel.plot(
            [system.values[tokens].mean()],
            [system.values[cover].mean()],
            marker=_MARKERS[retrievers.index(system.retriever) % len(_MARKERS)],
            color=f"C{strategies.index(system.chunking.name)}",
            markersize=7,
            linestyle="",
            label=system.name,
        )
    panel.set_xlabel(f"tokens in the first {report.k}")
    panel.set_ylabel(f"{cover}: share of the answers' characters")
    panel.grid(alpha=0.3)
    panel.margins(0.1)
    panel.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside right upper", frameon=False, fontsize=8)
    return figure


def _figure(size: tuple[float, float]) -> Figure:
    try:
        from matplotlib.figure import Figure  # here: it takes a second, and only the page needs it
    except ImportError as error:
        raise missing_extra("plot", "--html", "needs matplotlib", error) from None
    return Figure(figsize=size, layout="constrained")


def _svg(figure: Figure, name: str) -> str:
    """As an element for HTML, without metadata. With the name in the salt the same report gives the same bytes, and
    no id of a plot is one of another plot's; groups, whose ids are only numbered, go without."""
    import matplotlib as mpl

    buffer = io.StringIO()
    with mpl.rc_context({"svg.hashsalt": name, "svg.fonttype": "none", "text.parse_math": False}):
        figure.savefig(buffer, format="svg", metadata=dict.fromkeys(_METADATA))
    text = buffer.getvalue()
    return _GROUP_ID.sub("<g", text[text.index("<svg") :])

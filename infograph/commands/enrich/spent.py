"""How far a run is, in one line: documents, calls, money, and the time it will still take."""

from __future__ import annotations

from infograph.progress import amount


def progress_text(finished: int, documents: int, calls: int, spent: str, seconds: float) -> str:
    """Returns the line.

    finished, documents: how many documents are done, of how many
    spent:               money spent, and of how much
    seconds:             since the run began; what is left is expected to take as long, document by document
    """
    parts = [f"{finished:,} of {amount(documents, 'document')}", amount(calls, "call"), f"cost {spent}"]
    if finished:
        parts.append(f"about {_time(seconds * (documents - finished) / finished)} left")
    return " · ".join(parts)


def _time(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"

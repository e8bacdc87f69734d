"""Shortens what `infograph build --json` prints to what an output of a GitHub Action may hold.

    infograph build --json | python scripts/action_summary.py

An output goes into the environment of the steps that use it, where one variable has 128 KiB, and all outputs of a job
have 1 MB. So of each list the first entries stay, with its length as `errors_count` and the like; the whole summary is
in the log. Needs nothing but Python: action.yml runs it, whichever release of infograph was installed.
"""

from __future__ import annotations

import json
import sys
from typing import Any

ENTRIES = 10
"""Entries of a list that stay."""
CHARACTERS = 300
"""Characters of a text that stay."""


def shortened(value: Any) -> Any:
    """The value with its lists and texts cut."""
    if isinstance(value, str):
        return value if len(value) <= CHARACTERS else value[:CHARACTERS] + "…"
    if isinstance(value, list):
        return [shortened(item) for item in value[:ENTRIES]]
    if isinstance(value, dict):
        counts = {f"{key}_count": len(item) for key, item in value.items() if isinstance(item, list)}
        return {key: shortened(item) for key, item in value.items()} | counts
    return value


def main() -> None:
    text = sys.stdin.buffer.read().decode("utf-8", "replace")
    try:
        summary = json.loads(text)
    except ValueError:  # the build ended before it could say anything
        summary = {"output": text.strip()}
    print(json.dumps(shortened(summary), ensure_ascii=True))


if __name__ == "__main__":
    main()

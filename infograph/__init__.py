"""Retrieval without a runtime: a tree of Markdown becomes an information graph of plain files.

    docs/**/*.md ─▶ source ─▶ chunking ─▶ embedding ─▶ topic ─────────▶ index ─▶ any web server
                    discover   _chunks/    .embedding-   topic-spec.md   index.json
                    parse                  cache/        _keywords/      llms.txt

`build.build` runs the whole of it and does only what changed; `pipeline.tools` runs its parts one by one.
From a program:

    from infograph.build import build
    from infograph.config import load

    summary = build(load("docs"))

Nothing is imported here, so that naming the package costs nothing.
"""

__version__ = "0.1.0"

"""Converts files of other kinds to Markdown.

In: a file's path and bytes. Out: `Converted`, its Markdown with what is known of the places in the file. `table` says
which suffix has which converter and what that needs; the rest of a build knows only Markdown. A converter never opens
another file that this one names, and never runs anything that it holds.

bytes ─page_head▶ title, address, whether it is a document ─page_content▶ the main part ─page_walk▶ plain HTML
      ─html-to-markdown▶ Markdown with marks ─marks▶ Markdown and the ids of its headings
"""

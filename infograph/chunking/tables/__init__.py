"""Building blocks of the `tabular` strategy: CSV records, the tables of Markdown documents, descriptions of columns.

In:  lines of text or a `DocumentLayout`.
Out: records, pieces, summaries. Never import a strategy here, or hold more of a CSV file than a few records.
"""

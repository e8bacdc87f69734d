"""Takes everything out of a published tree: a row a chunk, for databases and data frames, and what differs from others.

    columns.py      the columns of a row: the one definition of names, types and meanings
    rows.py         rows, read from a folder or a web server; bundle.py reads what only the search bundle knows
    vectors.py      where the vectors of chunks come from
    json_lines.py, parquet.py      rows as bytes of a file, part by part; writing.py puts them into place
    keys.py, comparison.py         what differs between two trees, or two exports

In:  the address or the folder of a tree. Out: a file of rows, or the changes from one tree to another. However large a
tree is, a part of it is in memory: what has to be looked up waits in a table on disk (scratch.py). Never imported here:
code that builds, and what asks a language model.
"""

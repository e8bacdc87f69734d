"""File formats: each file that infograph writes has its name, its mark, its bytes and its reader here.

In: values of `infograph.model` and plain values. Out: bytes, and the same values read back, or a FormatError that
names file, place and reason.

    names.py            what files are called, and what a path says
    marks.py            how a file is told to be ours
    chunk_file.py       `_chunks/{stem}-{n}.md`
    pack.py             `_chunks/{stem}-{first}.pack.txt`, several of these; chunk_href.py: links to chunks
    keyword_table.py    `_keywords/words.md`
    topic_spec.py       `topic-spec.md`
    index_json.py       `index.json`: what it holds; `index_bytes.py` lays the bytes out
    markdown_table.py, hrefs.py, codec.py, json_schema.py, field_docs.py      what these are made of

Other formats live with the one package that writes and reads them: the search bundle in `search.format`, `llms.txt` in
`index`, modules for browsers in `web`. Nothing here reads or writes files. Never import a stage, or anything above the
stages, here.
"""

"""What a language model is asked of chunks, and what is taken of its answers: pure functions on data.

    chunks, records ─prompts▶ questions      answers ─checked▶ fields ─▶ records ─applied▶ chunks

`tasks` is the table of what can be asked. In: chunks, records, answers as text. Out: prompts with the schema of their
answer, fields, chunks with what was said of them. Never open a connection or a file here, nor import what does.
"""

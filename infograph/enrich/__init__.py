"""What a language model is asked of chunks, and what is taken of its answers: pure functions on data.

    chunks, records ─prompts▶ questions      answers ─checked▶ fields ─▶ records ─applied▶ chunks

`tasks` is the table of what can be asked. Nothing here opens a connection or a file.
"""

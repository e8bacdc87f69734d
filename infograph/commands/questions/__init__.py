"""`infograph questions`: a question set of a tree's own, asked of a language model and checked against the documents.

    documents ─segments▶ passages, pairs of passages ─prompts▶ questions with answers ─run▶ questions.jsonl

In: settings and options. Out: lines that `infograph eval` reads, whose answers stand in the documents character by
character. Never take a question whose answer does not.
"""

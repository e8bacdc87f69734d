"""How well chunks are found: questions with known answers, retrievers, metrics, and what their differences are worth.

questions.py, made.py    what is asked, and where the answers stand
corpus.py                units of retrieval: what is matched, what is returned
retrievers.py            BM25, dense vectors, their fusion
metrics.py, coverage.py  what a ranking is worth; intrinsic.py: what chunks are worth without any question
bootstrap.py, gate.py    which differences are more than chance
report.py, page.py       the outcome as a table, as JSON, as an HTML page
"""

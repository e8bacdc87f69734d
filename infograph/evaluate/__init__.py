"""How well chunks are found: settings and a `Request` in, a `Report` of every strategy under every retriever out.

evaluation.py           `infograph eval` as a whole: checks, measurement, report, gate
bench.py                one strategy: its chunks, the rankings of each retriever, their metrics
dataset.py              the documents, and where the questions come from
questions.py            question sets: files of questions with gold spans
made_questions.py       questions made from the documents' links and headings
corpus.py               units of retrieval: what is matched with a question, what is returned for it
retrievers.py           BM25, dense vectors, their fusion; published_search.py: the search of a build
metrics.py, coverage.py the quality of a ranking; intrinsic.py: the quality of chunks without questions
bootstrap.py, gate.py   whether a difference is more than chance; a stored baseline
report.py               the outcome as a table and as JSON; html_report.py: as a page with plots
extra.py                the packages of `infograph[eval]`

Only `infograph.cli` and benchmarks import this package. Never import a command here.
"""

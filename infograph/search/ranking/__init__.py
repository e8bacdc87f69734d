"""The ranking of chunks: scores, reranking by the query's vector, diversity.

In: postings, scores, vectors and hits. Out: chunks and hits in order. Never imported here: writing or reading; these
are pure functions, which `infograph/web` repeats for browsers.
"""

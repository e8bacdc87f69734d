"""Topics: the keywords, similarities and answered questions of a topic specification.

In:  the chunks of a topic, their vectors, the pages of questions.
Out: what `topic-spec.md` and `_keywords/words.md` state. All functions are pure.

chunks ─chunk_terms▶ terms ─topic_terms, score_table▶ _keywords/words.md ─ChunkKeywords▶ keywords ──┐
vectors ─similarities, topic_vector, related▶ similarities of chunks and of topics ─────────────────┼▶ topic-spec.md
qa-pairs.md ─questions, match_questions▶ chunks that answer each question ──────────────────────────┘

`keyword_scoring` holds the weights of keywords, `similarities` the cosine of chunks and of topics. Never import another
stage or read or write a file here.
"""

"""TopicSpec: what a topic is about, from its chunks and their vectors.

chunks ─chunk_terms▶ terms ─topic_terms, score_table▶ _keywords/words.md ─ChunkKeywords▶ keywords ─┐
vectors ─similarities, topic_vector, related▶ similarities of chunks and of topics ────────────────┼▶ topic-spec.md
qa-pairs.md ─questions, simhash, match_questions▶ prompt hashes of chunks ───────────────────────────┘
"""

"""`infograph eval --judge` and `--rerank llm`: a language model judges written answers, or ranks what is retrieved.

In: cases of `evaluate.judged`, candidates of `fit`. Out: verdicts, kept in a file beside the answers; orders, and Table
5 of them. Never ask about a page that stays at home, and never twice about one case.
"""

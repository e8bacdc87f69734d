"""`infograph eval --judge`: a language model judges whether what is retrieved supports written answers.

In: cases of `evaluate.judged`. Out: verdicts, kept in a file beside the answers. Never ask about a page that stays at
home, and never twice about one case.
"""

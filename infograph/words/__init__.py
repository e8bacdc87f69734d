"""Words: the bytes of a text in, numbers of its words out. What runs over every byte of a tree more than once.

In:  texts, as bytes or strings, and a function that knows the number of a word.
Out: numbers, counts and sums; which characters texts have, and others in their place.

Everything here is there twice: in Python, which says what it is for and runs anywhere (`pure.py`, `phrases.py`,
`runs.py`, `simhash.py`, `texts.py`), and in C (`_compiled.c`), which gives the same in a fraction of the time.
`twins.py` chooses. Never put here what is slow only once for each distinct word, nor anything that depends on a
setting, a format or a language: who asks says which characters count as what.
"""

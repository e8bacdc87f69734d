"""`infograph search`, `get` and `ask`: what a published tree answers, as text for people and as JSON for programs.

In: an address or a folder. Out: text to print, and whether anything was found. Warnings, progress and sources go to
standard error: what `ask` prints on standard output never has more tokens than it may have.
"""

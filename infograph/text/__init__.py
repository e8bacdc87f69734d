"""Text: lines, inline Markdown, word pieces, and what is known of languages.

In: strings. Out: strings, numbers and tables of words. Pure functions that all stages share: no stage, no setting and
no format is imported, and no file but the packaged tokenizer is read.
"""

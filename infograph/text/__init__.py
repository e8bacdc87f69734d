"""Text: lines, inline Markdown, word pieces, gitignore patterns, and what is known of languages.

In: strings. Out: strings, numbers, patterns and tables of words. Pure functions that all stages share. Never import
a stage, a setting or a format here, or read a file but the packaged tokenizer.
"""

"""The format of the search bundle: terms, numbers, shards and the manifest, as writer and reader share them.

In: texts, numbers and bytes. Out: terms, encoded and decoded values. Never imported here: writing, reading or ranking.
numpy is imported inside the functions that only the writer calls.
"""

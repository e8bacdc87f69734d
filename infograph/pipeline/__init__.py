"""Where the stages meet.

In: a tree's settings, its documents, and what the last build remembered. Out: published files, a summary, and a memory
for the next build. `run.py` takes the steps of a build in order, `tools.py` runs each stage by itself; only these two
compose. No other part of the pipeline imports them, and none is imported by a stage or a client.
"""

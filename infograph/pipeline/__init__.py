"""The pipeline: runs the stages over a tree.

In: a tree's settings, its documents, and what the last build remembered. Out: published files, a summary, and a memory
for the next build. `run.py` takes the steps of a build in order, `tools/` runs each stage by itself; only these two
compose, and the other parts of the pipeline never import them. Never import a command here; no stage and no client
imports the pipeline.
"""

"""The steps of a build, seen from the process that the build runs in.

In: the context of the build and what earlier steps gave. Out: values for later steps, and staged files; only `publish`
changes the tree. A step never imports another step: `pipeline/run.py` hands on what one gives to the next.
"""

"""Embedding models and chunking strategies of other packages, found by the entry points that these declare.

In: a group of entry points and a name. Out: what the entry point leads to, with its package. Never looked at for a
packaged name: to go through all that is installed takes longer than a build with nothing to do.
"""

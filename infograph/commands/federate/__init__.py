"""`infograph federate`: several published trees as one to search, see `search/format/federation.py`.

In: addresses or folders of published trees. Out: `federation.json` and `_federation/` in a folder. Never changed is a
site, and never read again is one that is as it was the last time, but for its manifest.
"""

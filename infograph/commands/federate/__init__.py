"""`infograph federate`: several published trees as one to search, see `search/format/federation.py`.

In: addresses or folders of published trees. Out: `federation.json` and `_federation/` in a folder. No site is changed,
and of one that is as it was the last time nothing but its manifest is read.
"""

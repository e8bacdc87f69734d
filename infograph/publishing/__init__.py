"""Publishes a built tree to an object store, and says what hosts would make of it.

    store.py     the objects below one address, and what can be wrong with them; the only module that knows obstore
    claim.py     who publishes: one at a time, told by conditional writes and not by clocks
    upload.py    what differs from the last publication, and in which order it is sent
    hosts.py     limits of hosts that are published to by other means

In: a folder that a build wrote, an address such as `s3://bucket/docs`. Out: the same tree there. Readers find a whole
tree, old or new, at any moment, as they do in a folder. Never imported here: what makes the tree.
"""

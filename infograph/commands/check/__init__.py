"""`infograph check`: the address or folder of a published tree in, a `CheckReport` out; or a `FederationCheck`.

federation.py   the files of a federation, and each of its sites: member.py
crawl.py        every link of the tree, followed from the root's index
examination.py  one file, by its kind, and the files that it leads to; indexes.py: an index
conclusions.py  what follows from all files together
target.py       a folder or web server that answers with files
promises.py     what the bytes of each kind of file must be
findings.py     problems and warnings, and how they are printed

A check only reads, and reads as a client does. Never import what builds or writes a tree here, apart from the rules
that tell which files are ours.
"""

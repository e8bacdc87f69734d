"""The source of a package whose embedding model hangs, dies or fails as the texts say."""

from __future__ import annotations

PLUGIN = """
import os, re, time
import numpy as np


class Moody:
    revision, cached = "0123456789ab", True

    def __init__(self, threads):
        pass

    @property
    def dimension(self):
        return 4

    def seconds_for(self, texts):
        return None

    def embed(self, texts, *, kind="document", progress=None):
        for done, text in enumerate(texts):
            if "sleeping" in text:
                time.sleep(10**6)
            if "looping" in text:  # in C, with the interpreter's lock
                re.match("(a|aa)+$", "a" * 200 + "b")
            if "dying" in text:
                os._exit(7)
            if "failing" in text:
                raise OSError("no such letter")
            if "slow" in text:
                time.sleep(0.15)
            if progress:
                progress(done + 1, len(texts))
        found = np.zeros((len(texts), 4), np.float32)
        found[:, 0] = 1
        found[:, 3] = os.getpid() * 0
        return found
"""

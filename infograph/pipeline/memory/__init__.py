"""The memory of a build for the next one, in files that one machine keeps and never publishes.

In:  `State` (what was seen and written) and the records of topics and documents.
Out: the same values, in the next build.

A file that is missing, torn or of another version costs time, never correctness: RecordsLost sends the build back to
the sources. Never imported here: the steps, the workers, and any stage but for the values it hands over.
"""

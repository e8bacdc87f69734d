"""Files, one at a time: safe reads, atomic and durable writes, locks, stamps, and paths of packaged data.

In: a root, a name below it, bytes. Out: bytes, None where a file is missing or cannot be read, or an OutputError. What
the bytes mean is not known here: never import a format, a setting or a stage.
"""

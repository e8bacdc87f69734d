"""What every request to an endpoint of a model has in common: bounds of time and size, and keys that stay secret.

    transport.py    one request and its answer, within bounds of time and size
    retries.py      whether it goes out once more, and when
    addresses.py    which addresses and keys may be used
    redaction.py    secrets in a text, and their removal

In: an address, a body. Out: decoded JSON, or what went wrong. Never put a key into a message, a log or a file.
"""

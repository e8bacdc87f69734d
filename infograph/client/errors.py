"""The error of a published tree that cannot be read."""

from __future__ import annotations

from typing import Literal

from infograph.errors import InfographError

Code = Literal["outside", "missing", "broken", "large", "version", "timeout", "unknown"]


class ClientError(InfographError):
    """A published tree, or a file of it, cannot be read. `code` is the same as in the client in JavaScript:

    outside: an address that is not under the one given, or a redirect
    missing: there is no such file, or the server does not answer
    broken:  the file is not what it should be: another build's, truncated, no JSON
    large:   more bytes than such a file may have
    version: the index is of a format that this release does not know
    timeout: not done within the time given
    unknown: no such topic, field or order; an option that is out of range or of another type
    """

    def __init__(self, code: Code, place: str, reason: str, hint: str = "") -> None:
        super().__init__(place, reason, hint)
        self.code: Code = code

"""Addresses of files in the published tree, as they stand in a link."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from urllib.parse import quote

from infograph.formats.names import INDEX, join

_AS_IT_IS = re.compile(r"[A-Za-z0-9._~/-]*+")
_BELOW = re.compile(r"(?:[^/.][^/]*+/)*[^/.][^/]*+")
"""A path that is relative already: no segment is empty, or begins with a dot."""


def encode_path(path: str) -> str:
    """A posix path as a URL path: each segment's bytes percent-encoded, all but unreserved characters (RFC 3986).

    No segment can then be read as a scheme, a query, a fragment or a URI template.
    """
    if _AS_IT_IS.fullmatch(path):
        return path
    return "/".join(quote(segment, safe="") for segment in path.split("/"))


@dataclass(frozen=True, slots=True)
class Hrefs:
    """Links from the files of one directory to any file of the tree. All paths are posix, from the root."""

    directory: str
    """Folder of the linking file; the empty string is the root."""
    base_url: str = ""
    """URL or absolute URL path of the root; links are relative without it."""

    def to(self, path: str) -> str:
        """The link to a file, by its path from the root."""
        if self.base_url:
            return f"{self.base_url.rstrip('/')}/{encode_path(path)}"
        below = f"{self.directory}/" if self.directory else ""
        if path.startswith(below) and _BELOW.fullmatch(path, len(below)):
            return _relative(path[len(below) :])
        # Both made absolute: relpath would otherwise ask for the working directory.
        return _relative(posixpath.relpath(f"/{path}", f"/{self.directory}"))

    def beside(self, name: str) -> str:
        """The link to a file, by its path from the linking file's own folder."""
        if self.base_url:
            return self.to(f"{self.directory}/{name}" if self.directory else name)
        return _relative(name)


def _relative(path: str) -> str:
    # The colon is encoded, but software that decodes before it splits would still see a scheme.
    return ("./" if ":" in path.partition("/")[0] else "") + encode_path(path)


def source_address(template: str, path: str) -> str:
    """The address of a document that is not beside its index.

    template: `index.source_url`, with `{path}` in the place of the path
    """
    return template.replace("{path}", encode_path(path))


def index_path(topic: str) -> str:
    """Path of the first page of a topic's index; the topic is its directory's path from the root."""
    return join(topic, INDEX)

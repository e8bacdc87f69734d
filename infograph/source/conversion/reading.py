"""Makes documents of files that must be converted, with a cache of what was converted before.

A conversion depends on the file's bytes, the converter and its packages, and the options: under the digest of these it
lies in the cache, and is taken from there whatever the file is called.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from infograph.errors import Notice, OutputError
from infograph.files.disk import read_file, write_checked
from infograph.formats.converted_file import head_of
from infograph.model import Document, Origin, placed
from infograph.source.conversion.interface import ConversionOptions, Converted, Converter
from infograph.source.conversion.table import CONVERTERS, by_command, loaded, suffix_of

_FOLDER = "conversions"


@dataclass(slots=True)
class Conversions:
    """Converts files."""

    options: ConversionOptions = field(default_factory=ConversionOptions)
    cache: Path | None = None
    """Folder of the cache; None for none."""

    def converts(self, path: str) -> bool:
        """Whether there is a converter for a file of this name."""
        return self._converter(path) is not None

    def _converter(self, path: str) -> Converter | None:
        commands = dict(self.options.commands)
        if own := suffix_of(path, tuple(commands)):
            return by_command(commands[own])
        return CONVERTERS.get(suffix_of(path, tuple(CONVERTERS)))

    def document(self, path: str, data: bytes) -> Document:
        """Makes a document of the bytes of a file. Raises DocumentError, and ConfigError where a package is missing."""
        converter = self._converter(path)
        assert converter is not None  # `converts` was asked
        converted = self._converted(path, data, converter)
        language = converted.language
        source = placed(path)[1]
        made_by = f"{converter.name} {converter.version}"
        head = head_of(converted.title or "", source, made_by, (("language", language), *converted.addresses))
        return Document(
            path=path,
            sha256=hashlib.sha256(data).hexdigest(),
            prefix=head,
            body=converted.text,
            title=converted.title,
            description=converted.description,
            addresses=converted.addresses,
            origin=Origin(
                converter=converter.name,
                language=language,
                anchors=converted.anchors,
                unit=converted.unit,
                places=converted.places,
                notices=tuple(replace(notice, path=path) for notice in converted.notices),
                left_out=converted.left_out or converter.left_out(path),
            ),
        )

    def _converted(self, path: str, data: bytes, converter: Converter) -> Converted:
        convert = loaded(converter, path)
        if self.cache is None:
            return convert(path, data, self.options)
        digest = hashlib.sha256(data).hexdigest()
        place = f"{_key(converter, self.options)}/{digest[:2]}/{digest[2:34]}.json"
        known = _decode(read_file(self.cache / _FOLDER / place))
        if known is not None:
            return known
        converted = convert(path, data, self.options)
        try:
            write_checked(self.cache.parent, f"{self.cache.name}/{_FOLDER}/{place}", _encode(converted))
        except OutputError:  # a cache that cannot be written costs time, and the step that embeds says so
            self.cache = None
        return converted


def _key(converter: Converter, options: ConversionOptions) -> str:
    return _key_of(converter.name, converter.version, converter.packages, options)


@lru_cache(maxsize=32)
def _key_of(converter: str, number: int, packages: tuple[str, ...], options: ConversionOptions) -> str:
    from importlib.metadata import version

    text = json.dumps([converter, number, [version(name) for name in packages], asdict(options)])
    return f"{converter.partition(' ')[0]}-{hashlib.sha256(text.encode()).hexdigest()[:16]}"


def _encode(converted: Converted) -> bytes:
    import orjson

    data = orjson.dumps(asdict(converted))
    return hashlib.sha256(data).hexdigest().encode() + b"\n" + data


def _decode(data: bytes | None) -> Converted | None:
    """Returns a conversion that was encoded; None for no data or data that is torn."""
    import orjson

    digest, _, text = (data or b"").partition(b"\n")
    if hashlib.sha256(text).hexdigest().encode() != digest:
        return None
    value = orjson.loads(text)
    value["notices"] = tuple(Notice(**notice) for notice in value["notices"])
    for name in ("addresses", "anchors", "places"):
        if value[name] is not None:
            value[name] = tuple(map(tuple, value[name]))
    return Converted(**value)

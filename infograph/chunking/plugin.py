"""Strategies of other packages: what they return is checked, since chunks must tile their document."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, ClassVar, get_type_hints

from infograph.chunking.interface import ChunkPiece, Cutting, DocumentLayout, Strategy, StrategyTools
from infograph.errors import ConfigError, DocumentError, InfographError
from infograph.plugins.entry_points import Plugin, said

_KEY = re.compile(r"[A-Za-z0-9._-]+")


def options_class(plugin: Plugin) -> type[Any]:
    """Returns the dataclass that an entry point leads to, whose fields are the options. Raises ConfigError where it is
    something else."""
    made = plugin.value
    if not (isinstance(made, type) and is_dataclass(made) and callable(made)) or "__call__" not in dir(made):
        raise _wrong(plugin, "is no dataclass that can be called with a layout and tools")
    lacking = [name for name in ("embeds", "extensions", "chunk_type", "key") if not hasattr(made, name)]
    if lacking:
        raise _wrong(plugin, f"has no `{lacking[0]}`")
    if wrong := [field.name for field in fields(made) if not field.init]:
        raise _wrong(plugin, f"has an option `{wrong[0]}` that cannot be given")
    return made


@dataclass(frozen=True, slots=True)
class PluginStrategy:
    """A strategy that an entry point leads to, with its options."""

    name: str
    """Name of the entry point."""
    package: str
    """Package that declares it, with its version: other code may cut otherwise."""
    own: Strategy

    extensions: ClassVar[tuple[str, ...]] = ()

    @property
    def embeds(self) -> bool:
        return self.own.embeds

    @property
    def chunk_type(self) -> str:
        return self.own.chunk_type

    @property
    def key(self) -> str:
        version = re.sub(r"[^A-Za-z0-9._-]+", "-", self.package)
        return f"{self.own.key}-{version}"

    def __call__(self, layout: DocumentLayout, tools: StrategyTools) -> Cutting:
        """Returns what the strategy makes of a document. Raises DocumentError where it fails, and where its pieces do
        not tile the body."""
        try:
            found = self.own(layout, tools)
        except InfographError:
            raise
        except Exception as error:  # whatever the package raises costs the document, as a broken one does
            raise self._failed(layout, f"failed ({said(error)})") from error
        if not isinstance(found, Cutting) or not all(isinstance(piece, ChunkPiece) for piece in found.pieces):
            raise self._failed(layout, "returned something else than a `Cutting` of pieces")
        if broken := _untiled(found.pieces, len(layout.body)):
            raise self._failed(layout, broken)
        return found

    def _failed(self, layout: DocumentLayout, reason: str) -> DocumentError:
        hint = "Tell its authors: `infograph.chunking.interface.Strategy` says what a strategy is."
        return DocumentError(layout.document.path, f"the strategy `{self.name}` of {self.package} {reason}", hint)


def hints_of(plugin: Plugin, made: type) -> dict[str, Any]:
    """Returns the types of a strategy's options. Raises ConfigError where the package does not say them."""
    try:
        return get_type_hints(made)
    except Exception as error:  # whatever its annotations raise, such as a name that is imported for type checkers only
        raise _wrong(plugin, f"has options whose types cannot be read ({said(error)})") from error


def made_by_plugin(plugin: Plugin, made: Callable[..., Strategy], options: Mapping[str, Any]) -> Strategy:
    """Returns a strategy of another package as one of the table. Raises ConfigError where it cannot be made, or where
    its key is none."""
    try:
        own = made(**options)
        key = own.key
    except InfographError:
        raise
    except Exception as error:  # whatever the package raises
        raise _wrong(plugin, f"cannot be made ({said(error)})") from error
    if not isinstance(key, str) or not _KEY.fullmatch(key) or not key.startswith(plugin.name):
        raise _wrong(plugin, f"has the key {key!r}: it must begin with `{plugin.name}`, of letters, digits and `._-`")
    # A property of it is what others have in their class: it depends on which strategy this one holds.
    return PluginStrategy(plugin.name, plugin.package, own)  # type: ignore[return-value]


def _untiled(pieces: Sequence[ChunkPiece], length: int) -> str:
    """Returns what keeps pieces from tiling a body; empty where they do."""
    at = 0
    for number, piece in enumerate(pieces):
        if piece.start != at or piece.end <= piece.start:
            return f"returned a piece {number} from {piece.start} to {piece.end}, where one from {at} on must follow"
        at = piece.end
    return "" if at == length else f"returned pieces up to character {at} of {length}"


def _wrong(plugin: Plugin, reason: str) -> ConfigError:
    hint = "Tell its authors: `infograph.chunking.interface.Strategy` says what a strategy is."
    return ConfigError(f"strategy `{plugin.name}` of {plugin.package}", reason, hint)

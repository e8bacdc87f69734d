"""What settings name, as stages take it: the files that `infograph fit` wrote, the options of conversions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from infograph.config.settings import Config, SearchSettings
from infograph.errors import ConfigError
from infograph.source.conversion.interface import ConversionOptions

if TYPE_CHECKING:
    from infograph.search.format.fusion_model import FusionFile
    from infograph.search.format.rerank_policy import RerankFile

LARGEST_INPUT = 1 << 20
"""Most bytes of such a file that are read."""


def fusion_of(config: Config, project: Path) -> FusionFile | None:
    """Returns the fusion that `search.fusion` names, None for the default.

    project: the folder that the name of a file is relative to

    Raises ConfigError for a file that cannot be read, FormatError for one of another form or version.
    """
    said = config.search.fusion
    if said == SearchSettings().fusion:
        return None
    from infograph.search.format.fusion_model import plain_fusion, read_fusion  # few builds fuse in another way

    plain = plain_fusion(said)
    if plain is not None:
        return plain
    hint = "Say `sum`, `rrf`, `tm2c2` or `tm2c2:0.4`, or name a file that `infograph fit fusion` wrote."
    return read_fusion(said, _content(project / said, "search.fusion", said, hint))


def conversion_options(config: Config) -> ConversionOptions:
    """Returns the settings that conversions to Markdown depend on."""
    source = config.source
    commands = tuple((suffix.lower(), str(command)) for suffix, command in source.convert)
    return ConversionOptions(source.notebook_outputs, commands, source.convert_seconds)


def rerank_of(config: Config, project: Path) -> RerankFile | None:
    """Returns the contents of the file that `search.rerank` names, None where it names none.

    project: the folder that the name is relative to

    Raises ConfigError for a file that cannot be read, FormatError for one of another form or version.
    """
    said = config.search.rerank
    if said is None:
        return None
    from infograph.search.format.rerank_policy import read_rerank

    return read_rerank(
        said, _content(project / said, "search.rerank", said, "`infograph fit rerank --out` writes one.")
    )


def _content(path: Path, setting: str, said: str, hint: str) -> bytes:
    """Returns the content of a file that a setting names. Raises ConfigError."""
    try:
        with path.open("rb") as file:
            return file.read(LARGEST_INPUT)
    except (OSError, ValueError) as error:
        reason = f"`{setting}`: {said!r} cannot be read: {getattr(error, 'strerror', None) or error}"
        raise ConfigError(setting, reason, hint) from None

"""Converts AsciiDoc by the program asciidoctor."""

from __future__ import annotations

import shutil

from infograph.errors import ConfigError
from infograph.source.conversion.command import output_of
from infograph.source.conversion.interface import ConversionOptions, Converted
from infograph.source.conversion.page import convert_page


def convert_asciidoc(path: str, data: bytes, options: ConversionOptions) -> Converted:
    """Converts AsciiDoc by `asciidoctor`, in its safest mode: no file is included, no link to one is made. Raises
    ConfigError where the program is not there, DocumentError where it fails."""
    program = shutil.which("asciidoctor")
    if program is None:
        reason = "to read it needs the program asciidoctor, which is not on the PATH"
        raise ConfigError(path, reason, "Install it (gem install asciidoctor), or leave such files out.")
    arguments = [program, "--safe-mode", "secure", "--no-header-footer", "--attribute", "showtitle", "-o", "-", "-"]
    page = output_of(path, arguments, data, options.seconds)
    found = convert_page(path, b"<meta charset=utf-8><main>" + page + b"</main>", options)
    return Converted(found.text, notices=found.notices)

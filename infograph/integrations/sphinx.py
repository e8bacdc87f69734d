"""Sphinx extension: adds the information graph of its Markdown pages to a site that Sphinx builds, and the search box.

    extensions = ["myst_parser", "infograph.integrations.sphinx"]
    infograph = {"model": "static", "index": {"related": 3}}

The value `infograph` of conf.py has the settings of infograph.toml, which is also read; the value comes before it. What
Sphinx knows itself (the folders, the pages and their addresses) is taken from there. `infograph_search_box = False`
leaves the theme its own search.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ExtensionError
from sphinx.util import logging

from infograph import __version__
from infograph.build import build
from infograph.config import load
from infograph.config.reading import dotted
from infograph.config.settings import Settings
from infograph.errors import ConfigError, ForeignFileError, InfographError
from infograph.integrations.markdown_links import link_to_markdown
from infograph.integrations.notice_lines import lines_by_kind
from infograph.integrations.site_language import in_language
from infograph.model import MARKDOWN
from infograph.text.gitignore import literal

if TYPE_CHECKING:
    from sphinx.builders.html import StandaloneHTMLBuilder

log = logging.getLogger(__name__)

_BUILDERS = {"html", "dirhtml"}
"""Builders that make a page of each document."""
_SPHINX_DECIDES = ("docs", "out", "site.generator", "site.directory_urls")
TEMPLATES = Path(__file__).with_name("sphinx_templates")
"""Folder of the templates that themes take for their search: the box stands in the place of each."""


def setup(app: Sphinx) -> dict[str, Any]:
    """Registers the extension."""
    app.add_config_value("infograph", {}, "", types=(dict,))
    app.add_config_value("infograph_search_box", True, "html", types=(bool,))
    app.connect("config-inited", _add_templates)
    app.connect("build-finished", _build)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}


def _add_templates(app: Sphinx, config: Config) -> None:
    """Puts the search box in the place of the theme's own, after templates of the site itself."""
    if config.infograph_search_box:
        config.templates_path = [*config.templates_path, str(TEMPLATES)]


def _build(app: Sphinx, failure: Exception | None) -> None:
    """Builds the graph into a site that is complete. Raises ExtensionError when the build fails or a document does. A
    file that somebody else wrote in the place of ours costs the graph, and not the site."""
    if failure is not None or app.builder.name not in _BUILDERS:
        return
    try:
        settings = _settings(app)
        if not settings.config.source.include:
            log.warning("infograph: Sphinx renders no Markdown here, and infograph reads no other documents of it")
            return
        summary = build(settings)
    except ForeignFileError as error:
        log.warning("infograph: %s: %s; the site is built without the graph", error.place, error.reason)
        return
    except InfographError as error:
        raise ExtensionError(f"infograph: {error}") from error
    for line, is_warning in lines_by_kind(summary.notices):
        (log.warning if is_warning else log.info)("infograph: %s", line)
    if summary.errors:
        raise ExtensionError("\n".join(f"infograph: {problem}" for problem in summary.errors))
    names = sorted(app.env.found_docs)
    builder = cast("StandaloneHTMLBuilder", app.builder)
    rendered = (Path(builder.get_outfilename(name)).relative_to(app.outdir).as_posix() for name in names)
    link_to_markdown(settings.out, zip(rendered, map(partial(_document, app), names), strict=True))
    log.info("infograph: %d documents, %d chunks", summary.documents, summary.chunks)


def _document(app: Sphinx, name: str) -> str:
    """The path of a document in the source folder."""
    return Path(app.env.doc2path(name, base=False)).as_posix()


def _settings(app: Sphinx) -> Settings:
    """The settings of infograph.toml, of conf.py and of Sphinx itself. Raises ConfigError."""
    given = dict(dotted(app.config.infograph))
    place = str(Path(app.confdir) / "conf.py")
    for name in _SPHINX_DECIDES:
        if name in given:
            raise ConfigError(place, f"`{name}` of `infograph` cannot be set here: Sphinx decides", "Leave it out.")
    site = {
        "site.generator": "sphinx",
        "site.url": app.config.html_baseurl or "",
        "site.name": app.config.project,
        "site.directory_urls": app.builder.name == "dirhtml",
    }
    flags = site | given | {"out": str(app.outdir)}
    settings = load(str(app.srcdir), flags=flags, flags_from=place, project=Path(app.confdir))
    pages = sorted(_document(app, name) for name in app.env.found_docs)
    own = tuple(f"/{literal(path)}" for path in pages if path.lower().endswith(MARKDOWN))
    source = replace(settings.config.source, include=own)
    settings = replace(settings, config=replace(settings.config, source=source))
    return in_language(settings, app.config.language)

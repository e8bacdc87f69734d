"""MkDocs plugin: adds the information graph of its pages to a site that MkDocs builds.

    plugins:
      - search
      - infograph:
          model: static
          index:
            related: 3

The options are the settings of infograph.toml, which is also read; options override it. What MkDocs knows itself (the
folders, the addresses of pages, strictness, excluded pages) is taken from its configuration. One option is the plugin's
own: `search_box: true` puts infograph's search box in the place of the theme's.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from mkdocs.config.base import Config, ConfigErrors, ConfigWarnings
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url

from infograph.build import build
from infograph.config import load
from infograph.config.reading import dotted
from infograph.config.settings import Settings
from infograph.errors import ConfigError, ForeignFileError, InfographError
from infograph.formats.names import PRIVATE
from infograph.integrations.markdown_links import link_to_markdown
from infograph.integrations.mkdocs_box import PLACES, with_box
from infograph.integrations.notice_lines import lines_by_kind
from infograph.integrations.site_language import in_language
from infograph.pipeline.summary import Summary
from infograph.text.gitignore import literal

log = get_plugin_logger(__name__)

_LAST = -100
"""Priority of the plugin's events: after plugins that write or change pages."""
_FIRST = 100
"""Priority of the search box: before plugins that make pages smaller, as they change what the box is found by."""
_SEARCH_BOX = "search_box"
"""Name of the one option that is no setting of infograph."""

_MKDOCS_DECIDES = {
    "docs": "it is `docs_dir` of mkdocs.yml",
    "out": "it is `site_dir` of mkdocs.yml",
    "strict": "it is `strict` of mkdocs.yml, or `mkdocs build --strict`",
    "watch.debounce": "`mkdocs serve` watches",
    "watch.rescan": "`mkdocs serve` watches",
    "serve.host": "it is `dev_addr` of mkdocs.yml",
    "serve.port": "it is `dev_addr` of mkdocs.yml",
}
"""Settings that cannot be options of the plugin, each with the reason."""


class _NoSchema(Config):
    """An empty schema, which MkDocs requires; `infograph.config` checks the options."""


class InfographPlugin(BasePlugin[_NoSchema]):
    """Builds `docs_dir` into `site_dir` after each build of MkDocs."""

    def __init__(self) -> None:
        self._options: dict[str, Any] = {}
        self._serving = False
        self._left_out: list[str] = []
        self._pages: list[tuple[str, str]] = []
        """Path of each rendered page in the site, and of its document."""
        self._search_box = False
        self._has_place = True
        """Whether the search box has found its place in every page so far."""

    def load_config(
        self, options: dict[str, Any], config_file_path: str | None = None
    ) -> tuple[ConfigErrors, ConfigWarnings]:
        """Keeps the options, and reports those that MkDocs decides; values are checked when the settings are read."""
        self._options = dict(dotted(options))
        box = self._options.pop(_SEARCH_BOX, False)
        self._search_box = box is True
        errors: ConfigErrors = [
            (name, ConfigError("", f"cannot be set here: {_MKDOCS_DECIDES[name]}"))
            for name in self._options
            if name in _MKDOCS_DECIDES
        ]
        if not isinstance(box, bool):
            errors.append((_SEARCH_BOX, ConfigError("", f"must be true or false, not {box!r}")))
        return errors, []

    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:
        """Notes whether MkDocs serves the site."""
        self._serving = command == "serve"

    def on_nav(self, nav: Navigation, /, *, config: MkDocsConfig, files: Files) -> None:
        """Notes the pages, and the documents that MkDocs does not publish: `exclude_docs`, and `draft_docs` unless it
        serves them."""
        self._pages = [(file.dest_uri, file.src_uri) for file in files.documentation_pages()]
        self._left_out = [
            file.src_uri
            for file in files
            if not (file.inclusion.is_in_serve() if self._serving else file.inclusion.is_included())
        ]

    @event_priority(_FIRST)
    def on_post_page(self, output: str, /, *, page: Page, config: MkDocsConfig) -> str:
        """Puts the search box into a page."""
        return self._boxed(output, get_relative_url(".", page.url), config)

    @event_priority(_FIRST)
    def on_post_template(self, output_content: str, /, *, template_name: str, config: MkDocsConfig) -> str:
        """Puts the search box into the page of an error, which is shown at any address."""
        if template_name != "404.html":
            return output_content
        return self._boxed(output_content, urlsplit(config.site_url or "/").path, config)

    def _boxed(self, page: str, base: str, config: MkDocsConfig) -> str:
        """The page with the search box, if there is to be one; says once where it has no place."""
        if not self._search_box:
            return page
        boxed = with_box(page, config.theme.name or "", base)
        if boxed is None and self._has_place:
            self._has_place = False
            log.warning(
                f"{_SEARCH_BOX}: the theme {config.theme.name!r} has no place for it that is known "
                f"({', '.join(PLACES)} have). Put <infograph-search> into a template; the guide says how."
            )
        return page if boxed is None else boxed

    @event_priority(_LAST)
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Builds the graph. Raises PluginError, which ends `mkdocs build`, when the build fails or a document does. A
        file that somebody else wrote in the place of ours costs the graph, and not the site."""
        try:
            settings = self._settings(config)
            summary = build(settings)
        except ForeignFileError as error:
            log.warning(f"{error.place}: {error.reason}; the site is built without the graph")
            return
        except InfographError as error:
            raise PluginError(f"infograph: {error}") from error
        for line, is_warning in lines_by_kind(summary.notices):
            (log.warning if is_warning else log.info)(line)  # in strict mode MkDocs counts warnings and fails
        for problem in summary.errors:
            log.error(str(problem))
        if summary.errors and not self._serving:
            raise PluginError(f"infograph: {len(summary.errors)} documents cannot be indexed, see above")
        link_to_markdown(settings.out, self._pages)
        log.info(_totals(summary))

    def _settings(self, config: MkDocsConfig) -> Settings:
        """The settings of infograph.toml, the plugin's options and mkdocs.yml. Raises ConfigError."""
        project = Path(config.config_file_path).parent if config.config_file_path else Path.cwd()
        place = str(config.config_file_path or "mkdocs.yml")
        if self._search_box and not self._options.get("search.enabled", True):
            raise ConfigError(_SEARCH_BOX, "needs what `search.enabled` writes", "Leave one of the two out.")
        flags = site_of(config) | self._options | {"out": config.site_dir, "strict": bool(config.strict)}
        settings = load(config.docs_dir, flags=flags, flags_from=place, project=project)
        settings = in_language(settings, config.theme.get("language"))
        left_out = tuple(f"/{literal(path)}" for path in self._left_out)
        source = replace(settings.config.source, exclude=(*settings.config.source.exclude, *left_out))
        settings = replace(settings, config=replace(settings.config, source=source))
        if self._serving:  # the site lies in a temporary folder that lives as long as the server
            settings = replace(settings, memory=settings.out / PRIVATE)
        if settings.cache.is_relative_to(settings.root):
            reason = f"lies in {settings.root}, where MkDocs would publish it and `mkdocs serve` build without end"
            raise ConfigError(str(settings.cache), reason, "Set `cache` to a folder beside docs_dir.")
        return settings


def site_of(config: MkDocsConfig) -> dict[str, Any]:
    """The settings of `[site]`, which give the addresses of search results, as mkdocs.yml implies them."""
    site = {
        "site.generator": "mkdocs",
        "site.url": config.site_url or "",
        "site.name": config.site_name or "",
        "site.directory_urls": config.use_directory_urls,
    }
    slugify = config.mdx_configs.get("toc", {}).get("slugify")
    if (slugs := _slugs(slugify)) is not None:
        site["site.slugs"] = slugs
    return site


def _slugs(slugify: object) -> str | None:
    """The value of `site.slugs` for a slugify function; None for the default one and for unknown ones."""
    place = getattr(slugify, "func", slugify)  # pymdownx returns partial objects of its own function
    module = getattr(place, "__module__", "")
    if module.startswith("pymdownx."):
        return "pymdownx"
    return "unicode" if getattr(place, "__name__", "") == "slugify_unicode" else None


def _totals(summary: Summary) -> str:
    """The line that is logged after a build."""
    documents, topics, chunks = summary.documents, summary.topics, summary.chunks
    return f"{documents} documents, {topics} topics, {chunks} chunks; {summary.written} files written"

"""What a build found and did, for a person or a program."""

from __future__ import annotations

from dataclasses import dataclass, field

from infograph.config.settings import Settings
from infograph.errors import DocumentError, InfographError
from infograph.notice import REMARKS, Notice
from infograph.pipeline.steps.publish import Problems
from infograph.source.discovery import Discovery


@dataclass(slots=True)
class Summary:
    """What a build found and did."""

    documents: int = 0
    topics: int = 0
    chunks: int = 0
    embedded: int = 0
    """Texts embedded now."""
    cached: int = 0
    """Chunks whose vector was remembered, those of unchanged documents among them."""
    shared: int = 0
    """Chunks whose text stands elsewhere in the tree too and was embedded once."""
    written: int = 0
    """Files written."""
    removed: int = 0
    """Files removed."""
    bytes: int = 0
    """Bytes written."""
    seconds: float = 0.0
    stale: list[str] = field(default_factory=list)
    """With `check`: outputs that are not what a build would write."""
    errors: list[InfographError] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)

    def report(self, settings: Settings, found: Discovery, problems: Problems) -> None:
        """Fills in what a person should hear about."""
        failed = {path for path, _ in problems.errors}
        self.documents = sum(path not in failed for path in found.documents)
        self.errors = [*found.errors, *(error for _, error in problems.errors)]
        if not found.documents and not found.errors:
            self.errors.append(nothing_found(settings))
        self.notices = [*found.notices, *problems.notices]

    def failed(self, strict: bool) -> bool:
        """Whether the exit status is 1."""
        return bool(self.errors or self.stale or (strict and any(n.kind not in REMARKS for n in self.notices)))


def nothing_found(settings: Settings) -> DocumentError:
    """The error of a tree without documents: a wrong folder or pattern is likelier than an empty site."""
    hint = "Documents end in .md, .markdown or .mdx; `source.include`, `source.exclude` and .gitignore leave some out."
    return DocumentError(str(settings.root), "holds no documents", hint)

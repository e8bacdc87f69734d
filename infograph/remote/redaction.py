"""Secrets in a text, and their removal before anything leaves the machine."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from infograph.errors import ConfigError

_ASSIGNED = r"(?P<keep>(?:password|passwd|pwd|secret|api[_-]?key|access[_-]?token)[\"']?\s*[=:]\s*[\"']?)"

DEFAULT = {
    "aws-key": r"\b(?:AKIA|ASIA|AGPA|AIDA|AROA)[0-9A-Z]{16}\b",
    "github-token": r"\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})",
    "gitlab-token": r"\bglpat-[A-Za-z0-9_-]{16,}",
    "slack-token": r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}",
    "stripe-key": r"\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,}",
    "anthropic-key": r"\bsk-ant-[A-Za-z0-9_-]{16,}",
    "openai-key": r"\bsk-(?!ant-)[A-Za-z0-9_-]{20,}",
    "private-key": r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
    "jwt": r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}",
    "authorization": r"(?P<keep>\bAuthorization:\s*(?:Bearer|Basic|Token)\s+)[A-Za-z0-9._~+/=-]{8,}",
    "connection-string": r"(?P<keep>\b[a-z][a-z0-9+.-]*://[^\s:/@]+:)[^\s:/@]+(?=@)",
    "password": _ASSIGNED + r"(?![<${\[*x.]|your|example|redacted)[^\s\"'`,;<>]{8,}",
}
"""Rules of `default`: name and pattern. What a group `keep` matches stays."""

_MARKS = {
    "aws-key": ("akia", "asia", "agpa", "aida", "aroa"),
    "github-token": ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
    "gitlab-token": ("glpat-",),
    "slack-token": ("xox",),
    "stripe-key": ("sk_", "rk_"),
    "anthropic-key": ("sk-ant-",),
    "openai-key": ("sk-",),
    "private-key": ("-----begin",),
    "jwt": ("eyj",),
    "authorization": ("authorization:",),
    "connection-string": ("://",),
    "password": ("password", "passwd", "pwd", "secret", "api", "token"),
}
"""What a text must have, in lower case, before a rule is tried: looking for that takes a tenth of the time."""

OPTIONAL = {
    "email": r"\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b",
    "ipv4": r"\b(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)\b",
    "phone": r"(?<![\w.])\+?\d{1,3}[ .-]?\(?\d{2,4}\)?(?:[ .-]?\d{2,4}){2,3}(?![\w.])",
}
"""Rules that are asked for by name."""


class Redactor:
    """Replaces what its rules match by `[redacted:NAME]`."""

    def __init__(self, rules: Sequence[str] = ("default",), setting: str = "llm.redact") -> None:
        """Compiles rules. Raises ConfigError for a word that is none.

        rules:   `default`, names of rules, or `/regular expressions/`
        setting: setting that names them
        """
        self._rules: list[tuple[str, re.Pattern[str]]] = []
        for rule in rules:
            if rule == "default":
                self._rules += [(name, _compiled(pattern)) for name, pattern in DEFAULT.items()]
            elif pattern := DEFAULT.get(rule) or OPTIONAL.get(rule):
                self._rules.append((rule, _compiled(pattern)))
            elif len(rule) > 2 and rule.startswith("/") and rule.endswith("/"):
                self._rules.append(("own", _own(rule, setting)))
            else:
                valid = ", ".join(("default", *DEFAULT, *OPTIONAL))
                raise ConfigError(setting, f"there is no rule `{rule}`", f"Valid: {valid}, /regular expression/")

    def redact(self, text: str, found: Counter[str]) -> str:
        """Returns the text without what the rules match, and counts each rule's matches."""
        lower = text.casefold()
        for name, pattern in self._rules:
            if not any(sign in lower for sign in _MARKS.get(name, ("",))):
                continue
            mark = f"[redacted:{name}]"
            text, count = pattern.subn(lambda match, mark=mark: (match.groupdict().get("keep") or "") + mark, text)  # type: ignore[misc]
            if count:
                found[name] += count
        return text


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.DOTALL | re.IGNORECASE if "keep" in pattern else re.DOTALL)


def _own(rule: str, setting: str) -> re.Pattern[str]:
    try:
        return re.compile(rule[1:-1])
    except re.error as error:
        raise ConfigError(setting, f"{rule} is no regular expression: {error}") from None

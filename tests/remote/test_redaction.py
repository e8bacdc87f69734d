"""Secrets never leave: each rule finds what it is for, and leaves alone what only looks like it."""

from __future__ import annotations

from collections import Counter

import pytest

from infograph.errors import ConfigError
from infograph.remote.redaction import DEFAULT, OPTIONAL, Redactor

SECRETS = {
    "aws-key": "AKIA" + "Q3EXAMPLEKEY2345",
    "github-token": "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2",
    "gitlab-token": "glpat-" + "xY12_34567890abcdef",
    "slack-token": "xoxb-" + "123456789012-abcdefABCDEF",
    "stripe-key": "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc",
    "anthropic-key": "sk-ant-" + "api03-AbCdEfGhIjKlMnOp",
    "openai-key": "sk-" + "proj-AbCdEfGhIjKlMnOpQrStUv",
    "private-key": "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nabc\n-----END RSA PRIVATE KEY-----",
    "jwt": "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0NTY3ODkwIn0." + "dozjgNryP4J3jVmNHl0w5N",
    "email": "someone.else@example.org",
    "ipv4": "10.11.12.13",
    "phone": "+49 30 1234 5678",
}
KEPT = {
    "authorization": ("Authorization: Bearer ", "abcdef0123456789"),
    "connection-string": ("postgres://admin:", "hunter2secret"),
    "password": ("password = '", "correct-horse-battery"),
}


@pytest.mark.parametrize("rule", [*SECRETS])
def test_each_rule_takes_out_what_it_is_for(rule: str) -> None:
    found: Counter[str] = Counter()
    text = f"Before {SECRETS[rule]} after."
    assert Redactor([rule]).redact(text, found) == f"Before [redacted:{rule}] after."
    assert found == {rule: 1}
    assert (Redactor().redact(text, Counter()) == text) == (rule in OPTIONAL)


@pytest.mark.parametrize("rule", [*KEPT])
def test_what_says_that_there_is_a_secret_stays(rule: str) -> None:
    lead, secret = KEPT[rule]
    tail = "@db.example.org/app" if rule == "connection-string" else "'"
    assert Redactor().redact(lead + secret + tail, Counter()) == f"{lead}[redacted:{rule}]{tail}"


def test_every_rule_has_its_example() -> None:
    assert set(SECRETS) | set(KEPT) == set(DEFAULT) | set(OPTIONAL)


@pytest.mark.parametrize(
    "text",
    [
        "Set `password = <your password>` in the file.",
        "The option `api_key: str` takes the key.",
        "A skill-based task sk-learn; the token `ghp_` begins so.",
        "https://example.org/path:8080/x",
        "password: your-password-here",
        "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
    ],
)
def test_documentation_of_secrets_is_no_secret(text: str) -> None:
    assert Redactor().redact(text, Counter()) == text


def test_rules_of_ones_own() -> None:
    assert Redactor(["/ticket-\\d+/"]).redact("see ticket-12", Counter()) == "see [redacted:own]"
    with pytest.raises(ConfigError, match="no regular expression"):
        Redactor(["/(/"])
    with pytest.raises(ConfigError, match="there is no rule `aws`"):
        Redactor(["aws"])


@pytest.mark.parametrize(
    "text",
    [
        *(f"{start}Q3EXAMPLEKEY2345" for start in ("AKIA", "ASIA", "AGPA", "AIDA", "AROA")),
        *(f"{start}a1B2c3D4e5F6g7H8i9J0k1L2" for start in ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_")),
        *(f"{start}{'abcdEFGH' * 3}" for start in ("sk_test_", "rk_live_", "sk-", "sk-ant-", "xoxp-", "glpat-")),
        *(
            f"{name}: {'k7' * 6}"
            for name in ("passwd", "PWD", "api-key", "apiKey", "access_token", "accesstoken", "secret")
        ),
        "AUTHORIZATION: token abcdefgh12345678",
        "paſſword=correct-horse",
    ],
)
def test_no_rule_is_passed_over_where_it_would_match(text: str) -> None:
    rules = Redactor()._rules
    assert any(pattern.search(text) for _, pattern in rules)
    assert "[redacted:" in Redactor().redact(text, Counter())

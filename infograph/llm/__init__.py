"""The only module that asks a language model, over plain HTTP.

    Question ─redacted, delimited▶ messages ─wire▶ body ─http▶ Answer ─recorded▶ .llm-cache

`infograph enrich` and `infograph questions` use it; a build, and whatever reads a published tree, never imports it: a
contract in pyproject.toml says so. In: settings and questions. Out: answers as text, with what they cost.
"""

"""The only package that asks a language model, over plain HTTP.

    ModelQuestion ─redacted, delimited▶ messages ─wire▶ body ─http▶ ModelAnswer ─recorded▶ .llm-cache

`infograph enrich`, `infograph questions` and `infograph eval --judge` use it; a build, and whatever reads a published
tree, never imports it: a contract in pyproject.toml says so. In: settings and questions. Out: what a question's check
makes of the answer, and what it cost; `model_run` is how a run ends, redacts and counts. Never put a key into a
message, a log or a file.
"""

#!/usr/bin/env bash
# Makes .ci/requirements.txt anew: every Python package that .ci/run installs, by version and hash, torch left out.
#     pip install uv && scripts/lock_ci.sh [--upgrade]
set -euo pipefail
cd "$(dirname "$0")/.."
uv pip compile pyproject.toml .ci/requirements.in tests/search/addresses/site/requirements.txt \
  --config-file .ci/uv.toml --extra test --extra lint --extra fuzz --extra plot --extra sentence-transformers --extra ner \
  --extra langchain --extra llama-index --extra haystack --extra ray \
  --python-version 3.11 --python-platform x86_64-manylinux_2_28 --generate-hashes --no-emit-package torch \
  --no-annotate --custom-compile-command scripts/lock_ci.sh --quiet --output-file .ci/requirements.txt "$@"

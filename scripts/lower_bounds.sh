#!/usr/bin/env bash
# Installs the lowest version that pyproject.toml allows of each dependency, and runs the quick suite: a bound that
# nobody installs is a guess. What dependencies depend on is of today, as it is for whoever installs an old release.
#
#     scripts/lower_bounds.sh [arguments of pytest]
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"  # some tests work as another user
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet uv
# Compiled at once: a package's own syntax warnings must not become errors of the tests.
VIRTUAL_ENV="$folder" "$folder/bin/uv" pip install --quiet --resolution lowest-direct --compile-bytecode '.[test]'
"$folder/bin/uv" pip list --python "$folder/bin/python"
"$folder/bin/pytest" -p no:cacheprovider "$@"

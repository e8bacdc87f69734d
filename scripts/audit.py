"""Fails where a version that pip installs today has a known vulnerability, and where that cannot be found out.

    python scripts/audit.py                               what pip makes of pyproject.toml today
    python scripts/audit.py --requirements FILE           these versions: .ci/requirements.txt
    python scripts/audit.py --npm                         every package-lock.json of the repository

An audit that did not take place must not look like one that found nothing: no index, no database, a package without a
verdict, an empty list are all failures. Needs the network, and pip-audit (`pip install 'infograph[lint]'`) or npm.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[1]
EXTRAS = "code,eval,language,mcp,mkdocs,plot"
"""Those that come from the index alone; torch and spaCy's models do not."""


def installed(folder: Path) -> str:
    """What pip makes of the dependencies today, as a requirements file. Raises CalledProcessError."""
    venv.create(folder, with_pip=True)
    pip = [str(folder / "bin" / "python"), "-m", "pip"]
    subprocess.run([*pip, "install", "--quiet", f"{ROOT}[{EXTRAS}]"], check=True)
    freeze = [*pip, "freeze", "--exclude", "infograph"]
    return subprocess.run(freeze, check=True, capture_output=True, text=True).stdout


def normal(name: str) -> str:
    """A package's name as indexes compare it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def audit(requirements: str, folder: Path) -> str:
    """What is wrong; empty where every package has a verdict and none is vulnerable."""
    wanted = {normal(line.partition("==")[0]) for line in requirements.split() if "==" in line}
    if not wanted:
        return "there is nothing to audit"
    listed, report = folder / "requirements.txt", folder / "report.json"
    listed.write_text(requirements)
    command = [
        sys.executable,
        "-m",
        "pip_audit",
        "--strict",
        "--disable-pip",
        "--no-deps",
        "--requirement",
        str(listed),
        "--format",
        "json",
        "--output",
        str(report),
        "--progress-spinner",
        "off",
    ]
    status = subprocess.run(command, check=False).returncode
    if not report.exists():
        return "no audit took place"
    found = json.loads(report.read_text("utf-8"))["dependencies"]
    if missing := wanted - {normal(package["name"]) for package in found if "vulns" in package}:
        return f"no verdict on {', '.join(sorted(missing))}"
    vulnerable = [f"{package['name']} {package['version']}" for package in found if package["vulns"]]
    if vulnerable or status:
        return f"known vulnerabilities in {', '.join(vulnerable) or 'something'}:\n{report.read_text('utf-8')}"
    print(f"{len(wanted)} packages, no known vulnerability")
    return ""


def audit_npm(folder: Path) -> str:
    """What is wrong with the packages of a lock file; empty where npm has a verdict and none is vulnerable.

    folder: holds package.json and package-lock.json; nothing is installed
    """
    command = [shutil.which("npm") or "npm", "audit", "--json", "--package-lock-only"]
    try:
        run = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
        counts = json.loads(run.stdout)["metadata"]["vulnerabilities"]
        total = counts["total"]
    except OSError as error:
        return f"npm cannot be run ({error.strerror}): no audit took place"
    except (ValueError, KeyError, TypeError):
        return f"no audit of {folder.name} took place: {(run.stderr or run.stdout).strip()[-1000:]}"
    if total or run.returncode:
        return f"known vulnerabilities in packages of {folder.name}: {counts}"
    print(f"{folder.name}: no known vulnerability")
    return ""


def lock_files() -> list[Path]:
    """The folders that git knows a package-lock.json of. Raises CalledProcessError."""
    listed = ["git", "-C", str(ROOT), "ls-files", "*package-lock.json"]
    names = subprocess.run(listed, check=True, capture_output=True, text=True).stdout.split()
    return [(ROOT / name).parent for name in names]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requirements", type=Path, help="audit these versions, each with ==")
    parser.add_argument("--npm", action="store_true", help="audit the lock files of npm instead")
    options = parser.parse_args()
    if options.npm:
        folders = lock_files()
        reasons = [reason for folder in folders if (reason := audit_npm(folder))] if folders else ["nothing to audit"]
        sys.exit(f"audit failed: {'; '.join(reasons)}" if reasons else 0)
    if find_spec("pip_audit") is None:
        sys.exit("pip-audit is not installed: pip install 'infograph[lint]'. Nothing was audited")
    with tempfile.TemporaryDirectory() as work:
        try:
            requirements = options.requirements.read_text() if options.requirements else installed(Path(work, "venv"))
        except subprocess.CalledProcessError as error:
            sys.exit(f"the dependencies cannot be installed ({error}). Nothing was audited")
        if reason := audit(requirements, Path(work)):
            sys.exit(f"audit failed: {reason}")


if __name__ == "__main__":
    main()

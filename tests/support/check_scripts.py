"""Whether the scripts of pages are right by their types: ``python -m tests.support.check_scripts``.

TypeScript reads them as they are served, with ``tsconfig.json``; nothing is built. The extra
``test`` brings ``npm``, which fetches TypeScript once from its registry into ``out/``. It is the
version whose hash stands in ``typescript/package-lock.json``: anything else is refused. Later
checks need no network. Where it can be neither fetched nor found, nothing is checked, which is
said, with exit status 1.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from tests.support.paths import ROOT

WANTED: Final = ROOT / "tests/support/typescript"
FETCHED: Final = ROOT / "out/typescript"
MODULES: Final = FETCHED / "node_modules"


def main() -> int:
    beside = str(Path(sys.executable).parent)
    path = os.pathsep.join((beside, os.environ.get("PATH", os.defpath)))
    npm, node = (shutil.which(name, path=path) for name in ("npm", "node"))
    if npm is None or node is None:
        print("the scripts are not checked: there is no npm; pip install -e '.[test]' brings it")
        return 1
    environment = {**os.environ, "PATH": path}
    if not is_fetched() and not fetch(npm, environment):
        print("the scripts are not checked: TypeScript was not fetched, or its hash is another")
        return 1
    command = [node, str(MODULES / "typescript/bin/tsc"), "--project", str(ROOT)]
    return subprocess.run(command, env=environment, check=False).returncode


def is_fetched() -> bool:
    """Whether what lies there was taken in with the hash that is wanted now."""
    taken = MODULES / ".package-lock.json"  # npm writes it when all is there
    return taken.exists() and hashes(taken) == hashes(WANTED / "package-lock.json")


def hashes(lock: Path) -> dict[str, str]:
    """The hash of each package of a lock file."""
    packages: dict[str, Any] = json.loads(lock.read_text("utf-8"))["packages"]
    return {name: package["integrity"] for name, package in packages.items() if name}


def fetch(npm: str, environment: dict[str, str]) -> bool:
    """Take in what the lock file names; the packages' own scripts are not run."""
    FETCHED.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copyfile(WANTED / name, FETCHED / name)
    command = [npm, "ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"]
    return subprocess.run(command, cwd=FETCHED, env=environment, check=False).returncode == 0


if __name__ == "__main__":
    sys.exit(main())

"""Whether the scripts of pages are right by their types: ``python -m tests.support.check_scripts``.

TypeScript reads them as they are served, with ``tsconfig.json``; nothing is built. ``npx`` comes
with the extra ``test`` and takes that version from the npm registry. Without it nothing is
checked, which is said, with exit status 1.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from tests.support.paths import ROOT

TYPESCRIPT: Final = "typescript@5.9.3"
"""New versions say new things: only this one is tried."""


def main() -> int:
    beside = str(Path(sys.executable).parent)
    path = os.pathsep.join((beside, os.environ.get("PATH", os.defpath)))
    npx = shutil.which("npx", path=path)
    if npx is None:
        print("the scripts are not checked: there is no npx; pip install -e '.[test]' brings it")
        return 1
    command = [npx, "--yes", "--package", TYPESCRIPT, "--", "tsc", "--project", str(ROOT)]
    return subprocess.run(command, env={**os.environ, "PATH": path}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())

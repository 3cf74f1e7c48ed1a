"""Whether anything that is installed here is known to be unsafe: ``python -m tests.support.audit``.

The versions are held against the list beside this file, and pip-audit asks the public data bases
where it is installed and reaches them. Exit status 1 for an unsafe version; where nobody could
be asked, that is said, and ``--must-ask`` makes it exit status 3.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import distributions
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

LIST: Final = Path(__file__).with_name("advisories.toml")
LONGEST_S: Final = 300
UNSAFE, NOT_ASKED = 1, 3


@dataclass(frozen=True)
class Advisory:
    """Versions of a package with a known fault."""

    package: str
    versions: SpecifierSet
    name: str

    def told(self, version: str) -> str:
        return f"{self.package} {version} is unsafe ({self.name}: {self.versions})"


def advisories(path: Path = LIST) -> list[Advisory]:
    rows = tomllib.loads(path.read_text("utf-8"))["unsafe"]
    return [
        Advisory(row["package"], SpecifierSet(row["versions"]), row["advisory"]) for row in rows
    ]


def installed() -> dict[str, str]:
    """Version of each package of this environment, by its canonical name."""
    return {
        canonicalize_name(distribution.metadata["Name"]): distribution.version
        for distribution in distributions()
    }


def unsafe(known: Iterable[Advisory], versions: Mapping[str, str]) -> list[str]:
    """One line for each installed version with a known fault."""
    return [
        one.told(versions[one.package])
        for one in known
        if one.package in versions and one.versions.contains(versions[one.package], True)
    ]


@dataclass(frozen=True)
class Asked:
    """What the public data bases said."""

    answered: int
    """Packages about which they said something."""
    found: tuple[str, ...] = ()
    why_not: str = ""
    """Why some packages, or all, could not be asked about."""


def ask(program: Sequence[str] = (sys.executable, "-m", "pip_audit")) -> Asked:
    """Ask about everything that is installed here, with pip-audit."""
    if program[0] == sys.executable and find_spec("pip_audit") is None:
        return Asked(0, why_not="pip-audit is not installed (pip install pip-audit)")
    options = ["--format", "json", "--progress-spinner", "off", "--skip-editable", "--local"]
    try:
        done = subprocess.run(
            [*program, *options], capture_output=True, text=True, timeout=LONGEST_S, check=False
        )
    except subprocess.TimeoutExpired:
        return Asked(0, why_not=f"no answer came within {LONGEST_S} s")
    try:
        packages = json.loads(done.stdout)["dependencies"]
    except ValueError:
        last = (done.stderr.strip().splitlines() or ["nothing was said"])[-1]
        return Asked(0, why_not=last)
    # What it could not ask about it passes over, and ends as if all were well.
    skipped = [package for package in packages if "skip_reason" in package]
    found = tuple(
        f"{one['name']} {one['version']} is unsafe ({fault['id']})"
        for one in packages
        for fault in one.get("vulns", ())
    )
    why_not = f"{len(skipped)}: {skipped[0]['skip_reason']}" if skipped else ""
    return Asked(len(packages) - len(skipped), found, why_not)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--must-ask", action="store_true", help="fail where nobody can be asked")
    parser.add_argument("--list", type=Path, default=LIST, help="of versions known to be unsafe")
    given = parser.parse_args()
    versions = installed()
    found = unsafe(advisories(given.list), versions)
    print(f"{len(versions)} packages held against {len(advisories(given.list))} known faults")
    asked = ask()
    print(f"the public data bases answered about {asked.answered}")
    if asked.why_not:
        print(f"could not be asked: {asked.why_not}")
    for line in (*found, *asked.found):
        print(line)
    if found or asked.found:
        return UNSAFE
    return NOT_ASKED if given.must_ask and not asked.answered else 0


if __name__ == "__main__":
    sys.exit(main())

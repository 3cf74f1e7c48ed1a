"""Writes the versions that were tested: ``python -m tests.support.locked > locked.txt``.

They are those of this environment: of tilesight, its extra ``club``, and all that these need. The
container is built with them; whoever installs otherwise gets the newest that pyproject.toml allows.
"""

from __future__ import annotations

import tomllib
from importlib.metadata import distribution
from typing import Final

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.support.documentation import read

FILE: Final = "locked.txt"
EXTRA: Final = "club"


def asked() -> list[Requirement]:
    """What tilesight itself and the extra need on this system."""
    project = tomllib.loads(read("pyproject.toml"))["project"]
    lines = [*project["dependencies"], *project["optional-dependencies"][EXTRA]]
    needed = [Requirement(line) for line in lines]
    return [one for one in needed if one.marker is None or one.marker.evaluate()]


def versions_here() -> dict[str, str]:
    """The version of everything that is needed, by its name."""
    found: dict[str, str] = {}
    left, seen = asked(), set[tuple[str, frozenset[str]]]()
    while left:
        one = left.pop()
        name = canonicalize_name(one.name)
        if (name, frozenset(one.extras)) in seen:
            continue
        seen.add((name, frozenset(one.extras)))
        there = distribution(name)
        found[name] = there.version
        for line in there.requires or ():
            needed = Requirement(line)
            wanted = ({"extra": extra} for extra in ("", *one.extras))
            if needed.marker is None or any(map(needed.marker.evaluate, wanted)):
                left.append(needed)
    return dict(sorted(found.items()))


def locked() -> dict[str, str]:
    """What the file says."""
    lines = [line for line in read(FILE).splitlines() if not line.startswith("#")]
    return {name: version for name, _, version in (line.partition("==") for line in lines)}


if __name__ == "__main__":
    print(f"# Made by: python -m {__spec__.name} > {FILE}")
    for name, version in versions_here().items():
        print(f"{name}=={version}")

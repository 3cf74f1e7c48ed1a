"""The notes of a release: ``python -m tests.support.release_notes v0.1.0``.

Ends with exit status 1 where the tag is not the version of pyproject.toml, or where CHANGELOG.md
has no notes for it, with a date.
"""

from __future__ import annotations

import re
import sys
import tomllib

from tests.support.documentation import read


class NoRelease(ValueError):
    """A tag that does not fit."""


def version() -> str:
    """The one place where the version stands."""
    return str(tomllib.loads(read("pyproject.toml"))["project"]["version"])


def notes(changes: str) -> dict[str, str]:
    """What CHANGELOG.md says of each version, by its heading."""
    parts = re.split(r"(?m)^## \[(.+)$", changes)[1:]
    return {
        head.replace("]", "", 1): text.strip()
        for head, text in zip(parts[::2], parts[1::2], strict=True)
    }


def notes_of(tag: str, changes: str) -> str:
    """What is told of a release; raises ``NoRelease``."""
    if tag != f"v{version()}":
        raise NoRelease(f"{tag} is not the version of pyproject.toml, {version()}")
    for head, text in notes(changes).items():
        if re.fullmatch(rf"{re.escape(version())} - \d{{4}}-\d\d-\d\d", head):
            return text
    raise NoRelease(f"CHANGELOG.md has no heading '## [{version()}] - ' with a date")


if __name__ == "__main__":
    try:
        print(notes_of(sys.argv[1], read("CHANGELOG.md")))
    except NoRelease as wrong:
        sys.exit(str(wrong))

"""A release has one version, notes, and versions of libraries that were tested."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

from tests.support import first_minutes
from tests.support.documentation import read
from tests.support.locked import asked, locked
from tests.support.paths import ROOT
from tests.support.release_notes import NoRelease, notes, notes_of, version


def test_the_change_log_is_short() -> None:
    for of, text in notes(read("CHANGELOG.md")).items():
        most = 60 if of.startswith("0.1.0 ") else 10
        assert len([line for line in text.splitlines() if line]) <= most, of


def test_the_notes_of_a_release_are_those_of_its_tag() -> None:
    dated = (
        f"# Log\n\n## [{version()}] - 2030-01-02\n\nIt reads.\n\n## [0.0.1] - 2029-01-02\n\nOld.\n"
    )
    assert notes_of(f"v{version()}", dated) == "It reads."
    with pytest.raises(NoRelease, match="is not the version"):
        notes_of("v0.0.1", dated)
    with pytest.raises(NoRelease, match="no heading"):
        notes_of(f"v{version()}", dated.replace("2030-01-02", "not released yet"))


def test_the_version_stands_in_one_place() -> None:
    files = [
        path
        for package in ("engine", "vision", "service")
        for path in (ROOT / package).rglob("*.py")
    ]
    found = [
        str(path)
        for path in [*files, ROOT / "tilesight.py"]
        if re.search(rf"""["']{re.escape(version())}["']|__version__""", path.read_text("utf-8"))
    ]
    assert found == []


def test_every_library_that_is_needed_is_locked_to_a_version_that_is_allowed() -> None:
    assert locked().keys() >= {canonicalize_name(one.name) for one in asked()}
    for one in asked():
        assert locked()[canonicalize_name(one.name)] in one.specifier, one


def test_every_command_of_the_documentation_is_tried_as_a_stranger_tries_it() -> None:
    assert first_minutes.untried() == set()


def test_what_goes_wrong_for_a_stranger_is_found(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    python = tmp_path / "python"
    (tmp_path / "tilesight").write_text("#!/bin/sh\necho Traceback >&2\nexit 1\n")
    (tmp_path / "tilesight").chmod(0o755)
    program = first_minutes.Program(python, tmp_path, None)
    assert "a traceback" in str(first_minutes.wrong("--help", program.run("--help")))
    (tmp_path / "tilesight").write_text("#!/bin/sh\necho tilesight: no >&2\nexit 2\n")
    assert "exit status 2" in str(first_minutes.wrong("--help", program.run("--help")))
    assert "is not in" in str(first_minutes.wrong("dance", program.run("dance")))
    (tmp_path / "tilesight").write_text("#!/bin/sh\nexit 0\n")
    assert first_minutes.wrong("--help", program.run("--help")) is None

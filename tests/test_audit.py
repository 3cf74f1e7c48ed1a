"""Unsafe versions are found, and nobody is told that all is well who could not be asked."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from tests.support.audit import Advisory, Asked, advisories, ask, installed, unsafe
from tests.support.paths import ROOT


def bounds() -> list[tuple[str, Version]]:
    """The oldest version of each package that we say we work with."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    lists = [project["build-system"]["requires"], project["project"]["dependencies"]]
    lists += project["project"]["optional-dependencies"].values()
    needed = [Requirement(text) for each in lists for text in each]
    return [
        (one.name, Version(each.version))
        for one in needed
        for each in one.specifier
        if each.operator in (">=", "==")
    ]


def test_nothing_that_is_installed_here_is_known_to_be_unsafe() -> None:
    assert unsafe(advisories(), installed()) == []


@pytest.mark.parametrize("one", advisories(), ids=lambda one: f"{one.package} {one.name}")
def test_no_unsafe_version_is_allowed(one: Advisory) -> None:
    assert [old for name, old in bounds() if name == one.package and old in one.versions] == []


def test_an_unsafe_version_is_found() -> None:
    known = [Advisory("pytest", SpecifierSet("<9999"), "CVE-0000-0")]
    (told,) = unsafe(known, installed())
    assert told.startswith("pytest ")
    assert "CVE-0000-0" in told
    assert unsafe(known, {"pytest": "9999"}) == []


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ('{"dependencies": [{"name": "a", "version": "1", "vulns": []}]}', Asked(1)),
        (
            '{"dependencies": [{"name": "a", "version": "1", "vulns": [{"id": "CVE-1"}]}]}',
            Asked(1, ("a 1 is unsafe (CVE-1)",)),
        ),
        (
            '{"dependencies": [{"name": "a", "skip_reason": "not found"}]}',
            Asked(0, why_not="1: not found"),
        ),
        ("", Asked(0, why_not="no route to the data base")),
    ],
)
def test_who_could_not_be_asked_is_said(tmp_path: Path, said: str, answer: Asked) -> None:
    program = f"import sys; print({said!r}); print('no route to the data base', file=sys.stderr)"
    assert ask(("python", "-c", program)) == answer


def test_the_program_fails_for_an_unsafe_version(tmp_path: Path) -> None:
    listed = tmp_path / "list.toml"
    listed.write_text('[[unsafe]]\npackage = "pytest"\nversions = "<9999"\nadvisory = "CVE-0"\n')
    command = [sys.executable, "-m", "tests.support.audit", "--list", str(listed)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "CVE-0" in done.stdout

"""A computer on which the program cannot start is told why in one line, with what to do."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tilesight
from service.commands.options import OWN
from service.main import SYSTEM_LIBRARIES
from tests.support.documentation import read
from tests.support.paths import ROOT


def started(searched: list[Path], *words: str) -> tuple[int, str]:
    """Exit status and standard error of the program, by folders that modules are searched in."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", "tilesight", *words],
        env={"PYTHONPATH": ":".join(map(str, searched)), "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr


def refused(searched: list[Path], *words: str) -> str:
    status, said = started(searched, *words)
    assert status == 2, said
    assert said.startswith("tilesight: ")
    assert said.count("\n") == 1
    return said


def test_it_starts_where_all_is_there() -> None:
    assert started([ROOT], "--help") == (0, "")
    assert tilesight.OWN == OWN


@pytest.mark.parametrize("name", OWN)
def test_a_folder_that_has_the_name_of_a_package_is_named(name: str, tmp_path: Path) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").touch()
    said = refused([tmp_path, ROOT], "--help")
    assert str(tmp_path / name) in said
    assert "PYTHONPATH" in said


def test_an_empty_folder_of_that_name_is_no_package(tmp_path: Path) -> None:
    (tmp_path / "vision").mkdir()
    assert started([tmp_path, ROOT], "--help") == (0, "")


def test_another_distribution_in_the_place_of_a_package_is_named(tmp_path: Path) -> None:
    shutil.copy(ROOT / "tilesight.py", tmp_path)
    for name in OWN:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").touch()
    for distribution, has in (
        ("tilesight", "service"),
        ("numbers", "numbers"),
        ("Motor", "engine"),
    ):
        about = tmp_path / f"{distribution}-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\n")
        (about / "RECORD").write_text(f"{has}/__init__.py,,\n{has}/x.py,,\n")
    said = refused([tmp_path], "--help")
    assert f"Motor has a package engine, too, in {tmp_path}" in said
    assert "pipx" in said


def test_a_package_that_was_removed_is_named(tmp_path: Path) -> None:
    shutil.copy(ROOT / "tilesight.py", tmp_path)
    assert "install tilesight again" in refused([tmp_path], "--help")


def test_a_python_of_32_bits_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "maxsize", 2**31 - 1)
    with pytest.raises(SystemExit) as ended:
        tilesight.main()
    assert ended.value.code == 2
    assert re.fullmatch(r"tilesight: this Python has 32 bits: .*\n", capsys.readouterr().err)


@pytest.mark.parametrize(
    ("raised", "says"),
    [
        (
            "ImportError('libGL.so.1: cannot open shared object file: No such file or directory')",
            f"the system lacks libGL.so.1: on Debian and Ubuntu, apt-get install -y "
            f"{SYSTEM_LIBRARIES}",
        ),
        (
            "ImportError('DLL load failed while importing cv2: The module could not be found.')",
            "Visual C++ Redistributable",
        ),
        ("ModuleNotFoundError('No module', name='cv2.gapi')", "cv2 is not installed"),
    ],
    ids=["Linux", "Windows", "removed"],
)
def test_a_library_that_is_missing_is_named(raised: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "cv2.py").write_text(f"raise {raised}\n")
    assert says in refused([tmp_path, ROOT], "check", str(ROOT / "docs/overlay.jpg"))


def test_the_libraries_that_are_named_are_those_that_are_installed() -> None:
    assert f" {SYSTEM_LIBRARIES} " in read("README.md")
    assert f" {SYSTEM_LIBRARIES} " in read("Containerfile")

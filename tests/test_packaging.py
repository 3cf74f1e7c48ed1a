"""The wheel holds all that running needs, and nothing that only building needs is used."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterable
from importlib.metadata import packages_distributions, version
from pathlib import Path

import cv2
import numpy as np
import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from tests.support.check_scripts import WANTED
from tests.support.imports import imported
from tests.support.paths import GAMES, ROOT
from tests.support.source import PACKAGES, START, source_copy

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
NOT_FOR_RUNNING = {"fontTools", "hypothesis", "moderngl", "onnx", "playwright", "pytest", "torch"}
BUILD = "import sys; from setuptools import build_meta; print(build_meta.build_wheel(sys.argv[1]))"
RUN = """
import json, sys
from service.main import run
import service
code = run(sys.argv[1:])
print(json.dumps([service.__file__, sorted({name.split(".")[0] for name in sys.modules})]),
      file=sys.stderr)
sys.exit(code)
"""


INNER = {"uvicorn": "uvicorn.protocols"}
"""Parts of libraries that are used and that their makers may change in any version."""


def test_a_library_whose_inner_parts_are_used_is_bounded() -> None:
    """The newest version that is allowed is of the series that the tests run with."""
    paths = (path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    texts = [path.read_text("utf-8") for path in paths]
    for library, inner in INNER.items():
        assert any(f"from {inner}." in text for text in texts), f"{inner} is used no more"
        (needed,) = (
            Requirement(each)
            for each in PROJECT["dependencies"]
            if Requirement(each).name == library
        )
        tried = Version(version(library))
        assert tried in needed.specifier
        assert f"{tried.major}.{tried.minor + 1}" not in needed.specifier
        assert f"{tried.major + 1}" not in needed.specifier
    unknown = [
        line
        for text in texts
        for line in text.splitlines()
        if re.match(r"\s*(from|import) (?!service|vision|engine)[\w.]*\b_(?!_)", line)
    ]
    assert unknown == [], "private modules are imported"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    source = source_copy(folder / "source")
    command = [sys.executable, "-W", "ignore", "-c", BUILD, str(folder)]
    built = subprocess.run(command, cwd=source, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    return folder / built.stdout.splitlines()[-1]


@pytest.fixture(scope="module")
def installed(wheel: Path) -> Path:
    folder = wheel.parent / "installed"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def tilesight(installed: Path, folder: Path, *words: str) -> tuple[str, frozenset[str]]:
    """What the installed program prints, and the modules that it has loaded."""
    environment = os.environ | {"PYTHONPATH": str(installed), "PYTHONSAFEPATH": "1"}
    done = subprocess.run(
        [sys.executable, "-c", RUN, *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    where, modules = json.loads(done.stderr.splitlines()[-1])
    assert Path(where).is_relative_to(installed)
    return done.stdout, frozenset(modules)


def test_the_wheel_has_the_packages_with_all_their_files_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        sizes = {info.filename: info.file_size for info in archive.infolist()}
    names = {name for name in sizes if ".dist-info/" not in name}
    about = {name.split("/", 1)[1] for name in sizes if ".dist-info/" in name}
    there = {
        str(path.relative_to(ROOT))
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert names == there | {START}
    assert "licenses/LICENSE" in about
    assert all(sizes[f"vision/weights/{net}.onnx"] > 100_000 for net in ("finder", "recogniser"))


def test_the_installed_program_judges_a_record(installed: Path, tmp_path: Path) -> None:
    record = GAMES / "harbin-hlr.jsonl"
    shutil.copy(record, tmp_path / "game.jsonl")
    said, modules = tilesight(installed, tmp_path, "export", "game.jsonl", "--format", "html")
    assert "Wang" in said
    assert not modules & (NOT_FOR_RUNNING | {"cv2", "openvino", "fastapi"})


def test_the_installed_program_reads_a_picture(installed: Path, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "felt.png"), np.full((480, 640, 3), (60, 110, 40), np.uint8))
    said, modules = tilesight(installed, tmp_path, "dev", "detect", "felt.png", "--json")
    assert json.loads(said) == {"image": "felt.png", "width": 640, "height": 480, "tiles": []}
    assert not modules & NOT_FOR_RUNNING


def test_nothing_is_used_that_is_not_asked_for_and_nothing_asked_for_in_vain() -> None:
    installed_as = packages_distributions()
    sources = (path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    modules = {
        name.split(".")[0]
        for path in sources
        for name in imported(path.read_text("utf-8"), str(path))
    }
    used = {
        distribution.lower()
        for name in modules - set(PACKAGES) - sys.stdlib_module_names
        for distribution in installed_as.get(name, [name.replace("_", "-")])
    }
    extras = PROJECT["optional-dependencies"]
    # fsspec and a cluster load these by their names, and an extra may hold another one.
    loaded = {"s3fs", "ray", PROJECT["name"]}
    # What nobody installed here is known by no distribution.
    asked = [*PROJECT["dependencies"], *extras["archive"], *extras["club"]]
    assert used == _names(asked) - loaded


def _names(lines: Iterable[str]) -> set[str]:
    return {re.split(r"[\[><=]", line)[0].lower() for line in lines}


def test_what_checks_the_scripts_is_fetched_by_its_hash() -> None:
    """A version alone is whatever the registry says it is."""
    wanted = json.loads((WANTED / "package.json").read_text("utf-8"))["devDependencies"]
    lock = json.loads((WANTED / "package-lock.json").read_text("utf-8"))["packages"]
    assert lock.pop("")["devDependencies"] == wanted
    assert {name.removeprefix("node_modules/"): one["version"] for name, one in lock.items()} == (
        wanted
    )
    assert all(one["integrity"].startswith("sha512-") for one in lock.values())


def test_the_container_is_given_what_a_wheel_is_built_of() -> None:
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", (ROOT / "Containerfile").read_text(), re.M)
    taken = {name for line in copied for name in line.split()}
    assert taken == {*PACKAGES, START, "pyproject.toml", "README.md", "LICENSE", "locked.txt"}
    let_in = re.findall(r"^!(.+)$", (ROOT / ".dockerignore").read_text(), re.M)
    assert set(let_in) == taken

"""A rule set of another package, built and installed in a folder of its own."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import invalidate_caches
from pathlib import Path

from engine.rules import RULE_SETS
from engine.texts import catalogue as said
from engine.texts.files import read_texts
from service.texts.catalogue import texts_for, texts_of
from service.texts.pages import catalogue_script
from tests.support.paths import ROOT

SOURCE = ROOT / "tests" / "plugin"
BUILD = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"


def install(folder: Path) -> Path:
    """Build the package of ``tests/plugin`` and unpack it; no network is needed."""
    source = folder / "source"
    shutil.copytree(SOURCE, source, ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-W", "ignore", "-c", BUILD, str(folder)]
    built = subprocess.run(command, cwd=source, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def metadata(site: Path, package: str, name: str, value: str) -> None:
    """What an installed package says of itself: one rule set."""
    folder = site / f"{package}-1.0.dist-info"
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (folder / "entry_points.txt").write_text(f"[tilesight.rules]\n{name} = {value}\n")


def look_again() -> None:
    RULE_SETS.look_again()
    read_texts.cache_clear()
    said.read_all.cache_clear()
    said.texts_for.cache_clear()
    texts_of.cache_clear()
    texts_for.cache_clear()
    catalogue_script.cache_clear()


@contextmanager
def known(site: Path) -> Iterator[None]:
    """The packages of this folder, as if they had been there when the program started."""
    sys.path.insert(0, str(site))
    invalidate_caches()
    look_again()
    try:
        yield
    finally:
        sys.path.remove(str(site))
        for name in [name for name in sys.modules if name.startswith("tilesight_bloody")]:
            del sys.modules[name]
        look_again()

"""Who may import whom: service, then vision, then engine, then the standard library."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.imports import imported
from tests.support.paths import ROOT

PACKAGES = ("engine", "vision", "service")
RUNTIME = {"openvino", "onnxruntime"}
TRAINING = {"torch", "torchvision", "ultralytics"}


def allowed(path: str, module: str) -> bool:
    """Whether the file (``engine/game.py``) may import the module."""
    package, top = path.split("/")[0], module.split(".")[0]
    standard = top in sys.stdlib_module_names
    if package == "engine":
        scoring = top == "mahjong" and path == "engine/rules/riichi/han_fu.py"
        pure = standard and top not in {"random", "time", "datetime", "logging", "pathlib", "os"}
        return top == "engine" or pure or scoring
    if top in TRAINING:
        return package == "models"
    if top in RUNTIME:
        return package in ("vision", "models")
    if top in ("fastapi", "starlette", "pydantic", "uvicorn"):
        return package == "service"
    if top in ("models", "datasets"):
        return False
    if package == "vision":
        return top != "service"
    if package in ("models", "datasets"):
        return top != "service"
    return True


def violations(path: str, source: str) -> list[str]:
    return [
        f"{path} imports {module}" for module in imported(source, path) if not allowed(path, module)
    ]


def programs() -> list[Path]:
    folders = (*PACKAGES, "models", "datasets")
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


def test_every_file_imports_only_what_it_may() -> None:
    files = programs()
    assert len(files) > 10
    found = [
        line
        for path in files
        for line in violations(path.relative_to(ROOT).as_posix(), path.read_text("utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("engine/game.py", "import numpy"),
        ("engine/game.py", "from vision.detect import FACES"),
        ("engine/game.py", "def now():\n    import time"),
        ("engine/rules/riichi/play.py", "from mahjong.hand_calculating import hand"),
        ("vision/tracking/track.py", "import service.app"),
        ("vision/tracking/track.py", "from fastapi import FastAPI"),
        ("vision/detect.py", "import torch"),
        ("service/app.py", "import openvino"),
        ("service/film/benchmark.py", "import torch"),
        ("service/app.py", "from datasets.studio import scene"),
        ("datasets/simulate.py", "import ultralytics"),
        ("models/train.py", "from service.app import create_app"),
    ],
)
def test_a_planted_violation_is_found(path: str, source: str) -> None:
    assert len(violations(path, source)) == 1


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("engine/game.py", "from engine.tiles import Tile\nimport dataclasses"),
        ("engine/rules/riichi/han_fu.py", "from mahjong.shanten import Shanten"),
        ("vision/detect.py", "import numpy, openvino\nfrom engine.tiles import Tile"),
        ("service/app.py", "from fastapi import FastAPI\nimport vision, engine, time"),
        ("models/train.py", "import torch, ultralytics\nfrom studio.scene import Scene"),
    ],
)
def test_what_is_needed_may_be_imported(path: str, source: str) -> None:
    assert violations(path, source) == []


def test_what_tests_share_lies_in_support() -> None:
    found = [
        f"{path.relative_to(ROOT)} imports {module}"
        for path in sorted((ROOT / "tests").rglob("*.py"))
        for module in imported(path.read_text("utf-8"), str(path))
        if ".test_" in module
    ]
    assert found == []


def test_folders_of_programs_are_no_packages() -> None:
    assert not (ROOT / "models" / "__init__.py").exists()
    assert not (ROOT / "datasets" / "__init__.py").exists()


def test_only_riichi_scores_need_the_mahjong_package() -> None:
    program = """
import sys
sys.modules["mahjong"] = None  # as if it were not installed
from engine import read_record, replay
game = replay(read_record(open(sys.argv[1]).read()))
assert game.announcements()
"""
    for name, needed in (("harbin-hlr", False), ("hangzhou", False), ("riichi", True)):
        record = ROOT / "tests" / "games" / f"{name}.jsonl"
        ran = subprocess.run(
            [sys.executable, "-c", program, str(record)],
            capture_output=True,
            text=True,
            cwd=ROOT,
            check=False,
        )
        assert ("No module named 'mahjong" in ran.stderr) == needed, ran.stderr
        assert (ran.returncode == 0) != needed


@pytest.mark.parametrize("command", ["score", "archive"])
def test_a_recording_is_read_without_loading_a_web_server(command: str) -> None:
    program = f"import sys, service.main, service.commands.{command}; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=True
    ).stdout.split()
    assert {"fastapi", "uvicorn", "pydantic", "jinja2", "zeroconf"}.isdisjoint(loaded)


CLUB = ("service.hall", "service.archive", "service.commands.hall", "service.commands.archive")


def test_a_table_needs_nothing_of_a_club_and_a_hall_says_how_to_install_it() -> None:
    program = """
import sys
from importlib import import_module
for name in ("alembic", "openskill", "psycopg", "sqlalchemy", "standardwebhooks"):
    sys.modules[name] = None  # as if it were not installed
for name in sys.argv[1:]:
    import_module(name)
from service.main import run
print(run(["hall"]), run(["archive", "run"]))
"""
    paths = (path.relative_to(ROOT) for path in sorted((ROOT / "service").rglob("*.py")))
    modules = [".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in paths]
    own = [name for name in modules if not f"{name}.".startswith(tuple(f"{of}." for of in CLUB))]
    assert "service.web.background" in own
    ran = subprocess.run(
        [sys.executable, "-c", program, *own],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert (ran.returncode, ran.stdout) == (0, "2 2\n"), ran.stderr
    assert ran.stderr.splitlines() == [
        f"tilesight: tilesight {name} needs the extra club; in the source folder: "
        'pip install ".[club]", or the same with pipx or uv tool'
        for name in ("hall", "archive")
    ]


def private_names(source: str) -> Iterator[str]:
    """Functions and variables of ours that a source imports or replaces although private."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and PRIVATE.match(f"{node.module}._a"):
            yield from (alias.name for alias in node.names if re.match("_[a-z]", alias.name))
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from PRIVATE.findall(node.value)


PRIVATE = re.compile(r"^(?:engine|vision|service)(?:\.\w+)*\._[a-z]\w*")


def test_private_names_are_seen_on_every_line_of_an_import() -> None:
    source = "from service.main import (\n    run,\n    _own,\n)\npatch('engine.game.' '_play')"
    assert list(private_names(source)) == ["_own", "engine.game." + "_play"]


def test_no_test_imports_or_replaces_a_private_function() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in sorted((ROOT / "tests").rglob("*.py"))
        for name in private_names(path.read_text("utf-8"))
    ]
    assert found == []

"""What only Linux or macOS has is not needed to load or to write files on Windows.

Types for Windows and macOS are checked by mypy (``--platform``) in continuous integration; this
loads every module as it is loaded there.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.paths import ROOT

PACKAGES = ("engine", "vision", "service")
LOADED = """
import importlib, os, pathlib, signal, sys
modules = [
    ".".join(path.with_suffix("").parts).removesuffix(".__init__")
    for name in ("engine", "vision", "service") for path in sorted(pathlib.Path(name).rglob("*.py"))
    if "migrations" not in path.parts  # Alembic runs them
]
for module in modules:  # libraries are loaded as they are here
    importlib.import_module(module)
for name in [*sys.modules]:
    if name.split(".")[0] in ("engine", "vision", "service"):
        del sys.modules[name]
for name in HIDDEN:
    sys.modules[name] = None
for name in ("fork", "getuid", "geteuid", "killpg", "setsid", "mkfifo", "getloadavg", "uname",
             "sched_getaffinity", "posix_fadvise", "statvfs", "O_NOFOLLOW", "O_NONBLOCK"):
    delattr(os, name)
for name in ("SIGKILL", "SIGHUP", "SIGSTOP", "SIGCONT", "SIGALRM", "SIGUSR1", "SIGQUIT", "pause"):
    delattr(signal, name)
sys.platform = "win32"
for module in modules:
    importlib.import_module(module)
print(len(modules))
"""
NOT_ON_WINDOWS = (
    "fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty",
)  # fmt: skip


def loaded(hidden: tuple[str, ...], folder: Path) -> subprocess.CompletedProcess[str]:
    program = f"HIDDEN = {hidden}\n{LOADED}"
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_module_loads_without_what_windows_lacks() -> None:
    done = loaded(NOT_ON_WINDOWS, ROOT)
    assert done.returncode == 0, done.stderr[-1500:]
    assert int(done.stdout) > 300


def text_without_encoding(source: str) -> Iterator[int]:
    """Lines that read or write text in whatever encoding the system has."""
    tree = ast.parse(source)
    awaited = [node.value for node in ast.walk(tree) if isinstance(node, ast.Await)]
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or node in awaited:
            continue
        given = {one.arg: one.value for one in node.keywords}
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        owner = getattr(getattr(node.func, "value", None), "id", "")
        most = {"read_text": 1, "write_text": 2}.get(name)
        if most is not None and "encoding" not in given and len(node.args) < most:
            yield node.lineno
        if owner == "subprocess" and "text" in given and "encoding" not in given:
            yield node.lineno
        if name == "open" and owner not in ("os", "av", "Image", "webbrowser", "fsspec", "zipfile"):
            at = 1 if isinstance(node.func, ast.Name) or owner in ("io", "gzip", "lzma") else 0
            mode = given.get("mode", node.args[at] if len(node.args) > at else None)
            word = mode.value if isinstance(mode, ast.Constant) else "r" if mode is None else "b"
            if "b" not in str(word) and "encoding" not in given:
                yield node.lineno


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("path.read_text()", True),
        ("path.write_text(text)", True),
        ("path.open()", True),
        ("open(path, 'w')", True),
        ("subprocess.run(words, text=True)", True),
        ("path.read_text('utf-8')", False),
        ("path.write_text(text, encoding='utf-8')", False),
        ("path.open('rb')", False),
        ("open(path, 'w', encoding='utf-8')", False),
        ("os.open(path, flags)", False),
    ],
)
def test_a_planted_line_is_found(line: str, found: bool) -> None:
    assert bool([*text_without_encoding(line)]) is found


def test_text_is_read_and_written_in_one_encoding_on_every_system() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
        for line in text_without_encoding(path.read_text("utf-8"))
    ]
    assert found == []

"""What a stranger meets in the first five minutes: ``python -m tests.support.first_minutes``.

Builds the wheel, installs it into an empty environment, and there runs every command that the
documentation lists, with good and with bad input. Each has to end with the right exit status, and
bad input with one line that says what to do; and a table is served, whose page is fetched. Needs
nothing but Python, on any system; ``--wheel`` tries a wheel that is built, ``--program
.venv/bin/python`` what is installed there.
"""

from __future__ import annotations

import argparse
import http
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import venv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.support.documentation import named, read, rows
from tests.support.paths import FILM, ROOT, SAMPLES
from tests.support.source import source_copy

LONGEST_S: Final = 600
ADDRESS: Final = re.compile(r"http://[^\s#]+")
NOBODY: Final = 65534
"""The user that may nothing, on Linux."""
KEPT: Final = ("PATH", "SYSTEMROOT", "TEMP", "TMP")
"""Of the environment: without these, no program starts on some system."""
OK: Final = (
    "--version",
    "--help",
    "replay riichi.jsonl",
    "export riichi.jsonl --format csv",
    "export riichi.jsonl --format html",
    "export riichi.jsonl --format mjai > log.mjai",
    "import log.mjai",
    "check harbin.mp4",
    "dev detect picture.jpg",
    "score harbin.mp4 --rules harbin-hlr --out scored",
    "verify scored/record.jsonl",
    "dev explain scored/record.jsonl --film harbin.mp4 --at 60",
    "dev benchmark harbin.mp4 --seconds 2 --recorded-seconds 2",
)
"""Each ends with exit status 0; what one prints may go into a file."""
REFUSED: Final = {
    "dance": "No such command 'dance'",
    "replay": "Missing argument",
    "replay missing.jsonl": "missing.jsonl",
    "replay noise.bin": "noise.bin",
    "verify noise.bin": "noise.bin",
    "import noise.bin": "noise.bin",
    "export riichi.jsonl --format xls": "'xls'",
    "export missing.jsonl --format csv": "missing.jsonl",
    "check missing.mp4": "missing.mp4",
    "check noise.bin": "noise.bin",
    "enroll noise.bin --set my.tiles": "noise.bin",
    "score harbin.mp4 --rules go": "no rule set 'go'",
    "score noise.bin --rules riichi": "noise.bin",
    "score harbin.mp4 --rules riichi --out closed/out": "closed",
    "score harbin.mp4 --rules riichi --out full/out": "full",
    "serve missing.mp4": "missing.mp4",
    "serve harbin.mp4 --rules riichi --host 203.0.113.1": "cannot serve",
    "serve rtsp://127.0.0.1:9/none --rules riichi --port 0": "127.0.0.1",
    "hall": "needs the extra club",
    "archive status": "needs the extra club",
    "dev detect noise.bin": "noise.bin",
    "dev explain riichi.jsonl --film missing.mp4 --at 3": "missing.mp4",
    "dev dataset export noise.bin --format coco --out out": "noise.bin",
    "dev benchmark missing.mp4": "missing.mp4",
}
"""Each ends with exit status 2, and with one line in which these words are."""


@dataclass(frozen=True)
class Program:
    """The program in an environment, started as a stranger starts it."""

    python: Path
    folder: Path
    user: int | None
    """Who runs it in place of root, who may write everywhere."""

    @property
    def environment(self) -> dict[str, str]:
        """Without what this process has in its own."""
        home = {name: str(self.folder / "home") for name in ("HOME", "USERPROFILE", "LOCALAPPDATA")}
        kept = {name: os.environ[name] for name in KEPT if name in os.environ}
        return {**kept, **home, "LC_ALL": "C.UTF-8"}

    def start(self, words: str, **options: Any) -> subprocess.Popen[str]:
        """Begin a command; what it prints is read as text."""
        return subprocess.Popen(
            [str(self.python.with_name("tilesight")), *words.split()],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            stdin=subprocess.DEVNULL,
            user=self.user,
            group=self.user,
            **options,
        )

    def run(self, words: str) -> subprocess.CompletedProcess[str]:
        """Run a command to its end."""
        typed, _, printed = words.partition(" > ")
        with self.start(typed, stderr=subprocess.PIPE) as begun:
            stdout, stderr = begun.communicate(timeout=LONGEST_S)
        done = subprocess.CompletedProcess(begun.args, begun.returncode, stdout, stderr)
        if printed:
            (self.folder / printed).write_text(done.stdout, "utf-8")
        return done


def wrong(words: str, done: subprocess.CompletedProcess[str]) -> str | None:
    """What is wrong with how a command ended."""
    lines = done.stderr.splitlines()
    if "Traceback" in done.stderr:
        return f"a traceback: {lines[-1]}"
    says = REFUSED.get(words)
    if done.returncode != (0 if says is None else 2):
        return f"exit status {done.returncode}: {done.stderr[-300:]}"
    if says is not None and (len(lines) != 1 or not lines[0].startswith("tilesight: ")):
        return f"not one line: {done.stderr[-600:]}"
    if says is not None and says not in lines[0]:
        return f"{says!r} is not in: {lines[0]}"
    return None


def listed() -> set[str]:
    """The commands of docs/commands.md, and the tools of ``dev``."""
    text = read("docs/commands.md")
    commands = {named(row[0])[0].split()[1] for row in rows(text, "command")}
    return commands | {" ".join(named(row[0])[0].split()[1:3]) for row in rows(text, "tool")}


def untried() -> set[str]:
    """Commands that are listed and not tried with bad input, or not with good input.

    Good input of the others needs a camera, a browser or an extra.
    """
    needs_more = {"serve", "hall", "archive", "enroll", "dev dataset"}
    tried = {name for name in listed() for words in OK if f"{words} ".startswith(f"{name} ")}
    refused = {name for name in listed() for words in REFUSED if f"{words} ".startswith(f"{name} ")}
    return (listed() - needs_more - tried) | (listed() - refused)


def page_at(address: str) -> str:
    """The page of a table; while the table is being opened, it says so with status 503."""
    ends_s = time.monotonic() + LONGEST_S
    while True:
        try:
            with urllib.request.urlopen(address, timeout=LONGEST_S) as page:
                return str(page.read().decode())
        except urllib.error.HTTPError as error:
            with error:
                if error.code != http.HTTPStatus.SERVICE_UNAVAILABLE or time.monotonic() > ends_s:
                    return ""
        time.sleep(0.1)


def not_served(program: Program) -> str | None:
    """What is wrong with a table that is served: its page is not there, or it does not end."""
    with program.start("serve harbin.mp4 --rules harbin-hlr --port 0") as table:
        try:
            assert table.stdout is not None
            printed = iter(table.stdout)
            address = next((found[0] for line in printed if (found := ADDRESS.search(line))), None)
            if address is None:
                return "it prints no address"
            if "<title>" not in page_at(address):
                return f"there is no page at {address}"
        finally:
            table.terminate()
    # Windows knows no signal that asks a program to end.
    if table.returncode not in ((0, 130, 143) if os.name == "posix" else (0, 1)):
        return f"exit status {table.returncode}"
    return None


@contextmanager
def full_disk(folder: Path) -> Iterator[bool]:
    """A folder with no space; whether there is one: only root of a Linux may make it."""
    folder.mkdir()
    size = ["mount", "-t", "tmpfs", "-o", "size=4k,mode=777", "tmpfs", str(folder)]
    linux = sys.platform == "linux"
    made = linux and subprocess.run(size, capture_output=True, check=False).returncode == 0
    try:
        if made:
            (folder / "filled").write_bytes(b"\0" * 4096)
        yield made
    finally:
        if made:
            subprocess.run(["umount", str(folder)], check=True)


def fill(folder: Path) -> None:
    """The files that the commands name."""
    shutil.copy(SAMPLES / "riichi.jsonl", folder)
    shutil.copy(FILM, folder / "harbin.mp4")
    shutil.copy(ROOT / "docs" / "overlay.jpg", folder / "picture.jpg")
    (folder / "noise.bin").write_bytes(bytes(range(256)) * 8)
    (folder / "home").mkdir()
    (folder / "closed").mkdir(mode=0o500)


def tried(program: Program) -> list[str]:
    """Run all commands; what went wrong."""
    faults = [f"{name} is listed and not tried" for name in sorted(untried())]
    fill(program.folder)
    if sys.platform != "win32" and program.user is not None:
        for path in (program.folder, program.folder / "home"):
            os.chown(path, program.user, program.user)
    with full_disk(program.folder / "full") as full:
        for words in (*OK, *REFUSED):
            if ("closed" in words and may_all(program)) or ("full" in words and not full):
                print(f"     left out here: {words}")
                continue
            before = os.times()
            fault = wrong(words, program.run(words))
            after = os.times()
            spent_s = sum(after[2:4]) - sum(before[2:4])
            print(f"{spent_s:5.1f} s {'ok' if fault is None else 'WRONG'}  tilesight {words}")
            faults += [f"tilesight {words}: {fault}"] if fault is not None else []
    fault = not_served(program)
    print(f"        {'ok' if fault is None else 'WRONG'}  a table and its page")
    return faults if fault is None else [*faults, f"tilesight serve: {fault}"]


def is_root() -> bool:
    return sys.platform != "win32" and os.geteuid() == 0


def may_all(program: Program) -> bool:
    """Whether no folder is closed to whoever runs it; Windows closes none by its mode."""
    return sys.platform == "win32" or (program.user is None and is_root())


def for_everybody(python: Path) -> bool:
    """Whether anybody may start it: Python of pyenv or uv may lie in the home of root."""
    try:
        subprocess.run([python, "-c", ""], check=True, user=NOBODY, group=NOBODY)
    except (PermissionError, subprocess.CalledProcessError):
        return False
    return True


def built(python: Path, folder: Path) -> Path:
    """The wheel, as pip makes it."""
    options = ["--quiet", "--no-deps", "--wheel-dir", str(folder / "dist")]
    source = source_copy(folder / "source")
    subprocess.run([python, "-I", "-m", "pip", "wheel", *options, str(source)], check=True)
    (wheel,) = (folder / "dist").glob("*.whl")
    return wheel


def installed(wheel: Path | None, folder: Path) -> Path:
    """Python of an environment that has the wheel and what it needs, and nothing else."""
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    wheel = wheel or built(python, folder)
    begun_s = time.monotonic()
    subprocess.run([python, "-I", "-m", "pip", "install", "--quiet", wheel], check=True)
    size = sum(path.lstat().st_size for path in (folder / "venv").rglob("*"))
    spent_s = time.monotonic() - begun_s
    print(f"{spent_s:5.1f} s to install {wheel.name}, {size / 1e6:.0f} MB")
    return python


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--wheel", type=Path, help="a wheel that is built")
    what.add_argument("--program", type=Path, help="Python of an environment that has tilesight")
    given = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the full disk is taken down
    # Windows deletes no file that a program still has open.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=os.name == "nt") as name:
        folder = Path(name)
        if given.program is None:
            python = installed(given.wheel, folder)
        else:
            python = given.program.absolute()
        folder.chmod(0o755)
        work = folder / "work"
        work.mkdir()
        drops = given.program is None and is_root() and for_everybody(python)
        faults = tried(Program(python, work, NOBODY if drops else None))
    for fault in faults:
        print(fault, file=sys.stderr)
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())

"""A process that is ended from outside tidies up, and says nothing of its libraries' own."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import FILM, ROOT
from tests.support.patience import PATIENCE_S
from tests.support.program import started

ABORTS: str = """
import ctypes, sys, threading, time
from service.machine.process import run_process

# As a library of C++ does, a thread of which is in the middle of a call while Python goes away.
ctypes.pythonapi.Py_AtExit(ctypes.CFUNCTYPE(None)(ctypes.CDLL(None).abort))
"""
PROGRAMS = {
    "work": ABORTS
    + """
def work():
    try:
        print("at work", flush=True)
        time.sleep(1000)
    finally:
        print("tidied up")
run_process(work)
""",
    "command": ABORTS
    + """
from service import command_line, main
from service.commands import score
def run(*given, **named):
    try:
        print("at work", flush=True)
        time.sleep(1000)
    finally:
        print("tidied up")
score.run = run
sys.argv = ["tilesight", "score", FILM, "--rules", "harbin-hlr", "--out", OUT]
main.main()
""",
    "archive": ABORTS
    + """
from multiprocessing.connection import Pipe
from pathlib import Path
from service.archive import pool
from service.hall.database import open_database
class Working:
    def read_next(self, task):
        try:
            print("at work", flush=True)
            time.sleep(1000)
        finally:
            print("tidied up")
open_database(OUT + ".sqlite3").dispose()
pool.WorkerSettings.worker = lambda *given: Working()
ours, theirs = Pipe()
ours.send(pool.WorkerSettings(OUT + ".sqlite3", Path(OUT), 9, 1))
ours.send("a")
pool.main(theirs.fileno())
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_ended_from_outside_it_tidies_up_and_no_library_aborts(name: str, tmp_path: Path) -> None:
    words = f"OUT = {str(tmp_path / 'out')!r}\nFILM = {str(FILM)!r}\n{PROGRAMS[name]}"
    with started([sys.executable, "-c", words]) as program:
        assert "at work" in program.line()
        program.process.send_signal(signal.SIGTERM)
        said, complaints = program.process.communicate(timeout=PATIENCE_S)
    assert (said, complaints) == ("tidied up\n", "")
    assert program.process.returncode == 128 + signal.SIGTERM


@pytest.mark.parametrize(
    ("work", "status", "said"),
    [
        ("return 3", 3, ""),
        ("sys.exit(4)", 4, ""),
        ("sys.exit()", 0, ""),
        ("sys.exit('why')", 1, "why"),
        ("raise RuntimeError('x')", 1, "RuntimeError: x"),
    ],
)
def test_it_ends_with_the_status_of_its_work(work: str, status: int, said: str) -> None:
    words = f"{ABORTS}\ndef work():\n    print('all', end='')\n    {work}\nrun_process(work)"
    done = subprocess.run(
        [sys.executable, "-c", words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (status, "all")
    assert done.stderr.strip().endswith(said)
    assert bool(done.stderr) is bool(said)

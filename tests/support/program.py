"""The program itself, started as a person starts it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TextIO, cast

from tests.support.paths import ROOT

PROGRAM: Final = (sys.executable, "-c", "from service.main import main; main()")


@dataclass(frozen=True)
class Running:
    """The program while it runs, and what it says."""

    process: subprocess.Popen[str]
    stdout: TextIO
    stderr: TextIO

    def line(self) -> str:
        """The next line on standard output; fails with the complaint where there is none."""
        line = self.stdout.readline()
        assert line, self.stderr.read()
        return line

    def stop(self) -> None:
        """Press Ctrl-C."""
        self.process.send_signal(signal.SIGINT)


@contextmanager
def started(
    command: Sequence[str], env: Mapping[str, str] | None = None, folder: Path = ROOT
) -> Iterator[Running]:
    """Run a command in a folder, with these additions to the environment; end it where its test
    fails."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command,
        cwd=folder,
        env=os.environ | dict(env or {}),
        stdout=pipe,
        stderr=pipe,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            yield Running(process, cast(TextIO, process.stdout), cast(TextIO, process.stderr))
        except BaseException:
            process.kill()  # the context waits for its end, and nobody else stops a server
            raise


@contextmanager
def running(*words: str, env: Mapping[str, str] | None = None) -> Iterator[Running]:
    """Run ``tilesight`` with these words, in an environment with these additions."""
    with started([*PROGRAM, *words], env) as program:
        yield program

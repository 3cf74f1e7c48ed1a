"""The console program ``tilesight``."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from typing import Final

import typer

from service.command_line import program
from service.commands.moved import typed_now
from service.commands.options import OWN
from service.machine.process import run_process
from service.web.plain_words import plainly

MOST_SAID: Final = 1000
"""Longest message, in characters."""
ENCODING: Final = "PYTHONIOENCODING"
"""Environment variable by which a person chooses how text is written."""
SYSTEM_LIBRARIES: Final = "libgl1 libglib2.0-0"
"""What OpenCV needs of Debian."""


def main() -> None:
    """Run the program with the arguments of the process."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Names of files may be no text, and old terminals lack letters; files and pipes lack
            # none, whatever Windows or a bare Linux takes for the encoding of text.
            own = "utf-8" if not (stream.isatty() or os.environ.get(ENCODING)) else None
            stream.reconfigure(encoding=own, errors="replace")
    run_process(lambda: run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command; an error in its input becomes one line and exit status 2."""
    # The libraries below would add lines of their own to ours.
    os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
    try:
        typed = list(arguments) or ["--help"]
        if (now := typed_now(typed)) is not None:
            return _fail(now)
        code = program()(typed, "tilesight", standalone_mode=False, obj=typed)
    except typer.TyperException as error:
        said = plainly(error.format_message())
        command = getattr(getattr(error, "ctx", None), "command_path", "tilesight")
        return _fail(f"{said} ({command} --help lists what there is)")
    except (typer.Abort, KeyboardInterrupt):
        return 130
    except BrokenPipeError:
        # Whoever read our output has read enough; nothing more can be written there.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        from vision.camera.address import shown

        where = f"{shown(error.filename)}: " if error.filename else ""
        return _fail(f"{where}{error.strerror or error}")
    except ImportError as error:
        if (missing := _missing(error)) is None:
            raise
        return _fail(missing)
    except Exception as error:
        if not _for_people(error):
            raise
        return _fail(str(error))
    return code if isinstance(code, int) else 0


def _missing(error: ImportError) -> str | None:
    """What a library needs and the computer lacks, and how to get it; None for a fault of ours."""
    said = str(error)
    if "cannot open shared object file" in said:
        library = said.partition(":")[0]
        return (
            f"the system lacks {library}: on Debian and Ubuntu, apt-get install -y "
            f"{SYSTEM_LIBRARIES}; elsewhere, the package of your system that has it"
        )
    if "DLL load failed" in said:
        return f"{said}: install Microsoft's Visual C++ Redistributable (x64) and try again"
    package = (error.name or "engine").partition(".")[0]
    if isinstance(error, ModuleNotFoundError) and package not in OWN:
        return f"the Python package {package} is not installed: install tilesight again"
    return None


def _for_people(error: Exception) -> bool:
    """Whether an error is one of our own, whose message is meant for people."""
    return type(error).__module__.split(".")[0] in OWN


def _fail(message: str) -> int:
    line = " ".join(message.split())
    if len(line) > MOST_SAID:  # it quotes what came, and anything may have come
        line = f"{line[: MOST_SAID // 2]} ... {line[-MOST_SAID // 2 :]}"
    print(f"tilesight: {line}", file=sys.stderr)
    return 2

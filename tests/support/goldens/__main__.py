"""Writes all goldens, or tells what differs between two folders of them."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from engine.codec import read_record
from service.web.rights import VERSION
from tests.support.goldens import commands, evening, halls, tables, writing
from tests.support.goldens.kept import Goldens, differences
from tests.support.goldens.same_each_time import same_each_time
from tests.support.paths import GAMES, ROOT

Step = Callable[[Goldens, Path], set[str]]
"""Keeps some goldens, with a folder of its own; returns the addresses that nobody asked."""


def _table(name: str) -> Step:
    def step(kept: Goldens, _: Path) -> set[str]:
        entries = read_record((GAMES / f"{name}.jsonl").read_text("utf-8"))
        read = asyncio.run(tables.read_game(kept, name, entries, name))
        return read & asyncio.run(tables.play_game(kept, name, entries, name))

    return step


def _pages(kept: Goldens, _: Path) -> set[str]:
    entries = read_record((GAMES / "harbin-hlr.jsonl").read_text("utf-8"))
    return asyncio.run(tables.same_for_others(kept, entries, "harbin-hlr"))


def _written(prefix: str) -> Step:
    return lambda kept, folder: asyncio.run(writing.write_and_rule(kept, folder, prefix))


def _commands(kept: Goldens, folder: Path) -> set[str]:
    commands.helps(kept, commands.every_command())
    commands.games(kept, folder)
    commands.wrong(kept, folder)
    return set()


def _films(kept: Goldens, folder: Path) -> set[str]:
    commands.films(kept, folder)
    commands.servers(kept, folder, commands.served)
    return set()


STEPS: dict[str, tuple[str, Step]] = {
    **{name: ("table", _table(name)) for name in tables.golden_games(GAMES)},
    "pages": ("table", _pages),
    "written": ("table", _written("/api")),
    "programs": ("table", _written(VERSION)),
    "setup": ("setup", lambda kept, folder: asyncio.run(evening.set_up(kept, folder))),
    "phone": ("phone", lambda kept, _: asyncio.run(evening.phone(kept))),
    "hall": ("hall", lambda kept, folder: asyncio.run(halls.hall(kept, folder))),
    "commands": ("", _commands),
    "films": ("", _films),
}
"""By name, with the application whose addresses a step asks."""


@contextlib.contextmanager
def _own_folder(kept: Goldens) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="tilesight-") as name:
        kept.instead = {name: "FOLDER", str(ROOT): "ROOT"}
        yield Path(name)


def write(folder: Path, wanted: list[str]) -> list[str]:
    """Write goldens; returns the addresses of which there is none, where all were written."""
    missing: dict[str, set[str]] = {}
    kept = Goldens(folder)
    for name in wanted or STEPS:
        app, step = STEPS[name]
        begun_s = time.perf_counter()
        with _own_folder(kept) as own, same_each_time():
            not_asked = step(kept, own)
        missing[app] = missing.get(app, not_asked) & not_asked
        print(f"{name}: {time.perf_counter() - begun_s:.0f} s", flush=True)
    return [] if wanted else sorted(set().union(*missing.values()))


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="tests.support.goldens", description=__doc__)
    does = parser.add_subparsers(dest="do", required=True)
    writes = does.add_parser("write", help="write goldens into a new folder")
    writes.add_argument("folder", type=Path)
    writes.add_argument("only", nargs="*", choices=[[], *STEPS], help="all of them by default")
    compares = does.add_parser("compare", help="tell what differs, and exit with 1 if anything")
    compares.add_argument("before", type=Path)
    compares.add_argument("after", type=Path)
    asked = parser.parse_args(words)
    if asked.do == "write":
        found = [f"no golden of {row}" for row in write(asked.folder, asked.only)]
    else:
        found = [*differences(asked.before, asked.after)]
    print("\n".join(found) or "nothing is missing or different")
    return 1 if found else 0


if __name__ == "__main__":
    if os.environ.get("PYTHONHASHSEED") != "0":  # the order of sets would differ in any two runs
        os.environ["PYTHONHASHSEED"] = "0"
        os.execv(sys.executable, [sys.executable, "-m", "tests.support.goldens", *sys.argv[1:]])
    sys.exit(main(sys.argv[1:]))

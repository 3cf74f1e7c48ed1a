"""Constants of the program, halved and doubled: what the decoder then makes of the stored films.

A constant is a number with a name of its own: ``NAME: Final = 3.0`` in a module, or a line of
``likelihood.toml``. It is changed in the source as it is imported, so that what is computed from it
changes, too.
"""

from __future__ import annotations

import ast
import json
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

FACTORS: Final = (0.5, 2.0)
LONGEST_S: Final = 120
"""A setting with which the decoder takes more of the processor is ended: it goes on without end."""
DEALS: Final = ("vision.decoder.between_hands", "vision.decoder.segment")
"""What decides when hands are dealt: the tracker forgets then what was cleared away."""
PRICES: Final = "vision.decoder.likelihood"
SHARED: Final = ("numpy", "lap", "engine.codec", "engine.rules", "vision.table.view")
"""What every setting needs and no constant of the decoder changes."""
TABLES: Final = ("COSTS", "TILES", "LIMITS", "SEATS", "ROWS")


@dataclass(frozen=True)
class Knob:
    """One constant."""

    module: str
    name: str
    """In a module, or TABLE.name of a price."""
    value: float

    @property
    def is_price(self) -> bool:
        return "." in self.name

    @property
    def is_of_tracking(self) -> bool:
        return self.module.startswith("vision.tracking")

    @property
    def may_follow_otherwise(self) -> bool:
        """Whether it may change what is believed to lie on the table, which a deal does, too."""
        return self.is_of_tracking or self.module in DEALS

    def __str__(self) -> str:
        return f"{self.module.removeprefix('vision.')}:{self.name}"


def knobs(packages: Sequence[str]) -> Iterator[Knob]:
    """Yield the constants of these packages; the prices with those of the decoder."""
    for package in packages:
        folder = Path(str(import_module(package).__file__)).parent
        for path in sorted(folder.rglob("*.py")):
            inside = path.relative_to(folder).with_suffix("").parts
            module = ".".join((package, *inside))
            for name, value in _constants(path.read_text("utf-8")):
                yield Knob(module, name, value)
    if "vision.decoder" in packages:
        likelihood = import_module(PRICES)
        for table in TABLES:
            for name, cost in getattr(likelihood, table).items():
                yield Knob(PRICES, f"{table}.{name}", cost)
        yield Knob(PRICES, "TABLE.TEMPERATURE", likelihood.TEMPERATURE)


def _constants(source: str) -> Iterator[tuple[str, float]]:
    for line in ast.parse(source).body:
        found = _named_number(line)
        if found is not None:
            yield found[0], float(found[2])


def _named_number(line: ast.stmt) -> tuple[str, ast.Constant, float] | None:
    """Name, place and number of a line like ``NAME: Final = 3.0``."""
    if not isinstance(line, ast.AnnAssign) or not isinstance(line.target, ast.Name):
        return None
    place = line.value
    if not isinstance(place, ast.Constant) or not line.target.id.isupper():
        return None
    number = place.value
    if isinstance(number, bool) or not isinstance(number, int | float):
        return None
    return line.target.id, place, number


class _Changed(SourceFileLoader):
    """Loads one module with another number in place of one of its constants."""

    def __init__(self, spec: ModuleSpec, knob: Knob, factor: float) -> None:
        assert spec.origin is not None
        super().__init__(spec.name, spec.origin)
        self._knob, self._factor = knob, factor

    def get_code(self, fullname: str) -> Any:
        assert self.path is not None
        tree = ast.parse(Path(self.path).read_text("utf-8"))
        for line in tree.body:
            found = _named_number(line)
            if found is not None and found[0] == self._knob.name:
                found[1].value = scaled(found[2], self._factor)
        return compile(tree, self.path, "exec")


def scaled(value: float, factor: float) -> float:
    """A number times the factor; a whole number stays one and changes by one at least."""
    if not isinstance(value, int):
        return value * factor
    whole = round(value * factor)
    return whole if whole != value else value + (1 if factor > 1 else -1)


class _Finder(MetaPathFinder):
    def __init__(self, knob: Knob, factor: float) -> None:
        self._knob, self._factor = knob, factor

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        spec = PathFinder.find_spec(name, path, target) if name == self._knob.module else None
        if spec is None:
            return None
        loader: Loader = _Changed(spec, self._knob, self._factor)
        spec.loader = loader
        return spec


def turn(knob: Knob, factor: float) -> None:
    """Change a constant; no module that knows it may be imported yet."""
    if not knob.is_price:
        sys.meta_path.insert(0, _Finder(knob, factor))
        return
    likelihood = import_module(PRICES)
    table, name = knob.name.split(".")
    if table == "TABLE":
        setattr(likelihood, name, getattr(likelihood, name) * factor)
    else:
        getattr(likelihood, table)[name] *= factor


def read_each(
    turned: Sequence[tuple[Knob, float]], films: Sequence[Path]
) -> Iterator[list[dict[str, Any]]]:
    """Yield what the decoder makes of the films: as it is, then with each constant changed.

    A process that knows nothing of the decoder yet is copied for each of them.
    """
    given = {
        "turned": [[knob.module, knob.name, knob.value, factor] for knob, factor in turned],
        "films": [str(path) for path in films],
    }
    with subprocess.Popen(
        [sys.executable, __file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        text=True,
    ) as reader:
        assert reader.stdin is not None
        assert reader.stdout is not None
        reader.stdin.write(json.dumps(given))
        reader.stdin.close()
        for line in reader.stdout:
            yield json.loads(line)


def _main() -> None:
    given = json.load(sys.stdin)
    for module in SHARED:
        import_module(module)
    films = given["films"]
    kept = _copied(None, 1.0, films)
    followed: list[list[Any]] | None = None
    for module, name, value, factor in given["turned"]:
        knob = Knob(module, name, value)
        if knob.is_of_tracking and followed is not None:
            raise ValueError("the constants of tracking come before those of the decoder")
        if not knob.is_of_tracking and followed is None and kept:
            followed = pickle.loads(kept)
        _copied(knob, factor, films, None if knob.may_follow_otherwise else followed)


def _copied(
    knob: Knob | None,
    factor: float,
    films: Sequence[str],
    followed: Sequence[Sequence[Any]] | None = None,
) -> bytes:
    """Print what a copy of this process makes of the films, in a line.

    Returns what it believed to lie on the table in each look, pickled, where no constant is
    changed. ``followed``: the same, for constants that change nothing in it.
    """
    out, into = os.pipe()
    copy = os.fork()
    if copy:
        os.close(into)
        with os.fdopen(out, "rb") as pipe:
            kept = pipe.read()
        _, status = os.waitpid(copy, 0)
        if status:
            print(json.dumps([{"name": film, "error": f"status {status}"} for film in films]))
            sys.stdout.flush()
        return kept
    signal.setitimer(signal.ITIMER_PROF, LONGEST_S)
    seen: list[list[Any]] = []
    try:
        if knob is not None:
            turn(knob, factor)
        found = _read(films, followed, seen)
    except Exception as wrong:  # a constant that cannot be so is what the audit tells
        found = [{"name": film, "error": repr(wrong)[-300:]} for film in films]
    print(json.dumps(found), flush=True)
    with os.fdopen(into, "wb") as pipe:
        pipe.write(b"" if knob else pickle.dumps(seen, protocol=5))
    os._exit(0)


def _read(
    films: Sequence[str], followed: Sequence[Sequence[Any]] | None, seen: list[list[Any]]
) -> list[dict[str, Any]]:
    from games.store.film import load
    from games.store.reading import read

    from vision.tracking.track import Tracker

    follow = Tracker.update

    def watched(tracker: Tracker, look: Any) -> Any:
        seen[-1].append(follow(tracker, look))
        return seen[-1][-1]

    found = []
    for number, path in enumerate(films):
        seen.append([])
        known = iter(followed[number]) if followed is not None else None
        update = watched if known is None else lambda tracker, look, it=known: next(it)
        with patch.object(Tracker, "update", update):
            one = read(load(Path(path)))
        found.append(
            {
                "name": one.name,
                "wrong": one.wrong,
                "paid_right": one.paid_right,
                "unasked": one.paid_wrong_unasked,
                "questions": one.questions,
                "decoder_s": one.decoder_s,
                "told": [{k: v for k, v in line.items() if k != "confidence"} for line in one.told],
                "error": one.error[-300:],
            }
        )
    return found


if __name__ == "__main__":
    _main()

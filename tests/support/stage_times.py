"""Where the processor's time goes while a film is scored, by stage.

``python -m tests.support.stage_times samples/harbin.mp4``. The time of a stage is that of its
threads, without the stages that it calls; so a busy machine tells nearly the shares of a quiet one.
"""

from __future__ import annotations

import argparse
import functools
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from service.film.benchmark import own_peak_megabytes
from service.machine.memory import give_back_large_blocks
from tests.support.ordinary import as_on_avx2

FINDS, NAMES, DECODES = "finding tiles (a net)", "naming faces (a net)", "decoding"
MOVES: Final = "what moves, whether the camera stands, cuts, replays, dice, light"
STAGES: Final = (
    ("vision.detect", "Detector.read", "around the nets: cut, scaled, outlined"),
    ("vision.attention.pending", "_planned", "around the nets: cut, scaled, outlined"),
    ("vision.decoder.decoder", "Decoder.look", "tracker and decoder of events"),
    ("service.film.score_folder", "ScoreFolder.add", "pictures for the report, and the report"),
    ("service.film.film", "FilmScoring.finish", "pictures for the report, and the report"),
    ("vision.attention.motion", "MotionMap.update", MOVES),
    ("vision.attention.motion", "MotionMap.regions", MOVES),
    ("vision.attention.motion", "MotionMap.left_unread", MOVES),
    ("vision.shots.edited", "EditedFilm.update", MOVES),
    ("vision.table.camera_shift", "CameraShiftMonitor.update", MOVES),
    ("vision.table.swing", "SwingWatch.held", MOVES),
    ("vision.dice.reader", "DiceReader.look", MOVES),
    ("vision.camera.noise", "NoiseWatch.update", MOVES),
    ("vision.camera.stream", "StreamWatch.update", MOVES),
    ("vision.attention.tint", "TintWatch.see", MOVES),
    ("vision.attention.sticks", "StickWatch.look", MOVES),
)
"""Module, function and stage."""


class StageClock:
    """Counts the processor time of stages; a stage that another one calls is taken out of it."""

    def __init__(self) -> None:
        self.worked_s: defaultdict[str, float] = defaultdict(float)
        self._own = threading.local()

    @contextmanager
    def of(self, stage: str) -> Iterator[None]:
        calls: list[float] = self._own.__dict__.setdefault("calls", [])
        calls.append(0.0)
        begun_s = time.thread_time()
        try:
            yield
        finally:
            took_s = time.thread_time() - begun_s
            self.worked_s[stage] += took_s - calls.pop()
            if calls:
                calls[-1] += took_s

    def counted(self, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            with self.of(stage):
                return function(*args, **kwargs)

        return call

    def watch(self) -> None:
        """Count the stages of this process from now on."""
        for module, path, stage in STAGES:
            *owners, name = path.split(".")
            owner = functools.reduce(getattr, owners, import_module(module))
            setattr(owner, name, self.counted(stage, getattr(owner, name)))
        for module, stage in (("vision.tiles.finder", FINDS), ("vision.tiles.recogniser", NAMES)):
            place: Any = import_module(module)
            place.compile_net = self._of_nets(place.compile_net, stage)
        buffer: Any = import_module("vision.camera.buffer")
        buffer._Buffer.fill = self.counted(DECODES, buffer._Buffer.fill)

    def _of_nets(self, compiles: Callable[..., Any], stage: str) -> Callable[..., Any]:
        return lambda *given: self.counted(stage, compiles(*given).__call__)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("film", type=Path)
    parser.add_argument("--rules", default="harbin-hlr")
    parser.add_argument("--avx2", action="store_true", help="nets without AVX-512 and bf16")
    asked = parser.parse_args()
    if asked.avx2:
        as_on_avx2()
    from service.main import run

    give_back_large_blocks()
    clock = StageClock()
    clock.watch()
    with TemporaryDirectory() as folder:
        out = str(Path(folder) / "scored")
        status = run(["score", str(asked.film), "--rules", asked.rules, "--out", out])
    if status:
        raise SystemExit(status)
    whole_s = time.process_time()
    stages = clock.worked_s
    stages["the rest: start, finding the table, books of the session"] = whole_s - sum(
        stages.values()
    )
    print(f"{whole_s:.1f} s of processor, {own_peak_megabytes() or 0:.0f} MB at most")
    for stage, worked_s in sorted(stages.items(), key=lambda one: -one[1]):
        print(f"{worked_s / whole_s:5.1%} {stage}")


if __name__ == "__main__":
    main()

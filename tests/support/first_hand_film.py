"""What a first hand on film is told: which mistakes, in which second, in what words.

python -m tests.support.first_hand_film                 # labels, through a simulated detector
python -m tests.support.first_hand_film --film FOLDER   # a film of simulate.py, read by the nets
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from games.labels import CameraFollower
from games.outcome import GameCase
from games.scripted import GRADE, ScriptLabels

from engine.events import Entry, GameStart
from engine.first_deal import Counted
from engine.game import replay
from engine.updates import CameraRecord
from service.seat.first_hand import first_hand_view
from service.table.first_hand import FirstHand
from studio.play.manner import Gesture
from studio.play.scripts import GameScript, read_script
from vision.attention.schedule import LIVE
from vision.camera.video_file import VideoFile
from vision.decoder.pin import Pins
from vision.detect import Detector
from vision.pipeline import ReaderSettings, TableReader
from vision.table.view import TableView

CASE: Final = "first-hand-mistakes"
ASKED_S: Final = 3.0
"""A page asks so often, and whenever the record grows."""

Moment = tuple[float, list[Entry], Counted | None]
"""A second of the film, the record so far, and what is counted on the table."""


@dataclass(frozen=True)
class Told:
    """One sentence on the page of the table."""

    from_s: float
    until_s: float
    text: str

    def __str__(self) -> str:
        return f"{self.from_s:6.1f} to {self.until_s:6.1f} s  {self.text}"


def clean(script: GameScript) -> GameScript:
    """The same game without the mistakes."""
    hands = []
    for hand in script.hands:
        play = tuple(
            (event, replace(manner, first=_gestures(manner.first), turned=None, late_s=0.0))
            for event, manner in hand.play
        )
        hands.append(replace(hand, play=play, short_wall=None))
    return replace(script, hands=tuple(hands))


def _gestures(first: Iterable[object]) -> tuple[Gesture, ...]:
    return tuple(one for one in first if isinstance(one, Gesture))


def by_labels(script: GameScript, errors: str = "perfect", seed: int = 0) -> Iterator[Moment]:
    """Read the labels of a script through a simulated detector."""
    film = ScriptLabels.of(script)
    follower = CameraFollower(film.planned, GameCase(GRADE, film.rules, seed))
    for look in film.looks(errors, seed, follower):
        follower.take(look)
        decoder = follower.decoder
        yield look.time_s, list(decoder.entries), decoder.decoder.counted()


def by_nets(folder: Path, rules: str) -> Iterator[Moment]:
    """Read a film with the shipped nets, as a live table is read."""
    view = TableView.load(folder / "table.toml")
    reader, record = TableReader(Detector.load(), rules, ReaderSettings(view)), CameraRecord(Pins())
    for reading in reader.read(VideoFile(folder / "video.mp4").frames(LIVE.step_s)):
        if reading.decoding is not None:
            record.take(reading.decoding)
        yield reading.frame.time_s, list(record.entries), reader.counted()


def told(moments: Iterable[Moment], rules: str, lang: str = "en") -> list[Told]:
    """What the page of the table says is wrong, as it asks for it."""
    now_s, asked_s, lines = 0.0, -ASKED_S, -1
    first = FirstHand(None, lambda: now_s)
    shown: dict[str, float] = {}
    found = []
    for now_s, entries, counted in moments:
        if len(entries) == lines and now_s - asked_s < ASKED_S:
            continue
        asked_s, lines = now_s, len(entries)
        game = replay(entries or [Entry(GameStart(rules))])
        view = first_hand_view(game, None, lang, counted or Counted(), first)
        for text in shown.keys() - set(view["wrong"]):
            found.append(Told(shown.pop(text), now_s, text))
        for text in view["wrong"]:
            shown.setdefault(text, now_s)
    found += [Told(from_s, now_s, text) for text, from_s in shown.items()]
    return sorted(found, key=lambda one: one.from_s)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--film", type=Path, help="a folder of simulate.py")
    parser.add_argument("--errors", default="perfect", help="of the simulated detector")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--clean", action="store_true", help="without the mistakes")
    parser.add_argument("--lang", default="en")
    given = parser.parse_args()
    script = read_script(CASE)
    script = clean(script) if given.clean else script
    if given.film is None:
        moments = by_labels(script, given.errors, given.seed)
    else:
        moments = by_nets(given.film, script.rules)
    for one in told(moments, script.rules, given.lang):
        print(one)
    return 0


if __name__ == "__main__":
    sys.exit(main())

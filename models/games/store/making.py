"""Films for the store, from labels, from scripts and from pictures."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from games.clutter import CLUTTER
from games.interrupted_pictures import InterruptedPictures, interruptions_of
from games.interruptions import EVENINGS
from games.labels import ERRORS, CameraFollower, WatchedGame
from games.outcome import GameCase
from games.recorded import RecordedDecoder
from games.scripted import READERS, ScriptLabels
from games.starts import ENDS, STARTS
from games.store.film import Step, StoredFilm

from engine.codec import read_record
from engine.events import Entry, GameStart
from engine.rules import GAMES
from studio.play.scripts import names, read_script
from studio.play.truth import seen_entries
from vision.attention.schedule import RECORDED
from vision.camera.video_file import VideoFile
from vision.decoder.decoder import Decoder
from vision.decoder.decoding import Decoding
from vision.detect import Detector
from vision.pipeline import ReaderSettings, TableReader
from vision.table.calibrate import NoTable
from vision.table.view import TableView
from vision.tracking.observe import Look, Observation
from vision.tracking.track import Tracker

RULES: Final = tuple(game.id for game in GAMES)
GRADES: Final = tuple(ERRORS)
SEED: Final = 93001
"""First seed of the whole games of labels; the benchmark has others."""
ODD_SEED: Final = 94001
"""First seed of films that begin or end at an odd moment, and of evenings."""
EVENING_HANDS: Final = (3, 4, 5, 6)
LIVE_SEED: Final = 95001
"""First seed of the evenings by which what is announced live is measured."""
LIVE_GAMES: Final = 3
LIVE_HANDS: Final = 2
"""Games of such an evening, each by another rule set, and the hands of each."""
LIVE_GRADES: Final = (
    *("ordinary", "hard", "ordinary", "clean", "ordinary"),
    *("hostile", "ordinary", "hard", "ordinary", "clean"),
)
"""One for each of ten evenings."""

CLEAN_SEED: Final = 96001
"""First seed of the evenings by which false alarms are counted."""
CLEAN_HANDS: Final = 8


@dataclass(frozen=True)
class Wanted:
    """Films of the store that are made together."""

    names: tuple[str, ...]
    make: Callable[[], Iterator[StoredFilm]]


class LookKeeper(RecordedDecoder):
    """Takes the place of a decoder and keeps what it is given; it follows tiles, and tells nothing.

    So the store is the same whatever decoder is in the tree.
    """

    def __init__(self, rules: str, view: TableView) -> None:
        super().__init__(rules, view)
        self.steps: list[Step] = []
        self._tracker = Tracker(view)
        self._seen: Observation | None = None

    @property
    def view(self) -> TableView:
        return self._tracker.view

    @property
    def observation(self) -> Observation | None:
        return self._seen

    def look(self, look: Look) -> list[Entry]:
        self.steps.append(look)
        self._seen = self._tracker.update(look)
        return []

    def moved(self, view: TableView) -> None:
        self.steps.append(view)
        self._tracker.moved(view)


class KeepingDecoder(Decoder):
    """Decodes, and keeps what it is given: a reader of pictures asks it where to look for dice."""

    def __init__(self, rules: str, view: TableView) -> None:
        super().__init__(rules, view)
        self.began_with = view
        self.steps: list[Step] = []

    def look(self, look: Look) -> Decoding | None:
        self.steps.append(look)
        return super().look(look)

    def moved(self, view: TableView) -> None:
        self.steps.append(view)
        super().moved(view)

    def blinded(self) -> None:
        self.steps.append("blinded")
        super().blinded()


# --- what there is ---


def wanted(
    kinds: Sequence[str], rounds: int, films: Sequence[Path], interrupted: str = ""
) -> Iterator[Wanted]:
    """Yield the films of each of these kinds of the store; ``films`` are those of pictures.

    ``interrupted``: one of ``interruptions.EVENINGS``, for films of pictures.
    """
    makers: dict[str, Callable[[], Iterator[Wanted]]] = {
        "labels": lambda: label_games(rounds),
        "cases": cases,
        "starts": lambda: odd_games("starts", STARTS, rounds),
        "ends": lambda: odd_games("ends", ENDS, 2 * rounds),
        "clutter": cluttered,
        "evenings": lambda: evenings(rounds),
        "clean": lambda: clean_evenings(rounds),
        "interrupted": lambda: interrupted_evenings(rounds),
        "live": lambda: live_evenings(rounds),
        "films": lambda: filmed(films, interrupted),
    }
    for kind in kinds:
        yield from makers[kind]()


def label_games(rounds: int) -> Iterator[Wanted]:
    """Whole games of one hand: in each round every rule set in every grade."""
    for number in range(rounds * len(GRADES)):
        for at, rules in enumerate(RULES):
            # Each rule set in another grade, so that a part of a round is a mixture, too.
            grade = GRADES[(number + at) % len(GRADES)]
            yield _labelled("labels", GameCase(grade, rules, SEED + number))


def cases() -> Iterator[Wanted]:
    """Scripted games, each through three simulated detectors."""
    for name in names():
        made = tuple(f"cases/{name}-{errors}-{seed}" for errors, seed in READERS)
        yield Wanted(made, partial(scripted_films, name))


def odd_games(group: str, moments: Sequence[str], rounds: int) -> Iterator[Wanted]:
    """Films that begin or end at each of these moments; another rule set in each."""
    for number in range(rounds):
        for at, moment in enumerate(moments):
            rules = RULES[(at + 3 * number) % len(RULES)]
            grade = ("ordinary", "hard")[(at + number) % 2]
            yield _labelled(group, GameCase(grade, rules, ODD_SEED + number, moment))


def cluttered() -> Iterator[Wanted]:
    """Games at tables where other things lie."""
    for at, kind in enumerate(CLUTTER):
        rules = RULES[at % len(RULES)]
        yield _labelled("clutter", GameCase("ordinary", rules, ODD_SEED + 100, clutter=kind))


def evenings(rounds: int) -> Iterator[Wanted]:
    """Games of several hands, with the wash, the walls and the deal between them."""
    for number in range(rounds):
        for at, rules in enumerate(RULES):
            hands = EVENING_HANDS[(at + number) % len(EVENING_HANDS)]
            grade = GRADES[(at + number) % len(GRADES)]
            case = GameCase(grade, rules, ODD_SEED + 200 + number, hands=hands)
            yield _labelled("evenings", case)


def live_evenings(rounds: int) -> Iterator[Wanted]:
    """In each round ten evenings of several games, by which announcements are measured."""
    for number in range(rounds * len(LIVE_GRADES)):
        for at in range(LIVE_GAMES):
            rules = RULES[(LIVE_GAMES * number + at) % len(RULES)]
            grade = LIVE_GRADES[number % len(LIVE_GRADES)]
            case = GameCase(grade, rules, LIVE_SEED + number, hands=LIVE_HANDS)
            yield _labelled(f"live/{number + 1:02}", case)


def clean_evenings(rounds: int) -> Iterator[Wanted]:
    """In each round an evening of every rule set at a table that is easy to read."""
    for number in range(rounds):
        for rules in RULES:
            case = GameCase("clean", rules, CLEAN_SEED + number, hands=CLEAN_HANDS)
            yield _labelled("clean", case)


def interrupted_evenings(rounds: int) -> Iterator[Wanted]:
    """Evenings with what comes between camera and table, each in two grades."""
    for number in range(rounds):
        for at, name in enumerate(EVENINGS):
            rules = RULES[(at + 3 * number) % len(RULES)]
            for grade in ("ordinary", "hard"):
                hands = EVENING_HANDS[(at + number) % len(EVENING_HANDS)]
                seed = ODD_SEED + 300 + number
                case = GameCase(grade, rules, seed, hands=hands, interrupted=name)
                yield _labelled("interrupted", case)


def filmed(places: Sequence[Path], interrupted: str = "") -> Iterator[Wanted]:
    """Films of ``datasets/simulate.py`` (folders) and others, read with the shipped nets.

    Only folders can be interrupted.
    """
    for place in places:
        name = f"films/{place.stem}-{interrupted}" if interrupted else f"films/{place.stem}"
        yield Wanted((name,), partial(film_of_pictures, name, place, interrupted))


def _labelled(group: str, case: GameCase) -> Wanted:
    name = f"{group}/{case.name}"
    return Wanted((name,), partial(labelled_film, name, case))


# --- how it is made ---


def labelled_film(name: str, case: GameCase) -> Iterator[StoredFilm]:
    """Play a game, and keep what its simulated detector reads."""
    game = WatchedGame(case)
    follower, keeper = game.follower(), LookKeeper(case.rules, game.view)
    follower.decoder = keeper
    for look in game.looks(game.frames(), follower):
        follower.take(look)
    yield StoredFilm(
        name, case.grade, case.rules, game.true, game.view, keeper.steps, game.length_s
    )


def scripted_films(script_name: str) -> Iterator[StoredFilm]:
    """Play a script, and keep what three simulated detectors read of it."""
    labels = ScriptLabels.of(read_script(script_name))
    planned, rules = labels.planned, labels.rules
    true = tuple(seen_entries(planned.true_record(), (), rules))
    for errors, seed in READERS:
        follower = CameraFollower(planned, GameCase(errors, rules, seed))
        keeper = LookKeeper(rules, planned.place.view)
        follower.decoder = keeper
        for look in labels.looks(errors, seed, follower):
            follower.take(look)
        name = f"cases/{script_name}-{errors}-{seed}"
        length_s = labels.frames[-1][0]
        yield StoredFilm(name, errors, rules, true, planned.place.view, keeper.steps, length_s)


def film_of_pictures(name: str, place: Path, interrupted: str = "") -> Iterator[StoredFilm]:
    """Read a film as ``tilesight score`` does, and keep the looks.

    ``place``: a folder with ``video.mp4``, ``seen.jsonl`` and ``table.toml``, or a film with NAME.
    seen.jsonl and ``table.toml`` beside it. The table is searched for; the file is for films whose
    table is not found.
    """
    folder, video = (place, place / "video.mp4") if place.is_dir() else (place.parent, place)
    record = folder / ("seen.jsonl" if place.is_dir() else f"{place.stem}.seen.jsonl")
    true = tuple(read_record(record.read_text(encoding="utf-8")))
    start = true[0].event
    assert isinstance(start, GameStart), "a record begins with the game"
    meta = folder / "meta.json"
    grade = json.loads(meta.read_text(encoding="utf-8"))["grade"] if meta.exists() else "any"
    pictures: InterruptedPictures | None = None
    if interrupted:
        film = interruptions_of(folder, interrupted)
        true = film.start.true
        pictures = InterruptedPictures(film, TableView.load(folder / "table.toml"))
    try:
        decoder, last_s = _watched(video, start.rules, None, pictures)
    except NoTable:
        view = TableView.load(folder / "table.toml")
        decoder, last_s = _watched(video, start.rules, view, pictures)
    view, steps = decoder.began_with, decoder.steps
    yield StoredFilm(name, grade, start.rules, true, view, steps, last_s, last_s)


def _watched(
    video: Path, rules: str, view: TableView | None, pictures: InterruptedPictures | None
) -> tuple[KeepingDecoder, float]:
    made: list[KeepingDecoder] = []

    def sink(found: TableView) -> Decoder:
        made.append(KeepingDecoder(rules, found))
        return made[-1]

    reader = TableReader(
        Detector.load(readers=RECORDED.readers), sink, ReaderSettings(view, schedule=RECORDED)
    )
    last_s = 0.0
    frames = RECORDED.frames(VideoFile(video))
    for result in reader.read(frames if pictures is None else pictures.frames(frames)):
        last_s = result.frame.time_s
    return made[-1], last_s

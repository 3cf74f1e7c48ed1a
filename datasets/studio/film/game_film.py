"""From a seed to a folder: a played game, its video, its records and its labels."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.codec import write_record
from engine.events import Entry
from engine.rehearsal import cards_of
from engine.rules import RULE_SETS
from studio.camera.seat_camera import SeatFilmCamera, SeatLabelCamera, draw_seat_camera
from studio.camera.sensor import VideoSensor
from studio.camera.troubles import GOOD, Trouble, TroubledCamera, sent_size
from studio.faces.film_faces import faces_of
from studio.files import json_lines, video
from studio.film.cameras import (
    FilmCamera,
    FilmFrame,
    FrameContent,
    LabelCamera,
    film,
    look_of,
    scene_at,
)
from studio.film.director import Director
from studio.film.grades import GRADES, FilmGrade
from studio.film.mishaps import Mishaps, draw_mishaps
from studio.film.scripted_director import ScriptedDirector
from studio.materials.appearance import TableLook
from studio.play.joined_record import joined_record
from studio.play.players import play_game
from studio.play.rehearsed_game import play_rehearsal
from studio.play.scripted_game import play_script
from studio.play.scripts import GameScript
from studio.play.truth import seen_entries, true_entries
from studio.render.renderer import Faces
from studio.scene import TableScene
from studio.table.film_setup import FilmSetup, console_dice, draw_place, draw_things

LookFunction = Callable[[Sequence[TableScene]], FrameContent]
"""Takes the scenes of one exposure and returns what the camera sees."""
WriteLine = Callable[[dict[str, object]], object]


@dataclass(frozen=True)
class Settings:
    """What a user asks of the simulator."""

    rules: str
    seed: int
    out: Path
    hands: int = 1
    width_px: int = 1280
    height_px: int = 720
    fps: float = 10.0
    pace: float = 1.0
    crf: int = 23
    faces: Path | None = None
    style: str | None = None
    seat0: str = "bottom"
    labels: str = "every"
    open_hands: tuple[int, ...] = ()
    """Seats whose hands lie face up."""
    video: bool = True
    grade: str = "any"
    seat_cameras: tuple[int, ...] = ()
    """Seats whose standing hands are filmed by cameras of their own."""
    seat_shift_s: float = 0.0
    """How much later those films begin than the film of the table."""
    dice: bool = False
    """Dice are rolled in sight, unless a console stands in the middle of the table."""
    trouble: Trouble = GOOD
    """What is wrong with the camera."""
    script: GameScript | None = None
    """What is played, in place of a game that the seed decides."""
    options: Mapping[str, object] = field(default_factory=dict)
    """House rules of a game that the seed decides."""
    rehearsal: bool = False
    """What the cards of a rehearsal ask for is played, in place of a game of so many hands."""

    @property
    def size_px(self) -> tuple[int, int]:
        return self.width_px, self.height_px

    @property
    def loss(self) -> int:
        """The H.264 quantiser: the grade's if it sets one."""
        told = GRADES[self.grade].crf
        return self.crf if told is None else told


@dataclass(frozen=True)
class PlannedGame:
    """A game that has been played and acted, ready to be filmed."""

    place: FilmSetup
    director: Director
    mishaps: Mishaps
    begins_s: float = 0.0
    """When the film begins; nobody sees what is before it."""

    def scene_at(self, time_s: float) -> TableScene:
        return scene_at(self.director, time_s, self.mishaps)

    def true_record(self) -> list[Entry]:
        """Return every event of the film, nothing hidden; times count from its beginning."""
        return joined_record(true_entries(self.director.marks), self.begins_s)


def plan(settings: Settings, grade: FilmGrade | None = None) -> PlannedGame:
    """Play and act a game; nothing is drawn yet. ``grade`` takes the place of the settings'."""
    script = settings.script
    if settings.rehearsal:
        cards = cards_of(RULE_SETS[settings.rules])
        start, hands, end = play_rehearsal(settings.rules, settings.seed, cards)
    elif script is None:
        options = dict(settings.options)
        start, hands, end = play_game(settings.rules, settings.seed, settings.hands, options)
    else:
        start, hands, end = play_script(script)
    rng = random.Random(f"film {settings.rules} {settings.seed}")
    grade, wall = grade or GRADES[settings.grade], hands[0].wall
    place = draw_place(rng, len(wall), *settings.size_px, settings.seat0, grade.tilt_deg)
    things = draw_things(rng, place.table)
    if script is not None and (script.console_dice or script.hands[0].empty_s):
        if not place.table.console_mm:
            raise ValueError(f"{script.name}.toml: the table of this seed has no console")
        things = (*things, *console_dice(rng, place.table, script.console_dice))
    rolled = settings.dice and not place.table.console_mm
    if rolled:
        things = tuple(thing for thing in things if thing.kind != "die")
    scripted = settings.rehearsal or script is not None
    directs = ScriptedDirector if scripted else Director
    director = directs(
        place.table,
        RULE_SETS[settings.rules].layout,
        sorted(wall),
        rng,
        settings.pace,
        settings.open_hands,
        automatic=place.table.console_mm > 0,
        things=things,
        grade=grade,
        dice=random.Random(f"dice {settings.rules} {settings.seed}") if rolled else None,
    )
    director.game(start, hands, end)
    begins_s = max(director.begins_s, script.from_s if script else 0.0)
    return PlannedGame(place, director, draw_mishaps(rng, grade, director.now), begins_s)


def make(settings: Settings) -> Iterator[tuple[float, str]]:
    """Play and film a game; yield the share of the work done and what is being done."""
    yield 0.0, "playing"
    planned = plan(settings)
    # Unusable faces are reported here, before anything is written.
    camera = film_camera(settings, planned.place) if settings.video else None
    settings.out.mkdir(parents=True, exist_ok=True)
    _write_records(settings, planned)
    if camera is not None:
        yield from _film_table(settings, planned, camera[0].look, camera[1])
    elif settings.labels != "none":
        labels = LabelCamera(planned.place.table, planned.place.camera)
        yield from _film_table(settings, planned, labels.look, None)
    for seat in settings.seat_cameras:
        yield from _film_seat(settings, planned, seat)
    yield 1.0, f"done: {settings.out}"


def _write_records(settings: Settings, planned: PlannedGame) -> None:
    """Write both records, the true table, and what the film was made from."""
    place, director, out = planned.place, planned.director, settings.out
    entries = planned.true_record()
    rolled = director.rolls is not None
    seen = seen_entries(entries, settings.open_hands, settings.rules, rolled)
    (out / "record.jsonl").write_text(write_record(entries), "utf-8")
    (out / "seen.jsonl").write_text(write_record(seen), "utf-8")
    place.view.save(out / "table.toml")
    kept = ("rules", "seed", "hands", "fps", "pace", "grade", "open_hands")
    meta = {name: getattr(settings, name) for name in kept} | {
        "crf": settings.loss,
        "seconds": round(director.now - planned.begins_s, 2),
        "table": asdict(place.table),
        "camera": asdict(place.camera),
    }
    if isinstance(director, ScriptedDirector) and director.cards:
        rows = [[card, round(at - planned.begins_s, 2)] for card, at in director.cards]
        rows[-1][0] = ""  # from here on nothing is rehearsed
        told = {"version": 1, "cards": rows}
        (out / "cards.json").write_text(json.dumps(told) + "\n", "utf-8")
    (out / "meta.json").write_text(json.dumps(meta, indent=2) + "\n", "utf-8")


def film_camera(settings: Settings, place: FilmSetup) -> tuple[FilmCamera, VideoSensor]:
    """Return the camera that films a table; raise ``ValueError`` for faces it cannot use."""
    rng = np.random.default_rng([settings.seed, 2])
    look, faces = _look_and_faces(settings, place, rng)
    sensor = VideoSensor(*settings.size_px, rng)
    return FilmCamera(look, place.camera, faces, sensor), sensor


def _look_and_faces(
    settings: Settings, place: FilmSetup, rng: np.random.Generator
) -> tuple[TableLook, Faces]:
    """Draw what table and tiles look like; every camera of one game sees the same."""
    look = look_of(place.table, place.camera, rng, GRADES[settings.grade].glare)
    return look, faces_of(settings.faces, settings.style, rng)


def seat_label_camera(settings: Settings, place: FilmSetup, seat: int) -> SeatLabelCamera:
    """Return the camera of one seat; the same game has the same one."""
    rng = random.Random(f"seat {settings.rules} {settings.seed} {seat}")
    camera = draw_seat_camera(rng, place.table, seat, *settings.size_px)
    return SeatLabelCamera(place.table, camera, seat)


def _film_table(
    settings: Settings, planned: PlannedGame, look: LookFunction, sensor: VideoSensor | None
) -> Iterator[tuple[float, str]]:
    """Write ``video.mp4`` and ``labels.jsonl``, as far as they are asked for."""
    begins_s = planned.begins_s
    frames = range(math.ceil((planned.director.now - begins_s) * settings.fps) + 1)
    times_s = [mark.t_s - begins_s for mark in planned.director.marks]
    settled = {math.ceil(time_s * settings.fps + 1e-6) for time_s in times_s} & set(frames)
    only_settled = settings.labels == "settled"
    labelled = {"every": set(frames), "settled": settled, "none": set[int]()}[settings.labels]
    numbers = sorted(settled) if only_settled and sensor is None else frames
    names = "video.mp4" if sensor else None, "labels.jsonl" if labelled else None

    def scene_of(time_s: float) -> TableScene:
        return planned.scene_at(time_s + begins_s)

    for write, frame in _filmed(settings, scene_of, look, sensor, numbers, names):
        if frame.number in labelled:
            write(label_line(frame, whole=only_settled))
        yield frame.number / len(frames), "filming"


def _film_seat(settings: Settings, planned: PlannedGame, seat: int) -> Iterator[tuple[float, str]]:
    """Film the standing hand of one seat: ``seat-N.mp4``, its labels in ``seat-N.jsonl``."""
    camera = seat_label_camera(settings, planned.place, seat)
    shift_s = settings.seat_shift_s + planned.begins_s
    look, sensor = camera.look, None
    if settings.video:
        worn = _look_and_faces(settings, planned.place, np.random.default_rng([settings.seed, 2]))
        sensor = VideoSensor(*settings.size_px, np.random.default_rng([settings.seed, 3, seat]))
        pictures = FilmCamera(worn[0], camera.camera, worn[1], sensor)
        look = SeatFilmCamera(camera, pictures).look
    frames = range(math.ceil((planned.director.now - shift_s) * settings.fps) + 1)
    names = f"seat-{seat}.mp4" if sensor else None, f"seat-{seat}.jsonl"

    def scene_of(time_s: float) -> TableScene:
        return planned.scene_at(time_s + shift_s)

    for write, frame in _filmed(settings, scene_of, look, sensor, frames, names):
        write(label_line(frame, whole=False))
        yield frame.number / len(frames), f"filming the hand of seat {seat}"


def _filmed(
    settings: Settings,
    scene_of: Callable[[float], TableScene],
    look: LookFunction,
    sensor: VideoSensor | None,
    numbers: Sequence[int],
    names: tuple[str | None, str | None],
) -> Iterator[tuple[WriteLine, FilmFrame[FrameContent]]]:
    """Film these frames; yield each with a function that writes a line of labels.

    ``names`` are the names of the video and of the label file, or None for no such file.
    """
    times = [number / settings.fps for number in numbers]
    poor, sent = TroubledCamera(settings.trouble, settings.seed), None
    with ExitStack() as files:
        write_line: WriteLine = dict  # without a label file the lines are dropped
        write_image: Callable[[NDArray[np.uint8]], None] | None = None
        if names[0] is not None:
            size_px = sent_size(settings.trouble, settings.size_px)
            opened = video(settings.out / names[0], size_px, settings.fps, settings.loss)
            write_image = files.enter_context(opened)
        if names[1] is not None:
            write_line = files.enter_context(json_lines(settings.out / names[1]))
        open_s = sensor.open_s if sensor else 0.0
        for frame in film(scene_of, look, times, settings.fps, open_s):
            if sensor and write_image and frame.seen.image_bgr is not None:
                # The file keeps its rate: a lost picture shows the one before it.
                seen = poor.send(frame.time_s, sensor.grain(frame.seen.image_bgr))
                sent = sent if seen is None else seen
                if sent is not None:
                    write_image(sent)
            yield write_line, frame


def label_line(frame: FilmFrame[FrameContent], whole: bool) -> dict[str, object]:
    """Return a line of the label file; a repeated frame names the earlier one unless ``whole``."""
    line: dict[str, object] = {"frame": frame.number, "t": round(frame.time_s, 3)}
    if frame.same_as != frame.number and not whole:
        return line | {"same_as": frame.same_as}
    tiles = [
        {
            "id": label.id,
            "tile": label.tile if label.side == "face" else "?",
            "side": label.side,
            "corners": [[round(x, 1), round(y, 1)] for x, y in label.corners_px.tolist()],
            "visible": round(label.visible, 2),
        }
        for label in frame.seen.labels
    ]
    return line | {"tiles": tiles}

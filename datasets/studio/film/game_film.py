"""From a seed to a folder: a played game, its video, its records and its labels."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from engine.rules import RULE_SETS
from studio.camera.seat_camera import SeatFilmCamera, SeatLabelCamera, draw_seat_camera
from studio.camera.video_sensor import VideoSensor
from studio.faces.film_faces import faces_of
from studio.film.cameras import FilmCamera, FrameContent, LabelCamera, look_of
from studio.film.director import Director, Mark
from studio.film.frames import FilmFrame, Video, film, scene_at
from studio.film.grades import GRADES
from studio.film.mishaps import Mishaps, draw_mishaps
from studio.materials.appearance import TableLook
from studio.play.players import play_game
from studio.play.truth import LineFile, seen_entries, true_entries, write_record
from studio.render.renderer import Faces
from studio.scene import TableScene
from studio.table.film_setup import FilmSetup, draw_place
from studio.table.table_objects import draw_things


@dataclass(frozen=True)
class Settings:
    """What a person asks of the simulator."""

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
    open_hands: bool = False
    video: bool = True
    grade: str = "any"
    seat_cameras: tuple[int, ...] = ()
    """Seats whose standing hands are filmed by cameras of their own."""
    seat_shift_s: float = 0.0
    """So much later than the film of the table those films begin."""
    dice: bool = False
    """Dice are rolled on the table, where no console hides them, and show what they should."""

    @property
    def loss(self) -> int:
        """What H.264 loses: the grade's, where it says."""
        told = GRADES[self.grade].crf
        return self.crf if told is None else told


@dataclass(frozen=True)
class PlannedGame:
    """A game that has been played and acted, ready to be filmed."""

    place: FilmSetup
    director: Director
    mishaps: Mishaps

    def scene_at(self, time_s: float) -> TableScene:
        return scene_at(self.director, time_s, self.mishaps)


def plan(settings: Settings) -> PlannedGame:
    """Play and act a game; nothing is drawn yet."""
    start, hands, end = play_game(settings.rules, settings.seed, settings.hands)
    rng = random.Random(f"film {settings.rules} {settings.seed}")
    grade = GRADES[settings.grade]
    place = draw_place(
        rng,
        len(hands[0].wall),
        settings.width_px,
        settings.height_px,
        settings.seat0,
        grade.tilt_deg,
    )
    things = draw_things(rng, place.table)
    rolled = settings.dice and not place.table.console_mm
    if rolled:
        things = tuple(thing for thing in things if thing.kind != "die")
    director = Director(
        place.table,
        RULE_SETS[settings.rules].layout,
        sorted(hands[0].wall),
        rng,
        settings.pace,
        settings.open_hands,
        automatic=place.table.console_mm > 0,
        things=things,
        grade=grade,
        dice=random.Random(f"dice {settings.rules} {settings.seed}") if rolled else None,
    )
    director.game(start, hands, end)
    return PlannedGame(place, director, draw_mishaps(rng, grade, director.now))


def make(settings: Settings) -> Iterator[tuple[float, str]]:
    """Play and film a game; yields the share done and what is being done."""
    yield 0.0, "playing"
    planned = plan(settings)
    place, director = planned.place, planned.director
    eye, sensor = _eye(settings, place)
    settings.out.mkdir(parents=True, exist_ok=True)
    write_records(settings, director.marks, dice=director.rolls is not None)
    place.view.save(settings.out / "table.toml")
    write_meta(settings, place, director.now)
    yield from _film(settings, planned, eye, sensor)
    for seat in settings.seat_cameras:
        yield from film_seat(settings, planned, seat)
    yield 1.0, f"done: {settings.out}"


def write_records(settings: Settings, marks: Sequence[Mark], dice: bool = False) -> None:
    """``dice``: those that are rolled can be seen."""
    entries = true_entries(marks)
    write_record(settings.out / "record.jsonl", entries)
    seen = seen_entries(entries, settings.open_hands, settings.rules, dice)
    write_record(settings.out / "seen.jsonl", seen)


def write_meta(settings: Settings, place: FilmSetup, length_s: float) -> None:
    """What the film was made from, for whoever wants to make it again."""
    meta = {
        "rules": settings.rules,
        "seed": settings.seed,
        "hands": settings.hands,
        "fps": settings.fps,
        "pace": settings.pace,
        "crf": settings.loss,
        "grade": settings.grade,
        "open_hands": settings.open_hands,
        "seconds": round(length_s, 2),
        "table": asdict(place.table),
        "camera": asdict(place.camera),
    }
    (settings.out / "meta.json").write_text(json.dumps(meta, indent=2) + "\n", "utf-8")


def _eye(
    settings: Settings, place: FilmSetup
) -> tuple[FilmCamera | LabelCamera, VideoSensor | None]:
    """What looks at the table; all that can be wrong with faces is found here."""
    return (
        film_camera(settings, place)
        if settings.video
        else (LabelCamera(place.table, place.camera), None)
    )


def film_camera(settings: Settings, place: FilmSetup) -> tuple[FilmCamera, VideoSensor]:
    """What films a place; raises ``ValueError`` for faces that cannot be used."""
    rng = np.random.default_rng([settings.seed, 2])
    look, faces = _dressed(settings, place, rng)
    sensor = VideoSensor(settings.width_px, settings.height_px, rng)
    return FilmCamera(look, place.camera, faces, sensor), sensor


def _dressed(
    settings: Settings, place: FilmSetup, rng: np.random.Generator
) -> tuple[TableLook, Faces]:
    """What table and tiles look like: the same through every camera of one game."""
    look = look_of(place.table, place.camera, rng, GRADES[settings.grade].glare)
    return look, faces_of(settings.faces, settings.style, rng)


def seat_label_camera(settings: Settings, place: FilmSetup, seat: int) -> SeatLabelCamera:
    """The camera of one seat's own: the same for the same game."""
    rng = random.Random(f"seat {settings.rules} {settings.seed} {seat}")
    size = settings.width_px, settings.height_px
    return SeatLabelCamera(place.table, draw_seat_camera(rng, place.table, seat, *size), seat)


def film_seat(settings: Settings, planned: PlannedGame, seat: int) -> Iterator[tuple[float, str]]:
    """Film the standing hand of one seat: ``seat-N.mp4``, its labels in ``seat-N.jsonl``."""
    eye, place = seat_label_camera(settings, planned.place, seat), planned.place
    look = eye.look
    sensor: VideoSensor | None = None
    with ExitStack() as files:
        video = None
        if settings.video:
            worn, faces = _dressed(settings, place, np.random.default_rng([settings.seed, 2]))
            rng = np.random.default_rng([settings.seed, 3, seat])
            sensor = VideoSensor(settings.width_px, settings.height_px, rng)
            look = SeatFilmCamera(eye, FilmCamera(worn, eye.camera, faces, sensor)).look
            video = files.enter_context(_video(settings, f"seat-{seat}.mp4"))
        lines = files.enter_context(LineFile(settings.out / f"seat-{seat}.jsonl"))
        length_s = planned.director.now - settings.seat_shift_s
        times = [number / settings.fps for number in range(math.ceil(length_s * settings.fps) + 1)]

        def scene_of(time_s: float) -> TableScene:
            return planned.scene_at(time_s + settings.seat_shift_s)

        for done, frame in enumerate(
            film(scene_of, look, times, settings.fps, sensor.open_s if sensor else 0.0)
        ):
            if video is not None and sensor is not None and frame.seen.image_bgr is not None:
                video.write(sensor.grain(frame.seen.image_bgr))
            lines.write(label_line(frame, whole=False))
            yield done / len(times), f"filming the hand of seat {seat}"


def _film(
    settings: Settings,
    planned: PlannedGame,
    eye: FilmCamera | LabelCamera,
    sensor: VideoSensor | None,
) -> Iterator[tuple[float, str]]:
    if not settings.video and settings.labels == "none":
        return
    director = planned.director
    count = math.ceil(director.now * settings.fps) + 1
    settled = {math.ceil(mark.t_s * settings.fps + 1e-6) for mark in director.marks}
    numbers: Sequence[int] = range(count)
    if not settings.video and settings.labels == "settled":
        numbers = sorted(number for number in settled if number < count)

    with ExitStack() as files:
        video = files.enter_context(_video(settings)) if settings.video else None
        lines = (
            files.enter_context(LineFile(settings.out / "labels.jsonl"))
            if settings.labels != "none"
            else None
        )
        times = [number / settings.fps for number in numbers]
        open_s = sensor.open_s if sensor is not None else 0.0
        for done, frame in enumerate(film(planned.scene_at, eye.look, times, settings.fps, open_s)):
            if video is not None and sensor is not None and frame.seen.image_bgr is not None:
                video.write(sensor.grain(frame.seen.image_bgr))
            if lines is not None and (settings.labels == "every" or frame.number in settled):
                lines.write(label_line(frame, whole=settings.labels == "settled"))
            yield done / len(times), "filming"


def _video(settings: Settings, name: str = "video.mp4") -> Video:
    return Video(
        settings.out / name,
        settings.width_px,
        settings.height_px,
        settings.fps,
        settings.loss,
    )


def label_line(frame: FilmFrame[FrameContent], whole: bool) -> dict[str, object]:
    """One line of the label file; a frame like an earlier one names it instead of repeating."""
    line: dict[str, object] = {"frame": frame.number, "t": round(frame.time_s, 3)}
    if frame.same_as != frame.number and not whole:
        return line | {"same_as": frame.same_as}
    tiles = [
        {
            "id": label.id,
            "tile": label.tile if label.side == "face" else "?",
            "side": label.side,
            "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in label.corners_px],
            "visible": round(label.visible, 2),
        }
        for label in frame.seen.labels
    ]
    return line | {"tiles": tiles}

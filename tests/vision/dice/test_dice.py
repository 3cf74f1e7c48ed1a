"""Dice on the cloth are found and read, and rolls are told apart from dice at rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.events import Deal, Dice, Discard, Draw, Event, HandEnd, HandStart, Win
from engine.tiles import Tile
from tests.support.felt_film import Film
from tests.support.tables import VIEW, read_at
from tests.support.told_reader import lines_of
from vision.camera.pictures import Picture
from vision.decoder.dice import with_dice
from vision.decoder.explained import Explained
from vision.dice.finder import DiceFinder, Die, shipped
from vision.dice.reader import DiceReader
from vision.dice.rolls import DiceWatch, Roll
from vision.errors import WeightsError
from vision.pipeline import ReaderSettings, TableReader
from vision.table.view import Points

WHITE, BLACK, RED, GREEN = (235, 235, 235), (25, 25, 25), (40, 30, 190), (70, 110, 40)
FINE = 4
MIDDLE = (860, 430, 1060, 640)
"""The part of the picture that is read."""
PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}


@dataclass(frozen=True)
class Drawn:
    """A die to be drawn."""

    value: int
    x_mm: float
    y_mm: float
    turn_deg: float = 20.0
    side_mm: float = 16.0
    body: tuple[int, int, int] = WHITE
    ink: tuple[int, int, int] = BLACK


def drawn(*dice: Drawn, cloth: tuple[int, int, int] = GREEN) -> Picture:
    """The table of ``VIEW`` from straight above with dice on it."""
    width, height = VIEW.picture_px
    image = np.full((height, width, 3), cloth, np.uint8)
    for die in dice:
        low = VIEW.to_image(np.array([(die.x_mm - 40, die.y_mm - 40)]), die.side_mm)[0].astype(int)
        size = 100
        part = cv2.resize(image[low[1] :, low[0] :][:size, :size], None, fx=FINE, fy=FINE)
        turn = np.deg2rad(die.turn_deg)
        axes = np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])

        def px(uv: Points, die: Drawn = die, axes: Points = axes, low: Points = low) -> Points:
            """A place on the upper face, in half sides, in pixels of the enlarged part."""
            at = uv * die.side_mm / 2 @ axes + (die.x_mm, die.y_mm)
            return np.asarray((VIEW.to_image(at, die.side_mm) - low) * FINE)

        corners = px(np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], float))
        cv2.fillConvexPoly(part, np.rint(corners).astype(np.int32), die.body)
        radius = round(float(np.linalg.norm(corners[1] - corners[0])) * 0.1)
        for at in px(np.array(PIPS[die.value], float) * 0.54):
            cv2.circle(part, (round(at[0]), round(at[1])), radius, die.ink, cv2.FILLED)
        image[low[1] : low[1] + size, low[0] : low[0] + size] = cv2.resize(
            part, (size, size), interpolation=cv2.INTER_AREA
        )
    part = image[MIDDLE[1] : MIDDLE[3], MIDDLE[0] : MIDDLE[2]]
    noise = np.random.default_rng(5).normal(0, 3, part.shape[:2])[..., None]
    part[:] = np.clip(part + noise, 0, 255)
    return image


def found_in(image: Picture) -> list[Die]:
    return sorted(shipped().find(image, VIEW, (-70, -70), (70, 70)), key=lambda one: one.x_mm)


@pytest.mark.parametrize("value", range(1, 7))
@pytest.mark.parametrize(
    ("body", "ink", "side_mm"),
    [(WHITE, BLACK, 16.0), (WHITE, RED, 14.0), (BLACK, WHITE, 19.0), (RED, WHITE, 15.0)],
)
def test_a_die_of_any_colour_is_found_and_read(
    value: int, body: tuple[int, int, int], ink: tuple[int, int, int], side_mm: float
) -> None:
    die = Drawn(value, 30.0, -25.0, 13.0 * value, side_mm, body, ink)
    image = drawn(die)
    (found,) = found_in(image)
    assert (found.x_mm, found.y_mm) == pytest.approx((30, -25), abs=1.5)
    assert found.side_mm == pytest.approx(side_mm, rel=0.15)
    assert abs((found.turn_deg - die.turn_deg + 45) % 90 - 45) < 10
    assert found.value == value


@pytest.mark.parametrize("values", [(6, 1), (3, 5), (4, 4)])
def test_dice_that_touch_are_two(values: tuple[int, int]) -> None:
    image = drawn(Drawn(values[0], -8, 10, 0), Drawn(values[1], 8.2, 10, 0))
    assert [die.value for die in found_in(image)] == list(values)


def test_what_lies_where_a_tile_lies_is_no_die() -> None:
    outline = VIEW.to_image(np.array([(-50, -20), (-20, -20), (-20, 50), (-50, 50)]), 20.0)
    for tiles, rolls in (([], [(6, 3)]), ([outline], [])):
        assert [roll.values for roll in told_of(drawn(), AFTER, tiles=tiles)] == rolls


def test_a_die_that_is_cut_by_the_edge_of_what_was_read_is_not_told() -> None:
    image = drawn(Drawn(5, 0, 0))
    for left_mm, dice in ((-20, 1), (-4, 0)):
        assert len(shipped().find(image, VIEW, (left_mm, -40), (60, 40))) == dice


def test_a_tile_and_a_plain_cloth_are_no_dice() -> None:
    tile = drawn(Drawn(4, 0, 0, side_mm=34.0))
    assert not found_in(tile)
    assert not found_in(drawn())


def everywhere(points: Points) -> NDArray[np.bool_]:
    return np.ones(len(points), bool)


def nowhere(points: Points) -> NDArray[np.bool_]:
    return np.zeros(len(points), bool)


def told_of(
    *pictures: Picture,
    reader: DiceReader | None = None,
    tiles: Sequence[NDArray[np.float64]] = (),
) -> list[Roll]:
    """The rolls told when each picture is read twice, two seconds after the last."""
    reader = DiceReader(VIEW) if reader is None else reader
    rolls = []
    for number, image in enumerate(pictures):
        for look in range(2):
            time_s = 2.0 * number + 0.15 * look
            roll = reader.look(time_s, image, [MIDDLE], tiles, everywhere)
            rolls += [] if roll is None else [roll]
    return rolls


BEFORE = drawn(Drawn(2, -20, 0, 5), Drawn(5, 25, 10, 60))
AFTER = drawn(Drawn(6, -35, 15, 40), Drawn(3, 12, -20, 80))


AGAIN = drawn(Drawn(1, -35, -10, 10), Drawn(1, 20, -20, 30))


THROWN: dict[str, tuple[tuple[Picture, ...], list[tuple[float, tuple[int, int]]]]] = {
    "taken up and thrown": ((BEFORE, drawn(), AFTER), [(4.0, (6, 3))]),
    "not there at first": ((drawn(), AFTER), [(2.0, (6, 3))]),
    "onto the places of the others": (
        (BEFORE, drawn(), drawn(Drawn(3, -21, 1, 50), Drawn(6, 24, 11, 10))),
        [(4.0, (3, 6))],
    ),
    "a second roll": ((BEFORE, AFTER, AGAIN), [(2.0, (6, 3)), (4.0, (1, 1))]),
    "lying": ((BEFORE,), []),
    "still lying": ((BEFORE, BEFORE, BEFORE), []),
    "covered": ((BEFORE, drawn(), BEFORE), []),
    "pushed": ((BEFORE, drawn(Drawn(2, 10, 40, 8), Drawn(5, 52, 50, 66))), []),
    "one alone": ((drawn(), drawn(Drawn(4, 0, 0))), []),
    "of two sizes": ((drawn(), drawn(Drawn(4, -20, 0), Drawn(4, 30, 0, side_mm=12.0))), []),
}


@pytest.mark.parametrize("name", THROWN)
def test_dice_are_rolled_that_were_taken_up_and_lie_anew(name: str) -> None:
    pictures, rolls = THROWN[name]
    told = told_of(*pictures)
    assert [roll.values for roll in told] == [values for _, values in rolls]
    assert [roll.time_s for roll in told] == pytest.approx([at_s for at_s, _ in rolls], abs=0.3)


@pytest.mark.parametrize("lay", [(-110,), (-110, -80)])
def test_dice_from_the_edge_that_stay_in_the_middle_are_a_roll(lay: Sequence[int]) -> None:
    """Where they lay nobody looks again, so that they are believed to lie there still."""

    def in_middle(points: Points) -> NDArray[np.bool_]:
        left, top, right, bottom = MIDDLE
        inside = (points > (left, top)) & (points < (right, bottom))
        return np.asarray(inside.all(axis=1), np.bool_)

    reader = DiceReader(VIEW)
    at_edge = drawn(*(Drawn(3, x_mm, 60) for x_mm in lay))
    for time_s in (0.0, 0.15, 2.0):
        assert reader.look(time_s, at_edge, [(700, 300, 1200, 800)], [], everywhere) is None
    rolls = [reader.look(4.0 + 0.2 * at, AFTER, [MIDDLE], [], in_middle) for at in range(9)]
    assert [roll.values for roll in rolls if roll is not None] == [(6, 3)]


def test_dice_that_were_overlooked_at_first_were_not_thrown() -> None:
    """Nothing has changed where they lie."""
    reader = DiceReader(VIEW)
    hidden = [VIEW.to_image(np.array([(-99, -99), (99, -99), (99, 99), (-99, 99)]))]
    for look in range(2):
        reader.look(0.1 * look - 5, BEFORE, [MIDDLE], hidden, everywhere)
    assert told_of(BEFORE, BEFORE, reader=reader) == []


@pytest.mark.parametrize("paused", [False, True])
def test_dice_that_lie_otherwise_after_a_pause_may_have_been_pushed(paused: bool) -> None:
    reader = DiceReader(VIEW)
    assert told_of(BEFORE, reader=reader) == []
    if paused:
        reader.pause()
    turned = drawn(Drawn(2, 10, 40, 50), Drawn(5, -32, 30, 15))
    rolls = [reader.look(4.0 + 0.2 * look, turned, [MIDDLE], [], everywhere) for look in range(3)]
    assert any(rolls) is not paused


def seen(x_mm: float, value: int, sure: float = 0.99) -> Die:
    """A die whose value has this probability; the next value has the rest."""
    values = np.zeros(6)
    values[value - 1], values[value % 6] = sure, 1 - sure
    return Die(x_mm, 0.0, 15.0, 0.0, 0.9, values)


LEAST_SURE = 0.8


def test_what_looked_like_a_die_once_keeps_no_roll_from_being_told() -> None:
    watch = DiceWatch()
    pair = [seen(0.0, 1), seen(40.0, 1)]
    assert watch.look(0.0, [seen(100.0, 1)], nowhere, LEAST_SURE) is None
    assert watch.look(9.0, pair, nowhere, LEAST_SURE) is None
    roll = watch.look(9.2, pair, nowhere, LEAST_SURE)
    assert roll is not None
    assert roll.values == (1, 1)
    assert roll.sure == pytest.approx(0.99**2)


def test_pips_that_cannot_be_told_are_no_roll() -> None:
    watch = DiceWatch()
    for look in range(4):
        dice = [seen(0.0, 4, sure=0.55), seen(40.0, 1)]
        assert watch.look(0.2 * look, dice, everywhere, LEAST_SURE) is None


def test_one_poor_look_among_good_ones_is_outvoted() -> None:
    watch = DiceWatch()
    watch.look(0.0, [seen(0.0, 5, sure=0.6), seen(40.0, 1)], everywhere, LEAST_SURE)
    looks = [[seen(0.0, 4), seen(40.0, 1)] for _ in range(6)]
    rolls = [watch.look(0.2 * n, dice, everywhere, LEAST_SURE) for n, dice in enumerate(looks, 1)]
    assert [roll.values for roll in rolls if roll is not None] == [(4, 1)]


def test_weights_that_are_damaged_are_named(tmp_path: Path) -> None:
    weights = tmp_path / "dice.onnx"
    weights.write_bytes(b"none")
    weights.with_suffix(".json").write_text('{"least_present": 0.5, "least_sure": 0.9}')
    with pytest.raises(WeightsError, match="damaged"):
        DiceFinder(weights)


def played(*events: tuple[float, Event]) -> tuple[Explained, ...]:
    return tuple(Explained(time_s, at, event) for at, (time_s, event) in enumerate(events))


HAND = played(
    (10.0, HandStart()),
    (11.0, Deal(0, (Tile("?"),) * 13)),
    (20.0, Draw(0, Tile("?"))),
    (20.0, Discard(0, Tile("1m"))),
    (25.0, Draw(1, Tile("?"))),
    (25.0, Discard(1, Tile("2m"))),
    (40.0, Win(2, 1, Tile("2m"))),
    (45.0, HandEnd()),
    (60.0, HandStart()),
)


@pytest.mark.parametrize(
    ("roll_s", "place", "event"),
    [
        (5.0, 0, HandStart(dice=(3, 4))),
        (12.0, 0, HandStart(dice=(3, 4))),
        (22.0, 4, Dice((3, 4))),
        (30.0, 6, Dice((3, 4))),
        (42.0, 8, HandStart(dice=(3, 4))),
        (58.0, 8, HandStart(dice=(3, 4))),
    ],
)
def test_a_roll_is_told_where_it_belongs(roll_s: float, place: int, event: Event) -> None:
    told = with_dice(HAND, [Roll(roll_s, (3, 4))])
    assert told[place].event == event
    others = [one.event for one in told if not isinstance(one.event, Dice | HandStart)]
    assert others == [one.event for one in HAND if not isinstance(one.event, HandStart)]


def test_of_two_rolls_before_a_hand_the_last_breaks_the_wall() -> None:
    told = with_dice(HAND, [Roll(3.0, (1, 1)), Roll(6.0, (3, 4))])
    assert told[0].event == HandStart(dice=(3, 4))


def test_a_roll_between_hands_waits_for_the_next_and_one_just_now_for_what_came_before() -> None:
    assert with_dice(HAND[:8], [Roll(50.0, (3, 4))]) == HAND[:8]
    assert with_dice(HAND[:6], [Roll(26.0, (3, 4))], time_s=26.5) == HAND[:6]


class Rolling(Film):
    """A table on which dice lie, are picked up, and lie anew."""

    def _picture(self) -> Picture:
        image = super()._picture().copy()
        shows = BEFORE if self._time_s < 3.5 else AFTER if self._time_s > 4.5 else None
        if shows is not None:
            part = np.s_[MIDDLE[1] : MIDDLE[3], MIDDLE[0] : MIDDLE[2]]
            image[part] = shows[part]
        return image


@pytest.mark.parametrize(("rules", "rolled"), [("harbin-treasure", True), ("riichi", False)])
def test_dice_thrown_in_a_hand_are_told_where_the_rules_have_it(rules: str, rolled: bool) -> None:
    film = Rolling({2.0: read_at(0, 170, "3s"), 6.4: read_at(180, 0, "9p")}, 8.0, VIEW)
    reader, readings, shown = TableReader(film, rules, ReaderSettings(VIEW)), [], set()
    for reading in reader.read(film.frames()):
        readings.append(reading)
        if (counted := reader.counted()) is not None:
            shown.add(counted.dice)
    entries = lines_of(readings)
    dice = [entry for entry in entries if isinstance(entry.event, Dice)]
    assert shown == {(), (6, 3)} if rolled else {()}  # until somebody goes on
    assert [entry.event for entry in dice] == [Dice((6, 3))] * rolled
    assert all(entry.t == pytest.approx(4.7, abs=0.6) for entry in dice)
    assert sum(isinstance(entry.event, Discard) for entry in entries) == 2

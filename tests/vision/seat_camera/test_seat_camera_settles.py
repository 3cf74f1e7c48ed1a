"""A seat camera settles what the table camera leaves open, and nothing more."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from games.recorded import RecordedDecoder

from engine.events import Correct, Discard
from engine.log import in_force
from engine.tiles import Tile
from tests.support.recorded import Recorded
from tests.support.rows import watched
from tests.support.tables import VIEW, shares
from vision.decoder.table_evidence import TableEvidence
from vision.seat_camera.witness import SeatWitness, Witness
from vision.table.placed_tile import PlacedTile
from vision.tiles.classes import FACE_INDEX, FACES, Side

HANDS = ((0.0, 9.0, "123m 456p 789s 1122z 5s"), (10.0, 14.0, "123m 456p 789s 1122z"))
LEFT_S = 9.4


def lying(**shares: float) -> PlacedTile:
    """A face on the table with these shares; the rest is spread evenly."""
    faces = np.full(len(FACES), (1 - sum(shares.values())) / len(FACES))
    for face, share in shares.items():
        faces[FACE_INDEX[face[::-1]]] += share
    return PlacedTile(7, Side.FACE, faces, 0.0, 0.0, 0.0, LEFT_S)


def scene(tile: PlacedTile, seen: bool = True) -> TableEvidence:
    hands = {1: SeatWitness(watched(*HANDS))} if seen else {}
    return TableEvidence({7: tile}, {7}, 28.0, witness=Witness(hands))


def first(tile: PlacedTile, seat: int = 1, seen: bool = True) -> Tile:
    return scene(tile, seen).candidate_faces(7, by=(seat, LEFT_S))[0][0]


@pytest.mark.parametrize(
    ("shares", "alone", "settled"),
    [
        ({"s6": 0.5, "s5": 0.4}, "6s", "5s"),
        ({"s6": 0.05}, "6s", "5s"),
        ({"s6": 0.97, "s5": 0.02}, "6s", "5s"),
        ({"s6": 0.99}, "6s", "6s"),
    ],
    ids=["a close race", "an unread face", "a likely rival", "a face read for sure"],
)
def test_a_doubtful_discard_is_read_by_what_left_the_hand(
    shares: dict[str, float], alone: str, settled: str
) -> None:
    assert str(first(lying(**shares), seen=False)) == alone
    assert str(first(lying(**shares))) == settled


def test_another_seat_s_hand_says_nothing_of_it() -> None:
    assert first(lying(s6=0.5, s5=0.4), seat=2) == Tile("6s")


def test_costs_are_those_of_the_likeliest_faces() -> None:
    seen = scene(lying(s6=0.5, s5=0.4))
    by = (1, LEFT_S)
    for face, cost in seen.candidate_faces(7, by=by):
        assert seen.face_cost(7, face, by) == pytest.approx(cost)
    assert seen.face_cost(7, Tile("5s"), by) < 0.2 < seen.face_cost(7, Tile("5s"))


def test_a_tile_whose_back_is_up_stays_hidden_whatever_was_in_the_hand() -> None:
    back = PlacedTile(7, Side.BACK, np.zeros(len(FACES)), 0.0, 0.0, 0.0, LEFT_S)
    assert scene(back).candidate_faces(7, by=(1, LEFT_S)) == scene(
        back, seen=False
    ).candidate_faces(7)
    assert scene(back).face_cost(7, Tile("5s"), (1, LEFT_S)) == scene(back).face_cost(
        7, Tile("9m"), (1, LEFT_S)
    )


@dataclass(frozen=True)
class Played:
    """The record of a hand that began with four discards."""

    discards: list[tuple[Tile, float]]
    questions: int
    corrections: int


def played(witness: Witness) -> Played:
    """Four discards; the second, really an 8s, looks like a 7s or 8s from above."""
    table = Recorded()
    table.decoder = RecordedDecoder("harbin-hlr", VIEW, witness)
    table.deal()
    for seat, face in enumerate(("3m", "8s", "9p", "5m")):
        table.stage.busy = frozenset({seat})
        table.show(2.4)
        tile = table.stage.put(seat, 0, 90, face)
        if seat == 1:
            table.stage.change(tile, probabilities=shares("7s", 0.55, "8s"))
        table.show(0.4)
        table.stage.busy = frozenset()
        table.show()
    questions = len(table.decoder.questions())
    corrections = sum(isinstance(line.event, Correct) for line in table.lines)
    told = [event.entry for event in in_force(table.lines + table.decoder.close())]
    discards = [(one.event.tile, one.t or 0.0) for one in told if isinstance(one.event, Discard)]
    return Played(discards, questions, corrections)


def test_a_hand_is_told_right_and_unasked_that_without_the_camera_is_asked_about() -> None:
    alone = played(Witness())
    assert [str(tile) for tile, _ in alone.discards] == ["3m", "7s", "9p", "5m"]
    assert alone.questions == 1
    at_s = alone.discards[1][1]
    own = watched(
        (0.0, at_s - 1.5, "123m 456p 78s 999p 11s 6m"),
        (at_s - 1.4, at_s - 0.8, "123m 4p"),  # the player's arm
        (at_s + 0.2, 30.0, "123m 456p 7s 999p 11s 6m"),
    )
    settled = played(Witness({1: SeatWitness(own)}))
    assert [str(tile) for tile, _ in settled.discards] == ["3m", "8s", "9p", "5m"]
    assert (settled.questions, settled.corrections) == (0, alone.corrections)


def test_the_camera_of_another_seat_changes_nothing_of_it() -> None:
    other = watched((0.0, 30.0, "123m 456p 78s 999p 11s"))
    assert played(Witness({2: SeatWitness(other)})) == played(Witness())

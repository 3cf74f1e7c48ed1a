"""What breaks the rules is told as what it was."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.announce import Problem
from engine.events import Discard, Foul, Indicator, Pung, Win
from engine.game import replay
from engine.rules import RULE_SETS
from engine.tiles import UNKNOWN, Tile
from tests.support.seen import Seen
from tests.support.tables import chow

RULES = ("harbin-hlr", "harbin-treasure", "hangzhou", "wsom", "riichi")
IN_ROWS = ("hangzhou", "wsom", "riichi")


def codes(seen: Seen) -> list[str]:
    """What the engine has against what is told."""
    said = replay(seen.told).announcements()
    return [one.code for one in said if isinstance(one, Problem)]


def lay(seen: Seen, seat: int, *faces: str, row: int = 0) -> None:
    """Three tiles before a seat, where its game has claimed sets, the middle one sideways."""
    layout = RULE_SETS[seen.rules].layout
    side = -1 if layout.sets_at == "left" else 1
    middle = side * (290 - 120 * row)
    for place, face in enumerate(faces):
        turned = 90.0 if place == 1 and layout.opposite_turned else 0.0
        seen.stage.put(seat, middle + 33 * (place - 1), 370, face, turned)


def claim(seen: Seen, seat: int, giver: int, tile: str, *faces: str, row: int = 0) -> None:
    """A discard that goes into a set at once, with the hand that is left."""
    seen.stage.take(seen.discard(giver, tile, 2))
    seen.stage.stand(seat, 14 - 3 * (row + 1))
    lay(seen, seat, *faces, row=row)
    seen.show(3.2)


def dealt(rules: str) -> Seen:
    seen = Seen(rules)
    seen.deal()
    for seat in range(4):
        seen.stage.stand(seat, 13)
    return seen


@pytest.mark.parametrize("rules", RULES)
def test_a_chow_from_across_is_told_and_flagged(rules: str) -> None:
    seen = dealt(rules)
    claim(seen, 2, 0, "6s", "5s", "6s", "7s")
    claimed = chow(2, 0, "6s", "57s")
    told = [event for event in seen.events if not isinstance(event, Indicator)]
    if RULE_SETS[rules].layout.river == "loose":
        # There it is regular if readiness is claimed with it.
        claimed = replace(claimed, ready=True)
    assert told == [Discard(0, Tile("6s")), claimed]
    if not claimed.ready:
        assert "not_left_neighbour" in codes(seen)


@pytest.mark.parametrize("rules", ["harbin-hlr", "harbin-treasure"])
def test_a_fourth_set_is_told_and_flagged(rules: str) -> None:
    seen = dealt(rules)
    for row, (tile, thrown) in enumerate((("1m", "9p"), ("3p", "8s"), ("6s", "2m"), ("9m", "4p"))):
        claim(seen, 2, 0, tile, tile, tile, tile, row=row)
        for seat, face in ((2, thrown), (3, f"{row + 1}s")):
            seen.stage.stand(2, 13 - 3 * (row + 1))
            seen.discard(seat, face, 5 + row)
    pungs = [event for event in seen.events if isinstance(event, Pung)]
    assert [pung.tile for pung in pungs] == ["1m", "3p", "6s", "9m"]
    assert "fourth_set" in codes(seen)


@pytest.mark.parametrize("rules", RULES)
def test_tiles_that_are_no_set_are_a_claim_and_a_foul(rules: str) -> None:
    seen = dealt(rules)
    claim(seen, 2, 0, "6s", "3p", "6s", "9m")
    seen.show(3.0)
    assert seen.events == [
        Discard(0, Tile("6s")),
        Foul(2, "false_set", (Tile("3p"), Tile("6s"), Tile("9m"))),
        Pung(2, 0, Tile("6s"), (UNKNOWN, UNKNOWN)),
    ]
    assert "false_set" in codes(seen)
    seen.discard(2, "1m", 2)
    assert seen.events[-1] == Discard(2, Tile("1m")), "and the play goes on"


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("misread", ["9m", "2p", "7z"])
def test_one_misread_tile_of_a_set_accuses_nobody_and_is_asked_about(
    rules: str, misread: str
) -> None:
    """A sure reading is wrong more often than somebody claims with tiles that are no set."""
    seen = dealt(rules)
    claim(seen, 2, 0, "6s", "6s", "6s", misread)
    seen.show(3.0)
    assert seen.events == [
        Discard(0, Tile("6s")),
        Pung(2, 0, Tile("6s"), (Tile("6s"), Tile("6s"))),
    ]
    asked = [choice.events for one in seen.decoder.questions() for choice in one.choices]
    assert any(isinstance(event, Foul) for events in asked for event in events)


@pytest.mark.parametrize("rules", IN_ROWS)
def test_a_discard_out_of_turn_is_asked_about_when_the_other_plays_on(rules: str) -> None:
    """As likely as that a discard was hidden until the next one lay there."""
    seen = dealt(rules)
    seen.plays((0, "1m"), (2, "9p"), (1, "4s"), place=2)
    (question,) = seen.decoder.questions()
    foul = Foul(2, "discard_out_of_turn", (Tile("9p"),))
    assert [choice.events for choice in question.choices[:2]] == [
        (Discard(1, Tile("4s")), Discard(2, Tile("9p"))),
        (foul,),
    ]


@pytest.mark.parametrize("rules", IN_ROWS)
@pytest.mark.parametrize(("seat", "offence"), [(3, "discard_out_of_turn"), (0, "two_discards")])
def test_a_discard_too_many_is_told_as_that(rules: str, seat: int, offence: str) -> None:
    """Nobody can have discarded between, for the opposite seat would be passed over twice."""
    seen = dealt(rules)
    seen.discard(0, "1m", 2)
    seen.discard(seat, "9p", 7)
    seen.discard(1, "4s", 2)
    seen.show(3.0)
    foul = Foul(seat, offence, (Tile("9p"),))
    assert seen.events == [Discard(0, Tile("1m")), foul, Discard(1, Tile("4s"))]


@pytest.mark.parametrize("rules", RULES)
def test_a_hand_of_fifteen_tiles_laid_open_is_told_as_a_win_and_flagged(rules: str) -> None:
    seen = dealt(rules)
    seen.discard(0, "1m", 2)
    seen.stage.stand(1, 0)
    seen.stage.lay(1, "234m 567p 234789s 55s 9m", -230, apart_mm=20)
    seen.show(7.0)
    assert isinstance(seen.events[-1], Win)
    assert "wrong_tile_count" in codes(seen)
    (problem,) = (one for one in replay(seen.told).announcements() if isinstance(one, Problem))
    assert not problem.certain  # the reader itself asks whether a tile of it was misread
    assert any(one.interrupts for one in seen.decoder.questions())

"""What no camera above a table can see is told as unknown, or not at all, by every rule set."""

from __future__ import annotations

import pytest

from engine.events import (
    Correct,
    Deal,
    Discard,
    Draw,
    Event,
    GameStart,
    HandStart,
    Kong,
    Reveal,
)
from engine.log import in_force
from engine.rules import RULE_SETS
from engine.tiles import UNKNOWN, Tile
from tests.support.golden import WITH_GAME
from tests.support.recorded import Recorded
from tests.support.tables import discards, shares
from vision.tiles.classes import Side

FACES = ("1m", "8p", "6s", "4m", "2p", "9s", "7m", "5s")
EXCHANGES = [
    rules for rules in WITH_GAME if "exchange" in [one.name for one in RULE_SETS[rules].options]
]


def played(rules: str, turns: int = 8, sure: float = 0.97) -> tuple[Recorded, list[int]]:
    """A hand of some discards, and their tiles."""
    table = Recorded(rules)
    table.deal()
    return table, [table.discard(at % 4, FACES[at], at // 4, sure) for at in range(turns)]


def said(table: Recorded) -> list[Event]:
    """Everything that stands in the record, draws and the start of the game too."""
    return [event.entry.event for event in in_force(table.lines)]


@pytest.mark.parametrize("rules", WITH_GAME)
def test_no_tile_of_a_standing_hand_is_named_and_no_discard_was_the_drawn_one(rules: str) -> None:
    table, _ = played(rules)
    assert [event for event in said(table) if isinstance(event, Deal | Draw | Reveal)] == []
    thrown = [event for event in said(table) if isinstance(event, Discard)]
    assert [event.drawn for event in thrown] == [None] * len(FACES)
    held = {tile for player in table.state.players for tile in player.hand}
    assert held == {UNKNOWN}


@pytest.mark.parametrize("found_anew", [True, False])
@pytest.mark.parametrize("rules", WITH_GAME)
def test_a_discard_that_is_swapped_under_an_arm_is_read_again_and_no_other_act(
    rules: str, found_anew: bool
) -> None:
    """Whose hand the first tile went to nobody saw; the line that named it stays."""
    table, tiles = played(rules)
    before, lines = table.hand, len(table.lines)
    table.stage.busy = frozenset({2})
    lies = table.stage.take_up(tiles[5])
    table.show(2.0)
    if found_anew:
        other = table.stage.put(0, 0, 0)
        at = {"x_mm": lies.x_mm + 3.0, "y_mm": lies.y_mm - 2.0, "turn_deg": lies.turn_deg}
        table.stage.change(other, side=Side.FACE, probabilities=shares("3s"), **at)
    else:
        table.stage.lay_again(lies)
        table.stage.change(tiles[5], probabilities=shares("3s"))
    table.stage.busy = frozenset()
    table.show(4.0)
    assert table.hand == [*before[:5], Discard(1, Tile("3s")), *before[6:]]
    (told,) = (line.event for line in table.lines[lines:])
    assert isinstance(told, Correct)
    assert told.reason == "reread"
    assert told.of == table.number(Discard(1, Tile("3s")))
    table.check()


@pytest.mark.parametrize("rules", WITH_GAME)
def test_another_tile_beside_where_a_sure_discard_lay_changes_nothing(rules: str) -> None:
    table, tiles = played(rules, sure=0.999)
    lines = list(table.lines)
    table.stage.busy = frozenset({2})
    lies = table.stage.take_up(tiles[5])
    table.show(2.0)
    other = table.stage.put(0, 0, 0)
    at = {"x_mm": lies.x_mm + 3.0, "y_mm": lies.y_mm - 2.0, "turn_deg": lies.turn_deg}
    table.stage.change(other, side=Side.FACE, probabilities=shares("3s", 0.999), **at)
    table.stage.busy = frozenset()
    table.show(4.0)
    assert table.lines == lines
    table.check()


@pytest.mark.parametrize("rules", WITH_GAME)
def test_a_call_of_ready_that_is_only_spoken_is_not_told(rules: str) -> None:
    table, _ = played(rules)
    assert not [event for event in table.hand if getattr(event, "ready", False)]
    assert not any(player.ready for player in table.state.players)


@pytest.mark.parametrize("rules", WITH_GAME)
def test_four_backs_are_a_kong_of_no_known_tile(rules: str) -> None:
    table, _ = played(rules)
    before = table.hand
    table.stage.stand(0, table.hand_size + 1 - 4)
    table.stage.set_down(0, "????", turned=-1)
    table.show(3.0)
    assert table.hand == [*before, Kong(0, "closed", UNKNOWN)]


@pytest.mark.parametrize("rules", WITH_GAME)
def test_what_was_agreed_by_word_is_not_told(rules: str) -> None:
    table, _ = played(rules, turns=1)
    start, hand = said(table)[:2]
    assert start == GameStart(rules)
    assert hand == HandStart(0)


@pytest.mark.parametrize("rules", EXCHANGES)
def test_tiles_that_are_exchanged_face_down_are_not_told(rules: str) -> None:
    table = Recorded(rules)
    table.deal()
    before = said(table)
    table.stage.busy = frozenset(range(4))
    for seat in range(4):
        table.stage.stand(seat, 10 + (seat == 0))
    given = [table.stage.put(seat, u, 200) for seat in range(4) for u in (-31, 0, 31)]
    table.stage.busy = frozenset()
    table.show(4.0)
    table.stage.busy = frozenset(range(4))
    table.show(0.4)
    table.stage.take(*given)
    for seat in range(4):
        table.stage.stand(seat, 13 + (seat == 0))
    table.stage.busy = frozenset()
    table.show(3.0)
    assert said(table) == before
    table.plays((0, "9p"), (1, "1s"))
    assert table.hand == discards((0, "9p"), (1, "1s"))

"""Films that begin at an odd moment: what their first pictures show, and what is true of them."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest
from games.labels import WatchedGame
from games.outcome import GameCase
from games.simulated_detector import Labels
from games.starts import BARE_S, FPS, STARTS, STILL_S

from engine.announce import Problem
from engine.events import Deal, Discard, HandStart, Position, Win
from engine.game import replay
from engine.rules import RULE_SETS
from vision.compare import hand_payments

WHOLE = GameCase("ordinary", "riichi", 97303)


def watched(start: str, rules: str = WHOLE.rules) -> WatchedGame:
    return WatchedGame(GameCase(WHOLE.grade, rules, WHOLE.seed, start))


def shown(game: WatchedGame, until_s: float) -> list[Labels]:
    return [tiles for _, tiles in islice(game.frames(), round(until_s * FPS))]


def sides(tiles: Labels) -> dict[str, int]:
    return {side: sum(t["side"] == side for t in tiles) for side in ("face", "back", "standing")}


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("start", STARTS)
def test_what_is_true_of_a_cold_start_replays_without_a_problem(start: str, rules: str) -> None:
    game = watched(start, rules)
    played = replay(list(game.true))
    impossible = [said for said in played.announcements() if isinstance(said, Problem)]
    assert not [said for said in impossible if said.impossible]
    assert game.true[0].t == 0.0
    times = [entry.t or 0.0 for entry in game.true]
    assert times == sorted(times)
    assert times[-1] <= game.length_s
    assert len(hand_payments(game.true)) == 1


@pytest.mark.parametrize("start", ["empty", "deal", "dealt", "dice"])
def test_a_film_that_begins_before_the_first_discard_tells_the_whole_hand(start: str) -> None:
    whole, cold = watched(""), watched(start)
    assert [entry.event for entry in cold.true] == [entry.event for entry in whole.true]
    assert hand_payments(cold.true) == hand_payments(whole.true)


def test_an_empty_table_is_bare_until_the_walls_stand_there() -> None:
    frames = shown(watched("empty"), BARE_S + 1.0)
    assert not any(frames[: round(BARE_S * FPS)])
    assert sides(frames[-1])["back"] >= 60


def test_in_the_deal_nobody_has_stood_their_tiles_up() -> None:
    game = watched("deal")
    first = sides(shown(game, 1.0)[0])
    assert first["standing"] == first["face"] == 0
    assert next(e.t or 0.0 for e in game.true if isinstance(e.event, Deal)) > 3.0


@pytest.mark.parametrize("start", ["dealt", "dice"])
def test_a_dealt_table_stands_still_before_the_first_discard(start: str) -> None:
    game = watched(start)
    frames = shown(game, STILL_S)
    assert all(tiles == frames[0] for tiles in frames)
    assert sides(frames[0])["standing"] == 53
    assert sides(frames[0])["face"] == 1  # the indicator
    assert next(e.t or 0.0 for e in game.true if isinstance(e.event, Discard)) > STILL_S


def test_a_hand_that_is_joined_begins_with_what_lies_there() -> None:
    whole, cold = watched(""), watched("middle")
    position = cold.true[2].event
    assert isinstance(position, Position)
    later = [entry.event for entry in cold.true[3:]]
    assert later == [entry.event for entry in whole.true[-len(later) :]]
    rivers = [discard.tile for river in position.rivers or () for discard in river]
    faces = [tile["tile"] for tile in shown(cold, 1.0)[0] if tile["side"] == "face"]
    claimed = sum(3 for sets in position.sets or () for _ in sets)
    assert len(faces) == pytest.approx(len(rivers) + claimed + 1, abs=2)
    assert not {str(tile) for tile in rivers} - set(faces)


def test_after_a_hand_only_the_next_one_is_told() -> None:
    cold = watched("over")
    starts = [entry for entry in cold.true if isinstance(entry.event, HandStart)]
    assert len(starts) == 1
    assert (starts[0].t or 0.0) > 5.0  # the tiles are washed first
    assert isinstance(cold.true[1].event, HandStart)
    assert not isinstance(cold.true[2].event, Win)
    assert sides(shown(cold, 1.0)[0])["face"] > 20


def test_the_camera_sees_the_same_table_at_the_same_moment_of_the_game() -> None:
    whole, cold = watched(""), watched("dealt")
    from_s = (whole.true[-1].t or 0.0) - (cold.true[-1].t or 0.0) + STILL_S
    there = next(tiles for time_s, tiles in whole.frames() if time_s >= from_s - 0.01)
    here = shown(cold, 1.0)[0]
    assert [tile["id"] for tile in here] == [tile["id"] for tile in there]
    both = np.array([tile["corners"] for tile in here]), [tile["corners"] for tile in there]
    assert np.allclose(*both)

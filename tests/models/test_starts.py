"""Films that begin at an odd moment: what their first pictures show, and what is true of them."""

from __future__ import annotations

from itertools import islice

import pytest
from games.labels import WatchedGame
from games.outcome import GameCase
from games.simulated_detector import Labels
from games.starts import AFTER_S, ENDS, FPS, STARTS

from engine.announce import Problem
from engine.events import Discard, GameEnd, HandEnd, Position, Win
from engine.game import replay
from engine.rules import GAMES
from vision.compare import hand_payments

WHOLE = GameCase("ordinary", "riichi", 97303)


def watched(start: str, rules: str = WHOLE.rules) -> WatchedGame:
    return WatchedGame(GameCase(WHOLE.grade, rules, WHOLE.seed, start))


def shown(game: WatchedGame, until_s: float) -> list[Labels]:
    return [tiles for _, tiles in islice(game.frames(), round(until_s * FPS))]


@pytest.mark.parametrize("rules", [game.id for game in GAMES])
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


@pytest.mark.parametrize("end", ENDS)
def test_a_film_that_ends_early_tells_what_happened_until_then(end: str) -> None:
    whole, cut = watched(""), watched(end)
    last = {"last": Discard, "won": Win}[end]
    ends_s = next(e.t or 0.0 for e in reversed(whole.true) if isinstance(e.event, last)) + AFTER_S
    assert cut.length_s == pytest.approx(ends_s, abs=1 / FPS)
    seen = [entry for entry in whole.true if (entry.t or 0.0) <= cut.length_s]
    over = [HandEnd, GameEnd] if end == "won" else []
    assert list(cut.true[: len(seen)]) == seen
    assert [type(entry.event) for entry in cut.true[len(seen) :]] == over
    *_, shown, final = cut.frames()
    assert shown[1] == final[1]
    looks = list(cut.looks([(0.0, []), (cut.length_s, final[1]), final], cut.follower()))
    assert [look.held for look in looks] == [False, False, True]


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

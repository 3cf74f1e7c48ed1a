"""Games joined at any moment, as looks at labelled tables tell them: no exception of any kind."""

from __future__ import annotations

import numpy as np
import pytest
from games.joined import NotPlain, check_plain, read_joined
from games.labels import ERRORS, planned_game
from games.outcome import GameCase
from score import main

from engine.events import Discard, Entry, HandEnd, Position, Win
from engine.rules import GAMES, RULE_SETS
from engine.tiles import Tile

GRADES = tuple(ERRORS)
SEEDS = {"sichuan": 33}
"""A hand in which nobody wins soon: a position cannot tell who has won in one that goes on."""


@pytest.mark.parametrize("rules", [game.id for game in GAMES])
def test_a_game_is_joined_in_the_middle_of_a_hand(rules: str) -> None:
    seed = SEEDS.get(rules, list(RULE_SETS).index(rules))
    case = GameCase(GRADES[seed % len(GRADES)], rules, seed)
    planned = planned_game(case)
    won_s = min(
        mark.t_s for mark in planned.director.marks if isinstance(mark.event, Win | HandEnd)
    )
    begins_s = min(planned.director.now * (0.3 + 0.05 * (seed % 14)), won_s - 1.0)
    lines = read_joined(case, planned, begins_s, 9.0)
    assert any(isinstance(line.event, Position) for line in lines)


def test_a_hand_in_which_riichi_lies_is_joined() -> None:
    """The tile that was turned for it says so in the position."""
    case = GameCase("clean", "riichi", 26)
    planned = planned_game(case)
    marks = planned.director.marks
    turned_s = next(m.t_s for m in marks if isinstance(m.event, Discard) and m.event.ready)
    lines = read_joined(case, planned, turned_s + 3.0, 5.0)
    (found,) = (line.event for line in lines if isinstance(line.event, Position))
    assert found.rivers is not None
    assert any(discard.ready for river in found.rivers for discard in river)


def test_what_is_not_plain_is_found_wherever_it_stands() -> None:
    with pytest.raises(NotPlain, match=r"Entry\.t is np\.float64"):
        check_plain([Entry(Discard(0, Tile("1m")), t=np.float64(1.0))])


def test_the_program_joins_at_every_few_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    asked = "joined --rules hangzhou --grades clean --seeds 1 --every 60 --seconds 2"
    assert main(["games", *asked.split()]) == 0
    assert capsys.readouterr().out.startswith("clean-hangzhou-1: joined 2 times, ")

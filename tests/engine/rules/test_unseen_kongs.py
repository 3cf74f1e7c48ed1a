"""Of a tile that lay in hand when a position began, nobody knows whether a kong brought it."""

from __future__ import annotations

import pytest

from engine.announce import Payout, Problem
from engine.events import Entry, GameStart, HandStart, Kong, Position, Win
from engine.game import replay
from engine.tiles import Tile, parse

HANDS = {
    "hong-kong": "123m456m789m11s",
    "wsom": "123m456m789m11s",
    "sichuan": "123m456m789m11p",
    "riichi-2016": "123m456m789m11s",
}
NONE = ((), (), ())


@pytest.mark.parametrize("rules", HANDS)
@pytest.mark.parametrize("kong", [True, False])
def test_a_kong_before_the_last_draw_is_not_known(rules: str, kong: bool) -> None:
    four, three = (Kong(0, "closed", Tile("9p")),), parse("999p")
    hand = parse(HANDS[rules])
    table = Position(
        ((hand if kong else (*hand, *three)), *NONE), (four if kong else (), *NONE), None, 50, 0, ()
    )
    few = {"minimum_faan": 0} if rules == "hong-kong" else {}
    events = (GameStart(rules, options=few), HandStart(0), table, Win(0, 0, Tile("3m")))
    said = replay([Entry(event) for event in events]).announcements()
    assert not [one.code for one in said if isinstance(one, Problem)]
    paid = next(one for one in said if isinstance(one, Payout))
    assert ("kong_unknown" in {item.name for item in paid.items}) == kong


@pytest.mark.parametrize("kong", [True, False])
def test_a_win_that_an_unseen_kong_may_make_worth_enough_is_not_refused(kong: bool) -> None:
    """Own draw and concealed are two of three faan; the kong's replacement would be the third."""
    hand = parse(HANDS["hong-kong"])
    own = hand if kong else (*hand, *parse("999p"))
    sets = (Kong(0, "closed", Tile("9p")),) if kong else ()
    table = Position((own, *NONE), (sets, *NONE), None, 50, 0, ())
    events = (GameStart("hong-kong"), HandStart(0), table, Win(0, 0, Tile("3m")))
    said = replay([Entry(event) for event in events]).announcements()
    problems = [one.code for one in said if isinstance(one, Problem)]
    assert problems == ([] if kong else ["too_few_faan"])

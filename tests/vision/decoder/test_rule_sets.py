"""One hand by every rule set, read from its settled tables without a mistake."""

from __future__ import annotations

from dataclasses import replace

import pytest
from games.recorded import RecordedDecoder

from engine.events import Chow, Discard, DrawnHand, Entry, Event, Indicator, Kong, Pung, Win
from studio.play.players import play_game
from studio.play.truth import seen_entries
from tests.support.golden import WITH_GAME
from tests.support.settled_hands import played, told_of
from vision.compare import compare
from vision.tiles.classes import Side

HANDS = (
    ("harbin-hlr", 13),  # closed kongs, laid down with a claim, a hand shown after the win
    ("harbin-treasure", 132),  # a rush: won with the treasure that was looked at
    ("hangzhou", 19),  # a fortune, a white dragon in a chow, a closed kong of four backs
    ("wsom", 72),  # an open kong, a pung
    ("hong-kong", 38),  # a closed kong, a win by draw
    ("hong-kong", 115),  # an open kong, a win by claim
    ("sichuan", 23),  # open and closed kongs, a discard after a kong, three winners
    ("sichuan", 8),  # the wall ends: three suits, kongs given back
    ("sichuan-xueliu", 3),  # nine wins, by draw and claim, and kongs of winners
    ("taiwan", 10),  # sixteen in hand, seven flowers, three closed kongs and two open ones, a win
    ("taiwan", 16),  # all eight flowers, six kongs, the wall ends
    ("riichi", 26),  # a turned discard, kan and ura indicators, a red five in a set
    ("riichi-2016", 19),  # a win after a closed kong whose two inner tiles lie face down
    ("riichi-tenhou", 150),  # two win on one discard
    ("riichi-tenhou", 143),  # called off after four kongs
    ("harbin-hlr", 143),  # a pung that calls ready
    ("harbin-hlr", 28),  # a kong that is added, a chow that calls ready
    ("harbin-treasure", 35),  # a treasure that is looked at, an open kong
)

TO_BE_SEEN = (
    {"handstart", "discard", "chow", "pung", "kong open", "kong closed", "kong added", "flower"}
    | {"win by draw", "win by claim", "drawn hand", "handend", "reveal"}
    | {"discard: ready", "chow: ready", "pung: ready"}
    | {"dora", "treasure", "fortune", "kan_dora", "ura_dora"}
)
"""What can be seen to happen in some game; draws are the engine's to supply."""


def kind_of(event: Event) -> str:
    name = type(event).__name__.lower()
    match event:
        case Kong(kind=kind):
            return f"kong {kind}"
        case Indicator(kind=kind):
            return kind
        case Win(seat=seat, from_seat=giver):
            return "win by draw" if seat == giver else "win by claim"
        case DrawnHand():
            return "drawn hand"
        case Discard(ready=True) | Chow(ready=True) | Pung(ready=True):
            return f"{name}: ready"
        case _:
            return name


def test_there_is_a_hand_of_every_rule_set() -> None:
    assert {rules for rules, _ in HANDS} == set(WITH_GAME)


def test_the_hands_hold_everything_that_can_be_seen_to_happen() -> None:
    hands = [hand for rules, seed in HANDS for hand in play_game(rules, seed, 1)[1]]
    assert {kind_of(event) for hand in hands for event in hand.events} >= TO_BE_SEEN


@pytest.mark.parametrize(("rules", "seed"), HANDS)
def test_a_hand_is_read_as_it_was_played_and_paid(rules: str, seed: int) -> None:
    game, _ = played(rules, seed)
    report = compare(seen_entries(game.entries, (), rules), told_of(rules, seed))
    assert (report.missing, report.extra) == ((), ())
    assert report.ready_right == report.ready_all
    assert [hand.read for hand in report.hands] == [hand.true for hand in report.hands]


def test_a_discard_wins_in_hangzhou_once_the_banker_has_stayed_for_long() -> None:
    game, _ = played("hangzhou", 44, hands=3)
    wins = [entry.event for entry in game.entries if isinstance(entry.event, Win)]
    assert kind_of(wins[-1]) == "win by claim"
    report = compare(seen_entries(game.entries, (), "hangzhou"), told_of("hangzhou", 44, hands=3))
    assert (report.missing, report.extra) == ((), ())
    assert [hand.read for hand in report.hands] == [hand.true for hand in report.hands]
    assert report.hands[-1].true[wins[-1].seat] > 0


OVERLOOKED_S = 49.0
"""When nobody lays anything but discards."""


def test_a_hand_that_ends_with_the_wall_is_no_win_where_a_round_of_discards_was_overlooked() -> (
    None
):
    """Hands of thirteen are shown, though by the record the wall holds four tiles more."""
    game, seen = played("sichuan", 33)
    decoder, lines, thrown = RecordedDecoder("sichuan", game.place.view), list[Entry](), set[int]()
    before = frozenset[int]()
    for one in seen:
        faces = frozenset(tile.id for tile in one.placed if tile.side is Side.FACE)
        if one.time_s > OVERLOOKED_S and len(thrown) < 4:
            thrown |= faces - before
        before = faces
        placed = tuple(tile for tile in one.placed if tile.id not in thrown)
        lines += decoder.observe(replace(one, placed=placed))
    choices = [choice.events for question in decoder.questions() for choice in question.choices]
    lines += decoder.close()
    report = compare(seen_entries(game.entries, (), "sichuan"), lines)
    assert [type(event) for event in report.missing] == [Discard] * 4
    assert report.extra == ()
    assert all(hand.right for hand in report.hands)
    wins = [events for events in choices if any(isinstance(event, Win) for event in events)]
    drawn = [events for events in choices if DrawnHand("exhausted") in events]
    assert bool(drawn) >= bool(wins)

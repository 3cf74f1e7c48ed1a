"""What hands of Hangzhou wait for, and what of it may be claimed, in games played at random."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.announce import Ready, Wait
from engine.events import Deal, Discard, Entry, GameStart, HandStart, Indicator, Win
from engine.game import Game
from engine.rules.hangzhou.play import HANGZHOU
from engine.rules.hangzhou.tables import CLAIMS, REFUSALS
from engine.rules.wall import ALL_KINDS
from engine.state import State
from engine.texts.announcements import sentence
from engine.texts.files import LANGUAGES
from engine.tiles import Tile, parse
from service.texts.catalogue import texts_of
from tests.support.random_games import played
from tests.support.second_hangzhou import wins


def stopped(seed: int, part: float) -> Game:
    """A game that stands after one of its discards."""
    entries = played("hangzhou", seed).entries
    places = [at for at, entry in enumerate(entries) if isinstance(entry.event, Discard)]
    game = Game()
    for entry in entries[: places[int(part * (len(places) - 1))] + 1]:
        game.submit(entry)
    return game


def may_come(state: State, seat: int) -> set[Tile]:
    """Tiles of which not every copy is in the own hand and sets."""
    (fortune,) = state.wild
    player = state.players[seat]
    held = Counter((*player.hand, *(tile for meld in player.melds for tile in meld.tiles)))
    return {tile for tile in ALL_KINDS if held[tile] < 4 - (tile == fortune)}


@given(seed=st.integers(0, 10_000), part=st.floats(0.3, 1))
@settings(max_examples=10, deadline=None, derandomize=True)
def test_waits_and_claims_are_the_tiles_that_complete_a_hand(seed: int, part: float) -> None:
    game = stopped(seed, part)
    state, last = game.state, game.state.last_discard
    (fortune,) = state.wild
    claimed = {move.seat for move in game.legal() if isinstance(move, Win)}
    assert last is not None
    for seat, player in enumerate(state.players):
        waits = HANGZHOU.waits(state, seat)
        assert waits is not None
        if player.hand.count(fortune) > 1:
            continue  # too slow to try
        told = {wait.tile for wait in waits}
        can = may_come(state, seat)
        assert told == {tile for tile in can if wins((*player.hand, tile), fortune)}
        open_to_claims = {wait.tile for wait in waits if wait.by_draw_only is None}
        bound = any(
            other != seat and thrown.river and thrown.river[-1].tile == fortune
            for other, thrown in enumerate(state.players)
        )
        between = state.dealer in (seat, last.seat) and seat != last.seat
        assert (seat in claimed) == (last.tile in open_to_claims and between and not bound)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_reason_has_its_words(lang: str) -> None:
    table = texts_of(lang)
    assert {f"follows.{follows}" for _, _, follows in REFUSALS.values()} <= table.keys()
    assert {f"follows.{ruling.follows}" for ruling in CLAIMS.values()} <= table.keys()
    said = [
        sentence(Ready(0, (Wait(Tile("1m"), 1), Wait(Tile("2m"), 1, None, reason))), lang)
        for reason in ("staying", "robbing", "wall_only", "wild_eye", "fortune")
    ]
    assert len(set(said)) == 5


def test_waits_that_no_claim_completes_are_told_apart() -> None:
    some = Ready(0, (Wait(Tile("1m"), 1), Wait(Tile("2m"), 1, None, "fortune")))
    words = "; two of characters by own draw only: a fortune cannot be claimed"
    assert sentence(some).endswith(words)
    every = Ready(0, (Wait(Tile("1m"), 1, None, "wall_only"),))
    assert sentence(every).endswith("; by own draw only: nobody wins by a claim here")


def test_hands_that_were_known_are_ready_once_the_indicator_is_turned() -> None:
    game = Game()
    hand = parse("123m 456m 789p 111z 9s")
    for event in (GameStart("hangzhou"), HandStart(), Deal(1, hand)):
        said = game.submit(Entry(event))
        assert not [one for one in said if isinstance(one, Ready)]
    (ready,) = game.submit(Entry(Indicator(Tile("9s"), "fortune")))
    assert isinstance(ready, Ready)
    assert (ready.seat, len(ready.waits), ready.audience) == (1, 34, 1)

"""A hand that is joined half way goes on as if it had been told from the deal.

Wherever a whole game stands, a position that tells all that lies there is judged like the game
itself: nothing is refused or flagged that the game allows, and what is paid otherwise says what is
not known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import pytest

from engine.announce import Announcement, Payout, Problem
from engine.events import (
    Chow,
    Claim,
    Correct,
    Discard,
    Entry,
    Event,
    Foul,
    GameStart,
    HandStart,
    Kong,
    Position,
    Pung,
)
from engine.game import Game
from engine.play import IN_PLAY
from engine.rules.riichi.table_state import quiet, table_of
from engine.state import Meld, Phase, SetKind, State
from studio.play.settled_tables import planned
from tests.support.golden import WITH_GAME, golden

EVERY = 13
"""One place in so many is tried."""
RIICHI = [rules for rules in WITH_GAME if rules.startswith("riichi")]
WITH_NOTES = [*RIICHI, "hangzhou", "hong-kong", "wsom"]
"""Rule sets whose payouts say everything that a position leaves unknown."""


@dataclass(frozen=True)
class Told:
    event: Event
    after: State
    said: Sequence[Announcement]


def played(entries: Iterable[Entry]) -> tuple[Told, ...]:
    game, told = Game(), []
    for entry in entries:
        said = game.submit(entry)
        told.append(Told(entry.event, game.state, said))
    return tuple(told)


@cache
def game_of(rules: str) -> tuple[Told, ...]:
    return played(golden(rules))


def _claim(seat: int, meld: Meld) -> Claim:
    tiles = list(meld.tiles)
    if meld.claimed in tiles:
        tiles.remove(meld.claimed)
    claimed, fed = meld.claimed or meld.tiles[0], meld.from_seat or 0
    match meld.kind:
        case SetKind.CHOW:
            return Chow(seat, fed, claimed, (tiles[0], tiles[1]))
        case SetKind.PUNG:
            return Pung(seat, fed, claimed, (tiles[0], tiles[1]))
        case SetKind.OPEN_KONG:
            return Kong(seat, "open", claimed.kind, fed)
        case SetKind.CLOSED_KONG:
            return Kong(seat, "closed", claimed.kind)
        case _:
            return Kong(seat, "added", claimed.kind, fed)


def position_of(state: State) -> Position:
    """What lies on the table; kongs name their kind alone, as somebody types them."""
    return Position(
        hands=tuple(
            player.hand if player.holds_extra or any(tile.known for tile in player.hand) else ()
            for player in state.players
        ),
        sets=tuple(
            tuple(_claim(seat, meld) for meld in player.melds)
            for seat, player in enumerate(state.players)
        ),
        rivers=tuple(
            tuple(
                Discard(seat, thrown.tile, thrown.ready)
                for thrown in player.river
                if thrown.claimed_by is None
            )
            for seat, player in enumerate(state.players)
        ),
        wall_left=state.wall_left,
        turn=state.turn,
        ready=tuple(seat for seat, player in enumerate(state.players) if player.ready),
        indicators=state.indicators,
        won=state.retired,
    )


def join(rules: str, state: State) -> tuple[Game, list[Announcement]]:
    """A game that begins with this situation."""
    game = Game()
    options, first = dict(state.options), state.first_dealer or None
    start = GameStart(rules, options, points=state.points, first_dealer=first)
    staying = state.staying if state.staying > 1 else None
    deal = HandStart(state.dealer, state.round, state.honba, state.pot // 1000, staying)
    said = [game.submit(Entry(event)) for event in (start, deal, position_of(state))]
    return game, [one for after in said for one in after]


def places(told: Sequence[Told], every: int = EVERY) -> Iterator[tuple[int, Sequence[Told]]]:
    """Places in a whole game at which a hand could be joined, and the rest of that hand."""
    starts = [at for at, one in enumerate(told) if isinstance(one.event, HandStart)]
    for begin, end in zip(starts, [*starts[1:], len(told)], strict=True):
        hand = told[begin:end]
        over = next((at for at, one in enumerate(hand) if not _open(one.after)), len(hand))
        for at in range(1, over, every):
            if _can_be_joined(hand[at].after) and not _displaced(hand[at + 1 :]):
                yield begin + at, hand[at + 1 :]


def _open(state: State) -> bool:
    return state.phase is not Phase.BEFORE_HAND


def _can_be_joined(state: State) -> bool:
    """Not before the first tile, while a kong may be robbed, or after a foul: no position tells
    that."""
    last = state.last_discard
    sets = [meld.kind for player in state.players for meld in player.melds]
    return (
        state.phase in IN_PLAY
        and not state.untouched
        and SetKind.UNSEEN not in sets
        and not (last is not None and last.added_kong)
        and not any(player.irregular for player in state.players)
        and not state.history.fouls
    )


def _displaced(rest: Sequence[Told]) -> bool:
    """Whether a better claim takes back the one that the position shows, or a person corrects a
    line by its number."""
    codes = [one.code for told in rest[:2] for one in told.said if isinstance(one, Problem)]
    return "outranked" in codes or any(isinstance(told.event, Foul | Correct) for told in rest)


def _problems(said: Sequence[Announcement]) -> set[tuple[str, int | None]]:
    return {(one.code, one.seat) for one in said if isinstance(one, Problem)}


@pytest.mark.parametrize("rules", WITH_GAME)
def test_what_a_game_allows_is_allowed_after_a_position(rules: str) -> None:
    tried = 0
    for at, rest in places(game_of(rules)):
        game, before = join(rules, game_of(rules)[at].after)
        assert _problems(before) == set(), (rules, at)
        said = [one for told in rest for one in game.submit(Entry(told.event))]
        expected = [one for told in rest for one in told.said]
        assert _problems(said) <= _problems(expected), (rules, at)
        tried += 1
    assert tried > 2


def _notes(said: Sequence[Announcement]) -> set[str]:
    items = (item.name for one in said if isinstance(one, Payout) for item in one.items)
    return {name for name in items if name.endswith("_unknown")}


@pytest.mark.parametrize("rules", WITH_NOTES)
def test_what_is_paid_otherwise_says_what_is_not_known(rules: str) -> None:
    for at, rest in places(game_of(rules)):
        state = game_of(rules)[at].after
        if state.last_discard is not None and state.players[state.last_discard.seat].ready:
            continue  # whether a deposit is due now is told by ``deposits``
        game, _ = join(rules, state)
        said = [one for told in rest for one in game.submit(Entry(told.event))]
        ended = next(told.after for told in rest if not _open(told.after))
        assert game.state.points == ended.points or _notes(said), (rules, at)


@pytest.mark.parametrize("seed", [2, 34, 20])
def test_who_has_won_is_paid_no_more_after_a_position(seed: int) -> None:
    out: Counter[int] = Counter()
    for before, rest in _after_wins(played(planned("sichuan", seed).entries)):
        game, _ = join("sichuan", before)
        said: list[Announcement] = []
        for told in rest:
            said += game.submit(Entry(told.event))
            here = game.state
            if told.after.phase not in IN_PLAY:
                continue
            assert (here.turn, here.phase) == (told.after.turn, told.after.phase)
            assert set(here.winners) == set(told.after.winners)
            assert here.wall_left == told.after.wall_left
        ended = next(told.after for told in rest if not _open(told.after))
        assert game.state.points == ended.points or _notes(said)
        if len(before.retired) == 1:
            assert game.state.dealer == ended.dealer
        else:
            assert ended.dealer in game.state.may_deal
        out[len(before.retired)] += 1
    assert out[1]
    assert out[2]


def _after_wins(told: Sequence[Told]) -> Iterator[tuple[State, Sequence[Told]]]:
    """Every place where somebody has won and the others play on, and the rest of the hand."""
    for at, rest in places(told, 1):
        state = told[at].after
        # A kong is paid with the next act.
        if state.retired and not isinstance(state.history.last_move, Kong):
            yield state, rest


@pytest.mark.parametrize("rules", RIICHI)
def test_nothing_that_was_let_pass_is_forgotten(rules: str) -> None:
    exact = 0
    for at, _ in places(game_of(rules)):
        state = game_of(rules)[at].after
        game, _ = join(rules, state)
        claimed = any(meld.is_open for player in state.players for meld in player.melds)
        own, joined = table_of(state).passed, table_of(game.state)
        for seat, place in enumerate(joined.places):
            assert own[seat] <= joined.passed[seat] | place.passed_unseen, (rules, at)
            if not claimed and not place.passed_unseen:
                assert own[seat] == joined.passed[seat], (rules, at)
                exact += 1
        if not claimed and not any(player.melds for player in state.players):
            assert (quiet(game.state) is True) == (quiet(state) is True and _all_first(state))
    assert exact > 2


def _all_first(state: State) -> bool:
    return all(len(player.river) < 2 for player in state.players)

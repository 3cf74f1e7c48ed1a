"""A camera that is switched on after somebody has won a hand of Sichuan that goes on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest
from games.recorded import RecordedDecoder

from engine.announce import Problem
from engine.events import DrawnHand, Entry, Event, HandStart, Position, Win
from engine.game import Game, replay
from engine.log import in_force
from engine.play import ordered
from engine.state import State
from studio.play.settled_tables import SettledGame
from studio.play.truth import seen_entries
from tests.support.settled_hands import played
from vision.compare import compare
from vision.table.placed_tile import PlacedTile
from vision.table.view import to_seat
from vision.tiles.classes import FACES, Side
from vision.tracking.observe import Observation

LOOKS = 4
"""Of the table after each event."""
NEAR_MM = 200.0
"""What lies farther out lies before its player."""


@dataclass(frozen=True)
class Joined:
    """What was told of a hand, and what was true of it."""

    lines: list[Entry]
    events: list[Event]
    rest: list[Entry]
    """What truly happened from then on."""
    before: State
    """How the table truly stood."""

    @property
    def position(self) -> Position:
        (position,) = (event for event in self.events if isinstance(event, Position))
        return position

    def check(self) -> None:
        at = self.events.index(self.position)
        told = [line.entry for line in in_force(self.lines)][at + 1 :]
        report = compare(self.rest, told)
        assert (report.missing, report.extra) == ((), ())
        said = replay(self.lines).announcements()
        assert [one for one in said if isinstance(one, Problem)] == []
        assert set(self.position.won or ()) == set(self.before.winners)


def join(seed: int, event: int, turned: Sequence[int] = (), rules: str = "sichuan") -> Joined:
    """Begin with the table as it lies after an event; ``turned``: whose hands lie backs up."""
    game, seen = played(rules, seed)
    marks = game.director.marks
    first = _look_after(game, event)
    over = frozenset[int]().union(*(_hand_of(seed, seat) for seat in turned))
    lines = read(game, seen[first:], over, rules)
    before = Game()
    for entry in game.entries[: event + 1]:
        before.submit(entry)
    true = seen_entries(game.entries, (), rules)
    rest = [entry for entry in true if entry.t is not None and entry.t > marks[event].t_s]
    return Joined(lines, [line.entry.event for line in in_force(lines)], rest, before.state)


def _look_after(game: SettledGame, event: int) -> int:
    times = list(dict.fromkeys(mark.t_s for mark in game.director.marks))
    return times.index(game.director.marks[event].t_s) * LOOKS


def read(
    game: SettledGame,
    seen: Sequence[Observation],
    over: frozenset[int] = frozenset(),
    rules: str = "sichuan",
) -> list[Entry]:
    """What a program tells that begins with the first look; tiles in ``over`` show their backs."""
    decoder = RecordedDecoder(rules, game.place.view)
    began_s, lines = seen[0].time_s, list[Entry]()
    for one in seen:
        shown = (_over(tile) if tile.id in over else tile for tile in one.placed)
        placed = tuple(replace(tile, first_s=tile.first_s - began_s) for tile in shown)
        lines += decoder.observe(replace(one, time_s=one.time_s - began_s, placed=placed))
    return [*lines, *decoder.close()]


def _over(tile: PlacedTile) -> PlacedTile:
    return replace(tile, side=Side.BACK, probabilities=np.zeros(len(FACES)))


def _hand_of(seed: int, seat: int) -> frozenset[int]:
    """The tiles that a seat lays open when it wins."""
    game, seen = played("sichuan", seed)
    (won,) = (
        number
        for number, mark in enumerate(game.director.marks)
        if isinstance(mark.event, Win) and mark.event.seat == seat
    )
    at = _look_after(game, won)
    lay = {tile.id for tile in seen[at - 3 * LOOKS].placed if tile.side is Side.FACE}
    hand = frozenset(
        tile.id
        for tile in seen[at].placed
        if tile.side is Side.FACE
        and tile.id not in lay
        and float(to_seat(tile.xy_mm, seat)[1]) > NEAR_MM
    )
    assert len(hand) > 6
    return hand


AFTER_WINS = (
    (38, 114),  # the first has won, by own draw, and the wall ends
    (18, 117),  # exactly between the win and the next draw
    (14, 84),
    (20, 118),
    (23, 60),  # two have won who sit opposite each other
    (20, 120),  # ... who sit next to each other
    (29, 80),  # ... exactly between the win and the next draw
)


WINNERS_STAY = (
    (3, 61),  # two have won, one with a set and one twice
    (9, 102),  # three have won, one hand still stands
)


@pytest.mark.parametrize(("seed", "event"), AFTER_WINS)
def test_a_hand_is_joined_after_a_win(seed: int, event: int) -> None:
    joined = join(seed, event)
    joined.check()
    assert joined.position.turn == joined.before.turn
    assert joined.position.wall_left == joined.before.wall_left


@pytest.mark.parametrize(("seed", "event"), WINNERS_STAY)
def test_a_hand_is_joined_whose_winners_play_on(seed: int, event: int) -> None:
    joined = join(seed, event, rules="sichuan-xueliu")
    joined.check()
    position = joined.position
    assert position.turn == joined.before.turn
    assert position.wall_left == joined.before.wall_left
    for seat, player in enumerate(joined.before.players):
        if player.won:
            assert position.hands is not None
            assert ordered(position.hands[seat]) == player.hand
        assert len((position.sets or ())[seat]) == len(player.melds)


@pytest.mark.parametrize(
    ("seed", "event", "turned"),
    [(18, 117, (0,)), (23, 60, (2,)), (8, 110, (0, 3)), (14, 84, (3,)), (34, 98, (2, 3))],
)
def test_a_winner_whose_tiles_are_turned_down_has_won(
    seed: int, event: int, turned: tuple[int, ...]
) -> None:
    join(seed, event, turned).check()


def test_who_dealt_is_asked_where_only_the_turns_before_the_win_would_tell() -> None:
    game, seen = played("sichuan", 38)
    decoder = RecordedDecoder("sichuan", game.place.view)
    for one in seen[_look_after(game, 114) :][: 3 * LOOKS]:
        decoder.observe(one)
    (question,) = decoder.questions()
    starts = [
        [e.dealer for e in way.events if isinstance(e, HandStart)] for way in question.choices
    ]
    assert len(starts) == len({tuple(dealers) for dealers in starts}) > 1


@pytest.mark.parametrize(("seed", "dealer"), [(20, 1), (8, 0)])
def test_who_deals_after_a_hand_with_two_earlier_winners_is_read_from_the_table(
    seed: int, dealer: int
) -> None:
    game, seen = played("sichuan", seed, hands=2)
    marks = game.director.marks
    wins = [number for number, mark in enumerate(marks) if isinstance(mark.event, Win)]
    starts = [number for number, mark in enumerate(marks) if isinstance(mark.event, HandStart)]
    lines = read(game, seen[_look_after(game, wins[1] + 1) : _look_after(game, starts[1] + 20)])
    events = [line.entry.event for line in in_force(lines)]
    assert [event.won for event in events if isinstance(event, Position)] != [None]
    assert DrawnHand("exhausted") in events
    assert [event.dealer for event in events if isinstance(event, HandStart)][1:] == [dealer]
    said = replay(lines).announcements()
    assert [one for one in said if isinstance(one, Problem)] == []

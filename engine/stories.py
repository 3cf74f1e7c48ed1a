"""Splits a record into games and hands, with their announcements and payouts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from engine.announce import Announcement, GameResult, Item, Payout, Problem, heard_by
from engine.events import DrawnHand, Entry, GameEnd, GameStart, HandStart, Seat, Win
from engine.game import Game
from engine.state import State
from engine.tiles import Tile

MENDING: Final = ("taken_back", "paid_before")
"""Items of a payout that changes an earlier one."""


@dataclass(frozen=True)
class StoryEvent:
    """One event in force, the state after it, and its announcements."""

    number: int
    """The number of its line in the record."""
    entry: Entry
    state: State
    said: tuple[Announcement, ...]


@dataclass(frozen=True)
class HandStory:
    """One hand, or what precedes the first hand of a game."""

    happened: tuple[StoryEvent, ...]

    @cached_property
    def _started(self) -> State:
        for event in self.happened:
            if isinstance(event.entry.event, HandStart):
                return event.state
        return self.happened[0].state

    @property
    def begun(self) -> bool:
        """False for what precedes the first hand."""
        return any(isinstance(event.entry.event, HandStart) for event in self.happened)

    @property
    def number(self) -> int:
        return self._started.hand_number

    @property
    def dealer(self) -> Seat:
        return self._started.dealer

    @property
    def round(self) -> Tile:
        return self._started.round

    @property
    def staying(self) -> int:
        return self._started.staying

    @property
    def honba(self) -> int:
        return self._started.honba

    @property
    def wins(self) -> tuple[Win, ...]:
        """Wins in force."""
        return self.happened[-1].state.wins

    @property
    def refused(self) -> tuple[Win, ...]:
        """Wins that were called but refused or outranked."""
        called = (
            event.entry.event
            for event in self.happened
            if isinstance(event.entry.event, Win) and not impossible(event)
        )
        return tuple(win for win in called if win not in self.wins)

    @property
    def drawn(self) -> str | None:
        """Why the hand was drawn; None where the record does not say so."""
        for event in self.happened:
            if isinstance(event.entry.event, DrawnHand) and not impossible(event):
                return event.entry.event.reason
        return None

    @property
    def said(self) -> tuple[Announcement, ...]:
        return tuple(announcement for event in self.happened for announcement in event.said)

    @property
    def payouts(self) -> tuple[Payout, ...]:
        return tuple(announcement for announcement in self.said if isinstance(announcement, Payout))

    @property
    def results(self) -> tuple[Payout, ...]:
        """The payouts, each with the reasons that are known by now.

        A payout that moves nothing only renews the reasons of the one before.
        """
        payouts: list[Payout] = []
        for payout in self.payouts:
            reasons = tuple(item for item in payout.items if item.name not in MENDING)
            if payouts and reasons != payout.items and not any((*payout.deltas, payout.pot)):
                payouts[-1] = replace(payouts[-1], items=reasons)
            else:
                payouts.append(payout)
        return tuple(payouts)

    @property
    def items(self) -> tuple[Item, ...]:
        """The payout items in force: without those that a later payout took back or corrected."""
        in_force: list[tuple[Item, ...]] = []
        deposits = 0
        for payout in self.payouts:
            names = {item.name for item in payout.items}
            if not names.isdisjoint(MENDING):
                in_force[deposits:] = []
            said = tuple(item for item in payout.items if item.name not in MENDING)
            in_force.append(said)
            # A deposit is not part of the result, and is never taken back.
            deposits += payout.pot > 0
        return tuple(item for items in in_force for item in items)

    @property
    def pot(self) -> int:
        """Points on the table at the start of the hand."""
        return self._started.pot

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Problems that everybody may hear of."""
        return tuple(
            announcement
            for announcement in heard_by(self.said, None)
            if isinstance(announcement, Problem)
        )

    @property
    def deltas(self) -> tuple[int, ...]:
        """What the hand moved between the four seats."""
        return tuple(sum(payout.deltas[seat] for payout in self.payouts) for seat in range(4))

    @property
    def points(self) -> tuple[int, ...]:
        return self.payouts[-1].points if self.payouts else self.happened[-1].state.points


@dataclass(frozen=True)
class GameStory:
    before: tuple[StoryEvent, ...]
    """What precedes its first hand, usually its start."""
    hands: tuple[HandStory, ...]

    @cached_property
    def happened(self) -> tuple[StoryEvent, ...]:
        return self.before + tuple(event for hand in self.hands for event in hand.happened)

    @property
    def rules(self) -> str:
        return self.happened[0].state.rules

    @property
    def options(self) -> dict[str, object]:
        return dict(self.happened[0].state.options)

    @property
    def points(self) -> tuple[int, ...]:
        return self.happened[-1].state.points_now

    @property
    def result(self) -> GameResult | None:
        """None while the game is not over."""
        for event in reversed(self.happened):
            for said in event.said:
                if isinstance(said, GameResult):
                    return said
        return None

    @property
    def ended(self) -> bool:
        return any(isinstance(event.entry.event, GameEnd) for event in self.happened)


def tell_game(game: Game) -> tuple[GameStory, ...]:
    """Split a replayed game into games and hands; its states are shared."""
    games: list[list[StoryEvent]] = []
    for played in game.played:
        event = StoryEvent(
            played.event.number, played.event.entry, played.state, played.announcements
        )
        if isinstance(event.entry.event, GameStart) or not games:
            games.append([])
        games[-1].append(event)
    return tuple(_split(happened) for happened in games)


def _split(happened: Sequence[StoryEvent]) -> GameStory:
    before: list[StoryEvent] = []
    hands: list[list[StoryEvent]] = []
    for event in happened:
        if isinstance(event.entry.event, HandStart):
            hands.append([])
        (hands[-1] if hands else before).append(event)
    return GameStory(tuple(before), tuple(HandStory(tuple(hand)) for hand in hands))


def impossible(event: StoryEvent) -> bool:
    """Whether an event contradicts what is known, so that nothing came of it."""
    return any(isinstance(problem, Problem) and problem.impossible for problem in event.said)


def last_state_of(games: Sequence[GameStory]) -> dict[int, HandStory]:
    """The hand of each event in force, by index."""
    found: dict[int, HandStory] = {}
    place = 0
    for game in games:
        place += len(game.before)
        for hand in game.hands:
            for _ in hand.happened:
                found[place] = hand
                place += 1
    return found


def happened_in(games: Sequence[GameStory]) -> tuple[StoryEvent, ...]:
    return tuple(event for game in games for event in game.happened)

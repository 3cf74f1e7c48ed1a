"""Who pays for a win of Hangzhou, against a second count that follows the words of 002."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.announce import Payout, Problem
from engine.events import (
    Discard,
    Entry,
    Event,
    GameStart,
    HandStart,
    Indicator,
    Kong,
    Position,
    Pung,
    Win,
)
from engine.fields import Unreadable
from engine.game import replay
from engine.tiles import UNKNOWN, Tile, parse

PUNGS: Final = (*(f"{rank * 3}m" for rank in "123456789"), "111p", "222p", "333p")
HANDS: Final = ("123p 456p 789p 46s 11z", "456p 789p 46s 11z", "789p 46s 11z", "46s 11z")
"""Hands that wait for 5s, by the number of declared sets."""
TIMES: Final = {1: 2, 2: 4, 3: 8}


@dataclass(frozen=True)
class Table:
    """A win of seat 0 on 5s."""

    dealer: int
    staying: int
    source: str
    """``draw``, ``discard`` or ``kong``."""
    feeder: int
    fed: tuple[tuple[int, ...], ...]
    """For each seat, whose discards it has made sets of."""
    options: dict[str, object]
    points: tuple[int, ...]

    @property
    def record(self) -> list[Event]:
        sets = [
            [
                Pung(seat, feeder, *pung(PUNGS[3 * seat + place]))
                for place, feeder in enumerate(self.fed[seat])
            ]
            for seat in range(4)
        ]
        hands = [(UNKNOWN,) * (13 - 3 * len(own)) for own in sets]
        hands[0] = parse(HANDS[len(sets[0])])
        events: list[Event] = []
        if self.source == "kong":
            sets[self.feeder].append(Pung(self.feeder, 0, *pung("555s")))
            hands[self.feeder] = hands[self.feeder][3:]
            events.append(Kong(self.feeder, "added", Tile("5s")))
        elif self.source == "discard":
            events.append(Discard(self.feeder, Tile("5s")))
        feeder = 0 if self.source == "draw" else self.feeder
        return [
            GameStart("hangzhou", self.options, None, self.points),
            HandStart(dealer=self.dealer, staying=self.staying),
            Position(
                tuple(hands),
                tuple(map(tuple, sets)),
                None,
                40,
                feeder,
                (),
                (Indicator(Tile("9s"), "fortune"),),
            ),
            *events,
            Win(0, feeder, Tile("5s")),
        ]

    def between(self, seat: int) -> int:
        return TIMES[self.staying] if self.dealer in (0, seat) else 1

    def relation(self, claimer: int, feeder: int) -> bool:
        scope = self.options["liability_scope"]
        out = scope == "banker_only" and self.dealer not in (claimer, feeder)
        extra = self.source == "kong" and claimer == self.feeder and feeder == 0
        return self.fed[claimer].count(feeder) + extra >= 3 and not out

    def expected(self) -> tuple[int, ...]:
        whole = sum(self.between(seat) for seat in (1, 2, 3))
        one = self.between(self.feeder)
        paid = [0, 0, 0, 0]
        for seat in (1, 2, 3):
            shares = self.relation(0, seat) + 2 * self.relation(seat, 0)
            if self.source == "kong":
                paid[seat] = 2 * whole if seat == self.feeder else 0
            elif self.source == "draw":
                paid[seat] = whole * shares
            else:
                extra = shares if self.options["liability_on_discard"] else 0
                paid[seat] = one * ((seat == self.feeder) + extra)
        if self.source == "draw" and not any(paid):
            paid = [0, *(self.between(seat) for seat in (1, 2, 3))]
        if self.options["chips"] != "none":
            paid = [min(due, max(left, 0)) for due, left in zip(paid, self.points, strict=True)]
        return (sum(paid), *(-due for due in paid[1:]))


def pung(text: str) -> tuple[Tile, tuple[Tile, Tile]]:
    first, second, third = parse(text)
    return first, (second, third)


def others(seat: int) -> st.SearchStrategy[tuple[int, ...]]:
    feeders = st.sampled_from([other for other in range(4) if other != seat])
    # Three sets of the same player are what it is about.
    return st.lists(feeders, max_size=3).map(tuple) | feeders.map(lambda feeder: (feeder,) * 3)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    source = draw(st.sampled_from(["draw", "draw", "discard", "kong"]))
    feeder = draw(st.integers(1, 3))
    dealer = draw(st.integers(0, 3)) if source == "draw" else draw(st.sampled_from([0, feeder]))
    fed = tuple(draw(others(seat)) for seat in range(4))
    return Table(
        dealer,
        draw(st.integers(1, 3)) if source == "draw" else 3,
        source,
        feeder,
        fed,
        {
            "liability_scope": draw(st.sampled_from(["all", "banker_only"])),
            "liability_on_discard": draw(st.booleans()),
            "chips": draw(st.sampled_from(["none", 40])),
        },
        draw(st.tuples(*[st.integers(-5, 60)] * 4)),
    )


@given(table=tables())
@settings(max_examples=120, deadline=None, derandomize=True)
def test_every_payment_is_what_the_words_of_the_rules_say(table: Table) -> None:
    game = replay(map(Entry, table.record))
    assert not [said for said in game.announcements() if isinstance(said, Problem)]
    (payout,) = [said for said in game.announcements() if isinstance(said, Payout)]
    assert payout.deltas == table.expected()
    assert sum(game.state.points) == sum(table.points)


@pytest.mark.parametrize("chips", [0, -5, True, 2.5, "many"])
def test_chips_are_a_number_above_zero_or_none(chips: object) -> None:
    with pytest.raises(Unreadable, match=r"in options\.chips"):
        replay([Entry(GameStart("hangzhou", {"chips": chips}))])


@pytest.mark.parametrize(("chips", "points"), [("none", 0), (40, 40), (333, 333)])
def test_everybody_starts_with_the_chips_agreed_on(chips: object, points: int) -> None:
    game = replay([Entry(GameStart("hangzhou", {"chips": chips}))])
    assert game.state.points == (points,) * 4

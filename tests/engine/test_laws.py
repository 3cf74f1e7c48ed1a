"""Laws that hold in every game: who sits where and what a suit is called changes no payment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cache
from random import Random
from typing import Any

import pytest

from engine.announce import Announcement, GameResult, Item, Payout, Problem, heard_by
from engine.events import (
    Chow,
    Deal,
    Draw,
    DrawnHand,
    Entry,
    Event,
    Flower,
    GameStart,
    HandStart,
    Kong,
    Position,
    Pung,
    Reveal,
    Win,
)
from engine.game import Game, replay
from engine.rules import GAMES, RULE_SETS
from engine.tile_counts import tiles_named
from engine.tiles import Tile
from tests.support.golden import WITH_GAME, golden
from tests.support.random_games import hidden, played

every_game = pytest.mark.parametrize("rules", [*(game.id for game in GAMES), "sichuan-xueliu"])
every_rule_set = pytest.mark.parametrize("rules", WITH_GAME)
SEEDS = 1, 2, 3

OF_SEATS = {"seat", "from_seat", "dealer", "first_dealer", "turn", "audience", "not_to"}
"""Fields that hold one seat."""
SEATS = {(Position, "ready"), (Position, "won")}
"""Fields that hold several."""
BY_SEAT = {
    (GameStart, "players"), (GameStart, "points"), (Position, "hands"), (Position, "sets"),
    (Position, "rivers"), (Position, "flowers"), (Payout, "deltas"), (Payout, "points"),
    (GameResult, "points"), (GameResult, "places"),
}  # fmt: skip
"""Fields that hold something of each seat, in their order."""
OF_SUITS = {"jade_dragon", "ruby_dragon", "pearl_dragon", "all_green"}
"""Patterns that name a suit."""


@dataclass(frozen=True)
class Renamed:
    """The same game at another side of the table, with other names for the suits."""

    turned: int = 0
    suits: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, value: Any) -> Any:
        match value:
            case Tile():
                return Tile("".join(self.suits.get(letter, letter) for letter in value))
            case tuple() | list():
                return tuple(map(self, value))
            case Mapping():
                return {key: self._named(key, self(one)) for key, one in value.items()}
        if not is_dataclass(value) or isinstance(value, type):
            return value
        if isinstance(value, Item) and value.unit == "seat":
            return replace(value, value=self._named("seat", value.value))
        changed = {field.name: self._field(value, field.name) for field in fields(value)}
        if isinstance(value, GameStart) and self.turned:
            changed["first_dealer"] = ((value.first_dealer or 0) + self.turned) % 4
        return replace(value, **changed)

    def _field(self, of: Any, name: str) -> Any:
        value = self(getattr(of, name))
        if value is None:
            return None
        if (type(of), name) in SEATS:
            return tuple((seat + self.turned) % 4 for seat in value)
        if (type(of), name) in BY_SEAT:
            return tuple(value[(seat - self.turned) % 4] for seat in range(4))
        return self._named(name, value)

    def _named(self, name: str, value: Any) -> Any:
        """A value of this name, which may be a seat."""
        return (value + self.turned) % 4 if name in OF_SEATS and value is not None else value


def told(entries: Sequence[Entry]) -> list[Announcement]:
    return list(replay(entries).announcements())


def alike(announcements: Sequence[Announcement], rename: Renamed) -> Counter[str]:
    """What is told, renamed, whatever the order in which equal things are named."""
    return Counter(repr(in_order(rename(one))) for one in announcements)


def in_order(value: Any) -> Any:
    """The value with lists of tiles, waits and claims in one order."""
    match value:
        case tuple() | list():
            parts = [in_order(one) for one in value]
            numbers = all(isinstance(one, int | str | None) for one in value)
            tiles = all(isinstance(one, Tile) for one in value)
            return tuple(sorted(parts, key=repr)) if tiles or not numbers else tuple(parts)
        case Mapping():
            return {key: in_order(one) for key, one in sorted(value.items())}
    if not is_dataclass(value) or isinstance(value, type):
        return value
    found = {field.name: in_order(getattr(value, field.name)) for field in fields(value)}
    if type(value).__name__ == "Problem":
        found.pop("suggestions")  # several may be as good
    return type(value).__name__, found


@cache
def game_of(rules: str, seed: int) -> tuple[Entry, ...]:
    return tuple(played(rules, seed, hands=2).entries)


@cache
def told_of(rules: str, seed: int) -> list[Announcement]:
    return told(game_of(rules, seed))


# --- who sits where ---


@every_game
@pytest.mark.parametrize("turned", [1, 2, 3])
def test_a_game_pays_the_same_wherever_its_first_dealer_sits(rules: str, turned: int) -> None:
    rename = Renamed(turned)
    now, then = told_of(rules, turned), told(rename(game_of(rules, turned)))
    assert alike(now, rename) == alike(then, Renamed())


@every_rule_set
def test_irregular_play_is_told_the_same_wherever_the_first_dealer_sits(rules: str) -> None:
    entries = tuple(golden(rules))
    rename = Renamed(turned=1)
    assert alike(told(entries), rename) == alike(told(rename(entries)), Renamed())


# --- what a suit is called ---


@every_game
@pytest.mark.parametrize("suits", ["mp", "ms", "ps"])
def test_a_game_pays_the_same_with_two_suits_exchanged(rules: str, suits: str) -> None:
    rename = Renamed(suits={suits[0]: suits[1], suits[1]: suits[0]})
    checked = 0
    for seed in SEEDS[:2]:
        now, then = told_of(rules, seed), told(rename(game_of(rules, seed)))
        named = {
            item.name for one in (*now, *then) if isinstance(one, Payout) for item in one.items
        }
        if named.isdisjoint(OF_SUITS):
            checked += 1
            assert alike(now, rename) == alike(then, Renamed())
    assert checked


# --- in what order tiles are named ---


@every_game
def test_the_order_in_which_tiles_of_a_hand_are_named_says_nothing(rules: str) -> None:
    for seed in SEEDS[:2]:
        entries = game_of(rules, seed)
        mixed = [replace(one, event=shuffled(one.event, Random(seed))) for one in entries]
        assert alike(told_of(rules, seed), Renamed()) == alike(told(mixed), Renamed())


def shuffled(event: Event, random: Random) -> Event:
    """The event with its tiles in another order."""

    def mixed(tiles: Sequence[Tile]) -> tuple[Any, ...]:
        return tuple(random.sample(tiles, len(tiles)))

    match event:
        case Deal() | Reveal():
            return replace(event, tiles=mixed(event.tiles))
        case Chow() | Pung():
            return replace(event, own=mixed(event.own))
        case Kong(own=own) if own is not None:
            return replace(event, own=mixed(own))
        case Win(hand=hand) if hand is not None:
            return replace(event, hand=mixed(hand))
    return event


# --- under any house rules ---


def house_rules(rules: str, seed: int) -> dict[str, object]:
    """A value for every option that has a list of them; three seeds show each of up to three."""
    return {
        option.name: Random(option.name).sample(option.values, len(option.values))[
            seed % len(option.values)
        ]
        for option in RULE_SETS[rules].options
        if option.values and not isinstance(option.default, tuple)
    }


@cache
def house_game(rules: str, seed: int) -> Game:
    return played(rules, seed, hands=2, options=house_rules(rules, seed))


def house_events(rules: str) -> list[Event]:
    return [entry.event for seed in SEEDS for entry in house_game(rules, seed).entries]


def test_flowers_are_laid_in_some_game_by_house_rules() -> None:
    assert any(isinstance(event, Flower) for event in house_events("hong-kong"))


def test_tiles_are_exchanged_in_some_game_by_house_rules() -> None:
    kinds = Counter(type(event) for event in house_events("sichuan"))
    assert kinds[Deal] > 4 * kinds[HandStart]


@every_game
@pytest.mark.parametrize("seed", SEEDS)
def test_what_a_game_pays_by_any_house_rules_sums_to_zero(rules: str, seed: int) -> None:
    game = house_game(rules, seed)
    paid = [one for one in game.announcements() if isinstance(one, Payout)]
    assert [one for one in paid if sum(one.deltas) + one.pot] == []
    assert [one for one in game.announcements() if isinstance(one, Problem)] == []


@every_game
@pytest.mark.parametrize("seed", SEEDS)
def test_any_house_rules_pay_the_same_at_every_side_of_the_table(rules: str, seed: int) -> None:
    game, rename = house_game(rules, seed), Renamed(seed)
    assert alike(list(game.announcements()), rename) == alike(
        told(rename(tuple(game.entries))), Renamed()
    )


@every_game
@pytest.mark.parametrize("seed", SEEDS)
def test_by_any_house_rules_others_hear_nothing_of_a_hidden_hand(rules: str, seed: int) -> None:
    """A hand whose tiles are hidden is told to the others as one whose tiles are known."""
    game, seat = house_game(rules, seed), seed % 4
    viewer = (seat + 1) % 4
    blind = replay(hidden(game.entries, [seat], draws=True))
    end = next(at for at, entry in enumerate(game.entries) if isinstance(entry.event, ENDS))
    heard = [
        [one for one in heard_by(told_by.announcements(), viewer) if one.of < end]
        for told_by in (game, blind)
    ]
    assert heard[0] == heard[1]


ENDS = (Win, DrawnHand)
"""What may lay a hand open."""


# --- draws that nobody sees ---


def with_two_draws_swapped(entries: Sequence[Entry]) -> list[Entry] | None:
    """The game in which a seat drew two tiles in the other order, where it kept both meanwhile."""
    drawn = [(at, entry.event) for at, entry in enumerate(entries) if isinstance(entry.event, Draw)]
    for number, (first, early) in enumerate(drawn):
        own = [(at, late) for at, late in drawn[number + 1 :] if late.seat == early.seat]
        for last, late in own[:-1]:
            between = [entry.event for entry in entries[first + 1 : last]]
            if any(isinstance(event, HandStart) for event in between) or late.end or early.end:
                break
            acts = [event for event in between if getattr(event, "seat", None) == late.seat]
            if early.tile in tiles_of(acts) or late.tile == early.tile:
                continue
            swapped = list(entries)
            swapped[first] = replace(entries[first], event=replace(early, tile=late.tile))
            swapped[last] = replace(entries[last], event=replace(late, tile=early.tile))
            return swapped
    return None


def tiles_of(events: Sequence[Event]) -> set[Tile]:
    return {tile for event in events for tile in tiles_named(event)}


@every_game
def test_the_order_of_two_draws_that_were_kept_says_nothing_to_the_others(rules: str) -> None:
    checked = 0
    for seed in SEEDS:
        entries = game_of(rules, seed)
        swapped = with_two_draws_swapped(entries)
        if swapped is not None:
            checked += 1
            now, then = (heard_by(told(lines), None) for lines in (entries, swapped))
            assert alike(now, Renamed()) == alike(then, Renamed())
    assert checked

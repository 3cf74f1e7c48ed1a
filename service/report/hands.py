"""The hands of a record as everybody may see them afterwards, as JSON."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from typing_extensions import TypedDict

from engine.announce import HandResult, Problem
from engine.events import Seat, Win
from engine.hands import Group, GroupKind, splits
from engine.rules import RULE_SETS
from engine.state import State
from engine.stories import GameStory, HandStory
from engine.tiles import Tile
from service.report.public import (
    AnnouncementView,
    IndicatorView,
    MeldView,
    Shows,
    indicators,
    melds_of,
    page_needs,
    public_announcements,
    unsure_row,
    worded,
)
from service.texts.catalogue import NamedRules, named_rules, texts_of
from service.texts.stories import names_in


class HandArranged(TypedDict):
    """A hand in its sets and pair, red fives as they are."""

    sets: list[list[str]]
    won: list[int]
    """Which set holds the winning tile, and where."""
    wait: str


WinView = TypedDict(
    "WinView",
    {
        "event": int | None,
        "seat": int,
        "from": int,
        "tile": str,
        "hand": list[str] | None,
        "laid": HandArranged | None,
        "melds": list[MeldView],
    },
)


class HandView(TypedDict):
    number: int
    shows: Shows
    round: str
    first_dealer: int
    dealer: int
    staying: int
    honba: int
    pot: int
    first: int
    phase: str
    wins: list[WinView]
    refused: list[WinView]
    drawn: str | None
    payouts: list[AnnouncementView]
    look: str | None
    """What is said first where a payout is asked; None where all of them stand."""
    problems: list[AnnouncementView]
    deltas: list[int]
    points: list[int]
    next: AnnouncementView | None
    indicators: list[IndicatorView]
    names: list[str]


class GameView(NamedRules):
    shows: Shows
    names: list[str]
    start: list[int]
    hands: list[HandView]
    points: list[int]
    places: list[int] | None
    ended: bool


def games_json(
    games: Sequence[GameStory], lang: str, unsure: Collection[int] = ()
) -> list[GameView]:
    """Every game with its hands, in order; ``unsure``: lines of which the payout is asked."""
    return [
        {
            **named_rules(game.rules, lang),
            "shows": page_needs(game.rules),
            "names": list(names_in(game)),
            "start": list(game.happened[0].state.points),
            "hands": [hand_json(game, hand, lang, unsure) for hand in game.hands],
            "points": list(game.points),
            "places": None if game.result is None else list(game.result.places),
            "ended": game.ended,
        }
        for game in games
    ]


def hand_json(
    game: GameStory, hand: HandStory, lang: str, unsure: Collection[int] = ()
) -> HandView:
    """One hand line by line, without hidden tiles."""
    last = hand.happened[-1].state
    names = last.names
    announcements = public_announcements(hand.said)
    over = game.ended and hand is game.hands[-1]
    problems = [announcement for announcement in announcements if isinstance(announcement, Problem)]
    results = [
        announcement for announcement in announcements if isinstance(announcement, HandResult)
    ]
    following = [] if over else results
    asked = any(payout.of in unsure for payout in hand.results)
    payouts = worded(hand.results, lang, names, rules=game.rules)
    return {
        "number": hand.number,
        "shows": page_needs(game.rules),
        "round": str(hand.round),
        "first_dealer": last.first_dealer,
        "dealer": hand.dealer,
        "staying": hand.staying,
        "honba": hand.honba,
        "pot": hand.pot,
        "first": hand.happened[0].number,
        "phase": last.phase.value,
        "wins": [win_json(hand, win) for win in hand.wins],
        "refused": [win_json(hand, win) for win in hand.refused],
        "drawn": hand.drawn,
        "payouts": [unsure_row(row, lang) if row["of"] in unsure else row for row in payouts],
        "look": texts_of(lang)["page.certificate.look"] if asked else None,
        "problems": [
            unsure_row(row, lang) if row["of"] in unsure else row
            for row in worded(problems, lang, names, rules=game.rules)
        ],
        "deltas": list(hand.deltas),
        "points": list(hand.points),
        "next": worded(following, lang, names, rules=game.rules)[-1] if following else None,
        "indicators": indicators(last, None),
        "names": list(names_in(game)),
    }


def win_json(hand: HandStory, win: Win) -> WinView:
    """A win with its hand as it is laid out, as far as everybody has seen it."""
    state = hand.happened[-1].state
    events = [event.number for event in hand.happened if event.entry.event == win]
    return {
        "event": events[-1] if events else None,
        "seat": win.seat,
        "from": win.from_seat,
        "tile": str(win.tile),
        "hand": _laid_out(state, win.seat, win),
        "laid": _arranged(state, win),
        "melds": melds_of(state.players[win.seat]),
    }


def _arranged(state: State, win: Win) -> HandArranged | None:
    """The hand in its sets; None where it is hidden, or no sets and a pair."""
    found = winning_hand(state, win) if win in state.wins else None
    if found is None:
        return None
    sets = [[str(tile) for tile in group] for group in found.sets]
    return {"sets": sets, "won": list(found.won), "wait": found.wait}


def _laid_out(state: State, seat: Seat, win: Win) -> list[str] | None:
    """The winner's hand without the winning tile; None while nobody has seen it."""
    if win.hand is not None:
        return sorted(map(str, win.hand), key=_in_suits)
    player = state.players[seat]
    if not player.shown:
        return None
    tiles = list(map(str, state.open_hand(seat)))
    if len(tiles) % 3 == 2 and str(win.tile) in tiles:
        tiles.remove(str(win.tile))
    return sorted(tiles, key=_in_suits)


def _in_suits(code: str) -> tuple[str, str]:
    """Sort key: red fives (0) are among the fives."""
    return code[-1], "5" if code[0] == "0" else code[0]


TWO_SIDED, TWO_PAIRS, CLOSED, EDGE, PAIR = "two_sided", "two_pairs", "closed", "edge", "pair"
_FIRST: Final = (TWO_SIDED, TWO_PAIRS, CLOSED, EDGE, PAIR)
"""Which wait is named where the tile may have ended several."""


@dataclass(frozen=True)
class WinningHand:
    """The undeclared tiles of a winner, the winning tile among them."""

    sets: tuple[tuple[Tile, ...], ...]
    """Sets and the pair, red fives as they are."""
    won: tuple[int, int]
    """Which set holds the winning tile, and where."""
    wait: str


def winning_hand(state: State, win: Win) -> WinningHand | None:
    """Arrange the hand of a win in force; None where it is hidden or has no sets and pair.

    A hand in which tiles may stand for others is not arranged: nothing tells what they stood for.
    """
    rules = RULE_SETS.get(state.rules)
    player = state.players[win.seat]
    hand = player.hand
    if rules is None or not player.known or win.tile not in hand or len(hand) % 3 != 2:
        return None
    if state.stand_ins or state.wild.intersection(tile.kind for tile in hand):
        return None
    found = [
        (_FIRST.index(wait), at, place, split, wait)
        for split in splits(hand)
        for at, place, wait in _ends(split, win.tile.kind)
    ]
    if not found:
        return None
    _, at, place, split, wait = min(found, key=lambda one: one[0])
    return WinningHand(_with_reds(split, hand, at, place, win.tile), (at, place), wait)


def _ends(split: Sequence[Group], tile: Tile) -> Iterator[tuple[int, int, str]]:
    """The sets that this tile may have ended, its place there, and the wait."""
    for at, group in enumerate(split):
        if tile not in _tiles(group):
            continue
        if group.kind is not GroupKind.CHOW:
            last = len(_tiles(group)) - 1
            yield at, last, PAIR if group.kind is GroupKind.PAIR else TWO_PAIRS
            continue
        place = tile.rank - group.tile.rank
        outer = (group.tile.rank == 1 and place == 2) or (group.tile.rank == 7 and place == 0)
        yield at, place, CLOSED if place == 1 else EDGE if outer else TWO_SIDED


def _tiles(group: Group) -> tuple[Tile, ...]:
    if group.kind is GroupKind.CHOW:
        first = group.tile
        return tuple(Tile(f"{first.rank + step}{first.suit}") for step in range(3))
    return (group.tile,) * (2 if group.kind is GroupKind.PAIR else 3)


def _with_reds(
    split: Sequence[Group], hand: Sequence[Tile], at: int, place: int, won: Tile
) -> tuple[tuple[Tile, ...], ...]:
    """The sets made of the very tiles of the hand."""
    left = list(hand)
    left.remove(won)
    sets = []
    for number, group in enumerate(split):
        tiles = []
        for where, kind in enumerate(_tiles(group)):
            if (number, where) == (at, place):
                tiles.append(won)
                continue
            one = next(tile for tile in left if tile.kind == kind)
            left.remove(one)
            tiles.append(one)
        sets.append(tuple(tiles))
    return tuple(sets)

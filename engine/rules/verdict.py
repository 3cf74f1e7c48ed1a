"""The rules that an event breaks, and what a game says of hands: the one verdict about a win."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from engine import hands
from engine.events import Chow, Correct, Discard, Entry, Pung, Seat, Win
from engine.hands import SETS_ONLY, HandForm
from engine.state import Meld, Player, State
from engine.tiles import Tile, faces_of

if TYPE_CHECKING:
    pass


@dataclass(frozen=True)
class Ruling:
    """The rule behind a problem code, and its consequence."""

    source: str
    """Document and section, such as ``000, 2.2``."""
    follows: str
    """Key of the sentence that says what follows."""


PEOPLE_DECIDE: Final = Ruling("record, codes of problems", "people_decide")
"""For offences that people rule on and the rule set does not mention."""


@dataclass(frozen=True)
class Fault:
    """A rule that an event breaks."""

    code: str
    values: Mapping[str, object] = field(default_factory=dict)
    """Values for the gaps of the sentence that tells of the fault."""
    ruling: Ruling | None = None
    """Set where the code has several rulings."""
    ways: tuple[tuple[Entry, ...], ...] = ()
    """What may really have happened, best first."""
    seat: Seat | None = None
    """Set where the event is of no seat, and the fault of one."""


class ReadyCalls(IntEnum):
    """Whether players claim ready."""

    NONE = 0
    """Such a call is flagged and otherwise ignored."""
    ALLOWED = 1
    NEEDED = 2
    """Only who has claimed ready may win."""


@dataclass(frozen=True)
class Verdict:
    """Whether a win counts as it was declared."""

    fault: Fault | None = None
    """The rule that refuses it. None where it counts, for all that is known."""
    certain: bool = True
    """False where it counts only because some fact is unknown."""
    draws_win: bool = False
    """The tile wins by own draw, as most do in this game, so that waiting for it is no fault."""


COUNTS: Final = Verdict()
UNPROVEN: Final = Verdict(certain=False)


def refused(code: str, values: Mapping[str, object] | None = None) -> Verdict:
    """The verdict that the rule with this code refuses the win."""
    return Verdict(Fault(code, values or {}))


def no_win(tile: Tile) -> Verdict:
    """The verdict that the hand is not complete with this tile."""
    return refused("not_a_win", {"tile": tile})


class How(NamedTuple):
    """How a hand gets the tile that may win."""

    drawn: bool
    """By own draw, else from another seat."""
    win: Win | None = None
    """The win as it was declared, with the luck of its moment; the state is the one that it led to.
    None where the tile may come at any time."""


BY_DRAW: Final = How(drawn=True)
BY_CLAIM: Final = How(drawn=False)


BARRING: Final = ("wrong_tile_count", "dead_hand")
"""Offences that keep a seat from winning for the rest of the hand in every game."""


class Judge:
    """What one game says of hands. By default a complete hand wins, and nobody calls ready."""

    ready_calls: ReadyCalls = ReadyCalls.NONE
    waits_when_barred: bool = False
    """Whether a barred seat is told its waits as if it were not; else each is refused."""

    def judge(
        self, state: State, seat: Seat, hand: tuple[Tile, ...] | None, tile: Tile, how: How
    ) -> Verdict:
        """Whether this tile wins with this waiting hand: all that a game says of wins and waits.

        ``hand`` is None where some tile or set of it is hidden, or where nobody knows yet what is
        wild and the win is declared; then only what is certain for every hand refuses. It has the
        right number of tiles.
        """
        wins = hand is None or made_whole(state, hand, self.forms(state.options), (tile.kind,))
        return COUNTS if wins else no_win(tile)

    def forms(self, options: Mapping[str, object]) -> frozenset[HandForm]:
        """Forms that a complete hand may have under these options."""
        return SETS_ONLY

    def missing(self, state: State, seat: Seat) -> tuple[str, ...] | None:
        """What a claim of being ready lacks; empty when it is good, None when unknown."""
        return ("no_ready_call",)

    def bar(self, player: Player) -> str | None:
        """The code that keeps this player from winning for the rest of the hand, if any."""
        return first_of(player, BARRING)

    def granted(self, state: State, win: Win) -> State | None:
        """The state in which the seat may declare a win that is no own draw and no claim of the
        last discard, settled where nothing is judged any more. None where it is no such win."""
        return None


ANY_COMPLETE: Final = Judge()
"""A complete hand wins, and nobody calls ready."""


def first_of(player: Player, codes: Iterable[str]) -> str | None:
    """The first of these offences that the player has committed."""
    return next((code for code in codes if code in player.irregular), None)


@lru_cache(maxsize=1 << 14)
def completing(hand: tuple[Tile, ...], forms: frozenset[HandForm]) -> tuple[Tile, ...]:
    """Tried events come back to the same hands again and again."""
    return hands.waits(hand, forms=forms)


def made_whole(
    state: State, hand: tuple[Tile, ...], forms: frozenset[HandForm], among: Collection[Tile]
) -> tuple[Tile, ...]:
    """Those of these kinds that make a waiting hand whole, with what is known to be wild."""
    if not state.wild and not state.stand_ins:
        return tuple([kind for kind in completing(hand, forms) if kind in among])
    plain = tuple(state.read_as(tile) for tile in hand if tile.kind not in state.wild)
    others = len(hand) - len(plain)
    kinds = hands.waits(plain, others, forms)
    # A wild tile completes every hand that waits for anything. It can be a fifth copy too, so it
    # may be the only wait.
    if not kinds and not hands.wins(plain, others + 1, forms):
        return ()
    return tuple([kind for kind in among if kind in state.wild or state.read_as(kind) in kinds])


def not_held(
    kinds: Iterable[Tile], hand: Iterable[Tile], melds: Iterable[Meld], copies: Mapping[Tile, int]
) -> tuple[Tile, ...]:
    """Those of the kinds of which a hand and its own sets do not hold every copy."""
    held = [tile.kind for tile in (*hand, *(tile for meld in melds for tile in meld.tiles))]
    return tuple([kind for kind in kinds if held.count(kind) < _copies(kind, copies)])


def _copies(kind: Tile, copies: Mapping[Tile, int]) -> int:
    return sum([copies.get(face, 0) for face in faces_of(kind)])


MOST_WAYS: Final = 3


def unheard_call(state: State, win: Win) -> Verdict:
    """The verdict on a win without the call of ready that it needs.

    Nobody may have seen the call, so the corrections add it to one of the winner's last discards or
    claims. They replace the win, so each ends with the win again.
    """
    ways = []
    for number, entry in reversed(state.history.entries):
        event = entry.event
        if isinstance(event, Discard | Chow | Pung) and event.seat == win.seat:
            ready = replace(entry, event=replace(event, ready=True))
            same = tuple(
                ready if other is entry else other
                for at, other in state.history.entries
                if at == number
            )
            ways.append((Entry(Correct(number, same)), Entry(win)))
    return Verdict(Fault("not_ready", ways=tuple(ways[:MOST_WAYS])))

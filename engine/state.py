"""The game as far as it has been seen: immutable values, each the result of a replay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import NamedTuple

from engine.events import (
    Chow,
    Claim,
    Discard,
    Draw,
    Entry,
    Event,
    Flower,
    Foul,
    Indicator,
    Kong,
    Position,
    Pung,
    Reveal,
    Seat,
    Win,
)
from engine.evolve import evolve
from engine.tiles import UNKNOWN, WINDS, Tile

EAST = WINDS[0]
_AFTER = tuple(tuple((seat + step) % 4 for step in (1, 2, 3)) for seat in range(4))
"""The other seats in turn order, by seat."""


class Phase(StrEnum):
    BEFORE_GAME = "before_game"
    BEFORE_HAND = "before_hand"
    """Between hands, or before the first one."""
    TO_DRAW = "to_draw"
    """The last discard may be claimed, or ``turn`` draws.

    In the last turn of the Harbin rules nobody discards: a seat keeps the drawn tile and may win
    with it, and ``turn`` is already the next seat.
    """
    TO_DISCARD = "to_discard"
    """``turn`` holds one tile more than when waiting, and discards, declares a kong or wins."""
    SETTLED = "settled"
    """Somebody won or the hand was drawn; reveals and ``HandEnd`` follow."""
    AFTER_GAME = "after_game"


class SetKind(StrEnum):
    CHOW = "chow"
    PUNG = "pung"
    OPEN_KONG = "open_kong"
    ADDED_KONG = "added_kong"
    CLOSED_KONG = "closed_kong"
    UNSEEN = "unseen"
    """Declared before the record began; its tiles are unknown."""


@dataclass(frozen=True)
class Meld:
    """A declared set."""

    kind: SetKind
    tiles: tuple[Tile, ...]
    """3 or 4 tiles with the claimed one, red fives as they are."""
    claimed: Tile | None = None
    """None for a closed kong."""
    from_seat: Seat | None = None
    """Who discarded the claimed tile; for an added kong, who fed the pung."""

    def __hash__(self) -> int:
        return hash(self.tiles)  # sets are part of many keys, and enumerations are slow to hash

    @property
    def is_open(self) -> bool:
        return self.kind is not SetKind.CLOSED_KONG

    @property
    def is_kong(self) -> bool:
        return self.kind in _KONGS


_KONGS = (SetKind.OPEN_KONG, SetKind.ADDED_KONG, SetKind.CLOSED_KONG)

UNSEEN_SET = Meld(SetKind.UNSEEN, (UNKNOWN,) * 3)


@dataclass(frozen=True)
class Discarded:
    """One tile of a river, in the order of play. It stays listed when it is claimed."""

    tile: Tile
    ready: bool = False
    drawn: bool | None = None
    claimed_by: Seat | None = None


@dataclass(frozen=True)
class Player:
    """What is known of one seat."""

    hand: tuple[Tile, ...] = ()
    """Undeclared tiles with the drawn one, sorted; ``?`` where the face is hidden."""
    drawn: Tile | None = None
    """The tile just drawn, while it is in the hand."""
    melds: tuple[Meld, ...] = ()
    river: tuple[Discarded, ...] = ()
    flowers: tuple[Tile, ...] = ()
    """Flowers and seasons laid open, which are no part of the hand."""
    won: tuple[Tile, ...] = ()
    """Tiles that it has won with and laid apart, in a game whose winners play on."""
    ready: bool = False
    """Has claimed ready (or riichi). Stays true when the claim proves false."""
    irregular: frozenset[str] = frozenset()
    """Codes of what bars this seat for the rest of the hand, such as ``dead_hand``."""
    dealt: bool = False
    """Whether the record told this seat's deal."""
    shown: bool = False
    """Whether the hand lies open."""
    sets_counted: bool = True
    """Whether ``melds`` holds every declared set; false where a position left them out."""
    ready_certain: bool = True
    """Whether ``ready`` is certain; false where a position left it out."""
    exposed: tuple[Tile, ...] = ()
    """Tiles of the concealed hand that were laid open, some of which may have left it."""

    @property
    def known(self) -> bool:
        """Whether every tile of the hand and of the declared sets is known.

        In the place of a flower stands a tile that is still to be drawn.
        """
        return bool(self.hand) and self._known_with(self.hand)

    @property
    def holds_extra(self) -> bool:
        """Whether the hand holds one tile more than when waiting."""
        return len(self.hand) % 3 == 2

    @property
    def resting(self) -> tuple[Tile, ...] | None:
        """The hand without the drawn tile; None when that tile is unknown."""
        if not self.holds_extra:
            return self.hand
        if self.drawn is None or self.drawn not in self.hand:
            return None
        place = self.hand.index(self.drawn)
        return self.hand[:place] + self.hand[place + 1 :]

    @property
    def undeclared(self) -> tuple[Tile, ...] | None:
        """The waiting hand if all its tiles are known, whether or not declared sets are."""
        hand = self.resting
        known = self.sets_counted and hand is not None and UNKNOWN not in hand
        return hand if known and not self.holds_flower else None

    @property
    def waiting(self) -> tuple[Tile, ...] | None:
        """The waiting hand if all its tiles and every declared set are known."""
        hand = self.resting
        return hand if hand is not None and self._known_with(hand) else None

    @property
    def holds_flower(self) -> bool:
        """Whether a flower is known to be in the hand, in which they come first."""
        return bool(self.hand) and self.hand[0].suit == "f"

    @property
    def lying_open(self) -> tuple[Tile, ...]:
        """Tiles of a concealed hand that everybody sees."""
        if not self.exposed:
            return ()
        held = Counter(tile for tile in self.hand if tile.known)
        return tuple((held & Counter(self.exposed)).elements())

    def _known_with(self, hand: tuple[Tile, ...]) -> bool:
        if not self.sets_counted or UNKNOWN in hand or (hand and hand[0].suit == "f"):
            return False
        for meld in self.melds:  # noqa: SIM110 - half the time of ``all``, several times an event
            if UNKNOWN in meld.tiles:
                return False
        return True


@dataclass(frozen=True)
class LastDiscard:
    """The tile that may be claimed now: discarded, or added to a pung."""

    seat: Seat
    tile: Tile
    number: int
    """Number of the event."""
    added_kong: bool = False


@dataclass(frozen=True)
class HandPlace:
    """Which hand of a game it is."""

    dealer: Seat
    round: Tile
    honba: int
    staying: int


Act = Discard | Claim
"""What a seat does before everybody's eyes with the tiles of its turn."""
TileMove = Draw | Act
"""What moves tiles between the wall, a hand and the table."""


class History(NamedTuple):
    """What happened in one hand, in order, and the parts of it that rules ask for."""

    entries: tuple[tuple[int, Entry], ...] = ()
    """Every event that was taken, with its number."""
    moves: tuple[tuple[int, TileMove], ...] = ()
    """The moves, with their numbers; draws that nobody saw are not among them."""
    acts: tuple[Act, ...] = ()
    """The moves without draws, of which the record may lack some."""
    wins: tuple[tuple[int, Win], ...] = ()
    """Wins as they were announced, with their numbers; refused ones too."""
    fouls: tuple[Foul, ...] = ()
    """Offences that people ruled."""
    claimed: bool = False
    """Whether anybody has claimed a tile or declared a kong."""
    acted: frozenset[Seat] = frozenset()
    """Who has discarded, claimed or declared a kong."""
    kongs: int = 0
    """How many kongs the last acts were, all of one seat; 0 after any other act."""
    laid_by: Seat | None = None
    """Who laid a flower, if that was the last that moved a tile."""
    refused: frozenset[int] = frozenset()
    """Places among ``entries`` of the wins that did not stand."""

    def followed_by(self, number: int, entry: Entry, *, stands: bool = True) -> History:
        """The history with one more event. ``stands``: false for a win that was refused."""
        event = entry.event
        entries = (*self.entries, (number, entry))
        _, moves, acts, wins, fouls, claimed, acted, kongs, laid_by, refused = self
        match event:
            case Draw():
                moves, laid_by = (*moves, (number, event)), None
            case Discard() | Chow() | Pung() | Kong():
                kongs = self.kongs_of(event.seat) + 1 if type(event) is Kong else 0
                moves, acts, laid_by = (*moves, (number, event)), (*acts, event), None
                claimed = claimed or type(event) is not Discard
                acted = acted if event.seat in acted else acted | {event.seat}
            case Flower(seat):
                laid_by = seat
            case Win():
                wins = (*wins, (number, event))
                refused = refused if stands else refused | {len(self.entries)}
            case Foul():
                fouls = (*fouls, event)
            case _:
                pass
        return History(entries, moves, acts, wins, fouls, claimed, acted, kongs, laid_by, refused)

    def kongs_of(self, seat: Seat) -> int:
        """Kongs in a row of this seat since any other act; with them it has drawn its tile."""
        return self.kongs if self.kongs and self.acts[-1].seat == seat else 0

    def until(self, place: int) -> History:
        """The history as it was before the entry at this place."""
        before = History()
        for at, (number, entry) in enumerate(self.entries[:place]):
            before = before.followed_by(number, entry, stands=at not in self.refused)
        return before

    def going_on_as(self, later: History, but: int) -> History:
        """This history with what ``later`` tells of hands since, besides the claim ``but`` that did
        not get its tile: wins, refused or not, offences, and hands that were shown."""
        joined = self
        for place, (number, entry) in enumerate(later.entries):
            since = place >= len(self.entries) and number != but
            if since and isinstance(entry.event, Win | Foul | Reveal):
                joined = joined.followed_by(number, entry, stands=place not in later.refused)
        return joined

    def reread(self, seat: Seat, tile: Tile, before: History) -> History:
        """The history, begun with another one, in which each discard that nobody read was this
        tile, but those of a seat."""
        named = before
        for at, (number, entry) in enumerate(self.entries):
            event = entry.event
            if isinstance(event, Discard) and event.seat != seat and not event.tile.known:
                entry = replace(entry, event=replace(event, tile=tile))
            named = named.followed_by(number, entry, stands=at not in self.refused)
        return named

    def without_wins(self, places: Iterable[int | None]) -> History:
        """The history in which the wins at these places do not stand after all."""
        gone = {place for place in places if place is not None}
        return self._replace(refused=self.refused | gone) if gone else self

    def places_of(self, wins: Sequence[Win]) -> list[int | None]:
        """Where each of the wins in force stands among ``entries``.

        None for one that is being taken.
        """
        told: dict[Event, list[int]] = {}
        for place, (_, entry) in enumerate(self.entries):
            if isinstance(entry.event, Win) and place not in self.refused:
                told.setdefault(entry.event, []).append(place)
        free = {win: iter(told.get(win, [])) for win in wins}
        return [next(free[win], None) for win in wins]

    def won_on(self, win: Win, place: int | None) -> LastDiscard | None:
        """What another seat gave for a win at this place; None for a win that is being taken."""
        if place is None or win.from_seat == win.seat:
            return None
        for number, entry in reversed(self.entries[:place]):
            move = entry.event
            if isinstance(move, TileMove) and move.seat == win.from_seat:
                kong = isinstance(move, Kong)
                return LastDiscard(win.from_seat, win.tile, number, added_kong=kong)
        return None

    @property
    def last_move(self) -> TileMove | None:
        return self.moves[-1][1] if self.moves else None

    def fouls_of(self, seat: Seat, offence: str) -> tuple[Foul, ...]:
        return tuple(foul for foul in self.fouls if (foul.seat, foul.offence) == (seat, offence))


class Agreed(dict[str, object]):
    """The house rules of a game, which never change in it, as a key of look-ups."""

    def __hash__(self) -> int:  # type: ignore[override]
        return len(self)


class Tally(NamedTuple):
    """The copies of each tile that some state names, with what they were counted from.

    A later state counts only what differs from it (``engine.tile_counts``).
    """

    players: tuple[Player, ...] = ()
    """Empty: nothing has been counted."""
    indicators: tuple[Indicator, ...] = ()
    copies: Mapping[Tile, int] = {}
    """With unknown tiles, and without regard to ``shared`` and ``lent`` tiles."""
    within: Mapping[Tile, int] | None = None
    """A wall that has all these copies. None where that was not found."""


@dataclass(frozen=True)
class State:
    """One hand of one game. A rule set maps it and an event to the next state."""

    rules: str = ""
    options: Mapping[str, object] = field(default_factory=dict)
    """Every option of the rule set, with defaults filled in."""
    names: tuple[str, ...] = ("", "", "", "")
    phase: Phase = Phase.BEFORE_GAME
    points: tuple[int, ...] = (0, 0, 0, 0)
    pot: int = 0
    """Points on the table (riichi deposits)."""
    final_points: tuple[int, ...] | None = None
    """With all that the rules add at the end of the game; None before that."""
    round: Tile = EAST
    dealer: Seat = 0
    may_deal: tuple[Seat, ...] = ()
    """Who may deal the next hand, where the record cannot tell; empty where ``dealer`` does."""
    first_dealer: Seat = 0
    """Who dealt the first hand of the game. A round ends when this seat deals again."""
    honba: int = 0
    staying: int = 1
    hand_number: int = 0
    """Hands begun in this game."""
    turn: Seat = 0
    players: tuple[Player, ...] = (Player(), Player(), Player(), Player())
    wall_left: int = 0
    """Undealt tiles, dead ones included, as the rule set counts them."""
    last_discard: LastDiscard | None = None
    """None once the next tile is drawn or a claim is made."""
    indicators: tuple[Indicator, ...] = ()
    stand_ins: Mapping[Tile, Tile] = field(default_factory=dict)
    """Tiles that count as another kind in every set, such as white dragons for a fortune."""
    wild: frozenset[Tile] = frozenset()
    """Kinds that stand for any tile in a concealed hand, once they are known."""
    history: History = field(default=History())
    """What happened in this hand."""
    joined: Position | None = None
    """The situation in which the record joined this hand. None where it has the beginning."""
    winners: tuple[Seat, ...] = ()
    """Who has won: those of a position first, in any order, then in the order of ``wins``."""
    wins: tuple[Win, ...] = ()
    """Wins of this hand in force, as they were declared."""
    drawn_reason: str | None = None
    """Why the hand ended without a winner. None before that."""
    paid: tuple[int, ...] = (0, 0, 0, 0)
    """Points that this hand's result has moved so far, without deposits."""
    dice: tuple[int, ...] = ()
    """The last dice seen in this hand."""
    shared: tuple[Tile, ...] = ()
    """Claimed winning tiles that stand with two winners but exist once."""
    lent: tuple[Tile, ...] = ()
    """Tiles in a winning hand that lie elsewhere: the winner only looked at them."""
    kept: object = None
    """What only the current rule set keeps, as a frozen value of its own."""
    contested: State | None = None
    """The state before the last claim, while a better claim may still displace it."""
    ended: HandPlace | None = None
    """The place of the last hand, from its end until the next one begins."""
    tally: Tally = field(default=Tally(), repr=False, compare=False)
    """What was counted of this state, or of one shortly before it."""

    def __getstate__(self) -> dict[str, object]:
        """What is stored: the tally is counted again."""
        return self.__dict__ | {"tally": Tally()}

    def noted(self, event: Event, number: int) -> State:
        """This state, which the event led to, with the event in its history."""
        return evolve(self, history=self.history.followed_by(number, Entry(event)))

    @property
    def untouched(self) -> bool:
        """Whether nobody has drawn, discarded, claimed or laid a flower in this hand."""
        begun = self.history.moves or any(player.flowers for player in self.players)
        return not begun and self.joined is None

    def may_be_dealt(self, seat: Seat) -> bool:
        """Whether the deal of this seat may still be told; others may lay flowers before it."""
        begun = self.history.moves or self.joined is not None
        return not begun and not self.players[seat].dealt and not self.players[seat].flowers

    @property
    def wall_counted(self) -> bool:
        """Whether the number of undealt tiles is known: no position left it out."""
        at = self.joined
        if at is None or at.wall_left is not None:
            return True
        if any(UNKNOWN in self.players[seat].won for seat in self.won_before):
            return False
        # Where a winning tile lies, nobody knows who does not see the hand.
        seen = all(at.hands is not None and at.hands[seat] for seat in self.won_before)
        return seen and None not in (at.sets, at.rivers)

    @property
    def won_before(self) -> tuple[Seat, ...]:
        """Who had won before a position began; nobody knows how, and who of several was first."""
        return (self.joined.won or ()) if self.joined is not None else ()

    @property
    def rivers_known(self) -> bool:
        """Whether every discard of the hand is known to the record, if not its face."""
        return self.joined is None or self.joined.rivers is not None

    @property
    def place(self) -> HandPlace:
        """The place of the hand that lies on the table, finished or not."""
        return self.ended or HandPlace(self.dealer, self.round, self.honba, self.staying)

    @property
    def points_now(self) -> tuple[int, ...]:
        """What each seat has: once the game is over, with all that the rules add at its end."""
        return self.points if self.final_points is None else self.final_points

    @property
    def pot_now(self) -> int:
        """Points that still lie on the table: the end of the game gives them to a seat."""
        return self.pot if self.final_points is None else 0

    @property
    def hand_over(self) -> bool:
        """Whether the last hand has a result; false where the record breaks off."""
        if self.phase is Phase.AFTER_GAME:
            return bool(self.wins) or self.drawn_reason is not None
        return self.phase is Phase.SETTLED or (
            self.phase is Phase.BEFORE_HAND and self.hand_number > 0
        )

    @property
    def retired(self) -> tuple[Seat, ...]:
        """Seats that have won in a hand that goes on without them."""
        if not self.winners:
            return ()
        plays = self.phase is Phase.TO_DRAW or self.phase is Phase.TO_DISCARD
        if not plays:
            return ()
        return tuple([seat for seat in self.winners if not self.players[seat].won])

    def draws_hidden(self, seat: Seat) -> bool:
        """Whether the tile that it has just drawn is its own affair, whatever it has shown."""
        plays = self.phase is Phase.TO_DRAW or self.phase is Phase.TO_DISCARD
        return plays and self.players[seat].drawn is not None and seat not in self.retired

    def open_hand(self, seat: Seat) -> tuple[Tile, ...]:
        """The undeclared tiles that everybody sees; only this says what of a hand lies open."""
        player = self.players[seat]
        if not player.shown:
            return player.lying_open
        resting = player.resting if self.draws_hidden(seat) else None
        return player.hand if resting is None else resting

    def read_as(self, tile: Tile) -> Tile:
        """The kind that a tile counts as in sets."""
        return self.stand_ins.get(tile.kind, tile.kind) if self.stand_ins else tile.kind

    def seat_wind(self, seat: Seat) -> Tile:
        """The wind of a seat in this hand; the dealer is east."""
        return WINDS[(seat - self.dealer) % 4]

    @property
    def last_given(self) -> tuple[Seat, Tile] | None:
        """Who gave the tile that lies before everybody since the last act, and that tile: what may
        be claimed, or the flower that was laid just now."""
        if self.last_discard is not None:
            return self.last_discard.seat, self.last_discard.tile
        last = self.history.entries[-1][1].event if self.history.entries else None
        return (last.seat, last.tile) if isinstance(last, Flower) else None

    @property
    def claimant_seats(self) -> tuple[Seat, ...]:
        """Seats that may claim the last discard, nearest to the discarder in turn order first."""
        if self.last_discard is None:
            return ()
        seats, retired = _AFTER[self.last_discard.seat], self.retired
        return tuple(seat for seat in seats if seat not in retired) if retired else seats

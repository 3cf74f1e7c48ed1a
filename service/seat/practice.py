"""A hand against three simple players, without a camera and without a table."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from random import Random
from typing import Final

from typing_extensions import TypedDict

from engine.advice import advice
from engine.announce import heard_by
from engine.errors import Malformed, NotThere, Refused
from engine.events import Chow, Discard, Event, Kong, Pung, Seat
from engine.practice import PASS, READY, WIN, PracticeHand, tiles_to_shuffle
from engine.rules import RULE_SETS
from engine.state import State
from engine.texts.announcements import Speaker
from engine.tiles import Tile
from engine.visibility import events_seen
from service.pages.bodies import PracticeWish
from service.report.public import (
    AnnouncementView,
    PublicTable,
    indicators,
    names_of,
    public_table,
    worded,
)
from service.seat.drill_views import ChoiceOffered
from service.seat.lessons import game_of, games
from service.texts.events import Parts, event_json

MOST_HANDS: Final = 64
"""Hands that are kept; the one that was left longest goes first."""
MOST_WAITING: Final = 32
"""Moves that wait for their turn; a table has four players, and a class some more."""
LEARNER: Final[Seat] = 0
_DICE: Final = 6
_TOLD: Final = (Discard, Chow, Pung, Kong)
"""Moves of the others that are told; all else is told by what is announced."""
_BUSY: Final = "too many practise at once: try again in a moment"
_GONE: Final = "this hand is not kept any more; begin a new one"


class PracticeView(TypedDict):
    """The hand as the learner sees it: the own tiles, and what lies on the table."""

    hand: str
    rules: str
    games: dict[str, str]
    """The title of every game, by its rules."""
    seat: int
    table: PublicTable
    tiles: list[str]
    drawn: str | None
    discards: list[str]
    """Tiles that may be discarded now."""
    offers: list[ChoiceOffered]
    """What else may be done."""
    happened: list[Parts]
    """What the others have done since the learner's last choice."""
    why: str | None
    """What the coach says of the learner's last discard."""
    hint: AnnouncementView | None
    """What would be best now; a page shows it where it is asked for."""
    said: list[AnnouncementView]
    """What was announced since the learner's last choice."""
    over: bool
    deltas: list[int]
    """What each player has won or paid, once the hand is over."""


@dataclass
class _Kept:
    hand: PracticeHand
    since: int = 0
    """How many events there were at the learner's last choice."""
    last: tuple[State, Tile] | None = None
    """The learner's last choice, where it was a discard, and the table before it."""


class PracticeHands:
    """The hands that are being played, in memory alone."""

    def __init__(self) -> None:
        self._hands: OrderedDict[str, _Kept] = OrderedDict()
        self._waiting = 0
        # A thread of its own: a table whose viewers all practise goes on meanwhile.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="practice")

    async def play(
        self, asked: PracticeWish, rules: str, lang: str, told: Mapping[str, object] = {}
    ) -> PracticeView:
        """Do what is asked, one move of all hands at a time: it takes up to a second.

        ``told``: the house rules. Raises ``Refused`` where too many others wait.
        """
        if asked.hand and asked.hand not in self._hands:
            raise NotThere(_GONE)
        if self._waiting >= MOST_WAITING:
            raise Refused(_BUSY)
        self._waiting += 1
        # No thread can be stopped: who asks and goes away must not let more wait than that.
        return await asyncio.shield(self._do(asked, rules, lang, told))

    async def _do(
        self, asked: PracticeWish, rules: str, lang: str, told: Mapping[str, object]
    ) -> PracticeView:
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._thread, self._done, asked, rules, lang, told)
        finally:
            self._waiting -= 1

    def _done(
        self, asked: PracticeWish, rules: str, lang: str, told: Mapping[str, object]
    ) -> PracticeView:
        """In the one thread that plays, so that no two moves of a hand meet."""
        name = asked.hand or secrets.token_urlsafe(12)
        kept = self._hands.get(name) if asked.hand else _Kept(_dealt(practised(rules), told))
        if kept is None:
            raise NotThere(_GONE)
        self._hands[name] = kept
        self._hands.move_to_end(name)
        while len(self._hands) > MOST_HANDS:
            self._hands.popitem(last=False)
        return _played(name, kept, asked.do, lang)


def practised(rules: str) -> str:
    """The rule set of which a hand is dealt; for unknown rules, the game that is taught first."""
    return rules if rules in RULE_SETS else game_of(rules)


def _dealt(rules: str, told: Mapping[str, object]) -> PracticeHand:
    random = Random(secrets.token_bytes(32))
    wall = tiles_to_shuffle(rules, told)
    random.shuffle(wall)
    dealer, dice = random.randrange(4), random.randint(1, _DICE)
    return PracticeHand.dealt(rules, wall, LEARNER, dealer, dice, told)


def _played(name: str, kept: _Kept, choice: str, lang: str) -> PracticeView:
    hand = kept.hand
    if choice:
        before = hand.state
        choices = hand.choices()
        if choice not in choices:
            raise Malformed(f"{choice} is not offered now")
        event = choices[choice]
        kept.since = len(hand.game.played)
        hand.choose(choice)
        kept.last = (before, event.tile) if isinstance(event, Discard) else None
    why = None if kept.last is None else _why(hand, *kept.last, lang)
    return view_of(name, hand, lang, kept.since, why)


def _why(hand: PracticeHand, before: State, tile: Tile, lang: str) -> str | None:
    said = advice(hand.rules, before, hand.seat, tile, by_tiles_alone=True)
    return None if said is None else Speaker(lang, rules=hand.rules.id).advice(said)


def view_of(
    name: str, hand: PracticeHand, lang: str, since: int = 0, why: str | None = None
) -> PracticeView:
    """What the learner sees; ``since``: how many events were known before."""
    game, state, seat, rules = hand.game, hand.state, hand.seat, hand.rules.id
    table = public_table(state, names_of(state))
    table["indicators"] = indicators(state, seat)
    player = state.players[seat]
    events = events_seen(game, seat, last=len(game.played) - since)
    moves = (each.entry.event for each in events)
    others = (move for move in moves if isinstance(move, _TOLD) and move.seat != seat)
    said = heard_by((one for each in game.played[since:] for one in each.announcements), seat)
    choices = hand.choices()
    hint = None
    if choices:
        (hint,) = worded([hand.rules.hint(state, seat)], lang, state.names, seat, rules)
    return {
        "hand": name,
        "rules": rules,
        "games": games(lang, rules),
        "seat": seat,
        "table": table,
        "tiles": [str(tile) for tile in player.hand],
        "drawn": None if player.drawn is None else str(player.drawn),
        "discards": [each for each in choices if each in {str(tile) for tile in player.hand}],
        "offers": [offer for each, event in choices.items() for offer in _offered(each, event)],
        "happened": [event_json(event, names_of(state), lang, rules) for event in others],
        "why": why,
        "hint": hint,
        "said": worded(said, lang, state.names, seat, rules),
        "over": hand.over,
        "deltas": deltas_of(hand) if hand.over else [],
    }


def deltas_of(hand: PracticeHand) -> list[int]:
    """What each player has won or paid in the hand."""
    first = hand.game.played[0].state.points
    return [now - before for now, before in zip(hand.game.state.points, first, strict=True)]


def _offered(name: str, event: Event | None) -> Sequence[ChoiceOffered]:
    """What is offered beside a plain discard."""
    if name in (WIN, PASS):
        return ({"name": name, "kind": name, "tiles": [], "ready": False},)
    match event:
        case Discard() if name.startswith(READY):
            return ({"name": name, "kind": "discard", "tiles": [str(event.tile)], "ready": True},)
        case Chow() | Pung() | Kong():
            own = tuple(event.own or ())
            closed = isinstance(event, Kong) and event.kind == "closed"
            tiles = own if closed else (*own, event.tile)
            ready = not isinstance(event, Kong) and event.ready
            kind = type(event).__name__.lower()
            return ({"name": name, "kind": kind, "tiles": sorted(map(str, tiles)), "ready": ready},)
    return ()

"""The first hand at the real table: what to do now, one step at a time, in a beginner's words.

What everybody is shown is made of what everybody may see; a seat with its key is told what its own
hand allows.
"""

from __future__ import annotations

import asyncio
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from fastapi import APIRouter, Request
from typing_extensions import TypedDict

from engine.announce import Problem
from engine.errors import Forbidden, Malformed
from engine.events import Entry, GameStart, Seat
from engine.first_deal import (
    NOT_COUNTED,
    Counted,
    Slip,
    Step,
    before_first_turn,
    counted_wrong,
    reached,
)
from engine.first_hand import SECRET_WIN, laid_wrong, miscounted, mistakes, steps
from engine.game import Game, replay
from engine.play import IN_PLAY
from engine.rules.base import RuleSet
from engine.rules.verdict import PEOPLE_DECIDE
from engine.state import Phase, State
from engine.texts.announcements import as_sentence, one_line
from engine.tiles import WINDS
from service.pages.bodies import FirstHandWish
from service.pages.requests import RefusingRoute
from service.pages.settings import OpenTable, Served
from service.table.first_hand import LAG_S, READ_S, FirstHand, HandKey
from service.table.seat_view import known_since
from service.texts.answers import Teller
from service.web.gate import bearer
from service.web.grants import granted
from service.web.language import Language

ADDRESS: Final = "/first-hand"
EVERYBODY: Final[Seat] = -1
"""Who is spoken to on the page of the whole table: nobody of the four."""
_DEALING: Final = (Phase.BEFORE_GAME, Phase.BEFORE_HAND)
_CALLED: Final = frozenset(("win", "kong", "pung", "chow"))
"""What is said at the table; it stands in the codes of the steps that ask for it."""
_UNTIL_BUILT: Final = ("sit", "sit_plain", "build", "build_uneven")
_SHOWN_AS: Final[Mapping[str, tuple[str, ...]]] = {
    "build": ("build", "build_uneven"),
    "dice": ("dice", "break_at"),
    "take": ("take", "takes"),
    "sort": ("sort",),
}
"""The steps that counted tiles show, each as it may be worded."""
_AGREED: Final = "people_decide"
"""What follows where the rules leave it to the people at the table: the help says so, too."""
_PLACES: Final = ("left", "middle", "right")


class StepView(TypedDict):
    """One step: a sentence and the tiles that are drawn beside it."""

    code: str
    text: str
    groups: list[list[str]]
    turned: int | None
    """The place in the first group of the tile that lies sideways."""


class FirstHandView(TypedDict):
    """What is told now; ``deal`` holds all steps up to the first turn, of which one is shown."""

    on: bool
    """Whether the host leads everybody through the hand."""
    deal: list[StepView]
    at: int
    """The place of the step of the deal that is shown."""
    now: list[StepView]
    """What may be done while a hand is played."""
    wrong: list[str]
    """What went wrong with the last event, or does not fit what was counted."""


api = APIRouter(route_class=RefusingRoute)


@api.get(ADDRESS)
async def shown(
    request: Request, served: Served, lang: Language, seat: int | None = None
) -> FirstHandView:
    """What to do now, for the whole table; with ``seat``, for the player whose key is sent."""
    if seat is not None:
        # A cookie is not enough: other players may look at the same screen.
        grant = granted(request) if bearer(request) else None
        if grant is None or not grant.shows_hand(seat):
            raise Forbidden("open this page from a seat's page, or from the admin page")
        if seat not in range(4):
            raise Malformed("expected a seat from 0 to 3")
        return await _view(served, seat, lang, grant.since)
    return await _view(served, None, lang)


@api.post(ADDRESS)
async def change(
    request: Request, served: Served, wish: FirstHandWish, lang: Language
) -> FirstHandView:
    """Lead everybody through the hand or no more (for whoever runs the table), or go to a step of
    the deal (for everybody who sits there)."""
    grant, first = granted(request), served.first_hand
    if wish.on is not None:
        if grant is None or not grant.corrects:
            raise Forbidden("whoever runs the table switches this")
        await asyncio.to_thread(first.switch, wish.on)
    if wish.at is not None:
        first.go_to(_hand_of(served.table.game), wish.at)
    served.table.tell_again()
    return await _view(served, None, lang)


async def _view(served: OpenTable, seat: Seat | None, lang: str, since: int = 0) -> FirstHandView:
    table = served.table
    game = table.game if seat is None else known_since(table.game_of(seat), since)
    start = table.settings.start
    if game.state.phase is Phase.BEFORE_GAME:
        game = replay([Entry(start or GameStart(table.settings.rules))])
    game = game.with_lines()
    counted = await asyncio.to_thread(lambda: table.reader.counted)
    return await asyncio.to_thread(first_hand_view, game, seat, lang, counted, served.first_hand)


def _hand_of(game: Game) -> HandKey:
    """The hand that is dealt or played; before the first game begins, its first hand."""
    starts = (
        played.event.number
        for played in reversed(game.played)
        if isinstance(played.event.entry.event, GameStart)
    )
    return next(starts, 0), game.state.hand_number


def first_hand_view(
    game: Game, seat: Seat | None, lang: str, counted: Counted, first: FirstHand
) -> FirstHandView:
    """What one seat is told, or with None everybody."""
    state, rules = game.state, game.rules
    assert rules is not None, "a game has begun"
    guide = _Guide(lang, state, seat, rules)
    still = first.still(counted)
    if state.phase in _DEALING:
        counted = first.of_this_deal(_hand_of(game), counted)
    deal = before_first_turn(rules, state, counted) if state.phase in _DEALING else ()
    wrong = [guide.problem(problem) for problem in _problems(game, seat, first)]
    at = _at(game, rules, counted, deal, first)
    if deal:
        # A wall that was whole gets shorter while tiles are taken, which do not stand at once.
        built = deal[at].code not in _UNTIL_BUILT
        seen = replace(counted, stacks=NOT_COUNTED) if built else counted
        slips = counted_wrong(rules, state, seen, still=still)
        found = tuple(_lasting(game, slips, first)) if any(seen.standing) else slips
    elif state.phase in IN_PLAY:
        found = tuple(_seen_wrong(game, rules, counted, first))
    else:
        found = ()
    return {
        "on": first.on,
        "deal": [guide.step(step) for step in deal],
        "at": at,
        "now": [guide.step(step) for step in steps(rules, state, seat)],
        "wrong": [*wrong, *map(guide.slip, found)],
    }


def _problems(game: Game, viewer: Seat | None, first: FirstHand) -> list[Problem]:
    """What the rules found wrong in this hand and is told now; one message may bring several
    events, and a correction may show a mistake long after it."""
    made = {
        (played.event.number, problem.code, problem.seat): problem
        for played in game.played
        if played.state.hand_number == game.state.hand_number
        for problem in mistakes(played.announcements, viewer)
    }
    number = game.played[-1].event.number if game.played else -1
    newest = [mistake for mistake in made if mistake[0] == number]
    told = first.told_now(_hand_of(game), made, newest)
    return [problem for mistake, problem in made.items() if mistake in told]


def _seen_wrong(game: Game, rules: RuleSet, counted: Counted, first: FirstHand) -> Iterator[Slip]:
    """What the tiles show to be wrong while a hand is played, once it lasts: a wrong number until
    it is put right, a set that lies wrongly once.

    After a play against the rules nobody knows whose turn it is, so nobody's tiles are counted.
    """
    counts: list[Slip] = []
    wrong = miscounted(rules, game.state, counted)
    for seat, player in enumerate(game.state.players):
        # What stood there before a discard may still be believed to stand there after it.
        known = counted.standing[seat] == rules.wall.waiting(len(player.melds))
        right = first.was_right(_hand_of(game), (seat, len(player.river)), now=known)
        fresh = right or not player.river
        counts += (
            slip for slip in wrong if slip.seat == seat and (fresh or slip.code == "too_few")
        )
    if mistakes(game.played[-1].announcements):
        counts = []
    yield from _lasting(game, (*counts, *laid_wrong(rules, game.state, counted.laid)), first)


def _lasting(game: Game, slips: Iterable[Slip], first: FirstHand) -> Iterator[Slip]:
    """Those that have been so for a while, as the dealer of a first game is known only then."""
    found: dict[Hashable, Slip] = {
        (slip.code, slip.seat, slip.values.get("set", slip.values.get("count"))): slip
        for slip in slips
    }
    once = [key for key, slip in found.items() if slip.code == "laid_wrong"]
    for key, since_s in first.lasting(_hand_of(game), found, once).items():
        if since_s >= LAG_S and (key not in once or since_s < LAG_S + READ_S):
            yield found[key]


def _at(
    game: Game, rules: RuleSet, counted: Counted, deal: Sequence[Step], first: FirstHand
) -> int:
    """The step that is shown: the one that was tapped, or a later one that the tiles show."""
    hand, seen = _hand_of(game), reached(rules, game.state, counted)
    places = [
        place for place, step in enumerate(deal) if step.code in _SHOWN_AS.get(seen or "", ())
    ]
    if places:
        first.seen_at(hand, places[0])
    return min(first.at(hand), max(0, len(deal) - 1))


class _Guide(Teller):
    """Says steps to one player, or to everybody at the table."""

    def __init__(self, lang: str, state: State, seat: Seat | None, rules: RuleSet) -> None:
        super().__init__(lang, state.names, EVERYBODY if seat is None else seat, rules.id)
        self._state, self._game = state, rules

    def step(self, step: Step) -> StepView:
        values: dict[str, object] = dict(step.values)
        if step.seat is not None:
            values["seat"] = self.seat(step.seat)
        if step.other is not None:
            values["other"] = self.seat(step.other)
        for called in _CALLED.intersection(step.code.split("_")):
            values["call"] = self._call(called, step.code)
        if step.code in ("sit", "sit_plain") and step.seat is not None:
            values["order"] = self._order(step.seat, named=step.code == "sit")
        if step.code in ("who_deals", "also_win"):
            values["players"] = self._players(step.players)
        if step.code == "own_ready":
            values["ready"] = self.word(f"badge.{self._game.page.ready_word}")
        if step.code.startswith("ends_"):
            values["reason"] = self.word(f"drawn.{step.code.removeprefix('ends_')}")
            text = self._word("first.ends", **values)
        elif step.code == "turn_up":
            text = self._word(f"first.turn_up.{self._game.layout.indicator_kinds[0]}", **values)
        else:
            text = self._word(f"first.{step.code}", **values)
        text = as_sentence(text)
        if step.code.startswith("may_") and 0 < len(step.players) < 3 and self._seat < 0:
            only = self._word("first.only", players=self._players(step.players))
            text = self._word("page.sentences", one=text, other=only)
        return {
            "code": step.code,
            "text": text,
            "groups": [list(map(str, group)) for group in step.tiles],
            "turned": step.turned,
        }

    def _call(self, called: str, code: str) -> str:
        """What is said at the table; a win by an own draw may have another word."""
        if called != "win":
            return self.word(f"page.drill.offer.{called}")
        drawn = self._state.last_discard is None or code == SECRET_WIN
        return self.word("first.call.win_drawn" if drawn else "first.call.win")

    def problem(self, problem: Problem) -> str:
        """What the rules say is wrong, by which rule, what follows, and kindly what to do."""
        named = (problem.values or {}).items()
        values = {name: self._value(name, value) for name, value in named}
        values["seat"] = self._who(problem.seat)
        said = self._happened(problem.code, values)
        by_rule = not problem.impossible and problem.source != PEOPLE_DECIDE.source
        if by_rule:  # else no rule of the game stands behind it
            source = self._source(problem.source)
            said = self._word("teach.by_rule", said=said, source=source)
        ways = self._texts.get(f"first.help.{problem.code}", self.word("first.help"))
        told = self._word("first.wrong", said=said, help=ways)
        if not problem.impossible and problem.follows != _AGREED:
            follows = self._word(f"follows.{problem.follows}", **values)
            if "{" not in follows:  # a figure of it may be unknown
                told = self._word("first.follows", told=told, follows=follows)
        return as_sentence(one_line(told))

    def slip(self, slip: Slip) -> str:
        values: dict[str, object] = {**slip.values, "seat": self.seat(slip.seat)}
        if slip.code == "laid_wrong":
            values["place"] = self.word(f"first.place.{_PLACES[min(slip.values['wanted'], 2)]}")
            values["other"] = self.seat(slip.values["from"])
            said = self._word("first.wrong.laid_wrong", **values)
            source = self._source(self._game.layout.turned_by_rule)
            said = self._word("teach.by_rule", said=said, source=source)
            ways = self._word("first.help.laid_wrong")
            return as_sentence(one_line(self._word("first.wrong", said=said, help=ways)))
        return as_sentence(self._word(f"first.wrong.{slip.code}", **values))

    def _players(self, seats: Iterable[Seat]) -> str:
        return self._list(map(self.seat, seats))

    def _order(self, dealer: Seat, *, named: bool) -> str:
        """Who sits where after the dealer, in turn; ``named``: with their winds."""
        after = [(dealer + step) % 4 for step in (1, 2, 3)]
        if not named:
            return self._players(after)
        return self._list(
            self._word("first.sits", seat=self.seat(seat), wind=self.tile(wind))
            for seat, wind in zip(after, WINDS[1:], strict=True)
        )

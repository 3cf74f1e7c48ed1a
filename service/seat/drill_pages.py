"""The drill pages: a seat's decisions for its own key, those of any seat for the admin's."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeVar

from fastapi import APIRouter, Request
from typing_extensions import TypedDict

from engine.basics import chosen
from engine.drill import PASS, Decision, decisions, mistakes
from engine.errors import Forbidden, Malformed, NotThere
from engine.events import Seat
from engine.stories import GameStory
from engine.tiles import NotATile, Tile
from service.pages.bodies import LessonWish, PracticeWish
from service.pages.requests import RefusingRoute
from service.pages.settings import OpenTable, Served
from service.seat.drill_views import (
    DecisionAsked,
    DecisionJudged,
    MistakeView,
    ReviewView,
    asked,
    judged,
    mistake_json,
    review_json,
)
from service.seat.learn import LearnView, learn_view
from service.seat.lessons import (
    AnswerView,
    Given,
    LessonView,
    Question,
    SetLesson,
    answered,
    game_of,
    lesson_view,
)
from service.seat.practice import PracticeHands, PracticeView, practised
from service.table.seat_view import known_since
from service.table.view import sat_since
from service.web.gate import bearer
from service.web.grants import Grant, granted
from service.web.language import Language
from service.web.rights import Right

SEATS: Final = range(4)
Made = TypeVar("Made")


class DecisionPlace(TypedDict):
    step: int
    hand: int


class DecisionsListed(TypedDict):
    seat: int
    any: bool
    """Whether those of every seat may be asked for."""
    names: list[str]
    decisions: list[DecisionPlace]


api = APIRouter(route_class=RefusingRoute)


class Own(NamedTuple):
    """Whose decisions are shown, as others sat there before."""

    whose: str | None
    """The name of the player. None: of all who sat there."""
    since: int
    """The line with which the first hand may begin."""


def _own(served: OpenTable, seat: Seat, grant: Grant) -> Own:
    return Own(None if grant.admin else served.table.game.state.names[seat], grant.since)


async def _decisions(served: OpenTable, seat: Seat, own: Own) -> list[Decision]:
    game = served.table.game.with_lines()
    return await asyncio.to_thread(lambda: decisions(served.stories.games(game), seat, *own))


async def _decision_at(served: OpenTable, seat: Seat, own: Own, step: int) -> Decision:
    for decision in await _decisions(served, seat, own):
        if decision.step == step:
            return decision
    raise NotThere(f"at step {step} this seat decided nothing; choose one that is listed")


async def _made(
    served: OpenTable,
    seat: Seat,
    own: Own,
    make: Callable[[Sequence[GameStory], Seat, str | None, int], Made],
) -> Made:
    """What is made of a seat's game; anew when the record has changed."""
    game = served.table.game.with_lines()
    return await served.made.once(
        (make, seat),
        (own, len(game.entries)),
        lambda: make(served.stories.games(game), seat, *own),
    )


@api.get("/drill")
async def listed(request: Request, served: Served, seat: int | None = None) -> DecisionsListed:
    """List the decisions of a seat whose hand is known.

    Nothing is told that the seat has not decided yet.
    """
    own, grant = _seat_shown(request, seat)
    made = await _decisions(served, own, _own(served, own, grant))
    return {
        "seat": own,
        "any": grant.admin,
        "names": served.table.table()["names"],
        "decisions": [
            {"step": decision.step, "hand": decision.before.hand_number} for decision in made
        ],
    }


@api.get("/drill/mistakes")
async def ranked(request: Request, served: Served, seat: int | None = None) -> list[MistakeView]:
    """The choices of a seat that fell short of the best, the dearest first."""
    own, grant = _seat_shown(request, seat)
    found = await _made(served, own, _own(served, own, grant), mistakes)
    return [mistake_json(mistake) for mistake in found]


@api.get("/drill/review")
async def review(request: Request, served: Served, seat: int | None = None) -> ReviewView:
    """What a seat could expect after each of its discards, and which of them cost most points."""
    own, grant = _seat_shown(request, seat)
    return await _made(served, own, _own(served, own, grant), review_json)


@api.get("/drill/{step}")
async def decision(
    request: Request,
    served: Served,
    step: int,
    seat: int | None = None,
    tile: str | None = None,
    offer: str | None = None,
    *,
    lang: Language,
) -> DecisionAsked | DecisionJudged:
    """Return what the seat knew; with ``tile``, also judge that discard.

    ``offer``: of a claim, a win, or letting the discard pass instead.
    """
    own, grant = _seat_shown(request, seat)
    chosen = await _decision_at(served, own, _own(served, own, grant), step)
    if tile is None and offer is None:
        return asked(chosen, own)
    played = _held(tile, chosen, own) if tile is not None else _offered(offer, chosen)
    return await asyncio.to_thread(judged, chosen, own, played, lang)


@api.get("/teach/{question}")
async def teach(
    request: Request,
    served: Served,
    question: Question,
    seat: int | None = None,
    step: int | None = None,
    *,
    lang: Language,
) -> AnswerView:
    """Answer a beginner's question by what the seat knows now; ``step``: at a decision."""
    own, grant = _seat_shown(request, seat)
    if step is None:
        played = known_since(served.table.game_of(own), grant.since).played
    else:
        chosen = await _decision_at(served, own, _own(served, own, grant), step)
        played = served.table.game.played
        played = played[: step if chosen.own_turn else step + 1]
    if not grant.admin:  # others may have sat there before
        played = played[sat_since(played, own) :]
    return await asyncio.to_thread(answered, question, played, own, lang)


@api.get("/lessons")
async def lessons(
    request: Request,
    served: Served,
    lang: Language,
    rules: str = "",
    given: Given = "",
    topic: str = "",
) -> LessonView:
    """What the lesson of a game asks after what was answered, by default of the one at the table.

    ``topic``: ask about this one.
    """
    grant = granted(request)
    game = game_of(rules or served.table.game.state.rules)
    topics = SetLesson(served.settings.records).topics
    may_set = grant is not None and Right.TEACH.of(grant)
    return await asyncio.to_thread(
        lesson_view, game, lang, given, topic, topics=topics, may_set=may_set
    )


@api.get("/learn")
async def learn(served: Served, lang: Language, rules: str = "") -> LearnView:
    """The first pages about a game, by default the one at the table."""
    state = served.table.game.state
    shown = rules or state.rules
    told = chosen(state.options) if shown == state.rules else ()
    topics = SetLesson(served.settings.records).topics
    return await asyncio.to_thread(learn_view, shown, lang, told, table=True, topics=topics)


@api.post("/practice")
async def practise(
    request: Request, served: Served, asked_for: PracticeWish, lang: Language
) -> PracticeView:
    """Play a hand against three simple players: begin one, or do what is offered."""
    hands: PracticeHands = request.app.state.practice
    state = served.table.game.state
    rules = practised(asked_for.rules or state.rules)
    told = state.options if rules == state.rules else {}
    return await hands.play(asked_for, rules, lang, told)


@api.post("/lessons")
def set_lesson(served: Served, asked_for: LessonWish) -> list[str]:
    """Keep which topics the host sets for the evening."""
    return SetLesson(served.settings.records).change(asked_for.topics)


def _seat_shown(request: Request, wanted: int | None) -> tuple[Seat, Grant]:
    """The seat that was asked for, or else the sender's own; raises ``Forbidden``."""
    # A cookie is not enough: other players may look at the same screen.
    grant = granted(request) if bearer(request) else None
    seat = wanted if wanted is not None else (grant and grant.seat) or 0
    if grant is None or not grant.shows_hand(seat):
        raise Forbidden("open this page from a seat's page, or from the admin page")
    if seat not in SEATS:
        raise Malformed("expected a seat from 0 to 3")
    return seat, grant


def _held(code: str, decision: Decision, seat: Seat) -> str:
    try:
        tile = Tile(code)
    except NotATile as error:
        raise Malformed(str(error)) from None
    if not decision.own_turn or tile not in decision.before.players[seat].hand:
        raise NotThere(f"{code} cannot be discarded here")
    return str(tile)


def _offered(name: str | None, decision: Decision) -> str:
    offers = [*decision.offers(), *([] if decision.own_turn else [PASS])]
    if name not in offers:
        raise NotThere(f"there is no choice {name!r}; choose one that is offered")
    return name

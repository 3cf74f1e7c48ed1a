"""The teacher's page: what each player shares, and the report of an evening.

A player shares from the own phone alone, and ends it there. The teacher is told what that player's
own pages would tell, and nothing of who does not share; no hand goes to a browser that sits at the
table.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from fastapi import APIRouter, Request
from typing_extensions import TypedDict

from engine.errors import Forbidden
from engine.events import Seat
from engine.lessons import TOPICS, form_after
from engine.rules import GAMES, RULE_SETS
from service.pages.bodies import Progress, SharingWish, TeacherWish
from service.pages.requests import RefusingRoute
from service.pages.settings import OpenTable, Served, grant_now
from service.report.judged import JudgedSeat, wins_of
from service.seat.evening_report import (
    LearnerReport,
    ReportTeller,
    kinds_of,
    next_lesson,
    report_of,
)
from service.seat.learn import PAGES
from service.seat.lessons import SetLesson, game_of, lesson_of
from service.table.sharing import Learnt, LearntGame, Share, WrongAnswer
from service.table.view import TilesLeftView
from service.texts.catalogue import rules_title
from service.web.gate import bearer, cookie_key
from service.web.grants import Grant, granted
from service.web.language import Language
from service.web.rights import Right

SEATS: Final = range(4)
_TOPICS: Final = tuple(topic for topic, _, _ in TOPICS)
_NOT_YOURS: Final = "open this page from a seat's page"
_PLAYS: Final = "this browser sits at the table: its hands are shown on another one"

_Made = TypeVar("_Made")

api = APIRouter(route_class=RefusingRoute)


class SharingView(TypedDict):
    on: bool
    """Whether the player of this key shares with the teacher."""


class LearntView(TypedDict):
    """How far a player is in one game."""

    rules: str
    title: str
    read: int
    pages: int
    solved: list[str]
    """Topics, from easy to hard."""
    of: int
    """How many there are."""


class WrongView(TypedDict):
    """A wrong answer of a lesson, beside the right one; in words, or as the code of a tile."""

    title: str
    topic: str
    chosen: str
    right: list[str]


class LearnerHand(TypedDict):
    """A hand as its player's page shows it now."""

    hand: list[str]
    apart: str | None
    melds: list[list[str]]
    waits: list[TilesLeftView]
    unseen: bool
    """Whether nobody has seen it: it stands hidden."""
    why: str | None
    """What the coach says of the last discard."""


class LearnerView(TypedDict):
    seat: int
    shares: bool
    learnt: list[LearntView]
    wrong: list[WrongView]
    hand: LearnerHand | None


class TeacherView(TypedDict):
    names: list[str]
    rules: str
    plays: bool
    """Whether this browser sits at the table: no hand is shown there."""
    learners: list[LearnerView]
    topics: list[str]
    """Of the game's lesson."""
    set: list[str]
    """Those that are set for the evening."""


def _own_seat(request: Request) -> tuple[Seat, Grant]:
    # A cookie is not enough: other players may look at the same screen.
    grant = granted(request) if bearer(request) else None
    if grant is None or grant.seat is None:
        raise Forbidden(_NOT_YOURS)
    return grant.seat, grant


@api.get("/sharing")
def sharing(request: Request, served: Served) -> SharingView:
    """Whether the player of this seat's key shares with the teacher."""
    seat, _ = _own_seat(request)
    return {"on": served.share_of(seat) is not None}


@api.post("/sharing")
def share(request: Request, served: Served, asked: SharingWish) -> SharingView:
    """``{"on": true}`` shares with the teacher, ``{"on": false}`` ends it.

    ``progress`` is kept only while the player shares.
    """
    seat, grant = _own_seat(request)
    if asked.on is not None:
        names = served.table.names
        if asked.on:
            served.sharing.start(seat, names[seat] if names else "", grant.since)
        else:
            served.sharing.stop((seat,))
    shares = served.share_of(seat) is not None
    if shares and asked.progress is not None:
        served.sharing.note(seat, learnt_of(asked.progress))
    if asked.on is not None:
        served.table.tell_again()
    return {"on": shares}


def learnt_of(progress: Progress) -> Learnt:
    """What there is of it in the lessons; names that no lesson knows are left out."""
    known = [game for game in progress.games if game.rules in RULE_SETS]
    return Learnt(
        tuple(
            LearntGame(
                game.rules,
                tuple(name for name in PAGES if name in game.read),
                tuple(topic for topic in _TOPICS if topic in game.solved),
            )
            for game in known
        ),
        tuple(
            WrongAnswer(each.rules, each.topic, each.tries, each.chosen)
            for each in progress.wrong
            if each.rules in RULE_SETS
        ),
    )


@api.post("/teacher")
async def view(request: Request, served: Served, asked: TeacherWish, lang: Language) -> TeacherView:
    """What the players share now: how far each is, what was answered wrongly, the hand."""
    plays = _plays(request, served, asked.device)
    _look(served, asked.device)
    game = game_of(served.table.game.state.rules or served.table.settings.rules)
    made = [await _learner(served, seat, lang, plays=plays) for seat in SEATS]
    topics = list(await asyncio.to_thread(lesson_of, game, lang))
    # Judged last, and at once: meanwhile a player may have ended it, or this browser sat down.
    plays = plays or _plays(request, served, asked.device)
    return {
        "names": served.table.table()["names"],
        "rules": game,
        "plays": plays,
        "learners": [
            _told_now(served, seat, learner, plays=plays) for seat, learner in enumerate(made)
        ],
        "topics": topics,
        "set": SetLesson(served.settings.records).topics,
    }


@api.post("/teacher/report")
async def report(
    request: Request, served: Served, asked: TeacherWish, lang: Language
) -> list[LearnerReport]:
    """Three lines about the evening of each player who shares, and the mistakes by kind."""
    if _plays(request, served, asked.device):
        raise Forbidden(_PLAYS)
    _look(served, asked.device)
    made = [await _reported(served, seat, lang) for seat in SEATS]
    if _plays(request, served, asked.device):  # it sat down while seconds went by
        raise Forbidden(_PLAYS)
    return [
        told.made
        for seat, told in enumerate(made)
        if told is not None and served.still_shares(seat, told.share)
    ]


@dataclass(frozen=True)
class _Under(Generic[_Made]):
    """What was worked out under a consent: told only if that still holds then."""

    share: Share
    made: _Made


def _look(served: OpenTable, device: str) -> None:
    """Every player's phone says that a teacher's page is open."""
    if served.sharing.look(device):
        served.table.tell_again()


def _plays(request: Request, served: OpenTable, device: str) -> bool:
    """Whether the browser has or had a seat: by its word, or by the key that it has kept.

    Raises ``Forbidden`` for whoever is not the teacher, also where the key has ended meanwhile.
    """
    # A cookie is not enough: whoever plays may have kept one of whoever runs the table.
    brought = grant_now(served, bearer(request))
    if brought is None or not Right.TEACH.of(brought):
        raise Forbidden("open this page with the teacher's code")
    kept = grant_now(served, cookie_key(request))
    return served.keys.has_sat(device) or (kept is not None and kept.seat is not None)


def _told_now(
    served: OpenTable, seat: Seat, learner: _Under[LearnerView] | None, *, plays: bool
) -> LearnerView:
    if learner is None or not served.still_shares(seat, learner.share):
        return {"seat": seat, "shares": False, "learnt": [], "wrong": [], "hand": None}
    return {**learner.made, "hand": None if plays else learner.made["hand"]}


async def _learner(
    served: OpenTable, seat: Seat, lang: str, *, plays: bool
) -> _Under[LearnerView] | None:
    share = served.share_of(seat)
    if share is None:
        return None
    learnt, wrong = await asyncio.to_thread(
        lambda: (_games(share.learnt, lang), list(_wrong(share.learnt, lang)))
    )
    hand = None if plays else await _hand(served, seat, share, lang)
    told: LearnerView = {
        "seat": seat,
        "shares": True,
        "learnt": learnt,
        "wrong": wrong,
        "hand": hand,
    }
    return _Under(share, told)


async def _hand(served: OpenTable, seat: Seat, share: Share, lang: str) -> LearnerHand:
    """What the player's own page shows, and no more."""
    views = served.seat(seat)
    game, mine, _ = await views.view(None, lang, lambda _: True, share.since)
    known = any(tile != "?" for tile in mine["hand"])
    melds = game.state.players[seat].melds
    return {
        "hand": mine["hand"] if known else [],
        "apart": mine["apart"] if known else None,
        "melds": [[str(tile) for tile in meld.tiles] for meld in melds],
        "waits": mine["waits"],
        "unseen": bool(mine["hand"]) and not known,
        "why": mine["why"],
    }


def _games(learnt: Learnt, lang: str) -> list[LearntView]:
    return [
        {
            "rules": game.rules,
            "title": rules_title(game.rules, lang),
            "read": len(game.read),
            "pages": len(PAGES),
            "solved": list(game.solved),
            "of": len(lesson_of(game_of(game.rules), lang)),
        }
        for game in learnt.games
        if game.read or game.solved
    ]


def _wrong(learnt: Learnt, lang: str) -> Iterator[WrongView]:
    """The wrong answers whose questions are there, with the right ones."""
    lessons = {game.id for game in GAMES}
    for each in learnt.wrong:
        forms = lesson_of(each.rules, lang).get(each.topic) if each.rules in lessons else None
        if forms is None:
            continue
        exercise = form_after(forms, each.tries)
        said = {choice["name"]: choice["tile"] or choice["text"] for choice in exercise["choices"]}
        if each.chosen in said:
            yield {
                "title": rules_title(each.rules, lang),
                "topic": each.topic,
                "chosen": said[each.chosen],
                "right": [said[name] for name in exercise["right"] if name in said],
            }


async def _reported(served: OpenTable, seat: Seat, lang: str) -> _Under[LearnerReport] | None:
    share = served.share_of(seat)
    if share is None:
        return None
    game = served.table.game.with_lines()
    whose = game.state.names[seat]
    rules = game.state.rules or served.table.settings.rules
    judged_of = served.judged.setdefault(seat, JudgedSeat())

    def made() -> LearnerReport:
        games = served.stories.games(game)
        judged = judged_of.of(games, seat, whose, share.since)
        teller = ReportTeller(lang, game.state.names, seat, rules)
        lesson = game_of(rules)
        topics = tuple(lesson_of(lesson, lang))
        practise = next_lesson(kinds_of(judged), lesson, share.learnt, topics)
        return report_of(judged, wins_of(games, seat, whose), seat, teller, practise)

    mark = len(game.entries), share
    return _Under(share, await served.made.once(("report", seat, lang), mark, made))

"""What a certificate says of a table in play: whether it still holds, and what is asked for it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Final

from typing_extensions import TypedDict

from engine.announce import Problem
from engine.events import DrawnHand, Event, HandEnd, HandStart, Indicator, Win
from engine.game import Game, first_since
from engine.log import EventInForce, in_force
from engine.play import ordered
from engine.second_reading import ReadOtherwise, compared
from engine.texts.files import filled
from engine.updates import change_of, told_by_camera
from service.machine.files import LineSink, fingerprint, to_stderr
from service.table.certificate import (
    Conditions,
    NoCertificate,
    Standing,
    certificate_for,
    why_lapsed,
)
from service.table.options import Options
from service.table.reader_maker import made_by
from service.table.rehearsal import conditions_of
from service.texts.catalogue import texts_of
from vision.camera.frames import Frame
from vision.decoder.question import AnswerChoice, EventPlace, Question, QuestionTile, as_read
from vision.table.quality import judge
from vision.table.view import TableView

EVEN: Final = 0.5
"""How likely each of two readings is that differ: nobody has measured which is right more often."""


class CertificateView(TypedDict):
    """What a table is certified for, in one line."""

    grade: str | None
    """None where it has lapsed."""
    text: str
    lapsed: list[str]


def standing_of(
    games: Path,
    camera: str,
    rules: str,
    options: Options,
    today: date,
    say: LineSink = to_stderr,
) -> Standing | None:
    """The last certificate of a folder of games beside what is known before a picture has come.

    None without one. What an unreadable one says is not known, so that every payout is asked, and
    ``say`` is told why.
    """
    try:
        certificate = certificate_for(games, camera)
    except NoCertificate as error:
        say(str(error))
        return Standing.unreadable(today)
    if certificate is None:
        return None
    own_set = "" if options.own_set is None else fingerprint([options.own_set])
    known = Conditions(camera, own_set, made_by()["weights"], rules=rules)
    return Standing(certificate, certificate.lapses(known, today))


def seen_with(standing: Standing, frame: Frame, view: TableView, today: date) -> Standing:
    """The same, once the dealt table was seen: thirty seconds before a game."""
    if "unreadable" in standing.lapsed:
        return standing  # there is nothing to compare it with
    findings = judge(frame.image_bgr, view.in_picture(*frame.size_px))
    now = conditions_of(view, findings)
    seen = standing.certificate.lapses(now, today)
    return replace(standing, lapsed=tuple(dict.fromkeys((*standing.lapsed, *seen))))


def certificate_view(standing: Standing, lang: str) -> CertificateView:
    texts, certificate = texts_of(lang), standing.certificate
    if "unreadable" in standing.lapsed or (standing.lapsed and certificate.grade is not None):
        text = filled(texts["page.certificate.lapsed"], {"why": why_lapsed(standing, texts)})
    elif certificate.grade is None:
        text = texts["page.certificate.none"]
    else:
        told = {
            "grade": texts[f"page.certificate.grade.{certificate.grade.name}"],
            "least": int(100 * certificate.events.at_least),
            "until": certificate.until.isoformat(),
        }
        text = filled(texts["page.certificate.holds"], told)
    grade = standing.grade
    return {
        "grade": None if grade is None else grade.name,
        "text": text,
        "lapsed": [*standing.lapsed],
    }


def unsure(
    standing: Standing | None, game: Game, since: int, asked: Sequence[Question]
) -> tuple[EventInForce, ...]:
    """What pays in the game that begins with line ``since`` and is asked: the reader told it,
    nobody has looked, and the grade does not reach.

    ``asked``: what is asked anyway. A hand that was drawn is asked until the next one begins.
    """
    if standing is None:
        return ()
    found: list[EventInForce] = []
    hand: list[EventInForce] = []
    events = in_force(game.entries, since)
    for one in (*events, None):
        if one is None or isinstance(one.entry.event, HandStart):
            until_s = math.inf if one is None else one.entry.t or math.inf
            opened = bool(hand) and any(
                (hand[0].entry.t or 0.0) <= each.place.time_s < until_s for each in asked
            )
            paid = one is None and any(game.state.paid)
            found += (
                each
                for each in hand
                if _pays(each.entry.event, paid=paid)
                and told_by_camera(game.entries, each)
                and standing.asks(opened, each.entry.confidence)
            )
            hand = []
        if one is not None:
            hand.append(one)
    return tuple(found)


def asked_payouts(
    standing: Standing | None, game: Game, since: int, asked: Sequence[Question]
) -> tuple[EventInForce, ...]:
    """What pays and is asked: for the grade, or because it was read twice and not alike."""
    by_grade = unsure(standing, game, since, asked)
    twice = (one.win for one in compared(game, since) if not one.agrees)
    return (*by_grade, *(win for win in twice if win not in by_grade))


def doubtful_fouls(standing: Standing | None, game: Game, since: int) -> tuple[EventInForce, ...]:
    """What breaks a rule in the game that begins with line ``since`` and is asked: it rests on what
    the reader did not surely see, or the certificate of the table carries no foul."""
    proved = standing is None or standing.carries_fouls
    return tuple(
        played.event
        for played in game.played[first_since(game.played, since) :]
        if any(
            isinstance(one, Problem) and not one.impossible and not (one.certain and proved)
            for one in played.announcements
        )
        and told_by_camera(game.entries, played.event)
    )


def paying_lines(payouts: Sequence[EventInForce], game: Game) -> frozenset[int]:
    """The lines with which these payouts are announced: some are when their hand ends."""
    numbers = {one.number for one in payouts}
    found: set[int] = set()
    asked = False
    for one in game.played[first_since(game.played, min(numbers)) :] if numbers else ():
        if isinstance(one.event.entry.event, HandStart):
            asked = False
        here = one.event.number in numbers
        asked |= here
        if here or (asked and isinstance(one.event.entry.event, HandEnd | Indicator)):
            found.add(one.event.number)
    return frozenset(found)


def _pays(event: Event, *, paid: bool) -> bool:
    return isinstance(event, Win) or (paid and isinstance(event, DrawnHand))


def payout_questions(
    unsure_events: Sequence[EventInForce],
    game: Game,
    asked: Sequence[Question],
    lying: Mapping[str, tuple[QuestionTile, ...]] = {},
    *,
    waits: bool = False,
) -> list[Question]:
    """One question for each change that pays: is it so, or did nothing of it happen?

    What the reader asks itself is not asked twice. Where a second reading saw another hand, that is
    a choice. ``lying``: where the tiles lie that show each change, as far as that is known.
    ``waits``: until somebody looks, as a foul does that nobody is accused of yet.
    """
    if not unsure_events:
        return []
    since = min(one.number for one in unsure_events)
    otherwise = {one.win: one.otherwise for one in compared(game, since) if one.otherwise}
    by_change: dict[str, list[EventInForce]] = {}
    for one in unsure_events:
        by_change.setdefault(change_of(game.entries, one), []).append(one)
    told = {one.place.happening.id for one in asked}
    found = []
    for change, events in by_change.items():
        place = EventPlace.of_id(change)
        if place is None or change in told:
            continue
        told_sure = (one.entry.confidence for one in events)
        sure = min(1.0 if one is None else one for one in told_sure)
        here = tuple(as_read(one.entry.event) for one in events)
        other = tuple(_as_read_again(one, otherwise.get(one, ())) for one in events)
        choices = (
            (AnswerChoice(here, sure), AnswerChoice((), 1.0 - sure))
            if other == here
            else (AnswerChoice(here, EVEN), AnswerChoice(other, EVEN), AnswerChoice((), 0.0))
        )
        tiles = lying.get(change, ())
        found.append(Question(place, choices, events[0].number, tiles, waits=waits))
    return found


def _as_read_again(one: EventInForce, otherwise: Sequence[ReadOtherwise]) -> Event:
    """A win with the tiles of its hand as they were read the second time."""
    event = as_read(one.entry.event)
    if not isinstance(event, Win):
        return event
    for each in otherwise:
        if each.of != one:  # a tile of a set, which is a line of its own
            continue
        hand = list(event.hand or ())
        if each.told in hand:
            hand[hand.index(each.told)] = each.read
            event = replace(event, hand=tuple(ordered(hand)))
        else:
            event = replace(event, tile=each.read)
    return event

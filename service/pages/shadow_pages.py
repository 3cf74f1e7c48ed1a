"""The score pad of a table in the shadow, and afterwards what was read beside it, hand by hand."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Final

from fastapi import APIRouter
from typing_extensions import TypedDict

from engine.errors import Malformed, NotThere
from engine.events import Correct, Entry
from engine.rehearsal import Share
from engine.stories import GameStory
from service.pages.bodies import PadChange
from service.pages.requests import RefusingRoute
from service.pages.settings import OpenTable, Served
from service.report.score_keeper import (
    ComparedHand,
    Moved,
    by_seat,
    compare,
    hands_read,
    rows_by_seat,
)
from service.table.notices import TroubleKind
from service.table.score_pad import ScorePad, Verdict, counted_in

ADDRESS: Final = "/shadow"


class ShadowHand(TypedDict):
    """A hand that was read, that somebody wrote down, or both."""

    name: str
    game: int | None
    hand: int | None
    event: int | None
    """The line whose moment shows how it ended."""
    read: list[int] | None
    """What it moved for each seat; None where it was not read."""
    written: list[int] | None
    agree: bool
    judged: Verdict | None


class ShareView(TypedDict):
    right: int
    of: int
    at_least: float
    """The least share of such hands that is read right, with 95 % confidence."""


class ShadowView(TypedDict):
    """The pad; what was read stands beside it once the evening is over."""

    over: bool
    names: list[str]
    rows: list[list[int]]
    ended: bool
    problem: str | None
    trouble_kind: TroubleKind | None
    hands: list[ShadowHand]
    tonight: ShareView | None
    evenings: ShareView | None
    """Of all evenings whose pads lie beside this one's; hands that nobody has judged count as
    wrong."""


api = APIRouter(route_class=RefusingRoute)


@api.get(ADDRESS)
async def pad(served: Served) -> ShadowView:
    """The pad of this evening; 404 where there is none."""
    return await asyncio.to_thread(_view, served, _pad_of(served))


@api.post(ADDRESS)
async def change(served: Served, asked: PadChange) -> ShadowView:
    """Write a hand down or take it away, end the evening, or judge a hand."""
    own = _pad_of(served)
    given = (asked.moved, asked.removed, asked.over, asked.hand)
    if sum(one is not None for one in given) != 1:
        raise Malformed("expected one of moved, removed, over and hand")
    await asyncio.to_thread(_change, served, own, asked)
    return await asyncio.to_thread(_view, served, own)


def _change(served: OpenTable, own: ScorePad, asked: PadChange) -> None:
    if asked.moved is not None:
        own.add(asked.moved)
    elif asked.removed is not None:
        own.remove(asked.removed, asked.was or ())
    elif asked.over:
        own.end(len(served.table.game.entries), served.table.names)
    elif asked.hand is not None:
        if own.over and asked.hand not in {one.name for one in _compared(served, own)}:
            raise NotThere("there is no such hand; look at the page again")
        own.judge(asked.hand, asked.right)


def _pad_of(served: OpenTable) -> ScorePad:
    own = served.settings.pad
    if own is None:
        raise NotThere("nobody keeps the score beside this table; whoever runs it starts that")
    return own


def _compared(served: OpenTable, own: ScorePad) -> list[ComparedHand]:
    """What was written down beside what was read without a word of anybody.

    A hand that was played when the evening was over may end later: it counts where it has a row.
    """
    read = [
        hand
        for hand in hands_read(_read_unaided(served, own), by_seat)
        if own.first <= hand.line and hand.begun < own.last
    ]
    return [
        one
        for one in compare(read, rows_by_seat(own.rows))
        if one.written is not None or (one.read is not None and one.read.line < own.last)
    ]


def _read_unaided(served: OpenTable, own: ScorePad) -> Sequence[GameStory]:
    """The record until the first line that people caused after the evening was over: what they
    put right then was not read right."""
    game = served.table.game
    entries = game.entries
    caused = (at for at in range(own.last, len(entries)) if _by_people(entries[at]))
    lines = next(caused, len(entries))
    return served.stories.first(game, lines)


def _by_people(entry: Entry) -> bool:
    answers = isinstance(entry.event, Correct) and entry.event.reason == "answer"
    return answers or entry.source == "person"


def _view(served: OpenTable, own: ScorePad) -> ShadowView:
    table = served.table
    hands: list[ShadowHand] = []
    tonight = evenings = None
    if own.over:
        compared = _compared(served, own)
        hands = [_hand(one, own) for one in compared]
        right, of = _counted(compared, own)
        with contextlib.suppress(OSError):  # a full disk hides nothing that was read
            own.count(right, of)
        tonight = _share(right, of)
        folder = served.settings.records
        evenings = tonight if folder is None else _share(*counted_in(folder))
    return {
        "over": own.over,
        "names": list(own.names or table.names) or [""] * 4,
        "rows": [list(row) for row in own.rows],
        "ended": table.ended,
        "problem": table.problem,
        "trouble_kind": table.trouble_kind,
        "hands": hands,
        "tonight": tonight,
        "evenings": evenings,
    }


def _counted(compared: Sequence[ComparedHand], own: ScorePad) -> tuple[int, int]:
    """How many of how many hands were read right, of those that moved something.

    A row of which people say that there was no such hand is none.
    """
    said = [(one.agree or own.judged.get(one.name) == "read", one) for one in compared if one.moves]
    hands = [right for right, one in said if one.read is not None or not right]
    return sum(hands), len(hands)


def _share(right: int, of: int) -> ShareView:
    return {"right": right, "of": of, "at_least": Share(right, of).at_least}


def _hand(one: ComparedHand, own: ScorePad) -> ShadowHand:
    read, written = one.read, one.written
    return {
        "name": one.name,
        "game": None if read is None else read.game,
        "hand": None if read is None else read.number,
        "event": None if read is None else read.line,
        "read": None if read is None else _row(read.moved),
        "written": None if written is None else _row(written.moved),
        "agree": one.agree,
        "judged": own.judged.get(one.name),
    }


def _row(moved: Moved) -> list[int]:
    return [moved.get(str(seat), 0) for seat in range(4)]

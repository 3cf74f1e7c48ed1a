"""What everybody may see of a table as JSON; the rule set and ``engine.visibility`` decide.

Events for pages and files come from ``engine.visibility.events_seen(game)``: never from the record.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from functools import lru_cache
from hashlib import blake2b
from typing import Final, NotRequired, cast

from typing_extensions import TypedDict

from engine.announce import Announcement, Hint, Payout, Turn, heard_by, itself
from engine.announce_codec import announcement_to_json
from engine.events import GameEnd, GameStart, Seat
from engine.places import places_of
from engine.played import PlayedEvent
from engine.rules import RULE_SETS
from engine.rules.base import PageNeeds
from engine.rules.wall import Wall
from engine.state import Meld, Player, SetKind, State
from engine.stories import MENDING
from engine.texts.announcements import Speaker
from engine.texts.files import filled
from engine.tiles import UNKNOWN, Tile
from engine.visibility import indicators_seen
from service.texts.catalogue import texts_of
from service.texts.events import named

Json = dict[str, object]
LONGEST_NAME: Final = 40
"""Letters of a player's name."""


class Shows(TypedDict):
    """What a page shows of a game besides tiles and points (``PageNeeds``)."""

    ready_word: str
    vocabulary: str
    round: bool
    honba: bool
    staying_from: int
    exports: list[str]
    hand_size: int
    """Tiles of a hand that waits, with its sets."""


class IndicatorView(TypedDict):
    kind: str
    tile: str


class SeatTile(TypedDict):
    seat: int
    tile: str


WinDeclared = TypedDict("WinDeclared", {"seat": int, "from": int, "tile": str})
"""A win of this hand; ``from`` is the winner for a win by own draw."""


class DiscardView(TypedDict):
    tile: str
    ready: bool
    claimed_by: int | None


MeldView = TypedDict(
    "MeldView", {"kind": str, "tiles": list[str], "claimed": str | None, "from": int | None}
)
"""A declared set; ``back`` is a tile that lies face down."""


class PlayerView(TypedDict):
    hand: list[str]
    drawn: str | None
    """The tile that stands apart, where the hand lies open."""
    shown: bool
    ready: bool
    melds: list[MeldView]
    river: list[DiscardView]


class PublicTable(TypedDict):
    """The table as a person who walks around it sees it."""

    rules: str
    phase: str
    hand: int
    round: str
    dealer: int
    first_dealer: int
    staying: int
    honba: int
    turn: int
    wall_left: int
    tiles_left: int
    """Tiles that may still be drawn."""
    points: list[int]
    places: list[int]
    """Who stands where by these points; level seats share a place where the rules say so."""
    pot: int
    names: list[str]
    winners: list[int]
    wins: list[WinDeclared]
    indicators: list[IndicatorView]
    wild: list[str]
    last_discard: SeatTile | None
    players: list[PlayerView]
    shows: Shows


class Ledger(TypedDict):
    """What a payout consists of, as each rule set counts it."""

    rows: list[tuple[str, str]]
    """What each item is called, and what it counts with its unit."""
    worth: str | None
    """Their sum."""


class AnnouncementView(TypedDict):
    """An announcement of the record's documentation, in words.

    ``key`` names it: it is the same after a reconnect, a restart, or a correction that leaves the
    announcement as it was.
    """

    of: int
    kind: str
    key: str
    text: str
    corrected: NotRequired[bool]
    """It stands in place of one that was announced before; its text says so."""
    withdrawn: NotRequired[bool]
    """It was announced before and holds no more; its text says so."""
    unsure: NotRequired[bool]
    """A payout or a foul that is asked: it stands once somebody has looked; its text says so."""
    rows: NotRequired[list[str]]
    """A payout or a hint line by line."""
    why: NotRequired[list[str]]
    """The sum that a payout comes from."""
    ledger: NotRequired[Ledger]


# As pydantic's `with_config` does: a recording is read without loading pydantic.
AnnouncementView.__pydantic_config__ = {"extra": "allow"}  # type: ignore[attr-defined]


def public_announcements(said: Iterable[Announcement]) -> list[Announcement]:
    """Announcements that are not for one seat alone."""
    return heard_by(said, None)


def public_table(state: State, names: Sequence[str]) -> PublicTable:
    place = state.place
    return {
        "rules": state.rules,
        "phase": state.phase.value,
        "hand": state.hand_number,
        "round": str(place.round),
        "dealer": place.dealer,
        "first_dealer": state.first_dealer,
        "staying": place.staying,
        "honba": place.honba,
        "turn": state.turn,
        "wall_left": state.wall_left,
        "tiles_left": _tiles_left(state),
        "points": list(state.points_now),
        "places": list(places_now(state)),
        "pot": state.pot_now,
        "names": list(names),
        "winners": list(state.winners),
        "wins": [
            {"seat": win.seat, "from": win.from_seat, "tile": str(win.tile)} for win in state.wins
        ],
        "indicators": indicators(state, None),
        "wild": _wild(state),
        "last_discard": None
        if state.last_discard is None
        else {"seat": state.last_discard.seat, "tile": str(state.last_discard.tile)},
        "players": [_player(state, seat) for seat in range(4)],
        "shows": page_needs(state.rules),
    }


def page_needs(rules: str) -> Shows:
    """What a page shows of games by these rules besides tiles and points."""
    known = RULE_SETS.get(rules)
    needs, wall = (PageNeeds(), Wall({})) if known is None else (known.page, known.wall)
    return cast(Shows, asdict(needs) | {"hand_size": wall.hand_size})


def indicators(state: State, seat: Seat | None) -> list[IndicatorView]:
    """The indicators of this hand as one seat sees them; None is everybody."""
    turned = indicators_seen(state, RULE_SETS.get(state.rules), seat)
    return [{"kind": indicator.kind, "tile": str(indicator.tile)} for indicator in turned]


def names_of(state: State) -> tuple[str, ...]:
    return seat_names(state.names)


def seat_names(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(name or f"Seat {seat}" for seat, name in enumerate(names))


def places_now(state: State) -> tuple[int, ...]:
    """Who stands where by the points of the table, as its rules tell ties."""
    rules = RULE_SETS.get(state.rules)
    return places_of(state.points) if rules is None else rules.hands.final(state, GameEnd()).places


def _tiles_left(state: State) -> int:
    """Tiles that may still be drawn."""
    rules = RULE_SETS.get(state.rules)
    return state.wall_left if rules is None else max(0, rules.wall.live(state))


def _wild(state: State) -> list[str]:
    """Codes of tiles that stand for any tile, such as the fortune of Hangzhou."""
    return sorted(map(str, state.wild))


def _player(state: State, seat: Seat) -> PlayerView:
    player = state.players[seat]
    hand = state.open_hand(seat) if player.shown else ()
    hidden = (UNKNOWN,) * (len(player.hand) - len(hand))
    drawn = player.drawn if player.shown and not hidden else None
    return {
        "hand": [str(tile) for tile in (*hand, *hidden)],
        "drawn": None if drawn is None else str(drawn),
        "shown": player.shown,
        "ready": player.ready,
        "melds": melds_of(player),
        "river": [
            {"tile": str(discard.tile), "ready": discard.ready, "claimed_by": discard.claimed_by}
            for discard in player.river
        ],
    }


def melds_of(player: Player) -> list[MeldView]:
    """A player's declared sets, and single tiles beside them: flowers, and what it has won with
    and plays on. The outer tiles of closed kongs lie face down."""
    flowers: list[MeldView] = [
        {"kind": "flower", "tiles": [str(tile)], "claimed": None, "from": None}
        for tile in (*player.flowers, *player.won)
    ]
    return [*(_meld(meld) for meld in player.melds), *flowers]


def _meld(meld: Meld) -> MeldView:
    tiles: list[Tile | None] = list(meld.tiles)
    if meld.kind is SetKind.CLOSED_KONG:
        tiles[0] = tiles[-1] = None
    return {
        "kind": meld.kind.value,
        "tiles": ["back" if tile is None else str(tile) for tile in tiles],
        "claimed": None if meld.claimed is None else str(meld.claimed),
        "from": meld.from_seat,
    }


KEY_BYTES: Final = 8
WORDED: Final = 2048
"""Rows that are kept: of a view 60, for everybody and four seats, in four languages, and others."""


def worded(
    said: Iterable[Announcement],
    lang: str,
    names: Sequence[str],
    you: Seat | None = None,
    rules: str = "",
) -> list[AnnouncementView]:
    """What may be read out; whose turn it is is seen on the table.

    The seat ``you`` is spoken to.
    """
    return [
        _kept(_Same(announcement), lang, tuple(names), you, rules)
        for announcement in said
        if not isinstance(announcement, Turn)
    ]


def names_when(played: Sequence[PlayedEvent], number: int) -> tuple[str, ...]:
    """The players' names at one line of a record: the next game of an evening may have others.

    It is looked for from the end: most lines that are asked for are among the last.
    """
    if not played:
        return ("",) * 4
    back = 1
    while back < len(played) and played[len(played) - back].event.number >= number:
        back *= 2
    first = max(0, len(played) - back)
    at = bisect_left(played, number, first, key=lambda event: event.event.number)
    return played[min(at, len(played) - 1)].state.names


def said_last(played: Sequence[PlayedEvent], most: int) -> list[Announcement]:
    """The last public announcements of the game; only as much is read as needed."""
    announcements: list[Announcement] = []
    for place in reversed(range(len(played))):
        said = [
            announcement
            for announcement in played[place].announcements
            if not isinstance(announcement, Turn)
        ]
        announcements[:0] = public_announcements(said)
        begins = isinstance(played[place].event.entry.event, GameStart)
        if begins or len(announcements) >= most:
            break
    return announcements[-most:]


class _Same:
    """An announcement by its identity: not all of them can be hashed."""

    def __init__(self, one: Announcement) -> None:
        self.one = one

    def __hash__(self) -> int:
        return id(self.one)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.one is self.one


@lru_cache(WORDED)
def _kept(
    same: _Same, lang: str, names: tuple[str, ...], you: Seat | None, rules: str
) -> AnnouncementView:
    """One row, which nobody changes: views of a table have the same ones until they are old."""
    return worded_by(same.one, Speaker(lang, named(names, lang), you, rules), names)


def worded_by(one: Announcement, speaker: Speaker, names: Sequence[str]) -> AnnouncementView:
    written = json.dumps([announcement_to_json(itself(one)), names], sort_keys=True)
    key = blake2b(written.encode(), digest_size=KEY_BYTES).hexdigest()
    worded: Json = announcement_to_json(one) | {"text": speaker.sentence(one), "key": key}
    if isinstance(one, (Payout, Hint)):
        worded["rows"] = list(speaker.rows(one))
    if isinstance(one, Payout):
        worded["why"] = list(speaker.explained(one))
        worded["ledger"] = _ledger(one, speaker)
    return cast(AnnouncementView, worded)


def corrected(row: AnnouncementView, lang: str) -> AnnouncementView:
    """An announcement in place of one that was made before, as a person would say it.

    A payment that says so itself stays as it is.
    """
    items = cast(Sequence[Json], cast(Json, row).get("items", ()))
    if any(item["name"] in MENDING for item in items):
        return row
    text = filled(texts_of(lang)["page.corrected"], {"said": row["text"]})
    return {**row, "corrected": True, "text": text}


def unsure_row(row: AnnouncementView, lang: str, why: str | None = None) -> AnnouncementView:
    """A payout or a foul that does not stand before somebody has looked.

    ``why``: what a second reading saw; else the table's grade does not let it stand.
    """
    if row["kind"] == "problem":
        asks = cast(Json, row).get("certain") is False  # its text says so
        key = "page.certificate.foul"
        text = row["text"] if asks else filled(texts_of(lang)[key], {"said": row["text"]})
        return {**row, "unsure": True, "text": text}
    if row["kind"] != "payout":
        return row
    text = filled(texts_of(lang)["page.certificate.unsure"], {"said": row["text"]})
    text = text if why is None else f"{text} {why}"
    return {**row, "unsure": True, "text": text}


def withdrawn(row: AnnouncementView, lang: str, lines: int) -> AnnouncementView:
    """An announcement that holds no more, with nothing in its place, as a person would say it.

    ``lines`` of the record: it may be made and taken back again later, which is other news.
    """
    text = filled(texts_of(lang)["page.withdrawn"], {"said": row["text"]})
    return {**row, "withdrawn": True, "key": f"{row['key']}-{lines}", "text": text}


def _ledger(payout: Payout, speaker: Speaker) -> Ledger:
    lines, worth = speaker.ledger(payout)
    return {"rows": list(lines), "worth": worth}

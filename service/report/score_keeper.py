"""What somebody wrote down of the hands of a record, beside what was read of them.

A score keeper writes a row for each hand: what it moved, for each player. Hands that moved nothing
need no row. Which row is of which hand follows from their order and their figures.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise, zip_longest
from typing import Final

from engine.errors import Refused
from engine.events import Win
from engine.stories import GameStory, HandStory
from engine.texts.figures import signed
from service.report.sheet import COLUMNS, SEATS
from service.texts.catalogue import texts_of
from service.texts.stories import names_in

Moved = Mapping[str, int]
"""What a hand moved, by player; who won and lost nothing is left out."""
MOST_ROWS: Final = 2000
"""Rows of one evening, far more than are played: to compare them takes a second."""
OUR_COLUMNS: Final = tuple(f"delta_{seat}" for seat in SEATS)
"""Of the sheet that ``tilesight score`` writes."""
_SIGNS: Final = str.maketrans(dict.fromkeys("−–﹣－▲△", "-") | {"＋": "+"})
"""Minus signs, also those of Japanese accounts."""
_SPACES: Final = re.compile(r"[\s'’_]")
_THOUSANDS: Final = re.compile(r"([+-]?[1-9]\d{0,2})((?:,\d{3})+|(?:\.\d{3})+)")
_WHOLE: Final = re.compile(r"([+-]?\d+)[.,]0{1,2}")
"""As programs write whole numbers of a column with fractions."""
_TOLD_MARK: Final = re.compile(r"sep=([,;\t])", re.IGNORECASE)
"""The first line of sheets that are made for Excel."""


@dataclass(frozen=True)
class HandRead:
    game: int
    """From 1."""
    number: int
    """In the game, as the rules count hands."""
    from_s: float | None
    until_s: float | None
    """Seconds of the film; None where the record has no times."""
    moved: Moved
    begun: int
    """The line of the record with which the hand began."""
    line: int
    """The win, or whatever ended the hand."""


@dataclass(frozen=True)
class RowWritten:
    line: int
    """In the file, from 1."""
    moved: Moved


@dataclass(frozen=True)
class ComparedHand:
    """A hand that was read, that somebody wrote down, or both."""

    read: HandRead | None
    written: RowWritten | None

    @property
    def name(self) -> str:
        """What a judgement of it is kept under."""
        if self.read is not None:
            # Two hands of a game may have one number: a hand is played again after some draws.
            return f"hand {self.read.game}.{self.read.number}, line {self.read.line}"
        return f"row {self.written.line}" if self.written is not None else ""

    @property
    def moves(self) -> bool:
        """Whether it moved something, as either says.

        Another hand was written down by nobody, so nothing shows that it was read right.
        """
        return bool(_moved(self.read) or _moved(self.written))

    @property
    def agree(self) -> bool:
        """Whether both say the same; what moved nothing need not be written down."""
        return _moved(self.read) == _moved(self.written)


def _moved(one: HandRead | RowWritten | None) -> Moved:
    return {} if one is None else one.moved


def hands_read(
    games: Sequence[GameStory], columns: Callable[[GameStory], Sequence[str]] | None = None
) -> list[HandRead]:
    """The hands of a record that are over.

    ``columns``: what each seat is called in ``Moved``; without it by the names of its players.
    """
    columns = columns or _columns
    return [
        HandRead(
            number,
            hand.number,
            hand.happened[0].entry.t,
            hand.happened[-1].entry.t,
            _by_player(columns(game), hand.deltas),
            hand.happened[0].number,
            _line_of_end(hand),
        )
        for number, game in enumerate(games, start=1)
        for hand in game.hands
        if hand.happened[-1].state.hand_over
    ]


def _line_of_end(hand: HandStory) -> int:
    wins = [one.number for one in hand.happened if isinstance(one.entry.event, Win)]
    return wins[-1] if wins else hand.happened[-1].number


def _columns(game: GameStory) -> list[str]:
    """The column of each seat: its player's name, or where nobody gave one its number."""
    names = game.happened[0].state.names or ("",) * len(SEATS)
    plain = [_plain(name) or str(seat) for seat, name in enumerate(names)]
    # Names that are spelled alike stay two columns.
    return [name if plain.count(name) == 1 else f"{name} {seat}" for seat, name in enumerate(plain)]


def players_of(games: Sequence[GameStory], lang: str) -> dict[str, str]:
    """The names of all players as people read them, by the names in ``Moved``."""
    pairs = (zip(_columns(game), names_in(game, lang), strict=True) for game in games)
    return {column: name for pair in pairs for column, name in pair}


def moved_text(moved: Moved, players: Mapping[str, str], lang: str) -> str:
    """What a hand moved, such as ``Anna +8, Bo −8``."""
    texts = texts_of(lang)
    parts = (f"{name} {signed(moved[key])}" for key, name in players.items() if key in moved)
    return texts["between"].join(parts) or texts["report.nothing_moved"]


def by_seat(_: GameStory) -> Sequence[str]:
    """The columns of a pad, on which a row has a place for each seat."""
    return [str(seat) for seat in SEATS]


def rows_by_seat(rows: Sequence[Sequence[int]]) -> list[RowWritten]:
    """The rows of a pad, numbered from 1."""
    columns = [str(seat) for seat in SEATS]
    return [RowWritten(at, _by_player(columns, row)) for at, row in enumerate(rows, start=1)]


def _by_player(columns: Sequence[str], moved: Sequence[int]) -> Moved:
    return {column: points for column, points in zip(columns, moved, strict=True) if points}


def _plain(name: str) -> str:
    """A name as two people would write it alike."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


# --- what was written down ---


def rows_written(text: str, games: Sequence[GameStory]) -> list[RowWritten]:
    """Read comma-separated values, with a heading, of somebody who kept the score.

    The columns are the players' names, or ``delta_0`` to ``delta_3`` as in a score sheet of
    tilesight (or 0 to 3 where nobody has a name); others are passed over. Raises ``Refused``.
    """
    lines = _lines(text)
    heading = next(lines, None)
    if heading is None:
        raise Refused("the score sheet is empty; it needs a heading with the players' names")
    if not games:
        raise Refused("the record holds no game")
    columns = _Columns.of(heading[1], games)
    rows = []
    for number, cells in lines:
        if columns.says_no_hand(cells):
            continue
        players = columns.players(cells, number)
        points = {name: _points(cells, at, number, heading[1][at]) for name, at in players.items()}
        rows.append(RowWritten(number, {name: moved for name, moved in points.items() if moved}))
        if len(rows) > MOST_ROWS:
            raise Refused(f"the score sheet has more than {MOST_ROWS} rows; give one evening")
    return rows


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Lines with something in them, by their numbers."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    first, _, rest = text.lstrip("\n ").partition("\n")
    mark, above = max(",;\t", key=re.sub(r'"[^"]*"?', "", first).count), 0
    told = _TOLD_MARK.fullmatch(first.strip(" "))
    if told is not None:
        mark, above = told[1], text.count("\n") - rest.count("\n")
        text = rest
    reader = csv.reader(io.StringIO(text), delimiter=mark, strict=True)
    try:
        for cells in reader:
            stripped = [cell.strip() for cell in cells]
            if any(stripped):
                yield above + reader.line_num, stripped
    except csv.Error as error:
        raise Refused(
            f"line {above + reader.line_num} of the score sheet cannot be read: {error}"
        ) from None


@dataclass(frozen=True)
class _Columns:
    """Where what is in the sheet."""

    of_names: Mapping[str, int]
    """The place of each player's column; empty for a sheet with a column for each seat."""
    of_seats: Sequence[int]
    games: Sequence[Sequence[str]]
    """The players of each game of the record, by seat."""
    game: int | None
    hand: int | None
    """Of our own sheet: what others write in such a column may be words of every hand."""

    @classmethod
    def of(cls, heading: Sequence[str], games: Sequence[GameStory]) -> _Columns:
        """Raises ``Refused`` for a heading in which a player is missing."""
        plain = [_plain(cell) for cell in heading]
        players = [_columns(game) for game in games]
        game, hand = (plain.index(name) if name in plain else None for name in COLUMNS[:2])
        seats = [plain.index(column) for column in OUR_COLUMNS if column in plain]
        seated_alike = all(one == players[0] for one in players)
        if len(seats) == len(SEATS) and (seated_alike or game is not None):
            return cls({}, seats, players, None if seated_alike else game, hand)
        names = dict.fromkeys(name for one in players for name in one)
        found = {name: at for name in names if (at := _column(plain, name)) is not None}
        missing = [name for name in names if name not in found]
        if missing:
            raise Refused(
                f"the score sheet has no column for {', '.join(missing)}; "
                f"its heading is {', '.join(heading)}"
            )
        return cls(found, (), players, None, None)

    def says_no_hand(self, cells: Sequence[str]) -> bool:
        """Whether this is a row of our own sheet about a whole game."""
        return self.hand is not None and len(cells) > self.hand and cells[self.hand].isalpha()

    def players(self, cells: Sequence[str], line: int) -> Mapping[str, int]:
        """The place of each player's points in a row."""
        if self.of_names:
            return self.of_names
        number = cells[self.game] if self.game is not None and self.game < len(cells) else "1"
        if not number.isdecimal() or not 1 <= int(number) <= len(self.games):
            raise Refused(
                f"line {line} of the score sheet has {number!r} for game; "
                f"the record has {len(self.games)}"
            )
        return dict(zip(self.games[int(number) - 1], self.of_seats, strict=True))


def _column(heading: Sequence[str], name: str) -> int | None:
    if heading.count(name) > 1:
        raise Refused(f"the score sheet has two columns {name}")
    return heading.index(name) if name in heading else None


def _points(cells: Sequence[str], at: int, line: int, column: str) -> int:
    cell = cells[at] if at < len(cells) else ""
    plain = _SPACES.sub("", unicodedata.normalize("NFKC", cell.translate(_SIGNS)))
    if not plain:
        return 0
    if _THOUSANDS.fullmatch(plain):
        plain = plain.replace(",", "").replace(".", "")
    elif whole := _WHOLE.fullmatch(plain):
        plain = whole[1]
    try:
        return int(plain)
    except ValueError:
        raise Refused(
            f"line {line} of the score sheet has {cell!r} for {column}; "
            "write whole points such as 8 or -8"
        ) from None


# --- beside each other ---


def refuse_totals(read: Sequence[HandRead], written: Sequence[RowWritten]) -> None:
    """Raise ``Refused`` where the rows are running totals, of which the differences fit."""
    moved = [
        RowWritten(row.line, {name: points for name, points in _between(before, row) if points})
        for before, row in pairwise(written)
    ]
    if _alike(read, moved) > max(1, _alike(read, written)):
        raise Refused(
            "the score sheet holds running totals; write what each hand moved, such as 8 or -8"
        )


def _between(before: RowWritten, row: RowWritten) -> Iterator[tuple[str, int]]:
    for name in {**before.moved, **row.moved}:
        yield name, row.moved.get(name, 0) - before.moved.get(name, 0)


def _alike(read: Sequence[HandRead], written: Sequence[RowWritten]) -> int:
    return sum(one.agree and one.moves for one in compare(read, written))


def compare(read: Sequence[HandRead], written: Sequence[RowWritten]) -> list[ComparedHand]:
    """Put each row beside its hand, in the order of play, as far as their figures allow."""
    still = [ComparedHand(hand, None) for hand in read if not hand.moved]
    hands = [hand for hand in read if hand.moved]
    rows = [row for row in written if row.moved]
    keys = [_key(hand) for hand in hands], [_key(row) for row in rows]
    matcher = SequenceMatcher(None, *keys, autojunk=False)
    moving = [
        ComparedHand(hand, row)
        for _, first, last, first_row, last_row in matcher.get_opcodes()
        for hand, row in zip_longest(hands[first:last], rows[first_row:last_row])
    ]
    return _in_order(moving, still)


def _in_order(moving: Sequence[ComparedHand], still: Sequence[ComparedHand]) -> list[ComparedHand]:
    """All hands as they were played, each row without a hand after the one before it."""
    ordered, waiting = list[ComparedHand](), list(still)
    for one in moving:
        while one.read is not None and waiting and _played(waiting[0]) < _played(one):
            ordered.append(waiting.pop(0))
        ordered.append(one)
    return ordered + waiting


def _played(one: ComparedHand) -> tuple[int, int]:
    assert one.read is not None, "asked only of hands that were read"
    return one.read.game, one.read.begun


def _key(one: HandRead | RowWritten) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(one.moved.items()))

"""The score sheet of a record: a row a hand, as CSV and as a page."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from engine.announce import NOTE, Item
from engine.english import ENGLISH
from engine.events import Win
from service.event_messages import ENGLISH as EVENTS
from service.pages import page
from service.story import GameStory, HandStory

SEATS: Final = range(4)

COLUMNS: Final = (
    "game",
    "hand",
    "round",
    "dealer",
    "staying",
    "honba",
    "deposits",
    "result",
    *(f"player_{seat}" for seat in SEATS),
    *(f"delta_{seat}" for seat in SEATS),
    *(f"points_{seat}" for seat in SEATS),
    "items",
    "problems",
)

_ROUNDS: Final = {"1z": "East", "2z": "South", "3z": "West", "4z": "North"}
# What a spreadsheet would take for a formula: a name like "=1+1" must stay a name.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True)
class Row:
    """One hand as people write it down."""

    game: int
    """From 1."""
    number: int
    round: str
    dealer: str
    staying: int
    honba: int
    deposits: int
    """Points on the table as the hand began."""
    result: str
    names: tuple[str, ...]
    deltas: tuple[int, ...]
    points: tuple[int, ...]
    items: str
    problems: tuple[str, ...]


def rows(games: Sequence[GameStory]) -> Iterator[Row]:
    """Every hand that was begun, in order."""
    for number, game in enumerate(games, start=1):
        for hand in game.hands:
            yield _row(number, game, hand)


def to_csv(games: Sequence[GameStory]) -> str:
    """Comma-separated values with a heading, one hand a line."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for number, game in enumerate(games, start=1):
        for row in _rows_of(games, game):
            before = (row.round, row.dealer, row.staying, row.honba, row.deposits, row.result)
            figures = (*row.names, *row.deltas, *row.points, row.items, "; ".join(row.problems))
            writer.writerow(map(_plain, (row.game, row.number, *before, *figures)))
        if game.result is not None:
            writer.writerow(map(_plain, (number, *_final(game))))
    return text.getvalue()


def to_html(games: Sequence[GameStory]) -> str:
    """A page of its own, without anything from elsewhere."""
    return page("sheet.html", games=[(game, list(_rows_of(games, game))) for game in games])


def result_words(game: GameStory, hand: HandStory) -> str:
    """How the hand came out, in a few words."""
    names = game.names
    if hand.wins:
        return " and ".join(_win(names, win, "wins") for win in hand.wins)
    if hand.drawn:
        return f"drawn: {EVENTS[f'reason.{hand.drawn}']}"
    refused = [_win(names, win, "calls a win") + ", which is refused" for win in hand.refused]
    return " and ".join(refused) or "not finished"


def _win(names: Sequence[str], win: Win, does: str) -> str:
    how = "by own draw" if win.seat == win.from_seat else f"from {names[win.from_seat]}"
    return f"{names[win.seat]} {does} {how}"


def item_words(items: Sequence[Item]) -> str:
    """What explains the figures, such as ``own draw 2, riichi 1 fan``; repeated ones counted."""
    counted = Counter(map(_item, items))
    return ", ".join(
        f"{words} (x{times})" if times > 1 else words for words, times in counted.items()
    )


def _item(item: Item) -> str:
    name = ENGLISH.get(f"item.{item.name}", item.name.replace("_", " "))
    if item.unit == NOTE:
        return name
    return f"{name} {ENGLISH.get(f'unit.{item.unit}', '{value}').format(value=item.value)}"


def _final(game: GameStory) -> Iterator[object]:
    """The row of the end of the game: what the placement bonus moved, and the totals."""
    assert game.result is not None, "asked for finished games only"
    before = game.hands[-1].points if game.hands else game.result.points
    moved = [after - own for after, own in zip(game.result.points, before, strict=True)]
    yield from ("final", "", "", "", "", "", "game over")
    yield from (*game.names, *moved, *game.result.points, game.ranking, "")


def round_words(hand: HandStory) -> str:
    return _ROUNDS[hand.round]


def _rows_of(games: Sequence[GameStory], game: GameStory) -> Iterator[Row]:
    number = games.index(game) + 1
    for hand in game.hands:
        yield _row(number, game, hand)


def _row(number: int, game: GameStory, hand: HandStory) -> Row:
    return Row(
        game=number,
        number=hand.number,
        round=round_words(hand),
        dealer=game.names[hand.dealer],
        staying=hand.staying,
        honba=hand.honba,
        deposits=hand.pot,
        result=result_words(game, hand),
        names=game.names,
        deltas=hand.deltas,
        points=hand.points,
        items=item_words(hand.items),
        problems=tuple(dict.fromkeys(problem.code for problem in hand.problems)),
    )


def _plain(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value

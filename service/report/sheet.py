"""The score sheet of a record, a row for each hand, as a page and as CSV without formulas."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import dropwhile
from typing import Any, Final

from engine.announce import Item
from engine.events import Win
from engine.rules import RULE_SETS
from engine.stories import GameStory, HandStory
from engine.texts.announcements import item_texts
from service.texts.catalogue import texts_for, texts_of
from service.texts.stories import names_in, ranking

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


UNFINISHED: Final = "unfinished"
"""Replaces the hand's number in the last row of a film that was not read to its end."""


@dataclass(frozen=True)
class SheetRow:
    game: int
    """From 1."""
    number: int
    round: str
    dealer: str
    staying: int
    honba: int
    deposits: int
    """Points on the table at the start of the hand."""
    result: str
    names: tuple[str, ...]
    deltas: tuple[int, ...]
    points: tuple[int, ...]
    items: str
    problems: tuple[str, ...]


def rows(games: Sequence[GameStory], lang: str = "en") -> Iterator[SheetRow]:
    for number, game in enumerate(games, start=1):
        for hand in game.hands:
            yield _row(number, game, hand, lang)


def to_csv(games: Sequence[GameStory], until_s: float | None = None) -> str:
    """Comma-separated values with a heading, one hand a line.

    ``until_s``: these are the first seconds of a film of which the rest has not been read.
    """
    lines: list[Sequence[Cell]] = [COLUMNS]
    for number, game in enumerate(games, start=1):
        for row in _rows_of(games, game):
            line: list[Cell] = [row.game, row.number, row.round, row.dealer, row.staying]
            line += [row.honba, row.deposits, row.result, *row.names, *row.deltas, *row.points]
            lines.append([*line, row.items, "; ".join(row.problems)])
        if game.result is not None:
            lines.append((number, *_final(game)))
    if until_s is not None:
        said = f"not finished: read up to {until_s:.0f} s of the film"
        lines.append(("", UNFINISHED, *[""] * (COLUMNS.index("result") - 2), said))
    return csv_of(lines)


def result_text(
    game: GameStory, hand: HandStory, lang: str = "en", names: Sequence[str] | None = None
) -> str:
    """Who won how, or why nobody did. ``names``: what to call the four, where not by their own."""
    say = texts_for(game.rules, lang)
    if hand.drawn and not hand.wins:
        return say["report.drawn"].format(reason=say[f"drawn.{hand.drawn}"])
    wins, does = (hand.wins, "wins") if hand.wins else (hand.refused, "calls")
    told = [_win(names or names_in(game, lang), win, say, does) for win in wins]
    return say["report.and"].join(told) or say["report.unfinished"]


def _win(names: Sequence[str], win: Win, say: Mapping[str, str], does: str) -> str:
    how = "draw" if win.seat == win.from_seat else "discard"
    return say[f"report.{does}.{how}"].format(seat=names[win.seat], giver=names[win.from_seat])


def items_text(
    items: Sequence[Item], lang: str = "en", rules: str = "", names: Sequence[str] | None = None
) -> str:
    """The items of a payout in words, such as ``own draw 2, riichi 1 fan``; repeated ones are
    counted."""
    counted = Counter(item_texts(items, lang, rules, names))
    return texts_of(lang)["between"].join(
        f"{text} (x{times})" if times > 1 else text for text, times in counted.items()
    )


def _final(game: GameStory) -> Iterator[Cell]:
    """The last row of a game: what the placement bonus moved, and the totals."""
    assert game.result is not None, "asked for finished games only"
    before = game.hands[-1].points if game.hands else game.result.points
    moved = [after - own for after, own in zip(game.result.points, before, strict=True)]
    yield from ("final", "", "", "", "", "", "game over")
    yield from names_in(game)
    yield from (*moved, *game.result.points)
    yield from (ranking(game), "")


def round_text(game: GameStory, hand: HandStory, lang: str = "en") -> str:
    """The prevailing wind; empty by rules that have none."""
    rules = RULE_SETS.get(game.rules)
    has_rounds = rules is None or rules.page.round
    return texts_of(lang)[f"wind.{hand.round}"] if has_rounds else ""


def place_text(
    game: GameStory, hand: HandStory, lang: str = "en", names: Sequence[str] | None = None
) -> str:
    """Round and dealer, counters and deposits, and how often the dealer has stayed."""
    say, wind = texts_of(lang), round_text(game, hand, lang)
    place = say["report.of_round" if wind else "report.of_dealer"].format(
        wind=wind, dealer=(names or names_in(game, lang))[hand.dealer]
    )
    if hand.honba:
        counters = "report.counters" if hand.honba > 1 else "report.counters.one"
        place += say[counters].format(count=hand.honba)
    if hand.pot:
        place += say["report.deposits"].format(points=hand.pot)
    if hand.staying > 1:
        place += f" · {say['report.in_a_row'].format(count=hand.staying)}"
    return place


def _rows_of(games: Sequence[GameStory], game: GameStory) -> Iterator[SheetRow]:
    number = games.index(game) + 1
    for hand in game.hands:
        yield _row(number, game, hand)


def _row(number: int, game: GameStory, hand: HandStory, lang: str = "en") -> SheetRow:
    names = names_in(game, lang)
    return SheetRow(
        game=number,
        number=hand.number,
        round=round_text(game, hand, lang),
        dealer=names[hand.dealer],
        staying=hand.staying,
        honba=hand.honba,
        deposits=hand.pot,
        result=result_text(game, hand, lang),
        names=names,
        deltas=hand.deltas,
        points=hand.points,
        items=items_text(hand.items, lang, game.rules, names),
        problems=tuple(dict.fromkeys(problem.code for problem in hand.problems)),
    )


Cell = str | int | Decimal
"""Text that anybody may have chosen, or a number."""
_FORMULA: Final = ("=", "+", "-", "@", "\N{MINUS SIGN}")


def csv_of(rows: Iterable[Sequence[Cell]]) -> str:
    """Write rows as CSV; texts are quoted."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    for row in rows:
        writer.writerow([_plain(cell) if isinstance(cell, str) else cell for cell in row])
    return text.getvalue()


BYTE_ORDER_MARK: Final = "\N{ZERO WIDTH NO-BREAK SPACE}"


def csv_file(text: str) -> str:
    """CSV as a file or download holds it: without the mark, Excel does not read it as UTF-8."""
    return BYTE_ORDER_MARK + text


def cell_of(value: Any) -> Cell:
    """A value of a table: figures with two places, nothing where there is none."""
    if isinstance(value, float):
        return Decimal(f"{value:.2f}")
    return "" if value is None else value


def _plain(text: str) -> str:
    """A name like "=1+1" stays a name.

    Spreadsheets pass over blanks, line ends and invisible characters before a formula, and East
    Asian versions read the full-width signs as the plain ones.
    """
    line = " ".join("".join(dropwhile(_is_invisible, text)).split())
    return f"'{line}" if unicodedata.normalize("NFKC", line).startswith(_FORMULA) else line


def _is_invisible(letter: str) -> bool:
    return letter.isspace() or unicodedata.category(letter).startswith("C")

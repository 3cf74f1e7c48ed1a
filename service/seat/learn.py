"""The first pages about a game, for somebody who knows nothing: each row tiles and a sentence.

What differs between games is asked of the engine; sentences that they share stand once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from typing_extensions import TypedDict

from engine.answers import ClaimKind
from engine.basics import OTHER_FORMS, OTHERS, Told, basics, paid, plain_hand
from engine.events import Seat
from engine.rules import RULE_SETS
from engine.rules.teaching import LEARNER, LEFT, Groups, groups
from engine.rules.verdict import ReadyCalls
from engine.texts.announcements import as_sentence
from engine.texts.figures import signed
from engine.tiles import COPIES
from service.seat.frequencies import COMMONEST, CountedGame, counted
from service.seat.lessons import Mark, game_of, games
from service.texts.answers import Teller
from service.texts.catalogue import texts_for
from service.texts.pages import terms_of

MOST_KEPT: Final = 64
"""Games with their options and languages whose pages are kept."""
PAGES: Final = ("aim", "tiles", "sets", "turn", "claims", "win", "patterns", "words", "pays")
_SITS: Final[Mapping[Seat, str]] = {LEFT: "left", LEARNER: "you", 2: "right", 3: "opposite"}
_FROM: Final = {OTHERS: "anybody", (LEFT,): "left", (): "nobody"}
_WINS: Final = {1: "learn.aim.one_wins", None: "learn.aim.all_play_on"}
"""By how many wins end a hand."""
_HONOURS: Final = {"winds": "1234z", "dragons": "567z"}
_CLAIMED: Final[Mapping[ClaimKind, Groups]] = {
    "chow": groups("34m 5m"),
    "pung": groups("55m 5m"),
    "kong": groups("555m 5m"),
}
"""The own tiles, and the discard."""
_DRAWN: Final = groups("9m")
PICTURES: Final[Mapping[str, str]] = {
    "chow": "345m",
    "pung": "555p",
    "kong": "7777s",
    "distance": "123m 456p 78s 99s 2p 5m 8m",
    "useful_tile": "46m 5m",
    "ready": "123m 456p 789s 55p 56m",
    "wait": "56m 4m 7m",
    "own_draw": "123m 456p 789s 55p 56m 7m",
    "dealer": "123m 456p 789s 55p 78m 3s",
}
"""Tiles that show the terms of every game, of those that every game has."""


class NamedTile(TypedDict):
    tile: str
    name: str


class LearnRow(TypedDict):
    """One line of a page; the tiles of a group stand together."""

    mark: Mark
    head: str
    groups: list[list[NamedTile]]
    text: str
    term: str
    """The term or the pattern that it explains; empty for another row."""


class LearnPage(TypedDict):
    name: str
    title: str
    rows: list[LearnRow]


class LearnView(TypedDict):
    """The pages about one game, in order."""

    rules: str
    games: dict[str, str]
    """The title of every game and of this rule set, by its rules."""
    pages: list[LearnPage]
    set: list[str]
    """Topics of the lesson that are set for the evening."""
    table: bool
    """Whether a table is shown: the drill then goes through its game."""


def learn_view(
    rules: str, lang: str, told: Told = (), *, table: bool, topics: Sequence[str] = ()
) -> LearnView:
    """The pages about a rule set; for unknown rules, about the game that is taught first.

    ``told``: the options of the table's own game.
    """
    game = rules if rules in RULE_SETS else game_of(rules)
    pages = list(pages_of(game, lang, told))
    return {
        "rules": game,
        "games": games(lang, game),
        "pages": pages,
        "set": list(topics),
        "table": table,
    }


@lru_cache(MOST_KEPT)
def pages_of(game: str, lang: str, options: Told = ()) -> tuple[LearnPage, ...]:
    """The pages about a game in a language; made once."""
    told = _Beginner(lang, game, options)
    rows = (
        told.aim(),
        told.tile_kinds(),
        told.sets(),
        told.turn(),
        told.claims(),
        told.win(),
        told.patterns(),
        told.words(),
        told.pays(),
    )
    return tuple(
        {"name": name, "title": told.word(f"learn.{name}"), "rows": list(each)}
        for name, each in zip(PAGES, rows, strict=True)
    )


class _Beginner(Teller):
    """Tells somebody who knows nothing about one game."""

    def __init__(self, lang: str, game: str, options: Told) -> None:
        texts = texts_for(game, lang)
        self._sits = [texts[f"learn.seat.{_SITS[seat]}"] for seat in range(4)]
        super().__init__(lang, self._sits, LEARNER, game)
        self._game = RULE_SETS[game]
        self._options = options
        self._basics = basics(self._game, options)
        self._plain = plain_hand(self._game)

    def _row(
        self, text: str, shown: Groups = (), head: str = "", mark: Mark = "note", term: str = ""
    ) -> LearnRow:
        named: list[list[NamedTile]] = [
            [{"tile": str(tile), "name": self.tile(tile)} for tile in group] for group in shown
        ]
        head = as_sentence(head)
        return {"mark": mark, "head": head, "groups": named, "text": text, "term": term}

    def _called(self, kind: ClaimKind) -> str:
        return self.word(f"page.drill.offer.{kind}")

    def aim(self) -> Iterator[LearnRow]:
        size, to_end = self._basics.hand_size, self._game.payment.wins_to_end
        yield self._row(self._word("learn.aim.hold", count=size))
        example = self._game.teaching.example or self._plain
        yield self._row(
            self._word("learn.aim.whole", sets=size // 3, count=size + 1), example.groups
        )
        wins = _WINS.get(to_end, "learn.aim.many_win")
        yield self._row(self._word(wins, count=to_end))
        yield self._row(self._word("learn.aim.points"))

    def tile_kinds(self) -> Iterator[LearnRow]:
        told = self._basics
        yield self._row(self._word("learn.tiles.total", total=told.total, copies=COPIES))
        for suit in "mps":
            kinds = tuple(tile for tile in told.kinds if tile.suit == suit)
            yield self._row(self._word(f"learn.tiles.{suit}"), (kinds,))
        for name, written in _HONOURS.items():
            kinds = tuple(tile for tile in groups(written)[0] if tile in told.kinds)
            if kinds:
                names = as_sentence(self._list(map(self.tile, kinds)))
                yield self._row(names, (kinds,), self._word(f"learn.tiles.{name}"))
        if told.flowers:
            yield self._row(self._word("learn.tiles.flowers"), (told.flowers,))
        if told.left_out:
            yield self._row(self._word("learn.tiles.left_out"), (told.left_out,))
        if told.red:
            yield self._row(self._word("learn.tiles.red"), (told.red,))

    def sets(self) -> Iterator[LearnRow]:
        yield self._row(self._word("learn.sets.pair"), groups("99m"))
        for kind, (own, claimed) in _CLAIMED.items():
            yield self._row(
                self._word(f"learn.sets.{kind}"),
                ((*own, *claimed),),
                self._word(f"learn.sets.{kind}.name"),
            )
        for form in self._basics.forms:
            yield self._row(self._word(f"learn.sets.{form}"), OTHER_FORMS[form].groups)

    def turn(self) -> Iterator[LearnRow]:
        size, kept_back = self._basics.hand_size, self._basics.kept_back
        yield self._row(self._word("learn.turn.order"))
        yield self._row(self._word("learn.turn.draw", count=size + 1), (self._plain.held, *_DRAWN))
        yield self._row(self._word("learn.turn.discard", count=size), _DRAWN)
        last = "end" if self._game.payment.wins_to_end == 1 else "settle_up"
        yield self._row(self._word(f"learn.turn.{last}"))
        if kept_back:
            yield self._row(self._word("learn.turn.kept_back", count=kept_back))

    def claims(self) -> Iterator[LearnRow]:
        told, most = self._basics, self._game.claims.most_sets
        yield self._row(self._word("learn.claims.what"))
        for kind, shown in _CLAIMED.items():
            yield self._claimed(kind, shown)
            if kind == "chow" and len(told.ready_chow_from) > len(told.claimed_from[kind]):
                yield self._row(self._word("learn.claims.ready_chow"))
        yield self._claimed("win", (self._plain.held, (self._plain.tile,)))
        if most is not None:
            yield self._row(self._word("learn.claims.most_sets", count=most))
        never = () if told.claimed_from["win"] else ("win",)
        first = tuple(alike for alike in told.can.first if alike != never)
        yield self._row(self.precedence(replace(told.can, first=first)))

    def _claimed(self, kind: ClaimKind, shown: Groups) -> LearnRow:
        whom = _FROM[self._basics.claimed_from[kind]]
        mark: Mark = "no" if whom == "nobody" else "yes"
        drawn = kind == "win" and whom == "nobody"
        key = "learn.win.by_draw" if drawn else f"learn.claims.{whom}"
        return self._row(self._word(key), shown, self._called(kind), mark)

    def win(self) -> Iterator[LearnRow]:
        told = self._basics
        if self._game.judge.ready_calls is ReadyCalls.NEEDED:
            yield self._row(self._word("learn.win.ready"))
        if not told.claimed_from["win"]:
            yield self._row(self._word("learn.win.by_draw"))
        for option, value in told.least.items():
            yield self._row(str(value), (), self._word(f"option.{option}"))
        if told.conditions:
            needed = self._list(map(self._needed, told.conditions))
            yield self._row(self._word("learn.win.needs", conditions=needed))
        sets, last = told.hand_size // 3, self.tile(self._plain.tile)
        plain = self._word("learn.win.plain", sets=sets, tile=last)
        yield self._row(plain, self._plain.groups)
        if told.plain.win is None:
            yield self._row(self.no_win(told.plain), mark="no")
        else:
            yield self._row(self._word("learn.win.wins"), mark="yes")

    def patterns(self) -> Iterator[LearnRow]:
        """What every hand must have, and the patterns that come most often."""
        if self._basics.conditions:
            needed = self._list(map(self._needed, self._basics.conditions))
            yield self._row(self._word("learn.win.needs", conditions=needed))
        found = counted(self._game.id)
        rows = list(self._frequent(found))[:COMMONEST]
        yield from rows
        if found is None or not rows:
            yield self._row(self._word("learn.patterns.none"))
        else:
            yield self._row(self._word(f"learn.patterns.{found.source}", hands=found.hands))

    def _frequent(self, found: CountedGame | None) -> Iterator[LearnRow]:
        for pattern in () if found is None else found.patterns:
            if f"item.{pattern.name}" not in self._texts or self._left_out(pattern.name):
                continue
            often = "often" if pattern.one_in < 2 else "one_in"
            text = self._word(f"learn.patterns.{often}", count=pattern.one_in)
            title = self._pattern(pattern.name)
            yield self._row(text, pattern.groups, title, term=pattern.name)

    def _left_out(self, pattern: str) -> bool:
        """Whether an option without which there is no such pattern is off: what was counted may be
        another variant, or other house rules."""
        options = self._game.all_options(dict(self._options))
        return any(options.get(name, 1) in (0, "none") for name in (pattern, f"{pattern}s"))

    def words(self) -> Iterator[LearnRow]:
        """Every term of the game and every pattern that was counted, each with a picture."""
        for term in terms_of(self._game):
            text = self._word(f"glossary.{term}.text")
            rules = self._game
            drawn = rules.pictures.get(term, PICTURES.get(term, ""))
            name = self._word(f"glossary.{term}.name")
            yield self._row(text, groups(drawn), name, term=term)
        yield from self._frequent(counted(self._game.id))

    def pays(self) -> Iterator[LearnRow]:
        example = self._game.teaching.example
        if example is None:
            return
        payout = paid(self._game, self._options)
        tile, payer = self.tile(example.tile), self._sits[example.from_seat]
        how = "drawn" if example.from_seat == LEARNER else "discarded"
        said = self._word(f"learn.pays.{how}", tile=tile, player=payer)
        yield self._row(said, example.groups)
        for item in self.items(payout.items):
            yield self._row(as_sentence(item))
        for seat in (LEARNER, *OTHERS):
            yield self._row(signed(payout.deltas[seat]), (), self._sits[seat])

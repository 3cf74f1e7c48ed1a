"""Announcements of the engine as sentences for people."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from engine.advice import Advice
from engine.announce import (
    NOTE,
    Announcement,
    GameResult,
    HandResult,
    Hint,
    HintClaim,
    HintDiscard,
    Item,
    NotReady,
    Outlook,
    Payout,
    Problem,
    Ready,
    Reason,
    Turn,
    Wait,
)
from engine.announce_codec import announcement_to_json
from engine.events import Claim, Kong, Seat, Win
from engine.rules import RULE_SETS
from engine.rules.riichi.win_facts import YAKUMAN_BASE, YAKUMAN_HAN
from engine.stories import MENDING
from engine.texts import payout_sum
from engine.texts.catalogue import texts_for
from engine.texts.figures import place_of, plain, signed
from engine.texts.files import filled, gaps
from engine.tiles import CODES, Tile

_CONTROLS: Final = dict.fromkeys(
    (*range(0x20), *range(0x7F, 0xA0), *range(0x2028, 0x202F), *range(0x2066, 0x206A)), " "
)
"""Characters in names that would end a line, change its direction or move a terminal's cursor."""


EVERY_KIND: Final = frozenset(Tile(code) for code in CODES if code[0] != "0" and code[1] != "f")
_SOURCES: Final = (
    ("source.record", re.compile(r"(record)\b.*")),
    ("source.practice", re.compile(r"(common practice)")),
    ("source.silent", re.compile(r"(\d+) is silent")),
    ("source.no_call", re.compile(r"(\d+) (?:knows|has) no such call")),
    ("source.tenhou", re.compile(r"(tenhou)")),
    ("source.rounds", re.compile(r"(\d+), rounds from East to North")),
)
"""Keys of texts, and what the rule sets' sources look like that are no heading of a document."""


def with_text(announcement: Announcement, lang: str = "en", rules: str = "") -> dict[str, object]:
    """The announcement as JSON has it, with its sentence in the words of ``rules`` as ``text``."""
    text = sentence(announcement, lang, rules=rules)
    return announcement_to_json(announcement) | {"text": text}


def sentence(
    announcement: Announcement,
    lang: str = "en",
    names: Sequence[str] | None = None,
    you: Seat | None = None,
    rules: str = "",
) -> str:
    """Say it in one line; seats by their ``names`` where they have any, ``you`` as "you".

    ``rules``: in the words of this rule set.

    Raises ``NoSuchLanguage``; ``KeyError`` when a rule set uses a word that the table lacks.
    """
    return Speaker(lang, names, you, rules).sentence(announcement)


def one_line(text: str) -> str:
    """The text without characters that would end a line or move a terminal's cursor."""
    return text.translate(_CONTROLS)


def tile_name(tile: Tile, lang: str = "en") -> str:
    """The tile in words."""
    return Speaker(lang).tile(tile)


def item_texts(
    items: Sequence[Item], lang: str, rules: str = "", names: Sequence[str] | None = None
) -> list[str]:
    """What a payout consists of; raises as ``sentence`` does."""
    return Speaker(lang, names, rules=rules).items(items)


def as_sentence(said: str) -> str:
    return said[:1].upper() + said[1:]


class _Player(str):
    """A player in a text: ``{seat:is|are}`` is "is" of another player and "are" of who is told.

    ``%`` stands for the player: ``{seat:the hand of %|your hand}``.
    """

    told = False

    def __format__(self, forms: str) -> str:
        if not forms:
            return str(self)
        other, own = forms.split("|")
        return (own if self.told else other).replace("%", self)


class _You(_Player):
    told = True


class Speaker:
    """Says announcements in one language, to one player or to everybody."""

    def __init__(
        self,
        lang: str,
        names: Sequence[str] | None = None,
        you: Seat | None = None,
        rules: str = "",
    ) -> None:
        self._texts = texts_for(rules, lang)
        self._names = names
        self._you = you
        known = RULE_SETS.get(rules)
        self._has_rounds = known is None or known.page.round

    def sentence(self, announcement: Announcement) -> str:
        """Say it in one line; raise ``KeyError`` for a word that the table lacks."""
        return one_line(self.say(announcement))

    def rows(self, announcement: Announcement) -> tuple[str, ...]:
        """The same line by line: the items of a payout, the ranks of a hint; else the sentence."""
        match announcement:
            case Payout(items=items):
                said = [*self.items(items), *self._moved(announcement)]
            case Hint(discards=discards, now=now, win=win) if discards or now or win:
                said = self._hint_rows(announcement)
            case _:
                said = [self.say(announcement)]
        return tuple(map(one_line, said))

    def explained(self, payout: Payout) -> tuple[str, ...]:
        """What the win is worth, and who pays it, sentence by sentence."""
        worth = self._worth(payout)
        paid = payout_sum.who_pays(payout, self.seat, self._word)
        return tuple(map(one_line, [*([] if worth is None else [worth]), *map(as_sentence, paid)]))

    def ledger(self, payout: Payout) -> tuple[tuple[tuple[str, str], ...], str | None]:
        """Each item as its name and what it counts, and the sum of them.

        There is no sum where one seat did not win, and where a limit changes what is paid.
        """
        worth = self._worth(payout)
        # Base points are no part of a sum: they are what it comes to.
        items = [
            item for item in self._counted(payout.items) if worth is None or item.unit != "base"
        ]
        return tuple(map(self._item, items)), worth

    def advice(self, advice: Advice) -> str:
        """Why another discard was better, or what was good about it, in one line."""
        values = {"played": self.tile(advice.played), **(advice.figures or {})}
        if advice.best is not None:
            values["best"] = self.tile(advice.best)
        values["group"] = self._list(map(self.tile, advice.group))
        values["tiles"] = self._choices_of(advice.tiles)
        return one_line(as_sentence(self._word(f"advice.{advice.code}", **values)))

    def _choices_of(self, tiles: Sequence[Tile]) -> str:
        return self._texts["between_or"].join(map(self.tile, tiles))

    def say(self, announcement: Announcement) -> str:
        match announcement:
            case Ready():
                said = self._ready(announcement)
            case NotReady(seat, missing):
                reasons = self._list(map(self._missing, missing))
                said = self._word("not_ready", seat=self.seat(seat), missing=reasons)
            case Payout():
                said = self._payout(announcement)
            case Problem():
                said = self._problem(announcement)
            case Hint():
                said = self._hint(announcement)
            case Turn(seat, wall_left, claims):
                said = self._word(
                    "turn",
                    seat=self.seat(seat),
                    left=wall_left,
                    claims=self._some("turn.claims", "claims", map(self._claim, claims)),
                )
            case HandResult():
                said = self._hand_result(announcement)
            case GameResult(points, places):
                order = sorted(range(4), key=lambda seat: (places[seat], seat))
                rows = (
                    self._word(
                        "game_result.row",
                        place=place_of(places, seat, self._texts),
                        seat=self.seat(seat),
                        points=plain(points[seat]),
                    )
                    for seat in order
                )
                said = self._word("game_result", rows=self._list(rows))
        return as_sentence(said)

    def seat(self, seat: Seat) -> _Player:
        if seat == self._you:
            return _You(self._word("you"))
        if self._names and self._names[seat]:
            return _Player(self._names[seat])
        return _Player(self._word("seat", seat=seat))

    def _who(self, seat: Seat | None) -> _Player:
        return _Player(self._word("nobody")) if seat is None else self.seat(seat)

    def tile(self, tile: Tile) -> str:
        if f"tile.{tile}" in self._texts:
            return self._word(f"tile.{tile}")
        return self._word(f"tile.{tile.suit}", rank=self._word(f"rank.{tile.rank}"))

    def _word(self, key: str, **values: object) -> str:
        return filled(self._texts[key], values)

    def _missing(self, code: str) -> str:
        """Why a hand is not ready; by its code where a rule set of a package has no text for it."""
        return self._texts.get(f"missing.{code}", code.replace("_", " "))

    def _list(self, parts: Iterable[str]) -> str:
        return self._texts["between"].join(parts)

    def _choices(self, parts: Iterable[str]) -> str:
        """A list whose parts are lists themselves."""
        return self._texts["between_choices"].join(parts)

    def _some(self, key: str, gap: str, parts: Iterable[str]) -> str:
        """A part of a sentence that is left out where there is nothing to list."""
        listed = self._list(parts)
        return self._word(key, **{gap: listed}) if listed else ""

    def _ready(self, ready: Ready) -> str:
        seat = self.seat(ready.seat)
        drawn = self._some("ready.drawn", "tiles", map(self.tile, ready.on_draw))
        if ready.unknown:
            return self._word("ready.unknown", seat=seat) + drawn
        won = [wait for wait in ready.waits if wait.refused is None or wait.by_draw_only]
        refused = [wait for wait in ready.waits if wait not in won]
        said = self._word(
            "ready" if won else "ready.none",
            seat=seat,
            waits=self._waits(won),
            refused=self._some("ready.refused", "waits", map(self._wait, refused)),
        )
        return said + self._by_draw(won) + drawn

    def _by_draw(self, waits: Sequence[Wait]) -> str:
        """Which tiles no claim wins with, and why; that all are such is said in short."""
        said = ""
        for reason in dict.fromkeys(wait.by_draw_only for wait in waits):
            tiles = [wait.tile for wait in waits if wait.by_draw_only == reason]
            if reason is not None:
                said += self._word(
                    "ready.by_draw" if len(tiles) == len(waits) else "ready.some_by_draw",
                    tiles=self._list(map(self.tile, tiles)),
                    why=self._texts.get(f"by_draw.{reason}") or self._missing(reason),
                )
        return said

    def _waits(self, waits: Sequence[Wait]) -> str:
        if {wait.tile for wait in waits} >= EVERY_KIND:
            return self._word("wait.any")
        return self._list(map(self._wait, waits))

    def _refused(self, waits: Iterable[Wait]) -> str:
        """Tiles that complete a hand and win nothing, apart from those that win."""
        return self._word("hint.refused", waits=self._list(map(self._wait, waits)))

    def _wait(self, wait: Wait) -> str:
        tile = self.tile(wait.tile)
        if wait.refused is None or wait.by_draw_only:
            return self._word("wait", tile=tile, left=wait.left)
        return self._word("wait.refused", tile=tile, why=self._missing(wait.refused))

    def _payout(self, payout: Payout) -> str:
        if any(item.name == "refused" for item in payout.items):
            key = "payout.refused"
        elif payout.seat is None:
            key = "payout.nobody"
        else:
            key = "payout.win"
        moved = self._moved(payout)
        items = self.items([item for item in payout.items if item.name != "refused"])
        said = self._word(
            key,
            seat=self._who(payout.seat),
            moved=self._list(moved),
            items=self._some("payout.items", "items", items),
            points=self._word("payout.points", points=self._list(map(plain, payout.points))),
        )
        # Items that say more of a payout correct nothing where no points move.
        moves = any(payout.deltas) or payout.pot != 0
        mends = moves and any(item.name in MENDING for item in payout.items)
        return self._word("payout.corrected", said=said) if mends else said

    def _worth(self, payout: Payout) -> str | None:
        return payout_sum.sum_of(payout, self._texts, self._word)

    def _moved(self, payout: Payout) -> list[str]:
        moved = [
            self._word("payout.row", seat=self.seat(seat), delta=signed(delta))
            for seat, delta in enumerate(payout.deltas)
            if delta
        ]
        if payout.pot:
            moved.append(self._word("payout.pot", delta=signed(payout.pot)))
        paid_before = any(item.name == "paid_before" for item in payout.items)
        return moved or [self._word("payout.nothing_more" if paid_before else "payout.nothing")]

    def items(self, items: Sequence[Item]) -> list[str]:
        return [self._with_value(item) for item in self._counted(items)]

    @staticmethod
    def _counted(items: Sequence[Item]) -> list[Item]:
        """Every item; of a yakuman, fu say nothing."""
        base = max((item.value for item in items if item.unit == "base"), default=0)
        return [item for item in items if item.unit != "fu" or base < YAKUMAN_BASE]

    def _with_value(self, item: Item) -> str:
        name, value = self._item(item)
        with_base = "item_with_base" if item.unit == "base" else "item"
        return self._word(with_base, name=name, value=value) if value else name

    def _item(self, item: Item) -> tuple[str, str]:
        """What an item is called, and what it counts; nothing for one without a figure."""
        name = self._texts.get(f"item.{item.name}", item.name.replace("_", " "))
        if item.unit == NOTE:
            return name, ""
        limit = None
        if item.unit == "base":
            limit = payout_sum.limit_of(item.value, self._texts)
        elif item.unit == "han" and item.value >= YAKUMAN_HAN:
            base = YAKUMAN_BASE * item.value // YAKUMAN_HAN
            limit = payout_sum.limit_of(base, self._texts)
        counted = self.seat(item.value) if item.unit == "seat" else item.value
        return name, limit or self._word(f"unit.{item.unit}", value=counted)

    def _problem(self, problem: Problem) -> str:
        values = {name: self._value(name, value) for name, value in (problem.values or {}).items()}
        values["seat"] = self._who(problem.seat)
        said = self._happened(problem.code, values)
        return self._word(
            "impossible"
            if problem.impossible
            else "irregular"
            if problem.certain
            else "perhaps_irregular",
            problem=said,
            source=self._source(problem.source),
            follows=self._word(f"follows.{problem.follows}", **values),
        )

    def _source(self, source: str) -> str:
        """A document and its section; headings are quoted as they stand there."""
        return "; ".join(map(self._part_of_source, source.split("; ")))

    def _part_of_source(self, part: str) -> str:
        for key, form in _SOURCES:
            if found := form.fullmatch(part):
                return self._word(key, document=found[1])
        return part

    def _happened(self, code: str, values: Mapping[str, object]) -> str:
        # A foul is named by people, who are free to use words that no table has, or has for a
        # problem with more to tell.
        key = f"problem.{code}"
        if key in self._texts and gaps(self._texts[key]) <= values.keys():
            return self._word(key, **values)
        return self._word("foul", **{**values, "code": code})

    def _value(self, name: str, value: object) -> object:
        if isinstance(value, Tile):
            return self.tile(value)
        if name == "missing" and isinstance(value, tuple):
            return self._list(map(self._missing, value))
        if isinstance(value, tuple):
            return self._list(str(self._value(name, part)) for part in value)
        return value

    def _hint(self, hint: Hint) -> str:
        if hint.win is None:
            return self._hint_of_tiles(hint)
        rest = [self._hint_of_tiles(hint)] if hint.discards or hint.now else []
        return self._texts["hint.or"].join([self._hint_win(hint.win), *rest])

    def _hint_win(self, win: Win) -> str:
        return self._word("hint.win", seat=self.seat(win.seat), tile=self.tile(win.tile))

    def _hint_of_tiles(self, hint: Hint) -> str:
        seat = self.seat(hint.seat)
        if hint.discards:
            best = self._choices(self._hint_discard(row, hint.seat) for row in hint.discards)
            kongs = self._some("hint.kongs", "kongs", map(self._hint_claim, hint.claims))
            return self._word("hint", seat=seat, discards=best) + kongs
        if hint.flower is not None:
            return self._word("hint.flower", seat=seat, tile=self.tile(hint.flower))
        if hint.now is None:
            return self._word("hint.none", seat=seat)
        claims = self._some("hint.claims", "claims", map(self._hint_claim, hint.claims))
        return self._outlook("now", hint.now, hint.seat, seat=seat) + claims

    def _hint_rows(self, hint: Hint) -> list[str]:
        """A win; every discard, best first, or how the hand stands; then every claim or kong."""
        win = [] if hint.win is None else [self._hint_win(hint.win)]
        claims = map(self._hint_claim, hint.claims)
        if hint.discards:
            discards = (self._hint_discard(row, hint.seat) for row in hint.discards)
            return [*win, *discards, *claims]
        if hint.now is None:
            return win
        now = self._outlook("now", hint.now, hint.seat, seat=self.seat(hint.seat))
        return [*win, now, *claims]

    def _hint_discard(self, row: HintDiscard, seat: Seat) -> str:
        return self._outlook("discard", row, seat, tile=self.tile(row.tile))

    def _hint_claim(self, row: HintClaim) -> str:
        claim = self._claim(row.claim)
        if row.forbidden:
            why = self._list(self._reason(reason, row.claim.seat) for reason in row.reasons)
            return self._word("hint.forbidden", claim=claim, reasons=why)
        if row.discard is None:
            return self._outlook("kong", row, row.claim.seat, claim=claim)
        discard = self.tile(row.discard)
        return self._outlook("claim", row, row.claim.seat, claim=claim, discard=discard)

    def _outlook(
        self, what: str, seen: Outlook | HintDiscard | HintClaim, whose: Seat, **values: object
    ) -> str:
        """A sentence about a hand that waits, or one about a hand that is some steps away."""
        reasons = [self._reason(reason, whose) for reason in seen.reasons]
        if seen.distance == 0 and seen.refused:
            reasons.append(self._refused(seen.refused))
        how = "never" if seen.distance is None else "away" if seen.distance else "ready"
        return self._word(
            f"hint.{what}.{how}",
            **values,
            waits=self._waits(seen.waits),
            distance=seen.distance,
            left=seen.left,
            reasons=self._some(
                "hint.reasons_ready" if how == "ready" else "hint.reasons", "reasons", reasons
            ),
        )

    def _reason(self, reason: Reason, seat: Seat) -> str:
        """Why; conditions and irregular claims are named as they are elsewhere."""
        code, value = reason.code, reason.value
        if isinstance(value, str):
            value = self._word(f"item.{value}")
        key = f"reason.{code}"
        if key in self._texts and (value is not None or "value" not in gaps(self._texts[key])):
            return self._word(key, value=value)
        if f"by_draw.{code}" in self._texts:
            return self._word(f"by_draw.{code}")
        if f"missing.{code}" in self._texts:
            name = self._word(f"missing.{code}")
            return self._word("reason.costs", name=name, value=value) if value else name
        return self._happened(code, {"seat": self.seat(seat)})

    def _claim(self, claim: Claim) -> str:
        kind = type(claim).__name__.lower()
        if isinstance(claim, Kong) and claim.kind != "open":
            tile = self.tile(claim.tile.kind)
            return self._word(f"claim.kong_{claim.kind}", seat=self.seat(claim.seat), tile=tile)
        ready = not isinstance(claim, Kong) and claim.ready
        own = [self.tile(tile) for tile in dict.fromkeys(claim.own or ())]
        key = f"claim.{kind}_ready" if ready else f"claim.{kind}"
        return self._word(key, seat=self.seat(claim.seat), own=self._own(own))

    def _own(self, tiles: Sequence[str]) -> str:
        if len(tiles) != 2:
            return "".join(tiles)
        return self._word("own_tiles", one=tiles[0], other=tiles[1])

    def _hand_result(self, result: HandResult) -> str:
        counts = {
            "round": self._has_rounds,
            "staying": result.staying if result.staying > 1 else 0,
            "honba": result.honba,
            "deposits": result.deposits,
        }
        known = {} if result.dealer is None else {"dealer": self.seat(result.dealer)}
        return self._word(
            "hand_result" if known else "hand_result.dealer_unknown",
            **known,
            **{
                gap: self._word(f"hand_result.{gap}", count=count, wind=self.tile(result.round))
                if count
                else ""
                for gap, count in counts.items()
            },
        )

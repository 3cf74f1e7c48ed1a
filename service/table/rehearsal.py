"""A rehearsal on its way: which card is done, since when, and when each line was told."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from engine.errors import Refused
from engine.events import Entry
from engine.rehearsal import CardDone, RehearsalCard, Rehearsed, compare
from engine.rules.base import RuleSet
from engine.tiles import KINDS, Tile
from service.machine.files import write_whole
from service.table.certificate import Conditions
from vision.given_files import read_given
from vision.table.quality import QualityCheck, QualityGrade
from vision.table.view import TableView

SETTLES_S: Final = 6.0
"""How long the table is watched after the last card: what happened in it may be told late."""
VERSION: Final = 1
LARGEST: Final = 64 * 1024
SUFFIX: Final = "-cards.json"


@dataclass
class Rehearsal:
    """The cards of a game, one after the other; times are those of the record, in seconds."""

    cards: tuple[RehearsalCard, ...]
    begun_s: list[float] = field(default_factory=list)
    """When each card was begun, and at the end when the last one was done."""
    told_s: list[float | None] = field(default_factory=list)
    """When each line of the record was written."""
    faces: Mapping[Tile, bool] = field(default_factory=dict)
    findings: Sequence[QualityCheck] = ()

    @property
    def card(self) -> RehearsalCard | None:
        """The card that is done now; None before the first and after the last."""
        return (
            self.cards[len(self.begun_s) - 1] if 0 < len(self.begun_s) <= len(self.cards) else None
        )

    @property
    def over(self) -> bool:
        return len(self.begun_s) > len(self.cards)

    def go_on(self, time_s: float) -> None:
        """Somebody says that this card is done: the next one begins."""
        if not self.over:
            self.begun_s.append(max([time_s, *self.begun_s[-1:]]))

    def left_s(self, time_s: float) -> float:
        """How long the card of now has still to be done."""
        card = self.card
        return 0.0 if card is None else max(0.0, self.begun_s[-1] + card.lasts_s - time_s)

    def told(self, lines: int, at_s: float) -> None:
        """The record has so many lines now."""
        self.told_s += [at_s] * (lines - len(self.told_s))

    @property
    def done(self) -> tuple[CardDone, ...]:
        ends = zip(self.cards, self.begun_s, self.begun_s[1:], strict=False)
        return tuple(CardDone(card.id, since_s, until_s) for card, since_s, until_s in ends)

    def result(self, entries: Sequence[Entry]) -> Rehearsed:
        """What has been seen so far."""
        margins = {one.name: margin_of(one) for one in self.findings}
        return compare(self.cards, self.done, entries, self.told_s, self.faces, margins)

    def write(self, path: Path) -> None:
        """Keep when the cards were done, so that the film of it can be compared again."""
        ids = [*(card.id for card in self.cards), ""]
        rows = [[name, round(at, 2)] for name, at in zip(ids, self.begun_s, strict=False)]
        write_whole(path, json.dumps({"version": VERSION, "cards": rows}, ensure_ascii=False))


def faces_seen(rules: RuleSet, alone: Mapping[Tile, bool]) -> Mapping[Tile, bool]:
    """Whether each face of a game's set is read right; one that was not laid out is not.

    Red fives and flowers count where they were laid out: not every set has them.
    """
    wall = rules.wall.under(rules.all_options())
    needed = {tile.kind for tile in wall if tile.suit != "f"}
    flowers = any(tile.suit == "f" for tile in wall)
    return dict.fromkeys(sorted(needed), False) | {
        tile: right
        for tile, right in alone.items()
        if tile.kind in needed or (flowers and tile.kind not in KINDS)
    }


def margin_of(finding: QualityCheck) -> float:
    """Its margin; a finding without a scale is either bad or good."""
    if finding.margin is not None:
        return finding.margin
    return -1.0 if finding.grade is QualityGrade.BAD else 1.0


def read_moments(path: Path, cards: Sequence[RehearsalCard]) -> tuple[float, ...]:
    """When each card of a film was begun, and when the last was done; raises ``Refused``."""
    form = 'expected {"version": 1, "cards": [["discards", 12.5], ..., ["", 140.0]]}'
    try:
        told = json.loads(read_given(path, LARGEST))
        rows = [(str(name), float(at)) for name, at in told["cards"]]
        version = told["version"]
    except OSError as error:
        raise Refused(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, TypeError, KeyError, RecursionError):
        raise Refused(f"{path} does not say when cards were done: {form}") from None
    if version != VERSION:
        raise Refused(f"{path} is of version {version!r}; this program reads version {VERSION}")
    times = [at for _, at in rows]
    ids = [*(card.id for card in cards), ""]
    if [name for name, _ in rows] != ids[: len(rows)] or times != sorted(times):
        raise Refused(f"{path}: expected the cards {', '.join(ids[:-1])} in this order of time")
    return tuple(times)


def conditions_of(view: TableView | None, findings: Sequence[QualityCheck]) -> Conditions:
    """What a certificate names of a table in a picture."""
    by_name = {one.name: one.value for one in findings}

    def measured(name: str, digits: int) -> float | None:
        return round(by_name[name], digits) if name in by_name else None

    corners = None
    if view is not None:
        width, height = view.picture_px
        corners = tuple((round(x / width, 4), round(y / height, 4)) for x, y in view.corners_px)
    return Conditions(
        corners=corners,
        tile_px=measured("tile_px", 1),
        light=measured("light", 1),
        blur=measured("blur", 3),
    )

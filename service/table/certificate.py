"""What a rehearsal proved of a table, kept beside its record until something changes."""

from __future__ import annotations

import contextlib
import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from operator import eq
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from engine.rehearsal import BRONZE, GRADES, SILVER, Grade, Rehearsed, Share, cards_of, grade_of
from engine.rules import RULE_SETS
from engine.texts.files import filled
from service.machine.files import write_whole
from service.texts.catalogue import texts_of
from vision.given_files import read_given

if TYPE_CHECKING:  # a report of a game needs no pictures
    from vision.table.view import Corners

VERSION: Final = 1
REHEARSALS: Final = "rehearsal"
"""The folder of their records, beside those of games: they count in no standings."""
SUFFIX: Final = "-certificate.json"
LASTS: Final = timedelta(days=90)
LARGEST: Final = 64 * 1024
MOVED_SHARE: Final = 0.02
"""A corner that lies elsewhere by more than this share of the picture's width has moved: by half a
tile where a table fills the picture."""
LIGHT_FACTOR: Final = 1.5
"""Light that is weaker or stronger by more is another light."""
BLUR_MORE: Final = 0.06
"""Half of what lies between a sharp picture and one that is too blurred."""

SMALLER_FACTOR: Final = 1.25
"""Tiles that look smaller by more are read worse, with the table where it was."""
CLOCKS_DIFFER: Final = timedelta(days=1)
"""A certificate of tomorrow may come from another time zone."""

Lapse = Literal[
    "camera",
    "set",
    "weights",
    "game",
    "table",
    "size",
    "light",
    "sharpness",
    "age",
    "clock",
    "unreadable",
]
"""Why a certificate does not hold; ``unreadable``: what it says is not known."""

MOST_COUNTED: Final = 20_000
"""Events or faces of one rehearsal."""

_LAPSES: Final[Mapping[str, Lapse]] = {name: name for name in get_args(Lapse)}


class NoCertificate(ValueError):
    """A file that is no certificate."""


@dataclass(frozen=True)
class Conditions:
    """What a table is like; None where that is not known.

    What is not known yet is not compared; what a certificate does not know, it does not hold for.
    """

    camera: str | None = None
    own_set: str | None = None
    """The fingerprint of a profile; empty without one."""
    weights: str | None = None
    corners: Corners | None = None
    """Of the table, as shares of the picture's width and height."""
    tile_px: float | None = None
    """Width of a tile where it looks smallest."""
    light: float | None = None
    blur: float | None = None
    rules: str | None = None


def _game_holds(was: str, now: str) -> bool:
    """Whether a rehearsal of one game has shown all that is asked of another."""
    if was == now:
        return True
    one, other = RULE_SETS.get(was), RULE_SETS.get(now)
    if one is None or other is None:
        return False
    shown, asked = (
        {kind for card in cards_of(game) for kind in card.asks} for game in (one, other)
    )
    faces, more = (
        {tile.kind for tile in game.wall.under(game.all_options())} for game in (one, other)
    )
    return asked <= shown and more <= faces


def _table_holds(was: Corners, now: Corners) -> bool:
    return all(
        max(abs(x - u), abs(y - v)) <= MOVED_SHARE for (x, y), (u, v) in zip(was, now, strict=True)
    )


def _light_holds(was: float, now: float) -> bool:
    return 1 / LIGHT_FACTOR <= max(now, 1e-6) / max(was, 1e-6) <= LIGHT_FACTOR


@dataclass(frozen=True)
class TableCertificate:
    """What a table is good for, and for which table that holds."""

    made: date
    grade: Grade | None
    """None where everything was done, and no grade reached."""
    events: Share
    faces: Share
    delay_s: float | None
    conditions: Conditions
    film: bool = False
    """A film that was compared proves nothing of a camera's table."""

    @classmethod
    def of(
        cls, seen: Rehearsed, conditions: Conditions, made: date, film: bool = False
    ) -> TableCertificate:
        """The certificate of a rehearsal of which everything was done."""
        assert seen.whole, "half a rehearsal proves nothing"
        return cls(
            made, seen.grade, seen.events_share, seen.faces_share, seen.delay_s, conditions, film
        )

    def lapses(self, now: Conditions, today: date) -> tuple[Lapse, ...]:
        """Why it does not hold any more; nothing while it holds."""
        was = self.conditions
        compared: Mapping[Lapse, tuple[Any, Any, Callable[[Any, Any], bool]]] = {
            "camera": (was.camera, now.camera, eq),
            "set": (was.own_set, now.own_set, eq),
            "weights": (was.weights, now.weights, eq),
            "game": (was.rules, now.rules, _game_holds),
            "table": (was.corners, now.corners, _table_holds),
            "size": (was.tile_px, now.tile_px, lambda one, new: new * SMALLER_FACTOR >= one),
            "light": (was.light, now.light, _light_holds),
            "sharpness": (was.blur, now.blur, lambda one, new: new <= one + BLUR_MORE),
        }
        found: list[Lapse] = [
            name
            for name, (one, new, holds) in compared.items()
            if new is not None and (one is None or not holds(one, new))
        ]
        if today - self.made > LASTS:
            found.append("age")
        if self.made - today > CLOCKS_DIFFER:
            found.append("clock")
        return tuple(found)

    @property
    def until(self) -> date:
        """The last day on which it holds."""
        return self.made + LASTS

    def write(self, path: Path, lapsed: Sequence[Lapse] = ()) -> None:
        """``lapsed``: beside a game, why it did not hold for it. Raises ``OSError``."""
        told = {
            "version": VERSION,
            "made": self.made.isoformat(),
            "film": self.film,
            "grade": None if self.grade is None else self.grade.name,
            "delay_s": None if self.delay_s is None else round(self.delay_s, 2),
        }
        shares = {"events": self.events, "faces": self.faces}
        counts = {
            name: {"right": one.right, "of": one.of, "at_least": round(one.at_least, 4)}
            for name, one in shares.items()
        }
        whole = {**told, **counts, "conditions": asdict(self.conditions), "lapsed": [*lapsed]}
        write_whole(path, json.dumps(whole, indent=1, ensure_ascii=False) + "\n")

    @classmethod
    def read(cls, path: Path) -> TableCertificate:
        """Raises ``NoCertificate`` in one line."""
        return Standing.read(path).certificate

    @classmethod
    def _of_json(cls, told: Any) -> TableCertificate:
        grades: dict[str | None, Grade | None] = {grade.name: grade for grade in GRADES}
        return cls(
            date.fromisoformat(told["made"]),
            (grades | {None: None})[told["grade"]],
            _share(told["events"]),
            _share(told["faces"]),
            _measured(told["delay_s"]),
            _conditions(told["conditions"]),
            bool(told["film"]),
        )


def _share(told: Any) -> Share:
    """The bound is computed anew: a file cannot claim more than its counts carry."""
    right, of = told["right"], told["of"]
    if type(right) is not int or type(of) is not int or not 0 <= right <= of <= MOST_COUNTED:
        raise ValueError("no share")
    return Share(right, of)


def _conditions(told: Any) -> Conditions:
    corners = told["corners"]
    if corners is not None:
        corners = tuple((_number(x), _number(y)) for x, y in corners)
        if len(corners) != 4:
            raise ValueError("no table")
    camera, own_set, weights = (_word(told[name]) for name in ("camera", "own_set", "weights"))
    tile_px, light, blur = (_measured(told[name]) for name in ("tile_px", "light", "blur"))
    if blur is not None and blur > 1:
        raise ValueError("no share of blur")
    return Conditions(camera, own_set, weights, corners, tile_px, light, blur, _word(told["rules"]))


def _number(told: object) -> float:
    if isinstance(told, bool) or not isinstance(told, int | float) or not math.isfinite(told):
        raise ValueError("no number")
    return float(told)


def _measured(told: object) -> float | None:
    """None is not known; no measurement is below 0."""
    if told is None:
        return None
    if (number := _number(told)) < 0:
        raise ValueError("no measurement")
    return number


def _word(told: object) -> str | None:
    if told is None or isinstance(told, str):
        return told
    raise ValueError("no name")


def certificate_file(record: Path) -> Path:
    """The certificate of a rehearsal, beside its record."""
    return record.with_name(record.stem + SUFFIX)


def certificate_for(games: Path, camera: str) -> TableCertificate | None:
    """What the last rehearsal says of games that are recorded in this folder: that of this camera,
    else that of another one, which then has lapsed; None without any.

    The last one counts, also where it was worse: who repeats it until it comes out well has shown
    how lucky a table can be. Raises ``NoCertificate``.
    """
    other: TableCertificate | None = None
    for path in sorted((games / REHEARSALS).glob(f"*{SUFFIX}"), key=_begun, reverse=True):
        made = TableCertificate.read(path)
        if made.film:
            continue
        if made.conditions.camera == camera:
            return made
        other = other or made
    return other


def _begun(path: Path) -> tuple[tuple[int, str], ...]:
    """In order of time: another of the same second has a number more, of which 10 is after 9."""
    parts = re.findall(r"\d+|\D+", path.name.removesuffix(SUFFIX))
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in parts)


@dataclass(frozen=True)
class Standing:
    """A certificate beside the table as it is now."""

    certificate: TableCertificate
    lapsed: tuple[Lapse, ...] = ()

    @classmethod
    def unreadable(cls, today: date) -> Standing:
        """A certificate of which nothing is known but that it is there: it proves nothing."""
        nothing = TableCertificate(today, None, Share(0, 0), Share(0, 0), None, Conditions())
        return cls(nothing, ("unreadable",))

    @classmethod
    def read(cls, path: Path) -> Standing:
        """What lies beside the record of a rehearsal, or of a game; raises ``NoCertificate`` in one
        line."""
        try:
            told = json.loads(read_given(path, LARGEST))
            if told["version"] != VERSION:
                raise NoCertificate(
                    f"{path} is a certificate of version {told['version']!r}; this program reads "
                    f"version {VERSION}"
                )
            made = TableCertificate._of_json(told)
            lapsed = tuple(_LAPSES[name] for name in told["lapsed"])
        except NoCertificate:
            raise
        except OSError as error:
            raise NoCertificate(f"{path} cannot be read: {error.strerror}") from error
        except (ValueError, KeyError, TypeError, RecursionError, OverflowError) as error:
            raise NoCertificate(f"{path} is no certificate of a rehearsal") from error
        best = grade_of(made.events, made.faces, made.delay_s)
        carried = () if best is None else GRADES[GRADES.index(best) :]
        if made.grade is not None and made.grade not in carried:
            most = "no grade" if best is None else best.name
            raise NoCertificate(f"{path} says {made.grade.name}, but its counts carry {most}")
        return cls(made, lapsed)

    def write(self, path: Path) -> None:
        """Raises ``OSError``."""
        self.certificate.write(path, self.lapsed)

    @property
    def grade(self) -> Grade | None:
        """What holds now; None where it has lapsed."""
        return None if self.lapsed else self.certificate.grade

    @property
    def carries_fouls(self) -> bool:
        """Whether a foul counts as certain that the reader surely saw."""
        return self.grade not in (None, BRONZE)

    def asks(self, questions_open: bool, confidence: float | None) -> bool:
        """Whether a payout is asked before it counts as certain.

        ``questions_open``: something of its hand is asked anyway. ``confidence``: of the win, by
        the reader.
        """
        grade = self.grade
        if grade is None or grade is BRONZE:
            return True
        doubtful = confidence is not None and confidence < grade.events
        return doubtful or (grade is SILVER and questions_open)


def rehearsed_text(standing: Standing | None, lang: str) -> str | None:
    """The line of a report: when the table was rehearsed, its grade, and why that did not hold."""
    if standing is None:
        return None
    texts, certificate = texts_of(lang), standing.certificate
    grade = "none" if certificate.grade is None else certificate.grade.name
    told = {
        "made": certificate.made.isoformat(),
        "grade": texts[f"page.certificate.grade.{grade}"],
        "why": why_lapsed(standing, texts),
    }
    return filled(texts[f"report.rehearsed{'.lapsed' if standing.lapsed else ''}"], told)


def rehearsed_beside(certificate: Path) -> Standing | None:
    """What held for the games of a record; None where nothing was proved, or nothing readable."""
    with contextlib.suppress(NoCertificate):
        return Standing.read(certificate)
    return None


def why_lapsed(standing: Standing, texts: Mapping[str, str]) -> str:
    """In the words of a page."""
    return texts["page.between"].join(texts[f"page.certificate.{one}"] for one in standing.lapsed)

"""Grades of rehearsals beside what the tables then announce, over simulated installations.

    python -m tests.support.installations runs/installations.jsonl --count 64 --processes 2
    python -m tests.support.installations runs/installations.jsonl --count 0

Each installation is a table, a set, a light, a camera and troubles of its own, read from labels
through a simulated detector. Its rehearsal is played by the cards of its game and gets a grade, as
``tilesight check --rehearse`` gives one; then hands are played there, and each payment is judged as
a live table judges it: asked, or announced. A line of the file is one installation; those that are
there are not played again, and ``--count 0`` only sums them up.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, Final

from games.announced import Page
from games.installations import Film, Installation
from games.store.reading import about_an_end

from engine.codec import event_to_json
from engine.events import DrawnHand, Entry, Foul, HandEnd, HandStart, Win
from engine.game import Game
from engine.log import EventInForce, in_force
from engine.rehearsal import GRADES, Rehearsed, Share, at_least, cards_of, kinds_of
from engine.rules import RULE_SETS
from engine.tiles import KINDS, Tile
from service.table.certificate import Conditions, Standing, TableCertificate
from service.table.questions import open_questions
from service.table.rehearsal import SETTLES_S, Rehearsal, faces_seen
from service.table.trusted import unsure
from vision.compare import aligned, compare
from vision.decoder.pin import Pins
from vision.decoder.question import Question

BOTH_SIDES: Final = 0.975
PAID_S: Final = 5.0
"""So long after a hand was over for the reader, people pay: what is announced then is judged."""
Asked = Callable[[], Sequence[Question]]
"""What the reader asks now."""
NO_GRADE: Final = "none"
NICE: Final = 10
"""Other work goes first."""


@dataclass(frozen=True)
class Payment:
    """What a table told that one hand pays, at the moment when people pay."""

    at_s: float
    told: tuple[int, ...]
    true: tuple[int, ...] | None
    """None where no hand was over."""
    asked: bool
    """Whether it was asked with the grade of the table, or by the reader itself."""
    asked_anyway: bool
    """Whether the reader itself asked about the end of this hand, whatever the grade."""
    confidence: float | None
    """Of the win, by the reader."""
    ends: tuple[dict[str, object], ...] = ()
    """What ended the hand, as it was told."""
    truly: tuple[dict[str, object], ...] = ()
    """What truly ended it."""

    @property
    def wrong(self) -> bool:
        return self.told != self.true


@dataclass(frozen=True)
class Proved:
    """One installation: the grade of its rehearsal, and what was then announced."""

    seed: int
    rules: str
    levels: dict[str, str]
    grade: str
    events: tuple[int, int]
    faces: tuple[int, int]
    delay_s: float | None
    off: dict[str, tuple[dict[str, int], dict[str, int]]] = field(default_factory=dict)
    """By card, what was missing and what was told besides."""
    payments: tuple[Payment, ...] = ()
    played: tuple[int, int] = (0, 0)
    """Events of the hands that were told, as cards count them, and of how many."""
    named: tuple[int, int] = (0, 0)
    """Events that were told with the right tiles, and of how many that were told."""
    missing: tuple[dict[str, object], ...] = ()
    extra: tuple[dict[str, object], ...] = ()
    """What was not told of the hands, and what was told and is not true."""
    unpaid: int = 0
    """Hands that paid, less those of which a payment was told."""
    problems: tuple[dict[str, object], ...] = ()
    """What the table announced as a problem while the hands were played; nobody breaks a rule."""
    interrupted: int = 0
    """Questions that a page opens by itself then."""
    played_s: float = 0.0
    film_s: float = 0.0
    cpu_s: float = 0.0

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def of_json(cls, line: str) -> Proved:
        told = json.loads(line)
        told["payments"] = tuple(Payment(**_tuples(one)) for one in told["payments"])
        return cls(**_tuples(told))


def kinds_told(
    true: Sequence[Entry], read: Sequence[Entry], *, named: bool = False
) -> tuple[int, int]:
    """How many events both records have, by kind and seat, and how many either of them has.

    ``named``: by their tile, too; only those that have one.
    """
    first, second = (
        [
            (kind, getattr(one.entry.event, "seat", None), getattr(one.entry.event, "tile", None))
            for one in in_force(entries)
            for kind in kinds_of(one.entry.event)
        ]
        for entries in (true, read)
    )
    if named:
        first, second = ([one for one in side if one[2]] for side in (first, second))
        return len(aligned(first, second)), len(aligned(_plain(first), _plain(second)))
    both = len(aligned(_plain(first), _plain(second)))
    return both, len(first) + len(second) - both


def _plain(told: Sequence[tuple[object, ...]]) -> list[tuple[object, ...]]:
    return [one[:2] for one in told]


@dataclass(frozen=True)
class _Hand:
    """A hand as it truly was."""

    from_s: float
    paid: tuple[int, ...]
    ends: tuple[dict[str, object], ...]


def _hands(true: Sequence[Entry]) -> list[_Hand]:
    found: list[_Hand] = []
    game, from_s = Game(), 0.0
    for entry in true:
        if isinstance(entry.event, HandStart):
            from_s = entry.t or 0.0
        if isinstance(entry.event, HandEnd):
            found.append(_Hand(from_s, tuple(game.state.paid), _ends(game)))
        game = game.with_lines(entry)
    return found


def _ends(game: Game) -> tuple[dict[str, object], ...]:
    """What ends or pays in the last hand."""
    hand = _of_hand(game)
    return tuple(
        event_to_json(one.entry.event)
        for one in hand
        if isinstance(one.entry.event, Win | DrawnHand | Foul)
    )


def _of_hand(game: Game) -> list[EventInForce]:
    """The events in force of the last hand."""
    events = in_force(game.entries)
    starts = [at for at, one in enumerate(events) if isinstance(one.entry.event, HandStart)]
    return list(events[starts[-1] if starts else 0 :])


class Payments:
    """Judges each payment of a record at the moment when people pay."""

    def __init__(self, true: Sequence[Entry], standing: Standing) -> None:
        self._standing = standing
        self.hands = _hands(true)
        self.paid: list[Payment] = []
        self._game = Game()
        self._over_s: float | None = None
        self._judged = -1
        """The hand that was judged last."""

    def take(self, lines: Sequence[Entry], now_s: float, questions: Asked) -> None:
        before = self._game
        self._game = game = before.with_lines(*lines) if lines else before
        if game.state.hand_number != before.state.hand_number:
            self._judge(before, now_s, questions)
            self._over_s = None
        if not game.state.hand_over:
            self._over_s = None
        elif self._over_s is None:
            self._over_s = now_s
        elif now_s >= self._over_s + PAID_S:
            self._judge(game, now_s, questions)

    def end(self, now_s: float, questions: Asked) -> None:
        self._judge(self._game, now_s, questions)

    def _judge(self, game: Game, now_s: float, questions: Asked) -> None:
        state = game.state
        if not state.hand_over or state.hand_number == self._judged:
            return
        self._judged = state.hand_number
        if not any(state.paid):
            return
        hand = _of_hand(game)
        since_s, first = hand[0].entry.t or 0.0, hand[0].number
        asked = open_questions(questions(), game, Pins())
        anyway = any(
            about_an_end(one) and one.interrupts and one.place.time_s >= since_s for one in asked
        )
        by_grade = any(one.number >= first for one in unsure(self._standing, game, 0, asked))
        sure = [one.entry.confidence for one in hand if isinstance(one.entry.event, Win)]
        ended_s = hand[-1].entry.t or now_s
        true = [one for one in self.hands if one.from_s <= ended_s]
        self.paid.append(
            Payment(
                round(now_s, 1),
                tuple(state.paid),
                true[-1].paid if true else None,
                anyway or by_grade,
                anyway,
                min((one for one in sure if one is not None), default=None),
                _ends(game),
                true[-1].ends if true else (),
            )
        )


def _tuples(told: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(one) if isinstance(one, list) else one for name, one in told.items()}


def rehearsed(installation: Installation) -> tuple[Rehearsed, float]:
    """What a rehearsal at this installation shows, and how long it takes in seconds."""
    film = Film(installation)
    rules = RULE_SETS[installation.rules]
    rehearsal = Rehearsal(cards_of(rules))
    for _, at_s in film.cards:
        rehearsal.go_on(at_s)
    lines: list[Entry] = []
    for now in film.watched(rehearsal.begun_s[-1] + SETTLES_S):
        lines += now.lines
        rehearsal.told(len(lines), now.time_s)
    wall = rules.wall.under(rules.all_options())
    kinds = [Tile(kind) for kind in KINDS if Tile(kind) in wall]
    rehearsal.faces = faces_seen(rules, film.faces(kinds))
    rehearsal.findings = film.findings()
    return rehearsal.result(lines), film.length_s


def proved(installation: Installation, hands: int) -> Proved:
    """Rehearse at an installation, then play so many hands there."""
    begun_s = time.process_time()
    seen, rehearsed_s = rehearsed(installation)
    certificate = TableCertificate.of(seen, Conditions(rules=installation.rules), date.today())
    film = Film(installation, hands)
    read, lines = Payments(film.true, Standing(certificate)), list[Entry]()
    page = Page()
    for now in film.watched():
        lines += now.lines
        if now.lines:
            page.show(now.lines, now.time_s)
            page.ask(now.decoder.questions(), now.time_s)
        read.take(now.lines, now.time_s, now.decoder.questions)
    read.end(now.time_s, now.decoder.questions)
    report, told = compare(film.true, lines), kinds_told(film.true, lines)
    return Proved(
        installation.seed,
        installation.rules,
        dict(installation.levels),
        NO_GRADE if seen.grade is None else seen.grade.name,
        (seen.events_share.right, seen.events_share.of),
        (seen.faces_share.right, seen.faces_share.of),
        None if seen.delay_s is None else round(seen.delay_s, 2),
        {one.card: (dict(one.missing), dict(one.extra)) for one in seen.cards if one.good < one.of},
        tuple(read.paid),
        told,
        kinds_told(film.true, lines, named=True),
        tuple(map(event_to_json, report.missing)),
        tuple(map(event_to_json, report.extra)),
        sum(any(hand.paid) for hand in read.hands) - len(read.paid),
        tuple(one for alarm in page.problems for one in alarm.what),
        sum(alarm.interrupts for alarm in page.asked.values()),
        film.length_s,
        round(rehearsed_s + film.length_s, 1),
        round(time.process_time() - begun_s, 1),
    )


# --- all of them ---


def share_between(part: int, whole: int) -> tuple[float, float]:
    """The exact interval of a share with 95 % confidence (Clopper and Pearson, two-sided)."""
    if not whole:
        return 0.0, 1.0
    return at_least(part, whole, BOTH_SIDES), 1.0 - at_least(whole - part, whole, BOTH_SIDES)


def table(found: Sequence[Proved]) -> Iterator[str]:
    """A line for each grade: installations, events of play, payments, and wrong ones among those
    that were announced; then one for each game: problems, which all are false, and questions."""
    for grade in (*(one.name for one in GRADES), NO_GRADE):
        here = [one for one in found if one.grade == grade]
        payments = [payment for one in here for payment in one.payments]
        with_grade = [one for one in payments if not one.asked]
        without = [one for one in payments if not one.asked_anyway]
        seen = _of_all((one.played, one.events) for one in here)
        named = _of_all((one.named, one.faces) for one in here)
        yield (
            f"{grade}: {len(here)} installations; events of play told {seen}, named {named}; "
            f"{len(payments)} payments told, {sum(one.unpaid for one in here)} not; "
            f"announced unasked {len(with_grade)}, wrong {_wrong(with_grade)}; "
            f"without the certificate {len(without)}, wrong {_wrong(without)}"
        )
    for rules in sorted({one.rules for one in found}):
        games = [one for one in found if one.rules == rules]
        played_s = sum(one.played_s for one in games)
        yield (
            f"{rules}: {played_s / 60:.0f} minutes of play, "
            f"{sum(len(one.problems) for one in games)} problems announced, "
            f"{sum(one.interrupted for one in games)} questions interrupted"
        )


def _of_all(shares: Iterable[tuple[tuple[int, int], tuple[int, int]]]) -> str:
    """A share over installations; and in how many it is less than what the rehearsal proved."""
    both = list(shares)
    right, of = (sum(played[at] for played, _ in both) for at in (0, 1))
    less = sum(_less(*one) for one in both)
    return f"{right} of {of} ({right / max(1, of):.1%}; in {less} less than was proved)"


def _less(played: tuple[int, int], rehearsed: tuple[int, int]) -> bool:
    """Whether play shows, with 95 % confidence, less than what a rehearsal proved."""
    wrong = Share(played[1] - played[0], played[1])
    return wrong.at_least > 1.0 - at_least(*rehearsed)


def _wrong(payments: Sequence[Payment]) -> str:
    wrong = sum(one.wrong for one in payments)
    low, high = share_between(wrong, len(payments))
    return f"{wrong} ({low:.1%} to {high:.1%})"


def kept(path: Path) -> dict[int, Proved]:
    """The installations of a file by their seeds; a line that was cut off is played again."""
    found: dict[int, Proved] = {}
    for line in path.read_text("utf-8").splitlines() if path.exists() else ():
        try:
            one = Proved.of_json(line)
        except (ValueError, TypeError, KeyError):
            continue
        found[one.seed] = one
    return found


def _one(hands: int, seed: int) -> tuple[int, Proved | str]:
    try:
        return seed, proved(Installation.numbered(seed), hands)
    except Exception:
        return seed, traceback.format_exc()


def _each(seeds: Sequence[int], hands: int, processes: int) -> Iterator[tuple[int, Proved | str]]:
    if processes == 1:
        yield from map(partial(_one, hands), seeds)
        return
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        yield from pool.imap_unordered(partial(_one, hands), seeds)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("out", type=Path, help="a file to which a line is added for each")
    parser.add_argument("--count", type=int, default=64, help="installations from the first on")
    parser.add_argument("--first", type=int, default=1, help="seed of the first installation")
    parser.add_argument("--hands", type=int, default=1, help="played after each rehearsal")
    parser.add_argument("--processes", type=int, default=1)
    given = parser.parse_args(arguments)
    for name, least in (("count", 0), ("first", 0), ("hands", 1), ("processes", 1)):
        if getattr(given, name) < least:
            parser.error(f"--{name} must be {least} or more, got {getattr(given, name)}")
    found, failed = kept(given.out), 0
    left = [seed for seed in range(given.first, given.first + given.count) if seed not in found]
    given.out.parent.mkdir(parents=True, exist_ok=True)
    for seed, one in _each(left, given.hands, given.processes):
        if isinstance(one, str):
            failed += 1
            print(f"installation {seed} failed:\n{one}", file=sys.stderr, flush=True)
            continue
        found[seed] = one
        with given.out.open("a", encoding="utf-8") as lines:
            lines.write(one.to_json() + "\n")
        told = ", ".join(f"{aspect} {level}" for aspect, level in one.levels.items())
        print(f"{seed} {one.rules} ({told}): {one.grade}, {one.cpu_s} s", flush=True)
    print(*table(list(found.values())), sep="\n")
    return 1 if failed else 0


if __name__ == "__main__":
    os.nice(max(0, NICE - os.nice(0)))  # not in ``main``: a test would lower all tests after it
    sys.exit(main())

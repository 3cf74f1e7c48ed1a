"""``tilesight verify``: whether and where a record was changed after it was written, and where it
differs from what somebody wrote down of the game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, zip_longest
from typing import Annotated, Final

import typer

from engine.errors import Refused
from engine.events import Correct, Entry
from engine.rehearsal import Share
from engine.seal import DIGITS, SealReport, check_seals, in_groups, seals_of
from engine.stories import GameStory
from engine.texts.announcements import one_line
from engine.texts.files import filled
from service.commands.options import Lang, add_to
from service.machine.records import load_record, name_of, read_record_text, read_text, tell
from service.report.score_keeper import (
    ComparedHand,
    compare,
    hands_read,
    moved_text,
    players_of,
    refuse_totals,
    rows_written,
)
from service.table.reader_maker import made_by
from service.texts.catalogue import terminal_language, texts_of

AS_WRITTEN, CHANGED = 0, 1
LEAST_DIGITS: Final = 16
"""Of a seal that somebody types: another line with the same 8 is found within an hour."""
MOST_SHOWN: Final = 24
"""Letters of what a record says of the program that wrote it."""


def run(
    record: str, lang: str, against: str | None, seal: str | None, scores: str | None = None
) -> int:
    """Print what the seals of a record say, and return the exit status.

    0: nothing shows that it was changed; 1: something was changed or added, or no event is sealed.
    ``against``: another copy of the record. ``seal``: the last seal of it that somebody noted, or
    the beginning of that. ``scores``: a score sheet that somebody kept; then the hands are
    compared with it, and no seal is asked: 1 where any differs. Raises ``Refused``, ``OSError``.
    """
    texts = texts_of(lang)
    if scores is not None:
        if against is not None or seal is not None:
            raise Refused("--scores: give it without --against and --seal, which ask for changes")
        return _beside_scores(record, scores, lang)
    noted = None if seal is None else _noted(seal)
    if record == against == "-":
        raise Refused("--against -: one of the two copies can come from standard input")
    entries, text = read_record_text(record)
    report = check_seals(text)
    wrong = [*_said_by_seals(report, texts)]
    if noted is not None:
        wrong += _against_seal(seals_of(text), noted, texts)
    if against is not None:
        wrong += _differences(entries, load_record(against), name_of(against), texts)
    for line in wrong:
        print(line)
    for line in _about(report, entries, texts):
        print(line)
    if not wrong:
        # Only what is kept elsewhere shows a missing end, or that all was sealed anew.
        sure = noted is not None or against is not None
        key = "cli.verify.whole" if sure else "cli.verify.no_change"
        print(texts[key].format(record=name_of(record)))
    return CHANGED if wrong else AS_WRITTEN


def _beside_scores(record: str, scores: str, lang: str) -> int:
    """Print the hands in which a record differs from a score sheet; return the exit status."""
    if record == scores == "-":
        raise Refused("--scores -: one of record and score sheet can come from standard input")
    texts = texts_of(lang)
    games = tell(load_record(record))
    read, written = hands_read(games), rows_written(read_text(scores), games)
    refuse_totals(read, written)
    compared = compare(read, written)
    differ = [one for one in compared if not one.agree]
    for one in differ:
        print(_difference(one, games, lang))
    moving = sum(one.moves for one in compared)
    seen = Share(moving - len(differ), moving)
    # Rounded down: nothing more is claimed than is known.
    told = {"count": seen.of, "alike": seen.right, "least": f"{int(100 * seen.at_least)}%"}
    print(filled(texts["cli.verify.scores" if moving else "cli.verify.scores.none"], told))
    return CHANGED if differ else AS_WRITTEN


def _difference(one: ComparedHand, games: Sequence[GameStory], lang: str) -> str:
    """A hand that was read otherwise than it was written down, in one line."""
    texts, players = texts_of(lang), players_of(games, lang)
    told: dict[str, object] = {}
    if one.read is not None:
        at_s = one.read.until_s
        when = "" if at_s is None else f" ({int(at_s) // 60}:{int(at_s) % 60:02})"
        told = {"game": one.read.game, "hand": one.read.number, "when": when}
        told["read"] = moved_text(one.read.moved, players, lang)
    if one.written is not None:
        told |= {"line": one.written.line}
        told["written"] = moved_text(one.written.moved, players, lang)
    if one.read is None:
        return texts["cli.verify.scores.not_read"].format(**told)
    key = "not_written" if one.written is None else "differs"
    return texts[f"cli.verify.scores.{key}"].format(**told)


def _noted(seal: str) -> str:
    """What was typed of a seal, without the spaces; raises ``Refused``."""
    noted = seal.replace(" ", "").replace("-", "").lower()
    if not LEAST_DIGITS <= len(noted) <= DIGITS or set(noted) - set("0123456789abcdef"):
        raise Refused(
            f"--seal {seal}: give at least the first {LEAST_DIGITS} digits (0-9, a-f) of a seal"
        )
    return noted


def _said_by_seals(report: SealReport, texts: Mapping[str, str]) -> Iterator[str]:
    if report.first is None:
        yield texts["cli.verify.unsealed"]
    for first, last in _runs(report.changed):
        key = "cli.verify.changed.one" if first == last else "cli.verify.changed"
        yield texts[key].format(event=first, first=first, last=last)
    for first, last in _runs(report.unsealed):
        key = "cli.verify.no_seal.one" if first == last else "cli.verify.no_seal"
        yield texts[key].format(event=first, first=first, last=last)


def _runs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """First and last of each run of numbers that follow each other."""
    for _, run_of in groupby(enumerate(numbers), lambda one: one[1] - one[0]):
        run_ = [number for _, number in run_of]
        yield run_[0], run_[-1]


def _against_seal(seals: Sequence[str], noted: str, texts: Mapping[str, str]) -> Iterator[str]:
    """What a seal that somebody noted says of the record."""
    at = next((at for at, each in enumerate(seals) if each.startswith(noted)), None)
    if at is None:
        yield texts["cli.verify.no_such_seal"].format(seal=noted)
    elif at + 1 < len(seals):
        more = len(seals) - 1 - at
        yield filled(texts["cli.verify.added"], {"event": at, "count": more})


def _differences(
    here: Sequence[Entry], there: Sequence[Entry], name: str, texts: Mapping[str, str]
) -> Iterator[str]:
    """The first event that differs, and how many do; and what only one copy has."""
    pairs = [*zip_longest(here, there)]
    both = min(len(here), len(there))
    differ = [number for number, (mine, other) in enumerate(pairs[:both]) if mine != other]
    if differ:
        told = {"event": differ[0], "other": name, "count": len(differ)}
        yield filled(texts["cli.verify.differs"], told)
    if both < len(pairs):
        more = "cli.verify.missing" if both == len(here) else "cli.verify.more"
        yield texts[more].format(event=both, other=name)


def _about(report: SealReport, entries: Sequence[Entry], texts: Mapping[str, str]) -> Iterator[str]:
    """What a person should know of the record besides."""
    if report.first is None:
        return
    before = None
    for number, maker in report.makers.items():
        about = ", ".join(f"{part} {_shown(maker.get(part))}" for part in made_by())
        if about != before:
            same = "cli.verify.this_program" if dict(maker) == made_by() else "cli.verify.program"
            yield texts[same].format(event=number, program=about)
        before = about
    corrections = sum(isinstance(entry.event, Correct) for entry in entries)
    if corrections:
        yield filled(texts["cli.verify.corrections"], {"count": corrections})
    yield texts["cli.verify.seal"].format(
        first=report.first, last=report.lines - 1, seal=in_groups(report.last)
    )


def _shown(value: object) -> str:
    """What a record says of a program: anybody may have written it."""
    return one_line(value)[:MOST_SHOWN] if isinstance(value, str) else "?"


app = typer.Typer(add_completion=False)


@add_to(app, "verify")
def command(
    record: Annotated[str, typer.Argument(help="help.record")],
    lang: Lang = None,
    against: Annotated[
        str | None, typer.Option(metavar="RECORD", help="help.verify.against")
    ] = None,
    seal: Annotated[str | None, typer.Option(help="help.verify.seal")] = None,
    scores: Annotated[str | None, typer.Option(metavar="CSV", help="help.verify.scores")] = None,
) -> int:
    return run(record, lang or terminal_language(), against, seal, scores)

"""``tilesight verify``: whether and where a record was changed after it was written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Annotated

import typer

from engine.errors import Refused
from engine.events import Correct, Entry
from engine.seal import DIGITS, SealReport, check_seals, in_groups, seals_of
from service.commands.options import Lang, add_to
from service.machine.records import load_record, name_of, read_record_text
from service.table.reader_maker import made_by
from service.texts.catalogue import terminal_language, texts_of

AS_WRITTEN, CHANGED = 0, 1


def run(record: str, lang: str, against: str | None, seal: str | None) -> int:
    """Print what the seals of a record say, and return the exit status.

    0: the record is as it was written; 1: something was changed, or nothing shows that it was not.
    ``against``: another copy of the record. ``seal``: a seal of it that somebody noted, or its
    beginning. Raises ``Refused``, ``OSError``.
    """
    texts = texts_of(lang)
    noted = None if seal is None else _noted(seal)
    entries, text = read_record_text(record)
    report = check_seals(text)
    wrong = [*_said_by_seals(report, texts)]
    if noted is not None and not any(each.startswith(noted) for each in seals_of(text)):
        wrong.append(texts["cli.verify.no_such_seal"].format(seal=noted))
    if against is not None:
        wrong += _differences(entries, load_record(against), name_of(against), texts)
    for line in wrong:
        print(line)
    for line in _about(report, entries, texts):
        print(line)
    if not wrong:
        print(texts["cli.verify.whole"].format(record=name_of(record)))
    return CHANGED if wrong else AS_WRITTEN


def _noted(seal: str) -> str:
    """What was typed of a seal, without the spaces; raises ``Refused``."""
    noted = seal.replace(" ", "").replace("-", "").lower()
    if not 8 <= len(noted) <= DIGITS or set(noted) - set("0123456789abcdef"):
        raise Refused(f"--seal {seal}: give at least the first 8 digits (0-9, a-f) of a seal")
    return noted


def _said_by_seals(report: SealReport, texts: Mapping[str, str]) -> Iterator[str]:
    if report.first is None:
        yield texts["cli.verify.unsealed"]
    for number in report.changed:
        yield texts["cli.verify.changed"].format(event=number)
    for number in report.unsealed:
        yield texts["cli.verify.no_seal"].format(event=number)


def _differences(
    here: Sequence[Entry], there: Sequence[Entry], name: str, texts: Mapping[str, str]
) -> Iterator[str]:
    """A line for each event that differs; what only one copy has is one line."""
    for number, (mine, other) in enumerate(zip_longest(here, there)):
        if mine is None or other is None:
            more = "cli.verify.missing" if mine is None else "cli.verify.more"
            yield texts[more].format(event=number, other=name)
            return
        if mine != other:
            yield texts["cli.verify.differs"].format(event=number, other=name)


def _about(report: SealReport, entries: Sequence[Entry], texts: Mapping[str, str]) -> Iterator[str]:
    """What a person should know of the record besides."""
    for number, maker in report.makers.items():
        same = "cli.verify.this_program" if dict(maker) == made_by() else "cli.verify.program"
        about = ", ".join(f"{part} {value}" for part, value in maker.items())
        yield texts[same].format(event=number, program=about)
    corrections = sum(isinstance(entry.event, Correct) for entry in entries)
    if corrections:
        yield texts["cli.verify.corrections"].format(count=corrections)
    if report.first is not None:
        yield texts["cli.verify.seal"].format(
            first=report.first, last=report.lines - 1, seal=in_groups(report.last)
        )


app = typer.Typer(add_completion=False)


@add_to(app, "verify")
def command(
    record: Annotated[str, typer.Argument(help="help.record")],
    lang: Lang = None,
    against: Annotated[
        str | None, typer.Option(metavar="RECORD", help="help.verify.against")
    ] = None,
    seal: Annotated[str | None, typer.Option(help="help.verify.seal")] = None,
) -> int:
    return run(record, lang or terminal_language(), against, seal)

"""``tilesight replay``: prints what the engine says about a record."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator

from engine.announce import Announcement, Problem, heard_by
from engine.events import Seat
from engine.game import replay
from engine.salvage import Salvaged, salvage
from service.records import load_record, name_of, no_event_in, read_text
from service.words.announcements import sentence, with_text
from service.words.catalogue import words_of

FINE, PROBLEMS, UNREADABLE = 0, 1, 2


def run(
    path_or_dash: str,
    lang: str,
    as_json: bool,
    seat: Seat | None,
    hints: bool = False,
    go_on: bool = False,
) -> int:
    """Print a record's announcements, a line each, and return the exit status.

    ``seat``: only what that seat may know. ``hints``: what each seat might do as well. The status
    is 0; 1 when a problem was announced (to whomever); 2 when the record cannot be read, with one
    line on standard error. ``go_on``: lines that cannot be read are named on standard error, a
    line each, after what the others tell.
    """
    try:
        words_of(lang)
        if seat is not None and seat not in range(4):
            raise ValueError(f"expected a seat from 0 to 3, got {seat}")
        if go_on:
            saved = salvage(read_text(path_or_dash))
            if not saved.entries:
                raise no_event_in(path_or_dash)
        else:
            saved = Salvaged(tuple(load_record(path_or_dash)), ())
        game = replay(saved.entries)
    except ValueError as error:
        return _fail(str(error))
    except OSError as error:
        return _fail(f"cannot read {name_of(path_or_dash)}: {error.strerror or error}")
    try:
        said = game.taught() if hints else game.announcements()
        for line in lines(said, lang, as_json, seat, game.state.rules):
            print(line)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    for broken in saved.broken:
        _fail(f"{name_of(path_or_dash)}, {broken}")
    if saved.broken:
        return UNREADABLE
    problems = any(isinstance(said, Problem) for said in game.announcements())
    return PROBLEMS if problems else FINE


def lines(
    announcements: Iterable[Announcement],
    lang: str,
    as_json: bool,
    seat: Seat | None,
    rules: str = "",
) -> Iterator[str]:
    """The lines to print for ``seat``; None is everything."""
    for said in announcements if seat is None else heard_by(announcements, seat):
        audience = audience_of(said)
        if as_json:
            yield json.dumps(with_text(said, lang, rules), ensure_ascii=False)
        else:
            mark = "" if audience is None else words_of(lang)["cli.for"].format(seat=audience)
            private = f"{mark} " if mark else ""
            yield f"{said.of:4}  {private}{sentence(said, lang, rules=rules)}"


def audience_of(said: Announcement) -> Seat | None:
    """The only seat that may know; None is everybody."""
    return getattr(said, "audience", None)


def _fail(message: str) -> int:
    print(f"tilesight: {message}", file=sys.stderr)
    return UNREADABLE

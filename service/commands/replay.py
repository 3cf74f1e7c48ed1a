"""``tilesight replay``: prints what happened in a record and what the engine says about it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import repeat
from typing import Annotated

import typer

from engine.announce import Announcement, Hint, Problem, Turn, heard_by
from engine.codec import Salvaged, salvage
from engine.events import Seat
from engine.game import Game
from engine.game import replay as replayed
from engine.played import PlayedEvent
from engine.texts.announcements import sentence, with_text
from engine.visibility import events_seen
from service.commands.options import Lang, add_to
from service.machine.records import load_record, name_of, no_event_in, read_text
from service.texts.catalogue import terminal_language, texts_of
from service.texts.events import event_sentence

FINE, PROBLEMS, UNREADABLE = 0, 1, 2


def run(
    path_or_dash: str,
    lang: str,
    as_json: bool,
    seat: Seat | None,
    hints: bool = False,
    go_on: bool = False,
) -> int:
    """Print a record's events and announcements, a line each, and return the exit status.

    As JSON, the announcements alone.

    ``seat``: only what that seat may know. ``hints``: what each seat might do as well. The status
    is 0; 1 when a problem was announced (to whomever); 2 when the record cannot be read, with one
    line on standard error. ``go_on``: skip lines that cannot be read, and name each of them on
    standard error at the end.
    """
    try:
        texts_of(lang)
        if seat is not None and seat not in range(4):
            raise ValueError(f"expected a seat from 0 to 3, got {seat}")
        if go_on:
            saved = salvage(read_text(path_or_dash))
            if not saved.entries:
                raise no_event_in(path_or_dash)
        else:
            saved = Salvaged(tuple(load_record(path_or_dash)), ())
        game = replayed(saved.entries)
    except ValueError as error:
        return _fail(str(error))
    except OSError as error:
        return _fail(f"cannot read {name_of(path_or_dash)}: {error.strerror or error}")
    try:
        rules = game.state.rules
        if as_json:
            printed = lines(
                game.taught() if hints else game.announcements(), lang, True, seat, rules
            )
        else:
            printed = told(game, lang, seat, hints)
        for line in printed:
            print(line)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    for broken in saved.broken:
        _fail(f"{name_of(path_or_dash)}, {broken}")
    if saved.broken:
        return UNREADABLE
    problems = any(isinstance(announcement, Problem) for announcement in game.announcements())
    return PROBLEMS if problems else FINE


def lines(
    announcements: Iterable[Announcement],
    lang: str,
    as_json: bool,
    seat: Seat | None,
    rules: str = "",
) -> Iterator[str]:
    """The lines to print for ``seat``; None is everything."""
    for announcement in announcements if seat is None else heard_by(announcements, seat):
        audience = audience_of(announcement)
        if as_json:
            yield json.dumps(with_text(announcement, lang, rules), ensure_ascii=False)
        else:
            yield _line(announcement.of, sentence(announcement, lang, rules=rules), lang, audience)


def told(game: Game, lang: str, seat: Seat | None, hints: bool) -> Iterator[str]:
    """What happened and what the rules say of it, event by event."""
    public, shown = events_seen(game), events_seen(game, seat)
    none: list[Hint] = []
    fresh = game.hints() if hints else repeat(none)
    for place, (played, new) in enumerate(zip(game.played, fresh, strict=False)):
        rules = "" if played.rules is None else played.rules.id
        event = (played.event.entry if seat is None else shown[place].entry).event
        owner = getattr(event, "seat", None) if event != public[place].entry.event else None
        text = event_sentence(event, lang, rules)
        yield _line(played.event.number, text, lang, owner)
        announcements = [
            _without_dead_wall(announcement, played)
            for announcement in (*played.announcements, *new)
        ]
        yield from lines(announcements, lang, False, seat, rules)


def _without_dead_wall(said: Announcement, played: PlayedEvent) -> Announcement:
    """What is left of the wall as players count it: what they may still draw."""
    if not isinstance(said, Turn) or played.rules is None:
        return said
    return replace(said, wall_left=max(0, played.rules.wall.live(played.state)))


def _line(of: int, text: str, lang: str, audience: Seat | None) -> str:
    mark = "" if audience is None else texts_of(lang)["cli.for"].format(seat=audience) + " "
    return f"{of:4}  {mark}{text}"


def audience_of(said: Announcement) -> Seat | None:
    """The only seat that may know; None is everybody."""
    return getattr(said, "audience", None)


def _fail(message: str) -> int:
    print(f"tilesight: {message}", file=sys.stderr)
    return UNREADABLE


app = typer.Typer(add_completion=False)


@add_to(app, "replay")
def command(
    record: Annotated[str, typer.Argument(help="help.record")],
    lang: Lang = None,
    as_json: Annotated[bool, typer.Option("--json", help="help.replay.json")] = False,
    seat: Annotated[int | None, typer.Option(min=0, max=3, help="help.replay.seat")] = None,
    hints: Annotated[bool, typer.Option("--hints", help="help.replay.hints")] = False,
    go_on: Annotated[bool, typer.Option("--go-on", help="help.replay.go_on")] = False,
) -> int:
    return run(record, lang or terminal_language(), as_json, seat, hints, go_on)

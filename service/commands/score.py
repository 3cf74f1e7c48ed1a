"""``tilesight score``: turns a recorded game into a record, a score sheet and a report."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from engine.announce import Problem
from engine.errors import Refused
from engine.events import GameStart
from engine.fields import Unreadable
from engine.options import rules_of
from engine.rules import RULE_SETS
from engine.stories import GameStory
from engine.texts.figures import signed
from service.commands.options import (
    FirstDealer,
    HouseRules,
    KeepTiles,
    Lang,
    Mirrored,
    OwnSet,
    Players,
    ReadTwice,
    Rules,
    SeatCamera,
    SeatShift,
    SeatSide,
    TableFile,
    add_to,
)
from service.commands.progress import progress
from service.film.film import QUESTIONS, REPORT, FilmScoring, FilmToScore
from service.film.kept_looks import ExplainedLooks, NoLooks, explained_looks
from service.film.mended import (
    ANSWERS,
    again_with_answers,
    all_answers,
    folder_to_read,
    take_place,
)
from service.film.score_folder import ScoreFolder, rest_of
from service.film.seat_recordings import hands_seen, players_of
from service.machine.files import to_stderr
from service.machine.records import tell
from service.phone.seat_cameras import seat_films
from service.report.gaps import Gap, gaps_in
from service.report.sheet import result_text
from service.table.notices import to_terminal
from service.table.options import Options
from service.table.reader_maker import MakeReader, ReaderMaker
from service.table.second_look import read_twice_in
from service.table.tile_keeper import TileKeeper
from service.texts.catalogue import terminal_language, texts_of
from service.texts.stories import names_in
from vision.camera.address import readable
from vision.camera.pictures import SourceError


def run(
    videos: Sequence[Path],
    options: Options,
    out: Path | None,
    make_reader: MakeReader,
    answers: Path | None = None,
    players: str | None = None,
    arguments: Sequence[str] | None = None,
) -> int:
    """Score a film, of one file or several, into a new folder or one where this was interrupted.

    Raises ``SourceError``, ``Refused``, ``NoSuchLanguage``; if no event was seen by then, no folder
    is left behind. ``answers`` is the file of questions of an earlier run, answered; ``players``
    the names of seats 0 to 3 with commas, ``arguments`` what was typed after the program's name.
    """
    rules, lang, keep_tiles = options.rules, options.lang, options.keep_tiles
    refuse_unknown_rules(rules)
    texts = texts_of(lang)
    folder = out or Path(videos[0].stem)
    said = all_answers(answers, folder)
    typed = arguments or ["score", *map(str, videos), "--rules", rules]
    again = readable(again_with_answers(typed))
    named = None if players is None else players_of(players)
    film = FilmToScore(
        tuple(videos),
        options,
        make_reader,
        said,
        progress,
        again=again,
        players=named,
    )
    reading = folder_to_read(folder, film)
    explains = reading != folder and keep_tiles is None  # tiles are kept from pictures
    if explains and rest_of(reading, film.made_with) is None:
        film = replace(film, kept=_explained(folder, film))
    scoring = FilmScoring(film, reading)
    growing, source, rest = scoring.growing, scoring.source, scoring.rest
    tell_kept(keep_tiles, lang)
    keeper: TileKeeper | None = None
    if keep_tiles is not None:
        keeper = TileKeeper(keep_tiles, growing.pictures, growing.lines, said)
    for remark in source.remarks:
        to_stderr(remark)
    if rest is not None:
        to_stderr(texts["cli.score.going_on"].format(seconds=round(rest.place.time_s)))
    try:
        with progress(source, growing.time_s, lang) as advance_to:
            scoring.read(advance_to, keeper=keeper)
        for notice in growing.notices:
            to_terminal(notice, lang)
        if not growing.game_seen:
            raise Refused(
                f"no game was seen in {film.name}; is the whole table in the picture? "
                "(tilesight check shows what was found)"
            )
        questions = scoring.finish()
    except BaseException as error:
        growing.close_record()
        if not growing.game_seen:
            growing.remove()
            if isinstance(error, KeyboardInterrupt):
                to_stderr(texts["cli.score.nothing"].format(seconds=round(growing.time_s)))
            raise
        # The disk may be full; a second Ctrl-C skips the report, but not the line about it.
        with contextlib.suppress(OSError, KeyboardInterrupt):
            scoring.write_so_far()
        return _ended(error, growing, texts)
    if reading != folder:
        take_place(folder)
    for line in hands_seen(scoring.witness, lang):
        print(line)
    _say(tell(growing.stood), growing.gaps, folder, lang)
    if questions:
        text = texts["cli.score.questions.one" if len(questions) == 1 else "cli.score.questions"]
        file = folder / QUESTIONS
        print(text.format(count=len(questions), file=file, answers=ANSWERS, command=again))
    return 0


def _explained(folder: Path, film: FilmToScore) -> ExplainedLooks | None:
    """The film explained by what its folder keeps; None, and a line why, where it must be read."""
    try:
        return explained_looks(folder, film.answers)
    except NoLooks as error:
        to_stderr(f"{error}: the film is read again")
        return None


def _ended(error: BaseException, growing: ScoreFolder, texts: Mapping[str, str]) -> int:
    """Say where reading was interrupted and how to go on. Raise the error again if it is a fault of
    the program."""
    since = texts["cli.score.again"]
    if growing.rest is not None:
        since = texts["cli.score.goes_on"].format(seconds=round(growing.rest.place.time_s))
    so_far = {"seconds": round(growing.time_s), "folder": growing.folder, "since": since}
    told = texts["cli.score.ended"].format(**so_far)
    if isinstance(error, OSError):
        raise Refused(f"{error.filename or growing.folder}: {error.strerror}; {told}") from error
    if isinstance(error, Refused | SourceError):
        raise Refused(f"{error}; {told}") from error
    to_stderr(f"tilesight: {told}")
    if isinstance(error, KeyboardInterrupt):
        return 130
    raise error


def tell_kept(folder: Path | None, lang: str) -> None:
    """Say what is kept, and that everybody at the table has to agree to it; raises ``OSError``."""
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        to_stderr(texts_of(lang)["cli.keep_tiles"].format(folder=folder))


def reading_options(
    *, rules: str, lang: str | None, table: Path | None, seat0: str | None, own_set: Path | None,
    first_dealer: int | None, mirrored: bool | None, option: Sequence[str] | None = None,
    seat_camera: Sequence[str] | None = None, seat_shift: Sequence[str] | None = None,
    keep_tiles: Path | None = None, read_twice: int | None = None,
) -> Options:  # fmt: skip
    """What was typed of how a table is read; raises ``Refused``, ``SourceError``."""
    if read_twice is None and table is not None:
        read_twice = read_twice_in(table)
    return Options(
        rules,
        lang or terminal_language(),
        table,
        seat0,
        own_set,
        first_dealer,
        mirrored,
        tuple(seat_films(seat_camera or (), seat_shift or (), first_dealer or 0)),
        keep_tiles,
        house_rules=house_rules(rules, option or ()),
        read_twice=read_twice,
    )


def house_rules(rules: str, typed: Sequence[str]) -> Mapping[str, object]:
    """The options of the rules that were typed, each as ``NAME=VALUE``; raises ``Refused``."""
    if not typed:
        return {}
    refuse_unknown_rules(rules)
    defaults = RULE_SETS[rules].all_options()
    told: dict[str, object] = {}
    for word in typed:
        name, _, value = word.partition("=")
        values = tuple(_value(part) for part in value.split(",") if part)
        told[name] = values if isinstance(defaults.get(name), tuple) else _value(value)
    try:
        rules_of(GameStart(rules, told), RULE_SETS)
    except Unreadable as error:
        raise Refused(f"--option: {error}") from None
    return told


def _value(text: str) -> object:
    """What stands for a value in a record: true or false, a whole number, else the word."""
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.removeprefix("-").isdecimal() else text


def refuse_unknown_rules(rules: str) -> None:
    """Raise ``Refused`` unless the engine plays these rules."""
    if rules in RULE_SETS.faults:
        raise Refused(RULE_SETS.faults[rules])
    if rules not in RULE_SETS:
        known = ", ".join(RULE_SETS)
        raise Refused(f"there is no rule set {rules!r}; give --rules one of {known}")


def _say(games: Sequence[GameStory], gaps: Sequence[Gap], folder: Path, lang: str) -> None:
    texts = texts_of(lang)
    problems = 0
    for game in games:
        for hand in game.hands:
            moved = ", ".join(
                f"{name} {signed(delta)}"
                for name, delta in zip(names_in(game, lang), hand.deltas, strict=True)
            )
            result = result_text(game, hand, lang)
            print(texts["cli.score.hand"].format(number=hand.number, result=result, moved=moved))
            for gap in gaps_in(hand, gaps):
                print(f"  {gap.text(lang)}")
        problems += sum(
            isinstance(announcement, Problem) and announcement.certain
            for event in game.happened
            for announcement in event.said
        )
    text = texts["cli.score.problems.one" if problems == 1 else "cli.score.problems"]
    print(text.format(count=problems, report=folder / REPORT))


app = typer.Typer(add_completion=False)


@add_to(app, "score")
def command(
    context: typer.Context,
    videos: Annotated[list[Path], typer.Argument(metavar="VIDEO...", help="help.score.video")],
    rules: Rules,
    table: TableFile = None,
    seat0: SeatSide = None,
    own_set: OwnSet = None,
    out: Annotated[Path | None, typer.Option(help="help.score.out")] = None,
    lang: Lang = None,
    answers: Annotated[Path | None, typer.Option(help="help.score.answers")] = None,
    seat_camera: SeatCamera = None,
    seat_shift: SeatShift = None,
    first_dealer: FirstDealer = None,
    mirrored: Mirrored = None,
    keep_tiles: KeepTiles = None,
    players: Players = None,
    option: HouseRules = None,
    read_twice: ReadTwice = None,
) -> int:
    options = reading_options(
        rules=rules,
        option=option,
        read_twice=read_twice,
        lang=lang,
        table=table,
        seat0=seat0,
        own_set=own_set,
        first_dealer=first_dealer,
        mirrored=mirrored,
        seat_camera=seat_camera,
        seat_shift=seat_shift,
        keep_tiles=keep_tiles,
    )
    reader = ReaderMaker.of(options).of_recordings()
    return run(videos, options, out, reader, answers, players, context.obj)

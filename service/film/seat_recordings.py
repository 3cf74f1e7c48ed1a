"""The seats of a film: names of players, and recordings of single hands beside the video."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from engine.codec import write_record
from engine.errors import Refused
from engine.events import Entry, GameStart
from engine.game import replay
from engine.log import in_force
from service.machine.files import to_stderr, write_whole
from service.phone.seat_cameras import SeatFilm, private_game
from service.report.public import LONGEST_NAME
from service.texts.catalogue import texts_of
from vision.camera.buffer import ahead
from vision.camera.frames import whole_of
from vision.camera.video_file import VideoFile
from vision.seat_camera.row_reader import DetectorNets
from vision.seat_camera.standing_hand import shifted
from vision.seat_camera.watch import LOOK_S, SeatWatch
from vision.seat_camera.witness import SeatWitness, Witness

FourNames = tuple[str, ...]
"""The names of seats 0 to 3; an empty one for nobody."""


def players_of(text: str) -> FourNames:
    """Names with commas between them; raises ``Refused``."""
    names = tuple(name.strip() for name in text.split(","))
    if len(names) != 4 or not any(names) or max(map(len, names)) > LONGEST_NAME:
        raise Refused(
            f"--players {text!r}: expected the names of seats 0 to 3, of at most {LONGEST_NAME} "
            "letters, such as Anna,Bo,Chen,Dana; a name may be empty"
        )
    return names


def with_players(line: Entry, players: FourNames | None) -> Entry:
    """A line that starts a game, with the names."""
    if players is None or not isinstance(line.event, GameStart) or line.event.players:
        return line
    return replace(line, event=replace(line.event, players=players))


PRIVATE: Final = "seat-{}-private.jsonl"


ShowProgress = Callable[[VideoFile], AbstractContextManager[Callable[[float], None]]]
"""Makes what hears how many seconds of a film have been read."""


@contextmanager
def unseen(_: VideoFile) -> Iterator[Callable[[float], None]]:
    """Progress that nobody watches."""
    yield lambda _: None


def recorded(
    films: Sequence[SeatFilm], load: Callable[[], DetectorNets], progress: ShowProgress = unseen
) -> Witness:
    """Read recordings of single hands to their ends.

    Raises ``SourceError`` for a file that is no video, ``Refused`` where it shows no hand.
    """
    witness = Witness()
    sources = [VideoFile(Path(film.source)) for film in films]
    if not films:
        return witness
    nets = load()
    for film, source in zip(films, sources, strict=True):
        for remark in source.remarks:
            to_stderr(remark)
        watched = SeatWatch(nets)
        with (
            progress(source) as advance_to,
            closing(ahead(whole_of(source.frames(LOOK_S)))) as frames,
        ):
            for frame in frames:
                watched.look(frame)
                advance_to(frame.time_s)
        hands = watched.hands
        if not hands.stood:
            raise Refused(
                f"no standing hand was seen in {film.source}; the camera of a seat looks at the "
                "faces of that player's own tiles, from behind them and a little above"
            )
        witness.seats[film.seat] = SeatWitness(hands, film.shift_s, film.shift_s is not None)
    return witness


def write_hands(folder: Path, entries: Sequence[Entry], witness: Witness) -> None:
    """Write the record as each watched seat knows it, for its owner only."""
    game = replay(entries)
    for seat, seen in witness.seats.items():
        if seen.shift_s is None:
            continue
        mine = private_game(game, seat, shifted(seen.hands.stood, seen.shift_s))
        lines = [event.entry for event in in_force(mine.entries)]
        write_whole(folder / PRIVATE.format(seat), write_record(lines))


def hands_seen(witness: Witness, lang: str = "en") -> Iterator[str]:
    """Lines about each seat's camera; they never name a tile."""
    texts = texts_of(lang)
    for seat, seen in witness.seats.items():
        if seen.shift_s is None:
            yield texts["cli.seat_camera.no_clock"].format(seat=seat)
        else:
            key = "cli.seat_camera.later" if seen.shift_s >= 0 else "cli.seat_camera.sooner"
            begins = f"{abs(seen.shift_s):.1f}"
            yield texts[key].format(seat=seat, seconds=begins, file=PRIVATE.format(seat))

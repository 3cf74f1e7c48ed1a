"""What a scored folder keeps of its film, so that answers explain it without the film."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from service.machine.files import write_whole
from service.table.reader_maker import program_fingerprint
from vision.decoder.decoding import Decoding
from vision.decoder.kept_game import KeptGame, KeptHand
from vision.decoder.kept_looks import DamagedLooks
from vision.decoder.question import Answer
from vision.given_files import MIB, read_given
from vision.notice import Notice

LOOKS: Final = "looks"
"""A subfolder: a file for each hand of the film, and one that says what they are."""
ABOUT: Final = "about.json"
MOST_BYTES: Final = 64 * MIB
"""Largest file; that of a hand has one."""


@dataclass(frozen=True)
class AboutLooks:
    """What is known of a film beside its hands."""

    ends_s: tuple[float, ...]
    """When each hand ended."""
    notices: tuple[Notice, ...]
    """Of camera and table."""


class NoLooks(ValueError):
    """A folder keeps nothing that this program can explain again; says why in one line."""


def write_hand(folder: Path, number: int, hand: KeptHand) -> None:
    """Write a hand whole; a file of equal name is replaced."""
    (folder / LOOKS).mkdir(exist_ok=True)
    write_whole(_place(folder, number), hand.looks)


def write_about(folder: Path, about: AboutLooks) -> None:
    """Write what says that all hands are there."""
    (folder / LOOKS).mkdir(exist_ok=True)
    text = json.dumps({"program": program_fingerprint()} | asdict(about))
    write_whole(folder / LOOKS / ABOUT, text + "\n")


def looks_about(folder: Path) -> AboutLooks:
    """What the folder keeps; raises ``NoLooks``."""
    path = folder / LOOKS / ABOUT
    try:
        kept: dict[str, Any] = json.loads(read_given(path, MIB))
        if kept["program"] != program_fingerprint():
            raise NoLooks(f"{folder / LOOKS} is of another version of tilesight")
        notices = tuple(Notice(**notice) for notice in kept["notices"])
        return AboutLooks(tuple(map(float, kept["ends_s"])), notices)
    except FileNotFoundError:
        raise NoLooks(f"{folder} keeps no looks of its film") from None
    except NoLooks:
        raise
    except (LookupError, TypeError, ValueError, OSError):
        raise NoLooks(f"{path} is damaged") from None


def drop_other_looks(folder: Path) -> None:
    """Remove the hands of an earlier reading that had more of them."""
    try:
        known = len(looks_about(folder).ends_s)
    except NoLooks:
        return
    for path in (folder / LOOKS).glob("[0-9][0-9][0-9]"):
        if int(path.name) >= known:
            path.unlink()


@dataclass(frozen=True)
class ExplainedLooks:
    """A film that was explained by its kept looks."""

    folder: Path
    about: AboutLooks
    game: KeptGame
    hands: tuple[KeptHand, ...]
    decoding: Decoding


def explained_looks(
    folder: Path, answers: Sequence[Answer], heard: Callable[[], None] = lambda: None
) -> ExplainedLooks:
    """Explain the film of a folder with these answers; raises ``NoLooks``.

    ``heard`` is called now and then meanwhile.
    """
    about = looks_about(folder)
    hands = tuple(_hands(folder, about))
    game = _game(folder, hands, ())
    decoding = Decoding()
    try:
        for now in game.explain(answers):
            decoding = now or decoding
            heard()
    except DamagedLooks as error:
        raise NoLooks(f"{folder / LOOKS}: {error}") from None
    return ExplainedLooks(folder, about, game, hands, decoding)


def kept_game(folder: Path, answers: Sequence[Answer]) -> KeptGame:
    """The game as it was kept when its film was read with these answers; raises ``NoLooks``."""
    return _game(folder, list(_hands(folder, looks_about(folder))), answers)


def _game(folder: Path, hands: Sequence[KeptHand], answers: Sequence[Answer]) -> KeptGame:
    try:
        return KeptGame(hands, answers)
    except DamagedLooks as error:
        raise NoLooks(f"{folder / LOOKS}: {error}") from None


def _hands(folder: Path, about: AboutLooks) -> Iterator[KeptHand]:
    for number, ends_s in enumerate(about.ends_s):
        path = _place(folder, number)
        try:
            yield KeptHand(read_given(path, MOST_BYTES), ends_s)
        except OSError as error:
            raise NoLooks(f"{path} cannot be read: {error.strerror}") from None


def _place(folder: Path, number: int) -> Path:
    return folder / LOOKS / f"{number:03}"

"""What a scored folder keeps of its film, so that answers explain it without the film."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, get_args

from service.machine.files import write_whole
from service.table.reader_maker import program_fingerprint
from vision.decoder.decoding import Decoding
from vision.decoder.kept_game import KeptGame, KeptHand
from vision.decoder.kept_looks import DamagedLooks
from vision.decoder.question import Answer
from vision.given_files import MIB, read_given
from vision.notice import Notice, NoticeKind

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


@dataclass(frozen=True)
class _Told:
    """What the reading told whose looks are kept: lines of people follow it in the record."""

    record_lines: int
    digest: str


class NoLooks(ValueError):
    """A folder keeps nothing that this program can explain again; says why in one line."""


def write_hand(folder: Path, number: int, hand: KeptHand) -> None:
    """Write a hand whole; a file of equal name is replaced."""
    (folder / LOOKS).mkdir(exist_ok=True)
    write_whole(_place(folder, number), hand.looks)


def write_about(folder: Path, about: AboutLooks, record: Path) -> None:
    """Write what says that all hands are there, and of which record they are."""
    (folder / LOOKS).mkdir(exist_ok=True)
    told = record.read_bytes().splitlines()
    digest = _digest(told, _hands(folder, about))
    of = {"program": program_fingerprint(), "record_lines": len(told), "digest": digest}
    text = json.dumps(of | asdict(about))
    write_whole(folder / LOOKS / ABOUT, text + "\n")


def looks_about(folder: Path) -> AboutLooks:
    """What the folder keeps; raises ``NoLooks``."""
    return _about(folder)[0]


def _about(folder: Path) -> tuple[AboutLooks, _Told]:
    path = folder / LOOKS / ABOUT
    try:
        kept: dict[str, Any] = json.loads(read_given(path, MIB))
        if kept["program"] != program_fingerprint():
            raise NoLooks(f"{folder / LOOKS} is of another version of tilesight")
        notices = tuple(_notice(notice) for notice in kept["notices"])
        about = AboutLooks(tuple(map(_second, kept["ends_s"])), notices)
        return about, _Told(int(kept["record_lines"]), str(kept["digest"]))
    except FileNotFoundError:
        raise NoLooks(f"{folder} keeps no looks of its film") from None
    except NoLooks:
        raise
    except (LookupError, TypeError, ValueError, RecursionError, OSError):
        raise NoLooks(f"{path} is damaged") from None


def _notice(plain: dict[str, Any]) -> Notice:
    notice = Notice(**plain)
    _second(notice.time_s)
    _second(notice.since_s or 0.0)
    if notice.kind not in get_args(NoticeKind) or not isinstance(notice.text, str):
        raise ValueError(f"expected a notice, got {plain}")
    return notice


def _second(given: float) -> float:
    if not math.isfinite(given):
        raise ValueError(f"expected a time in seconds, got {given}")
    return float(given)


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


def kept_game(folder: Path, answers: Sequence[Answer], record: Path) -> KeptGame:
    """The game as it was kept when its film was read with these answers.

    Raises ``NoLooks``, also where the record does not begin with what that reading told.
    """
    about, told = _about(folder)
    hands = list(_hands(folder, about))
    game = _game(folder, hands, answers)
    if _digest(record.read_bytes().splitlines()[: told.record_lines], hands) != told.digest:
        raise NoLooks(f"the files of {folder / LOOKS} are damaged, or not of this {record.name}")
    return game


def _digest(told: Sequence[bytes], hands: Iterable[KeptHand]) -> str:
    """Of the record as it was written, and the looks that it was told by."""
    # Names may be given to an archive's game at any time: they stand where it starts.
    lines = b"\n".join(line for line in told if b'"game_start"' not in line)
    every = [lines, *(hand.looks for hand in hands)]
    return sha256(b"".join(sha256(each).digest() for each in every)).hexdigest()


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

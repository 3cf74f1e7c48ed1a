"""A film that was scored, of which one copy after the other is answered."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from engine.events import Entry, Event
from service.commands.score import run
from service.table.options import Options
from tests.support.answered_film import plain
from tests.support.evening import ByColour
from tests.support.score_program import LIES, RULES, film_at, made
from vision.attention.schedule import RECORDED
from vision.camera.video_file import VideoFile
from vision.decoder.pin import Pins
from vision.decoder.question import Answer


@pytest.fixture(scope="session")
def video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return film_at(tmp_path_factory.mktemp("film") / "friday.mp4")


@pytest.fixture(scope="session")
def scored(video: Path) -> Path:
    out = video.with_name("scored")
    assert run([video], Options(RULES), out, made(ByColour(LIES)), players="Zoe,Bo,Chen,Dana") == 0
    return out


@pytest.fixture
def folder(scored: Path, tmp_path: Path) -> Path:
    """A copy, in which something may be put right."""
    return Path(shutil.copytree(scored, tmp_path / "friday"))


@pytest.fixture(scope="session")
def film_with(video: Path) -> Callable[[Sequence[Answer]], list[Event]]:
    """What is told when the film is read with these answers."""
    known: dict[str, list[Event]] = {}

    def told(answers: Sequence[Answer]) -> list[Event]:
        if repr(answers) not in known:
            reader = made(ByColour(LIES))()
            reader.hear(Pins(1, answers=tuple(answers)))
            now: Sequence[Entry] = ()
            for result in reader.read(RECORDED.frames(VideoFile(video))):
                now = now if result.decoding is None else result.decoding.told
            known[repr(answers)] = plain(now)
        return known[repr(answers)]

    return told

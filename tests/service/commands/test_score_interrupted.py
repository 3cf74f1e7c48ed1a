"""However scoring ends, what was read is there, and the same command goes on from the last hand."""

from __future__ import annotations

import contextlib
import random
import resource
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.codec import read_record
from engine.errors import Refused
from engine.events import GameStart, HandEnd
from service.commands.score import run
from service.film import film
from service.film.score_folder import rest_of
from service.table.options import Options
from tests.support.evening import ByColour
from tests.support.folders import files
from tests.support.score_program import LIES, RULES, film_at, made, score_film
from tests.support.warm import warm
from vision.checkpoint import packed
from vision.detect import Detection

pytestmark = pytest.mark.film

LONGEST_S = 0.05


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return film_at(tmp_path_factory.mktemp("film") / "friday.mp4")


@pytest.fixture(scope="module")
def whole(video: Path) -> tuple[dict[str, bytes], int]:
    """What a run without an interruption makes, and how often it looks."""
    out, looks = video.with_name("whole"), Looks()
    assert run([video], Options(RULES), out, made(looks)) == 0
    return files(out), looks.count


class Looks(ByColour):
    """Breaks the reading off at one of its looks."""

    def __init__(self, at: int = -1, error: BaseException | None = None) -> None:
        super().__init__(LIES)
        self.count, self._at, self._error = 0, at, error

    def read(self, *asked: Any) -> list[Detection]:
        self.count += 1
        if self.count == self._at and self._error is not None:
            raise self._error
        return super().read(*asked)


def test_killed_at_any_moment_it_goes_on_to_the_same_files(
    video: Path, whole: tuple[dict[str, bytes], int], tmp_path: Path
) -> None:
    wanted, looks = whole
    rng = random.Random(2)
    out = tmp_path / "out"
    # In the second hand, then in what is left of it.
    for least, most in ((looks * 6 // 10, looks * 9 // 10), (1, looks // 3)):
        with warm(score_film, video, out) as process:
            for _ in range(rng.randrange(least, most)):
                process.told()
            time.sleep(rng.uniform(0, LONGEST_S))  # anywhere in what it does next
        read_record((out / "record.jsonl").read_text())
        assert (out / "unfinished" / "state").is_file()
    assert run([video], Options(RULES), out, made(Looks())) == 0
    assert files(out) == wanted


def test_after_an_interruption_the_report_says_how_far_it_goes(
    video: Path,
    whole: tuple[dict[str, bytes], int],
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    wanted, looks = whole
    out = tmp_path / "out"
    broken = Looks(round(0.3 * looks), KeyboardInterrupt())
    assert run([video], Options(RULES), out, made(broken)) == 130
    (said,) = [line for line in capfd.readouterr().err.splitlines() if "tilesight: " in line]
    told = read_record((out / "record.jsonl").read_text())
    assert not any(isinstance(entry.event, HandEnd) for entry in told)
    assert "begins again" in said
    named = {entry.evidence for entry in told if str(entry.evidence).startswith("evidence/")}
    assert named == {f"evidence/{path.name}" for path in (out / "evidence").iterdir()}
    assert "Not finished" in (out / "report.html").read_text()
    assert "not finished: read up to" in (out / "sheet.csv").read_text().splitlines()[-1]
    assert run([video], Options(RULES), out, made(Looks())) == 0
    assert files(out) == wanted


def test_a_second_interruption_spares_the_report_but_not_the_line(
    video: Path,
    whole: tuple[dict[str, bytes], int],
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wanted, looks = whole
    out = tmp_path / "out"
    again = Looks(at=1, error=KeyboardInterrupt())
    with monkeypatch.context() as patched:
        patched.setattr(film, "to_report", lambda *_, **__: again.read())
        broken = Looks(round(0.7 * looks), KeyboardInterrupt())
        assert run([video], Options(RULES), out, made(broken)) == 130
    assert again.count == 1
    assert "goes on after 1" in capfd.readouterr().err
    (out / ".sheet.csv-0a_1b2c3").write_text("as the first interruption may leave it")
    rest = Looks()
    assert run([video], Options(RULES), out, made(rest)) == 0
    assert files(out) == wanted
    assert rest.count < looks, "finished hands are not read again"


@contextlib.contextmanager
def room_for_files_of(size: int) -> Iterator[None]:
    """No file can grow beyond so many bytes, as if the disk were full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_is_one_line_and_loses_nothing(
    video: Path, whole: tuple[dict[str, bytes], int], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    with room_for_files_of(200_000), pytest.raises(Refused, match=r"File too large; .* up to 1"):
        run([video], Options(RULES), out, made(Looks()))
    told = read_record((out / "record.jsonl").read_text())
    ended = [entry for entry in told if isinstance(entry.event, HandEnd)]
    assert len(ended) == 1, "there was room for the lines, not for the state at the hand's end"
    assert run([video], Options(RULES), out, made(Looks())) == 0
    assert files(out) == whole[0]


def test_a_fault_of_ours_is_not_hidden_and_loses_nothing(
    video: Path, whole: tuple[dict[str, bytes], int], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    with pytest.raises(ZeroDivisionError):
        run([video], Options(RULES), out, made(Looks(whole[1] // 2, ZeroDivisionError())))
    assert len(read_record((out / "record.jsonl").read_text())) > 4
    assert (out / "unfinished" / "state").is_file()


def test_players_may_be_named_when_a_film_is_gone_on_with(
    video: Path, whole: tuple[dict[str, bytes], int], tmp_path: Path
) -> None:
    out, late = tmp_path / "out", whole[1] - 2
    looks = Looks(late, KeyboardInterrupt())
    assert run([video], Options(RULES), out, made(looks), players="Anna,Bo,,") == 130
    assert run([video], Options(RULES), out, made(Looks()), players="Anna,Bo,Chen,Dana") == 0
    named = read_record((out / "record.jsonl").read_text())
    plain = read_record(whole[0]["record.jsonl"].decode())
    assert isinstance(named[0].event, GameStart)
    assert named[0].event.players == ("Anna", "Bo", "Chen", "Dana")
    assert named[1:] == plain[1:]


def test_an_unfinished_folder_goes_on_with_the_same_film_and_options_only(
    video: Path, whole: tuple[dict[str, bytes], int], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    assert run([video], Options(RULES), out, made(Looks(whole[1] // 2, KeyboardInterrupt()))) == 130
    before = files(out)
    other = tmp_path / "other.mp4"
    other.write_bytes(video.read_bytes() + b"more")
    with pytest.raises(Refused, match="begun with another film: take the same"):
        run([other], Options(RULES), out, made(Looks()))
    with pytest.raises(Refused, match="begun with another --rules: take the same"):
        run([video], Options("riichi"), out, made(Looks()))
    for known in (None, 1, {}, {"lines": 1}, {"lines": "no"}):
        for data in (packed({"made_with": 1, "rest": known}), b"damaged"):
            (out / "unfinished" / "state").write_bytes(data)
            with pytest.raises(Refused, match=r"state is damaged, or was .*; name a new folder"):
                run([video], Options(RULES), out, made(Looks()))
        if known is not None:
            (out / "unfinished" / "state").write_bytes(packed({"made_with": {}, "rest": known}))
            with pytest.raises(Refused, match=r"state is damaged, or was .*; name a new folder"):
                rest_of(out, {})
    (out / "unfinished" / "state").write_bytes(b"damaged")
    before["unfinished/state"] = b"damaged"
    assert files(out) == before


def test_an_interruption_before_anything_was_seen_leaves_nothing_and_says_so(
    video: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(KeyboardInterrupt):
        run([video], Options(RULES), tmp_path / "out", made(Looks(1, KeyboardInterrupt())))
    assert list(tmp_path.iterdir()) == []
    assert "so nothing is kept" in capsys.readouterr().err


def test_being_ended_from_outside_keeps_what_was_read(video: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with warm(score_film, video, out) as process:
        while (
            not (out / "record.jsonl").exists()
            or b"discard" not in (out / "record.jsonl").read_bytes()
        ):
            process.told()
        process.process.terminate()
        assert process.ended() == 143
    assert "Not finished" in (out / "report.html").read_text()

"""What ``serve`` opens, and words of earlier versions that are answered with today's."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from engine.errors import Refused
from service.commands.opened import Opens, opened_by
from service.main import run
from tests.support.paths import FILM, GAMES


def test_each_word_is_opened_for_what_it_is(tmp_path: Path) -> None:
    packed = tmp_path / "game.mjlog"
    packed.write_bytes(gzip.compress(b"<mjloggm/>"))
    log = tmp_path / "game.json"
    log.write_text('\ufeff\n{"log": []}')
    record = str(GAMES / "riichi.jsonl")
    assert opened_by([]) is Opens.NOTHING
    for word in ("0", "rtsp://camera.local/1", str(FILM), "missing.mp4"):
        assert opened_by([word]) is Opens.SOURCE, word
    for words in ([record], [str(packed)], [str(log)], [record, str(log)], ["missing.jsonl"]):
        assert opened_by(words) is Opens.RECORDS, words
    assert opened_by([str(tmp_path)]) is Opens.FOLDER


@pytest.mark.parametrize("words", [(str(FILM), str(FILM)), ("0", str(GAMES / "riichi.jsonl"))])
def test_one_camera_film_or_folder_is_opened_at_a_time(words: tuple[str, ...]) -> None:
    with pytest.raises(Refused, match="several records"):
        opened_by(words)


@pytest.mark.parametrize(
    ("typed", "now"),
    [
        ("open friday", "tilesight serve FOLDER"),
        ("calibrate 0 --out table.toml", "tilesight check SOURCE --save table.toml"),
        ("detect picture.png", "tilesight dev detect"),
        ("explain game.jsonl", "tilesight dev explain"),
        ("dataset export kept", "tilesight dev dataset"),
        ("benchmark film.mp4", "tilesight dev benchmark"),
        ("serve --port 0 --source 0", "tilesight serve SOURCE"),
        ("serve --study=game.jsonl", "tilesight serve RECORD"),
    ],
)
def test_old_words_are_answered_with_the_new_ones(
    typed: str, now: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(typed.split()) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert said.err.rstrip().endswith(f"is now: {now}")


@pytest.mark.parametrize("options", [("--corners", "0,0 9,0 9,9 0,9"), ("--seat0", "left")])
def test_what_only_a_table_file_holds_needs_one(
    options: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["check", str(FILM), *options]) == 2
    assert "--save" in capsys.readouterr().err

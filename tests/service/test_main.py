"""Whatever is wrong with the input is one line on standard error and exit status 2."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import sys
from importlib.metadata import version
from pathlib import Path

import cv2
import numpy as np
import pytest

from service.main import run
from service.table.options import Options
from service.table.reader_maker import ReaderMaker
from tests.support.films import film
from tests.support.harbin_game import RECORD
from tests.support.paths import SAMPLES
from tests.support.patience import until
from tests.support.program import running
from tests.support.served import Served


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("video")
    return film(folder / "table.mp4", frames=20, movflags="faststart").read_bytes()


@pytest.fixture
def inputs(tmp_path: Path, video: bytes) -> Path:
    """Files, most of which are not what they should be."""
    (tmp_path / "record.jsonl").write_text(RECORD)
    (tmp_path / "malformed.jsonl").write_text(RECORD + '{"type":"flies"}\n')
    (tmp_path / "nothing.jsonl").write_text("")
    (tmp_path / "bytes.jsonl").write_bytes(b"\xff\xfe\x00\x01")
    (tmp_path / "picture.jpg").write_bytes(b"not a picture")
    cv2.imwrite(str(tmp_path / "good.png"), np.zeros((90, 160, 3), np.uint8))
    (tmp_path / "torn.jsonl").write_text('{"type":"hand_end"}\n{"type":"ha\n{"type":"hand_end"}\n')
    (tmp_path / "chess.jsonl").write_text('{"type":"game_start","rules":"chess"}\n')
    (tmp_path / "cut.xml").write_text("<mjloggm>")
    (tmp_path / "log.json").write_text('{"type":"kyoku"}')
    (tmp_path / "empty").mkdir()
    (tmp_path / "noise.mp4").write_bytes(b"not a video")
    (tmp_path / "table.mp4").write_bytes(video)
    (tmp_path / "cut.mp4").write_bytes(video[: len(video) // 50])
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "mine.txt").write_text("")
    return tmp_path


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("dance", "No such command 'dance'"),
        ("replay", "Missing argument"),
        ("replay {}/record.jsonl --lang xx", "expected a language"),
        ("replay {}/record.jsonl --seat 4", "'--seat': expected at most 3 ("),
        ("replay {}/record.jsonl --seat east", "'--seat': expected a whole number ("),
        ("replay {}/nothing.jsonl", "nothing.jsonl holds no event"),
        ("replay {}/missing.jsonl", "missing.jsonl"),
        ("replay {}/malformed.jsonl", "line 14"),
        ("replay {}/bytes.jsonl", "UTF-8"),
        ("replay {}/empty", "Is a directory"),
        ("replay {}/torn.jsonl", "torn.jsonl, line 2: expected a JSON object"),
        ("replay {}/chess.jsonl", ", got 'chess' in rules"),
        ("import {}/missing.xml", "missing.xml"),
        ("import {}/cut.xml", "cut.xml: line 1"),
        ("import {}/log.json --format mjlog", "not well-formed"),
        ("import {}/log.json --format mjai", "unknown type"),
        ("import {}/log.json --format xls", "'xls'"),
        ("export {}/record.jsonl --format xls", "'--format': 'xls' is not one of"),
        ("export {}/record.jsonl", "--format"),
        ("export {}/missing.jsonl --format csv", "missing.jsonl"),
        ("export {}/malformed.jsonl --format csv", "malformed.jsonl, line 14"),
        ("export {}/nothing.jsonl --format html", "holds no event"),
        ("export {}/empty --format csv", "empty"),
        ("dev detect {}/picture.jpg", "is not a picture"),
        ("dev detect {}/missing.jpg", "there is no picture"),
        ("dev detect {}/empty", "no picture in the folder"),
        ("dev detect {}/picture.jpg --sure -0.1", "--sure"),
        ("dev detect {}/picture.jpg --sure 1.5", "--sure"),
        ("dev detect {}/picture.jpg --sure much", "--sure"),
        ("dev detect {}/good.png --set {}/noise.mp4", "is not a profile of a set of tiles"),
        ("check {}/table.mp4 --save table.toml --corners '1,2 3,4'", "expected --corners"),
        ("check {}/table.mp4 --save table.toml --corners 'a,b c,d e,f g,h'", "expected --corners"),
        ("check {}/table.mp4 --save table.toml --corners '0,0 0,700 1200,700 1200,0'", "clockwise"),
        ("enroll --set {}/m.tiles", "give pictures of the set laid out, or a video"),
        ("enroll game.mp4 set.jpg --set {}/m.tiles", "do not mix"),
        ("enroll game.mp4 --is 1=5z --set {}/m.tiles", "do not mix"),
        ("enroll set.jpg --extend --set {}/m.tiles", "--extend adds what a game shows"),
        ("enroll game.mp4 --answers a.json --set {}/m.tiles", "--answers goes with --set alone"),
        ("enroll game.mp4 --extend --set {}/m.tiles", "to extend; leave --extend out"),
        ("enroll --answers a.json --set {}/m.tiles", "there is no profile"),
        ("enroll game.mp4 --set {}/m.tiles", "there is no video file"),
        ("enroll 0 --minutes 0 --set {}/m.tiles", "expected --minutes above 0, got 0"),
        ("enroll --set {}/m.tiles --report -", "there is no profile"),
        ("score {}/table.mp4 --rules go", "no rule set 'go'"),
        ("score {}/missing.mp4 --rules harbin-hlr", "there is no video file"),
        ("score {}/noise.mp4 --rules harbin-hlr", "cannot be read as a video"),
        ("score {}/cut.mp4 --rules harbin-hlr", "is cut off: the last"),
        ("score {}/table.mp4 --rules harbin-hlr --out {}/taken", "is there already"),
        ("score {}/table.mp4 --rules harbin-hlr --set {}/noise.mp4", "is not a profile of a set"),
        ("score {}/table.mp4 --rules harbin-hlr --seat0 north", "'north'"),
        ("score {}/table.mp4 --rules harbin-hlr --table {}/missing.toml", "missing.toml"),
        ("score {}/table.mp4 --rules harbin-hlr --out {}/none/out", "there is no folder"),
        ("serve {}/missing.mp4", "there is no video file"),
        (
            "score {}/table.mp4 --rules riichi --first-dealer 4",
            "'--first-dealer': expected at most 3",
        ),
        ("serve --seat0 left", "without a camera, the page asks"),
        ("serve --first-dealer 1", "without a camera, the page asks who dealt first"),
        ("serve --rules sichuan --option stake=2", "without a camera, the page asks for the house"),
        ("score {}/table.mp4 --rules sichuan --option limit=2", "got 'limit' in options"),
        ("score {}/table.mp4 --rules sichuan --option void_suit=yes", "options.void_suit"),
        ("serve {}/table.mp4 --rules go", "no rule set 'go'"),
        ("serve {}/table.mp4 --host 203.0.113.1", "cannot serve"),
        ("serve {}/table.mp4 --record {}/malformed.jsonl", "malformed.jsonl, line 14"),
        ("serve {}/table.mp4 --record {}/record.jsonl --rules riichi", "--rules harbin"),
        ("serve --hall-url http://hall/tables/north", "are given together"),
        ("serve --hall-url http://hall/ --hall-key-file {}/record.jsonl", "expected --hall-url"),
        ("hall --port 0 --database {}/record.jsonl", "file is not a database"),
        ("hall --port 0 --database mysql://me:word@host/hall", "mysql cannot be a hall's database"),
        ("hall --port 0 --database postgresql://me:word@127.0.0.1:1/hall", "cannot use the data"),
    ],
)
def test_bad_input_is_one_line_and_leaves_nothing(
    command: str,
    says: str,
    inputs: Path,
    in_an_empty_folder: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    before = sorted(inputs.rglob("*"))
    assert run(shlex.split(command.format(inputs, inputs))) == 2
    out, err = capfd.readouterr()
    assert err.startswith("tilesight: ")
    assert err.count("\n") == 1
    assert says in err
    assert out == ""
    assert sorted(inputs.rglob("*")) == before


READ_WHOLE = [
    "replay {}",
    "import {}",
    "export {} --format csv",
    "dev detect {}",
    "score {}/../table.mp4 --rules riichi --table {}",
    "score {}/../table.mp4 --rules riichi --set {}",
    "score {}/../table.mp4 --rules riichi --answers {}",
    "score {} --rules riichi",
    "enroll {}",
    "enroll --extend --set {} {}/../table.mp4",
    "check {} --save table.toml",
    "dataset export {} --format coco --out out",
    "serve {}/../table.mp4 --record {}",
    "serve {}/../table.mp4 --cert {} --cert-key {}",
    "serve --hall-url http://hall/tables/north --hall-key-file {}",
    "hall --port 0 --webhook http://127.0.0.1:1 --webhook-secret-file {}",
    "hall --port 0 --database {}",
    "archive add {} --rules riichi --out out --database new.sqlite3",
]
"""A command for each kind of file that is read; ``{}/..`` is the folder of the inputs."""


def at_once(pipe: list[int], *_: object) -> tuple[list[int], list[int], list[int]]:
    """In place of ``select``: nothing comes through a pipe, which is known without a wait."""
    return [], [], []


@pytest.mark.skipif(sys.platform == "win32", reason="it has no such files")
@pytest.mark.parametrize(
    ("command", "kind"),
    [
        (command, kind)
        for command in READ_WHOLE
        for kind in ("device", "pipe", "folder", "huge", "loop")
        if "--record" not in command or kind != "folder"  # the records of an evening lie in one
    ],
)
def test_what_is_no_file_is_refused_and_not_read(
    command: str,
    kind: str,
    inputs: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("vision.given_files.select.select", at_once)
    given = inputs / kind
    match kind:
        case "device":
            given.symlink_to("/dev/zero")
        case "pipe":
            os.mkfifo(given)
        case "folder":
            given.mkdir()
        case "huge":
            with given.open("wb") as file:
                file.truncate(100 << 30)
        case _:
            given.symlink_to(given)
    words = command.replace("{}/../", f"{inputs}/").replace("{}", str(given)).split()
    assert run(words) == (0 if (kind, words[1]) == ("huge", "add") else 2)
    err = capfd.readouterr().err
    assert err.count("\n") == (0 if (kind, words[1]) == ("huge", "add") else 1), err


def test_a_pipe_is_read_as_a_file(inputs: Path, capfd: pytest.CaptureFixture[str]) -> None:
    reading, writing = os.pipe()
    with os.fdopen(writing, "w") as file:
        file.write(RECORD)
    with os.fdopen(reading):
        assert run(["replay", f"/dev/fd/{reading}"]) == run(["replay", f"{inputs}/record.jsonl"])
    first, second = capfd.readouterr().out.split("\n")[:2]
    assert first
    assert second


@pytest.mark.parametrize("content", [None, b"", b"no weights"])
@pytest.mark.parametrize(
    "command", ["dev detect {}/good.png", "score {}/table.mp4 --rules harbin-hlr"]
)
def test_weights_that_do_not_load_are_one_line(
    command: str,
    content: bytes | None,
    inputs: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    weights = tmp_path_factory.mktemp("weights")
    for name in ("finder.onnx", "recogniser.onnx"):
        if content is not None:
            (weights / name).write_bytes(content)
    monkeypatch.setattr("vision.detect.SHIPPED", weights)
    before = sorted(inputs.rglob("*"))
    assert run(command.format(inputs).split()) == 2
    out, err = capfd.readouterr()
    assert err.startswith("tilesight: cannot load the weights")
    assert (out, err.count("\n")) == ("", 1)
    assert sorted(inputs.rglob("*")) == before


def test_without_a_command_the_program_says_what_it_can_do(
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert run([]) == 0
    out, err = capfd.readouterr()
    assert all(command in out for command in ("replay", "export", "dev", "score", "serve"))
    assert err == ""


def test_the_program_tells_its_version(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capfd.readouterr() == (f"tilesight {version('tilesight')}\n", "")


def test_a_file_or_pipe_is_written_with_every_letter_whatever_the_system_takes() -> None:
    lacking = {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C", "PYTHONIOENCODING": ""}
    with running("replay", str(SAMPLES / "riichi.jsonl"), "--lang", "zh", env=lacking) as program:
        assert "对局开始" in program.stdout.buffer.readline().decode("utf-8")
        program.stdout.buffer.read()
        assert program.stderr.read() == ""


def test_a_record_that_cannot_be_written_is_refused_before_the_set_up(
    inputs: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.commands.serve.listen", lambda *_: pytest.fail("served"))
    record = inputs / "noise.mp4" / "game.jsonl"
    assert run(["serve", "--record", str(record)]) == 2
    assert capfd.readouterr().err == f"tilesight: cannot write {record}: Not a directory\n"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux has /proc")
def test_more_than_one_ctrl_c_ends_the_program_without_a_traceback() -> None:
    with running("serve", "--port", "0") as program:
        address = program.line().split()[5].removeprefix("http://").rstrip("/")
        until(lambda: reached(address))
        program.stop()
        while not stopped(program.process.pid):
            program.stop()
        assert program.stderr.read() == ""
    # One that comes when nothing is left to tidy up ends the program as the system does.
    assert program.process.returncode in (0, -signal.SIGINT)


def reached(address: str) -> bool:
    with contextlib.suppress(OSError):
        return Served(address).get("/health").status == 200
    return False


def stopped(pid: int) -> bool:
    """Whether a process has ended, before or after somebody asked for its exit status."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):  # a signal that comes too late asks for it
        return True


@pytest.mark.parametrize("command", ["score", "serve"])
def test_who_dealt_first_reaches_the_reader(
    command: str, monkeypatch: pytest.MonkeyPatch, inputs: Path
) -> None:
    given: list[object] = []
    name = command.split()[0]
    monkeypatch.setattr(f"service.commands.{name}.run", lambda *rest: given.extend(rest))
    assert run(f"{command} {inputs}/table.mp4 --rules riichi --first-dealer 2".split()) == 0
    (maker,) = (one for one in given if isinstance(one, ReaderMaker))
    assert maker.first_dealer == 2


@pytest.mark.parametrize("command", ["score", "serve"])
def test_house_rules_reach_the_reader_and_the_start_of_the_game(
    command: str, monkeypatch: pytest.MonkeyPatch, inputs: Path
) -> None:
    given: list[object] = []
    monkeypatch.setattr(f"service.commands.{command}.run", lambda *rest: given.extend(rest))
    typed = "--option stake=2 --option void_suit=true --option extra_patterns=outside,concealed"
    assert run(f"{command} {inputs}/table.mp4 --rules sichuan {typed}".split()) == 0
    agreed = {"stake": 2, "void_suit": True, "extra_patterns": ("outside", "concealed")}
    (maker,) = (one for one in given if isinstance(one, ReaderMaker))
    (options,) = (one for one in given if isinstance(one, Options))
    assert maker.options == options.start.options == agreed
    assert "stake" in maker.made_with["--option"]


def test_problems_of_a_record_are_the_exit_status(
    inputs: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["replay", str(inputs / "record.jsonl")]) == 1
    assert "wins" in capfd.readouterr().out


def test_faults_of_ours_are_not_hidden(monkeypatch: pytest.MonkeyPatch, inputs: Path) -> None:
    def fault(*_: object) -> int:
        raise ZeroDivisionError

    monkeypatch.setattr("service.commands.replay.run", fault)
    with pytest.raises(ZeroDivisionError):
        run(["replay", str(inputs / "record.jsonl")])


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("{}/missing.mp4", "there is no video file"),
        ("{}/noise.mp4", "cannot be read as a video"),
        ("{}/table.mp4 --table {}/missing.toml", "missing.toml"),
        ("{}/table.mp4 --rules bridge", "there is no rule set 'bridge'"),
    ],
)
def test_the_benchmark_looks_at_its_files_before_it_measures(
    given: str,
    says: str,
    inputs: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("service.film.benchmark.run", lambda task: pytest.fail("measured"))
    assert run(["dev", "benchmark", *given.format(*[inputs] * 2).split()]) == 2
    said = capfd.readouterr()
    assert said.out == ""
    assert says in said.err
    assert said.err.count("\n") == 1

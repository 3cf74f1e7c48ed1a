"""What a video does not decide is asked in the report and in a file, and the answers are taken."""

from __future__ import annotations

import json
import shlex
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from engine.errors import Refused
from engine.events import Chow, Discard, Entry, Pung
from engine.tiles import Tile
from service.commands.score import run
from service.film.mended import again_with_answers
from service.machine.jpeg import decoded
from service.main import run as tilesight
from service.report.pages import jpeg_address
from service.report.questions import AnswersFile, answer_of, event_number
from service.table.options import Options
from service.table.questions import UPRIGHT_PX
from tests.support.films import film
from tests.support.folders import files
from tests.support.harbin_game import ENTRIES
from tests.support.placed_tiles import PlainLookResult
from tests.support.saved import saved_in
from tests.support.told_reader import AskingTold
from vision.camera.frames import Frame
from vision.decoder.pin import Pins
from vision.decoder.question import Answer, AnswerChoice, EventPlace, Question, QuestionTile

NUMBER, THROWN = next(
    (number, entry.event)
    for number, entry in enumerate(ENTRIES)
    if isinstance(entry.event, Discard)
)
OTHER = Discard(THROWN.seat, Tile("9s"))
QUESTION = Question(
    EventPlace("put", 0.4, -40, 90),
    (AnswerChoice((THROWN,), 0.61), AnswerChoice((OTHER,), 0.39)),
    NUMBER,
    (QuestionTile(((0.4, 0.4), (0.5, 0.4), (0.5, 0.6), (0.4, 0.6)), True, 0.5),),
)


class AskingReader(AskingTold):
    """A reader that is not sure of one discard, until somebody answers."""

    def __init__(self) -> None:
        super().__init__(ENTRIES, [QUESTION])

    def hear(self, pins: Pins) -> None:
        super().hear(pins)
        self.questions = ()


@pytest.fixture
def video(tmp_path: Path) -> Path:
    return film(tmp_path / "friday.mp4", frames=14, fps=10)


def test_questions_are_written_with_their_pictures_and_choices(
    video: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = video.with_name("out")
    run([video], Options("harbin-hlr"), out, AskingReader)
    (asked,) = json.loads((out / "questions.json").read_text())["questions"]
    assert (out / asked["picture"]).is_file()
    tiles = (out / asked["tiles"]).read_bytes()
    assert decoded(tiles).shape[1::-1] == UPRIGHT_PX
    assert [choice["share"] for choice in asked["choices"]] == [0.61, 0.39]
    assert asked["choices"][1]["events"] == [{"type": "discard", "seat": THROWN.seat, "tile": "9s"}]
    assert asked["answer"] is None
    report = (out / "report.html").read_text()
    assert str(jpeg_address(tiles)) in report
    (question,) = saved_in(out / "report.html")["questions"]
    assert [choice["percent"] for choice in question["choices"]] == [61, 39]
    assert question["upright"] == jpeg_address(tiles)
    command = f"tilesight score {video} --rules harbin-hlr --answers answers.json"
    assert command in report
    told = capfd.readouterr().out
    assert "1 question: answer" in told
    assert command in told


@pytest.fixture
def scored(video: Path) -> Path:
    """A finished folder with one question, and the answer to it beside it."""
    out = video.with_name("out")
    run([video], Options("harbin-hlr"), out, AskingReader)
    (out / "notes.txt").write_text("somebody's own")
    asked = json.loads((out / "questions.json").read_text())
    asked["questions"][0]["answer"] = 2
    video.with_name("answers.json").write_text(json.dumps(asked))
    return out


def test_the_command_of_the_report_scores_again_in_the_same_folder(
    scored: Path, video: Path
) -> None:
    before = len(list((scored / "evidence").glob("0*")))
    for _ in range(2):  # it may be repeated, also without the pictures
        shutil.rmtree(scored / "evidence")
        run(
            [video],
            Options("harbin-hlr"),
            scored,
            AskingReader,
            answers=video.with_name("answers.json"),
        )
    assert (scored / "notes.txt").is_file()
    assert not (scored / "answered").exists()
    assert len(list((scored / "evidence").iterdir())) == before, "nothing is asked any more"
    again = json.loads((scored / "questions.json").read_text())
    (answer,) = again["answered"]
    assert answer["id"] == QUESTION.id
    assert again["questions"] == []
    assert saved_in(scored / "report.html")["questions"] == []


def test_earlier_answers_stay_when_later_ones_are_given(scored: Path, video: Path) -> None:
    answers = video.with_name("answers.json")
    run([video], Options("harbin-hlr"), scored, AskingReader, answers=answers)
    later = {"id": "put@9.0@0,0", "answer": []}
    answers.write_text(json.dumps({"questions": [later]}))
    reader = AskingReader()
    run([video], Options("harbin-hlr"), scored, lambda: reader, answers=answers)
    assert reader.answers == [
        Answer(QUESTION.place, (OTHER,)),
        Answer(EventPlace("put", 9.0, 0, 0), ()),
    ]


class BrokenReader(AskingReader):
    def read(self, frames: Iterable[Frame]) -> Iterator[PlainLookResult]:
        for number, reading in enumerate(super().read(frames)):
            if number == 8:
                raise KeyboardInterrupt
            yield reading


def test_what_breaks_the_second_reading_loses_nothing(
    scored: Path, video: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, answers = files(scored), video.with_name("answers.json")
    assert run([video], Options("harbin-hlr"), scored, BrokenReader, answers=answers) == 130
    assert files(scored).items() >= before.items()
    with monkeypatch.context() as patched:
        patched.setattr("service.commands.score.take_place", lambda _: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            run([video], Options("harbin-hlr"), scored, AskingReader, answers=answers)
    assert files(scored).items() >= before.items()
    assert run([video], Options("harbin-hlr"), scored, AskingReader, answers=answers) == 0
    assert json.loads((scored / "questions.json").read_text())["questions"] == []
    assert not (scored / "answered").exists()


def test_the_answers_of_another_film_are_refused(scored: Path, video: Path) -> None:
    before, answers = files(scored), video.with_name("answers.json")
    other = film(video.with_name("other.mp4"), frames=9, fps=10)
    with pytest.raises(Refused, match="out was scored with another film"):
        run([other], Options("harbin-hlr"), scored, AskingReader, answers=answers)
    with pytest.raises(Refused, match="out was scored with another --rules"):
        run([video], Options("riichi"), scored, AskingReader, answers=answers)
    assert files(scored) == before


@pytest.mark.parametrize(
    ("typed", "again"),
    [
        (["score", "x.mp4", "--rules", "riichi"], "tilesight score x.mp4 --rules riichi"),
        (
            ["score", "my film.mp4", "--set", "a.tiles", "--answers", "old.json", "--out", "o"],
            "tilesight score 'my film.mp4' --set a.tiles --out o",
        ),
        (["score", "x.mp4", "--answers=old.json"], "tilesight score x.mp4"),
    ],
)
def test_the_command_has_the_options_that_were_used(typed: list[str], again: str) -> None:
    assert again_with_answers(typed) == f"{again} --answers answers.json"


def test_the_command_takes_a_film_whose_name_begins_like_an_option() -> None:
    again = again_with_answers(["score", "--rules", "riichi", "--", "-tom's film.mp4"])
    typed = shlex.split(again)
    assert typed[:4] == ["tilesight", "score", "--rules", "riichi"]
    assert typed[4:] == ["--answers", "answers.json", "--", "-tom's film.mp4"]


def test_what_was_typed_reaches_the_report(monkeypatch: pytest.MonkeyPatch) -> None:
    passed: list[object] = []
    monkeypatch.setattr("service.commands.score.run", lambda *given: passed.extend(given))
    typed = ["score", "friday.mp4", "--rules", "riichi", "--out", "o"]
    assert tilesight(typed) == 0
    assert passed[-1] == typed


def _asked(answer: object) -> dict[str, object]:
    choices = [{"events": [{"type": "discard", "seat": 1, "tile": tile}]} for tile in ("7s", "8s")]
    return {"id": QUESTION.id, "choices": choices, "answer": answer}


@pytest.mark.parametrize(
    ("answer", "events"),
    [
        (1, (Discard(1, Tile("7s")),)),
        (2, (Discard(1, Tile("8s")),)),
        ("9s", (Discard(1, Tile("9s")),)),
        ([], ()),
        (
            [
                {"type": "discard", "seat": 1, "tile": "7s"},
                {"type": "pung", "seat": 3, "from": 1, "tile": "7s", "own": ["7s", "7s"]},
            ],
            (Discard(1, Tile("7s")), Pung(3, 1, Tile("7s"), (Tile("7s"), Tile("7s")))),
        ),
    ],
)
def test_an_answer_is_a_choice_a_tile_or_what_happened(
    answer: object, events: tuple[Discard | Pung | Chow, ...]
) -> None:
    assert answer_of(_asked(answer), "here") == Answer(QUESTION.place, events)


@pytest.mark.parametrize("answer", [0, 3, True, "10s", 1.5, {"tile": "9s"}, [7], ["x"]])
def test_what_answers_nothing_is_refused_in_one_line(answer: object) -> None:
    with pytest.raises(Refused, match=r"^here: "):
        answer_of(_asked(answer), "here")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"questions": [1]}', "not json", "[" * 50_000])
def test_a_file_of_something_else_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "answers.json"
    path.write_text(text)
    with pytest.raises(Refused, match="is no file of answers"):
        AnswersFile.read(path)


def test_a_long_answer_is_quoted_shortly() -> None:
    with pytest.raises(Refused) as refused:
        answer_of(_asked(["x" * 100_000]), "here")
    assert len(str(refused.value)) < 1000


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"there is no file of answers .*none\.json"):
        AnswersFile.read(tmp_path / "none.json")


OPENED = Pung(1, 0, Tile("2s"), (Tile("2s"), Tile("2s")))


@pytest.mark.parametrize(
    ("told", "number"),
    [
        ([OPENED, Discard(1, Tile("5m"))], 3),
        ([Discard(3, Tile("?")), Discard(0, Tile("2s")), OPENED], 2),
        ([], 7),
    ],
)
def test_a_question_leads_to_an_unknown_discard_or_to_the_last_event_of_its_change(
    told: list[Discard | Pung], number: int
) -> None:
    place = EventPlace("opened", 4.0, change="opened@4.0@0,0")
    asked = Question(place, (AnswerChoice(tuple(told), 1.0),), 7)
    lines = [*ENTRIES[:2], *(Entry(event, change=place.change) for event in told)]
    assert event_number(asked, lines) == number


def test_an_unknown_question_is_refused() -> None:
    with pytest.raises(Refused, match="expected the id of a question"):
        answer_of(_asked(1) | {"id": "the first"}, "here")

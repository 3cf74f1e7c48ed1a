"""A film that was scored, and the answers that are given about it: on its page, and in a file."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from engine.codec import read_record
from engine.events import Correct, Entry, Event, GameStart
from engine.log import in_force
from service.app import create_app
from service.commands.score import run
from service.evening.open_table import TableRequest, open_table
from service.film.kept_looks import ABOUT
from service.film.mended import MendedFolder
from service.pages.settings import PageSettings
from service.table.options import Options
from service.table.reader import EmptySource
from tests.support.evening import ByColour
from tests.support.patience import until
from tests.support.score_program import RULES, made
from tests.support.served import Served, serving
from vision.decoder.kept_looks import packed_looks
from vision.decoder.question import Answer, Question
from vision.detect import Detection


def plain(entries: Sequence[Entry]) -> list[Event]:
    """The events, with no name of a player."""
    events = [entry.event for entry in entries if not isinstance(entry.event, Correct)]
    return [replace(one, players=None) if isinstance(one, GameStart) else one for one in events]


def recorded(folder: Path) -> list[Event]:
    lines = read_record((folder / "record.jsonl").read_text())
    return plain([event.entry for event in in_force(lines)])


def holds(folder: Path, events: Sequence[Event]) -> bool:
    return recorded(folder) == list(events)


def asked(folder: Path) -> list[Question]:
    return MendedFolder(folder).asked


@contextmanager
def opened(folder: Path) -> Iterator[Served]:
    scored = MendedFolder(folder)
    request = TableRequest(
        EmptySource(scored.title),
        scored.make_reader,
        GameStart(RULES),
        scored.record,
        pictures=scored.pictures,
        has_next=False,
        whole=True,
    )
    with open_table(request) as shown:
        pages = PageSettings(keys=shown.keys, dispute=shown.dispute, jobs=[scored.job])
        with serving(create_app(shown.table, pages)) as server:
            server.wait_for_end()
            yield server


def say(server: Served, question: Question, choice: int = 1) -> Answer:
    """Give an answer as the page does."""
    until(lambda: question.id in ids(server))
    answer = server.post("/api/v1/answers", {"id": question.id, "choice": choice})
    assert answer.status == 200, answer.text
    return Answer(question.place, question.choices[choice].events)


def take_back(server: Served, folder: Path) -> None:
    """Undo what was said last, whatever is written meanwhile."""

    def undone() -> bool:
        lines = len(read_record((folder / "record.jsonl").read_text()))
        return server.post("/api/v1/undo", {"lines": lines}).status == 200

    until(undone)


def ids(server: Served) -> list[str]:
    return [row["id"] for row in server.json("/api/v1/questions")["questions"]]


def other_version(looks: Path) -> None:
    about = json.loads((looks / ABOUT).read_text())
    (looks / ABOUT).write_text(json.dumps(about | {"program": "another"}))


def cut_short(looks: Path) -> None:
    data = (looks / "001").read_bytes()
    (looks / "001").write_bytes(data[: len(data) // 2])


SPOILT: dict[str, Callable[[Path], object]] = {
    "keeps no looks": shutil.rmtree,
    "another version": other_version,
    "is damaged": lambda looks: (looks / ABOUT).write_text("{"),
    "cannot be read": lambda looks: (looks / "001").unlink(),
    "do not say how they begin": lambda looks: (looks / "000").write_bytes(packed_looks([])),
    "are damaged": cut_short,
}


def answers_file(folder: Path, choices: dict[str, int]) -> Path:
    """What the report saves: the file of questions with the chosen numbers in it."""
    file = json.loads((folder / "questions.json").read_text())
    for row in file["questions"]:
        row["answer"] = choices.get(row["id"])
    path = folder.with_name("answers.json")
    path.write_text(json.dumps(file))
    return path


class Blind(ByColour):
    """Sees nothing, and says so when it is asked."""

    def __init__(self) -> None:
        super().__init__([])
        self.asked = 0

    def read(self, *asked: object) -> list[Detection]:
        self.asked += 1
        raise AssertionError("no picture is read")


def score_again(video: Path, folder: Path, answers: Path, detector: ByColour) -> int:
    names = "Zoe,Bo,Chen,Dana"
    return run([video], Options(RULES), folder, made(detector), answers, names)

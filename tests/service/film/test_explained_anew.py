"""An answer in a scored folder explains the film anew, as reading the film with it does."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pytest

from engine.codec import read_record
from engine.events import Discard, Event
from engine.log import in_force
from service.film.kept_looks import ABOUT, LOOKS
from tests.support.answered_film import SPOILT, asked, holds, ids, opened, recorded, say, take_back
from tests.support.patience import until
from tests.support.saved import saved_in
from vision.decoder.question import Answer

pytestmark = pytest.mark.film


def test_each_answer_on_the_page_gives_the_game_that_the_film_gives(
    folder: Path, scored: Path, film_with: Callable[[Sequence[Answer]], list[Event]]
) -> None:
    for at, question in enumerate(asked(folder)):
        copy = Path(shutil.copytree(scored, folder.with_name(f"copy{at}")))
        with opened(copy) as server:
            wanted = film_with([say(server, question)])
            until(partial(holds, copy, wanted))
        assert wanted != recorded(scored)
        assert "Zoe" in (copy / "sheet.csv").read_text()


def test_an_answer_after_an_answer_a_restart_and_an_undo_give_what_the_film_gives(
    folder: Path, film_with: Callable[[Sequence[Answer]], list[Event]]
) -> None:
    first, second, third = asked(folder)
    before = recorded(folder)
    with opened(folder) as server:
        said = [say(server, third)]
        until(lambda: recorded(folder) == film_with(said))
        said = [say(server, first), *said]
        until(lambda: recorded(folder) == film_with(said))
    with opened(folder) as server:
        assert third.id not in ids(server)
        said = [*said, say(server, second)]
        until(lambda: recorded(folder) == film_with(said))
        for left, lines in ((said[:-1], 2), (said[1:2], 1), ([], 2)):
            for _ in range(lines):
                take_back(server, folder)
            wanted = film_with(left) if left else before
            until(partial(holds, folder, wanted))
        until(lambda: ids(server) == [one.id for one in (first, second, third)])


def test_what_was_taken_back_is_asked_again_after_a_restart(
    folder: Path, film_with: Callable[[Sequence[Answer]], list[Event]]
) -> None:
    before, open_before = recorded(folder), [one.id for one in asked(folder)]
    with opened(folder) as server:
        said = say(server, asked(folder)[0])
        until(partial(holds, folder, film_with([said])))
        take_back(server, folder)
        until(partial(holds, folder, before))
    assert [one.id for one in asked(folder)] == open_before
    with opened(folder) as server:
        until(lambda: ids(server) == open_before)
        said = say(server, asked(folder)[0])
        until(partial(holds, folder, film_with([said])))


def test_every_event_keeps_its_picture(folder: Path) -> None:
    with opened(folder) as server:
        was = recorded(folder)
        say(server, asked(folder)[0])
        until(lambda: recorded(folder) != was)
        until(lambda: "friday" in (folder / "report.html").read_text())
    lines = read_record((folder / "record.jsonl").read_text())
    for event in in_force(lines):
        if isinstance(event.entry.event, Discard):
            assert (folder / str(event.entry.evidence)).is_file()


def linked(folder: Path) -> list[int]:
    """The events to which the questions of the report lead."""
    return [question["number"] for question in saved_in(folder / "report.html")["questions"]]


def test_questions_lead_to_their_events_after_earlier_ones_have_become_fewer(folder: Path) -> None:
    (folder / LOOKS / ABOUT).unlink()  # nothing else than the line changes
    last = asked(folder)[-1]
    lines = read_record((folder / "record.jsonl").read_text())
    first = next(at for at, line in enumerate(lines) if isinstance(line.event, Discard))
    at = linked(folder)[-1]
    assert lines[at].change == last.place.change
    with opened(folder) as server:
        gone = {"of": first, "do": "remove", "events": [], "lines": len(lines)}
        assert server.post("/api/v1/corrections", gone).status == 200
        until(lambda: linked(folder)[-1:] == [at - 1])


@pytest.mark.parametrize("why", SPOILT)
def test_without_usable_looks_an_answer_changes_its_line_and_one_line_says_why(
    folder: Path, why: str, capfd: pytest.CaptureFixture[str]
) -> None:
    SPOILT[why](folder / LOOKS)
    question, *others = asked(folder)
    was = recorded(folder)
    wanted = [
        question.choices[1].events[0] if event == question.choices[0].events[0] else event
        for event in was
    ]
    with opened(folder) as server:
        say(server, question)
        until(lambda: recorded(folder) == wanted)
        until(lambda: ids(server) == [one.id for one in others])
    assert len([line for line in capfd.readouterr().err.splitlines() if why in line]) == 1

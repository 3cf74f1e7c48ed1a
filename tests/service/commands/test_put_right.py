"""A scored film is put right in its folder: record, sheet and report follow."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from engine.codec import read_record
from engine.errors import Refused
from engine.events import Correct, Discard, GameStart
from engine.seal import check_seals, last_seal
from engine.tiles import Tile
from service.app import create_app
from service.commands.score import run
from service.evening.open_table import TableRequest, open_table
from service.film.made import MadeReport
from service.film.mended import MendedFolder
from service.pages.settings import PageSettings
from service.report.gaps import Gap
from service.table.options import Options
from service.table.reader import EmptyReader, EmptySource
from tests.support.films import film
from tests.support.harbin_game import ENTRIES
from tests.support.patience import PATIENCE_S, until
from tests.support.saved import saved_in
from tests.support.served import Served, serving
from tests.support.told_reader import AskingTold
from vision.decoder.question import AnswerChoice, EventPlace, Question, QuestionTile

ZOE = ["Zoe", "Bo", "Chen", "Dana"]
DISCARDS = [(n, e.event) for n, e in enumerate(ENTRIES) if isinstance(e.event, Discard)]


def doubt(at: int) -> Question:
    number, thrown = DISCARDS[at]
    choices = (AnswerChoice((thrown,), 0.6), AnswerChoice((replace(thrown, tile=Tile("9s")),), 0.4))
    tile = QuestionTile(((0.4, 0.4), (0.5, 0.4), (0.5, 0.6), (0.4, 0.6)), True, 0.5)
    return Question(EventPlace("put", ENTRIES[number].t or 0.0, 90 * at), choices, number, (tile,))


def test_record_sheet_and_report_follow_what_is_put_right(tmp_path: Path) -> None:
    out = tmp_path / "friday"
    video = film(tmp_path / "friday.mp4", frames=14, fps=10)
    doubts = [doubt(0), doubt(1)]
    assert run([video], Options("harbin-hlr"), out, lambda: AskingTold(ENTRIES, doubts)) == 0
    report, sheet = out / "report.html", out / "sheet.csv"
    before = report.read_text()
    made = json.loads((out / "made.json").read_text())
    assert made.pop("again").endswith("friday.mp4 --rules harbin-hlr --answers answers.json")
    assert made == {"title": "friday.mp4", "lang": "en", "gaps": []}
    scored = MendedFolder(out)
    request = TableRequest(
        EmptySource(scored.title),
        partial(EmptyReader, scored.asked),
        GameStart("harbin-hlr"),
        scored.record,
        pictures=scored.pictures,
        has_next=False,
    )
    with open_table(request) as shown:
        pages = PageSettings(keys=shown.keys, dispute=shown.dispute, jobs=[scored.job])
        with serving(create_app(shown.table, pages)) as server:
            server.wait_for_end()
            pictured = next(
                n
                for n, entry in enumerate(read_record(scored.record.read_text()))
                if entry.evidence
            )
            (picture, *_) = server.json(f"/api/v1/events/{pictured}/pictures")["pictures"]
            assert server.get_bytes(f"/api/v1/pictures/{picture['number']}").startswith(b"\xff\xd8")
            start = {"type": "game_start", "rules": "harbin-hlr", "players": ZOE}
            asked = {"of": 0, "do": "replace", "events": [start], "lines": len(ENTRIES)}
            answer = server.post("/api/v1/corrections", asked)
            assert answer.status == 200, answer.text
            until(lambda: "Zoe" in report.read_text())
            after = report.read_text()
            assert after.count("data:image/jpeg") == before.count("data:image/jpeg") > 0
            answers_its_questions(server, doubts, out)
            until(lambda: saved_in(report)["questions"] == [])
            assert server.post("/api/v1/next", {"lines": len(ENTRIES) + 3}).status == 422
    stands, other = read_record(scored.record.read_text())[-2:]
    for line, said in ((stands, doubts[0].choices[0]), (other, doubts[1].choices[1])):
        assert isinstance(line.event, Correct)
        assert (line.source, tuple(e.event for e in line.event.events)) == ("person", said.events)
    assert "Zoe" in sheet.read_text()
    text = scored.record.read_text()
    assert check_seals(text).whole, "what people put right is sealed, too"
    assert saved_in(report)["seal"] == last_seal(text)
    again = MendedFolder(out)
    assert (again.title, again.asked) == ("friday.mp4", [])


def answers_its_questions(server: Served, doubts: list[Question], out: Path) -> None:
    """What the film left open is asked as at a table; that it stands is kept, too."""
    rows = server.json("/api/v1/questions")["questions"]
    assert [row["id"] for row in rows] == [one.id for one in doubts]
    drawn = server.get_bytes(f"/api/v1/questions/{doubts[0].id}/tiles")
    assert drawn == (out / "evidence" / "asked-0.jpg").read_bytes()
    (out / "evidence" / "asked-1.jpg").unlink()
    gone = server.get(f"/api/v1/questions/{doubts[1].id}/tiles")
    assert (gone.status, f"question {doubts[1].id} is gone" in gone.text) == (404, True)
    with server.socket("/ws") as page:

        def asked() -> list[str]:
            return [row["id"] for row in json.loads(page.recv(PATIENCE_S))["questions"]]

        assert asked() == [one.id for one in doubts]
        for choice, one in enumerate(doubts):
            assert server.post("/api/v1/answers", {"id": one.id, "choice": choice}).status == 200
        until(lambda: asked() == [])
    assert server.json("/api/v1/questions")["questions"] == []


def test_a_folder_of_an_earlier_version_has_its_facts_in_its_report(tmp_path: Path) -> None:
    out = tmp_path / "friday"
    video = film(tmp_path / "friday.mp4", frames=14, fps=10)
    assert run([video], Options("harbin-hlr"), out, lambda: AskingTold(ENTRIES, [])) == 0
    (out / "made.json").unlink()
    with pytest.raises(Refused, match="was scored by an older tilesight"):
        MendedFolder(out)
    kept = '{"again": "tilesight score a", "gaps": [[1.5, 2]], "lang": "zh", "title": "<i> & co"}'
    facts = kept.replace("<", r"\u003c").replace("&", r"\u0026")
    with (out / "report.html").open("a") as report:
        report.write(f'<script type="application/json" id="made">{facts}</script>')
    assert MendedFolder(out).title == "<i> & co"
    MadeReport.read(out, "report.html").write(out)
    assert json.loads((out / "made.json").read_text()) == json.loads(kept)
    (out / "report.html").unlink()
    assert MadeReport.read(out, "report.html").gaps == (Gap(1.5, 2),)


def test_a_folder_that_is_no_film_s_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="is no folder of tilesight score"):
        MendedFolder(tmp_path)

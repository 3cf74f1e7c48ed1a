"""A scored film is put right in its folder: record, sheet and report follow."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.codec import read_record
from engine.events import Correct, GameStart
from service.commands.score import run
from service.errors import Refused
from service.pages.app import create_app
from service.pages.settings import PageSettings
from service.scoring.mended import MendedFolder
from service.setup.open_table import TableRequest, open_table
from service.table.reader import EmptyReader, EmptySource
from tests.support.films import film
from tests.support.harbin_game import ENTRIES
from tests.support.patience import until
from tests.support.served import serving
from tests.support.told_reader import ToldReader

ZOE = ["Zoe", "Bo", "Chen", "Dana"]


def test_record_sheet_and_report_follow_what_is_put_right(tmp_path: Path) -> None:
    out = tmp_path / "friday"
    video = film(tmp_path / "friday.mp4", frames=14, fps=10)
    assert run(video, "harbin-hlr", out, lambda: ToldReader(ENTRIES)) == 0
    report, sheet = out / "report.html", out / "sheet.csv"
    before = report.read_text()
    scored = MendedFolder(out)
    request = TableRequest(
        EmptySource(scored.title),
        EmptyReader,
        GameStart("harbin-hlr"),
        scored.record,
        pictures=scored.pictures,
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
    last = read_record(scored.record.read_text())[-1]
    assert (type(last.event), last.source) == (Correct, "person")
    assert "Zoe" in sheet.read_text()
    after = report.read_text()
    assert after.count("data:image/jpeg") == before.count("data:image/jpeg") > 0
    assert MendedFolder(out).title == "friday.mp4"  # it opens again


def test_a_folder_that_is_no_film_s_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="is no folder of tilesight score"):
        MendedFolder(tmp_path)

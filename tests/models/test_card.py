"""The figures of a report get beside the weights and into the card, and nothing else changes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from card import (
    BEGIN,
    BY_EYE,
    END,
    KINDS,
    TITLES,
    front_matter,
    write_card,
    write_metrics,
)

from tests.support.paths import ROOT

FACE = {
    "tiles": 1200, "recall": 0.95, "precision": 0.9, "precision_where_labelled": 0.97,
    "named_right_of_found": 0.9974, "found_and_named_right": 0.9494, "unsure": 0.01,
    "wrong_and_sure": 0.0025, "wrong_and_sure_tiles": 3, "wrong_and_sure_by_eye": 0.0008,
}  # fmt: skip
REPORT = {
    "source": "evaluate.json", "pictures": 9, "threshold": 0.9, "map50": 0.92, "map50_95": 0.533,
    "by_side": {"face": FACE, "back": FACE}, "faces_by_width_px": {}, "faces_by_style": {},
    "reliability": {"bands": {"rows": [[1200, 0.99, 0.98]]}, "expected_error": 0.01},
}  # fmt: skip


def test_the_card_keeps_everything_around_the_figures(tmp_path: Path) -> None:
    card = tmp_path / "README.md"
    card.write_text(f"before\n{BEGIN}\nstale figures\n{END}\nafter\n")
    write_card(card, {"photos": REPORT})
    text = card.read_text()
    assert text.startswith("before\n")
    assert text.endswith("\nafter\n")
    assert "stale" not in text
    assert f"### {TITLES['photos']}" in text
    assert "| face | 1,200 | 95.0% | 97.0% | 99.74% | 94.9% |  | 1.0% | 0.25% | 0.08% |" in text
    assert "| back | 1,200 | 95.0% | 97.0% |  |  |  |  |  |" in text
    write_card(card, {"photos": REPORT})
    assert card.read_text() == text, "writing it again changes nothing"


COUNTED = {
    "looked_at": 32, "read": 6, "date": "2026-11-29", "commit": "abc", "weights": "of these",
    "unread": "these tiles", "in_sight": "nothing",
}  # fmt: skip


def counts_by_eye(monkeypatch: pytest.MonkeyPatch, folder: Path, seen: dict[str, object]) -> None:
    path = folder / "by_eye.json"
    path.write_text(json.dumps({kind.name: seen for kind in KINDS}))
    monkeypatch.setattr("card.BY_EYE", path)


def test_the_card_has_a_row_for_each_kind_of_picture_that_was_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts_by_eye(monkeypatch, tmp_path, COUNTED)
    card = tmp_path / "README.md"
    card.write_text(f"{BEGIN}\n{END}\n")
    half = {"recall": 0.8, "unsure": 0.3, "wrong_and_sure": 0.075}
    marks = {"weights": "of these", "unread": "these tiles"}
    posed = REPORT | {"faces_by_pose": {"standing, all": FACE | half}} | marks
    write_card(card, {"photos": REPORT, "fronts": posed})
    _, table, *_ = card.read_text().split("###")
    rows = [line.split(" | ") for line in table.splitlines() if line.startswith("| ")][2:]
    assert [row[0].removeprefix("| ") for row in rows] == [
        kind.name
        for kind in KINDS
        if kind.report == "photos" or (kind.report, kind.row) == ("fronts", "standing, all")
    ]
    assert rows[1][-2] == f"{0.5 + 0.5 * 6 / 32:.1%} (6 of 32, 2026-11-29)"


@pytest.mark.parametrize(
    ("changed", "of_report"),
    [
        ({}, {"weights": "of others"}),
        ({}, {"unread": "other tiles"}),  # another rule of reading, or other labels
        ({"unread": None}, {}),
        ({"unread": None}, {"unread": None}),
    ],
)
def test_what_a_person_read_of_other_errors_is_left_out(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    changed: dict[str, object],
    of_report: dict[str, object],
) -> None:
    counts_by_eye(monkeypatch, tmp_path, COUNTED | changed)
    card = tmp_path / "README.md"
    card.write_text(f"{BEGIN}\n{END}\n")
    marks = {"weights": "of these", "unread": "these tiles"} | of_report
    write_card(card, {"photos2": REPORT | marks})
    (row,) = [line for line in card.read_text().splitlines() if KINDS[2].name in line]
    assert row.startswith(f"| {KINDS[2].name} |")
    assert row.endswith(" |  | nothing |")


def test_beside_the_weights_stands_nothing_but_the_figures_by_side(tmp_path: Path) -> None:
    for net in ("finder", "recogniser"):
        (tmp_path / f"{net}.json").write_text('{"commit": "abc"}')
    write_metrics(tmp_path, {"photos": REPORT})
    about = json.loads((tmp_path / "finder.json").read_text())
    (figures,) = about["metrics"].values()
    assert figures["by_side"] == REPORT["by_side"]
    assert "reliability" not in figures
    assert not any(name.startswith("faces_by") for name in figures)
    assert about["commit"] == "abc"


def test_every_count_by_eye_says_when_and_of_which_weights() -> None:
    for name, seen in json.loads(BY_EYE.read_text()).items():
        assert name in {kind.name for kind in KINDS}
        if "looked_at" in seen:
            assert {"read", "date", "commit", "weights"} <= seen.keys()


def test_the_card_shows_no_count_by_eye_that_is_tied_to_no_errors() -> None:
    _, measured = (ROOT / "models" / "README.md").read_text().split(BEGIN)
    shown = [row for row in measured.splitlines() if re.search(r"\(\d+ of \d+, ", row)]
    tied = {name for name, seen in json.loads(BY_EYE.read_text()).items() if "unread" in seen}
    assert {row.removeprefix("| ").split(" | ")[0] for row in shown} <= tied


def test_the_card_says_where_the_size_of_the_tiles_was_given(tmp_path: Path) -> None:
    card = tmp_path / "README.md"
    card.write_text(f"{BEGIN}\n{END}\n")
    write_card(card, {"photos": REPORT | {"size_given": True}, "photos2": REPORT})
    assert f"### {TITLES['photos']} (size of the tiles given)\n" in card.read_text()
    assert f"### {TITLES['photos2']}\n" in card.read_text()


def test_the_metadata_for_model_hubs_are_those_beside_the_weights() -> None:
    card = (ROOT / "models" / "README.md").read_text()
    assert card.startswith(front_matter(ROOT / "vision" / "weights") + "# ")

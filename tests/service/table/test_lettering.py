"""Names of every script are written into pictures, and no line leaves its card."""

from __future__ import annotations

import numpy as np
import pytest

from service.table import lettering
from service.table.highlight_clip import LEAST_PX, MARGIN_PX, WIDTH_PX, title_card
from service.table.lettering import (
    as_seen,
    can_be_written,
    cut,
    font_with,
    wide_px,
    writable,
    write,
)
from vision.camera.pictures import Picture

pytestmark = pytest.mark.skipif(not lettering.can_write(), reason="no font has all letters")

ROOM_PX = WIDTH_PX - 2 * MARGIN_PX


@pytest.fixture
def without_fonts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system that has no fonts."""
    monkeypatch.setattr(lettering, "_font_files", lambda: ())
    font_with.cache_clear()
    monkeypatch.setattr(lettering, "font_with", font_with.__wrapped__)


def drawn(line: str) -> Picture:
    card = np.zeros((100, 500, 3), np.uint8)
    write(card, line, (20, 70), 48, (255, 255, 255))
    return card


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("Anna 😀🀄👨‍👩‍👧 · 李雷", "Anna · 李雷"),
        ("Zoe\u0301 だいすけ\n+8", "Zoe\u0301 だいすけ +8"),
        ("علی\u200cرضا\u200d", "علی\u200cرضا"),
        ("😀", ""),
    ],
)
def test_what_is_no_letter_and_has_no_form_is_left_out(given: str, written: str) -> None:
    assert writable(given) == written


@pytest.mark.usefixtures("without_fonts")
@pytest.mark.parametrize(
    ("name", "can"),
    [
        *((name, True) for name in ("Anna", "李雷", "שרה", "محمد", "김민수", "Anna 😀")),
        *((name, False) for name in ("สมชาย", "अमित", "Anna अमित", "😀")),
    ],
)
def test_a_name_of_which_a_letter_is_nowhere_cannot_be_written(name: str, can: bool) -> None:
    assert can_be_written(name) is can


def test_a_font_of_the_system_joins_letters_and_writes_what_is_missing() -> None:
    arabic = frozenset("محمد")
    if font_with(arabic) is None:
        pytest.skip("no font of this system has Arabic letters")
    joined, apart = wide_px("محمد", 48), sum(wide_px(letter, 48) for letter in "محمد")
    assert 0 < joined < apart, "letters within a word are narrower"
    whole, own = drawn("Anna محمد"), drawn("Anna ")
    name_px = 20 + wide_px("Anna ", 48)
    assert (whole[:, : name_px - 2] == own[:, : name_px - 2]).all()
    assert whole[:, name_px:].any()
    assert not whole[:, 20 + wide_px("Anna محمد", 48) + 2 :].any()


def test_a_damaged_font_is_passed_over(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    damaged = str(tmp_path) + "/a.ttf"
    with open(damaged, "wb") as file:
        file.write(b"\0\1\0\0 no font")
    monkeypatch.setattr(lettering, "_font_files", lambda: (damaged, "/nowhere/b.ttf"))
    font_with.cache_clear()
    assert font_with(frozenset("ส")) is None
    font_with.cache_clear()


@pytest.mark.parametrize(
    ("given", "seen"),
    [
        ("שרה כהן · +8", "ןהכ הרש · +8"),
        ("Bo · דינה 12… · 李雷", "Bo · הניד 12… · 李雷"),
        ("דן 12 שרה… wins", "…הרש 12 ןד wins"),
        ("שָׁרָה", "הרָשָׁ"),
        ("محمد (علي)", "دمحم (يلع)"),
        ("Anna (Bo) 1.5", "Anna (Bo) 1.5"),
    ],
)
def test_names_that_run_from_right_to_left_are_written_so(given: str, seen: str) -> None:
    assert as_seen(given) == seen


def test_no_line_of_a_card_leaves_it() -> None:
    names = " · ".join(letter * 40 for letter in ("W", "B", "李", "م"))
    card = title_card(["The best", f"{names} · {names}", "2026-05-01"])

    assert cut(f"{'W' * 400} · +8,000", LEAST_PX, ROOM_PX).endswith("W… · +8,000"), (
        "no false figure"
    )
    ground = card[0, 0]
    edges = np.hstack([card[:, :24], card[:, -24:]])
    assert (edges == ground).all()
    assert (card[:, 40:-40] != ground).any()

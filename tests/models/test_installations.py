"""Simulated installations: graded by their rehearsal, played, resumed and summed up."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from games.installations import ASPECTS, LEVELS, Film, Installation

from engine.codec import read_record
from engine.events import Discard
from engine.rehearsal import GOLD, Grade, RehearsalCard, Share
from engine.tiles import Tile
from service.table.certificate import Conditions, Standing, TableCertificate
from tests.support import installations
from tests.support.installations import (
    Payment,
    Payments,
    Proved,
    kinds_told,
    main,
    share_between,
    table,
)
from tests.support.rehearsal_game import TODAY, told

PAID = (-1, -1, 3, -1)
THROWN = Discard(3, Tile("5z"))
GOOD = Payment(20.0, PAID, PAID, False, False, 0.99)
BAD = replace(GOOD, true=(0, 0, 0, 0))
ASKED = replace(BAD, asked=True)
LEVEL = dict.fromkeys(ASPECTS, "good")
ONE = Proved(
    *(1, "riichi", LEVEL, "gold", (23, 23), (34, 34), 0.6),
    payments=(GOOD, BAD, ASKED),
    played=(58, 60),
    named=(57, 58),
    problems=({"kind": "problem"},),
    interrupted=2,
    played_s=240.0,
)


@pytest.mark.parametrize(
    ("part", "whole", "low", "high"),
    [
        (0, 0, 0.0, 1.0),
        (0, 30, 0.0, 0.1157),
        (1, 30, 0.0008, 0.1722),
        (30, 30, 0.8843, 1.0),
        (5, 100, 0.0164, 0.1128),
    ],
)
def test_the_interval_of_a_share_is_exact(part: int, whole: int, low: float, high: float) -> None:
    assert share_between(part, whole) == pytest.approx((low, high), abs=5e-5)


def test_a_grade_counts_what_was_announced_and_what_would_have_been_without_it() -> None:
    gold, *others, game = table([ONE])
    assert "1 installations; events of play told 58 of 60 (96.7%; in 0 less" in gold
    assert "named 57 of 58 (98.3%; in 0 less" in gold
    assert "announced unasked 2, wrong 1 (1.3% to 98.7%)" in gold
    assert "without the certificate 3, wrong 2 (9.4% to 99.2%)" in gold
    assert game == "riichi: 4 minutes of play, 1 problems announced, 2 questions interrupted"
    assert all(": 0 installations" in line for line in others)


def test_play_that_shows_less_than_its_rehearsal_proved_is_counted() -> None:
    gold, *_ = table([replace(ONE, played=(30, 60), named=(10, 30))])
    assert "told 30 of 60 (50.0%; in 1 less than was proved)" in gold
    assert "named 10 of 30 (33.3%; in 1 less than was proved)" in gold


def test_events_of_play_are_counted_as_cards_count_them() -> None:
    true = read_record("\n".join(told(0.9)))
    assert kinds_told(true, true) == (7, 7)
    assert kinds_told(true, true[:-1]) == (6, 7)
    thrown = next(one for one in true if one.t == 0.5)
    other = [replace(one, event=THROWN) if one is thrown else one for one in true]
    assert kinds_told(true, other) == (7, 7), "no card knows the face"
    assert kinds_told(true, other, named=True) == (6, 7)


def test_a_line_holds_all_of_an_installation() -> None:
    assert Proved.of_json(ONE.to_json()) == ONE


def test_a_run_goes_on_where_it_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    played: list[int] = []

    def proved(installation: Installation, hands: int) -> Proved:
        played.append(installation.seed)
        if installation.seed == 4:
            raise ValueError("no such table")
        return replace(ONE, seed=installation.seed)

    monkeypatch.setattr(installations, "proved", proved)
    out = tmp_path / "runs" / "installations.jsonl"
    assert main([str(out), "--count", "2"]) == 0
    with out.open("a", encoding="utf-8") as lines:
        lines.write(replace(ONE, seed=3).to_json()[:40] + "\n")  # it was ended while it wrote
    assert main([str(out), "--count", "5"]) == 1
    assert played == [1, 2, 3, 4, 5]
    assert "no such table" in capsys.readouterr().err
    assert main([str(out), "--count", "0"]) == 0
    assert "gold: 4 installations" in capsys.readouterr().out
    assert len(played) == 5
    seeds = [json.loads(line)["seed"] for line in out.read_text("utf-8").splitlines()[:2]]
    assert seeds == [1, 2]


@pytest.mark.parametrize("wrong", [["--count", "-1"], ["--hands", "0"], ["--processes", "0"]])
def test_a_number_that_cannot_be_is_refused(
    tmp_path: Path, wrong: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as refused:
        main([str(tmp_path / "out.jsonl"), *wrong])
    assert refused.value.code == 2
    assert wrong[0] in capsys.readouterr().err


def test_installations_are_of_every_kind_and_each_seed_is_the_same_one() -> None:
    drawn = [Installation.numbered(seed) for seed in range(64)]
    for aspect in ASPECTS:
        assert {one.levels[aspect] for one in drawn} == set(LEVELS)
    assert len({one.rules for one in drawn}) == 8
    assert [one.levels for one in drawn] == [
        Installation.numbered(one.seed).levels for one in drawn
    ]


def test_a_worse_set_is_confused_more_and_worse_light_misses_more() -> None:
    drawn = [Installation.numbered(seed) for seed in range(64)]
    errors = {
        (aspect, level): next(one for one in drawn if one.levels[aspect] == level).errors(30.0)
        for aspect in ("set", "light")
        for level in LEVELS
    }
    assert [len(errors["set", level].confused) for level in LEVELS] == [0, 2, 6]
    missed = [sum(errors["light", level].missed.values()) for level in LEVELS]
    assert missed == sorted(missed)
    assert missed[0] < missed[-1]
    for face, (other, share) in errors["set", "poor"].confused.items():
        assert face != other
        assert 0 < share < 1


def payments(grade: Grade | None, confidence: float, paid: bool = True) -> list[Payment]:
    """What is judged of a hand that was won as the record says."""
    certificate = TableCertificate(
        TODAY, grade, Share(23, 23), Share(34, 34), 0.6, Conditions(rules="riichi")
    )
    lines = read_record("\n".join(told(confidence)))
    end = "" if not paid else '\n{"type":"hand_end","t":99}'
    read = Payments(read_record("\n".join(told(confidence)) + end), Standing(certificate))
    for number, line in enumerate(lines):
        read.take([line], float(number), tuple)
    read.end(100.0, tuple)
    return read.paid


@pytest.mark.parametrize(
    ("grade", "confidence", "asked"), [(GOLD, 0.95, False), (GOLD, 0.5, True), (None, 0.95, True)]
)
def test_a_payment_below_its_grade_is_asked(
    grade: Grade | None, confidence: float, asked: bool
) -> None:
    (payment,) = payments(grade, confidence)
    assert (payment.asked, payment.asked_anyway, payment.wrong) == (asked, False, False)
    assert payment.ends == payment.truly
    assert payment.ends[-1]["type"] == "win"


def test_a_payment_of_a_hand_that_was_not_over_is_wrong() -> None:
    (payment,) = payments(GOLD, 0.95, paid=False)
    assert (payment.true, payment.wrong) == (None, True)


@pytest.mark.film
def test_a_tiny_installation_is_rehearsed_and_read(monkeypatch: pytest.MonkeyPatch) -> None:
    may = frozenset({"discard", "drawn_hand", "hand_end"})  # it is broken off at the end
    pung = RehearsalCard("pung", {"en": "A pung."}, told={"pung": 1}, may=may)
    for module in ("studio.film.game_film", "tests.support.installations"):
        monkeypatch.setattr(f"{module}.cards_of", lambda rules: (pung,))
    best = next(
        one
        for one in map(Installation.numbered, range(500))
        if one.rules == "wsom" and set(one.levels.values()) == {"good"}
    )
    seen, film_s = installations.rehearsed(best)
    assert [(one.card, one.missing, one.extra) for one in seen.cards] == [("pung", {}, {})]
    assert 30 < film_s < 120
    assert seen.margins["tile_px"] > 0
    assert seen.faces_share.of == 34
    assert [card for card, _ in Film(best).cards] == ["pung", "over"]

"""Where the marks of drawn faces lie, and how they differ."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from studio.faces.arrangement import USUAL, MarkArrangement
from studio.faces.motif import load

INKS = {"green": (0, 99, 0), "red": (200, 0, 0), "blue": (0, 0, 150)}
ODD = MarkArrangement(seed=3, columns=0.6, rows=0.2, sizes=0.1, inks=1.0, brush=1.0)
COLUMNS = np.array([[[x, y]] for x in (-20.0, 0.0, 20.0) for y in (-30.0, 30.0)])


def test_print_repeats_the_usual_marks_in_the_usual_places() -> None:
    marks, motif = USUAL.rank(7, "p"), load("dots", "rings")
    assert np.array_equal(marks.places(COLUMNS, 9.0), COLUMNS)
    assert (marks.size, marks.turn_deg()) == (1, 0)
    assert marks.mark(motif) is motif
    assert marks.inks(INKS) == INKS


def test_a_set_always_draws_a_rank_alike() -> None:
    one, other = (ODD.rank(8, "s").places(COLUMNS, 9.0) for _ in range(2))
    assert np.array_equal(one, other)
    assert not np.array_equal(one, ODD.rank(8, "p").places(COLUMNS, 9.0))


def test_marks_stay_on_the_face_and_columns_apart() -> None:
    widths = []
    for seed in range(60):
        marks = replace(ODD, seed=seed, brush=0.0).rank(9, "s").places(COLUMNS, 6.0, 14.0)
        assert (np.abs(marks) + 6 <= (36, 49)).all()
        widths.append(marks[4, 0, 0] - marks[2, 0, 0])
    assert min(widths) >= 14
    assert max(widths) > 25

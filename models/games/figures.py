"""The benchmark's figures: sums and shares over games, with their 95 % confidence intervals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np
from games.intervals import Interval, of_percentile, of_ratio, wilson
from games.outcome import Outcome

Of = Callable[[Outcome], int | float]
"""What one game adds to a sum."""


def _true_events(game: Outcome) -> int:
    return game.matched + len(game.missing)


def _told_events(game: Outcome) -> int:
    return game.matched + len(game.extra)


def _hands(game: Outcome) -> int:
    return len(game.paid)


def _asked(game: Outcome) -> bool:
    """Return whether the reader's questions were counted."""
    return game.questions is not None


def _mended(game: Outcome) -> bool:
    return game.mends is not None


RATIOS: Final[Mapping[str, tuple[Of, Of]]] = {
    "precision": (lambda game: game.matched, _told_events),
    "recall": (lambda game: game.matched, _true_events),
    "f1": (lambda game: 2 * game.matched, lambda game: _told_events(game) + _true_events(game)),
    "settled_exact": (lambda game: game.settled, lambda game: game.moments),
    "questions_a_hand": (
        lambda game: game.questions or 0,
        lambda game: _hands(game) * _asked(game),
    ),
    "questions_an_event": (
        lambda game: game.questions or 0,
        lambda game: _true_events(game) * _asked(game),
    ),
    "mends_a_hand": (lambda game: game.mends or 0, lambda game: _hands(game) * _mended(game)),
    "cpu_share": (lambda game: game.cpu_s, lambda game: game.length_s),
}
"""Ratios of sums over games; their intervals come from resampled games."""
COUNTS: Final[Mapping[str, tuple[Of, str, Of]]] = {
    "hands_paid_right": (lambda game: game.paid_right, "hands", _hands),
    "games_without_correction": (lambda game: game.untouched, "games", lambda game: 1),
    "games_without_correction_when_answered": (
        lambda game: bool(game.untouched_when_answered),
        "games_asked",
        _asked,
    ),
    "wrong_payouts_unasked": (
        lambda game: game.paid_wrong if game.questions == 0 else 0,
        "hands_asked",
        lambda game: _hands(game) * _asked(game),
    ),
    "harmful_mends": (lambda game: game.harmful_mends, "mends", lambda game: game.mends or 0),
    "games_right_after_mends": (
        lambda game: _mended(game) and not game.wrong_after_mends,
        "games_mended",
        _mended,
    ),
    "tables_found": (
        lambda game: bool(game.table_found),
        "tables_searched",
        lambda game: game.table_found is not None,
    ),
}
"""Counts, the name of what they are counted in, and that; their intervals are Wilson's."""


def figures(games: Sequence[Outcome]) -> dict[str, Any]:
    """Return sums and shares over games; a share of nothing is None.

    ``intervals`` holds the 95 % confidence intervals of those that have one.
    """
    row: dict[str, Any] = {"games": len(games), "events": sum(map(_true_events, games))}
    row["matched"] = sum(game.matched for game in games)
    row["untrue"] = sum(len(game.extra) for game in games)
    intervals: dict[str, Interval | None] = {}
    for name, (part, whole) in RATIOS.items():
        parts, wholes = [part(game) for game in games], [whole(game) for game in games]
        row[name] = round(sum(parts) / sum(wholes), 5) if sum(wholes) else None
        intervals[name] = of_ratio(parts, wholes)
    for name, (part, of, whole) in COUNTS.items():
        row[name], row[of] = (sum(int(one(game)) for game in games) for one in (part, whole))
        intervals[name] = wilson(row[name], row[of])
    delays = [game.delays_s for game in games]
    for name, percent in (("delay_median_s", 50), ("delay_p95_s", 95)):
        late = [delay for game in delays for delay in game]
        row[name] = round(float(np.percentile(late, percent)), 2) if late else None
        intervals[name] = of_percentile(delays, percent)
    row["memory_mb"] = max((game.memory_mb or 0 for game in games), default=0) or None
    row["intervals"] = {
        name: [round(end, 5) for end in interval]
        for name, interval in intervals.items()
        if interval is not None
    }
    return row

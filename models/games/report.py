"""The benchmark's figures as tables, and a list of errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np
from evaluation.faces import Band, bands_of
from games.intervals import Interval, of_percentile, of_ratio, wilson
from games.outcome import Outcome

ERRORS_LISTED: Final = 60


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
        name: [round(end, 5) for end in one] for name, one in intervals.items() if one is not None
    }
    return row


Text = Callable[[Mapping[str, Any]], str]


def _percent(name: str) -> Text:
    def text(row: Mapping[str, Any]) -> str:
        return "-" if row[name] is None else f"{100 * row[name]:.1f} %{_between(row, name, 100, 1)}"

    return text


def _number(name: str, unit: str = "") -> Text:
    def text(row: Mapping[str, Any]) -> str:
        return "-" if row[name] is None else f"{row[name]:.1f}{unit}{_between(row, name, 1, 1)}"

    return text


def _count(name: str) -> Text:
    whole = COUNTS[name][1]

    def text(row: Mapping[str, Any]) -> str:
        of = f"{row[name]} of {row[whole]}{_between(row, name, row[whole], 0)}"
        return of if row[whole] else "-"

    return text


def _between(row: Mapping[str, Any], name: str, times: float, digits: int) -> str:
    found = row["intervals"].get(name)
    if found is None:
        return ""
    low, high = (f"{times * one:.{digits}f}" for one in found)
    return f" ({low} to {high})"


COLUMNS: Final[tuple[tuple[str, Text], ...]] = (
    ("games", lambda row: f"{row['games']}"),
    ("events", lambda row: f"{row['events']}"),
    ("precision", _percent("precision")),
    ("recall", _percent("recall")),
    ("F1", _percent("f1")),
    ("settled tables exact", _percent("settled_exact")),
    ("hands paid right", _count("hands_paid_right")),
    ("games without a correction", _count("games_without_correction")),
    ("with answers", _count("games_without_correction_when_answered")),
    ("wrong payouts unasked", _count("wrong_payouts_unasked")),
    ("questions a hand", _number("questions_a_hand")),
    ("questions, of events", _percent("questions_an_event")),
    ("mends a hand", _number("mends_a_hand")),
    ("harmful mends", _count("harmful_mends")),
    ("right after mends", _count("games_right_after_mends")),
    ("told after, 95th percentile", _number("delay_p95_s", " s")),
    ("memory", lambda row: "-" if row["memory_mb"] is None else f"{row['memory_mb']:.0f} MB"),
    ("tables found", _count("tables_found")),
)


def to_json(games: Sequence[Outcome]) -> dict[str, Any]:
    """Return all figures: by each grouping, and by game; and how sure which lines were."""
    return {
        **{
            f"by_{head.split(', ')[-1]}": {
                name: figures(group) for name, group in _groups(games, key)
            }
            for head, key in GROUPINGS.items()
        },
        "sure": {
            grade: sorted(pair for game in group for pair in game.sure)
            for grade, group in _groups(games, lambda game: game.grade)
        },
        "games": [game.to_json() for game in games],
    }


def to_markdown(title: str, games: Sequence[Outcome]) -> str:
    """Return tables of figures, how sure camera lines were, and the errors by kind and singly."""
    lines = [f"# {title}", "", "95 % confidence intervals are in brackets."]
    for head, key in GROUPINGS.items():
        groups = list(_groups(games, key))
        lines += ["", *_table(head, groups)] if groups else []
    lines += ["", "## How sure, and how right", "", *_sure_table(games)]
    lines += ["", "## What went wrong", ""]
    for (grade, what, kind), count in _kinds(games).most_common():
        lines.append(f"- {count} x {what} {kind} ({grade})")
    lines += ["", "One by one:", ""]
    errors = list(_errors(games))
    lines += errors[:ERRORS_LISTED]
    if len(errors) > ERRORS_LISTED:
        lines.append(f"- and {len(errors) - ERRORS_LISTED} more, in the JSON file")
    return "\n".join(lines) + "\n"


def _table(head: str, groups: Iterable[tuple[str, Sequence[Outcome]]]) -> list[str]:
    lines = [
        f"| {head} | " + " | ".join(name for name, _ in COLUMNS) + " |",
        "|---" * (len(COLUMNS) + 1) + "|",
    ]
    for name, group in groups:
        row = figures(group)
        lines.append(f"| {name} | " + " | ".join(text(row) for _, text in COLUMNS) + " |")
    return lines


def _sure_table(games: Sequence[Outcome]) -> list[str]:
    lines = ["| lines | mean confidence | right |", "|---|---|---|"]
    for band in sure_bands(games):
        low, high = band.spread
        right = f"{band.right:.3f} ({low:.3f} to {high:.3f})"
        lines.append(f"| {band.tiles} | {band.said:.3f} | {right} |")
    return lines


def sure_bands(games: Sequence[Outcome]) -> list[Band]:
    """Return how sure the camera lines of these games were, and how many of them are true."""
    pairs = [pair for game in games for pair in game.sure]
    return bands_of([sure for sure, _ in pairs], [right for _, right in pairs])


def _groups(
    games: Sequence[Outcome], key: Callable[[Outcome], str]
) -> Iterable[tuple[str, list[Outcome]]]:
    for name in dict.fromkeys(key(game) for game in games):
        if name:
            yield name, [game for game in games if key(game) == name]


def _plain(game: Outcome) -> bool:
    return not game.start and not game.clutter


GROUPINGS: Final[Mapping[str, Callable[[Outcome], str]]] = {
    "grade": lambda game: game.grade if _plain(game) else "",
    "grade, rules": lambda game: f"{game.grade}, {game.rules}" if _plain(game) else "",
    "grade, start": lambda game: f"{game.grade}, {game.start}" if game.start else "",
    "grade, clutter": lambda game: f"{game.grade}, {game.clutter}" if game.clutter else "",
}
"""The name of the group that a game belongs to in each table; empty for none."""


def _kinds(games: Sequence[Outcome]) -> Counter[tuple[str, str, str]]:
    found: Counter[tuple[str, str, str]] = Counter()
    for game in games:
        for what, events in (("missed", game.missing), ("invented", game.extra)):
            found.update((game.grade, what, str(event["type"])) for event in events)
    return found


def _errors(games: Sequence[Outcome]) -> Iterable[str]:
    for game in games:
        name = f"{game.grade} {game.rules} {game.seed}"
        name += f" start {game.start}" if game.start else ""
        name += f" clutter {game.clutter}" if game.clutter else ""
        for what, events in (("missed", game.missing), ("invented", game.extra)):
            for event in events:
                words = " ".join(f"{key}={value}" for key, value in event.items() if key != "type")
                yield f"- {name}: {what} {event['type']} {words}".rstrip()
        for number, hand in enumerate(game.paid, start=1):
            if hand["true"] != hand["read"]:
                yield f"- {name}: hand {number} paid {hand['read']} instead of {hand['true']}"


def _share(part: float, whole: float) -> float | None:
    return round(part / whole, 5) if whole else None

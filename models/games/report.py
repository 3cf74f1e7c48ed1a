"""The benchmark's figures as tables, and a list of errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np
from evaluation.faces import Band, bands_of
from games.intervals import of_percentile, of_ratio, wilson
from games.outcome import Outcome

ERRORS_LISTED: Final = 60


def figures(games: Sequence[Outcome]) -> dict[str, Any]:
    """Return sums and shares over games; a share of nothing is None.

    ``intervals`` holds the 95 % confidence intervals of those that have one: Wilson's for counts of
    hands and games, by resampling games for the others.
    """
    matched = [game.matched for game in games]
    told = [game.matched + len(game.extra) for game in games]
    true = [game.matched + len(game.missing) for game in games]
    hands = [len(game.paid) for game in games]
    both = [one + other for one, other in zip(told, true, strict=True)]
    twice = [2 * one for one in matched]
    asked = [game for game in games if game.questions is not None]
    questions = [game.questions or 0 for game in asked]
    mended = [game for game in games if game.mends is not None]
    delays = [game.delays_s for game in games]
    late = [delay for game in delays for delay in game]
    memory = [game.memory_mb for game in games if game.memory_mb is not None]
    found = [game.table_found for game in games if game.table_found is not None]
    ratios: dict[str, tuple[Sequence[float], Sequence[float]]] = {
        "precision": (matched, told),
        "recall": (matched, true),
        "f1": (twice, both),
        "settled_exact": ([game.settled for game in games], [game.moments for game in games]),
        "questions_a_hand": (questions, [len(game.paid) for game in asked]),
        "questions_an_event": (
            questions,
            [game.matched + len(game.missing) for game in asked],
        ),
        "mends_a_hand": (
            [game.mends or 0 for game in mended],
            [len(game.paid) for game in mended],
        ),
        "cpu_share": ([game.cpu_s for game in games], [game.length_s for game in games]),
    }
    counts = {
        "hands_paid_right": (sum(game.paid_right for game in games), sum(hands)),
        "games_without_correction": (sum(game.untouched for game in games), len(games)),
        "games_without_correction_when_answered": (
            sum(bool(game.untouched_when_answered) for game in asked),
            len(asked),
        ),
        "wrong_payouts_unasked": (
            sum(game.paid_wrong for game in asked if not game.questions),
            sum(len(game.paid) for game in asked),
        ),
        "games_right_after_mends": (
            sum(not game.wrong_after_mends for game in mended),
            len(mended),
        ),
    }
    intervals = {name: of_ratio(*ratio) for name, ratio in ratios.items()}
    intervals |= {name: wilson(*count) for name, count in counts.items()}
    intervals["delay_p95_s"] = of_percentile(delays, 95)
    intervals["delay_median_s"] = of_percentile(delays, 50)
    return {
        "games": len(games),
        "events": sum(true),
        "hands": sum(hands),
        "games_asked": len(asked),
        "games_mended": len(mended),
        **{name: _share(sum(part), sum(whole)) for name, (part, whole) in ratios.items()},
        **{name: part for name, (part, _) in counts.items()},
        "harmful_mends": sum(game.harmful_mends for game in mended),
        "delay_p95_s": round(float(np.percentile(late, 95)), 2) if late else None,
        "delay_median_s": round(float(np.median(late)), 2) if late else None,
        "memory_mb": max(memory) if memory else None,
        "tables_found": f"{sum(found)} of {len(found)}" if found else None,
        "intervals": {
            name: [round(end, 5) for end in one]
            for name, one in intervals.items()
            if one is not None
        },
    }


Text = Callable[[Mapping[str, Any]], str]


def _percent(name: str) -> Text:
    def text(row: Mapping[str, Any]) -> str:
        return "-" if row[name] is None else f"{100 * row[name]:.1f} %{_between(row, name, 100, 1)}"

    return text


def _number(name: str, unit: str = "") -> Text:
    def text(row: Mapping[str, Any]) -> str:
        return "-" if row[name] is None else f"{row[name]:.1f}{unit}{_between(row, name, 1, 1)}"

    return text


def _count(name: str, whole: str) -> Text:
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
    ("hands paid right", _count("hands_paid_right", "hands")),
    ("games without a correction", _count("games_without_correction", "games")),
    ("with answers", _count("games_without_correction_when_answered", "games_asked")),
    ("wrong payouts unasked", _count("wrong_payouts_unasked", "hands")),
    ("questions a hand", _number("questions_a_hand")),
    ("questions, of events", _percent("questions_an_event")),
    ("mends a hand", _number("mends_a_hand")),
    ("harmful mends", lambda row: f"{row['harmful_mends']}" if row["games_mended"] else "-"),
    ("right after mends", _count("games_right_after_mends", "games_mended")),
    ("told after, 95th percentile", _number("delay_p95_s", " s")),
    ("memory", lambda row: "-" if row["memory_mb"] is None else f"{row['memory_mb']:.0f} MB"),
    ("tables found", lambda row: row["tables_found"] or "-"),
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

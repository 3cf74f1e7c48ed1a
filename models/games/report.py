"""The benchmark's figures as tables, and a list of errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np
from games.outcome import Outcome

ERRORS_LISTED: Final = 60


def figures(games: Sequence[Outcome]) -> dict[str, Any]:
    """Return sums and shares over games; a share of nothing is None."""
    matched = sum(game.matched for game in games)
    missing = sum(len(game.missing) for game in games)
    extra = sum(len(game.extra) for game in games)
    hands = sum(len(game.paid) for game in games)
    delays = [delay for game in games for delay in game.delays_s]
    memory = [game.memory_mb for game in games if game.memory_mb is not None]
    found = [game.table_found for game in games if game.table_found is not None]
    asked = [game for game in games if game.questions is not None]
    precision, recall = _share(matched, matched + extra), _share(matched, matched + missing)
    return {
        "games": len(games),
        "events": matched + missing,
        "precision": precision,
        "recall": recall,
        "f1": _share(2 * matched, 2 * matched + extra + missing),
        "settled_exact": _share(
            sum(game.settled for game in games), sum(game.moments for game in games)
        ),
        "hands": hands,
        "hands_paid_right": sum(game.paid_right for game in games),
        "games_without_correction": sum(game.untouched for game in games),
        "games_asked": len(asked),
        "games_without_correction_when_answered": sum(
            bool(game.untouched_when_answered) for game in asked
        ),
        "questions_a_hand": _share(
            sum(game.questions or 0 for game in asked), sum(len(game.paid) for game in asked)
        ),
        "wrong_payouts_unasked": sum(
            game.paid_right < len(game.paid) and not game.questions for game in asked
        ),
        "delay_p95_s": round(float(np.percentile(delays, 95)), 2) if delays else None,
        "delay_median_s": round(float(np.median(delays)), 2) if delays else None,
        "memory_mb": max(memory) if memory else None,
        "tables_found": f"{sum(found)} of {len(found)}" if found else None,
        "cpu_share": _share(
            sum(game.cpu_s for game in games), sum(game.length_s for game in games)
        ),
    }


COLUMNS: Final[tuple[tuple[str, Callable[[Mapping[str, Any]], str]], ...]] = (
    ("games", lambda f: f"{f['games']}"),
    ("events", lambda f: f"{f['events']}"),
    ("precision", lambda f: _percent(f["precision"])),
    ("recall", lambda f: _percent(f["recall"])),
    ("F1", lambda f: _percent(f["f1"])),
    ("settled tables exact", lambda f: _percent(f["settled_exact"])),
    ("hands paid right", lambda f: f"{f['hands_paid_right']} of {f['hands']}"),
    ("games without a correction", lambda f: f"{f['games_without_correction']} of {f['games']}"),
    (
        "with answers",
        lambda f: (
            f"{f['games_without_correction_when_answered']} of {f['games_asked']}"
            if f["games_asked"]
            else "-"
        ),
    ),
    (
        "questions a hand",
        lambda f: "-" if f["questions_a_hand"] is None else f"{f['questions_a_hand']:.1f}",
    ),
    ("told after, 95th percentile", lambda f: _seconds(f["delay_p95_s"])),
    ("memory", lambda f: "-" if f["memory_mb"] is None else f"{f['memory_mb']:.0f} MB"),
    ("tables found", lambda f: f["tables_found"] or "-"),
)


def to_json(games: Sequence[Outcome]) -> dict[str, Any]:
    """Return all figures: by grade, by rule set in each grade, and by game."""
    return {
        "by_grade": {name: figures(group) for name, group in _groups(games, _grade)},
        "by_rules": {name: figures(group) for name, group in _groups(games, _grade_rules)},
        "games": [game.to_json() for game in games],
    }


def to_markdown(title: str, games: Sequence[Outcome]) -> str:
    """Return two tables of figures, then the errors: by kind, and one by one."""
    lines = [f"# {title}", "", *_table("grade", _groups(games, _grade))]
    lines += ["", *_table("grade, rules", _groups(games, _grade_rules))]
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


def _groups(
    games: Sequence[Outcome], key: Callable[[Outcome], str]
) -> Iterable[tuple[str, list[Outcome]]]:
    for name in dict.fromkeys(key(game) for game in games):
        yield name, [game for game in games if key(game) == name]


def _grade(game: Outcome) -> str:
    return game.grade


def _grade_rules(game: Outcome) -> str:
    return f"{game.grade}, {game.rules}"


def _kinds(games: Sequence[Outcome]) -> Counter[tuple[str, str, str]]:
    found: Counter[tuple[str, str, str]] = Counter()
    for game in games:
        for what, events in (("missed", game.missing), ("invented", game.extra)):
            found.update((game.grade, what, str(event["type"])) for event in events)
    return found


def _errors(games: Sequence[Outcome]) -> Iterable[str]:
    for game in games:
        name = f"{game.grade} {game.rules} {game.seed}"
        for what, events in (("missed", game.missing), ("invented", game.extra)):
            for event in events:
                words = " ".join(f"{key}={value}" for key, value in event.items() if key != "type")
                yield f"- {name}: {what} {event['type']} {words}".rstrip()
        for number, hand in enumerate(game.paid, start=1):
            if hand["true"] != hand["read"]:
                yield f"- {name}: hand {number} paid {hand['read']} instead of {hand['true']}"


def _share(part: float, whole: float) -> float | None:
    return round(part / whole, 5) if whole else None


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.2f} %"


def _seconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f} s"

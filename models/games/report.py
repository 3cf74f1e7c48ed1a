"""The benchmark's figures as tables, and a list of errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from evaluation.faces import Band, bands_of
from games.figures import COUNTS, figures
from games.outcome import Outcome

ERRORS_LISTED: Final = 60


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


TROUBLE_COLUMNS: Final[tuple[tuple[str, Text], ...]] = (
    ("films", lambda row: f"{row['games']}"),
    ("events right", lambda row: f"{row['matched']} of {row['events']}"),
    ("events untrue", lambda row: f"{row['untrue']}"),
    ("hands paid right", _count("hands_paid_right")),
    ("wrong payouts unasked", _count("wrong_payouts_unasked")),
    ("questions a hand", _number("questions_a_hand")),
    ("work, s for a second of film", _number("cpu_share")),
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
        columns = TROUBLE_COLUMNS if head == "trouble" else COLUMNS
        lines += ["", *_table(head, groups, columns)] if groups else []
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


def _table(
    head: str,
    groups: Iterable[tuple[str, Sequence[Outcome]]],
    columns: Sequence[tuple[str, Text]],
) -> list[str]:
    lines = [
        f"| {head} | " + " | ".join(name for name, _ in columns) + " |",
        "|---" * (len(columns) + 1) + "|",
    ]
    for name, group in groups:
        row = figures(group)
        lines.append(f"| {name} | " + " | ".join(text(row) for _, text in columns) + " |")
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
    return not game.start and not game.clutter and not game.trouble


GROUPINGS: Final[Mapping[str, Callable[[Outcome], str]]] = {
    "grade": lambda game: game.grade if _plain(game) else "",
    "grade, rules": lambda game: f"{game.grade}, {game.rules}" if _plain(game) else "",
    "grade, start": lambda game: f"{game.grade}, {game.start}" if game.start else "",
    "grade, clutter": lambda game: f"{game.grade}, {game.clutter}" if game.clutter else "",
    "trouble": lambda game: game.trouble,
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
        name += f" trouble {game.trouble}" if game.trouble else ""
        for what, events in (("missed", game.missing), ("invented", game.extra)):
            for event in events:
                words = " ".join(f"{key}={value}" for key, value in event.items() if key != "type")
                yield f"- {name}: {what} {event['type']} {words}".rstrip()
        for number, hand in enumerate(game.paid, start=1):
            if hand["true"] != hand["read"]:
                yield f"- {name}: hand {number} paid {hand['read']} instead of {hand['true']}"


def _share(part: float, whole: float) -> float | None:
    return round(part / whole, 5) if whole else None

"""Two runs of decoders over one store, side by side."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from games.intervals import Interval, of_difference, of_ratio
from games.store.hands import CARRIED, COUNTERS, DEALER
from games.store.reading import FilmReading

Of = Callable[[FilmReading], float]
"""What one film adds to a sum."""

SUMS: Final[dict[str, Of]] = {
    "missing": lambda one: len(one.missing),
    "made up": lambda one: len(one.extra),
    "missing + made up": lambda one: one.wrong,
    "paid right": lambda one: one.paid_right,
    "paid wrong, unasked": lambda one: one.paid_wrong_unasked,
    "paid wrong, end not asked": lambda one: one.wrong_unasked,
    "dealers wrong": lambda one: one.evening.wrong(DEALER),
    "counters wrong": lambda one: one.evening.wrong(COUNTERS),
    "points carried wrong": lambda one: one.evening.wrong(CARRIED),
    "standings wrong": lambda one: one.standing_wrong,
    "questions": lambda one: one.questions,
    "readiness wrong": lambda one: one.ready_wrong,
    "told again": lambda one: one.rereads,
    "back in time": lambda one: one.backwards,
    "failed": lambda one: bool(one.error),
}
"""What is counted, by its name in the table."""


@dataclass(frozen=True)
class Run:
    """What one decoder made of the films."""

    about: str
    films: dict[str, FilmReading]
    """By name."""


@dataclass(frozen=True)
class Change:
    """What one film tells otherwise."""

    name: str
    gone: list[str]
    """What only the first decoder tells, each with its mark: right, or made up."""
    new: list[str]
    """What only the second one tells."""


def save_run(path: Path, vision: str, decoder: str, films: Sequence[FilmReading]) -> None:
    kept = {"vision": vision, "decoder": decoder, "films": [one.to_json() for one in films]}
    part = path.with_name(path.name + ".part")
    part.write_text(json.dumps(kept) + "\n", encoding="utf-8")
    part.replace(path)


def load_run(path: Path) -> Run:
    kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    films = [FilmReading(**one) for one in kept["films"]]
    return Run(f"{kept['vision']} {kept['decoder']}", {one.name: one for one in films})


def paired(old: Run, new: Run) -> list[tuple[FilmReading, FilmReading]]:
    """The readings of the films that both runs have, in order of their names."""
    return [(old.films[name], new.films[name]) for name in sorted(old.films) if name in new.films]


def table(pairs: Sequence[tuple[FilmReading, FilmReading]]) -> str:
    """Return a Markdown table for each grade of each group, for each grade and for all films.

    The intervals are of the difference, and of the ratio of times; whole films are resampled.
    """
    groups: dict[str, list[tuple[FilmReading, FilmReading]]] = {}
    for pair in pairs:
        groups.setdefault(f"{pair[0].group}, {pair[0].grade}", []).append(pair)
    if len({one.group for one, _ in pairs}) > 1:
        for grade in sorted({one.grade for one, _ in pairs}):
            groups[f"all, {grade}"] = [pair for pair in pairs if pair[0].grade == grade]
    groups["all"] = list(pairs)
    return "\n\n".join(f"## {name}\n\n{_rows(here)}" for name, here in groups.items())


def _rows(pairs: Sequence[tuple[FilmReading, FilmReading]]) -> str:
    events, hands = (sum(of(one) for one, _ in pairs) for of in (_events, _hands))
    lines = [
        f"{len(pairs)} films, {events} events, {hands} hands",
        "",
        "| | first | second | second - first (95 %) |",
        "|---|---|---|---|",
    ]
    for name, of in SUMS.items():
        olds, news = [of(one) for one, _ in pairs], [of(two) for _, two in pairs]
        if any(olds) or any(news) or name == "missing + made up":
            off = of_difference(olds, news)
            lines.append(f"| {name} | {sum(olds)} | {sum(news)} | {_off(off, olds, news)} |")
    for name, of in (("decoder, s", _decoder_s), ("with following the tiles, s", _cpu_s)):
        olds, news = [of(one) for one, _ in pairs], [of(two) for _, two in pairs]
        ratio = of_ratio(news, olds)
        low, high = ratio or (0.0, 0.0)
        times = f"x {sum(news) / max(sum(olds), 1e-9):.2f} ({low:.2f} to {high:.2f})"
        lines.append(f"| {name} | {sum(olds):.1f} | {sum(news):.1f} | {times} |")
    per = [1000 * sum(map(_decoder_s, side)) / max(1, events) for side in zip(*pairs, strict=True)]
    lines.append(f"| ms an event | {per[0]:.1f} | {per[1]:.1f} | |")
    for name, percent in (("median look, ms", 50), ("p99", 99), ("worst", 100)):
        first, second = (
            np.percentile([ms for one in side for ms in one.look_ms] or [0.0], percent)
            for side in zip(*pairs, strict=True)
        )
        lines.append(f"| {name} | {first:.1f} | {second:.1f} | |")
    return "\n".join(lines)


def _off(interval: Interval | None, olds: Sequence[float], news: Sequence[float]) -> str:
    if interval is None:
        return ""
    return f"{sum(news) - sum(olds):+g} ({interval[0]:+.0f} to {interval[1]:+.0f})"


def changes(pairs: Sequence[tuple[FilmReading, FilmReading]]) -> Iterator[Change]:
    """Yield the films of which the two decoders tell other events, or the same in another order."""
    for old, new in pairs:
        first, second = ([_told(line) for line in one.told] for one in (old, new))
        if first != second or old.error != new.error:
            gone, came = _left(first, second), _left(second, first)
            failed = [one.error.strip().splitlines()[-1] for one in (new,) if one.error]
            yield Change(old.name, gone, [*came, *failed])


def _told(line: dict[str, object]) -> str:
    """An event as it was told, without its time and how sure it was."""
    return json.dumps({key: line[key] for key in sorted(line) if key not in ("t", "confidence")})


def _left(one: Sequence[str], other: Sequence[str]) -> list[str]:
    """What the first has more often than the second."""
    left = list(other)
    found = []
    for text in one:
        if text in left:
            left.remove(text)
        else:
            found.append(text)
    return found


def _events(one: FilmReading) -> int:
    return one.events


def _hands(one: FilmReading) -> int:
    return one.hands


def _decoder_s(one: FilmReading) -> float:
    return one.decoder_s


def _cpu_s(one: FilmReading) -> float:
    return one.cpu_s

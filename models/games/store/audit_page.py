"""The page of what each constant of the decoder changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from games.store.knobs import Knob


@dataclass
class AuditPage:
    """What each constant changes, as a page; an audit goes on with it."""

    every: Sequence[Knob]
    known: dict[str, str]
    """The line of each constant that was turned, at the value that it has."""
    films: set[str]
    """Names of those that were read."""

    @classmethod
    def of(cls, path: Path, every: Sequence[Knob]) -> AuditPage:
        """The page as it is; constants that are gone or have another value are left out."""
        lines = path.read_text("utf-8").splitlines() if path.exists() else []
        values = {_cells(knob): str(knob) for knob in every}
        rows = {tuple(line.split(" | ")[:2]): line for line in lines if line.startswith("| ")}
        known = {values[cells]: line for cells, line in rows.items() if cells in values}
        films = next((line for line in lines if line.endswith(".") and "/" in line), "")
        return cls(every, known, set(filter(None, films.rstrip(".").split(", "))))

    def add(self, knob: Knob, told: Sequence[str], films: Sequence[str]) -> None:
        self.known[str(knob)] = f"{' | '.join((*_cells(knob), *told))} |"
        self.films.update(films)

    def text(self) -> str:
        heads = (
            "# What each constant of the decoder changes",
            "",
            "Each constant was halved and doubled, one at a time, over these stored films or some:",
            f"{', '.join(sorted(self.films))}.",
            f"{len(self.known)} of {len(self.every)} constants are here; what the prices decide is "
            "counted in [PRICES.md](PRICES.md).",
            "`films`: told otherwise, of so many. `wrong`: errors more or less than now.",
            "`-`: the decoder fails with it. `score.py store knobs` makes this page.",
            "",
            "| constant | value | halved: films, wrong | doubled: films, wrong |",
            "|---|---|---|---|",
        )
        known = (self.known[str(knob)] for knob in self.every if str(knob) in self.known)
        return "\n".join((*heads, *known, ""))


def _cells(knob: Knob) -> tuple[str, ...]:
    """How the line of a constant begins."""
    return f"| {knob}", f"{knob.value:g}"

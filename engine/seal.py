"""The seals of a record: a chain of hashes that shows which lines were changed afterwards.

The seal of a line is the first 32 hexadecimal digits of the SHA-256 hash of the seal before it and
the line as it is written without its own seal, in UTF-8 and without a line end. A line that has no
seal is hashed in the same way, so that the first seal also covers all lines before it. Whoever
changes a line must make all later seals anew, and then the last one differs from what was noted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

DIGITS: Final = 32
"""Hexadecimal digits of a seal: nobody finds another line with the same 128 bits."""
_SEALED: Final = re.compile(rf'(\{{.+), "seal": "([0-9a-f]{{{DIGITS}}})"\}}')
_MADE_BY: Final = "made_by"


@dataclass(frozen=True)
class SealedLine:
    """A line of a record file, with what the chain of seals says of it."""

    text: str
    """The line without its seal."""
    seal: str | None
    follows: str
    """The seal that the line should have: it follows from the line before."""

    @property
    def changed(self) -> bool:
        """Whether the seal does not fit: this line or something before it was changed, added or
        removed."""
        return self.seal is not None and self.seal != self.follows

    @property
    def made_by(self) -> Mapping[str, object] | None:
        """The program that writes from this line on, as the line says."""
        if _MADE_BY not in self.text:
            return None
        line = json.loads(self.text)
        made_by = line.get(_MADE_BY) if isinstance(line, dict) else None
        return made_by if isinstance(made_by, dict) else None


def seal_of(before: str, text: str) -> str:
    """The seal of a line after the seal ``before``, which is empty at the first line."""
    return sha256((before + text).encode(errors="replace")).hexdigest()[:DIGITS]


def sealed(before: str, fields: Mapping[str, object]) -> tuple[str, str]:
    """A line that is written after the seal ``before``, without its end; and its own seal."""
    text = json.dumps(fields, ensure_ascii=False)
    seal = seal_of(before, text)
    return f'{text[:-1]}, "seal": "{seal}"}}', seal


def sealed_lines(text: str) -> Iterator[SealedLine]:
    """Each line of a record that is not empty; the record must be one that can be read."""
    before = ""
    for written in text.removeprefix("\ufeff").split("\n"):
        if not (line := written.strip()):
            continue
        parts = _SEALED.fullmatch(line)
        without, seal = (line, None) if parts is None else (parts[1] + "}", parts[2])
        read = SealedLine(without, seal, seal_of(before, without))
        yield read
        before = seal or read.follows


@dataclass(frozen=True)
class SealReport:
    """What the seals of a record say."""

    lines: int
    """Events of the record."""
    first: int | None
    """Number of the first event with a seal; None where no event has one."""
    changed: tuple[int, ...]
    """Events whose seal does not fit, because they or something before them was changed."""
    unsealed: tuple[int, ...]
    """Events without a seal after the first that has one."""
    makers: Mapping[int, Mapping[str, object]]
    """The program that writes from an event on, by the event's number."""
    last: str
    """The seal of the last event, which stands for the whole record."""

    @property
    def whole(self) -> bool:
        """Whether nothing shows that the record was changed; its end may be missing."""
        return self.first is not None and not self.changed and not self.unsealed


def last_seal(text: str) -> str | None:
    """The seal of the last event, which stands for the whole record, in groups of four digits.

    None where that event has none.
    """
    last = None
    for line in sealed_lines(text):
        last = line.seal
    return None if last is None else in_groups(last)


def in_groups(seal: str) -> str:
    """A seal as people read and type it."""
    return " ".join(seal[at : at + 4] for at in range(0, len(seal), 4))


def seals_of(text: str) -> list[str]:
    """The seal of each event, also of those that have none."""
    return [line.seal or line.follows for line in sealed_lines(text)]


def check_seals(text: str) -> SealReport:
    """What the seals of a whole record say; the record must be one that can be read."""
    lines = list(sealed_lines(text))
    have = [number for number, line in enumerate(lines) if line.seal is not None]
    first = have[0] if have else None
    after = () if first is None else range(first, len(lines))
    makers = {number: line.made_by for number, line in enumerate(lines)}
    return SealReport(
        len(lines),
        first,
        tuple(number for number, line in enumerate(lines) if line.changed),
        tuple(number for number in after if lines[number].seal is None),
        {number: made_by for number, made_by in makers.items() if made_by is not None},
        (lines[-1].seal or lines[-1].follows) if lines else "",
    )

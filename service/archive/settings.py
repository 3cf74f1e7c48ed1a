"""How a film of an archive is to be read."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path

from engine.events import Seat
from service.setup.readers import ReaderMaker


@dataclass(frozen=True)
class ReadingSettings:
    """What a person said about a film; equal settings read equally on every machine."""

    rules: str
    out: str
    """The address below which results are stored."""
    table: str | None = None
    """SHA-256 of the table file."""
    own_set: str | None = None
    """SHA-256 of the profile of the tile set."""
    seat0: str | None = None
    first_dealer: Seat | None = None
    mirrored: bool | None = None
    lang: str = "en"

    def to_json(self) -> str:
        return json.dumps(asdict(self), sort_keys=True)

    @property
    def hash(self) -> str:
        """The same in every language: terminals differ in theirs, and a film is read once."""
        return sha256(replace(self, lang="en").to_json().encode()).hexdigest()

    @classmethod
    def of_json(cls, text: str) -> ReadingSettings:
        return cls(**json.loads(text))

    def reader(self, file: Callable[[str], Path]) -> ReaderMaker:
        """What makes the reader; ``file`` returns where a stored file lies, by its hash.

        Raises ``SourceError`` or ``ProfileError`` for a file that cannot be used.
        """
        table = None if self.table is None else file(self.table)
        own_set = None if self.own_set is None else file(self.own_set)
        given = ReaderMaker.of(self.rules, table, self.seat0, own_set, self.mirrored)
        return replace(given.of_recordings(), first_dealer=self.first_dealer)

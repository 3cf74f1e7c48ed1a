"""Names of the players of a film: no camera sees them."""

from __future__ import annotations

from dataclasses import replace

from engine.events import Entry, GameStart
from service.errors import Refused
from service.report.public import LONGEST_NAME

FourNames = tuple[str, ...]
"""The names of seats 0 to 3; an empty one for nobody."""


def players_of(text: str) -> FourNames:
    """Names with commas between them; raises ``Refused``."""
    names = tuple(name.strip() for name in text.split(","))
    if len(names) != 4 or not any(names) or max(map(len, names)) > LONGEST_NAME:
        raise Refused(
            f"--players {text!r}: expected the names of seats 0 to 3, of at most {LONGEST_NAME} "
            "letters, such as Anna,Bo,Chen,Dana; a name may be empty"
        )
    return names


def with_players(line: Entry, players: FourNames | None) -> Entry:
    """A line that starts a game, with the names."""
    if players is None or not isinstance(line.event, GameStart) or line.event.players:
        return line
    return replace(line, event=replace(line.event, players=players))

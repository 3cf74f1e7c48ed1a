"""One event of a game and what it led to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from engine.announce import Announcement
from engine.log import EventInForce
from engine.state import State

if TYPE_CHECKING:
    from engine.rules.base import RuleSet


class PlayedEvent(NamedTuple):
    """One event in force and its effects. Earlier states stay as they were."""

    event: EventInForce
    rules: RuleSet | None
    """The rule set of the game that the event belongs to."""
    state: State
    announcements: tuple[Announcement, ...]


class Replay(Protocol):
    """What has been played so far; a ``Game`` is one."""

    @property
    def played(self) -> Sequence[PlayedEvent]:
        """Every event in force with its effects, in the order of play."""
        ...

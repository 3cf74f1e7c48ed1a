"""One way of telling a game: events that the engine has taken, and how well they fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from engine.announce import Problem
from engine.events import Discard, Draw, DrawnHand, Entry, Event, GameStart, HandStart, Seat
from engine.rules.base import RuleSet
from engine.state import EAST, Phase, State
from engine.tiles import UNKNOWN
from vision.telling.row import SharedRow

IRREGULAR: Final = 3.0
"""What a broken rule costs: people break rules, but a misreading is likelier."""
COSTS: Final = {"not_a_win": 6.0, "not_ready": 5.0, "false_ready": 5.0, "wrong_tile_count": 5.0}
WINDS_READ: Final = 2
"""So many of four first discards are read as one wind where the others may be it too."""
LAST_DRAWS: Final = 12
"""At most so many draws are supplied before a drawn hand."""


@dataclass(frozen=True)
class Told:
    """One event of a story."""

    event: Event
    time_s: float
    cause: int
    """Number of the happening that it explains."""
    sure: float = 1.0
    """How sure the faces in it are, 0..1."""
    tile: int | None = None
    """Id of the tile that alone shows its face: a discard, an indicator."""
    price: float = 0.0
    """What that face has cost."""
    flaws: float = 0.0
    """What the rules that it breaks have cost."""
    settled: bool = False
    """A person said that it was so: its face stays."""
    supplied: bool = False
    """Nobody saw it: what lies on the table and the rules leave nothing else."""
    read_in_row: bool = False
    """A hand that lies open shows it."""


@dataclass(frozen=True)
class Story:
    """Events with the states between them; lower cost fits better."""

    rules: RuleSet
    state: State
    told: SharedRow[Told] = field(default_factory=SharedRow)
    before: SharedRow[State] = field(default_factory=SharedRow, repr=False)
    """The state before each event."""
    cost: float = 0.0
    last_tile: int | None = None
    """Id of the tile that was discarded last."""
    turned: tuple[int, ...] = ()
    """Ids of the tiles of this hand that were turned up as indicators."""
    heap: tuple[tuple[int, ...], ...] = ()
    """Ids of the discards of the position that was joined, in its order."""
    undone: int = 0
    """How many events players took back."""
    first_dealer: int | None = None
    """Who dealt the first hand of the game, where a person said so."""

    def then(
        self, event: Event, time_s: float, cause: int, cost: float = 0.0, sure: float = 1.0
    ) -> Story | None:
        """The story with one more event; None if the engine holds it for impossible."""
        return self.telling(Told(event, time_s, cause, sure), cost)

    def telling(self, told: Told, cost: float = 0.0) -> Story | None:
        """The same, with all that is known of how it is told."""
        event = told.event
        number = len(self.told)
        step = self.rules.attempt(self.state, Entry(event, t=told.time_s), number)
        if step is None:
            return None
        whole, before = self.told, self.before
        if isinstance(event, HandStart):
            whole, before = whole.hand_over(), before.hand_over()
        problems = [said for said in step.announcements if isinstance(said, Problem)]
        flaws = sum(COSTS.get(problem.code, IRREGULAR) for problem in problems)
        return replace(
            self,
            state=step.state,
            told=whole.and_then(replace(told, flaws=flaws) if flaws != told.flaws else told),
            before=before.and_then(self.state),
            cost=self.cost + cost + flaws,
            last_tile=None,
            turned=() if isinstance(event, HandStart) else self.turned,
        )

    def begun(self, time_s: float, cause: int) -> Story:
        """The story with a game begun."""
        start = GameStart(self.rules.id, first_dealer=self.first_dealer)
        story = self.then(start, time_s, cause)
        assert story is not None, "a game may always start"
        return story

    def first_hand(self, dealer: int, deposits: int | None = None) -> HandStart:
        """How the first hand of the record begins.

        Without a round its dealer is the first of the game. Where somebody said that another seat
        was, a round has to be named, and nobody knows better than that it is the first.
        """
        joined = self.first_dealer not in (None, dealer)
        return HandStart(dealer, EAST if joined else None, deposits=deposits)

    def all(
        self, events: Sequence[Event], time_s: float, cause: int, cost: float = 0.0
    ) -> Story | None:
        story: Story | None = replace(self, cost=self.cost + cost)
        for event in events:
            story = story.then(event, time_s, cause) if story is not None else None
        return story

    def discards_until(self, seat: Seat) -> list[Discard]:
        """One discard that nobody saw of each player who acts before this seat does."""
        turn, missed = self.state.turn, list[Discard]()
        while turn != seat and len(missed) < 3:
            missed.append(Discard(turn, UNKNOWN))
            turn = self.rules.next_seat(self.state, turn)
        return missed

    def unchanged(self, cost: float) -> Story:
        return replace(self, cost=self.cost + cost)

    def holding(self, tile: int) -> Story:
        """The story, with the id of the tile that was discarded last."""
        return replace(self, last_tile=tile)

    def turning(self, tile: int) -> Story:
        """The story, with the id of a tile that was turned up as an indicator."""
        return replace(self, turned=(*self.turned, tile))

    def changed(self, place: int, event: Event, time_s: float | None = None) -> Story | None:
        """The story with another event at one place; None if what follows becomes impossible."""
        was = self.told[place]
        moment = was.time_s if time_s is None else time_s
        return self.retold(place, replace(was, event=event, time_s=moment))

    def retold(self, place: int, new: Told) -> Story | None:
        """The same, with all that is known of how it is told."""
        was = self.told[place]
        if was.settled and _face(new.event) != _face(was.event):
            return None
        story: Story | None = replace(
            self,
            state=self.before[place],
            told=self.told.until(place),
            before=self.before.until(place),
            cost=self.cost + new.price - was.price - sum(t.flaws for t in self.told[place:]),
        )
        for at, told in enumerate(self.told[place:], start=place):
            if story is None:
                return None
            story = story.telling(new if at == place else told)
        return None if story is None else replace(story, last_tile=self.last_tile)

    def replaced(self, cause: int, events: Sequence[Event], time_s: float) -> Story | None:
        """The story with these events for a happening, for good; None if that cannot be."""
        kept = [told for told in self.told if told.cause != cause]
        first = next((at for at, told in enumerate(self.told) if told.cause >= cause), len(kept))
        # What was known of each tile still is.
        was = [told for told in self.told if told.cause == cause]
        new = [self._said(event, was, cause, time_s) for event in events]
        gone = sum(told.price + told.flaws for told in was)
        gone += sum(told.flaws for told in kept[first:])
        story: Story | None = replace(
            self,
            state=self.before[first] if first < len(self.told) else self.state,
            told=self.told.until(first),
            before=self.before.until(first),
            cost=self.cost - gone,
        )
        for told in (*new, *kept[first:]):
            story = story.telling(told) if story is not None else None
        return None if story is None else replace(story, last_tile=self.last_tile)

    @staticmethod
    def _said(event: Event, was: Sequence[Told], cause: int, time_s: float) -> Told:
        alike = next((told for told in was if type(told.event) is type(event)), None)
        for told in was:
            if type(told.event) is type(event) and _seat(told.event) == _seat(event):
                alike = told
        if alike is None:
            return Told(event, time_s, cause, settled=True)
        return replace(alike, event=event, sure=1.0, price=0.0, settled=True)

    def drawn_out(self, time_s: float, cause: int) -> Story | None:
        """The story with the last draws that nobody claimed a win with, and the drawn hand.

        A draw that the rules call before the wall is used up needs no more draws.
        """
        story: Story | None = self
        for _ in range(LAST_DRAWS):
            if story is None or story.state.phase is not Phase.TO_DRAW:
                break
            for event in self.rules.legal(story.state):
                if isinstance(event, DrawnHand) and _is_shown(event, story.state):
                    return story.then(event, time_s, cause)
            story = story.then(Draw(story.state.turn, UNKNOWN), time_s, cause)
            if story is not None and story.state.phase is Phase.TO_DISCARD:
                return None  # the wall is not used up
        return None


def _is_shown(drawn: DrawnHand, state: State) -> bool:
    """Whether what was read speaks for a draw: the rules allow it as well where nothing was."""
    thrown = [discard.tile for player in state.players for discard in player.river]
    return drawn.reason != "four_winds" or sum(tile.known for tile in thrown) >= WINDS_READ


def _seat(event: Event) -> object:
    return getattr(event, "seat", None)


def _face(event: Event) -> object:
    return getattr(event, "tile", None)


def some(*stories: Story | None) -> Iterator[Story]:
    """Those that there are."""
    yield from (story for story in stories if story is not None)

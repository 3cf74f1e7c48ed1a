"""The decisions of one seat in a record, as questions: what would you do?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from engine.announce import Hint, HintClaim, HintDiscard, Outlook, Turn
from engine.events import Chow, Claim, Discard, Draw, Event, Kong, Pung, Seat, Win
from engine.rules import RULE_SETS
from engine.state import Phase, SetKind, State
from engine.stories import GameStory, StoryEvent, happened_in
from engine.tiles import COPIES, Tile

LEAST_KINDS: Final = 2
"""A hand of one kind leaves no decision."""
PASS: Final = "pass"
WIN: Final = "win"
_FAR: Final = 99
"""Stands for a hand that never becomes ready."""


@dataclass(frozen=True)
class Decision:
    """A decision of a seat whose hand is known, and its alternatives."""

    step: int
    """Index among the events in force: of the seat's move, or of the discard that was offered."""
    before: State
    played: Event | None
    """None where the seat passed, or another seat got the discard."""
    claims: tuple[Claim, ...] = ()
    wins: bool = False
    """Whether the tile completed the hand."""
    own_turn: bool = True
    """On its own turn the seat discards; otherwise it may pass."""
    gone: bool = False
    """Another seat got the discard, so this seat's choice is not known."""

    def offers(self) -> dict[str, Claim | None]:
        """Choices other than a discard, by name; None is a win."""
        found: dict[str, Claim | None] = {WIN: None} if self.wins else {}
        return found | {str(place): claim for place, claim in enumerate(self.claims)}

    @property
    def name(self) -> str | None:
        """The name of the choice that was made; None where it is not known."""
        match self.played:
            case None:
                return None if self.gone else PASS
            case Discard(tile=tile):
                return str(tile)
            case Win():
                return WIN
        return self.name_of(self.played)

    def name_of(self, event: Event) -> str | None:
        """The name of a set's choice, whatever the order of its tiles."""
        offers = self.offers().items()
        return next((name for name, claim in offers if claim and _alike_sets(claim, event)), None)


def decisions(
    games: Sequence[GameStory], seat: Seat, whose: str | None = None, since: int = 0
) -> list[Decision]:
    """The decisions of one seat in order of play, except those after it was ready.

    ``whose``: only where a player of this name sat there; None: of all who did. ``since``: only of
    hands that began with this line of the record or later.
    """
    events = happened_in(games)
    return [
        decision
        for at in range(1, len(events))
        for decision in (_own_move(events, at, seat), _offered(events, at, seat))
        if decision is not None and whose in (None, decision.before.names[seat])
        if since == 0 or _hand_line(decision.before) >= since
    ]


@dataclass(frozen=True)
class Shortfall:
    """How a choice falls short of the best: by steps to ready, or by tiles to wait for."""

    by: Literal["win", "never", "steps", "tiles", "waits", "no_step"]
    steps: int | None = None
    left: int | None = None
    """Tiles that the choice waits for or improves by."""
    best: int | None = None
    """Those of the best choice."""


@dataclass(frozen=True)
class Mistake:
    """A choice that a seat made, and what it cost by the same measure as a hint."""

    decision: Decision
    behind: Shortfall
    """How it fell short."""
    cost: tuple[int, int]
    """Greater is worse: a win or readiness given up, steps, then tiles."""


def _hand_line(state: State) -> int:
    """The line with which the hand began; before every line where the record joined it later."""
    lines = state.history.entries
    return lines[0][0] if lines else -1


def mistakes(
    games: Sequence[GameStory], seat: Seat, whose: str | None = None, since: int = 0
) -> list[Mistake]:
    """The choices of one seat that fell short of the best, the dearest first; ``whose`` and
    ``since`` as for ``decisions``.

    A decision takes up to a tenth of a second.
    """
    return mistakes_among(decisions(games, seat, whose, since), seat)


def mistakes_among(made: Iterable[Decision], seat: Seat) -> list[Mistake]:
    """Those of one seat's decisions that fell short of the best, the dearest first."""
    found = []
    for decision in made:
        # Whether to claim a set is a matter of style: a hint only counts how near it brings.
        if decision.name is None or not (decision.own_turn or decision.wins):
            continue
        hint = RULE_SETS[decision.before.rules].hint(decision.before, seat)
        short = shortfall(decision, hint, decision.name, best_choices(decision, hint))
        if short is not None and short.by != "no_step":
            found.append(Mistake(decision, short, _cost(short)))
    return sorted(found, key=lambda one: one.cost, reverse=True)


def _own_move(events: Sequence[StoryEvent], at: int, seat: Seat) -> Decision | None:
    """The decision of a discard, a kong or a win by own draw."""
    before, after = events[at - 1], events[at]
    event, state = after.entry.event, before.state
    own = isinstance(event, Discard | Kong | Win) and event.seat == seat
    if not own or not _decides(state, seat) or not _was_taken(after):
        return None
    drawn = state.players[seat].drawn
    earlier = events[at - 2].state if at > 1 and isinstance(before.entry.event, Draw) else None
    wins = earlier is not None and drawn is not None and _completes(earlier, seat, drawn)
    return Decision(at, state, event, _kongs(state, seat), wins)


def _offered(events: Sequence[StoryEvent], at: int, seat: Seat) -> Decision | None:
    """The decision about another seat's discard."""
    here = events[at]
    event, state = here.entry.event, here.state
    if not isinstance(event, Discard) or event.seat == seat or at + 1 == len(events):
        return None
    player = state.players[seat]
    if state.phase is not Phase.TO_DRAW or not player.known or player.ready or not _was_taken(here):
        return None
    claims, wins = _claims(here, seat), _completes(state, seat, event.tile)
    if not claims and not wins:
        return None
    takers = list(_takers(events, at))
    own = next((taker for taker in takers if taker.seat == seat), None)
    gone = own is None and bool(takers)
    return Decision(at, state, own, claims, wins, own_turn=False, gone=gone)


def _takers(events: Sequence[StoryEvent], at: int) -> Iterator[Claim | Win]:
    """The events that took the discard: one claim, or several wins."""
    for happened in events[at + 1 :]:
        event = happened.entry.event
        if not isinstance(event, Chow | Pung | Kong | Win) or not _was_taken(happened):
            return
        if event.from_seat is None or event.from_seat == event.seat:
            return
        yield event
        if not isinstance(event, Win):
            return


def _claims(happened: StoryEvent, seat: Seat) -> tuple[Claim, ...]:
    """The claims that the seat could have made."""
    turns = (announcement for announcement in happened.said if isinstance(announcement, Turn))
    return tuple(claim for turn in turns for claim in turn.claims if claim.seat == seat)


def _kongs(state: State, seat: Seat) -> tuple[Claim, ...]:
    """The kongs that the rules allow on the seat's own turn."""
    player = state.players[seat]
    kinds = Counter(tile.kind for tile in player.hand)
    added = {meld.tiles[0].kind for meld in player.melds if meld.kind is SetKind.PUNG}
    if max(kinds.values()) < COPIES and not added & set(kinds):
        return ()
    hint = RULE_SETS[state.rules].hint(state, seat)
    return tuple(row.claim for row in hint.claims if not row.forbidden)


def _completes(state: State, seat: Seat, tile: Tile) -> bool:
    waits = RULE_SETS[state.rules].waits(state, seat) or ()
    return any(wait.tile.kind == tile.kind and not wait.refused for wait in waits)


def best_choices(decision: Decision, hint: Hint) -> list[str]:
    """The names of the best choices, as far as hints tell."""
    if decision.wins:
        return [WIN]
    ranked: dict[str, tuple[int, ...]] = {}
    first = hint.discards[0] if hint.discards else None
    for row in hint.discards:
        if first is not None and _alike(row, first):
            ranked[str(row.tile)] = (_steps(row.distance), 0)
    if not decision.own_turn:
        if hint.now is None:
            return []
        ranked[PASS] = (_steps(hint.now.distance), 0)
    for claim in hint.claims:
        name = decision.name_of(claim.claim)
        if name is not None and not claim.forbidden:
            # A set is declared for a step ahead, not for its own sake.
            ranked[name] = (_steps(claim.distance), 1, -claim.left)
    least = min(ranked.values(), default=())
    return [name for name, rank in ranked.items() if rank == least]


def shortfall(decision: Decision, hint: Hint, chosen: str, best: Sequence[str]) -> Shortfall | None:
    """How a choice falls short of the best ones; None where it does not, or hints do not tell."""
    if not best or any(alike_named(chosen, one) for one in best):
        return None
    if best == [WIN]:
        return Shortfall("win")
    mine, theirs = (outlook_of(decision, hint, name) for name in (chosen, best[0]))
    if mine is None or theirs is None:
        return None
    if mine.distance is None:
        return Shortfall("never")
    steps = mine.distance - _steps(theirs.distance)
    if steps > 0:
        return Shortfall("steps", steps=steps)
    if steps == 0 and mine.left < theirs.left:
        kind: Literal["tiles", "waits"] = "tiles" if mine.distance else "waits"
        return Shortfall(kind, left=mine.left, best=theirs.left)
    return Shortfall("no_step")


def _cost(short: Shortfall) -> tuple[int, int]:
    match short:
        case Shortfall("win"):
            return 4, 0
        case Shortfall("never"):
            return 3, 0
        case Shortfall("steps", steps=int(steps)):
            return 2, steps
        case Shortfall("waits", left=int(left), best=int(best)):
            return 1, best - left
        case Shortfall(left=int(left), best=int(best)):
            return 0, best - left
    return 0, 0


def outlook_of(
    decision: Decision, hint: Hint, name: str
) -> HintDiscard | HintClaim | Outlook | None:
    """The state of the hand after a choice; None where hints do not tell."""
    if name == PASS:
        return hint.now
    for row in hint.discards:
        if alike_named(str(row.tile), name):
            return row
    return next((claim for claim in hint.claims if decision.name_of(claim.claim) == name), None)


def _steps(distance: int | None) -> int:
    return _FAR if distance is None else distance


def _decides(state: State, seat: Seat) -> bool:
    player = state.players[seat]
    kinds = {tile.kind for tile in player.hand}
    return (
        state.phase is Phase.TO_DISCARD
        and state.turn == seat
        and player.known
        and not player.ready
        and len(kinds) >= LEAST_KINDS
    )


def _was_taken(happened: StoryEvent) -> bool:
    """Whether the move was taken into the hand."""
    entries = happened.state.history.entries
    return bool(entries) and entries[-1][1].event == happened.entry.event


def _alike_sets(one: Claim, other: Event) -> bool:
    if isinstance(one, Kong):
        if not isinstance(other, Kong):
            return False
        return (one.kind, one.tile.kind) == (other.kind, other.tile.kind)
    if not isinstance(other, Chow | Pung) or type(one) is not type(other):
        return False
    return one.tile == other.tile and sorted(one.own) == sorted(other.own)


def _alike(one: HintDiscard, other: HintDiscard) -> bool:
    waits = [
        sum(wait.left for wait in discard.waits if not wait.refused) for discard in (one, other)
    ]
    return one.distance == other.distance and one.left == other.left and waits[0] == waits[1]


def alike_named(one: str, other: str) -> bool:
    """Whether two choices are the same; a red five equals a plain one."""
    return one == other or one.replace("0", "5") == other.replace("0", "5") != "5"

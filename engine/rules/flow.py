"""The way of one event through any rule set: can it be, may it be, what does it do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, assert_never

from engine import play
from engine.announce import (
    Announcement,
    GameResult,
    HandResult,
    Item,
    NotReady,
    Payout,
    Problem,
    Ready,
    Turn,
    Wait,
)
from engine.events import (
    Chow,
    Claim,
    Correct,
    Deal,
    Dice,
    Discard,
    Draw,
    DrawnHand,
    Entry,
    Event,
    Foul,
    GameEnd,
    GameStart,
    HandEnd,
    HandStart,
    Indicator,
    Kong,
    Position,
    Pung,
    Reveal,
    Seat,
    Win,
)
from engine.play import IllegalEvent, with_player
from engine.rules.base import Option, Ruling, Step
from engine.rules.regular import regular_claims, regular_events
from engine.seen import seen_by, too_many
from engine.state import Phase, State
from engine.tiles import UNKNOWN, Tile

IMPOSSIBLE: Final[Mapping[str, str]] = {
    "out_of_turn": "record, impossible events",
    "fifth_copy": "record, impossible events",
    "tile_not_held": "record, impossible events",
    "nothing_to_claim": "record, impossible events",
    "hand_over": "record, impossible events",
    "contradicts": "record, impossible events",
}
"""Codes of what cannot be; they mean the same in every rule set."""

PEOPLE_DECIDE: Final = Ruling("record, codes of problems", "people_decide")
"""For what a person rules and the rule set does not speak of."""

Fault = tuple[str, Mapping[str, object]]
"""A code and what its sentence names."""

Said = list[Announcement]
_NOBODY: Final = (0, 0, 0, 0)


class Flow(ABC):
    """What all rule sets do alike; a rule set gives the values and the functions below."""

    id: str
    title: str
    source: str
    wall: Mapping[Tile, int]
    hand_size: int = 13
    options: Sequence[Option] = ()
    problems: Mapping[str, Ruling]
    carried: Sequence[str] = ("dealer",)
    """Fields of ``hand_start`` that follow from the hand before."""
    indicator_kinds: frozenset[str] = frozenset()
    drawn_reasons: frozenset[str] = frozenset({"exhausted"})
    start_points: int = 0

    ready_by_discard: bool = True
    """Readiness may be claimed with a discard."""

    # --- what a rule set says ---

    @property
    @abstractmethod
    def payments(self) -> Sequence[str]:
        """Names of the rows of the payment table."""

    @abstractmethod
    def may_win(self, state: State, seat: Seat) -> bool:
        """Whether a win of this seat is worth a closer look; a quick test."""

    def in_doubt(self, state: State, win: Win) -> bool:
        """Whether a win stands only as long as something that is not known speaks for it."""
        return False

    @abstractmethod
    def claim_rank(self, state: State, event: Claim | Win) -> int:
        """Precedence of a claim of the last discard; 0 for one that the rules do not allow."""

    @abstractmethod
    def faults(self, state: State, event: Event) -> tuple[Fault, ...]:
        """Rules that the event breaks, judged before it is taken, draws supplied."""

    @abstractmethod
    def last_turn(self, state: State) -> bool:
        """Whether a draw now is one of the last that are not followed by a discard."""

    @abstractmethod
    def wall_used_up(self, state: State) -> bool:
        """Whether nobody may draw any more."""

    @abstractmethod
    def missing(self, state: State, seat: Seat) -> tuple[str, ...] | None:
        """What a claim of being ready lacks; empty when it is good, None when it cannot be told."""

    @abstractmethod
    def waits(self, state: State, seat: Seat) -> tuple[Wait, ...] | None: ...

    @abstractmethod
    def problems_of_win(self, state: State, win: Win) -> tuple[Problem, ...]: ...

    @abstractmethod
    def settle(self, state: State, wins: Sequence[Win]) -> Payout: ...

    @abstractmethod
    def next_hand(self, state: State) -> HandResult: ...

    def tiles(self, options: Mapping[str, object]) -> Mapping[Tile, int]:
        return self.wall

    def wild(self, state: State) -> frozenset[Tile]:
        return frozenset()

    def sees_indicators(self, state: State, seat: Seat | None) -> bool:
        """Whether this seat (None: everybody) may know the indicator."""
        return True

    def legal(self, state: State) -> tuple[Event, ...]:
        return regular_events(self, state)

    # --- one event ---

    def apply(self, state: State, entry: Entry, number: int) -> Step:
        """Take one event; irregular ones are taken and flagged, impossible ones only flagged."""
        try:
            after, said = self._take(state, entry, number)
        except IllegalEvent as illegal:
            return Step(state, (self._impossible(state, entry, number, illegal),), taken=False)
        return Step(after, tuple(said))

    def _impossible(
        self, state: State, entry: Entry, number: int, illegal: IllegalEvent
    ) -> Problem:
        ways: list[tuple[Entry, ...]] = []
        for events in illegal.suggestions:
            way = tuple(replace(entry, event=event, confidence=None) for event in events)
            if way not in ways and self._possible(state, way, number):
                ways.append(way)
        return Problem(
            illegal.code,
            illegal.seat,
            True,
            IMPOSSIBLE[illegal.code],
            illegal.follows,
            tuple(ways[:4]),
            illegal.values or None,
        )

    def _possible(self, state: State, way: Sequence[Entry], number: int) -> bool:
        for entry in way:
            try:
                state, _ = self._take(state, entry, number)
            except IllegalEvent:
                return False
        return True

    def _take(self, state: State, entry: Entry, number: int) -> tuple[State, Said]:
        event = entry.event
        match event:
            case GameStart():
                return self._start_game(event), []
            case Correct():
                return state, []
            case HandStart() | GameEnd() if state.phase is Phase.SETTLED:
                # The camera sees no "hand_end": what comes next says that the hand is over.
                state, said = self._end_hand(state)
                after, more = self._take(state, entry, number)
                return after, said + more
            case HandStart():
                return self._start_hand(state, entry, event, number)
            case GameEnd():
                return self._end_game(state)
            case HandEnd():
                return self._end_hand(state)
            case _:
                pass
        self._check_phase(state, event)
        before, after, said = self._play(state, event, number)
        if after is before:
            return state, said
        self._check_copies(after, event)
        return replace(after, history=(*after.history, (number, entry))), said

    def _check_phase(self, state: State, event: Event) -> None:
        """Raise ``IllegalEvent`` for what cannot be outside a hand, or after it has ended."""
        seat: Seat | None = getattr(event, "seat", None)
        match state.phase:
            case Phase.BEFORE_GAME | Phase.AFTER_GAME | Phase.BEFORE_HAND:
                if not isinstance(event, Dice | Foul):
                    raise IllegalEvent("hand_over", seat, "start_hand", [(HandStart(), event)])
            case Phase.SETTLED:
                after = Reveal | Indicator | Foul | Dice | Win
                claim = isinstance(event, Chow | Pung | Kong) and state.contested is not None
                if not isinstance(event, after) and not claim:
                    again = [(HandEnd(), HandStart(), event)]
                    raise IllegalEvent("hand_over", seat, "end_hand", again)
            case _:
                pass

    def _play(self, state: State, event: Event, number: int) -> tuple[State, State, Said]:
        """Take an event of play; answers the state it came to, the next one, what is said."""
        match event:
            case Deal():
                after = play.deal(state, event, self.hand_size)
                return state, after, self._said_ready(after, event.seat)
            case Position():
                total = sum(self.tiles(state.options).values())
                after = play.position(state, event, number, total, self.hand_size)
                said = [ready for seat in range(4) for ready in self._said_ready(after, seat)]
                return state, after, [*said, *self._said_turn(after)]
            case Indicator():
                return self._indicate(state, event)
            case Dice():
                return state, replace(state, dice=event.values), []
            case Draw():
                state = self._supply(state, event.seat, drawing=True)
                return state, self._draw(state, event), []
            case Discard():
                return self._discard(state, event, number)
            case Chow() | Pung() | Kong():
                return self._claim(state, event, number)
            case Win():
                return self._win(state, event, number)
            case Reveal():
                return self._reveal(state, event)
            case DrawnHand():
                return self._drawn_hand(state, event)
            case Foul():
                return state, self._foul(state, event), [self.fault(event.offence, event.seat)]
            case GameStart() | HandStart() | HandEnd() | GameEnd() | Correct():
                raise AssertionError("taken before")
            case _:
                assert_never(event)

    # --- games and hands ---

    def _start_game(self, event: GameStart) -> State:
        return State(
            rules=self.id,
            options={
                option.name: event.options.get(option.name, option.default)
                for option in self.options
            },
            names=event.players or ("", "", "", ""),
            phase=Phase.BEFORE_HAND,
            points=event.points or (self.points_at_start(event),) * 4,
        )

    def points_at_start(self, event: GameStart) -> int:
        return self.start_points

    def _start_hand(
        self, state: State, entry: Entry, event: HandStart, number: int
    ) -> tuple[State, Said]:
        if state.phase is not Phase.BEFORE_HAND:
            follows = "hand_running" if state.phase in play.IN_PLAY else "start_game"
            raise IllegalEvent("contradicts", None, follows)
        if state.hand_number:
            wrong = {
                name: getattr(state, name)
                for name in self.carried
                if getattr(event, name) not in (None, getattr(state, name))
            }
            if wrong:
                right: Event = replace(event, **dict.fromkeys(wrong))
                raise IllegalEvent("contradicts", None, "other_hand_follows", [(right,)], **wrong)
        total = sum(self.tiles(state.options).values())
        state = play.start_hand(state, event, total, self.hand_size)
        return replace(state, history=((number, entry),)), [*self._said_turn(state)]

    def _end_hand(self, state: State) -> tuple[State, Said]:
        ended = state.phase is Phase.SETTLED or any(p.irregular for p in state.players)
        if state.phase not in (*play.IN_PLAY, Phase.SETTLED) or not ended:
            running = state.phase in play.IN_PLAY
            raise IllegalEvent(
                "contradicts" if running else "hand_over",
                None,
                "no_result" if running else "start_hand",
                [(DrawnHand("exhausted"), HandEnd())] if running else [()],
            )
        result = self.next_hand(state)
        after = replace(
            state,
            phase=Phase.BEFORE_HAND,
            dealer=result.dealer,
            round=result.round,
            honba=result.honba,
            staying=result.staying,
            last_discard=None,
            contested=None,
        )
        return after, [result]

    def _end_game(self, state: State) -> tuple[State, Said]:
        if state.phase in (Phase.BEFORE_GAME, Phase.AFTER_GAME):
            raise IllegalEvent("contradicts", None, "start_game", [()])
        places = tuple(1 + sum(other > own for other in state.points) for own in state.points)
        return replace(state, phase=Phase.AFTER_GAME), [GameResult(state.points, places)]

    def _check_copies(self, after: State, event: Event) -> None:
        wall = self.tiles(after.options)
        tile = too_many(after, wall)
        if tile is None:
            return
        seat: Seat | None = getattr(event, "seat", None)
        named = getattr(event, "tile", None)
        ways: list[play.Suggestion] = []
        if isinstance(event, Discard | Draw | Indicator | Win) and named is not None:
            ways = [
                (replace(event, tile=other),)
                for other in (*_similar(named, wall)[:8], UNKNOWN)
                if not (other == UNKNOWN and isinstance(event, Win))
            ]
        elif isinstance(event, Deal | Reveal):
            known = tuple(UNKNOWN if each == tile else each for each in event.tiles)
            ways = [(replace(event, tiles=known),)]
        copies = wall.get(tile, 0)
        raise IllegalEvent("fifth_copy", seat, "misread", ways, tile=tile, copies=copies)

    # --- turns ---

    def _supply(self, state: State, seat: Seat, *, drawing: bool = False) -> State:
        """Draws that nobody saw and that must have happened before this seat acts.

        In the last turn every seat draws without discarding, so several may have been missed.
        ``drawing``: the seat's own draw is the event itself.
        """
        if state.phase is not Phase.TO_DRAW:
            return state
        missed = (seat - state.turn) % 4
        if missed and (not self.last_turn(state) or state.players[seat].holds_extra):
            return state
        for _ in range(missed if drawing else missed + 1):
            state = self._draw(state, Draw(state.turn, UNKNOWN))
        return state

    def _draw(self, state: State, event: Draw) -> State:
        if state.phase is Phase.TO_DRAW and self.wall_used_up(state):
            raise IllegalEvent("hand_over", event.seat, "wall_empty", [(DrawnHand("exhausted"),)])
        last = self.last_turn(state)
        after = play.draw(state, event)
        if last:
            after = replace(after, phase=Phase.TO_DRAW, turn=(event.seat + 1) % 4)
        return after

    def _discard(self, state: State, event: Discard, number: int) -> tuple[State, State, Said]:
        state = self._supply(state, event.seat)
        player = state.players[event.seat]
        if state.phase is Phase.TO_DRAW and player.holds_extra:
            return self._discard_in_last_turn(state, event, number)
        try:
            after = play.discard(state, event, number)
        except IllegalEvent as illegal:
            if illegal.code == "tile_not_held":
                held = _similar(event.tile, dict.fromkeys(player.hand, 1))
                illegal.suggestions += tuple((replace(event, tile=tile),) for tile in held)
            raise
        said = self._faults(state, event, event.seat)
        # A hand claimed ready with a chow or pung is what is left after the discard that follows.
        settles = player.ready and player.drawn is None and player.known
        after, more = self._after_change(after, event.seat, claimed=event.ready or settles)
        return state, after, [*said, *more, *self._said_turn(after)]

    def _discard_in_last_turn(
        self, state: State, event: Discard, number: int
    ) -> tuple[State, State, Said]:
        turn = state.turn
        open_turn = replace(state, phase=Phase.TO_DISCARD, turn=event.seat)
        after = replace(play.discard(open_turn, event, number), last_discard=None, turn=turn)
        return state, after, [self.fault("no_discard_now", event.seat)]

    def _claim(self, state: State, event: Claim, number: int) -> tuple[State, State, Said]:
        if isinstance(event, Kong) and event.kind != "open":
            return self._own_kong(state, event, number)
        pending = state.contested
        if pending is not None and _same_tile(pending, event):
            return self._contest(state, pending, event, number)
        after = play.claim(state, event)
        said = self._faults(state, event, event.seat)
        after = replace(after, contested=replace(state, contested=None))
        ready = not isinstance(event, Kong) and event.ready
        after, more = self._after_change(after, event.seat, claimed=ready)
        return state, after, [*said, *more, *self._said_turn(after)]

    def _own_kong(self, state: State, event: Kong, number: int) -> tuple[State, State, Said]:
        state = self._supply(state, event.seat)
        player = state.players[event.seat]
        before = state
        if state.phase is Phase.TO_DRAW and player.holds_extra:
            before = replace(state, phase=Phase.TO_DISCARD, turn=event.seat)
        after = play.own_kong(before, event, number)
        said = self._faults(state, event, event.seat)
        return state, after, [*said, *self._said_turn(after)]

    def _contest(
        self, state: State, pending: State, event: Claim | Win, number: int
    ) -> tuple[State, State, Said]:
        """A second claim of one tile: the one with precedence is taken, the other flagged."""
        held_number, holder = _holder(state)
        # What cannot be is impossible, whoever was first, and a refused win displaces nobody.
        if isinstance(event, Win):
            won = play.win(pending, event, self.hand_size)
            refused = self.problems_of_win(won, event)
            if refused:
                return self._refuse(state, won, event, refused)
        else:
            play.claim(pending, event)
        if self._precedence(pending, event) <= self._precedence(pending, holder):
            return state, state, [self.fault("outranked", event.seat, {"event": number})]
        points = tuple(own - moved for own, moved in zip(state.points, state.paid, strict=True))
        pending = replace(pending, points=points)
        if isinstance(event, Win):
            _, after, said = self._win(pending, event, number)
        else:
            _, after, said = self._claim(pending, event, number)
        flag = self.fault("outranked", holder.seat, {"event": held_number})
        return state, after, [flag, *self._moved_back(state), *said]

    def _moved_back(self, state: State) -> Said:
        if state.paid == _NOBODY:
            return []
        deltas = tuple(-value for value in state.paid)
        points = tuple(p + d for p, d in zip(state.points, deltas, strict=True))
        return [
            Payout(
                None, deltas, points, (Item("taken_back", sum(map(abs, deltas)) // 2, "points"),)
            )
        ]

    def _precedence(self, state: State, event: Claim | Win) -> tuple[int, int]:
        last = state.last_discard
        assert last is not None, "only a discard is contested"
        return self.claim_rank(state, event), -((event.seat - last.seat) % 4)

    # --- results ---

    def _win(self, state: State, event: Win, number: int) -> tuple[State, State, Said]:
        pending = state.contested
        if event.from_seat != event.seat and pending is not None and _same_tile(pending, event):
            return self._contest(state, pending, event, number)
        if state.phase is Phase.SETTLED:
            raise IllegalEvent("hand_over", event.seat, "end_hand", [()])
        if event.from_seat == event.seat:
            state = self._supply(state, event.seat)
        if _robs_other_kong(state, event):
            return self._refuse(state, state, event, (self.fault("no_robbing", event.seat),))
        after = play.win(state, event, self.hand_size)
        refused = self.problems_of_win(after, event)
        if refused:
            return self._refuse(state, after, event, refused)
        after = replace(after, contested=replace(state, contested=None))
        if event.from_seat == event.seat:
            after = replace(after, contested=None)
        after, said = self._pay(after)
        return state, after, said

    def _refuse(
        self, state: State, after: State, event: Win, problems: tuple[Problem, ...]
    ) -> tuple[State, State, Said]:
        """A win that the rules do not know: nobody is paid, and play may go on.

        The hand was shown, so it is known from now on; the winning tile stays where it lay.
        """
        codes = state.players[event.seat].irregular | {"false_win"}
        state = with_player(state, event.seat, irregular=codes)
        if event.hand is not None and event.from_seat != event.seat:
            state = with_player(state, event.seat, hand=play.ordered(event.hand), shown=True)
        elif event.hand is not None:
            hand = after.players[event.seat].hand
            state = with_player(state, event.seat, hand=hand, shown=True, drawn=event.tile)
        payout = Payout(event.seat, _NOBODY, state.points, (Item("refused", 0, "points"),))
        return state, replace(state), [*problems, payout]

    def _pay(self, state: State) -> tuple[State, Said]:
        """Announce what the wins of this hand pay, or the difference to what was paid before."""
        payout = self.settle(state, state.wins)
        moved = tuple(new - old for new, old in zip(payout.deltas, state.paid, strict=True))
        points = tuple(own + delta for own, delta in zip(state.points, moved, strict=True))
        after = replace(state, points=points, paid=payout.deltas, pot=state.pot + payout.pot)
        items = payout.items
        if state.paid != _NOBODY:
            items = (*items, Item("paid_before", max(state.paid), "points"))
        return after, [replace(payout, deltas=moved, points=points, items=items)]

    def _rejudge(self, state: State) -> tuple[State, Said]:
        """Look at the wins again, now that more is known; only what changes is said."""
        said: Said = []
        for win in state.wins:
            problems = self.problems_of_win(state, win)
            if problems:
                said += problems
                codes = state.players[win.seat].irregular | {"false_win"}
                state = with_player(state, win.seat, irregular=codes)
                state = replace(
                    state,
                    wins=tuple(other for other in state.wins if other != win),
                    winners=tuple(seat for seat in state.winners if seat != win.seat),
                )
        if said:
            back = self._moved_back(state)
            points = tuple(p - moved for p, moved in zip(state.points, state.paid, strict=True))
            return replace(state, points=points, paid=_NOBODY), said + back
        if not state.wins or self.settle(state, state.wins).deltas == state.paid:
            return state, []
        return self._pay(state)

    def _drawn_hand(self, state: State, event: DrawnHand) -> tuple[State, State, Said]:
        if event.reason not in self.drawn_reasons:
            raise IllegalEvent("contradicts", None, "no_such_draw", [(DrawnHand("exhausted"),)])
        while self.last_turn(state) and not self.wall_used_up(state):
            if state.phase is not Phase.TO_DRAW:
                break
            state = self._draw(state, Draw(state.turn, UNKNOWN))
        said: Said = []
        if event.reason == "exhausted" and not self.wall_used_up(state):
            said = [self.fault("wall_not_used_up", None, {"left": state.wall_left})]
        after = replace(state, phase=Phase.SETTLED, drawn_reason=event.reason, contested=None)
        after, paid = self._pay(after)
        return state, after, said + paid

    def _foul(self, state: State, event: Foul) -> State:
        codes = state.players[event.seat].irregular | {event.offence}
        return with_player(state, event.seat, irregular=codes)

    # --- what becomes known ---

    def _indicate(self, state: State, event: Indicator) -> tuple[State, State, Said]:
        if event.kind not in self.indicator_kinds:
            raise IllegalEvent("contradicts", None, "no_such_indicator", [()])
        after = self.indicate(state, event)
        if state.phase is Phase.SETTLED:
            after, said = self._rejudge(after)
            return state, after, said
        return state, after, []

    def indicate(self, state: State, event: Indicator) -> State:
        """Turn an indicator up; raises ``IllegalEvent`` for one that cannot be."""
        return replace(state, indicators=(*state.indicators, event))

    def _reveal(self, state: State, event: Reveal) -> tuple[State, State, Said]:
        player = state.players[event.seat]
        was_known = player.known
        said: Said = []
        size = play.waiting_size(player, self.hand_size) + player.holds_extra
        drawn_apart = player.holds_extra and len(event.tiles) == size - 1
        if len(event.tiles) != size and not drawn_apart:
            values = {"count": len(event.tiles), "expected": size}
            said.append(self.fault("wrong_tile_count", event.seat, values))
            shown = play.ordered(event.tiles)
            after = with_player(state, event.seat, hand=shown, shown=True)
            codes = player.irregular | {"wrong_tile_count"}
            return state, with_player(after, event.seat, irregular=codes), said
        after = play.reveal(state, event)
        if not was_known:
            after, more = self._judge_backwards(after, event.seat)
            said += more
        if after.phase is Phase.SETTLED:
            after, more = self._rejudge(after)
            return state, after, said + more
        return state, after, said + self._said_ready(after, event.seat)

    def _judge_backwards(self, state: State, seat: Seat) -> tuple[State, Said]:
        """What a hand that was hidden shows about a claim of being ready."""
        player = state.players[seat]
        if not player.ready or "false_ready" in player.irregular:
            return state, []
        missing = self.missing(state, seat)
        if not missing:
            return state, []
        state = with_player(state, seat, irregular=player.irregular | {"false_ready"})
        fault = self.fault("false_ready", seat, {"missing": missing})
        return state, [NotReady(seat, missing), fault]

    # --- what is said ---

    def fault(
        self, code: str, seat: Seat | None, values: Mapping[str, object] | None = None
    ) -> Problem:
        """The problem of an irregular event."""
        ruling = self.problems.get(code, PEOPLE_DECIDE)
        return Problem(code, seat, False, ruling.source, ruling.follows, values=values or None)

    def _faults(self, state: State, event: Event, seat: Seat) -> Said:
        return [self.fault(code, seat, values) for code, values in self.faults(state, event)]

    def _after_change(self, state: State, seat: Seat, *, claimed: bool) -> tuple[State, Said]:
        """Judge a claim of being ready, and say what a hand that is known waits for."""
        player = state.players[seat]
        if claimed and "false_ready" not in player.irregular:
            missing = self.missing(state, seat)
            if missing:
                codes = player.irregular | {"false_ready"}
                state = with_player(state, seat, irregular=codes)
                faults = [self.fault(code, seat) for code in missing]
                audience = None if player.shown or not player.known else seat
                return state, [NotReady(seat, missing, audience), *faults]
            if not player.known:
                return state, [Ready(seat, unknown=True)]
        return state, self._said_ready(state, seat)

    def _said_ready(self, state: State, seat: Seat) -> Said:
        player = state.players[seat]
        if not player.known or player.holds_extra:
            return []
        waits = self.waits(state, seat)
        if not waits or all(wait.refused for wait in waits):
            return []
        return [Ready(seat, waits, audience=None if player.shown else seat)]

    def _said_turn(self, state: State) -> Iterator[Turn]:
        """Whose turn it is; claims of a concealed hand are told to its own seat only."""
        public: list[Claim] = []
        private: list[Turn] = []
        for seat in state.claimant_seats:
            player = state.players[seat]
            if not player.known:
                continue
            claims = tuple(regular_claims(self, state, seat))
            if player.shown:
                public += claims
            elif claims:
                private.append(Turn(state.turn, state.wall_left, claims, seat))
        yield Turn(state.turn, state.wall_left, tuple(public))
        yield from private

    def left(self, state: State, seat: Seat, tile: Tile) -> int:
        """Copies of a kind not seen from where an announcement about this seat may be made."""
        viewer = None if state.players[seat].shown else seat
        hidden = () if self.sees_indicators(state, viewer) else tuple(self.indicator_kinds)
        copies = sum(
            count for other, count in self.tiles(state.options).items() if other.kind == tile
        )
        return max(copies - seen_by(state, viewer, hidden)[tile], 0)


def _holder(state: State) -> tuple[int, Claim | Win]:
    """The claim that is taken now, and its number."""
    for number, entry in reversed(state.history):
        match entry.event:
            case Win(seat=seat) as event if state.winners and seat == state.winners[-1]:
                return number, event
            case (Chow(seat=seat) | Pung(seat=seat) | Kong(seat=seat)) as event if (
                not state.winners and seat == state.turn
            ):
                return number, event
            case _:
                continue
    raise AssertionError("a contested tile was claimed by somebody")


def _robs_other_kong(state: State, event: Win) -> bool:
    """Whether the win is on the tile of a kong that is not an added one."""
    kong = state.history[-1][1].event if state.history else None
    return (
        isinstance(kong, Kong)
        and kong.kind != "added"
        and event.from_seat == kong.seat != event.seat
        and event.tile == kong.tile
    )


def _same_tile(pending: State, event: Claim | Win) -> bool:
    last = pending.last_discard
    return last is not None and event.from_seat in (None, last.seat) and event.tile == last.tile


def _similar(tile: Tile, among: Mapping[Tile, int]) -> list[Tile]:
    """Other faces, those of the same suit and of near rank first."""
    return sorted(
        (other for other in among if other != tile and other.known),
        key=lambda other: (other.suit != tile.suit, abs(other.rank - tile.rank), other),
    )

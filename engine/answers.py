"""A beginner's questions, answered by the rules from what one seat knows.

Can I claim this? Why is my hand not ready, or no win? What am I playing for? What just happened?
Each answer is data; the word catalogues make sentences of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from engine import declare, play
from engine.announce import Announcement, HintClaim, Outlook, Problem, Turn, heard_by
from engine.events import Chow, Claim, Event, Kong, Pung, Seat, Win
from engine.play import IllegalEvent
from engine.played import PlayedEvent
from engine.possible_sets import runs_with
from engine.rules.base import RuleSet
from engine.rules.hints import complete
from engine.rules.legal_events import regular_wins
from engine.rules.plans import Plan, lost_by, plans
from engine.rules.results import refusal
from engine.state import Player, State
from engine.tiles import Tile
from engine.visibility import concealed, event_seen

ClaimKind = Literal["win", "kong", "pung", "chow"]
KINDS: Final[tuple[ClaimKind, ...]] = ("win", "kong", "pung", "chow")
_OWN_TILES: Final[Mapping[ClaimKind, int]] = {"kong": 3, "pung": 2}


@dataclass(frozen=True)
class Refusal:
    """A rule that forbids something, as its sentence needs it."""

    code: str
    source: str = ""
    """Document and section. Empty where the tiles alone decide."""
    values: Mapping[str, object] | None = None


@dataclass(frozen=True)
class ClaimAnswer:
    """One way to take the last discard, or why there is none of this kind."""

    kind: ClaimKind
    claim: Claim | Win | None = None
    """None where the hand holds no tiles for it."""
    refused: tuple[Refusal, ...] = ()
    """Why it is not allowed; empty where it is."""
    leads_to: HintClaim | None = None
    """The best discard after it, how near to ready that is, and what it costs."""
    lost: tuple[str, ...] = ()
    """Patterns of the concealed hand that are given up."""

    @property
    def allowed(self) -> bool:
        return not self.refused


@dataclass(frozen=True)
class CanClaim:
    """What the seat may do with the last discard."""

    tile: Tile | None
    """None where there is no discard of somebody else to claim."""
    answers: tuple[ClaimAnswer, ...] = ()
    first: tuple[tuple[str, ...], ...] = ()
    """Who goes first: kinds of claims of the same precedence, the best ones first."""
    winners: int = 1
    """How many may win on it and are paid."""
    called_off_at: int | None = None
    """So many wins on it call the hand off, where such a rule is played."""


@dataclass(frozen=True)
class WhyNot:
    """How a hand stands, and which conditions of the rules it lacks."""

    win: Win | None = None
    """A win that the rules allow now."""
    tile: Tile | None = None
    """The tile that was judged: drawn, or discarded by somebody else."""
    refused: tuple[Refusal, ...] = ()
    """Why that is no win."""
    discard: Tile | None = None
    """On the own turn: the best discard. ``outlook`` tells of the hand after it."""
    outlook: Outlook | None = None
    """None for a hidden hand."""
    lacking: tuple[str, ...] = ()
    """Conditions that the tiles do not meet as they are, by their codes."""


@dataclass(frozen=True)
class Happened:
    """The last event about which the rules said something, and what this seat heard of it."""

    number: int
    event: Event
    said: tuple[Announcement, ...]


def can_claim(rules: RuleSet, state: State, seat: Seat) -> CanClaim:
    """Whether the last discard can be claimed: what for, what it costs, who goes first."""
    state = concealed(state, rules, seat)
    last, player = state.last_discard, state.players[seat]
    if last is None or last.seat == seat or state.phase not in play.IN_PLAY or not player.known:
        return CanClaim(None)
    answers = [_win(rules, state, seat)]
    if not last.added_kong:
        rows = rules.hint(state, seat).claims
        answers += [_claim(rules, state, row) for row in rows]
        answers += [
            _without_tiles(rules, kind, state, seat)
            for kind in KINDS[1:]
            if kind not in {answer.kind for answer in answers}
        ]
    order = sorted(answers, key=lambda answer: (not answer.allowed, KINDS.index(answer.kind)))
    first = _precedence(rules, state, seat)
    others = len(state.claimant_seats)
    winners = rules.payment.winners(state)
    most = winners.allowed if winners.paid is None else winners.paid
    paid = min(most, others)
    return CanClaim(last.tile, tuple(order), first, paid, winners.called_off_at)


def why_not(rules: RuleSet, state: State, seat: Seat) -> WhyNot:
    """Why the hand is not ready, or no win: what it lacks by the rules."""
    state = concealed(state, rules, seat)
    told, player = rules.hint(state, seat), state.players[seat]
    if told.now is None and not told.discards:
        return WhyNot()
    win, tile, refused = _judged_win(rules, state, seat)
    if told.now is not None:
        lacking = _lacking(rules, state, seat, player.hand, told.now)
        return WhyNot(win, tile, refused, None, told.now, lacking)
    best = told.discards[0]
    rest = play.without(player.hand, (best.tile,))
    assert not isinstance(rest, Tile), "it is in the hand"
    outlook = Outlook(best.distance, best.waits, best.useful, best.left, best.reasons, best.refused)
    lacking = _lacking(rules, state, seat, rest, outlook)
    return WhyNot(win, tile, refused, best.tile, outlook, lacking)


def playing_for(rules: RuleSet, state: State, seat: Seat) -> tuple[Plan, ...]:
    """Two or three plans within reach; none for a hand that is hidden or can never win."""
    return plans(rules, concealed(state, rules, seat), seat)


def what_happened(events: Sequence[PlayedEvent], seat: Seat) -> Happened | None:
    """The last event of these that was announced to this seat; None before the first."""
    for played in reversed(events):
        announcements = heard_by(played.announcements, seat)
        told = tuple(
            announcement for announcement in announcements if not isinstance(announcement, Turn)
        )
        if told:
            event = event_seen(played.event.entry.event, played.state, played.rules, seat)
            return Happened(played.event.number, event, told)
    return None


def _lacking(
    rules: RuleSet, state: State, seat: Seat, hand: tuple[Tile, ...], seen: Outlook
) -> tuple[str, ...]:
    return () if seen.waits else rules.teaching.lacking(state, seat, hand)


# --- claims ---


def _win(rules: RuleSet, state: State, seat: Seat) -> ClaimAnswer:
    win, _, refused = _judged_win(rules, state, seat)
    return ClaimAnswer("win", win, refused)


def _judged_win(
    rules: RuleSet, state: State, seat: Seat
) -> tuple[Win | None, Tile | None, tuple[Refusal, ...]]:
    """The win that is allowed now. Without one, the tile that came last and why it is no win."""
    allowed = next(regular_wins(rules, state, seat), None)
    if allowed is not None:
        return allowed, allowed.tile, ()
    player, last = state.players[seat], state.last_discard
    came: Tile | None = player.drawn
    if player.holds_extra:
        if came is None and state.contested is not None:
            return None, None, (Refusal("not_drawn"),)
        win = Win(seat, seat, player.hand[0] if came is None else came)
    elif last is not None and last.seat != seat:
        came, win = last.tile, Win(seat, last.seat, last.tile)
    else:
        return None, None, ()
    try:
        after = declare.win(state, win)
    except IllegalEvent:
        return None, came, (Refusal("not_a_win"),)
    # If the rules name no problem, they cannot tell.
    return None, came, _what_decides(rules, after, win) or (Refusal("unsure"),)


def _what_decides(rules: RuleSet, after: State, win: Win) -> tuple[Refusal, ...]:
    """Why this is no win: what bars the seat, else its tiles, else what the rules ask of them.

    The rules name the first problem that they find. A hand that is not complete is no win whatever
    they ask besides, and what it lacks for a ready call decides why it has made none.
    """
    problem = refusal(rules, after, win)
    player = after.players[win.seat]
    if problem is None:
        return ()
    if rules.judge.bar(player) or not player.known or not win.tile.known:
        return (_refusal(problem),)
    if not complete(rules, after, win.seat):
        return (Refusal("not_a_win"),)
    if problem.code == "not_ready":
        called = play.with_player(after, win.seat, ready=True)
        problem = refusal(rules, called, win) or problem
    missing = (problem.values or {}).get("missing")
    if problem.code == "false_ready" and isinstance(missing, tuple):
        return tuple(Refusal(code, problem.source) for code in missing)
    return (_refusal(problem),)


def _refusal(problem: Problem) -> Refusal:
    return Refusal(problem.code, problem.source, problem.values)


def _claim(rules: RuleSet, state: State, row: HintClaim) -> ClaimAnswer:
    kind: ClaimKind = "chow"
    if isinstance(row.claim, Kong):
        kind = "kong"
    elif isinstance(row.claim, Pung):
        kind = "pung"
    if not row.forbidden:
        return ClaimAnswer(kind, row.claim, (), row, lost_by(rules, state, row.claim))
    refused = _forbidden(rules, state, row.claim) or (Refusal("ready_hand_fixed"),)
    return ClaimAnswer(kind, row.claim, refused)


def _without_tiles(rules: RuleSet, kind: ClaimKind, state: State, seat: Seat) -> ClaimAnswer:
    """Why a set of this kind is out of the question."""
    last = state.last_discard
    assert last is not None, "asked for discards only"
    if kind != "chow":
        held = [state.read_as(tile) for tile in state.players[seat].hand]
        values = {"count": held.count(state.read_as(last.tile)), "needed": _OWN_TILES[kind]}
        return ClaimAnswer(kind, None, (Refusal("too_few_equal", "", values),))
    runs = runs_with(state.read_as(last.tile))
    # A rule that forbids every chow says more than the tiles that are lacking.
    chows = (Chow(seat, last.seat, last.tile, run) for run in runs[:1])
    refused = tuple(why for chow in chows for why in _forbidden(rules, state, chow))
    lacks = Refusal("no_run_held" if runs else "honour_in_no_run")
    return ClaimAnswer(kind, None, refused or (lacks,))


def _forbidden(rules: RuleSet, state: State, claim: Claim) -> tuple[Refusal, ...]:
    """The rules that a claim breaks."""
    faults = rules.faults(state, claim)
    return tuple(_refusal(rules.problem(fault, claim.seat)) for fault in faults)


def _precedence(rules: RuleSet, state: State, seat: Seat) -> tuple[tuple[str, ...], ...]:
    """Kinds of claims by their precedence, as another player could make them."""
    last = state.last_discard
    assert last is not None, "asked for discards only"
    tile = last.tile
    after = (last.seat + 1) % 4
    across = next(other for other in range(4) if other not in (last.seat, after))
    claims: dict[str, Claim | Win] = {"win": Win(across, last.seat, tile)}
    claims["pung"] = Pung(across, last.seat, tile, (tile, tile))
    for low, high in runs_with(state.read_as(tile))[:1]:
        claims["chow"] = Chow(after, last.seat, tile, (low, high))
        if rules.judge.ready_calls:
            claims["ready"] = Chow(after, last.seat, tile, (low, high), ready=True)
    nobody = Player(hand=play.hidden(rules.wall.hand_size))
    seats = (replace(nobody, river=player.river) for player in state.players)
    bare = replace(state, players=tuple(seats))
    ranks = {name: rules.claims.rank(rules, bare, claim) for name, claim in claims.items()}
    found = sorted({rank for rank in ranks.values() if rank}, reverse=True)
    return tuple(tuple(name for name in ranks if ranks[name] == rank) for rank in found)

"""What the Hangzhou rules forbid of claims, kongs and claimed wins (002, Play to Win)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.events import Chow, Claim, Discard, Kong, Pung, Seat, Win
from engine.rules.base import option_number
from engine.rules.hangzhou.pay import (
    liability_scope,
    longest_stay,
    sets_from,
    staying,
)
from engine.rules.hangzhou.score import fortune_of
from engine.rules.hangzhou.tables import CLAIMS, LIABLE_SETS, LONGEST_STAY, REFUSALS, UNUSED
from engine.rules.verdict import Fault, Ruling
from engine.state import Phase, SetKind, State
from engine.tiles import Tile

# --- floats ---------------------------------------------------------------------------------------


def floating(state: State) -> frozenset[Seat]:
    """Seats whose last discard was a fortune, until their next turn."""
    fortune = fortune_of(state)
    if fortune is None:
        return frozenset()
    last = state.last_discard
    own_turn = state.phase is Phase.TO_DISCARD or (last is not None and last.added_kong)
    return frozenset(
        seat
        for seat, player in enumerate(state.players)
        if player.river and player.river[-1].tile == fortune.kind
        if not (own_turn and state.turn == seat)
    )


def barred_by_float(state: State, seat: Seat, *, own_too: bool = False) -> bool:
    """002, Fortune float: nobody else may claim until the next turn of the floating player.

    ``own_too``: the floating player may not claim sets either. A floating hand never wins by a
    claim.
    """
    return any(other != seat or own_too for other in floating(state))


# --- sets -----------------------------------------------------------------------------------------


def barred_claim(state: State, claim: Claim) -> Iterator[Fault]:
    """What fortunes, floats and liability forbid."""
    fortune = fortune_of(state)
    own_turn = isinstance(claim, Kong) and claim.kind != "open"
    fills = isinstance(claim, Kong) and claim.kind == "added"
    last = state.last_discard
    if own_turn:
        if fills and barred_by_float(state, claim.seat):  # an open kong, as 002 calls it
            yield _because("no_kong_now", "float")
    elif fortune is not None and last is not None and last.tile == fortune.kind:
        yield Fault("fortune_claimed")
    elif why := _why_forbidden(state, claim):
        yield _because("claim_forbidden", why)
    own = claim.own or ((claim.tile,) if own_turn else ())
    if fortune is not None and fortune.kind in own:
        yield Fault("fortune_in_set")


def late_kong(state: State) -> Fault:
    """002, Kong: on the own turn, after a draw, and only while a tile is left to draw."""
    return _because("no_kong_now", "wall" if state.wall_left <= UNUSED else "after_claim")


def _because(code: str, why: str) -> Fault:
    return Fault(code, {"why": why}, CLAIMS.get(why))


def _why_forbidden(state: State, claim: Claim) -> str | None:
    if barred_by_float(state, claim.seat, own_too=not state.options["float_may_claim"]):
        return "float"
    if _locked(state, claim):
        return "passed"
    return "liable" if _makes_liable(state, claim) else None


def _makes_liable(state: State, claim: Claim) -> bool:
    """Whether the scope of the liability forbids this claim (002, Restriction)."""
    scope, last = liability_scope(state), state.last_discard
    before = [] if last is None else sets_from(state, claim.seat, last.seat)
    if len(before) < LIABLE_SETS - 1 or last is None:
        return False
    if scope == "at_most_two_sets":
        return True  # "all the time", the banker too
    if scope in ("all", "none") or state.dealer in (last.seat, claim.seat):
        return False
    chows = isinstance(claim, Chow) and all(meld.kind is SetKind.CHOW for meld in before)
    return scope == "banker_only" or chows


# --- locks of what was let pass -------------------------------------------------------------------


def _locked(state: State, claim: Claim) -> bool:
    """002, Pung: the seat let the same tile pass since its last own turn (``pass_pung_locks``)."""
    if not state.options["pass_pung_locks"] or not isinstance(claim, Pung):
        return False
    kind = state.read_as(claim.tile)
    return any(state.read_as(tile) == kind for _, tile, _ in _passed(state, claim.seat))


def win_locked(state: State, win: Win) -> bool:
    """002, Win: the seat let the same tile pass and could have won on it (``pass_win_locks``)."""
    if not state.options["pass_win_locks"]:
        return False
    kind = state.read_as(win.tile)
    return any(
        state.read_as(tile) == kind and may_win_from(state, win.seat, seat, robbed=robbed)
        for seat, tile, robbed in _passed(state, win.seat)
    )


def _passed(state: State, seat: Seat) -> list[tuple[Seat, Tile, bool]]:
    """Tiles that could be claimed since the last turn of this seat, without the last one.

    Each comes with the seat that gave it, and whether it was added to a pung. A hand does not
    change between its turns, so a seat that can claim the tile now could have done so then, unless
    a float barred it. A turn that a pung or kong skipped counts as taken.
    """
    last, wild = state.last_discard, fortune_of(state)
    passed: list[tuple[Seat, Tile, bool]] = []
    floats: set[Seat] = set()
    for number, move in state.history.moves:
        if last is not None and number >= last.number:
            break
        floats.discard(move.seat)
        if move.seat == seat:
            passed.clear()
        match move:
            case Pung(from_seat=feeder) | Kong(kind="open", from_seat=int(feeder)):
                if (seat - feeder) % 4 < (move.seat - feeder) % 4:
                    passed.clear()
            case Discard(tile=tile) if wild is not None and tile == wild.kind:
                floats.add(move.seat)
            case Discard(tile=tile) | Kong(kind="added", tile=tile) if not floats - {seat}:
                passed.append((move.seat, tile, isinstance(move, Kong)))
            case _:
                continue
    return [given for given in passed if given[0] != seat]


# --- wins by claim --------------------------------------------------------------------------------


def _stay_to_rob(state: State) -> int:
    return min(option_number(state.options, "rob_kong_from_staying"), longest_stay(state))


def _stay_to_claim(state: State) -> int:
    """The staying count from which a win by claim is allowed: three (002, Win), or two where
    staying counts to two only."""
    return min(LONGEST_STAY, longest_stay(state))


def may_win_from(state: State, seat: Seat, feeder: Seat, *, robbed: bool) -> bool:
    """002, Win: only between the banker and another, once the banker has stayed long enough."""
    needed = _stay_to_rob(state) if robbed else _stay_to_claim(state)
    between = state.dealer in (seat, feeder)
    return between and staying(state) >= needed and not state.options["wall_only"]


def refusal(state: State, win: Win) -> Fault | None:
    """Why a win on another's tile is refused, whatever the hand; ``state`` is the one it led to."""
    last, fortune = state.last_discard, fortune_of(state)
    if win.seat == win.from_seat or last is None:
        return None
    robbed = last.added_kong
    resting = state.players[win.seat].undeclared
    reasons = {
        "fortune": fortune is not None and win.tile == fortune.kind,
        "wall_only": bool(state.options["wall_only"]),
        "non_bankers": state.dealer not in (win.seat, win.from_seat),
        "staying": not may_win_from(state, win.seat, win.from_seat, robbed=robbed),
        "float": barred_by_float(state, win.seat),
        "passed": win_locked(state, win),
        "wild_eye": bool(fortune and resting and fortune.wild_eye(resting)),
    }
    reason = next((reason for reason, holds in reasons.items() if holds), None)
    if reason is None:
        return None
    code, source, follows = REFUSALS[reason]
    code = "no_robbing" if robbed and code == "claim_forbidden" else code
    return Fault(code, ruling=Ruling(source, follows))


def by_draw_only(state: State, seat: Seat, hand: Sequence[Tile] | None, tile: Tile) -> str | None:
    """Why this tile cannot complete the waiting hand by a claim. None where it may.

    Of a hidden hand (None) it is asked what the seat in turn may discard without danger.
    """
    fortune = fortune_of(state)
    if hand is None:
        free = may_win_from(state, seat, state.turn, robbed=False)
        if not free:
            return "staying"
        return "fortune" if fortune is not None and tile == fortune.kind else None
    if state.options["wall_only"]:
        return "wall_only"
    if staying(state) < _stay_to_claim(state):
        robs = staying(state) >= _stay_to_rob(state)
        return "robbing" if robs else "staying"
    if fortune is not None and fortune.wild_eye(hand):
        return "wild_eye"
    return "fortune" if fortune is not None and tile == fortune.kind else None

"""Harbin mahjong as played at home, with a treasure indicator: document 001, as settled here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine import declare
from engine.announce import Announcements, HandResult, Item, note
from engine.events import (
    Chow,
    Claim,
    Dice,
    Discard,
    Event,
    Foul,
    Indicator,
    Kong,
    Pung,
    Reveal,
    Seat,
    Win,
)
from engine.evolve import evolve
from engine.play import IN_PLAY, ordered, with_player
from engine.rules.base import RuleSet
from engine.rules.harbin.limits import (
    EXAMPLE,
    HOLDS_TERMINAL_OR_DRAGON,
    PICTURES,
    WHEN_FINISHED,
    WHEN_READY,
    HarbinTeaching,
    Limits,
)
from engine.rules.harbin.payment import TREASURE, HarbinPayment, Owed
from engine.rules.harbin.play import (
    WALL,
    HarbinClaims,
    HarbinHands,
    HarbinJudge,
    HarbinTurns,
    SecretIndicator,
)
from engine.rules.layout import TableLayout
from engine.rules.payment import share
from engine.rules.verdict import Fault, How, Ruling, Verdict, no_win, refused
from engine.state import Phase, State
from engine.tiles import UNKNOWN, Tile

JUST_DRAWN: Final = Ruling("001, Calling Tiles", "kong_needs_drawn_tile")
_CYCLE: Final = 9
TRIPLET: Final = 3


def next_in_suit(tile: Tile) -> Tile:
    """001, Revealing the Treasure Tile: one follows nine; the red dragon follows itself."""
    return tile.kind if tile.suit == "z" else Tile(f"{tile.rank % _CYCLE + 1}{tile.suit}")


def treasures_of(turned: Tile, options: Mapping[str, object]) -> frozenset[Tile]:
    following = next_in_suit(turned)
    kinds = {"next": (following,), "same": (turned.kind,), "both": (turned.kind, following)}
    return frozenset(kinds[str(options["treasure"])])


# --- payment: 001, Points and Payout ---


def is_within_treasure(limits: Limits, state: State, win: Win, waits: Sequence[Tile]) -> bool:
    """001, Treasure Within Treasure; a rush pays as a treasure win."""
    player, kind = state.players[win.seat], win.tile.kind
    needs_clamp = bool(state.options["treasure_within_needs_clamp"])
    return not needs_clamp or (waits == [kind] and limits.clamps(player, kind, state.options))


def owed(payment: HarbinPayment, state: State, win: Win, row: str) -> Owed:
    pays = payment.table[row]
    items: list[Item] = []
    times = 1
    if row != payment.double_row:
        holed = payment.is_holed(state, win)
        if holed is None:
            items.append(note("hand_unknown"))
        elif holed:
            times = 2
            items.append(Item("clamp", times, "times"))
    return share(win, pays.each * times, pays.discarder * times), items


# --- claims and kongs ---


class TreasureClaims(HarbinClaims):
    def faults(self, state: State, claim: Claim, *, ended: bool) -> tuple[Fault, ...]:
        faults = super().faults(state, claim, ended=ended)
        if not isinstance(claim, Kong) or claim.kind != "added":
            return faults
        told = any(fault.code == "no_kong_now" for fault in faults)
        return faults if told else (*faults, *_not_just_drawn(state, claim))

    def keeps_hand(self, state: State, kong: Kong) -> bool:
        """001, Declaring a Ready Hand: allowed with the drawn tile if the waits stay the same.

        A hidden hand is judged when it is shown.
        """
        player = state.players[kong.seat]
        drawn = player.drawn
        other = drawn is not None and drawn.known and drawn != kong.tile
        if kong.kind != "closed" or other:
            return False
        before = player.waiting
        if before is None:
            return True
        if before.count(kong.tile) != TRIPLET:
            return False
        after = declare.own_kong(
            evolve(state, phase=Phase.TO_DISCARD, turn=kong.seat), kong, -1
        ).players[kong.seat]
        return LIMITS.winning(before, player.melds) == LIMITS.winning(after.hand, after.melds)


class TreasureTurns(HarbinTurns):
    def follow(
        self, rules: RuleSet, before: State, after: State, event: Event
    ) -> tuple[State, Announcements]:
        after, announced = super().follow(rules, before, after, event)
        if isinstance(event, Dice) and _too_few_columns(before, event):
            announced = [*announced, rules.problem("too_few_columns", None)]
        for seat in range(4):
            if after.players[seat].known and not before.players[seat].known:
                announced = [*announced, *_judge_kongs(rules, after, seat)]
        return after, announced


def _judge_kongs(rules: RuleSet, state: State, seat: Seat) -> Announcements:
    """Judge kongs of a ready hand that was hidden when they were declared."""
    announced: Announcements = []
    player = state.players[seat]
    hand = player.waiting
    if hand is None:
        return announced
    melds = list(player.melds)
    for kong in reversed(_closed_kongs_when_ready(state, seat)):
        place = next(at for at, meld in enumerate(melds) if kong.tile in meld.tiles)
        after = LIMITS.winning(hand, tuple(melds))
        hand = ordered((*hand, *melds.pop(place).tiles[1:]))
        if LIMITS.winning(hand, tuple(melds)) != after:
            announced.append(rules.problem("ready_hand_fixed", seat, {"tile": kong.tile}))
    return announced


def _too_few_columns(state: State, event: Dice) -> bool:
    """Whether these dice, rolled for a treasure, point beyond the wall."""
    awaited = SECRET.turned(state) is None and any(player.ready for player in state.players)
    if state.phase not in IN_PLAY or not awaited or not state.wall_counted:
        return False
    return sum(event.values) > columns(state)


# --- wins ---


class TreasureJudge(HarbinJudge):
    def granted(self, state: State, win: Win) -> State | None:
        return after_looking(state, win, self.secret.treasures(state))

    def judge(
        self, state: State, seat: Seat, hand: tuple[Tile, ...] | None, tile: Tile, how: How
    ) -> Verdict:
        verdict = super().judge(state, seat, hand, tile, how)
        if verdict.fault is not None or how.win is None or not state.lent:
            return verdict
        treasures = self.secret.treasures(state)
        waits = self.limits.good_waits(state.players[seat])
        if tile.known and waits is not None and tile.kind not in waits:
            return no_win(tile)
        other = tile.known and treasures is not None and tile.kind not in treasures
        return refused("no_rush") if other or not state.options["rush"] else verdict


class TreasureHands(HarbinHands):
    def next_hand(self, state: State) -> HandResult:
        """001, Determining The Dealer: the winner deals; after a drawn hand the dealer stays."""
        if not state.winners or state.dealer in state.winners:
            return HandResult(state.dealer, state.round, 0, 0, state.staying + 1)
        by_winner = state.options["next_dealer"] == "winner"
        dealer = state.winners[0] if by_winner else (state.dealer + 1) % 4
        return HandResult(dealer, state.round, 0, 0, 1)


def _not_just_drawn(state: State, kong: Kong) -> tuple[Fault, ...]:
    """001, Calling Tiles: a pung grows on the own turn, by "the tile that you draw from the wall".

    A tile that was drawn unseen may be the one.
    """
    drawn = state.players[kong.seat].drawn
    if drawn is None:
        fits = state.contested is None  # else the turn came by a claim
    else:
        fits = UNKNOWN in (drawn, kong.tile) or drawn == kong.tile
    return () if fits else (Fault("no_kong_now", ruling=JUST_DRAWN),)


def _closed_kongs_when_ready(state: State, seat: Seat) -> list[Kong]:
    at = state.joined
    thrown = at.rivers[seat] if at is not None and at.rivers is not None else ()
    ready = at is not None and (seat in (at.ready or ()) or any(one.ready for one in thrown))
    kongs = []
    for act in state.history.acts:
        if act.seat == seat:
            ready = ready or (not isinstance(act, Kong) and act.ready)
            if ready and isinstance(act, Kong) and act.kind == "closed":
                kongs.append(act)
    return kongs


# --- rush (冲宝) ----------------------------------------------------------------------------------
# 001, Revealing the Treasure Tile: a player who looks at the treasure and can win with it wins at
# once.


def after_looking(state: State, win: Win, treasures: frozenset[Tile] | None) -> State | None:
    """The state in which the player who just looked holds the tile. None where that cannot be."""
    player = state.players[win.seat]
    if win.seat != win.from_seat or player.holds_extra or state.phase not in IN_PLAY:
        return None
    if not _has_just_looked(state, win.seat):
        return None
    if win.seat == state.turn and (treasures is None or win.tile.kind not in treasures):
        return None  # an own draw that nobody saw
    tile = win.tile
    state = with_player(state, win.seat, hand=ordered((*player.hand, tile)), drawn=tile)
    return evolve(state, phase=Phase.TO_DISCARD, last_discard=None, lent=(tile,))


def columns(state: State) -> int:
    """Number of wall columns that dice may point to (001, Revealing the Treasure Tile)."""
    return (state.wall_left - len(state.indicators) + 1) // 2


def _has_just_looked(state: State, seat: Seat) -> bool:
    """Whether a treasure was just turned, or the seat has just claimed ready and may look."""
    told = (entry.event for _, entry in reversed(state.history.entries))
    played = (event for event in told if not isinstance(event, Dice | Reveal | Foul))
    last = next(played, None)
    if isinstance(last, Indicator):
        return True
    before = next((event for event in played if not isinstance(event, Indicator)), None)
    # A player who claims ready with a chow may look before or after the discard.
    match before, last:
        case (_, Discard(seat=by, ready=True)):
            return by == seat and bool(state.indicators)
        case (Chow(seat=by, ready=True) | Pung(seat=by, ready=True), Discard()):
            return by == seat and bool(state.indicators)
        case _:
            return False


LIMITS: Final = Limits(
    {code: WHEN_READY[code] for code in WHEN_READY if code not in HOLDS_TERMINAL_OR_DRAGON},
    {**WHEN_FINISHED, **HOLDS_TERMINAL_OR_DRAGON},
)
SECRET: Final = SecretIndicator(
    "treasure",
    treasures_of,
    "other_treasure_known",
    until_used_up=WALL.live,
    if_discarded="discarded_treasure",
)
HARBIN_TREASURE: Final = RuleSet(
    id="harbin-treasure",
    texts=__package__,
    source="001",
    glossary=(
        "limiting_conditions",
        "claiming_ready",
        "treasure",
        "rush_for_the_treasure",
        "clamp",
    ),
    pictures=PICTURES,
    explains={
        "ready": "claiming_ready",
        "not_ready": "limiting_conditions",
        "Win": "limiting_conditions",
        "payout": "clamp",
    },
    layout=TableLayout(ready_sign="laid", indicator_at="column", indicator_kinds=("treasure",)),
    teaching=HarbinTeaching(cost_of_opening="opens_hand", odds="harbin-treasure", example=EXAMPLE),
    options=TREASURE.options,
    problems=TREASURE.problems,
    wall=WALL,
    turns=TreasureTurns(SECRET),
    claims=TreasureClaims(ready={Chow: None, Pung: "pung_ready"}),
    judge=TreasureJudge(LIMITS, SECRET),
    indicators=SECRET,
    payment=HarbinPayment(
        TREASURE.payments,
        LIMITS,
        SECRET,
        treasure_row="treasure",
        double_row="treasure_within",
        unknown=note("treasure_unknown"),
        owed=owed,
        robbed_row=lambda state: "robbed_kong_self_draw",
        is_double=is_within_treasure,
    ),
    hands=TreasureHands(),
)

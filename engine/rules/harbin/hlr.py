"""Harbin Limiting Rules (Qionghu), tournament form: document 000, as settled for this engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.announce import HandResult, Item, note
from engine.events import Chow, Pung, Win
from engine.rules.base import PageNeeds, RuleSet
from engine.rules.harbin.limits import (
    EXAMPLE,
    PICTURES,
    WHEN_FINISHED,
    WHEN_READY,
    HarbinTeaching,
    Limits,
)
from engine.rules.harbin.payment import HLR, HarbinPayment, Owed
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
from engine.state import State
from engine.tiles import Tile

LEAST_WITHOUT_SETS: Final = 3


# --- payment: 000, 9 and 10 ---


def is_double_dora(limits: Limits, state: State, win: Win, waits: Sequence[Tile]) -> bool:
    """000, 9.5: the one wait, in the middle of a chow."""
    player, tile = state.players[win.seat], win.tile.kind
    return waits == [tile] and limits.clamps(player, tile, state.options)


def robbed_row(state: State) -> str:
    return f"robbed_kong_{state.options['robbed_kong_pays']}"


def owed(payment: HarbinPayment, state: State, win: Win, row: str) -> Owed:
    """000, 9 and 10: conditions of payment in the order in which the options are listed."""
    pays = payment.table[row]
    items: list[Item] = []
    times = 1
    if state.options["holed_wait_double"]:
        holed = payment.is_holed(state, win)
        if holed is None:
            items.append(note("hand_unknown"))
        elif holed:
            times = 2
            items.append(Item("holed_wait", times, "times"))
    least = LEAST_WITHOUT_SETS if state.options["no_melding_punishment"] else 0
    minimum = least * times if state.options["no_melding_minimum_doubles"] else least
    due = share(win, pays.each * times, pays.discarder * times)
    for seat in due:
        loser = state.players[seat]
        if minimum <= due[seat] or any(meld.is_open for meld in loser.melds):
            continue
        if loser.sets_counted:
            due[seat] = minimum
            items.append(Item("no_melding", minimum, "points"))
        else:
            items.append(note("sets_unknown"))
    if pays.shooting and state.options["shooting_punishment"]:
        due = {seat: sum(due.values()) if seat == win.from_seat else 0 for seat in due}
        items.append(Item("shooting", due[win.from_seat], "points"))
    return due, items


class HlrHands(HarbinHands):
    def next_hand(self, state: State) -> HandResult:
        """000, 8: the deal passes in turn, after a drawn hand too; a dealer who won stays."""
        stays = state.dealer in state.winners
        dealer = state.dealer if stays else (state.dealer + 1) % 4
        return HandResult(dealer, state.round, 0, 0, state.staying + 1 if stays else 1)


LIMITS: Final = Limits(WHEN_READY, WHEN_FINISHED)
SECRET: Final = SecretIndicator("dora", lambda tile, _: frozenset({tile.kind}), "other_dora_known")
HARBIN_HLR: Final = RuleSet(
    id="harbin-hlr",
    texts=__package__,
    source="000",
    glossary=("limiting_conditions", "claiming_ready", "harbin_dora", "doradora", "holed_wait"),
    pictures=PICTURES,
    explains={
        "ready": "claiming_ready",
        "not_ready": "limiting_conditions",
        "Win": "limiting_conditions",
        "payout": "holed_wait",
    },
    page=PageNeeds(vocabulary="harbin"),
    layout=TableLayout(ready_sign="laid", indicator_at="aside", indicator_kinds=("dora",)),
    teaching=HarbinTeaching(
        cost_of_opening="opens_hand", odds="harbin-hlr", example=EXAMPLE, outer_when_ready=True
    ),
    options=HLR.options,
    problems=HLR.problems,
    wall=WALL,
    turns=HarbinTurns(SECRET),
    claims=HarbinClaims(ready={Chow: None, Pung: None}),
    judge=HarbinJudge(LIMITS, SECRET),
    indicators=SECRET,
    payment=HarbinPayment(
        HLR.payments,
        LIMITS,
        SECRET,
        treasure_row="dora",
        double_row="doradora",
        unknown=note("dora_unknown"),
        owed=owed,
        robbed_row=robbed_row,
        is_double=is_double_dora,
    ),
    hands=HlrHands(),
)

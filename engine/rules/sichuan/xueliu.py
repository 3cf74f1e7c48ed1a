"""Sichuan mahjong, 血流成河: winners play on with the hand that won, until the wall is used up.

ROOM describes this game, and says of a winner only that it may win again; FLOW and GOFISH say what
the winner may do with its hand (``tables.toml``).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.declare import own_tiles
from engine.events import Discard, Kong, Seat
from engine.hands import distance
from engine.play import without
from engine.rules.base import PageNeeds
from engine.rules.sichuan.payments import FORMS
from engine.rules.sichuan.play import (
    SICHUAN,
    SichuanClaims,
    SichuanJudge,
    SichuanPayment,
    SichuanTurns,
)
from engine.rules.sichuan.worth import XUELIU_OPTIONS, XUELIU_PROBLEMS
from engine.rules.turns_and_claims import keeps_ready_hand
from engine.rules.verdict import Fault, completing
from engine.state import Player, State
from engine.tiles import Tile


class XueliuJudge(SichuanJudge):
    def missing(self, state: State, seat: Seat) -> tuple[str, ...] | None:
        """A hand is fixed because it has won."""
        return () if state.players[seat].won else super().missing(state, seat)


class XueliuClaims(SichuanClaims):
    def keeps_hand(self, state: State, kong: Kong) -> bool:
        """GOFISH, GetKongType; FLOW, Special rules, 1: what was won with still wins after it."""
        allowed = state.options["kongs_after_win"]
        player, added = state.players[kong.seat], kong.kind == "added"
        drawn = player.drawn
        other = drawn is not None and drawn.known and kong.tile.known and drawn != kong.tile
        if allowed == "none" or (kong.kind != "open" and other):
            return False
        if added or allowed == "added":
            return added
        hand = player.waiting
        if hand is None or not kong.tile.known:
            return True
        own = [tile for tile in own_tiles(kong) if tile.known]
        left = without(hand, own[: len(own) - (kong.kind == "closed")])
        return not isinstance(left, Tile) and set(completing(hand, FORMS)) == set(
            completing(left, FORMS)
        )


class XueliuTurns(SichuanTurns):
    def faults(self, state: State, discard: Discard) -> tuple[Fault, ...]:
        player = state.players[discard.seat]
        if not keeps_ready_hand(player, discard) or _breaks_won_hand(player, discard):
            values = {"tile": discard.tile, "drawn": player.drawn}
            return (Fault("ready_hand_fixed", values),)
        return () if player.won else super().faults(state, discard)


def _breaks_won_hand(player: Player, discard: Discard) -> bool:
    """Whether a hand that has won, and then claimed a tile, waits no more after this discard, as
    far as can be told."""
    if not (
        discard.tile.known
        and player.won
        and player.known
        and player.drawn is None
        and player.holds_extra
    ):
        return False
    left = without(player.hand, (discard.tile,))
    return not isinstance(left, Tile) and distance(left, forms=FORMS) > 0


class XueliuPayment(SichuanPayment):
    wins_to_end = None


SICHUAN_XUELIU: Final = replace(
    SICHUAN,
    id="sichuan-xueliu",
    source="ROOM; FLOW; GOFISH",
    glossary=(*SICHUAN.glossary, "winners_play_on"),
    pictures=SICHUAN.pictures,
    explains={**SICHUAN.explains, "ready_hand_fixed": "winners_play_on"},
    page=PageNeeds("won", "xueliu"),
    options=XUELIU_OPTIONS,
    problems=XUELIU_PROBLEMS,
    turns=XueliuTurns(),
    claims=XueliuClaims(chows=False),
    judge=XueliuJudge(),
    payment=XueliuPayment(),
)

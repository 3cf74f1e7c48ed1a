"""Transition: what speaks against each act beside the state before it, by the costs' names.

A function stands for one kind of act; what it returns is summed, in nats, with the prices of
``likelihood.toml``. Nothing else charges an act but the rules, for an event that breaks them
(``hypothesis.py``), and a whole table beside a hypothesis (``layout.matched``). No act holds what
depends on how tiles are read and lie by now: that is the emission (``emission.py``).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from engine.events import Seat
from engine.rules.wall import Wall
from engine.state import Phase, State
from engine.tiles import Tile
from vision.decoder.changes import FaceAppeared
from vision.decoder.hypothesis import Hypothesis
from vision.decoder.layout import copies_cost, not_near, out_of_row
from vision.decoder.likelihood import COSTS, CURVES, LIMITS
from vision.decoder.shown_faces import costs_of_faces
from vision.decoder.snapshot import Snapshot
from vision.decoder.table_evidence import TableEvidence
from vision.table.view import to_seat
from vision.tracking.matching import pairs
from vision.tracking.zones import LEAST_DOWN, groups

Amounts = dict[str, float]

CONSOLE: Final = 2.2
"""Rows of discards begin at least so many widths from the middle."""
KONG: Final = 4
OVERLOOKED: Final = 0.05
"""Share of standing tiles that are not found although hands have come to rest."""
SURELY_DEALER: Final = 40.0
"""How much likelier one tile more is counted before the dealer than before another player."""
COUNTED_TOO_MANY: Final = 3.0
"""A tile that is counted and does not stand there tells more than so many that are overlooked."""
ROW_BEGINS: Final = 2.0
"""Rows of discards begin no more widths apart, each as seen by its player."""
FEW_DISCARDS: Final = 4
PLACED: Final = 8
"""Of so many discards their places tell who made them."""
LEAST_STANDING: Final = 3
"""Beside a claimed set at least four tiles stand; one may have been missed."""


# --- a face in the middle ---


def of_discard(
    table: TableEvidence, before: Hypothesis, tile: int, seat: Seat, off: float, time_s: float,
    ready: bool,
) -> Amounts:  # fmt: skip
    """A tile as a seat's discard; ``off``: how much likelier, in nats, another seat put it there.

    ``before``: the hypothesis in which it is that seat's turn.
    """
    placed, player = table.tiles[tile], before.state.players[seat]
    signs = table.layout.ready_sign == "sideways" and not player.ready
    turned = signs and table.sideways(tile, seat)
    in_rows = table.layout.river == "rows"
    return {
        "seat": off,
        "held": table.witness.unchanged(seat, time_s),
        "out_of_row": out_of_row(tile, seat, len(before.hand), before, table),
        "in_console": float(in_rows and np.abs(placed.xy_mm).max() < CONSOLE * table.tile_mm),
        "sign_ignored": float(turned and not ready),
    }


def of_unseen_discard(fell: bool, taken_at_once: bool, stands: bool = False) -> Amounts:
    """A discard that nobody saw. ``fell``: its player's row has lost the tile.

    ``taken_at_once``: it was claimed while nobody looked, so that it never lay there. ``stands``:
    the row stands whole, as it stood before.
    """
    how = "fell" if fell else "taken_at_once" if taken_at_once else "missed"
    return {how: 1.0, "not_fallen": float(stands)}


def of_late_tile(
    table: TableEvidence, hypothesis: Hypothesis, change: FaceAppeared, seat: Seat, place: int
) -> Amounts:
    """A discard of which nobody saw the tile is seen now."""
    off = max(change.seats) - change.seats[seat]
    return {
        "seen_late": 1.0,
        "seat": min(off, LIMITS["late_seat"]),
        "out_of_row": out_of_row(change.tile, seat, place, hypothesis, table),
    }


STICK_IGNORED: Final[Amounts] = {"stick_ignored": 1.0}
"""A stick lies before a river, and its player has not claimed ready."""


def of_upright_sign(table: TableEvidence, tile: int | None, seat: Seat) -> Amounts:
    """Ready was claimed with this discard, by a stick; ``tile``: where it lies as it was laid."""
    lies = tile is not None and tile in table.tiles and not table.sideways(tile, seat)
    return {"upright": float(lies)}


GOES_ON: Final[Amounts] = {"goes_on": 1.0}
"""The rules end the hand with this discard, and it goes on."""


def of_overlooked(
    hypothesis: Hypothesis, face: Tile, cost: float, off: float, late: float, moved: bool
) -> Amounts:
    """A discard lay there when the table was found. ``off``: of another seat than the likeliest.

    ``late``: how long the table was looked at without seeing it, 0..1. ``moved``: its player's hand
    came when it was seen first, as if to put it there.
    """
    return {
        "overlooked": 1.0 + late + 2.0 * moved,
        "seat": off,
        "set_face": cost,
        "copies": copies_cost(hypothesis, face, face),
    }


def of_late_win(change: FaceAppeared, seat: Seat) -> Amounts:
    """The discard of a win that was seen before it."""
    return {"seat": max(change.seats) - change.seats[seat]}


READ_AGAIN: Final[Amounts] = {"read_again": 1.0}
"""Another track lies in the place of a discard."""


def of_foul(hypothesis: Hypothesis, face: Tile, cost: float) -> Amounts:
    """A tile put down by a seat that has no turn."""
    return {"against_order": 1.0, "copies": copies_cost(hypothesis, face), "set_face": cost}


def of_thing_while_dealt(table: TableEvidence, tile: int) -> Amounts:
    """A face that is no tile of the game: while tiles are dealt, many things look like one."""
    return {"clutter": min(table.clutter(tile), LIMITS["while_dealt"])}


def of_late_face(table: TableEvidence, hypothesis: Hypothesis, tile: int, soon: bool) -> Amounts:
    """A face when the hand is over; one that goes on pays for the same face as a discard.

    ``soon``: it may be the discard of a win that was told as an own draw, or players go on though
    the rules have ended the hand.
    """
    faces = table.candidate_faces(tile)
    shown = min(cost + copies_cost(hypothesis, face) for face, cost in faces)
    over = "soon_after_win" if soon else "after_win"
    return {over: 1.0, "face": min(shown, table.clutter(tile))}


def of_indicator(was_back: bool, far: bool, after_draw: bool) -> Amounts:
    """A tile turned up. ``far``: from all others; ``after_draw``: seen when the wall is used up."""
    return {
        "never_back": float(not was_back),
        "far_from_others": float(far),
        "seen_late": float(after_draw),
    }


# --- sets ---


def of_set(
    faces: Sequence[Tile], seat: Seat, tiles: Sequence[int], table: TableEvidence
) -> Amounts:
    """The tiles as these faces, of which the first is the claimed tile. Tiles may be missing.

    The order of the tiles does not matter, but a tile that lies sideways should be the claimed one.
    """
    if len(tiles) > len(faces):
        return {"set_face": 20.0}
    costs = costs_of_faces(faces, tiles, table)
    turned = [row for row, tile in enumerate(tiles) if table.sideways(tile, seat)]
    one = turned[0] if len(turned) == 1 else None
    odd = COSTS["not_turned"] / COSTS["set_face"]
    as_turned = [
        [cost + odd * (row == one and place != 0) for place, cost in enumerate(ways)]
        for row, ways in enumerate(costs)
    ]
    places = pairs(as_turned)
    return {
        "set_face": sum(costs[row][place] for row, place in places.items()),
        "not_turned": float(one is not None and places[one] != 0),
        "missing_tile": float(len(faces) - len(tiles)),
    }


def of_closed_kong(tiles: Sequence[int], cost: float, table: TableEvidence) -> Amounts:
    """Four tiles of which some show their backs; ``cost``: of the faces of the others."""
    backs = sum(table.is_back(tile) for tile in tiles)
    return {
        "set_face": cost,
        "kong_backs": float(np.interp(backs, *CURVES["kong_backs"])),
        "missing_tile": float(KONG - len(tiles)),
    }


def of_added(tile: int, face: Tile, table: TableEvidence) -> Amounts:
    """A fourth tile on or beside a pung."""
    return {"set_face": table.face_cost(tile, face)}


FALSE_SET: Final[Amounts] = {"false_set": 1.0}


def of_feeder(pointed_to: Seat | None, giver: Seat) -> Amounts:
    """The sideways tile points to somebody else than who discarded it."""
    return {"turned_otherwise": float(pointed_to not in (None, giver))}


def of_elsewhere(across: bool) -> Amounts:
    """A chow of another discard than the left neighbour's."""
    return {"from_elsewhere": float(across)}


def of_held(table: TableEvidence, seat: Seat, time_s: float, tiles: Sequence[Tile]) -> Amounts:
    """What a seat's camera says against these tiles having been in its hand."""
    held = table.witness.held(seat, time_s, tiles, table.in_play) if tiles else 0.0
    return {"held": held} if tiles else {}


def of_tiles_of_no_set(count: int) -> Amounts:
    """Faces beside the set that came with it."""
    return {"of_no_set": float(count)}


def of_hidden_hand(size: int, standing: int, down: bool) -> Amounts:
    """A claim of a player before whom fewer tiles stand than the set leaves."""
    unseen = 0 if down else max(0, min(LEAST_STANDING, size - 3) - standing)
    return {"miscounted": float(unseen)}


def of_rise(off: float) -> Amounts:
    """A tile on top of a set that lies ``off`` widths from its place."""
    return {"rise_off": off}


NUDGED: Final[Amounts] = {"nudged": 1.0}
"""A tile of a set was pushed."""
AFTER_WIN: Final[Amounts] = {"after_win": 1.0}
"""Tiles before a player when the hand is over."""


def of_meaningless_tiles(tiles: Sequence[int], table: TableEvidence) -> Amounts:
    """Tiles laid before a player that mean nothing.

    Standing tiles are now and then taken for faces, so each of these may be no face.
    """
    if not all(table.is_face(tile) for tile in tiles):
        return {"sets_mean_nothing": float(len(tiles) > 2)}
    things = sum(table.clutter(tile) for tile in tiles)
    return {"sets_mean_nothing": min(1.0, things / COSTS["sets_mean_nothing"])}


def of_sign_unheard(backs_now: int, size: int) -> Amounts:
    """A hand is laid down that claimed nothing.

    Single standing tiles are now and then taken for backs: few backs at once are a weak sign.
    """
    fewer = LEAST_DOWN - 1
    return {"no_sign": min(1.0, max(0, backs_now - fewer) / max(1, size - fewer))}


NO_SIGN: Final[Amounts] = {"no_sign": 1.0}
"""The tiles were cleared away, and nobody showed an end."""
WITH_DISCARD: Final[Amounts] = {"with_discard": 1.0}
"""Readiness was claimed with the discard after a set, not with the set."""


# --- hands ---


def of_taken_tile(table: TableEvidence, track: int | None, in_row: bool, apart: bool) -> Amounts:
    """A hand wins with the last discard. ``in_row``: the row is long enough to hold it.

    ``apart``: a tile of the row lies apart, as one that was drawn.
    """
    gone = track not in table.present
    charges = {} if gone == in_row else {"not_found" if gone else "lies_there": 1.0}
    return charges | {"apart_in_hand": float(not in_row and apart)}


def of_own_draw(table: TableEvidence, hypothesis: Hypothesis) -> Amounts:
    """A hand wins with its own draw: the last discard should lie there."""
    track = hypothesis.last_tile
    players = hypothesis.state.players
    return {
        "vanished": float(track is not None and track not in table.present),
        "as_dealt": float(not any(player.river or player.melds for player in players)),
    }


def of_draw_after(unseen: int) -> Amounts:
    """The winner drew after so many discards that nobody saw."""
    return {"drawn_after": float(unseen)}


TILE_UNSEEN: Final[Amounts] = {"tile_unseen": 1.0}
"""A tile of an open hand, or the one that it won with, was not found."""
NOT_APART: Final[Amounts] = {"not_apart": 1.0}
"""The tile that a hand won with lies in its row."""
NOT_WON_TOO: Final[Amounts] = {"not_won_too": 1.0}
MISCOUNTED_HAND: Final[Amounts] = {"wrong_tile_count": 1.0}
"""What the rules have against a win with too many or too few tiles."""
SHOWN: Final[Amounts] = {"shown": 1.0}
"""A hand that is shown after the last draw."""


def one_of(count: int) -> Amounts:
    """One of so many ways between which nothing else tells."""
    return {"copies": math.log(count)}


def of_unread_hand(cost: float, ends_with_wall: bool) -> Amounts:
    """A win whose faces are not written down; ``cost``: of its likeliest faces."""
    return {"hand_left_out": 1.0, "no_more_draws": float(ends_with_wall), "set_face": cost}


def of_open_row(hypothesis: Hypothesis, seat: Seat, tiles: int, cost: float) -> Amounts:
    """A hand that lay open all along has not won: its faces cost the same whether or not it has."""
    charges = {"set_face": cost}
    if hypothesis.playing:
        more = tiles > hypothesis.waiting(seat) and hypothesis.state.turn != seat
        charges["holds_more" if more else "not_won"] = 1.0
    return charges


def of_faces(cost: float) -> Amounts:
    """The faces of a set or a hand, read as what it is taken for."""
    return {"set_face": cost}


def of_flower(cost: float, late: bool) -> Amounts:
    """A tile read as a flower. ``late``: it is laid in the turn of another seat."""
    return {"set_face": cost, "against_order": float(late)}


def of_thing(cost: float) -> Amounts:
    """Something beside the tiles is none of the game."""
    return {"clutter": cost}


def of_count(off: float) -> Amounts:
    """So many tiles more or fewer than counted."""
    return {"miscounted": off}


# --- the beginning of a hand ---


def of_dealer(counts: Sequence[int], dealer: Seat, wall: Wall) -> Amounts:
    """What the counts of standing tiles speak against a dealer.

    A tile is overlooked now and then; hardly ever is one counted that does not stand there, so that
    a tile too many tells more than one too few.
    """
    has = wall.hand_size + 1
    likely = [
        SURELY_DEALER if count >= has else OVERLOOKED * has / (has - count) for count in counts
    ]
    return {"not_dealer": math.log(max(likely) / likely[dealer])}


def of_counts(found: Snapshot, sets: Sequence[int], holds: Seat | None, wall: Wall) -> Amounts:
    """What the counts speak against hands beside so many sets, one of which has drawn."""
    off = 0.0
    for seat in (seat for seat in range(4) if seat not in found.out):
        more = found.held[seat] - (wall.waiting(sets[seat]) + (seat == holds))
        off += more * COUNTED_TOO_MANY if more > 0 else -more
    return {"miscounted": LIMITS["recounted"] * off}


def of_places(found: Snapshot, dealer: Seat, any_set: bool, table: TableEvidence) -> Amounts:
    """What the places of the discards that lie there speak against a joined hand."""
    few = 0 < found.discards <= PLACED and not any_set
    if table.layout.river == "rows":
        lying = [[table.tiles[tile] for tile in river] for river in found.rivers]
        apart = sum(max(0, len(groups(river, table.tile_mm)) - 1) for river in lying)
        odd = float(few and _rows_begin_apart(found, table))
        return {"untold_between": float(apart), "out_of_row": odd}
    if not few or found.won:
        return {}
    tiles = [tile for river in found.rivers for tile in river]
    seats = [(dealer + turn) % 4 for turn in range(len(tiles))]
    far = [[not_near(table, tile, seat) for tile in tiles] for seat in seats]
    return {"not_near": sum(far[turn][tile] for turn, tile in pairs(far).items())}


def _rows_begin_apart(found: Snapshot, table: TableEvidence) -> bool:
    """Whether not all rows begin in the same place, as seen by their players."""
    first = [
        to_seat(table.tiles[river[0]].xy_mm, seat)
        for seat, river in enumerate(found.rivers)
        if river
    ]
    return bool(np.ptp(first, axis=0).max() > ROW_BEGINS * table.tile_mm)


def of_turn(odd: int) -> Amounts:
    """Rivers and turns do not fit: so many discards too many or too few."""
    return {"odd_turn": float(odd)}


def of_joined(found: Snapshot, ready_at_once: int) -> Amounts:
    """A hand is under way where the first table rests. Hardly anybody is ready at once."""
    early = float(found.discards < FEW_DISCARDS)
    return {"joined": 1.0, "joined_early": early + ready_at_once}


def of_fewer_found(found: Snapshot, lay: Snapshot) -> Amounts:
    """What speaks against a hand under way where fewer discards were found than lay there."""
    early = [of_joined(table, 0)["joined_early"] for table in (found, lay)]
    return {"joined_early": early[0] - early[1]}


def of_plays_on(seats: int) -> Amounts:
    """So many hands lie backs up, though only winners turn theirs over in that game."""
    return {"plays_on": float(seats)}


ANOTHER_HAND: Final[Amounts] = {"another_hand": 1.0}
ANOTHER_DEAL: Final[Amounts] = {"another_deal": 1.0}


def of_other_turn(other: bool) -> Amounts:
    """Another seat is to act than was told of a joined hand."""
    return {"other_turn": float(other)}


def of_table_seen_again(found: Snapshot, state: State) -> Amounts:
    """What the sizes of the hands speak against what nobody saw."""
    off = 0
    for seat in set(range(4)) - set(found.out):
        held, size = found.held[seat], len(state.players[seat].hand)
        wrong = abs(held - size)
        if seat == state.turn and state.phase is Phase.TO_DRAW:
            wrong = min(wrong, abs(held - size - 1))  # it may have drawn
        off += wrong
    return {"miscounted": float(off)}


def of_later_ones(early: int) -> Amounts:
    """Something is told before so many things that were seen earlier."""
    return {"seen_late": float(early)}


# --- tiles put back ---


def of_discard_gone(back: bool) -> Amounts:
    """A discard that nobody claimed is gone. ``back``: its player holds a tile more."""
    return {"lost": float(back)}


def of_set_gone(back: bool) -> Amounts:
    """A set is gone, and was not taken back."""
    return {"set_gone": float(back)}


def of_lost_set(holds: bool) -> Amounts:
    """Tiles are gone that looked like a set that somebody holds."""
    return {"set_lost": float(holds)}


def of_undone(back: bool) -> Amounts:
    """Players took a step back. ``back``: the hand holds its tiles again."""
    return {"undone" if back else "undone_short": 1.0}


# --- people ---


def of_disobedience(refused: int) -> Amounts:
    """A hypothesis that cannot hold so many events that a person wrote."""
    return {"disobeys": float(refused)}

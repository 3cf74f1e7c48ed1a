"""What World Series hands pay, and what stands behind every code: document 003."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.rules.base import Ruling

LAST_FREE: Final = 25
"""Up to so many points everybody pays the value; above it somebody is responsible."""

ROWS: Final = (
    "self_draw",
    "discard_shared",
    "discard_responsible",
    "discard_immune",
    "discard_nobody",
)
"""Own draw; a discard of up to 25 points; of more; fed earlier in the same turn by another player,
or by the winner."""

NO_PATTERN: Final = "no_pattern"
LIMIT: Final = "limit"

_CLAIMS: Final = "003, Precedence of Claims"
_WALL: Final = "003, The Dead Wall and the Seabed Tile"
_KONG: Final = "003, Robbing a Kong"
_SCORING: Final = "003, Scoring the Winning Hand"
_PENALTY: Final = "003, Penalty Tiles"
_COUNT: Final = "003, Long Hand and Short Hand"

PROBLEMS: Final[Mapping[str, Ruling]] = {
    "not_left_neighbour": Ruling(_CLAIMS, "claim_returned"),
    "outranked": Ruling(_CLAIMS, "other_claim_stands"),
    "claim_forbidden": Ruling(_WALL, "claim_returned"),
    "no_kong_now": Ruling(_WALL, "claim_returned"),
    "wall_not_used_up": Ruling(_WALL, "play_on"),
    "rounds_over": Ruling("003, rounds from East to North", "game_played"),
    "no_robbing": Ruling(_KONG, "win_refused"),
    "not_a_win": Ruling(_SCORING, "win_refused"),
    "score_too_high": Ruling(_SCORING, "correct_value"),
    "score_too_low": Ruling(_SCORING, "correct_value"),
    "winning_tile_mixed": Ruling(_SCORING, "nine_gates_lost"),
    "exposed_tile": Ruling(_PENALTY, "penalty_tiles"),
    "dead_tile": Ruling(_PENALTY, "dead_tile_returned"),
    "penalty_tile_in_claim": Ruling(_PENALTY, "wrong_claim"),
    "wrong_claim": Ruling(_PENALTY, "claim_and_tiles"),
    "false_win": Ruling(_PENALTY, "shown_tiles_penalty"),
    "wrong_tile_count": Ruling(_COUNT, "cannot_win"),
    "short_hand": Ruling(_COUNT, "cannot_win"),
    "long_hand": Ruling(_COUNT, "cannot_win_or_claim"),
    "dead_hand": Ruling(_COUNT, "cannot_win"),
    "no_ready_call": Ruling("003 has no such call", "call_ignored"),
}

"""What a riichi hand is worth: han and fu from the ``mahjong`` package, the rest of it from here.

The package names yaku and counts fu of every reading of the hand. Which reading is taken, what 13
han are worth, whether yakuman add up or count double, and renhou that counts alone, are decided
here, by the options of the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.hand_calculating.scores import ScoresCalculator, ScoresResult
from mahjong.hand_calculating.yaku_config import YakuConfig
from mahjong.meld import Meld as PackageMeld

from engine.hands import SETS_ONLY, Form, wins
from engine.rules.riichi_facts import NO_YAKU, Facts, Score
from engine.rules.riichi_yaku import (
    DORA,
    MANGAN_BASE,
    YAKU,
    YAKUMAN,
    YAKUMAN_BASE,
    YAKUMAN_HAN,
    base_points,
    dora_among,
)
from engine.state import EAST, SetKind
from engine.tiles import KINDS, REDS, Tile

__all__ = ["NO_YAKU", "Facts", "Score", "has_yaku", "least_fan", "score"]

_DRAGONS: Final = (Tile("5z"), Tile("6z"), Tile("7z"))
_MANY_COUNTERS: Final = 5
"""From so many counters on two fan are needed (004, 3.4.11)."""


def score(facts: Facts, options: Mapping[str, object]) -> Score | None:
    """What the hand is worth by the reading that pays most; None for no complete hand.

    A hand without a yaku is ``NO_YAKU``. Tiles must be known: a hand with a hidden tile is no
    complete hand.
    """
    hand = _hand(facts)
    if hand is None:
        return None
    renhou = (
        facts.first_turn and not facts.drawn and not facts.melds and facts.seat_wind != EAST
    ) and options["renhou"]
    counts = _dora(facts, options)
    config = _config(
        _circumstances(facts, renhou == "yakuman"),
        facts.seat_wind.place,
        facts.round_wind.place,
        bool(options["open_tanyao"]),
        options["thirteen_fan"] == "yakuman",
        sum(counts),
    )
    reading = _reading(*hand, config)
    if reading is None:
        return None
    best = _worth(reading, counts, options)
    if renhou == "mangan" and best.base < MANGAN_BASE:
        # It stands alone (EMA 2016, renhou): a hand that is worth more without it is not held down.
        return Score(5, best.fu, (("renhou", 5),), 0, MANGAN_BASE)
    return best


def has_yaku(facts: Facts, options: Mapping[str, object], counters: int = 0) -> bool:
    """Whether the completed hand may win: a yaku, or two fan of them at five counters.

    False for a hand that is not complete.
    """
    least = least_fan(options, counters)
    if least == 1 and _surely_yaku(facts, options):
        forms = SETS_ONLY if facts.melds else _CLOSED_FORMS
        return _hand(facts) is not None and wins(facts.tiles, forms=forms)
    # Fu of two readings differ too little for one with fewer fan of yaku to pay more.
    found = score(facts, options)
    return found is not None and found.fan_of_yaku >= least


def least_fan(options: Mapping[str, object], counters: int) -> int:
    """Fan of yaku that a win needs."""
    return 2 if options["two_yaku_at_five_counters"] and counters >= _MANY_COUNTERS else 1


_CLOSED_FORMS: Final = frozenset({Form.SETS, Form.DISTINCT_PAIRS, Form.ORPHANS})
_OUTER: Final = frozenset(map(Tile, (code for code in KINDS if code[1] == "z" or code[0] in "19")))


def _surely_yaku(facts: Facts, options: Mapping[str, object]) -> bool:
    """Whether the hand has a yaku however it is read, if it is complete."""
    closed = facts.closed
    if closed and (facts.drawn or facts.riichi or facts.double_riichi):
        return True
    tiles = facts.all_tiles
    if any(tiles.count(wind) >= 3 for wind in (*_DRAGONS, facts.seat_wind, facts.round_wind)):
        return True
    return (closed or bool(options["open_tanyao"])) and _OUTER.isdisjoint(tiles)


# --- what is ours ---------------------------------------------------------------------------------

Yaku = tuple[tuple[str, int], ...]


def _dora(facts: Facts, options: Mapping[str, object]) -> tuple[int, int, int]:
    """Dora, ura dora and red fives; ura only for a hand that declared riichi."""
    tiles = facts.all_tiles
    declared = facts.closed and (facts.riichi or facts.double_riichi)
    return (
        dora_among(tiles, facts.indicators),
        dora_among(tiles, facts.ura) if declared else 0,
        sum(tile in REDS for tile in tiles) if options["red_fives"] else 0,
    )


def _worth(
    reading: tuple[int, Yaku], counts: tuple[int, int, int], options: Mapping[str, object]
) -> Score:
    fu, yaku = reading
    if not yaku:
        return NO_YAKU
    if yaku[0][0] in _YAKUMAN:
        doubled = options["double_yakuman"]
        assert isinstance(doubled, tuple)
        times = [2 if name in doubled else 1 for name, _ in yaku]
        counted = sum(times) if options["cumulative_yakuman"] else max(times)
        listed = tuple(
            (name, YAKUMAN_HAN * time) for (name, _), time in zip(yaku, times, strict=True)
        )
        return Score(YAKUMAN_HAN * counted, fu, listed, counted, YAKUMAN_BASE * counted)
    listed = (*yaku, *((name, count) for name, count in zip(DORA, counts, strict=True) if count))
    han = sum(count for _, count in listed)
    return Score(han, fu, listed, 0, base_points(han, fu, options["thirteen_fan"] == "yakuman"))


# --- what the package is asked --------------------------------------------------------------------

_PACKAGE_NAMES: Final = {
    "double_riichi": "daburu_riichi",
    "menzen_tsumo": "tsumo",
    "iipeikou": "iipeiko",
    "seat_wind": "seat_wind_",
    "round_wind": "round_wind_",
    "sanshoku_doujun": "sanshoku",
    "chanta": "chantai",
    "sanshoku_doukou": "sanshoku_douko",
    "honroutou": "honroto",
    "shousangen": "shosangen",
    "ryanpeikou": "ryanpeiko",
    "kokushi_thirteen": "daburu_kokushi",
    "chuuren": "chuuren_poutou",
    "chuuren_nine": "daburu_chuuren_poutou",
    "ryuuiisou": "ryuisou",
    "chinroutou": "chinroto",
    "tsuuiisou": "tsuisou",
    "shousuushii": "shosuushi",
    "daisuushii": "daisuushi",
}
"""Where the package calls a yaku otherwise; one that ends in ``_`` has a name for each wind."""

_IDS: Final = {
    known.yaku_id: name
    for name in (*YAKU, *YAKUMAN)
    for attribute, known in vars(YakuConfig()).items()
    if (called := _PACKAGE_NAMES.get(name, name)) == attribute
    or (called.endswith("_") and attribute.startswith(called))
}
_YAKUMAN: Final = frozenset(YAKUMAN)
_ORDER: Final = {name: place for place, name in enumerate((*YAKU, *YAKUMAN))}
_SETS: Final = {
    SetKind.CHOW: (PackageMeld.CHI, True),
    SetKind.PUNG: (PackageMeld.PON, True),
    SetKind.OPEN_KONG: (PackageMeld.KAN, True),
    SetKind.ADDED_KONG: (PackageMeld.SHOUMINKAN, True),
    SetKind.CLOSED_KONG: (PackageMeld.KAN, False),
}

_HAND_SIZE: Final = 14
_PLACE: Final = {code: Tile(code).kind.place for code in (*KINDS, *REDS)}
"""Place of each tile's kind; a hidden tile has none."""

_Set = tuple[SetKind, tuple[int, ...]]
"""A declared set: its kind, and its tiles by their place in the list of kinds."""
_Hand = tuple[tuple[int, ...], tuple[_Set, ...], int]
"""Undeclared tiles, declared sets, the winning tile."""


def _hand(facts: Facts) -> _Hand | None:
    """The tiles as the package counts them, sorted; None where they cannot be a hand."""
    if len(facts.tiles) + 3 * len(facts.melds) != _HAND_SIZE:
        return None
    try:
        tiles = sorted([_PLACE[tile] for tile in facts.tiles])
        tile = _PLACE[facts.tile]
        sets = sorted(
            (meld.kind, tuple(sorted([_PLACE[tile] for tile in meld.tiles])))
            for meld in facts.melds
        )
    except KeyError:
        return None
    if tile not in tiles or any(kind not in _SETS for kind, _ in sets):
        return None
    return tuple(tiles), tuple(sets), tile


def _circumstances(facts: Facts, renhou_yakuman: bool) -> tuple[str, ...]:
    """Flags of the package's configuration that are set; contradictions of a record left out."""
    drawn, east = facts.drawn, facts.seat_wind == EAST
    riichi = facts.closed and (facts.riichi or facts.double_riichi)
    first = facts.first_turn and drawn and not facts.melds
    replaced = facts.after_kong and drawn
    robbed = facts.robbed_kong and not drawn
    flags = {
        "is_tsumo": drawn,
        "is_riichi": riichi,
        "is_daburu_riichi": riichi and facts.double_riichi,
        "is_ippatsu": riichi and facts.ippatsu,
        "is_rinshan": replaced,
        "is_chankan": robbed,
        # The last tile does not count with a replacement tile (EMA 2016, haitei).
        "is_haitei": facts.last_tile and drawn and not replaced,
        "is_houtei": facts.last_tile and not drawn and not robbed,
        "is_tenhou": first and east,
        "is_chiihou": first and not east,
        "is_renhou": renhou_yakuman,
    }
    return tuple(name for name, is_set in flags.items() if is_set)


@lru_cache(maxsize=1 << 10)
def _config(
    flags: tuple[str, ...],
    seat_wind: int,
    round_wind: int,
    open_tanyao: bool,
    thirteen_is_yakuman: bool,
    dora: int,
) -> HandConfig:
    """The package's view of the table; dora are given to it as so many north tiles set aside."""
    rules = OptionalRules(
        has_open_tanyao=open_tanyao,
        has_double_yakuman=False,
        kazoe_limit=(
            HandConfig.KAZOE_LIMITED if thirteen_is_yakuman else HandConfig.KAZOE_SANBAIMAN
        ),
        renhou_as_yakuman=True,
        limit_to_sextuple_yakuman=False,
    )
    config = HandConfig(
        player_wind=seat_wind, round_wind=round_wind, options=rules, num_nuki_dora=dora
    )
    for flag in flags:
        setattr(config, flag, True)
    return config


class _Ranking(ScoresCalculator):
    """Ranks the readings of a hand as the table pays them."""

    @staticmethod
    def calculate_scores(
        han: int, fu: int, config: HandConfig, is_yakuman: bool = False
    ) -> ScoresResult:
        if is_yakuman:
            base = YAKUMAN_BASE * (han // YAKUMAN_HAN)
        else:
            base = base_points(han, fu, config.options.kazoe_limit == HandConfig.KAZOE_LIMITED)
        return ScoresResult(
            main=0,
            additional=0,
            main_bonus=0,
            additional_bonus=0,
            kyoutaku_bonus=0,
            total=base,
            yaku_level="",
        )


@lru_cache(maxsize=1 << 12)
def _package_set(declared: _Set) -> PackageMeld:
    kind, places = declared
    name, is_open = _SETS[kind]
    return PackageMeld(name, [4 * place for place in places], opened=is_open)


@lru_cache(maxsize=1 << 15)
def _reading(
    tiles: tuple[int, ...],
    sets: tuple[_Set, ...],
    tile: int,
    config: HandConfig,
) -> tuple[int, Yaku] | None:
    """Fu and yaku of the best reading; no yaku for a hand that has none; None for no hand.

    ``config`` comes from ``_config``: one object for each combination, so it is its own key.
    """
    every = sorted((*tiles, *(place for _, places in sets for place in places)))
    if any(every[place] == every[place + 4] for place in range(len(every) - 4)):
        return None
    # The package numbers the four copies of a kind; which copy is which means nothing here.
    numbered = [4 * place + every[:at].count(place) for at, place in enumerate(every)]
    found = HandCalculator.estimate_hand_value(
        numbered,
        4 * tile,
        melds=[_package_set(declared) for declared in sets],
        config=config,
        scores_calculator_factory=_Ranking,
    )
    if found.error == HandCalculator.ERR_NO_YAKU:
        return 0, ()
    if found.error is not None or found.yaku is None or found.fu is None:
        return None
    yaku = sorted(
        (
            (_IDS[one.yaku_id], one.han_open if found.is_open_hand else one.han_closed)
            for one in found.yaku
            if one.yaku_id in _IDS
        ),
        key=lambda row: _ORDER[row[0]],
    )
    return found.fu, tuple(yaku)

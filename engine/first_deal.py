"""From an empty table to the first turn, step by step, and what counted tiles say of it.

Nothing here belongs to one game: how many tiles, stacks, rounds of dealing and whatever is turned
up or exchanged follow from the tables of the rule set and the options of the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from engine.events import Entry, HandStart, Seat
from engine.rules.base import RuleSet
from engine.state import State
from engine.tiles import WINDS, Tile

AT_ONCE: Final = 4
"""Tiles that a player takes at a time while there are so many to take: two stacks."""
NOT_COUNTED: Final[tuple[int | None, ...]] = (None,) * 4
OPTION_STEPS: Final[Mapping[str, str]] = {"exchange": "exchange", "void_suit": "void_suit"}
"""House rules by which players do something more before the first turn, with its step."""


@dataclass(frozen=True)
class Move:
    """What may happen next: the type of an event, and whose it is."""

    event: str
    seat: Seat | None = None


@dataclass(frozen=True)
class Step:
    """One thing that is to be done or may be done now, as its sentence and its picture need it."""

    code: str
    seat: Seat | None = None
    """Who does it. None is everybody."""
    players: tuple[Seat, ...] = ()
    """Who may, where it is not everybody's."""
    values: Mapping[str, int] = field(default_factory=dict)
    tiles: tuple[tuple[Tile, ...], ...] = ()
    """What is drawn beside it; the tiles of a group stand together."""
    turned: int | None = None
    """The place in the first group of the tile that lies sideways."""
    other: Seat | None = None
    """Whom it is about beside ``seat``."""
    moves: frozenset[Move] = frozenset()
    """The events by which it is done."""


@dataclass(frozen=True)
class LaidSet:
    """A claimed set as it is seen to lie: which of its tiles is turned sideways."""

    seat: Seat
    index: int
    """Its place among the declared sets of its player, the first is 0."""
    turned: int | None
    """The place of the sideways tile, from its player's left on; None where none lies so."""


@dataclass(frozen=True)
class Counted:
    """What is seen of the tiles without their faces, by seat; None: not counted."""

    stacks: tuple[int | None, ...] = NOT_COUNTED
    """Stacks of the wall before each player: from above, two tiles look like one."""
    standing: tuple[int | None, ...] = NOT_COUNTED
    """Tiles that stand before each player."""
    dice: tuple[int, ...] = ()
    """What the dice show."""
    laid: tuple[LaidSet, ...] = ()
    """Claimed sets that are seen beyond doubt while a hand is played; of others nothing is said."""


@dataclass(frozen=True)
class Slip:
    """Something that the tiles on the table show to be wrong, whatever their faces."""

    code: str
    seat: Seat
    values: Mapping[str, int] = field(default_factory=dict)


def total_stacks(rules: RuleSet, options: Mapping[str, object]) -> int:
    return sum(rules.wall.under(options).values()) // 2


def stacks_of(rules: RuleSet, options: Mapping[str, object], dealer: Seat) -> tuple[int, ...]:
    """How many stacks each seat builds.

    If they cannot all build alike, the dealer and the player opposite build one more.
    """
    each, more = divmod(total_stacks(rules, options), 4)
    first = sorted(range(4), key=lambda seat: ((seat - dealer) % 2, (seat - dealer) % 4))
    return tuple(each + (seat in first[:more]) for seat in range(4))


def broken_at(dealer: Seat, dice: tuple[int, ...]) -> Seat:
    """Whose wall is broken: as many players as the dice show are counted, from the dealer on."""
    return (dealer + sum(dice) - 1) % 4


def before_first_turn(
    rules: RuleSet, state: State, counted: Counted | None = None
) -> tuple[Step, ...]:
    """The steps from an empty table to the dealer's first discard, in their order.

    ``state`` says who deals and by which options; of dice that were seen, ``counted``.
    """
    if len(state.may_deal) > 1:
        return (Step("who_deals", players=state.may_deal),)
    return tuple(_steps(rules, state, counted or Counted()))


def _steps(rules: RuleSet, state: State, counted: Counted) -> Iterator[Step]:
    options = state.options or rules.all_options()
    dealer, size = state.dealer, rules.wall.hand_size
    if WINDS[0] in rules.wall.under(options):
        yield Step("sit", dealer, tiles=(WINDS,))
    else:
        yield Step("sit_plain", dealer)
    tiles = sum(rules.wall.under(options).values())
    stacks = stacks_of(rules, options, dealer)
    even = len(set(stacks)) == 1
    yield Step(
        "build" if even else "build_uneven",
        dealer,
        values={"tiles": tiles, "stacks": max(stacks), "fewer": min(stacks)},
    )
    if counted.dice:
        total = sum(counted.dice)
        yield Step("break_at", broken_at(dealer, counted.dice), values={"total": total})
    else:
        yield Step("dice", dealer)
    rounds, singles = divmod(size, AT_ONCE)
    taker = takes_next(rules, dealer, counted.standing)
    if taker is None:
        yield Step("take", dealer, values={"rounds": rounds, "count": rounds * AT_ONCE})
    else:
        yield Step("takes", taker[0], values={"count": taker[1]})
    if singles:
        yield Step("take_single", dealer, values={"singles": singles, "count": size})
    yield Step("one_more", dealer, values={"count": size + 1, "others": size})
    yield Step("sort", values={"count": size})
    if rules.wall.flowers(options):
        flowers = tuple(tile for tile in rules.wall.under(options) if tile.suit == "f")
        yield Step("lay_flowers", dealer, tiles=(flowers,))
    if rules.layout.indicator_at == "wall":
        begun = rules.attempt(state, Entry(HandStart(dealer=dealer)), 0)
        if begun is not None and rules.indicators.due(begun.state):
            yield Step("turn_up", dealer)
    elif rules.layout.indicator_at != "none":
        yield Step("kept_secret", dealer)
    if rules.wall.never_drawn:
        code = "kept_back_flowers" if rules.wall.flowers(options) else "kept_back"
        yield Step(code, values={"count": rules.wall.never_drawn})
    yield from (Step(code) for name, code in OPTION_STEPS.items() if options.get(name))
    yield Step("first_turn", dealer)


def takes_next(
    rules: RuleSet, dealer: Seat, standing: tuple[int | None, ...]
) -> tuple[Seat, int] | None:
    """Who takes tiles next and how many, by what stands there; None where that is not known.

    Before anybody has taken any, and once all have theirs, nobody is named.
    """
    if None in standing or not any(standing):
        return None
    size = rules.wall.hand_size
    held = [count or 0 for count in standing]
    order = [(dealer + step) % 4 for step in range(4)]
    wants = [seat for seat in order if held[seat] < size]
    if not wants:
        return (dealer, 1) if held[dealer] == size else None
    seat = min(wants, key=lambda seat: (held[seat] // AT_ONCE, order.index(seat)))
    return seat, min(AT_ONCE, size - held[seat])


def reached(rules: RuleSet, state: State, counted: Counted) -> str | None:
    """The code of the step that the counted tiles show; None where they show nothing."""
    standing = [count for count in counted.standing if count is not None]
    if any(standing):
        size = rules.wall.hand_size
        dealt = len(standing) == 4 and min(standing) >= size and max(standing) > size
        return "sort" if dealt else "take"
    stacks = [count for count in counted.stacks if count is not None]
    if len(stacks) < 4 or not any(stacks):
        return None
    options = state.options or rules.all_options()
    if sorted(stacks) != sorted(stacks_of(rules, options, state.dealer)):
        return "build"  # as many tiles may also be washed
    return "take" if counted.dice else "dice"


def cleared(counted: Counted) -> bool:
    """Whether no hand of before stands any more: the table is bare, or its tiles are washed.

    Of one seat it may be hidden whether tiles stand there, as under an arm that washes.
    """
    return not any(counted.standing) and (
        counted.standing.count(0) >= 3 or None not in counted.stacks
    )


def counted_wrong(
    rules: RuleSet, state: State, counted: Counted, *, still: bool
) -> tuple[Slip, ...]:
    """What the counted tiles show to be wrong before anybody has played.

    A wall is judged once all tiles lie in walls, or ``still``, when three are whole; hands while
    they are dealt by what nobody may have, and by what lacks once somebody has the last tile.
    ``still``: as many have been counted for a while.
    """
    if any(counted.standing):
        return tuple(_hands_wrong(rules, state.dealer, counted.standing, still=still))
    return tuple(_walls_wrong(rules, state, counted.stacks, still=still))


def _walls_wrong(
    rules: RuleSet, state: State, stacks: tuple[int | None, ...], *, still: bool
) -> Iterator[Slip]:
    if None in stacks or not all(stacks):
        return
    options = state.options or rules.all_options()
    built, wanted = [count or 0 for count in stacks], stacks_of(rules, options, state.dealer)
    if sorted(built) == sorted(wanted):
        return  # whoever builds one more, all tiles are there
    whole = sum(count == size for count, size in zip(built, wanted, strict=True))
    if sum(built) != sum(wanted) and not (still and whole == 3):
        return  # they are still being built
    for seat in range(4):
        if built[seat] != wanted[seat]:
            code = "wall_short" if built[seat] < wanted[seat] else "wall_long"
            yield Slip(code, seat, {"count": built[seat], "wanted": wanted[seat]})


def _hands_wrong(
    rules: RuleSet, dealer: Seat, standing: tuple[int | None, ...], *, still: bool
) -> Iterator[Slip]:
    """The dealer may take the last two tiles at once, before the others take their last one."""
    size = rules.wall.hand_size
    dealt = any(count is not None and count > size for count in standing)
    for seat, count in enumerate(standing):
        most = size + (seat == dealer)
        others = [each for at, each in enumerate(standing) if at != seat]
        settled = still or all(each is not None and each >= size for each in others)
        least = size if settled else size - size % AT_ONCE
        if count is not None and count > most:
            yield Slip("too_many", seat, {"count": count, "wanted": most})
        elif count is not None and dealt and count < least:
            yield Slip("too_few", seat, {"count": count, "wanted": most})

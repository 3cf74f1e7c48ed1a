"""Turns a played hand into motions: which hand carries which tile where, and when.

The module is long because one object must know where every tile is while it plans the motions.
Each kind of event has its own method.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from engine import events as ev
from engine.rules import RULE_SETS
from engine.rules.layout import TableLayout
from engine.tiles import Tile
from studio.film.arms import Arms, HandRows, RiichiSticks
from studio.film.dice_rolls import DiceRolls
from studio.film.grades import GRADES, FilmGrade
from studio.film.knocked_tiles import KnockedTiles
from studio.film.shuffling import below, walls_rise, wash_by_hand, wash_by_machine
from studio.film.timeline import Timeline
from studio.play.played_hand import ShortWall, SimulatedHand, deal_order
from studio.scene import Pose, Prop
from studio.table.film_setup import in_the_way
from studio.table.layout import (
    Measures,
    SetShape,
    Spot,
    hand_spots,
    river_spot,
    set_spots,
    turned_place,
)
from studio.table.loose_discards import before_wall, loose_spot, nearest_seat
from studio.table.seats import Declared, Seats
from studio.table.wall import Wall

ROOM = 6  # tiles that an open hand leaves room for, where winners play on
HASTE = 0.2  # how often a player acts before the previous player's hands have left the table


@dataclass(frozen=True)
class Mark:
    """The time at which the settled table first shows an event."""

    t_s: float
    event: ev.Event


class Director:
    """Plans the motions of a game; ``stage`` and ``marks`` are the result."""

    def __init__(
        self,
        table: Measures,
        layout: TableLayout,
        faces: Sequence[Tile],
        rng: random.Random,
        pace: float = 1.0,
        open_hands: Collection[int] = (),
        automatic: bool = False,
        things: Sequence[Prop] = (),
        grade: FilmGrade = GRADES["any"],
        dice: random.Random | None = None,
    ) -> None:
        """``dice`` decides how dice fall; without it no dice are rolled in sight."""
        self.table, self.layout, self.rng = table, layout, rng
        self.faces = tuple(faces)
        self.things = tuple(things)
        self._automatic = automatic
        self.stage = Timeline(table.half_mm, rng, grade.sloppy)
        self._arms = Arms(self.stage, table, rng, pace, grade.lingers)
        self._knocks = KnockedTiles(self._arms)
        self._knocked = grade.knocks
        self.marks: list[Mark] = []
        self.now = 0.0
        self.begins_s = 0.0
        """When the film begins; what happens before is not shown."""
        self._open_hands = open_hands
        """Seats whose hands lie face up."""
        self._aligned = rng.choice((0.1, 0.3, 0.6))
        self._added: Literal["beside", "on"] = rng.choice(("beside", "on"))
        self._take_win = rng.random() < 0.7
        self._winners_stay = False
        """Winners lay each tile that they have won with apart, and play on."""
        self._wins_taken = False
        """The winning tile is moved to the hand; never if several players win on it."""
        self._deposits = RiichiSticks(self._arms)
        self.rolls = None if dice is None else DiceRolls(table, self._arms, dice)
        self._seats = Seats(table, layout, self.faces)
        self._rows = HandRows(self._arms, self._seats)
        self._laid_turned: int | None = None
        """Which tile of the set that is laid now lies sideways; None: by who threw it."""
        self._hands_played = 0

    def game(self, start: ev.GameStart, hands: Sequence[SimulatedHand], end: ev.GameEnd) -> None:
        self._winners_stay = RULE_SETS[start.rules].payment.wins_to_end is None
        self.mark(start, 0.0)
        for hand in hands:
            self.play(hand)
        self.now += self._arms.scaled(1.5)
        self.mark(end, self.now)
        self.now += 0.5

    def play(self, hand: SimulatedHand) -> None:
        """Build the wall, deal, and act every event of one hand."""
        poses: list[Pose] = ["up" if seat in self._open_hands else "standing" for seat in range(4)]
        self._seats.clear(poses, [self.rng.uniform(8, 14) for _ in range(4)])
        self._wall = wall = Wall(self.table, self.layout, hand, self.faces, self.rng)
        if self._hands_played == 0 and hand.empty_s:
            for tile, place in zip(wall.ids, wall.places, strict=True):
                self.stage.put(tile, below(place))
            self.now = walls_rise(self._arms, wall.ids, wall.places, hand.empty_s)
        elif self._hands_played == 0:
            for tile, place in zip(wall.ids, wall.places, strict=True):
                self.stage.put(tile, self.stage.jittered(place, 0.15, 0.3))
            self.now = self.rng.uniform(0.8, 1.6)
            self._complete(hand.short_wall)
        else:
            self._deposits.take_away(self.now)
            wash = wash_by_machine if self._automatic else wash_by_hand
            self.now = wash(self._arms, wall.ids, wall.places, self.now + 0.4)
        self._hands_played += 1
        winners = sum(isinstance(event, ev.Win) for event in hand.events)
        self._wins_taken = self._take_win and winners == 1
        for number, event in enumerate(hand.events):
            if isinstance(event, ev.HandStart):
                self.mark(event, self.now)
                if self.rolls is not None and event.dice:
                    _, self.now = self.rolls.roll(hand.dealer, event.dice, self.now)
                self._deal(hand)
            else:
                self._play(hand, number)

    def _complete(self, short: ShortWall | None) -> None:
        """Leave the end of a wall out at first, and put it there later."""
        if short is None:
            return
        tiles = self._wall.left_end(short.seat, short.stacks)
        places = [self.stage.spots[tile] for tile in tiles]
        for tile, place in zip(tiles, places, strict=True):
            self.stage.put(tile, below(place))
        begin = self.now + short.for_s
        for tile, place in zip(tiles, places, strict=True):
            self.stage.move(tile, begin, begin + 0.5, place, 0.0)
        self.now = self._arms.touch(short.seat, places[0], begin, 0.6) + 0.5

    def things_at(self, time_s: float) -> tuple[Prop, ...]:
        """Return the objects on and beside the table at this time."""
        rolled = () if self.rolls is None else self.rolls.at(time_s)
        return (*self.things, *self._deposits.at(time_s), *rolled)

    def _play(self, hand: SimulatedHand, number: int) -> None:
        """Act the event with this number."""
        self._act(hand.events[number])

    def _act(self, event: ev.Event) -> None:
        turn = isinstance(event, ev.Draw | ev.Discard)
        if self._knocked and turn and self.rng.random() < self._knocked:
            self.now = self._knocks.knock(self._seats, self.now)
        match event:
            case ev.Deal():
                self.mark(event, self.now)
                if event.seat in self._open_hands:
                    self.mark(ev.Reveal(event.seat, event.tiles), self.now)
            case ev.Draw():
                self._draw(event)
            case ev.Discard():
                self._discard(event)
            case ev.Chow() | ev.Pung():
                self._claim(event)
            case ev.Kong():
                self._kong(event)
            case ev.Flower():
                self._flower(event)
            case ev.Dice():
                self._roll(event)
            case ev.Indicator():
                self._turn_up_indicator(event)
            case ev.Win():
                self._win(event)
            case ev.Reveal():
                self._reveal(event)
            case ev.DrawnHand():
                self.now += self._arms.scaled(1.2)
                self.mark(event, self.now)
            case ev.HandEnd():
                self.now += self._arms.scaled(self.rng.uniform(2.5, 4.0))
                self.mark(event, self.now)
            case _:
                raise ValueError(f"cannot film {event!r}")

    def _pause(self, landed: float, settled: float) -> None:
        """Wait until the hands are gone; sometimes the next player is hasty."""
        if self.rng.random() < HASTE:
            self.now = max(self.now, landed + self._arms.scaled(self.rng.uniform(0.0, 0.3)))
        else:
            self.now = max(self.now, settled + self._arms.scaled(self.rng.uniform(0.15, 0.9)))

    def mark(self, event: ev.Event, t_s: float) -> None:
        """Record when an event is seen; times never decrease."""
        before = self.marks[-1].t_s if self.marks else 0.0
        self.marks.append(Mark(max(t_s, before), event))

    def _deal(self, hand: SimulatedHand) -> None:
        """Deal four at a time, then one each; then everybody stands their tiles up."""
        step = 0.62 * max(0.6, min(1.2, self._arms.pace))
        time = self.now + 0.3
        for seat, count in deal_order(hand.dealer, hand.hand_size):
            tiles = [self._wall.draw() for _ in range(count)]
            player = self._seats[seat]
            row = hand_spots(self.table, seat, hand.hand_size + 1, False, "down", 0.0, "right")
            at = len(player.hand)
            player.hand += tiles
            start = max(time, self.stage.free_at(seat) - 0.1)
            targets = [
                self.stage.jittered(row[min(at + offset, hand.hand_size)], 1.0, 1.5)
                for offset in range(count)
            ]
            self._arms.carry(seat, tiles, targets, start, 0.3)
            time = start + step
        time += 0.9
        if self.layout.indicator_at == "aside":
            tile, nearest, place = self._wall.set_aside()
            target = self.stage.jittered(place, 1.0, 2.0)
            self._arms.carry(nearest, [tile], [target], time, 0.4)
        for seat in range(4):
            player = self._seats[seat]
            self._seats.sort(seat)
            begin = time + self.rng.uniform(0.0, 0.5)
            self._rows.arrange(seat, begin, begin + 0.5, lift_mm=18.0)
            self._rows.at_row(seat, begin, 0.7)
        self.now = time + 1.9

    def _draw(self, event: ev.Draw) -> None:
        seat = event.seat
        tile = self._wall.draw(event.end == "tail")
        if self.faces[tile] != event.tile:
            raise ValueError(f"the wall holds {self.faces[tile]}, the record draws {event.tile}")
        landed, left = self._pick_up(seat, tile)
        self.mark(event, left)
        self._seats.last = None
        self._pause(landed, left)

    def _pick_up(self, seat: int, tile: int) -> tuple[float, float]:
        """Stand a tile of the wall beside the hand; return when it stands and the hand is gone."""
        player = self._seats[seat]
        player.hand.append(tile)
        player.drawn = tile
        target = self._seats.hand_targets(seat)[-1]
        fixed = player.pose == "down" or (self._winners_stay and seat not in self._open_hands)
        pose: Pose = "standing" if fixed else player.pose
        if pose != target.pose:
            target = replace(target, pose=pose, z_mm=self.table.height_mm / 2)
        start = max(self.now, self.stage.free_at(seat) - 0.15)
        return self._arms.carry(
            seat, [tile], [self.stage.jittered(target, 0.8, 1.5)], start, self._arms.scaled(0.5)
        )

    def _flower(self, event: ev.Flower) -> None:
        """Lay a flower beside the sets, and take the tile for it."""
        seat, player = event.seat, self._seats[event.seat]
        tile = self._seats.take(seat, event.tile, drawn=True)
        shape = SetShape(None, count=1)
        offset = self._seats.sets_mm(seat)
        player.sets.append(Declared([tile], shape))
        player.drawn = None
        (target,) = set_spots(self.table, seat, shape, offset, self.layout.sets_at)
        start = max(self.now, self.stage.free_at(seat) - 0.1)
        landed, left = self._arms.carry(
            seat, [tile], [self.stage.jittered(target, 0.2, 0.35)], start, self._arms.scaled(0.5)
        )
        self._rows.arrange(seat, start + 0.3, start + 0.75)
        self.mark(event, left)
        self._pause(landed, left)
        if not event.drawn.known:
            return
        picked, left = self._pick_up(seat, self._wall.draw(from_tail=True))
        if len(player.hand) % 3 == 1:
            player.drawn = None
            left = max(left, self._rows.tidy(seat, picked, inserted=True))
        self._pause(picked, left)

    def _discard(self, event: ev.Discard) -> None:
        seat, player = event.seat, self._seats[event.seat]
        tile = self._seats.take(seat, event.tile, event.drawn)
        sideways = self.layout.ready_sign == "sideways" and (event.ready or player.owes_turned)
        player.owes_turned = False
        target = self._river_target(seat, tile, sideways)
        player.river.append(tile)
        start = max(self.now, self.stage.free_at(seat) - 0.1)
        landed, left = self._arms.carry(seat, [tile], [target], start, self._arms.scaled(0.5))
        ready = event.ready or player.claimed_ready
        tidied = player.drawn is not None and player.drawn != tile
        player.drawn = None
        self._seats.last = (seat, tile)
        settled = left
        if tidied or player.pose == "standing":
            settled = max(left, self._rows.tidy(seat, landed - 0.25, tidied))
        if ready and self.layout.ready_sign == "laid" and player.pose != "down":
            settled = self._rows.lay_down(seat, max(landed + 0.25, settled - 0.2))
            self.mark(event, settled)
            self._maybe_look_aside(seat, settled)
        else:
            self.mark(event, settled)
        player.claimed_ready = False
        if event.ready and self.layout.ready_sign == "sideways":
            settled = max(settled, self._deposits.put(seat, left))
        self._pause(landed, settled)

    def _claim(self, event: ev.Chow | ev.Pung) -> None:
        seat, player = event.seat, self._seats[event.seat]
        claimed = self._seats.claim()
        own = [self._seats.take(seat, tile) for tile in event.own]
        if isinstance(event, ev.Chow):
            own.sort(key=self._seats.sort_key)
        turned = turned_place(self.layout, seat, event.from_seat, 3)
        turned = turned if self._laid_turned is None else self._laid_turned
        tiles = [*own]
        tiles.insert(1 if turned is None else turned, claimed)
        player.claimed_ready = event.ready
        self._declare(seat, tiles, SetShape(turned), claimed, event)

    def _kong(self, event: ev.Kong) -> None:
        seat, player = event.seat, self._seats[event.seat]
        if event.kind == "added":
            self._add_to_pung(event)
            return
        wanted = event.own if event.own is not None else (event.tile,) * 4
        if event.kind == "closed":
            tiles = [self._seats.take(seat, tile) for tile in wanted[:4]]
            shape = SetShape(None, self.layout.closed_kong_down, count=4)
            claimed = None
        else:
            claimed = self._seats.claim()
            own = event.own if event.own is not None else (event.tile,) * 3
            tiles = [self._seats.take(seat, tile) for tile in own]
            feeder = event.from_seat if event.from_seat is not None else (seat + 1) % 4
            place = turned_place(self.layout, seat, feeder, 4, self.rng.randrange(2))
            tiles.insert(1 if place is None else place, claimed)
            shape = SetShape(place, count=4)
        player.drawn = None
        self._declare(seat, tiles, shape, claimed, event)

    def _declare(
        self,
        seat: int,
        tiles: list[int],
        shape: SetShape,
        claimed: int | None,
        event: ev.Chow | ev.Pung | ev.Kong,
    ) -> None:
        """Take the claimed tile and lay the set open at the corner."""
        player = self._seats[seat]
        offset = self._seats.sets_mm(seat)
        player.sets.append(Declared(tiles, shape))
        player.drawn = None
        targets = dict(
            zip(tiles, set_spots(self.table, seat, shape, offset, self.layout.sets_at), strict=True)
        )
        targets = {tile: self.stage.jittered(at, 0.2, 0.35) for tile, at in targets.items()}
        start = max(self.now, self.stage.free_at(seat) - 0.1, self.stage.free_at(seat, 1) - 0.1)
        shown = [tile for tile in tiles if tile != claimed]
        late = self._arms.scaled(0.5) if claimed is not None and self.rng.random() < 0.5 else 0.0
        # The hand makes room before the set lands beside it.
        begin = start + 0.3
        _, left = self._arms.carry(
            seat, shown, [targets[tile] for tile in shown], start, self._arms.scaled(0.55), hand=1
        )
        if claimed is not None:
            _, other = self._arms.carry(
                seat, [claimed], [targets[claimed]], start + late, self._arms.scaled(0.7)
            )
            left = max(left, other)
        self._rows.arrange(seat, begin, begin + 0.45)
        self.mark(event, left)
        self._seats.last = None
        self._pause(left, left)

    def _add_to_pung(self, event: ev.Kong) -> None:
        seat, player = event.seat, self._seats[event.seat]
        tile = self._seats.take(seat, event.tile)
        declared, offset = self._seats.pung_of(seat, event.tile)
        declared.shape = replace(declared.shape, added=self._added)
        declared.tiles.append(tile)
        target = set_spots(self.table, seat, declared.shape, offset, self.layout.sets_at)[-1]
        start = max(self.now, self.stage.free_at(seat) - 0.1)
        landed, left = self._arms.carry(
            seat, [tile], [self.stage.jittered(target, 0.2, 0.5)], start, self._arms.scaled(0.5)
        )
        player.drawn = None
        self._rows.arrange(seat, landed, landed + 0.4)
        self.mark(event, left)
        self._seats.last = (seat, tile)
        self._pause(landed, left)

    def _roll(self, event: ev.Dice) -> None:
        """Roll for Harbin's treasure: a ready player looks at the tile that the dice point to."""
        tile = self._wall.column(sum(event.values))
        if self.rolls is None:
            self.now += self._arms.scaled(1.0)
            self.mark(event, self.now)
        else:
            roller = self._seats.last[0] if self._seats.last is not None else 0
            start = max(self.now, self.stage.free_at(roller))
            rest, self.now = self.rolls.roll(roller, event.values, start)
            self.mark(event, rest)
        seat = nearest_seat(self.stage.spots[tile])
        start = max(self.now, self.stage.free_at(seat))
        back = self.stage.jittered(self.stage.spots[tile], 0.3, 0.8)
        self.now = self._arms.lift_and_return(seat, tile, back, start)

    def _turn_up_indicator(self, event: ev.Indicator) -> None:
        tile = self._wall.indicator(event)
        if self.faces[tile] != event.tile:
            raise ValueError(f"{self.faces[tile]} lies there, the record turns up {event.tile}")
        at = self.stage.spots[tile]
        if event.kind == "ura_dora":
            at = before_wall(self.table, self.stage.spots.values(), self._wall.seat_of(tile), at)
        up = self.stage.jittered(replace(at, pose="up"), 0.4, 1.0)
        seat = nearest_seat(at)
        start = max(self.now, self.stage.free_at(seat) - 0.1)
        _, left = self._arms.carry(seat, [tile], [up], start, self._arms.scaled(0.4))
        self.mark(event, left)
        self.now = left + self._arms.scaled(self.rng.uniform(0.3, 0.7))

    def _win(self, event: ev.Win) -> None:
        if self._winners_stay:
            self._win_and_play_on(event)
            return
        seat, player = event.seat, self._seats[event.seat]
        winning: int | None = None
        start = max(self.now, self.stage.free_at(seat) - 0.1)
        left = start
        if event.from_seat == seat:
            if len(player.hand) % 3 == 2:  # otherwise it wins with a tile that was only looked at
                winning = self._seats.take(seat, event.tile, drawn=True)
        elif self._wins_taken:
            winning = self._seats.claim()
        player.pose, player.drawn = "up", None
        self._seats.sort(seat)
        if winning is not None:
            player.hand.append(winning)
            player.drawn = winning
            player.gap_mm = self.rng.uniform(18, 30)
        targets = self._seats.hand_targets(seat)
        rest = player.hand[:-1] if winning is not None else player.hand
        if winning is not None:
            target = self.stage.jittered(targets[-1], 1.0, 2.5)
            _, left = self._arms.carry(seat, [winning], [target], start, self._arms.scaled(0.6))
        begin = max(left - 0.2, self.stage.free_at(seat, 1))
        for tile, target in zip(rest, targets, strict=False):
            when = begin + self.rng.uniform(0, 0.15)
            self.stage.move(tile, when, when + 0.5, self.stage.jittered(target, 0.15, 0.4), 8.0)
        left = max(left, self._rows.at_row(seat, begin, 0.8))
        self.mark(event, left)
        self.now = left + self._arms.scaled(self.rng.uniform(0.6, 1.5))

    def _win_and_play_on(self, event: ev.Win) -> None:
        """Lay the winning tile beside the sets, and the hand open where it still stands.

        Of several who win on one tile only the first has it.
        """
        seat, player = event.seat, self._seats[event.seat]
        left = start = max(self.now, self.stage.free_at(seat) - 0.1)
        winning: int | None = None
        if event.from_seat == seat:
            winning = self._seats.take(seat, event.tile, drawn=True)
        elif self._seats.last is not None:
            winning = self._seats.claim()
        self._seats.last, player.drawn = None, None
        crowded = winning is not None and player.pose == "up" and player.room == 0
        if winning is not None:
            left = self._lay_apart(seat, winning, start)
            player.room = max(0, player.room - 1)
        if player.pose != "up" or crowded:
            if player.pose != "up":
                player.pose, player.room = "up", ROOM
            self._seats.sort(seat)
            begin = max(left - 0.2, self.stage.free_at(seat, 1))
            self._rows.arrange(seat, begin, begin + 0.5, lift_mm=8.0)
            left = max(left, self._rows.at_row(seat, begin, 0.8))
        self.mark(event, left)
        self.now = left + self._arms.scaled(self.rng.uniform(0.6, 1.5))

    def _lay_apart(self, seat: int, tile: int, start: float) -> float:
        """Lay one tile beside the sets of a seat; return when the hand is gone."""
        shape = SetShape(None, count=1)
        offset = self._seats.sets_mm(seat)
        self._seats[seat].sets.append(Declared([tile], shape))
        (target,) = set_spots(self.table, seat, shape, offset, self.layout.sets_at)
        target = self.stage.jittered(target, 0.2, 0.35)
        return self._arms.carry(seat, [tile], [target], start, self._arms.scaled(0.6))[1]

    def _reveal(self, event: ev.Reveal) -> None:
        seat, player = event.seat, self._seats[event.seat]
        if player.pose == "up":
            return  # everybody sees it already
        player.pose = "up"
        self._seats.sort(seat)
        player.drawn = None
        begin = max(self.now, self.stage.free_at(event.seat))
        self._rows.arrange(event.seat, begin, begin + 0.5, lift_mm=8.0)
        left = self._rows.at_row(event.seat, begin, 0.8)
        self.mark(event, left)
        self.now = left + self._arms.scaled(self.rng.uniform(0.3, 0.8))

    def _maybe_look_aside(self, seat: int, begin: float) -> None:
        """Sometimes let a ready player look at Harbin's hidden dora; nobody else sees its face."""
        tile = self._wall.aside
        if tile is None or self.layout.indicator_at != "aside" or self.rng.random() > 0.45:
            return
        start = max(begin, self.stage.free_at(seat))
        back = self.stage.jittered(self.stage.spots[tile], 0.5, 1.5)
        self.now = max(self.now, self._arms.lift_and_return(seat, tile, back, start) - 0.3)

    def _river_target(self, seat: int, tile: int, sideways: bool) -> Spot:
        player = self._seats[seat]
        if self.layout.river == "loose":
            lying = [at for other, at in self.stage.spots.items() if other != tile]
            lying += in_the_way(self.things, self.table)
            lying += [] if self.rolls is None else self.rolls.in_the_way
            return loose_spot(self.table, seat, lying, self.rng, self._aligned)
        player.turned[tile] = sideways
        flags = [player.turned[other] for other in player.river] + [sideways]
        return self.stage.jittered(river_spot(self.table, seat, flags), 0.3, 0.6)

"""Plays a scripted game; the engine checks that it follows the rules."""

from __future__ import annotations

import random
from dataclasses import replace

from engine import events as ev
from engine.state import Phase
from engine.tiles import UNKNOWN, Tile
from studio.play.manner import Manner, Retracted
from studio.play.played_hand import SimulatedHand
from studio.play.players import SimulatedGame
from studio.play.scripts import GameScript, HandScript, wall_for, with_draws


class ScriptedGame(SimulatedGame):
    """Players who do what a script says."""

    def __init__(self, script: GameScript) -> None:
        rng = random.Random(f"script {script.rules} {script.seed}")
        super().__init__(script.rules, rng, dict(script.options), script.players)
        self._name = script.name
        self._manners: dict[int, Manner] = {}

    def play(self, script: HandScript) -> SimulatedHand:
        """Deal and play one hand of the script."""
        self._events, self._manners = [], {}
        dice = (self.rng.randint(1, 6), self.rng.randint(1, 6))
        self._submit(ev.HandStart(dealer=script.dealer, dice=dice))
        dealer = self.game.state.dealer
        self._steps = tuple(with_draws(script.play, dealer))
        self._script = script
        wall = wall_for(script, self._steps, self.rules, dealer, self.rng)
        hand = self._dealt(wall, dice)
        begun = replace(hand, empty_s=script.empty_s, short_wall=script.short_wall)
        return replace(begun, manners=self._manners)

    def _play(self) -> None:
        for event, manner in self._steps:
            self._turn_up()
            first = tuple(
                replace(one, event=self._filled(one.event, self._wall[self._order.peek()]))
                if isinstance(one, Retracted)
                else one
                for one in manner.first
            )
            self._manners[len(self._events)] = replace(manner, first=first)
            self._submit(self._filled(event, self._drawn(event)), manner.irregular)
        if self.game.state.phase is not Phase.SETTLED:
            raise ValueError(f"{self._name}.toml: a hand does not end")
        self._after()
        self._manners[len(self._events)] = Manner(self._script.after)
        self._submit(ev.HandEnd())

    def _turn_up(self) -> None:
        """Turn up indicators and roll dice, as far as the rules ask for it now."""
        while True:
            state = self.game.state
            due = self._indicators.due(state) or self._indicators.shown_by(state, self._events[-1])
            if due is None:
                return
            self._submit(due)

    def _drawn(self, event: ev.Event) -> Tile:
        """Take the tile of a draw out of the wall."""
        if not isinstance(event, ev.Draw):
            return UNKNOWN
        return self._wall[self._order.tail() if event.end == "tail" else self._order.head()]

    def _filled(self, event: ev.Event, drawn: Tile) -> ev.Event:
        """Return the event with what the script leaves out."""
        state = self.game.state
        match event:
            case ev.Draw():
                return replace(event, tile=drawn)
            case ev.Win(hand=None):
                return self._shown(state, event)
            case ev.Discard(seat=seat):
                return self._known_drawn(state.players[seat], event)
            case _:
                return event


def play_script(script: GameScript) -> tuple[ev.GameStart, list[SimulatedHand], ev.GameEnd]:
    """Play a script; raise ``ValueError`` where the rules do not allow it."""
    game = ScriptedGame(script)
    try:
        hands = [game.play(hand) for hand in script.hands]
    except RuntimeError as error:
        raise ValueError(f"{script.name}.toml: {error}") from error
    return game.start, hands, ev.GameEnd("time")

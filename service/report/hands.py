"""The hands of a record as everybody may see them afterwards, as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from engine.announce import HandResult, Problem
from engine.events import Seat, Win
from engine.state import State
from service.report.public import Json, indicators, melds_of, page_needs, public_announcements
from service.report.said import worded
from service.report.story import GameStory, HandStory
from service.report.winning_hand import winning_hand
from service.words.catalogue import rules_title, rules_titles


def games_json(games: Sequence[GameStory], lang: str) -> list[Json]:
    """Every game with its hands, in order."""
    return [
        {
            "rules": game.rules,
            "rules_title": rules_title(game.rules),
            "rules_titles": rules_titles(game.rules),
            "shows": page_needs(game.rules),
            "names": list(game.names),
            "start": list(game.happened[0].state.points),
            "hands": [hand_json(game, hand, lang) for hand in game.hands],
            "points": list(game.points),
            "places": None if game.result is None else list(game.result.places),
            "ended": game.ended,
        }
        for game in games
    ]


def hand_json(game: GameStory, hand: HandStory, lang: str) -> Json:
    """One hand line by line, without hidden tiles."""
    last = hand.happened[-1].state
    names = last.names
    said = public_announcements(hand.said)
    over = game.ended and hand is game.hands[-1]
    problems = [one for one in said if isinstance(one, Problem)]
    following = [] if over else [one for one in said if isinstance(one, HandResult)]
    return {
        "number": hand.number,
        "shows": page_needs(game.rules),
        "round": str(hand.round),
        "first_dealer": last.first_dealer,
        "dealer": hand.dealer,
        "staying": hand.staying,
        "honba": hand.honba,
        "pot": hand.pot,
        "first": hand.happened[0].number,
        "phase": last.phase.value,
        "wins": [win_json(hand, win) for win in hand.wins],
        "refused": [win_json(hand, win) for win in hand.refused],
        "drawn": hand.drawn,
        "payouts": worded(hand.results, lang, names, rules=game.rules),
        "problems": worded(problems, lang, names, rules=game.rules),
        "deltas": list(hand.deltas),
        "points": list(hand.points),
        "next": worded(following, lang, names, rules=game.rules)[-1] if following else None,
        "indicators": indicators(last, None),
        "names": list(game.names),
    }


def win_json(hand: HandStory, win: Win) -> Json:
    """A win with its hand as it is laid out, as far as everybody has seen it."""
    state = hand.happened[-1].state
    events = [event.number for event in hand.happened if event.entry.event == win]
    return {
        "event": events[-1] if events else None,
        "seat": win.seat,
        "from": win.from_seat,
        "tile": str(win.tile),
        "hand": _laid_out(state, win.seat, win),
        "laid": _arranged(state, win),
        "melds": melds_of(state.players[win.seat]),
    }


def _arranged(state: State, win: Win) -> Json | None:
    """The hand in its sets; None where it is hidden, or no sets and a pair."""
    found = winning_hand(state, win) if win in state.wins else None
    if found is None:
        return None
    sets = [[str(tile) for tile in group] for group in found.sets]
    return {"sets": sets, "won": list(found.won), "wait": found.wait}


def _laid_out(state: State, seat: Seat, win: Win) -> list[str] | None:
    """The winner's hand without the winning tile; None while nobody has seen it."""
    if win.hand is not None:
        return sorted(map(str, win.hand), key=_in_suits)
    player = state.players[seat]
    if not player.shown:
        return None
    tiles = list(map(str, player.hand))
    if len(tiles) % 3 == 2 and str(win.tile) in tiles:
        tiles.remove(str(win.tile))
    return sorted(tiles, key=_in_suits)


def _in_suits(code: str) -> tuple[str, str]:
    """Sort key: red fives (0) are among the fives."""
    return code[-1], "5" if code[0] == "0" else code[0]

"""Ratings of people by the places of their games, as Weng and Lin (2011) update them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from openskill.models import PlackettLuce, PlackettLuceRating

NEW: Final = 1500.0
"""The rating of somebody who has not played yet."""
_UNSURE: Final = 3.0
"""Standard deviations below the estimate: whoever has played little is rated with care."""
_SCALE: Final = 24.0


def ratings(finishes: Iterable[Mapping[int, int]]) -> Iterator[dict[int, float]]:
    """Yield for each game, in order of play, the ratings of its people after it.

    A finish is the place of each person of one game, by the person's number. A game changes
    nothing for somebody who played it with nobody else that is rated.
    """
    model = PlackettLuce()
    known: dict[int, PlackettLuceRating] = {}
    for finish in finishes:
        people = list(finish)
        teams = [[known.get(one) or model.rating()] for one in people]
        if len(people) > 1:
            teams = model.rate(teams, ranks=[float(finish[one]) for one in people])
        known |= {one: team[0] for one, team in zip(people, teams, strict=True)}
        yield {one: known[one].ordinal(_UNSURE, _SCALE, NEW) for one in people}

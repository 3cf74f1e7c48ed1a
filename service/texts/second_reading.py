"""What a second reading of a payout says, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.game import Game
from engine.second_reading import Compared, compared
from engine.texts.announcements import one_line, tile_name
from engine.texts.figures import plain
from engine.texts.files import filled
from service.texts.catalogue import texts_of


def read_twice(one: Compared, lang: str) -> str:
    """Whether both readings of a win agree, and where not: what was read as what."""
    texts = texts_of(lang)
    if one.agrees:
        return texts["page.twice.alike"]
    said = [
        filled(
            texts["page.twice.otherwise"],
            {"told": tile_name(each.told, lang), "read": tile_name(each.read, lang)},
        )
        for each in one.otherwise
        if each.public
    ]
    if len(said) < len(one.otherwise):
        said.append(texts["page.twice.secret"])
    return one_line(" ".join(said or [texts["page.twice.unseen"]]))


def reasons(game: Game, lang: str, since: int = 0) -> Mapping[int, str]:
    """Why payouts are asked that were read twice, by the line of the win."""
    every = compared(game, since)
    return {one.win.number: read_twice(one, lang) for one in every if not one.agrees}


def read_twice_line(least: int | None, lang: str) -> str | None:
    """From which payment on payouts are read twice at a table; None where none is."""
    if least is None:
        return None
    return filled(texts_of(lang)["page.twice.table"], {"points": plain(least)})


def read_twice_counted(every: Sequence[Compared], lang: str) -> str | None:
    """How many payouts of a record were read twice, and how many of them are asked."""
    if not every:
        return None
    asked = sum(not one.agrees for one in every)
    texts = texts_of(lang)
    said = filled(texts["report.twice"], {"count": len(every)})
    more = filled(texts["report.twice.asked"], {"count": asked}) if asked else ""
    return one_line(f"{said} {more}".strip())

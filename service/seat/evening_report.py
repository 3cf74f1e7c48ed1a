"""An evening's report of a player in three lines: what went well, what cost most, what to practise.

Everything in it comes from what that player could know, and is told to nobody but the teacher with
whom the player shares it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, Literal

from typing_extensions import TypedDict

from engine.events import Seat
from engine.lessons import TOPICS
from engine.rules import RULE_SETS
from engine.texts.announcements import as_sentence
from engine.texts.figures import plain
from service.report.judged import Judged
from service.seat.lessons import game_of
from service.table.sharing import Learnt
from service.texts.answers import Teller

Kind = Literal["win", "never", "steps", "tiles", "waits", "no_step"]
PRACTISED_BY: Final[Mapping[Kind, str]] = {
    "win": "win",
    "never": "missing",
    "steps": "distance",
    "waits": "waits",
    "tiles": "useful",
}
"""The topic of a lesson for each kind of mistake, those first that weigh most."""


class MistakesOfKind(TypedDict):
    """How often one kind of mistake was made, and the dearest of them."""

    kind: Kind
    count: int
    hand: int


class LearnerReport(TypedDict):
    """Three lines about one player's evening, and the mistakes by kind."""

    seat: int
    kinds: list[MistakesOfKind]
    """The most frequent first."""
    well: str
    cost: str
    practise: str
    rules: str
    topic: str | None
    """The topic of the lesson to practise; None where nothing is left."""


def report_of(
    judged: Sequence[Judged], wins: int, seat: Seat, teller: ReportTeller, practise: str | None
) -> LearnerReport:
    """Words what was judged."""
    return {
        "seat": seat,
        "kinds": kinds_of(judged),
        "well": teller.well(judged, wins),
        "cost": teller.cost(judged),
        "practise": teller.practise(practise),
        "rules": teller.rules,
        "topic": practise,
    }


def kinds_of(judged: Sequence[Judged]) -> list[MistakesOfKind]:
    """The kinds of mistakes, the most frequent first."""
    made = sorted(
        (one.mistake for one in judged if one.mistake is not None),
        key=lambda mistake: mistake.cost,
        reverse=True,
    )
    counts = Counter(mistake.behind.by for mistake in made)
    return [
        {
            "kind": kind,
            "count": count,
            "hand": next(
                each.decision.before.hand_number for each in made if each.behind.by == kind
            ),
        }
        for kind, count in counts.most_common()
    ]


def next_lesson(
    kinds: Sequence[MistakesOfKind], rules: str, learnt: Learnt, topics: Sequence[str]
) -> str | None:
    """What to practise next: by the mistakes that weigh most, else what was answered wrongly most
    often, else the first topic that is not solved yet. ``rules``: of the lesson's game."""
    weights = {kind: len(PRACTISED_BY) - place for place, kind in enumerate(PRACTISED_BY)}
    worst = sorted(kinds, key=lambda one: -one["count"] * weights.get(one["kind"], 0))
    by_mistake = (PRACTISED_BY[one["kind"]] for one in worst if one["kind"] in PRACTISED_BY)
    wrong = Counter(each.topic for each in learnt.wrong if game_of(each.rules) == rules)
    games = (game for game in learnt.games if game_of(game.rules) == rules)
    solved = {topic for game in games for topic in game.solved}
    unsolved = (topic for topic, _, _ in TOPICS if topic not in solved)
    wanted = (*by_mistake, *(topic for topic, _ in wrong.most_common()), *unsolved)
    return next((topic for topic in wanted if topic in topics), None)


class ReportTeller(Teller):
    """Says the three lines about one player."""

    def __init__(self, lang: str, names: Sequence[str], seat: Seat, rules: str) -> None:
        super().__init__(lang, names, seat, rules)
        self.rules = rules

    def well(self, judged: Sequence[Judged], wins: int) -> str:
        chosen = [one for one in judged if one.decision.name is not None]
        good = sum(one.mistake is None for one in chosen)
        key = "unseen" if not chosen else "won" if wins else "chose"
        return self._word(f"teacher.well.{key}", wins=wins, good=good, count=len(chosen))

    def cost(self, judged: Sequence[Judged]) -> str:
        """What cost most, in points where a game has curves; else the dearest mistake by tiles."""
        if not judged:
            return self.word("teacher.cost.unknown")
        rows = [one.reviewed for one in judged if one.reviewed is not None]
        if rows and RULE_SETS[self.rules].teaching.odds:
            dearest = max(rows, key=lambda row: row.cost)
            if round(dearest.cost) < 1:
                return self.word("teacher.cost.little")
            said = self._word(
                "teacher.cost.points",
                hand=dearest.decision.before.hand_number,
                played=self.tile(dearest.played.tile),
                best=self.tile(dearest.best.tile),
                points=plain(round(dearest.cost)),
            )
            return as_sentence(said)
        mistakes = [one.mistake for one in judged if one.mistake is not None]
        if not mistakes:
            return self.word("teacher.cost.little")
        worst = max(mistakes, key=lambda mistake: mistake.cost)
        kind = self.word(f"page.teacher.kind.{worst.behind.by}")
        hand = worst.decision.before.hand_number
        return as_sentence(self._word("teacher.cost.kind", hand=hand, kind=kind))

    def practise(self, topic: str | None) -> str:
        if topic is None:
            return self.word("teacher.practise.nothing")
        title = self.word(f"page.lessons.topic.{topic}")
        return self._word("teacher.practise.lesson", topic=title)

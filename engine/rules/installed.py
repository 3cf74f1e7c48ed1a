"""The rule sets that come with the program, and those that other packages add.

A package adds one by an entry point of the group ``tilesight.rules``: its name is the id, its value
the rule set. Packages are searched when somebody asks for an id that is not built in, or for all
ids, so importing the engine searches none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files
from typing import Final

from engine.rules.base import PageNeeds, RuleSet
from engine.rules.between_hands import BetweenHands
from engine.rules.claims import ClaimRules
from engine.rules.indicators import Indicators
from engine.rules.layout import TableLayout
from engine.rules.payment import Payment
from engine.rules.teaching import Teaching
from engine.rules.turns import Turns
from engine.rules.verdict import Judge
from engine.rules.wall import Wall

GROUP: Final = "tilesight.rules"
PARTS: Final[Mapping[str, type]] = {
    "wall": Wall,
    "turns": Turns,
    "claims": ClaimRules,
    "judge": Judge,
    "indicators": Indicators,
    "payment": Payment,
    "hands": BetweenHands,
    "teaching": Teaching,
    "layout": TableLayout,
    "page": PageNeeds,
}
_LAYOUT: Final = "the layout says which indicators there are and who may know them"
_SIGN: Final = "TableLayout.ready_sign"
_FAULTS: Final = "faults"
_FORMER: Final[Mapping[str, Mapping[str, str]]] = {
    "turns": {"lying_open": "Player.exposed"},
    "claims": {
        **dict.fromkeys(("codes", "last_discard", "most_kongs", "no_ready"), _FAULTS),
        "robs_closed_kongs": "the option closed_kong_robbed",
        "kongs_when_ready": "keeps_hand",
    },
    "judge": {
        "completing": "Indicators.wild",
        "more_wins": "granted",
        "in_mid_play": "the history that the state has",
    },
    "indicators": {**dict.fromkeys(("kinds", "open", "visible_to"), _LAYOUT), "with_wild": "wild"},
    "hands": {
        "over": _FAULTS,
        "left_undone": _FAULTS,
        "places": "final",
        "fixed": "expected",
        **dict.fromkeys(("started", "owes_at_end", "ended"), "Turns.follow"),
    },
    "payment": {"winners_play_on": "wins_to_end, which is None"},
    "teaching": {
        "shape": "Judge.forms",
        "closed": "Judge.forms",
        "barred": "Judge.judge",
        "must_open": "lacking, with not_open",
    },
    "layout": {
        **dict.fromkeys(("ready_stick", "turned_is_ready"), _SIGN),
        "rolls_in_play": "indicator_at",
        "won_apart": "Payment.wins_to_end, which is None",
    },
}
"""Members that parts had in earlier versions, with what says the same now. Nobody asks for them any
more, so a rule set that still has one would be played by other rules than it says."""


class RuleSets(Mapping[str, RuleSet]):
    """Rule sets by id, the built-in ones first."""

    def __init__(self, built_in: Sequence[RuleSet]) -> None:
        self._built_in = {rules.id: rules for rules in built_in}

    def __getitem__(self, name: str) -> RuleSet:
        built_in = self._built_in.get(name)
        return self._added[0][name] if built_in is None else built_in

    def __iter__(self) -> Iterator[str]:
        yield from self._built_in
        yield from self._added[0]

    def __len__(self) -> int:
        return len(self._built_in) + len(self._added[0])

    @property
    def faults(self) -> Mapping[str, str]:
        """Ids that packages failed to add, each with what is wrong, in one line."""
        return self._added[1]

    def look_again(self) -> None:
        """Search the packages again, because others may be installed now."""
        self.__dict__.pop("_added", None)

    def id_of(self, obj: object) -> str | None:
        """The id of this very object, if it is one of these rule sets."""
        name = getattr(obj, "id", None)
        return name if isinstance(name, str) and self.get(name) is obj else None

    @cached_property
    def _added(self) -> tuple[dict[str, RuleSet], dict[str, str]]:
        try:
            by_name = sorted(
                entry_points(group=GROUP), key=lambda found: (found.name, _package(found))
            )
        except Exception as error:  # the notes of any installed package may be damaged
            return {}, {"": f"installed packages cannot be searched for rule sets: {error}"}
        times = Counter(entry_point.name for entry_point in by_name)
        added: dict[str, RuleSet] = {}
        faults: dict[str, str] = {}
        for entry_point in by_name:
            if entry_point.name in self._built_in:
                faults[entry_point.name] = _one_line(
                    entry_point, "tilesight has a rule set of this id; choose another"
                )
            elif times[entry_point.name] > 1:
                faults[entry_point.name] = _one_line(
                    entry_point, "another package adds one of this id; remove one"
                )
            else:
                rules, wrong = _loaded(entry_point)
                if rules is None:
                    faults[entry_point.name] = _one_line(entry_point, wrong)
                else:
                    added[entry_point.name] = rules
        return added, faults


def _loaded(entry_point: EntryPoint) -> tuple[RuleSet | None, str]:
    """Load an entry point: return the rule set, or what is wrong with it."""
    if entry_point.pattern.match(entry_point.value) is None:
        return None, f"its entry point is {entry_point.value!r}; expected MODULE:OBJECT"
    try:
        return _checked(entry_point, entry_point.load())
    except (Exception, SystemExit) as error:  # a foreign package may fail in any way
        return None, f"{type(error).__name__}: {' '.join(str(error).split())}; mend or remove it"


def _checked(entry_point: EntryPoint, rules: object) -> tuple[RuleSet | None, str]:
    if isinstance(rules, type):
        return None, f"{entry_point.value} is a class; name one object of it"
    if not isinstance(rules, RuleSet):
        return None, f"{entry_point.value} is no rule set: make an engine.rules.base.RuleSet"
    if rules.id != entry_point.name:
        return None, f"{entry_point.value} calls itself {rules.id!r}; both must be the same"
    try:
        files(rules.texts)
    except (AttributeError, ImportError, TypeError, ValueError) as error:
        return None, f"the package of its texts, {rules.texts!r}, is not there: {error}"
    for part, kind in PARTS.items():
        if not isinstance(getattr(rules, part), kind):
            of = f"{kind.__module__}.{kind.__name__}"
            return None, f"{entry_point.value}: its {part} is no object of {of}"
    if (former := former_member(rules)) is not None:
        return None, f"{entry_point.value}: {former}"
    # Pages and files list these, so wrong types have to show here.
    for option in rules.options:
        values = tuple(map(str, option.values))
        other = [value for value in option.follows if values and value not in values]
        if other and not option.numbers:
            return None, f"its option {option.name!r} has no value {other[0]!r}, as follows says"
    names = (
        *rules.payment.rows,
        *rules.glossary,
        *(ruling.follows for ruling in rules.problems.values()),
        *(option.name for option in rules.options),
        *(
            name
            for option in rules.options
            for replaced in option.follows.values()
            for pair in replaced.items()
            for name in pair
        ),
    )
    if wrong := [name for name in names if not isinstance(name, str)]:
        return None, f"expected names in payments, glossary, problems and options, got {wrong[0]!r}"
    return rules, ""


def former_member(rules: RuleSet) -> str | None:
    """What a part has that the parts of earlier versions had, and what says it now."""
    for part, names in _FORMER.items():
        for name, now in names.items():
            if hasattr(getattr(rules, part), name):
                return f"its {part} has {name}, which nobody asks for any more; now {now}"
    return None


def _package(entry_point: EntryPoint) -> str:
    return (entry_point.dist.name if entry_point.dist is not None else "") or entry_point.value


def _one_line(entry_point: EntryPoint, wrong: str) -> str:
    return (
        f"rule set {entry_point.name!r} of the package {_package(entry_point)} is not used: {wrong}"
    )

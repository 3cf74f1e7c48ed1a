"""Checks the rule set and the house rules that a game starts with."""

from __future__ import annotations

from collections.abc import Mapping

from engine.events import Correct, Entry, GameStart
from engine.fields import Unreadable, refuse, whole
from engine.rules.base import Option, RuleSet
from engine.rules.installed import RuleSets


def rules_of(start: GameStart, rule_sets: Mapping[str, RuleSet]) -> RuleSet:
    """Return the rule set of a game; raise ``Unreadable`` naming what is wrong."""
    rules = rule_sets.get(start.rules)
    if rules is None and isinstance(rule_sets, RuleSets) and start.rules in rule_sets.faults:
        fault = rule_sets.faults[start.rules]
        raise Unreadable(f"a rule set that can be used ({fault})", repr(start.rules), "rules")
    if rules is None:
        raise Unreadable(f"one of {', '.join(rule_sets)}", repr(start.rules), "rules")
    known = {option.name: option for option in rules.options} if start.options else {}
    for name, value in start.options.items():
        if name not in known:
            among = ", ".join(known) or "none"
            raise Unreadable(f"options of {rules.id} ({among})", repr(name), "options")
        try:
            _check_value(known[name], value)
        except Unreadable as error:
            raise error.inside(name).inside("options") from None
    return rules


def check(entry: Entry, rule_sets: Mapping[str, RuleSet]) -> None:
    """Raise ``Unreadable`` where the line, or a correction in it, starts an invalid game."""
    match entry.event:
        case GameStart() as start:
            rules_of(start, rule_sets)
        case Correct(_, events):
            for inner in events:
                check(inner, rule_sets)
        case _:
            pass


def _check_value(option: Option, value: object) -> None:
    if isinstance(option.default, tuple):
        parts = value if isinstance(value, tuple) else refuse("a list", value)
        for place, part in enumerate(parts):
            try:
                _check_one(part, option.default[0] if option.default else part, option)
            except Unreadable as error:
                raise error.inside(f"[{place}]") from None
        if not option.values and len(parts) != len(option.default):
            refuse(f"a list of {len(option.default)}", value)
        if option.zero_sum and sum(parts):
            refuse("numbers that sum to 0", value)
    else:
        _check_one(value, option.default, option)


def _check_one(value: object, like: object, option: Option) -> None:
    if option.numbers and isinstance(value, int) and not isinstance(value, bool):
        whole(1)(value)
    elif option.values:
        if not _among(value, option.values):
            refuse(_choices(option), value)
    elif type(value) is not type(like):
        refuse(f"a value like {like!r}", value)
    elif isinstance(value, int):
        whole()(int(value))


def _among(value: object, choices: tuple[object, ...]) -> bool:
    # 1 == True in Python, but they are two different values in a record.
    return any(type(value) is type(choice) and value == choice for choice in choices)


def _choices(option: Option) -> str:
    shown = {True: "true", False: "false"}
    words = [shown[v] if isinstance(v, bool) else str(v) for v in option.values]
    return f"one of {', '.join(words)}" + (" or a number" if option.numbers else "")

"""The one form of announcements in files and on the wire: JSON, an object a line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Final

from engine.announce import (
    Announcement,
    GameResult,
    HandResult,
    Hint,
    HintClaim,
    HintDiscard,
    Item,
    NotReady,
    Outlook,
    Payout,
    Problem,
    Ready,
    Reason,
    Turn,
    Wait,
)
from engine.codec import event_to_json, plain
from engine.events import Win

KINDS: Final[Mapping[type[Announcement], str]] = {
    Ready: "ready",
    NotReady: "not_ready",
    Payout: "payout",
    Problem: "problem",
    Hint: "hint",
    Turn: "turn",
    HandResult: "hand_result",
    GameResult: "game_result",
}
"""What each announcement is called in JSON."""


def announcement_to_json(announcement: Announcement) -> dict[str, object]:
    """One object: ``of``, ``kind``, its fields, and ``for`` when it is private."""
    result: dict[str, object] = {"of": announcement.of, "kind": KINDS[type(announcement)]}
    for field in fields(announcement):
        value = getattr(announcement, field.name)
        match field.name:
            case "of" | "values" | "not_to":
                continue
            case "audience":
                if value is not None:
                    result["for"] = value
            case "win":
                if isinstance(value, Win):
                    result[field.name] = event_to_json(value)
            case "now":
                if value is not None:
                    result[field.name] = _outlook(value)
            case "claims" | "copies" if not value and isinstance(announcement, Hint):
                continue
            case "certain":
                if not value:
                    result[field.name] = value
            case "unknown" | "on_draw" | "flower":
                if value:
                    result[field.name] = _said(value)
            case _:
                result[field.name] = _said(value)
    return result


def _said(value: object) -> object:
    """A value of an announcement as JSON has it."""
    match value:
        case Wait(tile, left, refused, drawn):
            more = {"refused": refused, "by_draw_only": drawn}
            reasons = {name: why for name, why in more.items() if why is not None}
            return {"tile": str(tile), "left": left, **reasons}
        case Item(name, amount, unit):
            return {"name": name, "value": amount, "unit": unit}
        case Reason(code, amount):
            return {"code": code} if amount is None else {"code": code, "value": amount}
        case HintDiscard(tile):
            return {"tile": str(tile), **_outlook(value)}
        case HintClaim(claim, discard):
            named = {"claim": event_to_json(claim)}
            if value.forbidden:
                return {**named, "forbidden": True, "reasons": _said(value.reasons)}
            best = {} if discard is None else {"discard": str(discard)}
            return {**named, **best, **_outlook(value)}
        case Outlook():
            return _outlook(value)
        case tuple():
            return [_said(part) for part in value]
        case _:
            return plain(value)


def _outlook(seen: Outlook | HintDiscard | HintClaim) -> dict[str, object]:
    """How a hand stands: waits of a ready one, else its distance, null for never."""
    written: dict[str, object] = {}
    if seen.waits:
        written["waits"] = _said(seen.waits)
    if seen.distance != 0:
        written |= {"distance": seen.distance, "useful": plain(seen.useful)}
    written["left"] = seen.left
    if seen.refused:
        written["refused"] = _said(seen.refused)
    if seen.reasons:
        written["reasons"] = _said(seen.reasons)
    return written

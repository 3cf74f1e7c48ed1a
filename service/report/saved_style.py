"""The part of the styles that a page alone in a file can use."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_RULE: Final = re.compile(r"([^{}]*)\{((?:[^{}]|\{[^{}]*\})*)\}")
"""What it is for, and what it says: itself rules, in a block such as ``@media``."""
_WORD: Final = re.compile(r"[A-Za-z_](?:[\w-]*\w)?(?:\$\{)?")
_NUMBERED: Final = "${"
"""Ends a name in a script that a number follows, such as that of a seat."""
_ANY_OF: Final = re.compile(r":(is|where|has|not)\(((?:[^()]|\([^()]*\))*)\)")
_ATTRIBUTE: Final = re.compile(r"\[[^]]*\]")
_NAME: Final = re.compile(r"[.#]([A-Za-z_][\w-]*)")
_ALTERNATIVES: Final = re.compile(r",(?![^()]*\))")


@cache
def saved_style(style: str, page: str) -> str:
    """The rules that name nothing but classes and identities of a page and its scripts."""
    words = frozenset(_WORD.findall(page))
    return "\n".join(_rules(_COMMENT.sub("", style), words)) + "\n"


def _rules(style: str, words: frozenset[str]) -> Iterator[str]:
    for found in _RULE.finditer(style):
        what, says = " ".join(found[1].split()), found[2]
        if what.startswith(("@media", "@supports")):
            says = "\n".join(_rules(says, words))
            if says:
                yield f"{what} {{\n{says}\n}}"
        elif what.startswith("@"):
            yield f"{what} {{ {' '.join(says.split())} }}"
        else:
            alternatives = _ALTERNATIVES.split(what)
            used = ",".join(one for one in alternatives if _is_used(one, words)).strip()
            if used:
                yield f"{used} {{ {' '.join(says.split())} }}"


def _is_used(selector: str, words: frozenset[str]) -> bool:
    """Whether something on the page may be selected; where in doubt, it may."""
    own = _ATTRIBUTE.sub("", selector)
    for kind, inner in _ANY_OF.findall(own):
        if kind != "not" and not any(_is_used(one, words) for one in _ALTERNATIVES.split(inner)):
            return False
    names = _NAME.findall(_ANY_OF.sub("", own))
    return all(
        name in words or f"{name.rstrip('0123456789')}{_NUMBERED}" in words for name in names
    )

"""The language of the terminal, for commands that have no ``--lang``."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache

from service.words.files import LANGUAGES, or_english


def terminal_language(environment: Mapping[str, str] = os.environ) -> str:
    """The language that the environment asks for; English where there is no catalogue in it."""
    names = map(environment.get, ("LC_ALL", "LC_MESSAGES", "LANG"))
    lang = next(filter(None, names), "")[:2]
    return lang if lang in LANGUAGES else "en"


def terminal_words() -> Mapping[str, str]:
    """What commands print, in the language of the terminal."""
    return _command_words(terminal_language())


@cache
def _command_words(lang: str) -> Mapping[str, str]:
    """Read alone: help must not wait for the rule sets to load."""
    return or_english("service.commands", lang)

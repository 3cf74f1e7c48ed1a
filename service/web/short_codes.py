"""Short codes to type on a phone: each stands for one key that is shown beside it, for minutes.

A code opens nothing that its key does not open: it is exchanged for that key, and ends with it.
"""

from __future__ import annotations

import math
import secrets
import threading
import time
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from engine.errors import NotThere

LETTERS: Final = 4
ALPHABET: Final = "BCDFGHJKMNPRSTVWXZ"
"""No I, L, O, Q or U, which look like others; no vowels, so that no word comes out. 18 letters make
104,976 codes."""
LASTS_S: Final = 600.0
"""Seconds for which a code is good."""
SHOWN_S: Final = 300.0
"""Seconds for which it is shown: whoever reads it then has as long again to type it."""
TRIES_EACH: Final = 4
"""Wrong tries of one address in ``PAUSE_S``."""
PAUSE_S: Final = 600.0
"""Seconds until an address may try more."""
TRIES_ALL: Final = 12
"""Wrong tries of all together at once."""
TRY_S: Final = 300.0
"""Seconds after which all together have one more. An evening of five hours has at most 12 + 60 = 72
wrong tries, however they are spread. A table has at most 16 codes at once, so who never stops
finds any code on one of 91 evenings."""
WRONG: Final = "this code opens nothing: codes change every few minutes, so look again"
TOO_MANY: Final = "too many wrong codes: scan the code, or try again in {minutes} min"


class TooManyTries(Exception):
    """Nobody may type a code now, or not from this address."""

    def __init__(self, wait_s: float) -> None:
        self.wait_s = math.ceil(wait_s)
        """Whole seconds until one may be typed."""
        super().__init__(TOO_MANY.format(minutes=math.ceil(self.wait_s / 60)))


@dataclass(frozen=True)
class _Code:
    word: str = field(repr=False)
    key: str = field(repr=False)
    since_s: float
    once: bool
    """Whether it is good for one phone alone."""


@dataclass
class ShortCodes:
    """The codes of one program, in memory alone: after a restart those of before open nothing."""

    clock: Callable[[], float] = time.monotonic
    """Seconds; never runs backwards."""
    _codes: list[_Code] = field(default_factory=list, repr=False)
    _wrong: list[tuple[float, str]] = field(default_factory=list, repr=False)
    """When a wrong code came from which address, in the last ``PAUSE_S``."""
    _tries: float = TRIES_ALL
    """How many wrong ones may come now; grows by one in ``TRY_S``."""
    _counted_s: float = 0.0
    """When they were counted last."""
    _changing: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def code_of(self, key: str, *, once: bool) -> str:
        """The code that is shown for a key now; one for ``once`` is another after it was used."""
        with self._changing:
            now_s = self._swept()
            for code in self._codes:
                if code.key == key and code.once is once and now_s - code.since_s < SHOWN_S:
                    return code.word
            word = _drawn()
            while any(code.word == word for code in self._codes):
                word = _drawn()
            self._codes.append(_Code(word, key, now_s, once))
            return word

    def key_of(self, typed: str, address: str, opens: Callable[[str], bool]) -> str:
        """The key that a typed code stands for, if that still ``opens`` anything.

        It is taken as people write it: small or wide letters, with anything between them. Raises
        ``NotThere`` for a wrong code, which counts if it might have been one, and ``TooManyTries``
        for every code after too many wrong ones.
        """
        word = _letters(typed)
        if len(word) != LETTERS or not set(word) <= set(ALPHABET):
            raise NotThere(WRONG)
        with self._changing:
            now_s = self._swept()
            self._refuse_too_many(now_s, address)
            # All are compared, so the time tells nothing about them.
            compare = secrets.compare_digest
            fitting = [code for code in self._codes if compare(code.word, word)]
            if not fitting or not opens(fitting[0].key):
                self._wrong.append((now_s, address))
                self._tries -= 1
                raise NotThere(WRONG)
            code = fitting[0]
            if code.once:
                self._codes.remove(code)
            return code.key

    def forgive(self) -> None:
        """Let everybody type again, as whoever runs the table asks for by making new codes."""
        with self._changing:
            self._wrong, self._tries = [], TRIES_ALL

    def _refuse_too_many(self, now_s: float, address: str) -> None:
        mine = [at_s for at_s, whose in self._wrong if whose == address]
        own_s = mine[-TRIES_EACH] + PAUSE_S - now_s if len(mine) >= TRIES_EACH else 0.0
        wait_s = max(own_s, (1 - self._tries) * TRY_S)
        if wait_s > 0:
            raise TooManyTries(wait_s)

    def _swept(self) -> float:
        """The time; what is over by then is forgotten."""
        now_s = self.clock()
        self._tries = min(TRIES_ALL, self._tries + (now_s - self._counted_s) / TRY_S)
        self._counted_s = now_s
        self._codes = [code for code in self._codes if now_s - code.since_s < LASTS_S]
        self._wrong = [one for one in self._wrong if now_s - one[0] < PAUSE_S]
        return now_s


def _drawn() -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(LETTERS))


def _letters(typed: str) -> str:
    """The letters that somebody typed, as capitals of normal width."""
    plain = unicodedata.normalize("NFKC", typed)
    return "".join(letter for letter in plain if letter.isalpha()).upper()

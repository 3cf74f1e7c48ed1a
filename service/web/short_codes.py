"""Short codes to type on a phone: each stands for one key that is shown beside it, for minutes.

A code opens nothing that its key does not open: it is exchanged for that key, and ends with it.
"""

from __future__ import annotations

import secrets
import threading
import time
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
TRIES_ALL: Final = 12
"""Wrong tries of all together. A table has at most 14 codes at once: in one of
600 cases, 12 tries find any of them."""
PAUSE_S: Final = 600.0
"""Seconds until more may be tried. The pause of all doubles each time, so an evening of five hours
has at most 60 wrong tries: in one of 120 evenings, who never stops finds any code."""
WRONG: Final = "this code opens nothing: codes change every few minutes, so look again"
TOO_MANY: Final = "too many wrong codes: scan the code, or wait"


class TooManyTries(Exception):
    """Nobody may type a code now, or not from this address."""


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
    """When a wrong code came from which address, at most ``TRIES_ALL``."""
    _shut_until_s: float = 0.0
    _pauses: int = 0
    """How often all were refused."""
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

        Small letters, and spaces between letters, are taken as well. Raises ``NotThere`` for a
        wrong code, ``TooManyTries`` for every code after too many wrong ones.
        """
        word = "".join(typed.split()).upper().encode("utf-8", "surrogatepass")
        with self._changing:
            now_s = self._swept()
            self._refuse_too_many(now_s, address)
            # All are compared, so the time tells nothing about them.
            compare = secrets.compare_digest
            fitting = [code for code in self._codes if compare(code.word.encode(), word)]
            if not fitting or not opens(fitting[0].key):
                self._wrong.append((now_s, address))
                if len(self._wrong) >= TRIES_ALL:
                    self._shut_until_s = now_s + PAUSE_S * 2**self._pauses
                    self._pauses += 1
                raise NotThere(WRONG)
            code = fitting[0]
            if code.once:
                self._codes.remove(code)
            return code.key

    def _refuse_too_many(self, now_s: float, address: str) -> None:
        mine = [at_s for at_s, whose in self._wrong if whose == address]
        until_s = mine[-TRIES_EACH] + PAUSE_S if len(mine) >= TRIES_EACH else 0.0
        if now_s < max(until_s, self._shut_until_s):
            raise TooManyTries(TOO_MANY)

    def _swept(self) -> float:
        """The time; what is over by then is forgotten."""
        now_s = self.clock()
        self._codes = [code for code in self._codes if now_s - code.since_s < LASTS_S]
        self._wrong = [one for one in self._wrong if now_s - one[0] < PAUSE_S]
        return now_s


def _drawn() -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(LETTERS))

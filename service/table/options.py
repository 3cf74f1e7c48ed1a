"""What a person typed of a table; one value, handed whole to whatever needs some of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from engine.events import GameStart, Seat
from engine.rules import DEFAULT
from service.phone.seat_cameras import SeatFilm

if TYPE_CHECKING:  # a film is read without a web server
    from service.phone.server import OwnCertificate


@dataclass(frozen=True)
class Options:
    """The options of the commands that read a table or serve one, checked."""

    rules: str = DEFAULT
    house_rules: Mapping[str, object] = field(default_factory=dict, kw_only=True)
    """Options of the rules, as a ``game_start`` has them."""
    lang: str = "en"
    table: Path | None = None
    """The file that says where the table lies; without it, the table is searched for."""
    seat0: str | None = None
    own_set: Path | None = None
    """Profile of the tile set that is played with."""
    first_dealer: Seat | None = None
    """Who dealt the first hand of the game; None where the first hand seen tells."""
    mirrored: bool | None = None
    """Whether the camera's pictures are mirrored; None where nobody said."""
    films: tuple[SeatFilm, ...] = ()
    """Cameras or recordings of single seats' standing hands."""
    keep_tiles: Path | None = None
    """Folder for pictures of doubtful, corrected and confirmed tiles; None keeps none."""
    read_twice: int | None = None
    """From which single payment on, in the game's points, a payout is read twice; None: none is."""
    every_frame: bool = False
    """Whether a film that is watched as a camera waits until each picture is read."""
    record: Path | None = None
    """Where the first game is recorded."""
    host: str = "127.0.0.1"
    port: int = 0
    named: bool = True
    """Whether a name is announced in the network."""
    certificate: OwnCertificate | None = None
    """A certificate of the owner's, which the phones trust."""
    from_phone: bool = False
    """Whether the phone that films the table sets it up."""
    json_log: bool = False
    shadow: bool = False
    """Whether the table is watched and nothing is told: somebody keeps the score meanwhile."""

    @property
    def start(self) -> GameStart:
        """The start of a game that is not in the record yet."""
        return GameStart(self.rules, self.house_rules, first_dealer=self.first_dealer)


DEFAULTS: Final = Options()
"""Where nothing was typed."""

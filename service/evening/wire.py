"""What the set-up page sends, and what it is answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal, NotRequired

from fastapi import Body
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from engine.fields import MOST
from service.pages.bodies import PlayerName, RequestBody
from service.pages.network_door import NetworkView
from service.texts.catalogue import RulesOffered
from vision.camera.cameras import FoundCamera
from vision.table.view import Corners
from vision.tile_set.gain import ProfileGain

LONGEST_ADDRESS: Final = 500
MOST_NAMES: Final = 200


class CameraChoice(RequestBody):
    kind: Literal["camera"]
    number: int = Field(ge=0)


class StreamChoice(RequestBody):
    kind: Literal["stream"]
    address: str = Field(max_length=LONGEST_ADDRESS)


class RecordingChoice(RequestBody):
    kind: Literal["recording"]
    name: str


class OtherChoice(RequestBody):
    kind: Literal["phone", "sample"]


SourceChoice = CameraChoice | StreamChoice | RecordingChoice | OtherChoice
ChosenSource = Annotated[SourceChoice, Body(discriminator="kind")]


class StartRequest(RequestBody):
    """A game to begin. The engine checks its rules, options and first dealer."""

    rules: object = None
    options: object = Field(default_factory=dict)
    names: list[PlayerName] = Field(default=[""] * 4, min_length=4, max_length=4)
    seat0: Literal["bottom", "right", "top", "left"] = "bottom"
    first_dealer: object = None
    lang: str | None = None
    read_twice: int | None = Field(default=None, ge=1, le=MOST)
    """From which single payment on a payout is read twice; null: none is. Left out, it is as the
    program was started."""
    hurry: bool = False
    """Read a recording as fast as possible."""
    sample: bool = False
    evening: str | None = None
    """The name of this evening's record, to go on with it."""
    open: object = None
    """The name of a record to open without pictures."""
    lessons: str | None = None
    """The game whose lessons' record to open, for a drill."""
    rehearse: bool = False
    """Go through the cards of a rehearsal, in place of a game."""
    replace: bool = False
    """End the game that is running."""


class CornersGiven(BaseModel):
    corners: Corners | None = None


class GameChosen(RequestBody):
    """Which of the games that are studied shall be at the table, by its number."""

    number: int = Field(ge=0)


class MirroredGiven(RequestBody):
    mirrored: bool


class FaceGiven(RequestBody):
    """What a person said of one tile of a set laid out; counted from 1."""

    picture: int = Field(ge=1)
    tile: int = Field(ge=1)
    face: str | None = Field(max_length=2)
    """None: it is no tile."""


class SetGiven(RequestBody):
    names: list[FaceGiven] = Field(default=[], max_length=MOST_NAMES)


class Begun(TypedDict):
    page: str
    """The address of the admin page."""


class GameOfferedView(TypedDict):
    """Rules, house rules and names with which a game can begin; no names where nobody said any."""

    rules: str
    options: dict[str, object]
    names: list[str]


class EveningGameView(GameOfferedView):
    hands: int
    """How many are over."""
    over: bool


class StudiedGameView(EveningGameView):
    """One of several played games that are studied."""

    number: int
    of: str
    """The name of the record that holds it."""
    day: str | None
    """The evening that this name tells, as ISO date."""
    shown: bool
    """Whether it is the one at the table."""
    may_choose: bool


class EveningView(TypedDict):
    """What was played this evening, so that whoever starts the program again goes on with it."""

    record: str
    games: list[EveningGameView]


class RunningGame(TypedDict):
    source: str
    record: str


class AskedSource(TypedDict):
    """What was chosen, without the address of a camera: it may hold a password."""

    kind: Literal["camera", "stream", "recording", "phone", "sample"]
    number: NotRequired[int]
    name: NotRequired[str]


class TriedSource(TypedDict):
    """The source that is tried out, so that a page that is loaded again goes on with it."""

    name: str
    asked: AskedSource | None
    """None for what was uploaded."""
    address: NotRequired[str]
    """Where a phone opens its page."""
    qr: NotRequired[str]
    trusted: NotRequired[bool]


class SetUpOffered(TypedDict):
    cameras: list[FoundCamera]
    recordings: list[str]
    records: list[str]
    last: GameOfferedView | None
    """The newest game that was played here by name."""
    evening: EveningView | None
    sample: GameOfferedView | None
    rules: list[RulesOffered]
    rule_set: str
    lang: str
    read_twice: int | None
    """From which payment on payouts are read twice, as the program was started."""
    running: RunningGame | None
    """The game that another one would break off."""
    goes_on: bool
    tried: TriedSource | None
    network: NetworkView | None


class CheckView(TypedDict):
    name: str
    value: float
    shown: str
    grade: Literal["good", "poor", "bad"]
    corners: list[int]


class FoundInPicture(TypedDict):
    """Where the table is in the picture, and whether that is good enough."""

    width: int
    height: int
    corners: list[list[float]] | None
    by_person: bool
    good: bool
    faces: int
    doubtful: int
    read: bool
    mirrored: bool
    findings: list[CheckView]


class PictureChecked(TypedDict):
    problem: str | None
    found: FoundInPicture | None


class LaidTile(TypedDict):
    number: int
    face: str | None
    asked: bool
    crop: str


class LaidPicture(TypedDict):
    picture: int
    tiles: list[LaidTile]
    missing: list[str]


@dataclass(frozen=True, kw_only=True)
class SetGain(ProfileGain):
    """What a set gains by its profile, which lies in a file."""

    file: str

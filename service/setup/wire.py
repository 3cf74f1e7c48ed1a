"""What the set-up page sends."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from fastapi import Body
from pydantic import BaseModel, Field

from service.pages.api_bodies import PlayerName, RequestBody
from service.setup.preview import Corners

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
    hurry: bool = False
    """Read a recording as fast as possible."""
    sample: bool = False
    open: object = None
    """The name of a record to open without pictures."""
    replace: bool = False
    """End the game that is running."""


class CornersGiven(BaseModel):
    corners: Corners | None = None


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

"""Whether a picture has colours, whatever the colour of its light."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.arrays import Floats

COLOUR: Final = 0.075
"""A sample has a colour if its blue or red is farther from what the light makes of its green, as a
share of the brightest samples.

Of 88 training photos with colours none is below, in strong warm light 2. With a twentieth of
their saturation all are, with a tenth 85, with a fifth 47. Of red fives (118 on photos and rendered
tables, each at six saturations) 28 % are surely read as plain ones in pictures below it, 10 % up to
0.1, 4 % up to 0.15, 1 % above.
"""
COLOURED: Final = 0.003
"""Share of the samples below which a picture has no colours; a clock that a camera writes into it
has fewer."""
BRIGHT, LIT = 99, 51
"""A picture shows colours if this percentile of its brightness is at least a fifth of white."""
BURNT: Final = 250
"""From here on a pixel has lost the colour of its light."""
LEAST: Final = 0.2
"""If fewer pixels than this share are not burnt out, nobody can say."""

FOURTH: Final = 4
"""Every fourth sample tells the light, in half the time."""


SURELY: Final = 1.2
"""A quarter of the samples tells that there is colour, in less than half the time, if as many of
them are farther from grey than ``COLOUR`` by this factor as must be of all."""


def without_colours(some_bgr: Floats) -> bool:
    """Whether samples (h, w, 3) of a picture are all grey, as the light there shows grey.

    In the dark, nobody can say.
    """
    if colour_of(some_bgr[::2, ::2], FOURTH * COLOURED) >= SURELY * COLOUR:
        return False
    return 0.0 <= colour_of(some_bgr) < COLOUR


def colour_of(some_bgr: Floats, but: float = COLOURED) -> float:
    """The distance of the most coloured pixels but this share from grey; below 0 if nobody can
    say."""
    pixels = some_bgr.reshape(-1, 3)
    light = pixels.max(axis=1)
    bright = float(np.percentile(light[::FOURTH], BRIGHT)) if len(light) else 0.0
    seen = pixels[light < BURNT]
    if bright < LIT or not len(seen) or len(seen) < LEAST * len(pixels):
        return -1.0
    green, others = seen[:, 1:2], seen[:, ::2]
    # A lamp changes all by one factor, a filter by one amount.
    off = others - green * np.median((others[::FOURTH] + 1) / (green[::FOURTH] + 1), axis=0)
    off = np.abs(off - np.median(off[::FOURTH], axis=0)).max(axis=1)
    place = max(0, len(off) - 1 - int(but * len(off)))
    return float(np.partition(off, place)[place]) / bright

"""Sets for learners: a large numeral, and the suit's sign below it."""

from __future__ import annotations

from studio.faces import writing as glyphs
from studio.faces.bamboo import draw_one_stick
from studio.faces.canvas import HEIGHT, WIDTH, Canvas
from studio.faces.characters import write
from studio.faces.circles import draw_one_dot
from studio.faces.style import Style


def draw_figure(canvas: Canvas, rank: int, suit: str, style: Style) -> None:
    """Draw one face of the suits ``m``, ``p`` and ``s``."""
    paint = {"m": style.myriad, "p": style.palette.blue, "s": style.palette.green}[suit]
    box = (WIDTH / 2, HEIGHT / 2 - 14, 36.0 * style.character_size, 48.0 * style.character_size)
    glyphs.draw(canvas, style.latin_font, str(rank), box, paint)
    at = (WIDTH / 2, HEIGHT / 2 + 30)
    if suit == "m":
        write(canvas, "萬", (*at, 24, 24), paint, style)
    elif suit == "p":
        draw_one_dot(canvas, at, 11.0, paint, style)
    else:
        draw_one_stick(canvas, at, 24.0, paint, style)

"""Questions of the reader, and people's answers to them: one tap each."""

from __future__ import annotations

import asyncio

import numpy as np
from fastapi import FastAPI, Response

from service.jpeg import decoded
from service.pages.api_bodies import ChosenAnswer
from service.report.public import Json
from service.table.correction_lines import NotThere
from service.table.gallery import Gallery
from service.table.live_table import LiveTable
from service.table.questions import OpenQuestions
from vision.decoder.question import Question
from vision.draw import around, jpeg, resized, with_rings

MARGIN_TILES = 3.0
"""Margin around the doubtful tiles, in tile widths: their neighbours tell how they lie."""
RING_TILES = 0.9
"""Radius of the ring around each doubtful tile, in tile widths."""
CROP_PX = 480


def add_question_pages(app: FastAPI, table: LiveTable, gallery: Gallery | None) -> None:
    """Everybody may see the questions; whoever may correct the record answers them."""

    @app.get("/api/questions")
    async def questions() -> Json:
        """Return the open questions: two or three likely readings each, the recorded one first."""
        return {"lines": len(table.game.entries), "questions": table.questions()}

    @app.get("/api/questions/{name}/picture")
    async def picture(name: str) -> Response:
        """Return the doubtful tiles as a JPEG file."""
        if table.asking is None or gallery is None:
            raise NotThere("there is no picture of this")
        question = table.asking.question(table.game, name)
        data = await asyncio.to_thread(_crop, table.asking, gallery, question)
        if data is None:
            raise NotThere("there is no picture of this")
        return Response(data, media_type="image/jpeg")

    @app.post("/api/answers")
    async def answer(asked: ChosenAnswer) -> Json:
        """``{"id": ..., "choice": 0}``: choose one of the readings."""
        await table.answer(asked.id, asked.choice)
        return {"lines": len(table.game.entries)}


def _crop(asking: OpenQuestions, gallery: Gallery, question: Question) -> bytes | None:
    shot = gallery.at(asking.moment_s(question))
    data = None if shot is None else gallery.picture(shot.number)
    if data is None:
        return None
    image = decoded(data)
    view = asking.reader.view
    if view is not None and question.tiles_mm:
        height, width = image.shape[:2]
        view = view.in_picture(width, height)
        middles = view.to_image(np.array(question.tiles_mm), view.lying_mm)
        points = middles.astype(np.float32)
        image = with_rings(image, points, RING_TILES * view.tile_px)
        image = around(image, [points], MARGIN_TILES * view.tile_px)
    scale = CROP_PX / image.shape[1]
    return jpeg(resized(image, scale))

"""Answers to the reader's questions: one tap each."""

from __future__ import annotations

import asyncio

import numpy as np
from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.responses import JSONResponse

from service.errors import Malformed
from service.pages.checks import answered, body_of, refuse_foreign, whole_number
from service.report.public import Json
from service.setup.phone import decoded
from service.table.corrections import NotThere
from service.table.gallery import Gallery
from service.table.live_table import Table
from service.table.questions import Asking
from vision.draw import around, jpeg, resized
from vision.telling.question import Question

MARGIN_TILES = 3.0
"""Around the doubtful tiles, in tile widths: their neighbours tell how they lie."""
CROP_PX = 480
MOST_CHOICES = 9


def add_asking_pages(app: FastAPI, table: Table, gallery: Gallery | None) -> None:
    """Everybody at the table may see the questions; who puts the record right answers them."""

    @app.get("/api/questions")
    async def questions() -> Json:
        """What is asked now: two or three likely readings each, the first of them recorded."""
        return {"lines": len(table.game.entries), "questions": table.questions()}

    @app.get("/api/questions/{name}/picture")
    async def picture(name: str) -> Response:
        """The doubtful tiles, as a JPEG file."""
        if table.asking is None or gallery is None:
            raise HTTPException(404, "there is no picture of this")
        try:
            question = table.asking.question(table.game, name)
        except NotThere as error:
            raise HTTPException(404, str(error)) from None
        data = await asyncio.to_thread(_crop, table.asking, gallery, question)
        if data is None:
            raise HTTPException(404, "there is no picture of this")
        return Response(data, media_type="image/jpeg")

    @app.post("/api/answers")
    async def answer(request: Request) -> JSONResponse:
        """``{"id": ..., "choice": 0}``: which of the readings is right."""

        async def said() -> Json:
            refuse_foreign(request)
            asked = await body_of(request)
            name = asked.get("id")
            if not isinstance(name, str):
                raise Malformed('expected "id" to be that of a question')
            chosen = whole_number(asked, "choice", MOST_CHOICES)
            await table.answer(name, chosen)
            return {"lines": len(table.game.entries)}

        return await answered(said())


def _crop(asking: Asking, gallery: Gallery, question: Question) -> bytes | None:
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
        image = around(image, [middles.astype(np.float32)], MARGIN_TILES * view.tile_px)
    scale = CROP_PX / image.shape[1]
    return jpeg(resized(image, scale))

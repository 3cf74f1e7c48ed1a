"""Questions of the reader, and people's answers to them: one tap each."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from fastapi import FastAPI, Response

from service.errors import NotThere
from service.jpeg import decoded
from service.pages.api_bodies import ChosenAnswer
from service.report.public import Json
from service.table.asked_pictures import overview, upright
from service.table.gallery import Gallery
from service.table.live_table import LiveTable
from vision.camera.pictures import Picture
from vision.decoder.question import Question
from vision.draw import jpeg

DrawQuestion = Callable[[Picture, Question], Picture | None]


def add_question_pages(app: FastAPI, table: LiveTable, gallery: Gallery | None) -> None:
    """Everybody may see the questions; whoever may correct the record answers them."""

    @app.get("/api/questions")
    async def questions() -> Json:
        """Return the open questions: two or three likely readings each, the recorded one first."""
        return {"lines": len(table.game.entries), "questions": table.questions()}

    @app.get("/api/questions/{name}/picture")
    async def picture(name: str) -> Response:
        """Return where the doubtful tiles lie, each in a ring, as a JPEG file."""
        return await _drawn(table, gallery, name, overview)

    @app.get("/api/questions/{name}/tiles")
    async def tiles(name: str) -> Response:
        """Return the doubtful tiles, turned upright, as a JPEG file."""
        return await _drawn(table, gallery, name, upright)

    @app.post("/api/answers")
    async def answer(asked: ChosenAnswer) -> Json:
        """``{"id": ..., "choice": 0}``: choose one of the readings."""
        await table.answer(asked.id, asked.choice)
        return {"lines": len(table.game.entries)}


async def _drawn(
    table: LiveTable, gallery: Gallery | None, name: str, draw: DrawQuestion
) -> Response:
    data = None
    if gallery is not None:
        question = table.question(name)
        data = await asyncio.to_thread(_picture, gallery, question, draw)
    if data is None:
        raise NotThere("there is no picture of this")
    return Response(data, media_type="image/jpeg")


def _picture(gallery: Gallery, question: Question, draw: DrawQuestion) -> bytes | None:
    shot = gallery.at(question.shown_s)
    data = None if shot is None else gallery.picture(shot.number)
    drawn = None if data is None else draw(decoded(data), question)
    return None if drawn is None else jpeg(drawn)

"""What a rehearsal has shown, in sentences."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from engine.rehearsal import CardResult, Change, RehearsalCard, Rehearsed
from engine.texts.announcements import tile_name
from engine.texts.files import filled
from service.texts.catalogue import in_sentences, texts_of
from vision.attention.mirror_watch import wrong_way
from vision.table.quality import UNITS, QualityCheck, QualityGrade

SHOWN_MARGINS: Final = ("light", "blur")
"""Of these the margin is told also where it is good."""
SUITS: Final = ("m", "p", "s", "z", "f")


def finding_text(
    finding: QualityCheck, texts: Mapping[str, str], faces: int = 0, doubtful: int = 0
) -> str:
    """A finding, and what to do about it if it is not good."""
    if finding.name not in UNITS:
        return wrong_way(finding.name == "not_mirrored" or None, True) or ""
    values = {
        "value": finding.shown,
        "faces": faces,
        "doubtful": doubtful,
        "corners": texts["page.between"].join(
            texts[f"page.setup.corner.{at}"] for at in finding.corners
        ),
    }
    good = finding.grade is QualityGrade.GOOD
    key = f"page.setup.{finding.name}.{'is' if good else finding.grade.value}"
    text = filled(texts[key], values)
    if finding.name == "tile_px" and not good:
        text = in_sentences(texts, filled(texts["page.setup.tile_px.is"], values), text)
    return text


def sentences(
    seen: Rehearsed,
    cards: Sequence[RehearsalCard],
    findings: Sequence[QualityCheck],
    lang: str,
) -> tuple[str, ...]:
    """Faces, events, delay, margins, what to change first, and the grade."""
    texts = texts_of(lang)
    by_id = {card.id: card for card in cards}
    by_name = {one.name: one for one in findings}
    told = [
        *_faces(seen, texts, lang),
        *_events(seen, by_id, texts, lang),
        *_margins(by_name, texts),
    ]
    if not seen.whole:
        return (*told, *_lacking(seen, by_id, texts, lang))
    for number, change in enumerate(seen.changes(), 1):
        what = _change(change, seen, by_id, by_name, texts, lang)
        told.append(filled(texts["rehearse.change"], {"number": number, "what": what}))
    return (*told, grade_text(seen, lang))


def _faces(seen: Rehearsed, texts: Mapping[str, str], lang: str) -> Iterator[str]:
    if not seen.faces:
        return
    by_suit: dict[str, list[bool]] = defaultdict(list)
    for tile, right in seen.faces.items():
        by_suit[tile.suit].append(right)
    kinds = texts["page.between"].join(
        f"{texts[f'rehearse.suit.{suit}']} {sum(by_suit[suit])}/{len(by_suit[suit])}"
        for suit in SUITS
        if suit in by_suit
    )
    share = seen.faces_share
    told = {"right": share.right, "of": share.of, "kinds": kinds, "least": _percent(share.at_least)}
    yield filled(texts["rehearse.faces"], told)
    if wrong := [tile_name(tile, lang) for tile, right in seen.faces.items() if not right]:
        yield filled(texts["rehearse.faces.wrong"], {"tiles": texts["page.between"].join(wrong)})


def _events(
    seen: Rehearsed, cards: Mapping[str, RehearsalCard], texts: Mapping[str, str], lang: str
) -> Iterator[str]:
    share = seen.events_share
    if share.of:
        told = {"right": share.right, "of": share.of, "least": _percent(share.at_least)}
        yield filled(texts["rehearse.events"], told)
    for one in seen.cards:
        if one.good < one.of:
            yield in_sentences(texts, cards[one.card].text(lang), *_went_wrong(one, texts))
    if seen.delay_s is not None:
        slowest_s = max(seen.delays_s)
        told_s = {"seconds": f"{seen.delay_s:.1f}", "slowest": f"{slowest_s:.1f}"}
        yield filled(texts["rehearse.delay"], told_s)


def _went_wrong(one: CardResult, texts: Mapping[str, str]) -> Iterator[str]:
    for key, counts in (("rehearse.missing", one.missing), ("rehearse.extra", one.extra)):
        if counts:
            named = (f"{texts[f'rehearse.kind.{kind}']} {n}" for kind, n in counts.items())
            what = texts["page.between"].join(named)
            yield filled(texts[key], {"what": what})


def _margins(findings: Mapping[str, QualityCheck], texts: Mapping[str, str]) -> Iterator[str]:
    for name in SHOWN_MARGINS:
        if (one := findings.get(name)) is not None and one.margin is not None:
            margin = min(100, round(100 * one.margin))  # better than good is good
            told = {"says": finding_text(one, texts), "margin": margin}
            yield filled(texts["rehearse.margin"], told)


def _lacking(
    seen: Rehearsed, cards: Mapping[str, RehearsalCard], texts: Mapping[str, str], lang: str
) -> Iterator[str]:
    yield texts["rehearse.stopped"]
    if not seen.faces:
        yield texts["rehearse.no_set"]
    for card in seen.missing:
        yield filled(texts["rehearse.not_done"], {"card": cards[card].text(lang)})


def _change(
    change: Change,
    seen: Rehearsed,
    cards: Mapping[str, RehearsalCard],
    findings: Mapping[str, QualityCheck],
    texts: Mapping[str, str],
    lang: str,
) -> str:
    if change.kind == "picture":
        return finding_text(findings[change.name], texts)
    if change.kind == "faces":
        return texts["rehearse.change.faces"]
    one = next(one for one in seen.cards if one.card == change.name)
    wrong = in_sentences(texts, *_went_wrong(one, texts))
    did = {"card": cards[change.name].text(lang), "wrong": wrong}
    return filled(texts["rehearse.change.card"], did)


def grade_text(seen: Rehearsed, lang: str) -> str:
    texts = texts_of(lang)
    if seen.grade is None:
        return texts["rehearse.grade.none"]
    share = seen.events_share
    told = {"least": _percent(share.at_least), "of": share.of}
    means = filled(texts["rehearse.bound"], told)
    return in_sentences(texts, texts[f"rehearse.grade.{seen.grade.name}"], means)


def _percent(share: float) -> int:
    """Rounded down: nothing more is claimed than is known."""
    return int(100 * share)

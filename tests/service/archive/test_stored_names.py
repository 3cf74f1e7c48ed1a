"""What is downloaded of an archive's results names the players that its films have now."""

from __future__ import annotations

import html
import json
import re

import pytest

from service.archive.stored_names import with_names

SHARP = "O'Neil \"</script><b>`${x}\\"


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", "Seat 1"),  # as earlier versions call them
        ("ja", "席1"),
        ("zh", "1号位"),
        ("en", "Purple"),
        ("ja", "紫さん"),
        ("zh", "紫家"),
    ],
)
def test_a_report_calls_people_by_their_names_and_holds_none_that_is_code(
    lang: str, words: str
) -> None:
    other = f"{words}0" if words.endswith("1") else f"0{words}"
    stored = f'<p title="{words}">{words} {other}</p><script>x = "{words}"</script>{words}'
    report = with_names("report.html", stored.encode(), ("", SHARP, "", ""), lang).decode()
    text = html.escape(SHARP)
    found = re.fullmatch(r"(.*)<script>x = (\".*\")</script>(.*)", report)
    assert found is not None
    assert found[1] == f'<p title="{text}">{text} {other}</p>'
    assert json.loads(found[2]) == SHARP
    assert not set("'`<>&$") & set(found[2])
    assert found[3] == text


@pytest.mark.parametrize("players", [None, ("", "", "", "")])
def test_what_has_no_names_stays_as_it_is(players: tuple[str, ...] | None) -> None:
    assert with_names("report.html", b"Seat 1", players, "en") == b"Seat 1"
    assert with_names("evidence/1.jpg", b"Seat 1", players, "en") == b"Seat 1"

"""A key becomes a grant in one place, and only a grant says what it allows."""

from __future__ import annotations

import re

import pytest

from service.report.downloads import DOWNLOAD_FORMATS
from service.web.grants import Grant, Role
from service.web.keys import TableKeys
from service.web.rights import Right, Serves, asked_by
from tests.support.paths import ROOT

SERVICE = ROOT / "service"
WHO_TURNS_KEYS_INTO_GRANTS = {
    "pages/settings.py": "of a table, and of the phone that films it",
}


def files_with(pattern: str) -> set[str]:
    return {
        path.relative_to(SERVICE).as_posix()
        for path in SERVICE.rglob("*.py")
        if re.search(pattern, path.read_text("utf-8"))
    }


def test_each_key_has_its_own_grant() -> None:
    keys = TableKeys.new()
    assert [keys.grant_of(key) for key in keys.seats] == [
        Grant(Role.SEAT, seat) for seat in range(4)
    ]
    others = (keys.control, keys.scorer, keys.viewer)
    roles = (Role.ADMIN, Role.SCORER, Role.VIEWER)
    assert [keys.grant_of(key) for key in others] == [Grant(role) for role in roles]
    assert keys.grant_of(keys.guest) == Grant(Role.VIEWER, guest=True)
    assert keys.grant_of(keys.teacher) == Grant(Role.VIEWER, teaches=True)
    assert keys.grant_of("") is None


@pytest.mark.parametrize(
    ("grant", "watches", "changes", "hands"),
    [
        (Grant(Role.PUBLIC), False, False, []),
        (Grant(Role.VIEWER), True, False, []),
        (Grant(Role.VIEWER, guest=True), True, False, []),
        (Grant(Role.VIEWER, teaches=True), True, False, []),
        (Grant(Role.SEAT, 2), True, False, [2]),
        (Grant(Role.SCORER), True, True, []),
        (Grant(Role.ADMIN), True, True, [0, 1, 2, 3]),
    ],
)
def test_a_grant_says_what_it_allows(
    grant: Grant, watches: bool, changes: bool, hands: list[int]
) -> None:
    for method, path, allowed in (
        ("GET", "/ws/stream", watches),
        ("GET", "/static/table/app.js", True),
        ("GET", "/api/table", watches),
        ("POST", "/api/events", changes),
        ("GET", "/api/v1/seats", grant.admin),
        ("POST", "/api/teacher", grant.admin or grant.teaches),
        ("POST", "/api/teacher/report", grant.admin or grant.teaches),
        ("POST", "/api/lessons", grant.admin or grant.teaches),
        ("POST", "/api/sharing", grant.seat is not None),
        ("GET", "/api/seats\n", grant.admin),  # as the router takes it
        ("GET", "/api/download/new", grant.admin),
    ):
        assert asked_by(Serves.TABLE, method, path).right.of(grant) is allowed, path
    assert [seat for seat in range(4) if grant.shows_hand(seat)] == hands


def test_what_stands_in_no_row_is_served_to_nobody() -> None:
    for serves in Serves:
        assert asked_by(serves, "PUT", "/api/not/yet/there").missing == 404
    assert asked_by(Serves.TABLE, "PUT", "/api/seats").missing == 405
    assert asked_by(Serves.TABLE, "GET", "/camera").missing == 404
    assert asked_by(Serves.PHONE, "GET", "/api/table").missing == 404


def test_keys_are_turned_into_grants_where_a_request_comes_in_and_nowhere_else() -> None:
    defined = {"web/keys.py", "hall/access.py", "phone/server.py", "web/grants.py"}
    assert files_with(r"\bgrant_of\b") - defined == set(WHO_TURNS_KEYS_INTO_GRANTS)
    assert files_with("compare_digest") == {
        "web/keys.py",
        "web/short_codes.py",
        "phone/server.py",
    }


def test_only_a_grant_compares_roles() -> None:
    assert files_with(r"(?<!\bc)\.role (>|<|>=|<=|is|==) ") == {
        "web/grants.py",
        "web/gate.py",
    }


@pytest.mark.parametrize("form", DOWNLOAD_FORMATS)
def test_a_file_that_holds_hands_is_for_whoever_runs_the_table_alone(form: str) -> None:
    asks = asked_by(Serves.TABLE, "GET", f"/api/download/{form}").right
    assert asks is (Right.ADMIN if DOWNLOAD_FORMATS[form].holds_hands else Right.WATCH)

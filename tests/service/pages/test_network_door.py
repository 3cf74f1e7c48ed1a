"""The pages are served to the network when whoever runs the table says so, and to no more."""

from __future__ import annotations

import datetime
import json
import ssl
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
import zeroconf
from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID
from playwright.sync_api import Browser, expect

from engine.errors import Refused
from service.pages.network_door import NetworkDoor
from service.phone.server import (
    LocalName,
    OwnCertificate,
    write_certificate,
)
from tests.support.browsing import PHONE, menu, opened
from tests.support.patience import PATIENCE_S
from tests.support.phones import phone_link
from tests.support.screens import looked_at
from tests.support.served import Served
from tests.support.setting_up import outside_door, set_up_at


@pytest.fixture
def door(monkeypatch: pytest.MonkeyPatch) -> NetworkDoor:
    return outside_door(monkeypatch)


def outside(door: NetworkDoor) -> Served:
    assert door.base is not None
    return Served(door.base.removeprefix("http://"))


def test_a_big_screen_gets_its_codes_once_phones_can_open_them(
    browser: Browser, tmp_path: Path, door: NetworkDoor
) -> None:
    with set_up_at(tmp_path, door=door) as setting:
        control = setting.ask("/api/setup/start", {"sample": True})["page"][2:]
        page = opened(browser, f"{setting.server.url}/?tv#{control}", PHONE, [])
        expect(page.locator("#network button")).to_be_attached()
        expect(page.locator("#deal-codes figure")).to_have_count(0)
        assert setting.ask("/api/network", {"serve": True}, control)["status"] == 200
        expect(page.locator("#deal-codes figure")).to_have_count(4)
        page.close()


def test_what_comes_in_through_the_door_needs_a_key(tmp_path: Path, door: NetworkDoor) -> None:
    with set_up_at(tmp_path, door=door) as setting:
        server = setting.server
        closed = {"address": None, "name": None, "trusted": False}
        assert server.json("/api/setup")["network"] == closed
        control = setting.ask("/api/setup/start", {"sample": True})["page"][2:]
        seats = json.loads(server.get("/api/seats", key=control).text)
        assert [seat["qr"] for seat in seats] == [None] * 4
        assert setting.ask("/api/network", {"serve": True})["status"] == 401
        assert setting.ask("/api/network", {"serve": False}, control)["status"] == 400
        told = setting.ask("/api/network", {"serve": True}, control)
        assert told == {"address": door.base, "name": None, "trusted": False, "status": 200}
        phones = outside(door)
        seats = json.loads(server.get("/api/seats", key=control).text)
        assert all(seat["address"].startswith(f"{door.base}/seat#") for seat in seats)
        assert all(seat["qr"].startswith("<svg") for seat in seats)
        links = json.loads(server.get("/api/links", key=control).text)
        viewer, scorer = (links[who]["address"].split("#")[1] for who in ("viewer", "scorer"))
        # On the machine itself nothing has changed; through the door nobody is this machine.
        assert server.get("/api/table").status == 200
        for path in ("/", "/api/table", "/api/replay", "/api/seats", "/metrics"):
            assert phones.get(path).status == 401, path
        for path in ("/setup", "/api/setup", "/api/setup/picture"):
            assert phones.get(path, key=control).status == 403, path
        assert phones.post("/api/corrections", {}, {}).status == 401
        assert phones.get("/api/table", key=viewer, host="tilesight.local:8000").status == 200
        assert phones.get("/api/seats", key=scorer).status == 401
        assert server.get("/api/table", host="tilesight.local").status == 400


def test_the_set_up_page_opens_the_door(
    browser: Browser, tmp_path: Path, door: NetworkDoor
) -> None:
    complaints: list[str] = []
    with set_up_at(tmp_path, door=door) as setting:
        page = opened(browser, setting.server.url, PHONE, complaints)
        page.get_by_role("button", name="4 Start").click()
        expect(page.locator("#network")).to_contain_text("cannot open these pages yet")
        page.get_by_role("button", name="1 Camera").click()
        page.get_by_role("button", name="Play the built-in sample").click()
        expect(page.locator("#more")).to_be_visible()
        menu(page)
        # No code that no phone can open is shown.
        expect(page.get_by_text("cannot open these pages yet")).to_be_visible()
        expect(page.get_by_text("Show the codes")).to_be_hidden()
        page.get_by_role("button", name="Open them to the network").click()
        expect(page.locator("#menu")).to_be_hidden()
        menu(page)
        page.get_by_text("Show the codes").click()
        expect(page.locator("#codes svg")).to_have_count(4)
        looked_at(page, "codes")
        page.goto(f"{setting.server.url}/setup")
        page.get_by_role("button", name="4 Start").click()
        expect(page.locator("#network")).to_contain_text(str(door.base))
        page.close()
    assert complaints == []


def test_a_certificate_of_the_owner_is_used_and_names_the_address(tmp_path: Path) -> None:
    file, key = write_certificate(tmp_path, ["127.0.0.1", "tilesight.local", "*.example"])
    own = OwnCertificate.load(file, key)
    assert own.name_for("192.0.2.7") == "tilesight.local"
    assert (
        OwnCertificate(file, key, ("localhost", "192.0.2.7")).name_for("192.0.2.7") == "192.0.2.7"
    )
    assert (
        OwnCertificate(file, key, ("*.example", "t.example")).name_for("192.0.2.7") == "t.example"
    )
    door = NetworkDoor(8000, own, named=False)
    door.found_at("192.0.2.7")
    assert door.told()["address"] == "https://tilesight.local:8000"
    with phone_link(own) as link:
        assert link.trusted
        assert link.address.startswith("https://tilesight.local:")
        at = link.address.split("/camera")[0].replace("tilesight.local", "127.0.0.1")
        trusting = ssl.create_default_context(cafile=str(file))
        with urllib.request.urlopen(f"{at}/camera", context=trusting, timeout=PATIENCE_S) as page:
            assert page.status == 200
    for bad in (tmp_path / "none.pem", key):
        with pytest.raises(Refused, match="no certificate with its key"):
            OwnCertificate.load(bad, key)


def test_a_name_is_announced_and_another_machine_gets_another() -> None:
    # The library does not block in a thread that has a loop, as a browser's test has.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(two_machines_announce).result(PATIENCE_S)


def two_machines_announce() -> None:
    first = LocalName.announced("127.0.0.1", 8000, False)
    if first is None:
        pytest.skip("this machine has no multicast")
    with closing(first), closing(zeroconf.Zeroconf(interfaces=["127.0.0.1"])) as asking:
        name = first.address.removeprefix("http://").removesuffix(":8000")
        asked = zeroconf.AddressResolverIPv4(f"{name}.")  # type: ignore[attr-defined]
        assert asked.request(asking, 3000)
        assert asked.parsed_addresses() == ["127.0.0.1"]
        second = LocalName.announced("127.0.0.3", 8001, True)
        assert second is not None
        with closing(second):
            assert second.address != f"https://{name}:8001"


def test_the_certificate_of_the_phone_camera_is_one_that_iphones_take(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As support.apple.com/103769 asks."""
    file, key = write_certificate(tmp_path, ["192.0.2.7", "localhost"])
    made = x509.load_pem_x509_certificate(file.read_bytes())
    usage = made.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert list(usage) == [ExtendedKeyUsageOID.SERVER_AUTH]
    assert (made.not_valid_after_utc - made.not_valid_before_utc).days <= 825
    names = made.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == ["localhost"]
    assert [str(one) for one in names.get_values_for_type(x509.IPAddress)] == ["192.0.2.7"]
    OwnCertificate.load(file, key)
    assert capsys.readouterr().err == ""


def test_an_own_certificate_that_iphones_refuse_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.phone.server.VALID", datetime.timedelta(days=3650))
    monkeypatch.setattr(
        "service.phone.server.ExtendedKeyUsageOID.SERVER_AUTH",
        ExtendedKeyUsageOID.CLIENT_AUTH,
    )
    file, key = write_certificate(tmp_path, ["192.0.2.7"])
    monkeypatch.undo()
    OwnCertificate.load(file, key)
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 2
    assert "lacks the usage serverAuth" in told[0]
    assert "valid for more than 825 days" in told[1]

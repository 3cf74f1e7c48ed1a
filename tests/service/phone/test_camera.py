"""A phone is the camera: its browser sends what it sees."""

from __future__ import annotations

import re
import ssl
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
from playwright.sync_api import CDPSession, Page, expect

from service.evening.wire import OtherChoice
from service.machine.jpeg import decoded
from service.phone.server import PhoneCamera
from tests.support.browsing import PATIENCE_MS, PHONE, chromium
from tests.support.paths import FILM
from tests.support.patience import PATIENCE_S
from tests.support.phones import phone_link
from tests.support.scanned import scanned
from tests.support.screens import looked_at, stands
from tests.support.setting_up import Setting, set_up_at
from vision.camera.pictures import SourceError
from vision.camera.video_file import VideoFile
from vision.notice import Notice


@pytest.fixture
def setting(tmp_path: Path) -> Iterator[Setting]:
    with set_up_at(tmp_path) as setting:
        yield setting


BATTERY = """
  const battery = Object.assign(new EventTarget(), { level: 1, charging: true });
  navigator.getBattery = async () => battery;
  window.setBattery = (level, charging) => {
    Object.assign(battery, { level, charging });
    battery.dispatchEvent(new Event("levelchange"));
  };
"""
"""A battery that a test can empty: browsers have none to emulate."""


def answered(address: str, key: str = "", data: bytes | None = None) -> int:
    """The status of an answer, whoever vouches for the server."""
    unknown = ssl.create_default_context()
    unknown.check_hostname, unknown.verify_mode = False, ssl.CERT_NONE
    request = urllib.request.Request(address, data, {"Authorization": f"Bearer {key}"})
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE_S, context=unknown) as answer:
            status: int = answer.status
            return status
    except urllib.error.HTTPError as error:
        with error:
            return error.code


@pytest.fixture(scope="module")
def filmed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample's table, as a phone's camera is made to see it."""
    path = tmp_path_factory.mktemp("phone") / "table.mjpeg"
    frame = next(VideoFile(FILM).frames())
    with av.open(str(path), "w", format="mjpeg") as container:
        stream = container.add_stream("mjpeg", rate=5, options={"q:v": "2"})
        stream.width, stream.height, stream.pix_fmt = 1280, 720, "yuvj420p"
        for _ in range(5):
            picture = av.VideoFrame.from_ndarray(frame.image_bgr, format="bgr24")
            container.mux(stream.encode(picture))
        container.mux(stream.encode())
    return path


def fake_camera(film: Path) -> tuple[str, ...]:
    return (
        "--use-fake-device-for-media-stream",
        "--use-fake-ui-for-media-stream",
        f"--use-file-for-fake-video-capture={film}",
    )


def test_a_phone_is_the_camera(setting: Setting, filmed: Path) -> None:
    with chromium(*fake_camera(filmed)) as browser:
        page = browser.new_page(viewport={"width": 1366, "height": 800})
        page.goto(setting.server.url)
        page.get_by_role("button", name="A phone, through its browser").click()
        code = page.locator("#phone-code svg")
        address = scanned(code)
        assert address.startswith("https://")
        # The phone knows nobody who vouches for the certificate, and goes on all the same.
        phone = browser.new_context(
            ignore_https_errors=True, viewport={"width": 390, "height": 844}
        )
        view = phone.new_page()
        view.goto(address)
        view.get_by_role("button", name="Use this camera").click()
        expect(view.get_by_role("status")).to_have_text("Sending pictures, 1280 × 720 pixels.")
        page.get_by_role("button", name="2 Table").click()
        expect(page.locator("#corners .findings li").first).to_be_attached()
        found = np.array(setting.check()["corners"])
        assert np.abs(found - TRUTH).max() < 10
        # The phone shows by itself what the set-up page knows of its picture.
        expect(view.locator("#outline polygon")).to_have_attribute("points", re.compile(r"\d,\d"))
        expect(view.locator("#found")).not_to_be_empty()
        # After a reload the phone is still the camera, with the same code.
        page.reload()
        page.get_by_role("button", name="1 Camera").click()
        phone_again = page.get_by_role("button", name="A phone, through its browser")
        expect(phone_again).to_have_attribute("aria-pressed", "true")
        phone_again.click()
        assert scanned(code) == address
        page.get_by_role("button", name="4 Start").click()
        setting.check()
        page.get_by_role("button", name=re.compile("^Start")).click()
        expect(page.locator("#waiting")).to_be_hidden()
        expect(page.locator("#source")).to_have_text("phone")
        expect(view.locator("#score li")).to_have_count(4)
        expect(view.locator("#score li").first).to_contain_text("Blue")
        stands(view, "phone-score")


TRUTH = np.array([[351.2, 52.1], [945.6, 83.2], [905.1, 662.1], [333.5, 635.2]])


def test_a_phone_alone_sets_the_table_up_and_shows_the_score(tmp_path: Path, filmed: Path) -> None:
    with set_up_at(tmp_path, on_phone=True) as setting, chromium(*fake_camera(filmed)) as browser:
        setting.set_up.choose(OtherChoice(kind="phone"))
        assert setting.set_up.phone is not None
        phone = browser.new_context(ignore_https_errors=True, viewport=PHONE)  # type: ignore[arg-type]
        phone.add_init_script(BATTERY)
        view = phone.new_page()
        view.set_default_timeout(PATIENCE_MS)
        device = phone.new_cdp_session(view)
        cpu = {"source": "cpu", "metadata": {"available": True}, "enabled": True}
        device.send("Emulation.setPressureSourceOverrideEnabled", cpu)
        view.goto(setting.set_up.phone.address)
        view.get_by_role("button", name="Use this camera").click()
        page = view.frame_locator("#own-set-up")
        expect(page.get_by_role("button", name="1 Table")).to_be_visible()
        expect(page.locator("#handles button")).to_have_count(4)
        assert np.abs(np.array(setting.check()["corners"]) - TRUTH).max() < 10
        expect(page.locator("#corners .findings li").first).to_be_attached()
        page.get_by_role("button", name="Next").click()
        for side, name in (("bottom", "Anna"), ("right", "Bo"), ("top", "Chie"), ("left", "Dan")):
            page.locator(f"#name-{side}").fill(name)
        page.get_by_role("button", name="Next").click()
        looked_at(view, "phone-set-up")
        page.get_by_role("button", name=re.compile("^Start")).last.click()
        expect(view.locator("#own-set-up")).to_be_hidden()
        expect(view.locator("#score li").first).to_contain_text("Anna")
        tells_of_itself(view, device)
        turns_over(view)
        looked_at(view, "phone-alone")


def tells_of_itself(view: Page, device: CDPSession) -> None:
    battery, warm = view.locator("#battery"), view.locator("#warm")
    expect(battery).to_be_hidden()
    view.evaluate("setBattery(0.1, false)")
    expect(battery).to_have_text("The battery is low: plug the phone in.")
    view.evaluate("setBattery(0.1, true)")
    expect(battery).to_be_hidden()
    for state, shown in (("critical", True), ("fair", False)):
        device.send("Emulation.setPressureStateOverride", {"source": "cpu", "state": state})
        expect(warm).to_be_visible() if shown else expect(warm).to_be_hidden()


TURN = "(turn) => dispatchEvent(new DeviceOrientationEvent('deviceorientation', turn))"


def turns_over(view: Page) -> None:
    score = view.locator("#score")
    for beta, position in ((10, "static"), (170, "fixed"), (5, "static")):
        view.evaluate(TURN, {"alpha": 0, "beta": beta, "gamma": 0})
        expect(score).to_have_css("position", position)


def test_a_phone_without_the_key_is_refused() -> None:
    with phone_link() as link:
        at = link.address.split("/camera")[0]
        jpeg = cv2.imencode(".jpg", np.zeros((36, 64, 3), np.uint8))[1].tobytes()
        for key, data, status in (
            ("wrong", jpeg, 401),
            (link.camera.key, b"no picture", 422),
            (link.camera.key, jpeg[:100], 422),
            (link.camera.key, b"\xff\xd8\xff" + bytes(7_000_000), 413),
            (link.camera.key, jpeg, 200),
        ):
            assert answered(f"{at}/frame", key, data) == status
        assert answered(f"{at}/api/setup", link.camera.key) == 401
        assert answered(f"{at}/api/table", link.camera.key) == 404
        frame = next(link.camera.frames())
        assert frame.image_bgr.shape == (36, 64, 3)


def test_a_trouble_of_the_phone_is_told_once_and_when_it_is_over() -> None:
    camera, said = PhoneCamera(), list[Notice]()
    camera.say = said.append
    for troubles in ({"battery"}, {"battery"}, {"battery", "warm", "nonsense"}, set[str]()):
        camera.feels(frozenset(troubles))
    kinds = [(notice.kind, notice.lasts) for notice in said]
    assert kinds == [("battery", True), ("warm", True), ("battery", False), ("warm", False)]


def test_a_phone_that_is_let_go_ends_the_frames() -> None:
    camera = PhoneCamera()
    frames = camera.frames()
    camera.put(np.zeros((4, 4, 3), np.uint8))
    assert next(frames).index == 0
    camera.close()
    assert list(frames) == []


def test_a_picture_that_is_too_large_is_refused() -> None:
    wide = cv2.imencode(".jpg", np.zeros((8, 5000, 3), np.uint8))[1].tobytes()
    with pytest.raises(SourceError, match="at most 4096"):
        decoded(wide)


@pytest.mark.parametrize("side_px", [9000, 30000, 65500])
def test_a_small_file_that_claims_to_be_huge_is_refused_before_it_is_decoded(
    side_px: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    ok, file = cv2.imencode(".jpg", np.zeros((16, 16, 3), np.uint8))
    assert ok
    small = file.tobytes()
    assert decoded(small).shape == (16, 16, 3)
    at = small.index(b"\xff\xc0") + 5  # height and width in the frame's header
    claims = small[:at] + side_px.to_bytes(2, "big") * 2 + small[at + 4 :]

    def never(*_: object) -> None:
        raise AssertionError("it was decoded")

    monkeypatch.setattr("cv2.imdecode", never)
    with pytest.raises(SourceError, match="at most 4096 pixels"):
        decoded(claims)

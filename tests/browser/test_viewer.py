"""The viewer: models that are really loaded and drawn, and the validator's words."""

from __future__ import annotations

import io
from pathlib import Path
from urllib.parse import quote

import numpy as np
from PIL import Image

from unity2gltf.optional import Unavailable
from unity2gltf.preview.viewer.server import Server

from .chromium import Browser
from .conftest import BROKEN

VIEWER = "document.querySelector('model-viewer')"
STATE = "document.body.dataset.state"
SCENE = "scenes/Studio.glb"


def open_asset(browser: Browser, server: Server, output: str, state: str) -> None:
    browser.open(f"{server.url}#{quote(output, safe='')}")
    browser.wait(f"{STATE} === {state!r}")


def colours(browser: Browser) -> int:
    """How many colours the stage shows."""
    box = browser.evaluate("JSON.parse(JSON.stringify(document.getElementById('stage').getBoundingClientRect()))")
    picture = Image.open(io.BytesIO(browser.picture())).convert("RGB")
    left, top = int(box["left"]), int(box["top"])
    stage = picture.crop((left, top, left + int(box["width"]), top + int(box["height"])))
    return len(np.unique(np.array(stage).reshape(-1, 3), axis=0))


def test_a_model_is_loaded_and_drawn(browser: Browser, server: Server) -> None:
    open_asset(browser, server, SCENE, "loaded")
    assert browser.evaluate(f"{VIEWER}.loaded") is True
    assert browser.evaluate(f"{VIEWER}.getDimensions().y") > 1.5
    assert any(url.startswith(f"{server.url}models/{SCENE}") for url in browser.requests)
    browser.wait(f"{VIEWER}.modelIsVisible")
    assert colours(browser) > 150
    assert browser.evaluate("document.getElementById('trouble').textContent") == ""


def test_its_animations_can_be_played(browser: Browser, server: Server) -> None:
    open_asset(browser, server, SCENE, "loaded")
    names = browser.evaluate(f"{VIEWER}.availableAnimations")
    assert sorted(names) == ["Idle", "Spin", "Wave"]
    options = browser.evaluate("[...document.getElementById('animation').options].map((one) => one.text)")
    assert options == ["at rest", *names]
    browser.evaluate("""
      const choice = document.getElementById('animation');
      choice.value = 'Wave';
      choice.dispatchEvent(new Event('change'));
    """)
    browser.wait(f"{VIEWER}.animationName === 'Wave' && !{VIEWER}.paused && {VIEWER}.currentTime > 0")
    assert browser.evaluate(f"{VIEWER}.duration") == 2
    browser.evaluate("""
      const slider = document.getElementById('time');
      slider.value = 0.5;
      slider.dispatchEvent(new Event('input'));
    """)
    browser.wait(f"{VIEWER}.paused && Math.abs({VIEWER}.currentTime - 1) < 0.01")


def test_the_list_has_every_asset_with_picture_and_status(browser: Browser, server: Server, out: Path) -> None:
    open_asset(browser, server, SCENE, "loaded")
    files = len(list(out.rglob("*.glb")))
    assert browser.evaluate("document.querySelectorAll('#assets li').length") == files
    assert browser.evaluate("document.querySelectorAll('#assets img').length") == files - 1, "one is broken"
    browser.evaluate("""
      const words = document.getElementById('filter');
      words.value = 'hat';
      words.dispatchEvent(new Event('input'));
    """)
    shown = "[...document.querySelectorAll('#assets li')].filter((item) => !item.hidden)"
    assert browser.evaluate(f"{shown}.map((item) => item.querySelector('b').textContent)") == ["Hat"]
    browser.evaluate(f"{shown}[0].firstChild.click()")
    browser.wait(f"document.getElementById('name').textContent === 'Hat' && {STATE} === 'loaded'")


def test_the_page_tells_what_the_report_says(browser: Browser, server: Server) -> None:
    open_asset(browser, server, SCENE, "loaded")
    browser.wait(f"document.body.dataset.checked === {SCENE!r}")
    words = browser.evaluate("document.getElementById('words').innerText")
    assert "SKIN_INFLUENCES_CUT" in words
    assert "no issue" in words
    assert browser.evaluate("document.getElementById('status').textContent") == "lossy"


def test_a_broken_model_shows_the_validators_words(browser: Browser, server: Server) -> None:
    open_asset(browser, server, BROKEN, "failed")
    browser.wait(f"document.body.dataset.checked === {BROKEN!r}")
    words = browser.evaluate("document.getElementById('words').innerText")
    assert "FILE_BROKEN" in words
    assert "the header says" in words
    assert "model-viewer cannot show it" in browser.evaluate("document.getElementById('trouble').textContent")


def test_without_model_viewer_there_are_pictures_and_how_to_get_it(browser: Browser, out: Path, server: Server) -> None:
    server.script = Unavailable("model-viewer is not installed (npm i)")
    open_asset(browser, server, SCENE, "picture")
    browser.wait("document.querySelector('#stage img').naturalWidth === 128")
    assert "npm i" in browser.evaluate("document.getElementById('note').textContent")
    assert not any("model-viewer.js" in url for url in browser.requests)


def test_decoders_are_asked_of_this_host(browser: Browser, server: Server) -> None:
    """model-viewer has other hosts in mind for them; the ones that npm installs with it are served."""
    open_asset(browser, server, SCENE, "loaded")
    places = browser.evaluate("Object.entries(self.ModelViewerElement).filter(([name]) => name.endsWith('Location'))")
    assert len(places) == 3
    assert all(place.startswith("/decoders/") for _, place in places)
    wanted = ("basis/basis_transcoder.js", "basis/basis_transcoder.wasm", "draco/gltf/draco_decoder.wasm")
    for name in wanted:
        assert browser.evaluate(f"fetch('/decoders/{name}').then((answer) => answer.ok)"), name


def test_the_browser_could_not_leave_the_machine_if_it_wanted(browser: Browser, server: Server, tmp_path: Path) -> None:
    """Both the policies of the pages and the browser of these tests stand in the way; the log sees the attempt."""
    open_asset(browser, server, SCENE, "loaded")
    attempt = "fetch('https://outside.example/').then(() => 'reached', () => 'refused')"
    assert browser.evaluate(attempt) == "refused"
    (tmp_path / "without_policy.html").write_text("<!doctype html><title>empty</title>", encoding="utf-8")
    browser.open((tmp_path / "without_policy.html").as_uri())
    assert browser.evaluate(attempt) == "refused"
    outside = [url for url in browser.requests if "outside.example" in url]
    assert outside, "the log of requests would not have seen it"
    browser.requests = [url for url in browser.requests if url not in outside]

"""The report's page, opened from the local disk."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.builders.reports import HOSTILE, asset_value, content_value, diagnostic_value, large_report, report_value
from unity2gltf import codes
from unity2gltf.preview.viewer.server import Server
from unity2gltf.report.write import write_report

from .chromium import Browser
from .conftest import BROKEN

READY = "document.body.dataset.state === 'ready'"
NAMES = "[...document.querySelectorAll('#rows td.asset a')].map((link) => link.textContent)"
PICTURES = "[...document.querySelectorAll('td.picture img')]"
FOUND = "document.getElementById('found').value"
PANEL = "document.getElementById('panel')"


def show(browser: Browser, out: Path, hash_: str = "") -> None:
    browser.open(f"{(out / 'index.html').as_uri()}{hash_}")
    browser.wait(READY)


def search(browser: Browser, words: str) -> None:
    browser.evaluate(f"$$('search').value = {json.dumps(words)}; $$('search').dispatchEvent(new Event('input'))")


def press(browser: Browser, key: str) -> None:
    code = {"Enter": 13, "Escape": 27, " ": 32}.get(key, 0)
    for kind in ("keyDown", "keyUp"):
        text = {"text": "\r"} if key == "Enter" and kind == "keyDown" else {}
        order = {"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code, **text}
        browser.call("Input.dispatchKeyEvent", order)


@pytest.fixture
def three(tmp_path: Path) -> Path:
    """Three assets with remarks, and what else a report can tell."""
    missing = diagnostic_value(codes.TEXTURE_MISSING, "Skin.png is gone", 'CAB-2/Texture2D "Skin"')
    form = diagnostic_value(codes.SKIN_FORM, "4 influences", "CAB-2")
    body = asset_value("Body 10", 200, status="lossy", diagnostics=[missing, missing, form])
    assets = [body, asset_value("Body 2", 900, folder="scenes"), asset_value("Gone", 5, status="failed", output=None)]
    contents = [
        content_value(body, type="AnimationClip", name="Walk"),
        content_value(body, name="Hat", status="failed", assets=[], reason="cut off"),
    ]
    broken = {"path": "data/broken", "sha256": None, "status": "failed", "reason": "no version"}
    other = [diagnostic_value(codes.ASSET_EMPTY, "scene 'Menu' draws nothing")]
    write_report(report_value(assets, contents=contents, inputs=[broken], diagnostics=other), tmp_path)
    return tmp_path


def test_it_shows_a_picture_of_every_asset(browser: Browser, out: Path) -> None:
    show(browser, out)
    rows = len(browser.evaluate(NAMES))
    assert browser.evaluate(FOUND) == f"{rows} assets"
    # Lazy pictures load as they come into sight.
    browser.evaluate(f"{PICTURES}.forEach((picture) => picture.scrollIntoView())")
    browser.wait(f"{PICTURES}.length === {rows} && {PICTURES}.every((picture) => picture.naturalWidth === 128)")
    assert all(url.startswith(("file://", "data:,")) for url in browser.requests if url != "about:blank")
    assert browser.console == []


def test_the_panel_leads_to_the_file_and_its_picture(browser: Browser, out: Path) -> None:
    show(browser, out)
    for number in range(len(browser.evaluate(NAMES))):
        browser.evaluate(f"document.querySelectorAll('#rows tr')[{number}].click()")
        browser.wait(f"!{PANEL}.hidden && {PANEL}.querySelector('h2').textContent === ({NAMES})[{number}]")
        links = browser.evaluate(f"[...{PANEL}.querySelectorAll('a')].map((link) => decodeURI(link.pathname))")
        assert len(links) == 2
        assert all(Path(link).is_file() and BROKEN not in link for link in links)
        browser.wait(f"{PANEL}.querySelector('.still img').naturalWidth === 128")


def test_search_by_name_path_source_and_code(browser: Browser, three: Path) -> None:
    show(browser, three)
    assert browser.evaluate(NAMES) == ["Gone", "Body 10", "Body 2"], "worst first"
    for words, names in (
        ("BODY 10", ["Body 10"]),
        ("scenes/", ["Body 2"]),
        ("bundle9", ["Body 2"]),
        ("texture_missing", ["Body 10"]),
        ("nothing like it", []),
    ):
        search(browser, words)
        assert browser.evaluate(NAMES) == names
        assert browser.evaluate(FOUND) == f"{len(names)} of 3 assets"
    assert browser.evaluate("!document.getElementById('nothing').hidden")
    browser.evaluate("document.getElementById('clear').click()")
    assert len(browser.evaluate(NAMES)) == 3


def test_sort_and_filter(browser: Browser, three: Path) -> None:
    show(browser, three)

    def sort(label: str) -> tuple[list[str], str]:
        head = f"[...document.querySelectorAll('#head th')].find((head) => head.textContent === {label!r})"
        browser.evaluate(f"{head}.querySelector('button').click()")
        return browser.evaluate(NAMES), browser.evaluate(f"{head}.getAttribute('aria-sort')")

    assert sort("asset") == (["Body 2", "Body 10", "Gone"], "ascending")
    assert sort("asset") == (["Gone", "Body 10", "Body 2"], "descending")
    assert sort("triangles") == (["Body 2", "Body 10", "Gone"], "descending")
    assert sort("triangles")[0] == ["Gone", "Body 10", "Body 2"]
    assert browser.evaluate("document.querySelectorAll('[aria-sort]').length") == 1
    browser.evaluate("$$('kind').value = 'mesh'; $$('kind').dispatchEvent(new Event('change'))")
    assert browser.evaluate(NAMES) == ["Gone", "Body 10"]
    browser.evaluate("$$('status').value = 'lossy'; $$('status').dispatchEvent(new Event('change'))")
    assert browser.evaluate(NAMES) == ["Body 10"]


def test_the_panel_says_what_happened_what_it_means_and_what_to_do(browser: Browser, three: Path) -> None:
    show(browser, three, "#asset=meshes%2FBody%2010.glb")
    words = browser.evaluate(f"{PANEL}.innerText")
    for part in (
        "lossy mesh",
        "TEXTURE_MISSING × 2",
        "Skin.png is gone",
        'CAB-2/Texture2D "Skin"',
        codes.TEXTURE_MISSING.sentence,
        "What to do: Convert the whole game folder",
        "For information: 1 note",
        "worst error\n200 nm",
        "triangles\n200",
        "Clips (1)",
        "Walk",
        "data/bundle2",
        "Mesh 200",
    ):
        assert part in words
    assert browser.evaluate(f"{PANEL}.querySelector('a').href").endswith("/meshes/Body%2010.glb")
    show(browser, three, "#asset=%3F2")
    assert "could not be converted" in browser.evaluate(f"{PANEL}.innerText"), "an asset without a file"
    show(browser, three, "#asset=%E0%A4%A")
    assert browser.evaluate(f"{PANEL}.hidden"), "a broken address"


def test_the_other_views(browser: Browser, three: Path) -> None:
    show(browser, three, "#codes")
    view = "document.querySelector('section:not([hidden])')"
    assert "TEXTURE_MISSING" in browser.evaluate(f"{view}.innerText")
    browser.evaluate(f"{view}.querySelector('button').click()")
    browser.wait(f"location.hash === '#assets' && {FOUND} === '1 of 3 assets'")
    for hash_, parts in (
        ("#inputs", ("data/broken", "no version", "Hat", "cut off", "AnimationClip")),
        ("#other", ("ASSET_EMPTY", "scene 'Menu' draws nothing")),
    ):
        browser.evaluate(f"location.hash = {hash_!r}")
        browser.wait(f"document.querySelector('nav [aria-current]').hash === {hash_!r}")
        words = browser.evaluate(f"{view}.innerText")
        assert all(part in words for part in parts)


def test_the_keyboard_alone(browser: Browser, three: Path) -> None:
    show(browser, three)
    active = (
        "document.getElementById($$('table').getAttribute('aria-activedescendant'))?.querySelector('a').textContent"
    )
    press(browser, "/")
    assert browser.evaluate("document.activeElement.id") == "search"
    press(browser, "ArrowDown")
    assert browser.evaluate("document.activeElement.id") == "table"
    assert browser.evaluate(active) == "Gone"
    for key, name in (("ArrowDown", "Body 10"), ("End", "Body 2"), ("Home", "Gone"), ("ArrowDown", "Body 10")):
        press(browser, key)
        assert browser.evaluate(active) == name
    press(browser, "Enter")
    browser.wait(f"document.activeElement === {PANEL}.querySelector('h2')")
    press(browser, "Escape")
    browser.wait(f"{PANEL}.hidden && document.activeElement.id === 'table'")
    assert browser.evaluate(active) == "Body 10"


def test_roles_and_labels_for_readers_of_the_screen(browser: Browser, three: Path) -> None:
    show(browser, three, "#asset=meshes%2FBody%2010.glb")
    tree = browser.call("Accessibility.getFullAXTree")["nodes"]

    def named(role: str) -> list[str]:
        return [str(node["name"]["value"]) for node in tree if node.get("role", {}).get("value") == role]

    assert named("searchbox") == ["Search"]
    assert {"Kind", "Status"} <= set(named("combobox"))
    assert named("grid")[0].startswith("Assets")
    assert "Body 10" in named("complementary")
    assert "triangles" in " ".join(named("columnheader"))
    assert all(named("button"))
    assert browser.evaluate("$$('table').getAttribute('aria-rowcount')") == "4"
    assert browser.evaluate("document.querySelector('[aria-selected=true]').ariaRowIndex") == "3"


def test_hostile_names_are_text(browser: Browser, tmp_path: Path) -> None:
    remarks = [diagnostic_value(codes.TEXTURE_MISSING, name, name) for name in HOSTILE]
    assets = [asset_value(name, number, diagnostics=remarks) for number, name in enumerate(HOSTILE)]
    for asset in assets[1:3]:
        asset["output"] = "//outside.example/x.glb"
    assets[3]["output"] = "javascript:document.title='x'"
    write_report(report_value(assets, diagnostics=remarks), tmp_path)
    show(browser, tmp_path)
    title = browser.evaluate("document.title")
    assert len(browser.evaluate(NAMES)) == len(HOSTILE)
    assert any("⟨202e⟩" in name for name in browser.evaluate(NAMES))
    for number in range(len(HOSTILE)):
        browser.evaluate(f"location.hash = hashOf(assets[{number}])")
        browser.wait(f"chosen === byKey.get(assets[{number}].key)")
        link = browser.evaluate(f"{PANEL}.querySelector('.links a').href")
        assert link.startswith(tmp_path.as_uri())
    for view in ("codes", "inputs", "other"):
        browser.evaluate(f"location.hash = '{view}'")
    assert browser.evaluate("document.scripts.length") == 3
    assert browser.evaluate("document.title") == title
    assert browser.console == []
    width = browser.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert width <= 0, "a name of 300 bytes makes nothing wider"


def test_only_its_own_script_may_run(browser: Browser, three: Path) -> None:
    page = (three / "index.html").read_text("utf-8")
    hostile = page.replace(
        "</main>", "</main><script>document.title = 'broken out'</script><img src=x onerror=alert(1)>"
    )
    (three / "index.html").write_text(hostile, encoding="utf-8")
    show(browser, three)
    assert browser.evaluate("document.title") != "broken out"
    assert browser.evaluate("fetch('https://outside.example/').then(() => 'reached', () => 'refused')") == "refused"
    assert not any("outside.example" in url for url in browser.requests), "the page's own policy stands in the way"


def test_it_works_in_the_viewer_too(browser: Browser, out: Path, server: Server) -> None:
    browser.open(f"{server.url}files/index.html")
    browser.wait(READY)
    browser.evaluate("document.querySelector('#rows tr').click()")
    browser.wait(f"!{PANEL}.hidden")
    link = browser.evaluate(f"[...{PANEL}.querySelectorAll('a')].at(-1).href")
    browser.open(link)
    browser.wait("document.body.dataset.state !== 'starting'")
    assert browser.evaluate("document.querySelector('[aria-current]').hash") == link[link.index("#") :]
    assert browser.evaluate("[...document.querySelectorAll('nav a')][0].pathname") == "/files/index.html"


LONGEST = """
self.longest = [];
new PerformanceObserver((list) => longest.push(...list.getEntries().map((entry) => entry.duration)))
  .observe({ type: 'longtask', buffered: true });
"""
TIMED = """(async () => {
  await new Promise(requestAnimationFrame);
  const begin = performance.now();
  %s;
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return performance.now() - begin;
})()"""


IN_SIGHT = """(() => {
  const [row, all] = [document.querySelector('#rows [aria-selected=true]'), $$('scroller')]
    .map((one) => one?.getBoundingClientRect());
  return row && row.top >= all.top && row.bottom <= all.bottom + 1;
})()"""


def test_five_thousand_assets_do_not_freeze_it(browser: Browser, tmp_path: Path) -> None:
    """Bounds for a slow machine with much else to do; a quiet one needs a tenth."""
    write_report(large_report(5_000, 20_000), tmp_path)
    browser.call("Page.addScriptToEvaluateOnNewDocument", {"source": LONGEST})
    show(browser, tmp_path)
    assert browser.evaluate(FOUND) == "5,000 assets"
    assert browser.evaluate("performance.now()") < 10_000
    acts = (
        "search", "$$('search').value = 'asset 49'; refresh()",
        "all", "$$('search').value = ''; refresh()",
        "sort by name", "sortBy('name')",
        "sort by size", "sortBy('bytes')",
        "filter", "$$('kind').value = 'scene'; refresh()",
        "open", "open(assets[4990])",
        "scroll", "$$('scroller').scrollTop = 50000",
        "codes", "location.hash = '#codes'",
        "other", "location.hash = '#other'",
    )  # fmt: skip
    for name, act in zip(acts[::2], acts[1::2], strict=True):
        taken = browser.evaluate(TIMED % act)
        assert taken < 1_000, f"{name}: {taken:.0f} ms"
    assert max(browser.evaluate("longest"), default=0) < 2_000
    for asset in (17, 4321, 40):
        browser.evaluate(f"location.hash = hashOf(assets[{asset}])")
        browser.wait(f"chosen === assets[{asset}]")
        browser.wait(IN_SIGHT)
    assert browser.evaluate("document.querySelectorAll('*').length") < 3_000, "only what is in sight is drawn"

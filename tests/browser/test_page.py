"""The report's page, opened from the local disk."""

from __future__ import annotations

from pathlib import Path

from .chromium import Browser
from .conftest import BROKEN

PICTURES = "[...document.querySelectorAll('td.p img')]"


def test_it_shows_a_picture_of_every_asset(browser: Browser, out: Path) -> None:
    browser.open((out / "index.html").as_uri())
    rows = browser.evaluate("document.querySelectorAll('tbody tr').length")
    assert rows == 6
    # Lazy pictures load as they come into sight.
    browser.evaluate(f"{PICTURES}.forEach((picture) => picture.scrollIntoView())")
    browser.wait(f"{PICTURES}.length === {rows} && {PICTURES}.every((picture) => picture.naturalWidth === 128)")
    assert browser.evaluate(f"{PICTURES}.every((picture) => picture.loading === 'lazy')")
    assert sum(url.endswith(".png") for url in browser.requests) == rows
    assert all(url.startswith("file://") for url in browser.requests if url != "about:blank")


def test_pictures_lead_to_themselves_and_names_to_the_files(browser: Browser, out: Path) -> None:
    browser.open((out / "index.html").as_uri())
    links = browser.evaluate("[...document.querySelectorAll('tbody a')].map((link) => decodeURI(link.pathname))")
    assert len(links) == 12
    assert all(Path(link).is_file() for link in links)
    assert not any(BROKEN in link for link in links)

"""The page works in the frame that a notebook shows."""

from __future__ import annotations

import asyncio
import os

import pytest

from chromium import PROGRAM, Browser

pytest.importorskip("tornado")


@pytest.mark.skipif(
    PROGRAM is None and not os.environ.get("TOPOI_REQUIRE_CHROMIUM"), reason="there is no Chromium"
)
def test_the_page_in_its_frame(model, tmp_path):
    (tmp_path / "notebook.html").write_text(
        "<!doctype html><meta charset=utf-8>" + model.explore()._repr_html_(), encoding="utf-8"
    )
    browser = Browser(tmp_path / "profile")
    try:
        asyncio.run(look(browser, (tmp_path / "notebook.html").as_uri()))
    finally:
        browser.close()


async def look(browser: Browser, address: str) -> None:
    await browser.connect()
    await browser.call("Page.navigate", browser.page, url=address)
    for _ in range(200):
        if browser.frames:
            break
        await asyncio.sleep(0.05)
        await browser.evaluate("1", browser.page)
    frame = browser.frames[-1]
    await browser.call("Runtime.enable", frame)
    await browser.call("Log.enable", frame)
    await browser.wait_for('document.documentElement.dataset.ready === "yes"', frame)
    assert "5 topics of 150 documents" in await browser.evaluate("document.body.innerText", frame)
    await browser.evaluate("document.querySelector('a[href*=\"topic/\"]').click()", frame)
    await browser.wait_for('document.body.innerText.includes("main topic of")', frame)
    assert (await browser.evaluate("location.href", frame)).startswith("about:srcdoc#/topic/")
    await browser.evaluate(
        "const r = document.querySelector('input[type=range]'); r.value = 0; r.dispatchEvent(new Event('input', {bubbles: true}))",
        frame,
    )
    await browser.wait_for('location.href.includes("lambda=0")', frame)
    assert (
        await browser.evaluate("location.href", browser.page) == address
    )  # the notebook stays where it is
    assert browser.faults == []

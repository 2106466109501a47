"""The page in a real browser: first screen, zoom, links, keyboard, dark, phone, no script."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from greta.reports import compose, html
from greta.reports.lang import Language
from tests.reports.browser import Browser, chromium, find_chromium
from tests.reports.documents import reported, summary

CHROMIUM = find_chromium()
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium to show the page")

STREAM = "0x5e10"
LONG = "void attention<" + ", ".join(["float", "64"] * 44) + ">(float const*, int)"
DESKTOP = (1280, 800)
PHONE = (390, 844)
PLACE = "document.querySelector({!r}).getBoundingClientRect().toJSON()"


def fault(**changes: Any) -> dict[str, Any]:
    """One run in which a kernel overran its buffer, with all that a page can show of it."""
    calls = [
        {"seq": 10, "call": "hipMalloc", "result": "hipSuccess", "begin_ns": 1000, "took_ns": 500},
        *(
            {
                "seq": 11 + place,
                "call": "hipModuleLaunchKernel",
                "kernel": f"kernel_with_a_long_name_{place}",
                "stream": STREAM,
                "result": "hipSuccess",
                "begin_ns": 2000 + place,
                "in_flight": True,
            }
            for place in range(10)
        ),
        {"seq": 21, "call": "x", "kernel": "rope", "stream": STREAM, "role": "cause"},
        {"seq": 22, "call": "hipMemcpyAsync", "stream": STREAM, "role": "blamed"},
    ]
    steps = [{"code": "step_repeat", "data": {}}, {"code": "step_strict_placement", "data": {}}]
    cause = summary()["cause"] | {
        "seq": 21,
        "code": "kernel_past_end",
        "data": {"kernel": "rope", "past_end": 4, "argument": 1, "buffer_bytes": 16, "seq": 21},
    }
    document = summary(
        tests=[],
        iterations=[],
        statistics={},
        cause=cause,
        blamed=summary()["blamed"] | {"seq": 22},
        around=summary()["around"] | {"operations": calls},
        next_step_codes=steps,
        next_steps=["", ""],
        rerun={"command": ["python", "model.py"], "folder": "/home/you"},
    )
    return document | changes


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    assert CHROMIUM
    with chromium(CHROMIUM, tmp_path_factory.mktemp("profile")) as started:
        yield started


@pytest.fixture
def page(tmp_path: Path) -> Any:
    def written(document: dict[str, Any], lang: Language = "en") -> Path:
        path = tmp_path / "report.html"
        path.write_text(html.render(compose(reported(document), lang)), encoding="utf-8")
        return path

    return written


@pytest.mark.parametrize("lang", ["en", "es"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_story_is_on_the_first_screen(
    browser: Browser, page: Any, lang: Language, size: tuple[int, int]
) -> None:
    """What is wrong, how often, and the first next step with its command."""
    browser.open(page(fault(), lang), size)
    for part in (".story", "#overview dl", "#steps li", "#steps li pre"):
        place = browser.run(PLACE.format(part))
        assert 0 <= place["top"] < place["bottom"] <= size[1], (part, place)
        assert 0 <= place["left"] < place["right"] <= size[0], (part, place)


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("kind", ["fault", "audit"])
def test_nothing_makes_the_page_wider_than_the_screen(
    browser: Browser, page: Any, kind: str, size: tuple[int, int]
) -> None:
    """With 300 suspects, kernels whose names have 400 letters, and everything unfolded."""
    suspects = [
        {"seq": 1000 + place, "call": "x", "kernel": f"{LONG}{place}", "confidence": 0.001}
        for place in range(300)
    ]
    document = fault() if kind == "fault" else summary()
    document["cause"] = document["cause"] | {"kernel": LONG, "alternatives": suspects}
    document["around"]["operations"][0]["kernel"] = LONG
    browser.open(page(document), size)
    assert browser.run("document.querySelectorAll('#cause details tbody tr').length") == 200
    browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert browser.run("document.documentElement.scrollWidth") <= size[0]


def test_zooming_shows_more_of_the_names(browser: Browser, page: Any) -> None:
    browser.open(page(fault()))
    name = "document.querySelector('#streams svg a[href=\"#call-15\"] text').textContent"
    width = "document.querySelector('#streams svg').getBoundingClientRect().width"
    before, wide = browser.run(name), browser.run(width)
    for _ in range(2):
        browser.run("document.querySelector('.zoom button:nth-child(2)').click()")
    assert "…" in before
    assert browser.run(name) == "kernel_with_a_long_name_4"
    assert browser.run(width) > 2 * wide
    assert browser.run("document.documentElement.scrollWidth") <= DESKTOP[0]
    browser.run("document.querySelector('.zoom button:nth-child(3)').click()")
    assert browser.run(name) == before
    assert browser.run(width) == wide


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_the_number_of_a_call_leads_to_its_row(browser: Browser, page: Any, script: bool) -> None:
    browser.open(page(fault()), script=script)
    link = browser.run(PLACE.format("#overview a[href='#call-22']"))
    at = {"x": link["x"] + 5, "y": link["y"] + 5, "button": "left", "clickCount": 1}
    for kind in ("mousePressed", "mouseReleased"):
        browser.ask("Input.dispatchMouseEvent", type=kind, **at)
    row = browser.run(PLACE.format("#call-22"))
    assert 0 <= row["top"] < row["bottom"] <= DESKTOP[1]
    assert browser.run("location.hash") == "#call-22"


def test_without_script_all_is_there_and_no_button_is_dead(browser: Browser, page: Any) -> None:
    browser.open(page(fault()), script=False)
    assert browser.run("document.querySelectorAll('button').length") == 0
    commands = "[...document.querySelectorAll('pre')].map((one) => one.textContent).join()"
    assert "greta audit -- python model.py" in browser.run(commands)
    browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    text = browser.run("document.body.innerText")
    for word in ("Missing synchronization", "kernel_with_a_long_name_4", "attention", "HIP calls"):
        assert word in text


def test_a_hypothesis_opens_by_the_keyboard(browser: Browser, page: Any) -> None:
    browser.open(page(fault()))
    browser.run("document.querySelector('.opening summary').focus()")
    browser.press("Enter", 13)
    assert browser.run("document.querySelector('.opening details').open") is True
    assert browser.run("document.querySelector('.opening details p').offsetHeight") > 0


def test_every_command_can_be_copied(browser: Browser, page: Any) -> None:
    browser.open(page(fault()))
    assert browser.run("document.querySelectorAll('.command button').length") == browser.run(
        "document.querySelectorAll('pre.copied').length"
    )
    browser.run("document.execCommand = () => { window.copied = getSelection().toString() || 1; }")
    browser.run("navigator.clipboard.writeText = (text) => { window.copied = text; }")
    browser.run("document.querySelector('#steps .command button').click()")
    assert "greta audit -- python model.py" in browser.run("window.copied")


CONTRAST = """
(() => {
  const light = (colour) => {
    const parts = colour.match(/[0-9.]+/g).slice(0, 3).map((one) => one / 255)
      .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4));
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (!colour.startsWith("rgba(0, 0, 0, 0")) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const own = (one) => [...one.childNodes].some((two) => two.nodeType === 3 && two.data.trim());
  return [...document.querySelectorAll("body *")]
    .filter((one) => own(one) && !one.closest("svg, script, style"))
    .map((one) => {
      const [a, b] = [getComputedStyle(one).color, behind(one)].map(light).sort((x, y) => y - x);
      return [(a + 0.05) / (b + 0.05), one.className + ": " + one.textContent.slice(0, 30)];
    }).filter(([ratio]) => ratio < 4.5);
})()
"""


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_all_text_has_enough_contrast(browser: Browser, page: Any, dark: bool) -> None:
    """WCAG's 4.5 to 1, of every text."""
    browser.open(page(fault()), dark=dark)
    paper = browser.run("getComputedStyle(document.body).backgroundColor")
    assert (paper == "rgb(16, 19, 25)") is dark
    assert browser.run(CONTRAST) == []


def test_what_a_picture_shows_is_said_in_words(browser: Browser, page: Any) -> None:
    browser.open(page(fault()))
    labels = browser.run(
        "[...document.querySelectorAll('svg')].map((one) => one.getAttribute('aria-label'))"
    )
    assert len(labels) == 2
    assert all(labels)
    assert browser.run("document.querySelectorAll('figure + details table').length") == 2
    names = (
        "[...document.querySelectorAll('button')].every((one) => one.innerText || one.ariaLabel)"
    )
    assert browser.run(names) is True

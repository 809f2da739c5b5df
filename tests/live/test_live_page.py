"""The live page in a real browser on a real desktop: what is typed and clicked there arrives in the application."""

from __future__ import annotations

import base64
import io
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from browser import CTRL, SHIFT, Browser, browser
from PIL import Image

from deskbench.core.app import App, Ready
from deskbench.core.frame import Frame
from deskbench.core.observation import Element
from deskbench.core.ports import Settle
from deskbench.core.wait import TimedOut, until
from deskbench.desktops.local.desktop import LocalDesktop
from deskbench.web.live import serve

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(shutil.which("chromium") is None or shutil.which("geany") is None, reason="needs chromium and geany"),
]

GEANY = App("geany", "Geany", ("geany",), ("geany",), Ready("Geany"))
LIVE = "document.getElementById('light')?.dataset.state === 'live' && document.getElementById('screen').width > 1"


@pytest.fixture(scope="module")
def desktop() -> Iterator[LocalDesktop]:
    with LocalDesktop.open(apps={"geany": GEANY}, layers=[], size=(1280, 720)) as one:
        yield one


@pytest.fixture(scope="module")
def address(desktop: LocalDesktop) -> Iterator[str]:
    closed, ready = threading.Event(), threading.Event()
    addresses: list[str] = []
    thread = threading.Thread(
        target=serve,
        args=(desktop,),
        kwargs={"apps": ["geany"], "on_ready": lambda given: (addresses.append(given), ready.set()), "until_closed": closed},
    )
    thread.start()
    assert ready.wait(10)
    yield addresses[0]
    closed.set()
    thread.join(20)
    assert not thread.is_alive()


@pytest.fixture(scope="module")
def tab(address: str) -> Iterator[Browser]:
    with browser() as one:
        one.resize(1400, 860)
        one.open(address)
        one.until(LIVE, "the page to be live")
        yield one


@pytest.fixture
def editor(desktop: LocalDesktop, tab: Browser) -> Browser:
    """The page on a fresh desktop with Geany open and a new document in front, opened through the page itself."""
    tab.evaluate("document.getElementById('reset').click()")
    tab.until("document.getElementById('sure').open", "the question")
    tab.evaluate("document.querySelector('#sure [value=yes]').click()")
    until(lambda: desktop.observe().windows == (), "the reset to be done", 15)
    tab.until(f"({LIVE}) && document.getElementById('trouble').textContent === ''", "the page to know of it")
    tab.evaluate("(() => { const apps = document.getElementById('apps'); apps.value = 'geany'; apps.onchange({ target: apps }); })()")
    tab.until("document.querySelector('#windows [aria-current=true]')?.textContent.includes('Geany')", "the window to be listed and focused")
    desktop.settle(Settle(15, 0.5))  # a window that is there is not yet an editor that listens
    tab.evaluate("(() => { const keys = document.getElementById('chords'); keys.value = 'ctrl+n'; keys.onchange({ target: keys }); })()")
    tab.until("document.querySelector('#windows [aria-current=true]')?.textContent.includes('untitled')", "a new document")
    desktop.settle(Settle(15, 0.5))
    return tab


def holds(desktop: LocalDesktop, editor: Browser, text: str) -> None:
    """The document holds this text: everything is selected and copied through the page, and read from the desktop."""
    for last in (False, False, True):  # Geany loses a copy that comes within milliseconds of what was typed
        with editor.holding("Control", "ControlLeft", 17, CTRL):
            editor.key("a", "KeyA", 65, CTRL)
            editor.key("c", "KeyC", 67, CTRL)
        try:
            until(lambda: desktop.observe().clipboard == text, "the clipboard", 4, every=0.05)
            return
        except TimedOut:
            assert not last, desktop.observe().clipboard


def copy(editor: Browser) -> None:
    with editor.holding("Control", "ControlLeft", 17, CTRL):
        editor.key("c", "KeyC", 67, CTRL)


def selected(desktop: LocalDesktop, before: Frame) -> None:
    """Something else is selected now. Geany loses a copy that comes within milliseconds of a click, faster than a hand is."""
    until(lambda: not desktop.frame().same_as(before), "a selection", 5)
    desktop.settle()


def copied(desktop: LocalDesktop, *texts: str) -> None:
    """One of these texts comes to the desktop's clipboard."""
    try:
        until(lambda: desktop.observe().clipboard in texts, "the clipboard", 5, every=0.05)
    except TimedOut:
        assert desktop.observe().clipboard in texts


def document(desktop: LocalDesktop, text: str) -> Element:
    """The element that holds the document, once it holds this text."""
    return until(lambda: next((e for e in desktop.elements().items if e.value == text), None), f"the text {text!r}", 5)


def canvas_box(tab: Browser) -> list[float]:
    """Left, top, width and height of the picture on the page, once the page has been laid out."""
    box = "(b => [b.left, b.top, b.width, b.height])(document.getElementById('screen').getBoundingClientRect())"
    return list(tab.evaluate(f"new Promise(tell => requestAnimationFrame(() => requestAnimationFrame(() => tell({box}))))"))


def type_on(editor: Browser, text: str) -> None:
    for character in text:
        editor.key(character, "", 0, text=character)


def test_what_is_typed_at_the_page_arrives_in_the_application(desktop: LocalDesktop, editor: Browser, tmp_path: Path) -> None:
    type_on(editor, "Hello, desk <7> & ")
    editor.call("Input.imeSetComposition", text="ni", selectionStart=2, selectionEnd=2)
    editor.call("Input.insertText", text="你好 😀")
    editor.key("Enter", "Enter", 13, text="\r")
    with editor.holding("Shift", "ShiftLeft", 16, SHIFT):
        editor.key("Ä", "Quote", 222, SHIFT, text="Ä")
        editor.key("/", "Digit7", 55, SHIFT, text="/")  # as a German keyboard has it
    expected = "Hello, desk <7> & 你好 😀\nÄ/"
    holds(desktop, editor, expected)
    editor.until(f"document.getElementById('cliptext').value === {expected!r}", "the page to show the desktop's clipboard")
    editor.evaluate("document.getElementById('clip').click()")
    editor.picture(tmp_path / "page.png")
    editor.evaluate("document.getElementById('clip').click()")
    assert editor.complaints == []


def test_held_modifiers_reach_the_application(desktop: LocalDesktop, editor: Browser) -> None:
    type_on(editor, "abcdef")
    with editor.holding("Shift", "ShiftLeft", 16, SHIFT):
        for _ in range(3):
            editor.key("ArrowLeft", "ArrowLeft", 37, SHIFT)
    type_on(editor, "X")
    holds(desktop, editor, "abcX")


def test_text_from_the_browsers_clipboard_is_pasted(desktop: LocalDesktop, editor: Browser) -> None:
    paste = """(() => {
        const field = document.getElementById('keyboard');
        const data = new DataTransfer();
        data.setData('text/plain', 'pasted: žluťoučký 貼り付け');
        field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    })()"""
    with editor.holding("Control", "ControlLeft", 17, CTRL):
        editor.key("v", "KeyV", 86, CTRL)  # without an editing command the browser itself does not paste
        editor.evaluate(paste)
    holds(desktop, editor, "pasted: žluťoučký 貼り付け")


def test_the_clipboard_panel_puts_and_types(desktop: LocalDesktop, editor: Browser) -> None:
    editor.evaluate("document.getElementById('clip').click(); document.getElementById('cliptext').value = 'from the panel'")
    editor.evaluate("document.getElementById('clip-put').click()")
    until(lambda: desktop.observe().clipboard == "from the panel", "the clipboard", 5)
    editor.evaluate("document.getElementById('cliptext').value = 'typed'; document.getElementById('clip-type').click()")
    editor.evaluate("document.getElementById('clip').click()")
    holds(desktop, editor, "typed")


@pytest.mark.parametrize(("width", "height", "ratio"), [(1400, 860, 1), (700, 500, 1), (1000, 900, 2), (375, 667, 3), (2600, 1500, 1.25)])
def test_every_place_of_the_page_is_the_right_pixel(desktop: LocalDesktop, tab: Browser, width: int, height: int, ratio: float) -> None:
    tab.resize(width, height, ratio)
    try:
        box = canvas_box(tab)
        assert abs(box[2] / box[3] - 1280 / 720) < 0.01 and box[1] + box[3] <= height
        for x, y in ((0, 0), (1279, 719), (640, 360), (17, 701), (1203, 44)):
            tab.mouse("mouseMoved", box[0] + (x + 0.5) * box[2] / 1280, box[1] + (y + 0.5) * box[3] / 720)
            until(lambda at=(x, y): desktop.observe().cursor == at, f"the pointer at {x}, {y}, not {desktop.observe().cursor}", 5)
    finally:
        tab.resize(1400, 860)


def test_a_double_click_selects_a_word_and_a_drag_a_range(desktop: LocalDesktop, editor: Browser) -> None:
    type_on(editor, "alpha beta")
    left, top, width, _ = canvas_box(editor)
    text = document(desktop, "alpha beta").box
    start = (left + (text.x + 46) * width / 1280, top + (text.y + 8) * width / 1280)  # behind the margin with the line numbers
    word = (start[0] + 20, start[1])
    editor.mouse("mouseMoved", *word)
    before = desktop.frame()
    for clicks in (1, 2):
        editor.mouse("mousePressed", *word, "left", clicks)
        editor.mouse("mouseReleased", *word, "left", clicks)
    selected(desktop, before)
    copy(editor)
    copied(desktop, "alpha")
    before = desktop.frame()
    editor.key("End", "End", 35)  # a drag that starts in a selection would move the text
    selected(desktop, before)
    before = desktop.frame()
    editor.mouse("mousePressed", *start, "left", 1)
    for step in range(1, 20):
        editor.mouse("mouseMoved", start[0] + 20 * step, start[1], "left")
    editor.mouse("mouseReleased", start[0] + 400, start[1], "left", 1)
    selected(desktop, before)
    copy(editor)
    copied(desktop, "alpha beta")


def test_the_wheel_turns_both_ways(desktop: LocalDesktop, editor: Browser) -> None:
    type_on(editor, "x")
    for _ in range(90):
        editor.key("Enter", "Enter", 13, text="\r")
    document(desktop, "x" + 90 * "\n")
    desktop.settle()
    left, top, width, height = canvas_box(editor)
    box = (left + width / 2, top + height / 2)
    bottom = desktop.frame()
    editor.mouse("mouseWheel", *box, deltaX=0, deltaY=-1200)
    until(lambda: not desktop.frame().same_as(bottom), "the text to scroll up", 5)
    desktop.settle()
    top = desktop.frame()
    editor.mouse("mouseWheel", *box, deltaX=0, deltaY=1200)
    until(lambda: not desktop.frame().same_as(top), "the text to scroll down", 5)


def test_the_canvas_shows_the_desktop_pixel_for_pixel(desktop: LocalDesktop, editor: Browser) -> None:
    type_on(editor, "exact?")

    def alike() -> bool:
        shown = editor.evaluate("document.getElementById('screen').toDataURL('image/png')").split(",")[1]
        image = np.asarray(Image.open(io.BytesIO(base64.b64decode(shown))).convert("RGB"))
        return bool((image == desktop.frame().pixels[..., 2::-1]).mean() > 0.9999)  # a caret may blink in between

    until(alike, "the page to show what the desktop shows", 10, every=0.2)


def test_the_status_line_tells_rate_and_latency(editor: Browser) -> None:
    editor.until("/^\\d+ fps$/.test(document.getElementById('fps').textContent)", "frames per second")
    latency = editor.until("parseInt(document.getElementById('latency').textContent)", "the latency")
    assert latency < 500
    assert editor.evaluate("document.getElementById('size').textContent") == "1280 × 720"

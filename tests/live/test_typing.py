"""Text of any kind arrives exactly: typed into real applications, saved by them, read back from their files."""

from __future__ import annotations

import string
from pathlib import Path

import pytest

from deskbench import apps
from deskbench.core.action import Click, Key, OpenApp, Paste, Type
from deskbench.core.faults import BadAction
from deskbench.core.ports import Settle
from deskbench.core.wait import until
from deskbench.desktops.local.desktop import LocalDesktop

pytestmark = pytest.mark.live

SIGNS = "".join(c for c in string.printable if c not in string.whitespace)
CHINESE = "春眠不觉晓处处闻啼鸟夜来风雨声花落知多少白日依山尽黄河入海流欲穷千里目更上一层楼床前明月光疑是地上霜举头望低头思故乡"
MIXED = "Grüße aus Zürich — naïve façade, señor; Ångström: λ≈μ·π… «да» ¿qué? ´`^~¨ ß€£¥ 한국어 日本語 العربية "
EMOJI = "😀🎉🚀👍🏽❤️🐼🌍🍜"


def long_text(length: int = 2000) -> str:
    """2,000 characters with every ASCII sign, Chinese, emoji, accents and more different characters than a keyboard has keys."""
    unusual = "".join(chr(code) for code in range(0x4E00, 0x4E00 + 300))
    piece = f"{SIGNS} {CHINESE} {EMOJI} {MIXED}{unusual} "
    return (piece * (length // len(piece) + 1))[:length].rstrip()


TEXT = long_text()


def test_the_text_is_what_it_says() -> None:
    assert len(TEXT) > 1990 and set(SIGNS) <= set(TEXT) and "😀" in TEXT and len(set(TEXT)) > 450


@pytest.mark.parametrize("layout", ["us", "de", "fr", "ru"])
def test_into_a_plain_editor_whatever_the_layout(layout: str) -> None:
    geany = apps.get("geany")
    with LocalDesktop.open(layers=[geany.layer]) as desktop:
        desktop.put({"~/text.txt": b""})
        desktop.launch(geany, "~/text.txt")
        if layout != "us":
            assert desktop.run(["setxkbmap", layout]).status == 0
        text = TEXT if layout == "us" else TEXT[:400]
        desktop.act(Type(text=text), settle=Settle(10))
        desktop.act(Key(keys=("ctrl", "s")), settle=Settle(5))
        saved = until(lambda: (desktop.peek("~/text.txt") or Path("/")).read_bytes(), "the file to be saved", 10)
        assert saved.decode().rstrip("\n") == text


def test_into_a_word_processor() -> None:
    writer = apps.get("writer")
    with LocalDesktop.open(layers=[writer.layer]) as desktop:
        profile = ".config/libreoffice/4/user/registrymodifications.xcu"
        settings = (desktop.peek(profile) or Path("/")).read_text()
        desktop.put({"~/text.fodt": FLAT_DOCUMENT.encode(), profile: settings.replace("</oor:items>", NO_CORRECTION + "</oor:items>").encode()})
        desktop.launch(writer, "~/text.fodt")
        desktop.act(Type(text=TEXT), settle=Settle(60))
        desktop.act(Key(keys=("ctrl", "s")), settle=Settle(10))
        assert body_of(until(lambda: changed(desktop), "the document to be saved", 120)) == TEXT


def test_into_a_browser() -> None:
    """A browser takes some keycodes for commands, whatever stands on them: none of them may be lent to a character."""
    chromium = apps.get("chromium")
    text = "".join(chr(0x4E00 + 7 * number) for number in range(130))
    page = "<title>Pad</title><textarea rows=20 cols=90 autofocus></textarea>"
    with LocalDesktop.open(layers=[chromium.layer]) as desktop:
        desktop.put({"~/pad.html": page.encode()})
        desktop.launch(chromium, "~/pad.html")
        (pad, *_) = until(lambda: desktop.elements().find("entry", ""), "the text area", 20)
        desktop.act(Click(x=pad.box.centre[0], y=pad.box.centre[1]))
        desktop.act(Type(text=text), settle=Settle(30))
        for key in ("a", "c"):
            desktop.act(Key(keys=("ctrl", key)))
        assert until(lambda: desktop.observe().clipboard, "the clipboard", 10) == text


def test_a_running_editor_opens_another_file_and_what_is_pasted_is_what_was_said() -> None:
    geany = apps.get("geany")
    with LocalDesktop.open(layers=[geany.layer], apps={"geany": geany}) as desktop:
        desktop.put({"~/first.txt": b"", "~/second.txt": b""})
        desktop.launch(geany, "~/first.txt")
        with pytest.raises(BadAction, match="there is no file"):
            desktop.act(OpenApp(app="geany", file="~/third.txt"))
        desktop.run(["ln", "-s", "second.txt", "link.txt"])
        desktop.act(OpenApp(app="geany", file="~/link.txt"))
        desktop.act(OpenApp(app="geany", file="~/second.txt"))
        assert any("second.txt" in window.title for window in desktop.windows())
        texts = [f"part {number} " for number in range(25)]
        for text in texts:
            desktop.act(Paste(text=text))
        desktop.act(Key(keys=("ctrl", "s")), settle=Settle(5))
        saved = until(lambda: (desktop.peek("~/second.txt") or Path("/")).read_bytes(), "the file to be saved", 10)
        assert saved.decode().split() == "".join(texts).split()


def changed(desktop: LocalDesktop) -> str | None:
    file = desktop.peek("~/text.fodt")
    text = file.read_text(encoding="utf-8", errors="replace") if file is not None else ""
    return text if len(text) > len(FLAT_DOCUMENT) + 1000 and text.rstrip().endswith("</office:document>") else None


def body_of(document: str) -> str:
    from lxml import etree

    root = etree.fromstring(document.encode())
    (paragraph,) = root.iter("{urn:oasis:names:tc:opendocument:xmlns:text:1.0}p")
    return "".join(paragraph.itertext())


# What a word processor corrects while one types is a matter of its settings, not of typing.
NO_CORRECTION = "".join(
    f'<item oor:path="/org.openoffice.Office.Common/AutoCorrect"><prop oor:name="{name}" oor:op="fuse"><value>false</value></prop></item>'
    for name in ("CapitalAtStartSentence", "TwoCapitalsAtStart", "UseReplacementTable", "ReplaceSingleQuote", "ReplaceDoubleQuote", "SetDash",
                 "SetInetAttr", "SetNonBreakingSpace", "ChangeUnderlineWeight", "ChangeToBullets", "RemoveDoubleSpaces", "CorrectAccidentalCapsLock")
)  # fmt: skip
FLAT_DOCUMENT = """<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
 office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.text">
<office:body><office:text><text:p></text:p></office:text></office:body></office:document>
"""

"""Makes the assets of the impress tasks again: python packs/make_assets/decks.py

Every name, figure and text is made up here. Decks are built by python-pptx; those in odp were then saved once by LibreOffice. Times are fixed
afterwards, so that the same run gives the same bytes.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from lxml import etree
from openpyxl import Workbook
from openpyxl.styles import Font, PatternFill
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.enum.shapes import MSO_SHAPE
from pptx.oxml.ns import qn
from pptx.util import Emu, Mm, Pt
from writing import keep

WHEN = (2026, 1, 12, 9, 30, 0)
P, A = "http://schemas.openxmlformats.org/presentationml/2006/main", "http://schemas.openxmlformats.org/drawingml/2006/main"
STAMP = "2026-01-12T09:30:00Z"


def repacked(data: bytes) -> bytes:
    """A zip with fixed times, so that the same content is the same file."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in sorted(old.namelist(), key=lambda name: (name != "mimetype", name)):
            content = old.read(name)
            if name in ("meta.xml", "docProps/core.xml"):
                content = re.sub(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z?", STAMP.encode(), content)
                content = re.sub(rb"<meta:editing-duration>[^<]*", b"<meta:editing-duration>PT2M", content)
            item = zipfile.ZipInfo(name, WHEN)
            item.compress_type = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            new.writestr(item, content)
    return out.getvalue()


def saved_by_office(data: bytes, kind: str, was: str = "pptx") -> bytes:
    """The file as LibreOffice saves it."""
    with tempfile.TemporaryDirectory() as place:
        (Path(place) / f"deck.{was}").write_bytes(data)
        profile = f"-env:UserInstallation=file://{Path(tempfile.gettempdir()) / 'deskbench-decks-profile'}"
        command = ["soffice", "--headless", profile, "--convert-to", kind, "--outdir", f"{place}/out", f"{place}/deck.{was}"]
        subprocess.run(command, check=True, capture_output=True)
        return (Path(place) / "out" / f"deck.{kind}").read_bytes()


def rgb(colour: str) -> RGBColor:
    return RGBColor(*bytes.fromhex(colour))


def coloured(holder: Any, colour: str) -> None:
    holder.fill.solid()
    holder.fill.fore_color.rgb = rgb(colour)


def scale_across(shapes: Any, share: float) -> None:
    for shape in shapes:
        if shape.element.find(".//" + qn("a:off")) is not None:
            shape.left, shape.width = Emu(round(shape.left * share)), Emu(round(shape.width * share))


def rule(holder: Any, colour: str, place: tuple[float, float, float, float]) -> None:
    """A coloured bar behind everything else on a master or layout."""
    shapes = holder.shapes._spTree
    number = max(int(one.get("id")) for one in shapes.iter(qn("p:cNvPr"))) + 1
    x, y, wide, high = (round(Mm(1) * one) for one in place)
    xml = (
        f'<p:sp xmlns:p="{P}" xmlns:a="{A}"><p:nvSpPr><p:cNvPr id="{number}" name="Rule"/><p:cNvSpPr/><p:nvPr userDrawn="1"/></p:nvSpPr>'
        f'<p:spPr><a:xfrm><a:off x="{x}" y="{y}"/><a:ext cx="{wide}" cy="{high}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom>'
        f'<a:solidFill><a:srgbClr val="{colour}"/></a:solidFill><a:ln><a:noFill/></a:ln></p:spPr></p:sp>'
    )
    shapes.insert(2, etree.fromstring(xml))


def blank(main: str, wide: bool = True) -> Any:
    """An empty deck with the house look: a coloured rule under the titles, the colours, the size of slides."""
    deck = Presentation()
    if wide:
        share = Mm(338.67) / deck.slide_width
        deck.slide_width, deck.slide_height = Mm(338.67), Mm(190.5)
        for holder in (deck.slide_master, *deck.slide_layouts):
            scale_across(holder.shapes, share)
    for style, size, colour, bold in (("titleStyle", 3600, main, True), ("bodyStyle", 2400, "262626", False)):
        for level in deck.slide_master.element.find(f".//{qn('p:' + style)}"):
            said = level.find(qn("a:defRPr"))
            if said is None:
                continue
            said.set("sz", str(max(1800, size - 400 * (int(level.tag[-4]) - 1) if style == "bodyStyle" else size)))
            if bold:
                said.set("b", "1")
                level.set("algn", "l")
            for old in said.findall(qn("a:solidFill")):
                said.remove(old)
            fill = etree.SubElement(said, qn("a:solidFill"))
            etree.SubElement(fill, qn("a:srgbClr")).set("val", colour)
            said.insert(0, fill)
    front = layout(deck, "Title Slide")
    front.element.set("showMasterSp", "0")
    for holder, place in ((deck.slide_master, (17, 39, deck.slide_width / Mm(1) - 34, 0.8)), (front, (0, 176, deck.slide_width / Mm(1), 14.5))):
        rule(holder, main, place)
    for one in front.placeholders:
        if one.placeholder_format.idx == 1:
            for level in one.element.iter(*(qn(f"a:lvl{number}pPr") for number in range(1, 10))):
                level.set("algn", "l")
                for fill in level.iter(qn("a:solidFill")):
                    fill.clear()
                    etree.SubElement(fill, qn("a:srgbClr")).set("val", "595959")
            one.left, one.width = Mm(25.4), Mm(200)
    # Layouts that nothing uses would come along as masters.
    for one in list(deck.slide_layouts):
        if one.name not in ("Title Slide", "Title and Content", "Section Header", "Title Only"):
            deck.slide_layouts.remove(one)
    return deck


def layout(deck: Any, name: str) -> Any:
    return next(one for one in deck.slide_layouts if one.name == name)


def add(deck: Any, title: str, lines: list[str] | str = "", kind: str = "Title and Content", notes: str = "") -> Any:
    slide = deck.slides.add_slide(layout(deck, kind))
    slide.shapes.title.text = title
    text = lines if isinstance(lines, str) else "\n".join(lines)
    holders = [one for one in slide.placeholders if one.placeholder_format.idx == 1]
    for one in holders:
        if text:
            one.text = text
        else:
            one.element.getparent().remove(one.element)
    if notes:
        slide.notes_slide.notes_text_frame.text = notes
    return slide


def badge(slide: Any, name: str, text: str, place: tuple[float, float, float, float], fill: str, size: int = 20, colour: str = "FFFFFF") -> Any:
    shape = slide.shapes.add_shape(MSO_SHAPE.ROUNDED_RECTANGLE, *(Mm(one) for one in place))
    shape.name = name
    coloured(shape, fill)
    shape.line.fill.background()
    shape.text_frame.text = text
    run = shape.text_frame.paragraphs[0].runs[0]
    run.font.size, run.font.color.rgb = Pt(size), rgb(colour)
    return shape


def keep_deck(path: str, deck: Any) -> None:
    deck.core_properties.author = "Office"
    out = io.BytesIO()
    deck.save(out)
    kind = path.rpartition(".")[2]
    keep(path, repacked(out.getvalue() if kind == "pptx" else saved_by_office(out.getvalue(), kind)))


# impress/running-order


def office_move() -> None:
    deck = blank("1F4E79")
    add(deck, "Harbour office move", "Steering committee, 19 March 2026", "Title Slide")
    add(deck, "Where we stand", ["Lease signed on 2 February", "Fit-out of floors 2 and 3 has begun", "Data lines ordered, delivery in week 15"])
    add(
        deck,
        "Supplier comparison",
        ["Two removal firms have offered", "Northway: fixed price, weekend work included", "Brindle: cheaper, weekend work extra"],
    )
    add(
        deck,
        "Budget",
        ["Approved: 412,000", "Committed so far: 268,500", "Forecast at completion: 405,200"],
        notes="Finance has checked these figures.",
    )
    add(
        deck,
        "Open risks",
        ["Lift modernisation may slip into the moving weekend", "Server room cooling not yet accepted", "Parking permits are still missing"],
    )
    add(deck, "Timeline", ["April: furniture and data lines", "9 to 10 May: move of floors 2 and 3", "30 May: old office handed back"])
    add(
        deck,
        "Decisions needed",
        ["Choose the removal firm", "Release the reserve for cooling", "Confirm the moving weekend"],
        notes="Ask for each decision by name.",
    )
    add(deck, "Contacts", ["Move office: extension 2210", "Facilities: extension 2244"])
    keep_deck("impress/running-order/office-move.pptx", deck)


# impress/projector-format


def volcanoes() -> None:
    deck = blank("9C2F1B")
    add(deck, "Volcanoes", "Geography, year 8", "Title Slide")
    add(deck, "What a volcano is made of", ["Magma chamber", "Vent and side vents", "Crater and cone"], notes="Draw the section on the board first.")
    add(deck, "Two kinds of eruption", ["Effusive: thin lava flows away quietly", "Explosive: gas tears thick magma apart"])
    add(deck, "Living next to one", ["Fertile soils and hot springs", "Ash, mud flows and evacuation plans"])
    add(deck, "Homework", ["Worksheet 4, questions 1 to 6", "Bring a shoe box for the model"])
    keep_deck("impress/projector-format/volcanoes.odp", deck)


# impress/lesson-notes


def water_cycle() -> None:
    deck = blank("0B5E8A")
    add(deck, "水的循环", "初一地理公开课", "Title Slide", notes="开场先点名,再放雨声录音。")
    add(deck, "蒸发", ["太阳加热海面与湖面", "水变成看不见的水汽", "风把水汽带向陆地"], notes="")
    add(deck, "凝结", ["水汽上升后变冷", "小水滴聚成云和雾"], notes="")
    add(deck, "降水", ["雨、雪、冰雹", "山地迎风坡降水较多"], notes="")
    add(deck, "径流与下渗", ["一部分雨水流入江河", "一部分渗入地下成为地下水"], notes="")
    add(deck, "课堂小结", ["蒸发、凝结、降水、径流", "水不停地循环"], notes="留两分钟给学生提问。")
    keep_deck("impress/lesson-notes/水的循环.odp", deck)


# impress/seminar-outline


def coastal_erosion() -> None:
    deck = blank("2F6B4F")
    add(deck, "Where the cliff goes", "Seminar on coastal processes, summer term 2026", "Title Slide")
    add(deck, "Research question", ["How fast does the cliff at Sallow Point retreat?", "Which winters cost most land?"])
    add(deck, "Data", ["Air photographs of 1985, 2001, 2013 and 2024", "Storm days from the harbour gauge", "Interviews with three farmers"])
    add(deck, "Method", ["Cliff edge drawn on every photograph", "Retreat measured along 24 lines", "Compared with storm days"])
    add(
        deck,
        "Results",
        ["0.6 m a year on average", "1.9 m in the winter of 2013", "Least behind the old groynes"],
        notes="Show the map first, then the numbers.",
    )
    add(deck, "Sources", ["County archive, air photographs", "Harbour office, gauge readings"])
    keep_deck("impress/seminar-outline/cliff-talk.pptx", deck)


# impress/chapter-master


def portfolio() -> None:
    deck = blank("6B2D5C")
    section = layout(deck, "Section Header")
    section.element.set("showMasterSp", "0")
    background = section.background.fill
    background.solid()
    background.fore_color.rgb = rgb("F1DDEA")
    add(deck, "Studio Quillon", "Selected work, spring 2026", "Title Slide")
    add(deck, "Brand identities", "Marks, colours and type", "Section Header")
    add(deck, "Tidewater Bakery", ["New mark and wordmark", "Bags, boxes and van", "Opening campaign"])
    add(deck, "Fern and Flint", ["Seed packets in twelve colours", "Two typefaces, one grid"])
    add(deck, "Books and magazines", ["Covers, grids and long reading"])
    add(deck, "Harbour Almanac", ["240 pages, three papers", "Tide tables set in one column"])
    add(deck, "Signs and spaces", ["Finding the way without asking"])
    add(deck, "Station quarter", ["Forty signs, one arrow", "Tested with visitors at night"])
    keep_deck("impress/chapter-master/portfolio.odp", deck)


# impress/board-spending

DEPARTMENTS = ["Archive", "Education", "Exhibitions", "Visitor services", "Workshops"]
BUDGETS = [46000, 58000, 121000, 74000, 39000]
MONTHS = {
    "over": [[14120, 17380, 15240], [18200, 19940, 18890], [41870, 44310, 43180], [23050, 24990, 25310], [12480, 13020, 13880]],
    "under": [[13980, 15110, 14260], [17420, 18830, 19020], [37260, 39480, 38840], [22310, 24180, 23960], [11890, 12460, 12730]],
}


def spending() -> None:
    deck = blank("1B3A5B")
    add(deck, "Quarter 1 at a glance", "Board of trustees, 23 April 2026", "Title Slide")
    add(deck, "Visitors", ["41,280 visitors, most in the half-term week", "School classes: 212", "Membership: 1,930"])
    slide = add(deck, "Spending by department", kind="Title Only")
    frame = slide.shapes.add_table(6, 3, Mm(40), Mm(52), Mm(258), Mm(96))
    frame.name = "Spending"
    for row, line in enumerate(
        [["Department", "Budget", "Spent"], *([name, f"{budget:,}", "tbc"] for name, budget in zip(DEPARTMENTS, BUDGETS, strict=True))]
    ):
        for column, text in enumerate(line):
            frame.table.cell(row, column).text = text
    add(deck, "Request for extra funds", ["The departments have spent more than was agreed", "The board is asked to release the reserve"])
    add(deck, "Next meeting", ["16 July 2026, reading room", "Papers two weeks before"])
    keep_deck("impress/board-spending/board-q1.pptx", deck)
    for name, months in MONTHS.items():
        book = Workbook()
        sheet = book.active
        sheet.title = "Q1"
        sheet["A1"] = "Spending in quarter 1, by department"
        sheet["A1"].font = Font(name="Carlito", size=14, bold=True)
        for column, head in enumerate(["Department", "Budget", "January", "February", "March", "Spent in Q1"], 1):
            cell = sheet.cell(3, column, head)
            cell.font, cell.fill = Font(name="Carlito", size=11, bold=True, color="FFFFFF"), PatternFill("solid", fgColor="1B3A5B")
        for row, (department, budget, spent) in enumerate(zip(DEPARTMENTS, BUDGETS, months, strict=True), 4):
            for column, value in enumerate([department, budget, *spent, f"=SUM(C{row}:E{row})"], 1):
                cell = sheet.cell(row, column, value)
                cell.font = Font(name="Carlito", size=11)
                if column > 1:
                    cell.number_format = "#,##0"
        for column, value in enumerate(["All departments", *(f"=SUM({letter}4:{letter}8)" for letter in "BCDEF")], 1):
            cell = sheet.cell(9, column, value)
            cell.font = Font(name="Carlito", size=11, bold=True)
            if column > 1:
                cell.number_format = "#,##0"
        for letter, width in zip("ABCDEF", (20, 12, 12, 12, 12, 14), strict=True):
            sheet.column_dimensions[letter].width = width
        keep_book(f"impress/board-spending/spending-{name}.xlsx", book)


def keep_book(path: str, book: Workbook) -> None:
    """A spreadsheet as LibreOffice saves it, with its sums computed."""
    out = io.BytesIO()
    book.save(out)
    keep(path, repacked(saved_by_office(out.getvalue(), "xlsx", "xlsx")))


# impress/range-launch


def range_launch() -> None:
    deck = blank("B5472F")
    add(deck, "Hearth stoneware", "Spring range for shops, 2026", "Title Slide")
    add(deck, "What is new", ["One mug in three glazes", "Plates that stack without a rim", "Made in small batches"], notes="Pass the samples round.")
    slide = add(deck, "The mug", kind="Title Only")
    text = slide.shapes.add_textbox(Mm(20), Mm(52), Mm(150), Mm(60))
    text.name = "Facts"
    text.text_frame.word_wrap = True
    text.text_frame.text = "Holds 320 ml\nDishwasher safe\nBoxes of six"
    for line in text.text_frame.paragraphs:
        for run in line.runs:
            run.font.size, run.font.color.rgb = Pt(24), rgb("262626")
    badge(slide, "Badge", "Price on request", (20, 135, 96, 28), "B5472F")
    add(deck, "How to order", ["By mail until 30 April", "Delivery from week 22"])
    keep_deck("impress/range-launch/hearth-range.odp", deck)


MAKERS = (office_move, volcanoes, water_cycle, coastal_erosion, portfolio, spending, range_launch)

if __name__ == "__main__":
    for make in MAKERS:
        if len(sys.argv) < 2 or make.__name__ in sys.argv[1:]:
            make()

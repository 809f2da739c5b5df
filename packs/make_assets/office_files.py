"""Makes the assets of the calc, writer, files and cross tasks of the starter suite again: python packs/make_assets/office_files.py

Every figure, name and text is made up here. The same run gives the same bytes.
"""

from __future__ import annotations

import io
import random
from datetime import date, timedelta
from typing import Any

from docx import Document
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.shared import Mm, Pt
from openpyxl import Workbook
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from PIL import Image, ImageDraw, ImageFilter
from writing import WHEN, keep, keep_book, repacked, text_document

HEAD = PatternFill("solid", fgColor="1F4E79")
LINE = Side(style="thin", color="B7C4D1")


def head_row(sheet: Any, row: int, names: list[str]) -> None:
    for column, name in enumerate(names, 1):
        cell = sheet.cell(row, column, name)
        cell.font = Font(name="Carlito", size=11, bold=True, color="FFFFFF")
        cell.fill = HEAD
        cell.alignment = Alignment(horizontal="left" if column == 1 else "center")


# calc/quarter-total

PRODUCTS = [
    "Desk lamp Arc",
    "Floor lamp Reed",
    "Pendant Drum",
    "Wall light Slim",
    "Reading light Clip",
    "Spot Trio",
    "Garden light Post",
    "Strip light 2 m",
]
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


def quarter_total() -> None:
    draw = random.Random(2025)
    book = Workbook()
    sheet = book.active
    sheet.title = "Sales 2025"
    sheet["A1"] = "Sales by product, 2025 (EUR)"
    sheet["A1"].font = Font(name="Carlito", size=14, bold=True)
    head_row(sheet, 3, ["Product", *MONTHS])
    sums = [0] * 12
    for row, product in enumerate(PRODUCTS, 4):
        sheet.cell(row, 1, product).font = Font(name="Carlito", size=11)
        base = draw.randrange(1800, 7200, 50)
        for month in range(12):
            value = int(base * (1 + 0.35 * (month in (0, 9, 10, 11)) - 0.2 * (month in (5, 6, 7))) + draw.randrange(-400, 400, 5))
            cell = sheet.cell(row, month + 2, value)
            cell.number_format, cell.font = "#,##0", Font(name="Carlito", size=11)
            sums[month] += value
    sheet["A13"] = "Quarter totals"
    sheet["A13"].font = Font(name="Carlito", size=11, bold=True)
    for quarter in range(4):
        sheet.cell(14 + quarter, 1, f"Quarter {quarter + 1}").font = Font(name="Carlito", size=11)
        cell = sheet.cell(14 + quarter, 2)
        cell.number_format, cell.font, cell.border = "#,##0", Font(name="Carlito", size=11, bold=True), Border(bottom=LINE)
        print("quarter", quarter + 1, "total", sum(sums[quarter * 3 : quarter * 3 + 3]), "cell", f"B{14 + quarter}")
    sheet.column_dimensions["A"].width = 22
    for column in "BCDEFGHIJKLM":
        sheet.column_dimensions[column].width = 10
    keep_book("calc/quarter-total/lamp-sales-2025.xlsx", book)


# calc/overdue-invoices

CUSTOMERS = ["Albers Joinery", "Brightwater Dental", "Cobalt Cycles", "Dunmore Bakery", "Elm Street Studio", "Fairline Transport", "Gorse Hill School",
             "Hartwell Optics", "Inverness Tiles", "Juniper Catering", "Kestrel Roofing", "Lindqvist Prints"]  # fmt: skip


def overdue_invoices() -> None:
    draw = random.Random(31)
    book = Workbook()
    sheet = book.active
    sheet.title = "Invoices"
    sheet["A1"] = "Unpaid invoices"
    sheet["A1"].font = Font(name="Carlito", size=14, bold=True)
    sheet["A2"], sheet["B2"] = "As of", date(2026, 3, 31)
    for at in ("A2", "B2"):
        sheet[at].font = Font(name="Carlito", size=11, bold=True)
    sheet["B2"].number_format = "yyyy-mm-dd"
    sheet["B2"].alignment = Alignment(horizontal="left")
    head_row(sheet, 4, ["Invoice", "Customer", "Issued", "Due", "Amount (EUR)"])
    issued = date(2025, 12, 1)
    overdue = []
    used: set[date] = set()
    for number in range(18):
        issued += timedelta(days=draw.randrange(2, 7))
        due = issued + timedelta(days=draw.choice([14, 21, 30, 45]))
        while due in used:
            due += timedelta(days=1)
        used.add(due)
        row = 5 + number
        values = [f"RE-{2610 + number}", draw.choice(CUSTOMERS), issued, due, draw.randrange(8_000, 480_000, 25) / 100]
        for column, value in enumerate(values, 1):
            cell = sheet.cell(row, column, value)
            cell.font = Font(name="Carlito", size=11)
            cell.number_format = {3: "yyyy-mm-dd", 4: "yyyy-mm-dd", 5: "#,##0.00"}.get(column, "General")
        overdue.append(((date(2026, 3, 31) - due).days, values[0]))
    print("overdue", [days for days, _ in sorted(overdue, reverse=True)])
    for column, width in zip("ABCDEF", (12, 24, 13, 13, 15, 15), strict=True):
        sheet.column_dimensions[column].width = width
    keep_book("calc/overdue-invoices/unpaid-invoices.xlsx", book)


# writer/heading-styles: an odt written by hand, so that its styles are the ones that Writer itself has

REPORT_TITLE = "Noise survey of the Quayside sites"
REPORT: list[tuple[str, str]] = [
    ("title", REPORT_TITLE),
    ("line", "Prepared for the city's department of public space, November 2025"),
    ("main", "Why we measured"),
    ("text", "Residents along the eastern quay have complained about noise at night since the ferry berth was moved. The department asked for figures "
             "that do not depend on single events, so that measures can be compared by their effect."),
    ("main", "How we measured"),
    ("text", "Six loggers recorded the sound level once a second for four weeks. The survey covers a period with and a period without ferry traffic."),
    ("sub", "Places of the loggers"),
    ("text", "Two loggers hung from lamp posts at a height of four metres, three stood on balconies on the first floor, and one was placed behind the "
             "former customs house, where no ship can be heard."),
    ("sub", "Hours that were left out"),
    ("text", "Hours with wind above eight metres a second were discarded. This concerns 41 of 672 hours and does not favour either period."),
    ("main", "What we found"),
    ("text", "The average level at night rose by 3.2 decibels at the two loggers next to the berth and did not change elsewhere. Most of the rise comes "
             "from auxiliary engines that keep running while a ferry is moored."),
    ("main", "What we recommend"),
    ("text", "A shore supply for the berth would take away the main source. Until it is built, the last departure should use the western berth, where "
             "the distance to the nearest bedroom is four times as large."),
]  # fmt: skip

_ODF = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" '
    'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" office:version="1.2"'
)
_STYLES = f"""<?xml version="1.0" encoding="UTF-8"?>
<office:document-styles {_ODF}>
<office:font-face-decls><style:font-face style:name="Liberation Serif" svg:font-family="'Liberation Serif'"/>
<style:font-face style:name="Liberation Sans" svg:font-family="'Liberation Sans'"/></office:font-face-decls>
<office:styles>
<style:default-style style:family="paragraph"><style:paragraph-properties fo:margin-top="0cm"/>
<style:text-properties style:font-name="Liberation Serif" fo:font-size="12pt" fo:language="en" fo:country="GB"/></style:default-style>
<style:style style:name="Standard" style:family="paragraph" style:class="text"/>
<style:style style:name="Text_20_body" style:display-name="Text body" style:family="paragraph" style:parent-style-name="Standard" style:class="text">
<style:paragraph-properties fo:margin-bottom="0.25cm" fo:line-height="115%"/></style:style>
<style:style style:name="Title" style:family="paragraph" style:parent-style-name="Standard" style:next-style-name="Text_20_body" style:class="chapter">
<style:paragraph-properties fo:margin-bottom="0.2cm"/><style:text-properties style:font-name="Liberation Sans" fo:font-size="22pt" fo:font-weight="bold"/>
</style:style>
</office:styles>
<office:automatic-styles><style:page-layout style:name="pm1"><style:page-layout-properties fo:page-width="21cm" fo:page-height="29.7cm"
 style:print-orientation="portrait" fo:margin-top="2.5cm" fo:margin-bottom="2.5cm" fo:margin-left="2.5cm" fo:margin-right="2.5cm"/></style:page-layout>
</office:automatic-styles>
<office:master-styles><style:master-page style:name="Standard" style:page-layout-name="pm1"/></office:master-styles>
</office:document-styles>
"""


def odt(paragraphs: list[tuple[str, str]]) -> bytes:
    """A text document; every pair is a paragraph's style and its text."""
    lines = "".join(f'<text:p text:style-name="{style}">{text}</text:p>' for style, text in paragraphs)
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<office:document-content {_ODF}><office:automatic-styles/>'
        f"<office:body><office:text>{lines}</office:text></office:body></office:document-content>\n"
    )
    return text_document(content, _STYLES)


def heading_styles() -> None:
    styles = {"title": "Title", "line": "Standard", "main": "Text_20_body", "sub": "Text_20_body", "text": "Text_20_body"}
    keep("writer/heading-styles/noise-survey.odt", odt([(styles[kind], text) for kind, text in REPORT]))


# writer/letter-pdf


def letter_pdf() -> None:
    document = Document()
    for style in ("Normal",):
        document.styles[style].font.name, document.styles[style].font.size = "Carlito", Pt(11)
    section = document.sections[0]
    section.page_width, section.page_height = Mm(210), Mm(297)
    section.left_margin = section.right_margin = Mm(25)
    section.top_margin = section.bottom_margin = Mm(22)
    sender = document.add_paragraph()
    sender.add_run("Tallow & Reed Conservators").bold = True
    sender.alignment = WD_ALIGN_PARAGRAPH.RIGHT
    place = document.add_paragraph("Old Malthouse, Unit 4, Wexcombe")
    place.alignment = WD_ALIGN_PARAGRAPH.RIGHT
    document.add_paragraph("To [CLIENT]")
    document.add_paragraph("12 January 2026")
    document.add_paragraph().add_run("Offer for the conservation of two oil paintings").bold = True
    document.add_paragraph("Dear Sir or Madam,")
    document.add_paragraph(
        "Thank you for bringing the two harbour views to our workshop. We examined them under raking and ultraviolet light; both canvases are sound, "
        "and the varnish has yellowed evenly. We therefore offer [CLIENT] a cleaning in two stages, with a report and photographs after each."
    )
    document.add_paragraph(
        "The work takes six weeks from your order and costs 2,840 euros, transport included. Our insurance covers the paintings from the moment they "
        "leave the premises of [CLIENT] until they are hung again."
    )
    document.add_paragraph("We keep this offer open until the end of February.")
    document.add_paragraph("Yours faithfully,")
    document.add_paragraph("Tallow & Reed Conservators")
    document.core_properties.author = "Tallow & Reed"
    document.core_properties.title = "Offer"
    document.core_properties.created = document.core_properties.modified = WHEN
    out = io.BytesIO()
    document.save(out)
    keep("writer/letter-pdf/offer-letter.docx", repacked(out.getvalue()))


# files/sort-downloads


def pdf(lines: list[str]) -> bytes:
    """A page with some lines of text."""
    said = "BT /F1 12 Tf 72 760 Td 18 TL " + " ".join(f"({line}) Tj T*" for line in lines) + " ET"
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        f"<< /Length {len(said)} >>\nstream\n{said}\nendstream",
    ]
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode()
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    end = (
        f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF\n"
    )
    return out + end.encode()


def hills(seed: int) -> bytes:
    """A small landscape in the evening, as a photograph."""
    draw = random.Random(seed)
    picture = Image.new("RGB", (480, 320))
    brush = ImageDraw.Draw(picture)
    for y in range(320):
        share = y / 320
        brush.line([(0, y), (480, y)], fill=(int(70 + 160 * share), int(110 + 70 * share), int(170 - 50 * share)))
    for layer in range(4):
        height, points = 150 + 40 * layer, [(0, 320)]
        for x in range(0, 500, 20):
            height += draw.randrange(-12, 13)
            points.append((x, height))
        shade = 120 - 28 * layer
        brush.polygon([*points, (480, 320)], fill=(shade // 2, shade, shade // 2 + 20))
    out = io.BytesIO()
    picture.filter(ImageFilter.GaussianBlur(0.8)).save(out, "JPEG", quality=80)
    return out.getvalue()


def sort_downloads() -> None:
    at = "files/sort-downloads/downloads"
    for number, (shop, amount) in enumerate([("Norling Paper", "84.10"), ("Voltera Energy", "212.65"), ("Quill Hosting", "19.00")], 1):
        slug = shop.split()[0].lower()
        keep(f"{at}/invoice-{slug}.pdf", pdf([shop, f"Invoice {4400 + number * 17}", f"Amount due: {amount} EUR", "Payable within 14 days"]))
    for name, seed in (("hike-ridge.jpg", 3), ("hike-valley.jpg", 8), ("hike-summit.jpg", 21)):
        keep(f"{at}/{name}", hills(seed))
    keep(f"{at}/boarding-pass.pdf", pdf(["Northern Coast Rail", "Seat 41, coach 6", "Departure 07:52"]))
    keep(
        f"{at}/recipe-rye-bread.txt",
        b"Rye bread\n\n500 g rye flour, 400 ml water, 12 g salt, 150 g starter\nRest 14 hours, bake 55 minutes at 230 degrees\n",
    )
    keep(f"{at}/router-settings.csv", b"setting,value\nchannel,11\nwidth,20 MHz\nguest network,off\n")


# files/release-archive

PROJECT = {
    "README.md": "# tidewatch\n\nPrints the next high and low water for a gauge.\n\n    ./tidewatch.sh wexcombe\n",
    "LICENSE": "Tidewatch may be used, copied and changed by anyone for any purpose.\nIt comes without any warranty.\n",
    "tidewatch.sh": '#!/bin/sh\n# Prints the next tides of a gauge.\nexec python3 "$(dirname "$0")/src/tides.py" "$@"\n',
    "src/tides.py": "from gauges import height\n\n\ndef next_high(gauge, hours):\n    return max(hours, key=lambda hour: height(gauge, hour))\n",
    "src/gauges.py": 'from math import cos, pi\n\nPERIOD = 12.42\nRANGE = {"wexcombe": 3.1, "tarn-pier": 4.6}\n\n\n'
                     "def height(gauge, hour):\n    return RANGE[gauge] / 2 * cos(2 * pi * hour / PERIOD)\n",
    "src/data/gauges.csv": "gauge,range_m\nwexcombe,3.1\ntarn-pier,4.6\n",
    "config/local.ini": "[upload]\nserver = gauge-mirror.example\nuser = tide\npassphrase = for-this-machine-only\n",
    "notes/todo.txt": "ask for the gauge of the lower basin\ncheck summer time in October\n",
    "reports/test-output.log": "12 passed in 0.31 s\n",
}  # fmt: skip


def release_archive() -> None:
    for name, text in PROJECT.items():
        keep(f"files/release-archive/tidewatch/{name}", text.encode())


# files/missing-minutes


def missing_minutes() -> None:
    for month, name, topic in (("01", "January", "the new lease"), ("02", "February", "the audit plan"), ("04", "April", "the roof repair")):
        body = [("Title", f"Minutes of the board meeting, {name} 2026"), ("Standard", "Present: all five members. Minutes taken by the secretary."),
                ("Text_20_body", f"The board discussed {topic} and agreed to the proposal of the treasurer."),
                ("Text_20_body", "Signed by the chair and the secretary.")]  # fmt: skip
        keep(f"files/missing-minutes/board/2026-{month}-minutes-signed.odt", odt(body))
    for month, name in (("01", "January"), ("02", "February"), ("03", "March"), ("04", "April"), ("05", "May")):
        body = [("Title", f"Agenda of the board meeting, {name} 2026"), ("Text_20_body", "1. Minutes of the last meeting"),
                ("Text_20_body", "2. Report of the treasurer"), ("Text_20_body", "3. Any other business")]  # fmt: skip
        keep(f"files/missing-minutes/board/2026-{month}-agenda.odt", odt(body))


# cross/monthly-report: the document to fill in; the figures of a month stand in the task itself and are printed here

BRANCHES = {"Castle Street": 1.4, "Harbour": 1.0, "Mill Lane": 0.7, "Northgate": 0.9, "Orchard": 0.5}
MONTH_REPORT = [
    ("Title", "[MONTH] at the town libraries"),
    ("Text_20_body", "In [MONTH] our five branches counted [VISITORS] visitors and lent [LOANS] books."),
    ("Text_20_body", "Most books were lent at [BRANCH], with [MOST] loans."),
    ("Text_20_body", "Visitors are counted at the doors, loans at the desks and machines. Renewals do not count as loans."),
]


def monthly_report() -> None:
    keep("cross/monthly-report/report-draft.odt", odt(MONTH_REPORT))
    for seed, (name, zh, slug, busiest) in enumerate([("March 2026", "2026 年 3 月", "2026-03", "Castle Street"), ("April 2026", "2026 年 4 月", "2026-04", "Harbour"),
                                                      ("May 2026", "2026 年 5 月", "2026-05", "Northgate")], 41):  # fmt: skip
        draw = random.Random(seed)
        rows: list[list[Any]] = [["Branch", "Week", "Visitors", "Loans"]]
        for week in range(1, 5):
            for branch, size in BRANCHES.items():
                visitors = int(draw.randrange(420, 560) * size)
                rows.append([branch, week, visitors, int(visitors * draw.uniform(0.55, 0.9) + 260 * (branch == busiest))])
        sums = [[branch, sum(row[3] for row in rows[1:] if row[0] == branch)] for branch in BRANCHES]
        best = max(sums, key=lambda pair: pair[1])
        print(f"      - name: {name}\n        zh: {zh}\n        slug: {slug}")
        print(
            f"        visitors: {sum(row[2] for row in rows[1:])}\n        loans: {sum(row[3] for row in rows[1:])}\n        branch: {best[0]}\n        most: {best[1]}"
        )
        print(f"        sums: {[['Branch', 'Loans'], *sums]}".replace("'", ""))
        print(f"        table: {rows}".replace("'", ""))
        lines = "\\n".join(",".join(map(str, row)) for row in rows)
        print(f'        csv: "{lines}\\n"')


if __name__ == "__main__":
    for make in (quarter_total, overdue_invoices, heading_styles, letter_pdf, sort_downloads, release_archive, missing_minutes, monthly_report):
        make()

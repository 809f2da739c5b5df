"""Makes the assets of the tasks around the mail program again: python packs/make_assets/mail.py

Every figure, name and text is made up here. The same run gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from documents import odt
from openpyxl import Workbook
from writing import Look, keep, keep_book, widths

LOOK = Look("27496D", "B4BFCC")


def table(sheet: Any, first: int, names: list[str], lines: list[list[Any]], formats: dict[int, str] | None = None) -> None:
    LOOK.heads(sheet, first, names)
    LOOK.rows(sheet, first + 1, lines, formats)


# PDF files with one page of text in the standard fonts, written by hand


def pdf(lines: list[tuple[float, float, int, bool, str]], rules: Sequence[tuple[float, float, float]] = ()) -> bytes:
    """A page of A4: texts at points from the top left, in size and bold or not, and horizontal rules."""
    drawn = []
    for x, y, size, bold, text in lines:
        said = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        drawn.append(f"BT /{'B' if bold else 'R'} {size} Tf 1 0 0 1 {x:g} {842 - y:g} Tm ({said}) Tj ET")
    drawn += [f"0.6 w {left:g} {842 - y:g} m {right:g} {842 - y:g} l S" for left, right, y in rules]
    content = "\n".join(drawn).encode("cp1252")
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /R 5 0 R /B 6 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
    ]
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    return out + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)


# cross/invoice-round: two suppliers' invoices, each with what was ordered and with a mistake

ITEMS = {
    "birkfeld": ("Birkfeld Timber", "Sawmill Lane 4, Birkfeld", "BT-2291", "14 April 2026", "PO-118",
                 [("Oak boards, planed, 26 mm", 42, 31.50), ("Larch battens, 3 m", 120, 4.85), ("Delivery", 1, 95.00)]),
    "corvin": ("Corvin Glass", "Furnace Road 17, Corvin", "CG-60418", "15 April 2026", "PO-121",
               [("Shelf glass, toughened, 8 mm", 36, 27.40), ("Edge polishing", 36, 6.20), ("Crate, returnable", 2, 60.00)]),
    "ostrava": ("Ostrava Fittings", "Foundry Yard 9, Ostrava Bridge", "OF-1187", "2 April 2026", "PO-114",
                [("Hinges, brass, 60 mm", 60, 8.90), ("Drawer runners, pair", 24, 11.60)]),
}  # fmt: skip
MISTAKES = {"birkfeld": (1, 150), "corvin": (0, 39)}


def invoice(firm: str, wrong: bool) -> bytes:
    name, street, number, day, order, items = ITEMS[firm]
    lines: list[tuple[float, float, int, bool, str]] = [
        (60, 80, 20, True, name), (60, 100, 10, False, street), (60, 170, 11, False, "Fennwick Shopfitters"), (60, 186, 11, False, "Accounts"),
        (60, 202, 11, False, "12 Mill Quay, Fennwick"), (60, 262, 16, True, f"Invoice {number}"), (60, 284, 11, False, f"Date: {day}"),
        (60, 300, 11, False, f"Your order: {order}"), (60, 346, 11, True, "Description"), (300, 346, 11, True, "Quantity"),
        (390, 346, 11, True, "Price"), (470, 346, 11, True, "Amount"),
    ]  # fmt: skip
    y, total = 374, 0.0
    for place, (what, count, price) in enumerate(items):
        count = MISTAKES[firm][1] if wrong and MISTAKES[firm][0] == place else count
        total += count * price
        lines += [(60, y, 11, False, what), (300, y, 11, False, str(count)), (390, y, 11, False, f"{price:.2f}"),
                  (470, y, 11, False, f"{count * price:.2f}")]  # fmt: skip
        y += 22
    tax = round(total * 0.2, 2)
    lines += [(60, y + 20, 11, True, "Net total"), (470, y + 20, 11, True, f"{total:.2f}"), (60, y + 40, 11, False, "VAT 20 %"),
              (470, y + 40, 11, False, f"{tax:.2f}"), (60, y + 60, 11, True, "To be paid (EUR)"), (470, y + 60, 11, True, f"{total + tax:.2f}"),
              (60, y + 110, 11, False, "Payable within 30 days of the invoice date. Thank you for your order.")]  # fmt: skip
    print(firm, wrong, f"{total:.2f}", f"{tax:.2f}")
    return pdf(lines, [(60, 530, 354), (60, 530, y)])


def invoice_round() -> None:
    keep("cross/invoice-round/OF-1187.pdf", invoice("ostrava", False))
    for firm in MISTAKES:
        for wrong in (False, True):
            keep(f"cross/invoice-round/{'changed' if wrong else 'agreed'}/{ITEMS[firm][2]}.pdf", invoice(firm, wrong))
    book = Workbook()
    sheet = book.active
    sheet.title = "Orders"
    widths(sheet, A=12, B=26, C=14, D=16, E=14, F=14)
    LOOK.put(sheet, "A1", "Orders and invoices, April 2026 (net amounts in EUR)", size=14, bold=True)
    ordered = {firm: sum(count * price for _, count, price in data[5]) for firm, data in ITEMS.items()}
    table(
        sheet, 3, ["Order", "Supplier", "Ordered", "Invoice", "Invoiced", "Difference"],
        [["PO-114", "Ostrava Fittings", 812.40, "OF-1187", 812.40, "=E4-C4"], ["PO-116", "Lumen Electric", 2204.00, "LE-7723", 2204.00, "=E5-C5"],
         ["PO-118", "Birkfeld Timber", ordered["birkfeld"], None, None, None], ["PO-119", "Varna Paints", 389.70, None, None, None],
         ["PO-121", "Corvin Glass", ordered["corvin"], None, None, None]],
        {3: "#,##0.00", 5: "#,##0.00", 6: "#,##0.00"},
    )  # fmt: skip
    keep_book("cross/invoice-round/orders-april.xlsx", book)


# cross/region-total: the orders of a quarter

CUSTOMERS = [
    "Alder Grove School",
    "Bright Harbour Hotel",
    "Castle Row Dental",
    "Dunmore Council",
    "Eastgate Clinic",
    "Fenner & Sons",
    "Gable End Books",
]
REGIONS = ["North", "Coast", "Valley", "North", "Coast", "North", "Valley"]


def region_total() -> None:
    book = Workbook()
    sheet = book.active
    sheet.title = "Orders"
    widths(sheet, A=13, B=26, C=12, D=14, F=16, G=14)
    LOOK.put(sheet, "A1", "Orders, first quarter of 2026 (EUR)", size=14, bold=True)
    lines = []
    for number in range(28):
        who = (number * 3 + number // 7) % 7
        lines.append(
            [date(2026, 1, 5) + timedelta(days=3 * number), CUSTOMERS[who], REGIONS[who], 240.5 + (number * 617 % 2311) + (number * 37 % 100) / 100]
        )
    table(sheet, 3, ["Date", "Customer", "Region", "Amount"], lines, {1: "yyyy-mm-dd", 4: "#,##0.00"})
    LOOK.put(sheet, "F3", "Region total", bold=True)
    sheet["G3"].number_format = "0.00"
    for region in ("North", "Coast", "Valley"):
        print(region, round(sum(line[3] for line in lines if line[2] == region), 2))
    keep_book("cross/region-total/orders-q1.xlsx", book)


# cross/margin-rule: three projects, two of them under the limit

PROJECTS = {
    "quay-kitchen": ("Quay Kitchen", [48200, 9600, 3150], [19840, 12475, 8130, 7420, 3985, 2210]),
    "tannery-loft": ("Tannery Loft", [61500, 7250, 4400], [24310, 17260, 9875, 6340, 4120, 2360]),
    "mill-foyer": ("Mill Foyer", [36900, 5480, 2270], [15120, 9640, 6815, 4730, 2090, 1105]),
}


def margin_rule() -> None:
    for name, (title, income, costs) in PROJECTS.items():
        book = Workbook()
        sheet = book.active
        sheet.title = "Account"
        widths(sheet, A=30, B=14)
        LOOK.put(sheet, "A1", f"{title}: final account (EUR)", size=14, bold=True)
        LOOK.put(sheet, "A3", "Revenue", bold=True)
        for row, (label, value) in enumerate(zip(["Contract", "Extras agreed on site", "Maintenance, first year"], income, strict=True), 4):
            LOOK.put(sheet, f"A{row}", label)
            LOOK.put(sheet, f"B{row}", value, "#,##0.00")
        LOOK.put(sheet, "A8", "Costs", bold=True)
        for row, (label, value) in enumerate(
            zip(["Material", "Wages", "Subcontractors", "Machines", "Transport", "Insurance and fees"], costs, strict=True), 9
        ):
            LOOK.put(sheet, f"A{row}", label)
            LOOK.put(sheet, f"B{row}", value, "#,##0.00")
        LOOK.put(sheet, "A17", "Margin (share of revenue)", bold=True)
        sheet["B17"].number_format = "0.0%"
        print(name, 100 * (sum(income) - sum(costs)) / sum(income))
        keep_book(f"cross/margin-rule/{name}.xlsx", book)
    keep("cross/margin-rule/about-this-folder.txt", b"Final accounts that are settled. One workbook for each project, nothing else.\n")


# cross/visitor-slot: the list of visitors at the reception


def visitor_slot() -> None:
    book = Workbook()
    sheet = book.active
    sheet.title = "Visitors"
    widths(sheet, A=14, B=24, C=26, D=12, E=14)
    LOOK.put(sheet, "A1", "Visitors of the director, March 2027", size=14, bold=True)
    table(
        sheet, 3, ["Date", "Visitor", "From", "Time", "Status"],
        [["2027-03-02", "Ruben Falk", "Falk Lifts", "10:00", "confirmed"], ["2027-03-03", "Amina Diallo", "Town council", "09:00", "confirmed"],
         ["2027-03-05", "Joost Bakker", "Bakker Signs", "11:00", "offered"]],
    )  # fmt: skip
    for row in range(4, 16):
        for column in (1, 4):
            sheet.cell(row, column).number_format = "@"
    keep_book("cross/visitor-slot/visitors.xlsx", book)


# cross/unknown-trainer: what is to be sent


def unknown_trainer() -> None:
    parts = [
        ("Title", "Schedule of the first-aid course"),
        ("Text_20_body", "Where: canteen, ground floor. Twelve people at most; please bring a blanket."),
        ("Text_20_body", "Monday 4 May 2026, 09:00 to 12:30: breathing, recovery position, resuscitation."),
        ("Text_20_body", "Tuesday 5 May 2026, 09:00 to 12:30: wounds, burns, fractures, emergency call."),
        ("Text_20_body", "Wednesday 6 May 2026, 09:00 to 11:00: practice and certificates."),
    ]
    keep("cross/unknown-trainer/course-schedule.odt", odt(parts))


if __name__ == "__main__":
    invoice_round()
    region_total()
    margin_rule()
    visitor_slot()
    unknown_trainer()

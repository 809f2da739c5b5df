"""Makes the assets of the second calc tasks again: python packs/make_assets/office_sheets.py

Every figure, name and text is made up here. The same run gives the same bytes.
"""

from __future__ import annotations

import random
from datetime import date, timedelta
from typing import Any

from office_files import odt
from openpyxl import Workbook
from openpyxl.styles import Border, PatternFill, Side
from openpyxl.styles.protection import Protection
from writing import Look, keep, keep_book, widths

LOOK = Look("2F5D50", "A9B8B0", vertical="center")
INPUT = PatternFill("solid", fgColor="FFF4CC")
LINE = Side(style="thin", color="A9B8B0")
NAME = "Carlito"


def concert_price() -> None:
    book = Workbook()
    sheet = book.active
    sheet.title = "Plan"
    widths(sheet, A=34, B=14, C=40)
    LOOK.put(sheet, "A1", "Summer concert in the riding hall: plan", size=15, bold=True)
    LOOK.put(sheet, "A2", "All amounts in euros", italic=True, color="666666")
    lines: list[tuple[int, str, Any, str, str]] = [
        (4, "Ticket price", 18, "0.00", "what we can change"),
        (5, "Visitors expected", 415, "0", "as in 2024 and 2025"),
        (6, "Share of the booking portal", 0.045, "0.0%", "of every ticket"),
        (7, "Income from tickets", "=B4*B5*(1-B6)", "#,##0.00", ""),
        (8, "Income from food and drink", "=B5*6.4", "#,##0.00", "6.40 a visitor"),
        (10, "Hall and seats", 2150, "#,##0.00", ""),
        (11, "Musicians", 4800, "#,##0.00", ""),
        (12, "Sound and light", 1380, "#,##0.00", ""),
        (13, "Insurance", 265, "#,##0.00", ""),
        (14, "Posters and programmes", 410, "#,##0.00", ""),
        (15, "Total costs", "=SUM(B10:B14)", "#,##0.00", ""),
        (17, "Profit", "=B7+B8-B15", "#,##0.00", ""),
    ]
    for row, label, value, number, note in lines:
        LOOK.put(sheet, f"A{row}", label, bold=row in (15, 17))
        LOOK.put(sheet, f"B{row}", value, number, bold=row in (15, 17))
        if note:
            LOOK.put(sheet, f"C{row}", note, italic=True, color="666666")
    sheet["B4"].fill = INPUT
    for row in (15, 17):
        sheet[f"A{row}"].border = sheet[f"B{row}"].border = Border(top=LINE)
    keep_book("calc/concert-price/concert-plan.xlsx", book)


def locked_rates() -> None:
    book = Workbook()
    sheet = book.active
    sheet.title = "Travel rates"
    widths(sheet, A=26, B=18, C=18, D=18)
    LOOK.put(sheet, "A1", "Travel rates 2026", size=15, bold=True)
    LOOK.put(sheet, "A2", "Issued by group finance. Changes only by group finance.", italic=True, color="666666")
    LOOK.heads(sheet, 4, ["Destination", "Day rate (EUR)", "Night rate (EUR)", "Per km (EUR)"])
    said = [
        ["Germany", 28, 92, 0.3], ["Austria", 33, 101, 0.3], ["Switzerland", 64, 168, 0.35], ["France", 53, 132, 0.3],
        ["Netherlands", 47, 122, 0.3], ["Denmark", 58, 143, 0.32], ["Poland", 33, 84, 0.28], ["Italy", 48, 119, 0.3],
    ]  # fmt: skip
    LOOK.rows(sheet, 5, said, {2: "0.00", 3: "0.00", 4: "0.00"})
    sheet.protection.set_password("Kranich-58-Tau")
    sheet.protection.sheet = True
    trips = book.create_sheet("Trips")
    widths(trips, A=14, B=22, C=18, D=10, E=14)
    LOOK.heads(trips, 1, ["Date", "Traveller", "Destination", "Days", "Day rates"])
    who = ["Ines Harms", "Tomas Berger", "Ruth Okoro", "Lena Vogt"]
    chance = random.Random(58)
    lines = [[date(2026, 2, 2) + timedelta(days=4 * n), chance.choice(who), chance.choice(said)[0], chance.randint(1, 4), None] for n in range(10)]
    LOOK.rows(trips, 2, lines, {1: "yyyy-mm-dd", 5: "0.00"})
    for row in range(2, 12):
        trips[f"E{row}"].value = f"=D{row}*VLOOKUP(C{row},'Travel rates'!$A$5:$D$12,2,0)"
        for column in "ABCDE":
            trips[f"{column}{row}"].protection = Protection(locked=False)
    keep_book("calc/locked-rates/travel-rates-2026.xlsx", book)


STAFF = [
    ("Amira Haddad", "Sales"), ("Ben Kowalski", "Workshop"), ("Carla Nunes", "Design"), ("Dirk Lammers", "Workshop"),
    ("Elif Aydin", "Accounts"), ("Finn Moeller", "Sales"), ("Grace Adeyemi", "Design"), ("Hanno Petersen", "Stores"),
    ("Ilse Brandt", "Accounts"), ("Jonas Weiss", "Stores"),
]  # fmt: skip
TYPES = ["Annual leave", "Sick leave", "Parental leave", "Training", "Unpaid leave"]


def leave_form() -> None:
    book = Workbook()
    sheet = book.active
    sheet.title = "Requests"
    widths(sheet, A=13, B=20, C=14, D=18, E=13, F=8)
    LOOK.put(sheet, "A1", "Requests for leave, 2026", size=15, bold=True)
    LOOK.put(sheet, "A2", "Days are working days.", italic=True, color="666666")
    LOOK.heads(sheet, 4, ["Received", "Employee", "Department", "Type", "First day", "Days"])
    chance = random.Random(41)
    day, lines = date(2026, 1, 5), []
    for _ in range(24):
        day += timedelta(days=chance.choice([1, 2, 3, 5]))
        name, department = chance.choice(STAFF)
        kind = chance.choices(TYPES, [9, 4, 2, 3, 1])[0]
        lines.append([day, name, department, kind, day + timedelta(days=chance.randint(2, 60)), chance.randint(1, 9)])
    lines[12][3] = "Anual leave"
    LOOK.rows(sheet, 5, lines, {1: "yyyy-mm-dd", 5: "yyyy-mm-dd"})
    other = book.create_sheet("Types")
    widths(other, A=20, B=44)
    LOOK.heads(other, 1, ["Type", "Who decides"])
    who = ["head of department", "nobody, a doctor's note is enough", "the personnel office", "head of department and personnel office", "the board"]
    LOOK.rows(other, 2, [list(pair) for pair in zip(TYPES, who, strict=True)])
    keep_book("calc/leave-form/leave-requests-2026.xlsx", book)


ARTICLES = [
    ("WB-210", "Workbench 2.1 m, beech", 489.0), ("DR-014", "Drill stand", 74.5), ("CL-300", "Screw clamp 300 mm", 18.9),
    ("SW-001", "Swivel stool", 96.0), ("LT-120", "LED work light 1.2 m", 58.4), ("CB-660", "Tool cabinet, 6 drawers", 412.0),
    ("VS-125", "Bench vice 125 mm", 139.0), ("MT-080", "Floor mat 80 x 120 cm", 44.2), ("CL-600", "Screw clamp 600 mm", 26.5),
    ("BX-040", "Stacking box 40 l", 11.8), ("PG-100", "Pegboard 1.0 m", 37.6), ("WB-150", "Workbench 1.5 m, beech", 372.0),
    ("SH-180", "Shelf 1.8 m, 5 boards", 118.0), ("TR-003", "Tool trolley", 265.0), ("EX-010", "Extension lead 10 m", 23.7),
    ("GR-230", "Bench grinder 230 V", 154.9),
]  # fmt: skip
QUOTED = [("TR-003", 2), ("CL-600", 12), ("WB-150", 4), ("LT-120", 6), ("VS-125", 4), ("BX-040", 30), ("PG-100", 8), ("CB-660", 1)]


def quote_lookup() -> None:
    book = Workbook()
    sheet = book.active
    sheet.title = "Quote"
    widths(sheet, A=12, B=10, C=30, D=14, E=14)
    LOOK.put(sheet, "A1", "Quote Q-3187", size=15, bold=True)
    LOOK.put(sheet, "A2", "School workshop, Birkenau comprehensive school. Amounts in euros.", italic=True, color="666666")
    LOOK.heads(sheet, 4, ["Article", "Quantity", "Description", "Unit price", "Amount"])
    LOOK.rows(sheet, 5, [[article, count, None, None, None] for article, count in QUOTED], {4: "#,##0.00", 5: "#,##0.00"})
    for row, label in ((14, "Subtotal"), (15, "Discount"), (16, "Total")):
        LOOK.put(sheet, f"D{row}", label, bold=True)
        sheet[f"E{row}"].number_format = "#,##0.00"
    prices = book.create_sheet("Prices")
    widths(prices, A=12, B=30, C=14)
    LOOK.put(prices, "A1", "Price list, spring 2026", size=15, bold=True)
    LOOK.heads(prices, 3, ["Article", "Description", "Price"])
    LOOK.rows(prices, 4, [list(one) for one in ARTICLES], {3: "#,##0.00"})
    keep_book("calc/quote-lookup/quote-q-3187.xlsx", book)


def rental_pivot() -> None:
    book = Workbook()
    sheet = book.active
    sheet.title = "Rentals"
    widths(sheet, A=13, B=18, C=14, D=12, E=10)
    LOOK.heads(sheet, 1, ["Date", "Station", "Bike", "Minutes", "Fare"])
    chance = random.Random(7)
    rate = {"City": 0.08, "Electric": 0.15, "Cargo": 0.2}
    day, lines = date(2026, 5, 1), []
    for n in range(140):
        day = date(2026, 5, 1) + timedelta(days=n * 31 // 140)
        station = chance.choices(["Central", "Harbour", "Old Town", "University", "West Park"], [9, 5, 7, 8, 3])[0]
        bike = chance.choices(list(rate), [6, 4, 2])[0]
        minutes = chance.randint(8, 140)
        lines.append([day, station, bike, minutes, round(1 + minutes * rate[bike], 2)])
    LOOK.rows(sheet, 2, lines, {1: "yyyy-mm-dd", 5: "0.00"})
    keep_book("calc/rental-pivot/rentals-2026-05.xlsx", book)


COSTS = [
    ("Stand space, 36 m2", "Messe Weser", 5940), ("Stand building", "Holm & Kade", 6280), ("Power and water", "Messe Weser", 865.5),
    ("Furniture hire", "Stellwerk Moebel", 740), ("Transport", "Spedition Lund", 1180), ("Printed panels", "Druckhaus Ost", 912.4),
    ("Brochures", "Druckhaus Ost", 655), ("Hotel, 3 rooms, 4 nights", "Hotel Kogge", 1296), ("Catering for visitors", "Kueche Sieben", 318.6),
    ("Insurance", "Nordschutz", 57.5),
]  # fmt: skip


def fair_budget() -> None:
    book = Workbook()
    sheet = book.active
    sheet.title = "Costs"
    widths(sheet, A=26, B=16, C=10, D=10, E=11)
    LOOK.put(sheet, "A1", "Trade fair in Bremen: costs of our stand", size=15, bold=True)
    LOOK.put(sheet, "A2", "VAT rate")
    LOOK.put(sheet, "B2", 0.19, "0%")
    LOOK.heads(sheet, 4, ["Item", "Supplier", "Net", "VAT", "Gross"])
    LOOK.rows(sheet, 5, [[*line, None, None] for line in COSTS])
    LOOK.put(sheet, "A15", "Total", bold=True)
    LOOK.put(sheet, "A17", "Approved by the board (gross)", bold=True)
    LOOK.put(sheet, "A18", "Left of it", bold=True)
    keep_book("calc/fair-budget/fair-costs.xlsx", book)
    for name, first, more in (("a", "19,500", "1,600"), ("b", "19,500", "2,600"), ("c", "20,200", "1,100"), ("d", "21,000", "900")):
        body = [
            ("Title", "Our stand at the trade fair in Bremen"),
            ("Text_20_body", "To: Accounts. From: the office of the board."),
            (
                "Text_20_body",
                f"In its meeting of 14 January 2026 the board approved {first} euros, VAT included, for our stand at the trade fair in Bremen.",
            ),
            ("Text_20_body", "The stand was to have 30 m2 at that time. Travel of the sales team is not part of it and is paid from its own budget."),
            (
                "Text_20_body",
                f"In its meeting of 11 February 2026 the board raised this approval by {more} euros, VAT included, since the stand now has 36 m2.",
            ),
            ("Text_20_body", "Nothing else has been approved. What goes beyond it has to be requested from the board before the fair."),
        ]
        keep(f"calc/fair-budget/approvals/approval-{name}.odt", odt(body))
    draft = [
        ("Title", "Request to the board"),
        (
            "Text_20_body",
            "The costs of our stand at the trade fair in Bremen are [OVER] euros above the sum that the board has approved, VAT included.",
        ),
        ("Text_20_body", "We ask the board to approve this amount as well, so that the suppliers can be paid in time."),
        ("Text_20_body", "Accounts"),
    ]
    keep("calc/fair-budget/request-draft.odt", odt(draft))


if __name__ == "__main__":
    concert_price()
    locked_rates()
    leave_form()
    quote_lookup()
    rental_pivot()
    fair_budget()

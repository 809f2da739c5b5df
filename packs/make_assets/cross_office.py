"""Makes the sheets of the fair that cross/fair-reserve fills in: python packs/make_assets/cross_office.py

Every figure and name is made up here. The same run gives the same bytes.
"""

from __future__ import annotations

from office_files import keep_book
from openpyxl import Workbook
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side

HEAD = PatternFill("solid", fgColor="4A5D3A")
LINE = Side(style="thin", color="B7BFA9")
NAME = "Carlito"
ARTICLES = [
    ("FK-131", "Tray, oiled oak"),
    ("FK-115", "Cup, stoneware, set of four"),
    ("FK-107", "Teapot, stoneware, 0.8 l"),
    ("FK-101", "Kettle, hammered copper, 1.2 l"),
    ("FK-120", "Tea tin, 250 g"),
]
FAIRS = {
    "lyon": ("Lyon table fair, 5 to 7 June 2026", (4, 40, 12, 6, 8)),
    "brno": ("Brno home fair, 19 to 21 June 2026", (2, 30, 40, 10, 5)),
    "ghent": ("Ghent kitchen days, 3 to 5 July 2026", (6, 80, 20, 12, 3)),
}


def fair(slug: str, title: str, wanted: tuple[int, ...]) -> None:
    book = Workbook()
    sheet = book.active
    sheet.title = "Goods"
    sheet["A1"] = title
    sheet["A1"].font = Font(name=NAME, size=15, bold=True, color="4A5D3A")
    sheet["A2"] = "Goods for our stand, against the stock of the shop"
    sheet["A2"].font = Font(name=NAME, size=11, italic=True)
    for column, name in enumerate(("Article", "Name", "For the fair", "In stock", "Left"), 1):
        cell = sheet.cell(4, column, name)
        cell.font = Font(name=NAME, size=11, bold=True, color="FFFFFF")
        cell.fill = HEAD
        cell.alignment = Alignment(horizontal="center")
    for row, ((code, name), count) in enumerate(zip(ARTICLES, wanted, strict=True), 5):
        for column, value in enumerate((code, name, count, None, None), 1):
            cell = sheet.cell(row, column, value)
            cell.font = Font(name=NAME, size=11)
            cell.border = Border(bottom=LINE)
    sheet["A11"] = "Short article"
    sheet["A11"].font = Font(name=NAME, size=11, bold=True)
    for letter, width in {"A": 15, "B": 34, "C": 13, "D": 11, "E": 9}.items():
        sheet.column_dimensions[letter].width = width
    keep_book(f"cross/fair-reserve/fair-{slug}.xlsx", book)


if __name__ == "__main__":
    for slug, (title, wanted) in FAIRS.items():
        fair(slug, title, wanted)

"""Makes the sheets of the fair that cross/fair-reserve fills in: python packs/make_assets/cross_office.py

Every figure and name is made up here. The same run gives the same bytes.
"""

from __future__ import annotations

from openpyxl import Workbook
from writing import Look, keep_book, widths

LOOK = Look("4A5D3A", "B7BFA9")
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
    LOOK.put(sheet, "A1", title, size=15, bold=True, color="4A5D3A")
    LOOK.put(sheet, "A2", "Goods for our stand, against the stock of the shop", italic=True)
    LOOK.heads(sheet, 4, ["Article", "Name", "For the fair", "In stock", "Left"])
    LOOK.rows(sheet, 5, [[code, name, count, None, None] for (code, name), count in zip(ARTICLES, wanted, strict=True)])
    LOOK.put(sheet, "A11", "Short article", bold=True)
    widths(sheet, A=15, B=34, C=13, D=11, E=9)
    keep_book(f"cross/fair-reserve/fair-{slug}.xlsx", book)


if __name__ == "__main__":
    for slug, (title, wanted) in FAIRS.items():
        fair(slug, title, wanted)

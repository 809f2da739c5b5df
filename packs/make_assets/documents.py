"""Makes the documents of the later writer tasks again: python packs/make_assets/documents.py

Every figure, name and text is made up here. The same run gives the same bytes.
"""

from __future__ import annotations

import io
import zipfile
from datetime import datetime
from typing import Any
from xml.sax.saxutils import escape

from docx import Document
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Mm, Pt
from openpyxl import Workbook
from openpyxl.styles import Alignment, Font, PatternFill
from writing import keep, repacked, text_document

WHEN = datetime(2026, 2, 9, 10, 15)

# Text documents written by hand, so that their styles are the ones that Writer itself has

_ODF = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" '
    'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" office:version="1.2"'
)


def _styles(language: str, asian: str) -> str:
    heads = "".join(
        f'<style:style style:name="Heading_20_{level}" style:display-name="Heading {level}" style:family="paragraph" style:parent-style-name="Heading" '
        f'style:next-style-name="Text_20_body" style:default-outline-level="{level}" style:class="text">'
        f'<style:paragraph-properties fo:margin-top="{top}cm" fo:margin-bottom="0.2cm"/>'
        f'<style:text-properties fo:font-size="{size}pt" style:font-size-asian="{size}pt" fo:font-weight="bold" style:font-weight-asian="bold"/></style:style>'
        for level, size, top in ((1, 16, 0.6), (2, 13, 0.4), (3, 12, 0.3))
    )
    contents = "".join(
        f'<style:style style:name="Contents_20_{level}" style:display-name="Contents {level}" style:family="paragraph" style:parent-style-name="Index" style:class="index">'
        f'<style:paragraph-properties fo:margin-left="{indent}cm"><style:tab-stops><style:tab-stop style:position="{16 - indent}cm" style:type="right" '
        f'style:leader-style="dotted" style:leader-text="."/></style:tab-stops></style:paragraph-properties></style:style>'
        for level, indent in ((1, 0), (2, 0.5))
    )
    outline = "".join(f'<text:outline-level-style text:level="{level}" style:num-format=""/>' for level in range(1, 11))
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<office:document-styles {_ODF}>
<office:font-face-decls><style:font-face style:name="Liberation Serif" svg:font-family="'Liberation Serif'"/>
<style:font-face style:name="Liberation Sans" svg:font-family="'Liberation Sans'"/><style:font-face style:name="Noto Sans CJK SC" svg:font-family="'Noto Sans CJK SC'"/>
<style:font-face style:name="Noto Serif CJK SC" svg:font-family="'Noto Serif CJK SC'"/></office:font-face-decls>
<office:styles>
<style:default-style style:family="paragraph"><style:paragraph-properties fo:margin-top="0cm"/>
<style:text-properties style:font-name="Liberation Serif" style:font-name-asian="Noto Serif CJK SC" fo:font-size="12pt" style:font-size-asian="12pt"
 fo:language="{language[:2]}" fo:country="{language[3:]}" style:language-asian="{asian[:2]}" style:country-asian="{asian[3:]}"/></style:default-style>
<style:style style:name="Standard" style:family="paragraph" style:class="text"/>
<style:style style:name="Text_20_body" style:display-name="Text body" style:family="paragraph" style:parent-style-name="Standard" style:class="text">
<style:paragraph-properties fo:margin-bottom="0.25cm" fo:line-height="115%"/></style:style>
<style:style style:name="Title" style:family="paragraph" style:parent-style-name="Standard" style:next-style-name="Text_20_body" style:class="chapter">
<style:paragraph-properties fo:margin-bottom="0.3cm"/><style:text-properties style:font-name="Liberation Sans" style:font-name-asian="Noto Sans CJK SC"
 fo:font-size="22pt" style:font-size-asian="22pt" fo:font-weight="bold" style:font-weight-asian="bold"/></style:style>
<style:style style:name="Heading" style:family="paragraph" style:parent-style-name="Standard" style:next-style-name="Text_20_body" style:class="text">
<style:paragraph-properties fo:margin-top="0.4cm" fo:margin-bottom="0.2cm" fo:keep-with-next="always"/>
<style:text-properties style:font-name="Liberation Sans" style:font-name-asian="Noto Sans CJK SC" fo:font-size="14pt" style:font-size-asian="14pt"/></style:style>
{heads}
<style:style style:name="Index" style:family="paragraph" style:parent-style-name="Standard" style:class="index"/>
<style:style style:name="Contents_20_Heading" style:display-name="Contents Heading" style:family="paragraph" style:parent-style-name="Heading" style:class="index">
<style:text-properties fo:font-size="14pt" fo:font-weight="bold"/></style:style>
{contents}
<text:outline-style style:name="Outline">{outline}</text:outline-style>
</office:styles>
<office:automatic-styles><style:page-layout style:name="pm1"><style:page-layout-properties fo:page-width="21cm" fo:page-height="29.7cm"
 style:print-orientation="portrait" fo:margin-top="2.5cm" fo:margin-bottom="2.5cm" fo:margin-left="2.5cm" fo:margin-right="2.5cm"/></style:page-layout>
</office:automatic-styles>
<office:master-styles><style:master-page style:name="Standard" style:page-layout-name="pm1"/></office:master-styles>
</office:document-styles>
"""


def odt(parts: list[tuple[str, str]], automatic: str = "", language: str = "en-GB", asian: str = "zh-CN") -> bytes:
    """A text document. Every pair is a paragraph's style and its text; `xml` is a part as it stands."""

    def said(style: str, text: str) -> str:
        if style == "xml":
            return text
        if style.startswith("Heading_20_"):
            return f'<text:h text:style-name="{style}" text:outline-level="{style[-1]}">{escape(text)}</text:h>'
        return f'<text:p text:style-name="{style}">{escape(text)}</text:p>'

    content = (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<office:document-content {_ODF}><office:automatic-styles>{automatic}</office:automatic-styles>'
        f"<office:body><office:text>{''.join(said(*part) for part in parts)}</office:text></office:body></office:document-content>\n"
    )
    return text_document(content, _styles(language, asian), WHEN)


TITLE, BODY, PLAIN, ONE, TWO = "Title", "Text_20_body", "Standard", "Heading_20_1", "Heading_20_2"


# writer/recipe-lists


def recipe_lists() -> None:
    parts = [
        (TITLE, "Plum cake on a tray"),
        (BODY, "For a tray of 30 by 40 cm. The dough can rest overnight in the fridge."),
        (ONE, "Ingredients"),
        (BODY, "500 g plain flour"),
        (BODY, "250 ml lukewarm milk"),
        (BODY, "20 g fresh yeast"),
        (BODY, "80 g soft butter"),
        (BODY, "1.2 kg ripe plums"),
        (ONE, "Method"),
        (BODY, "Stir the yeast into the milk and wait ten minutes."),
        (BODY, "Knead flour, milk and butter to a smooth dough and let it rise for an hour."),
        (BODY, "Halve the plums and take out the stones."),
        (BODY, "Roll the dough out on the tray and set the plums on it in close rows."),
        (BODY, "Bake for 35 minutes at 190 degrees."),
        (ONE, "Keeping"),
        (BODY, "Covered with a cloth, the cake keeps for two days. It freezes well without the sugar on top."),
    ]
    keep("writer/recipe-lists/plum-cake.odt", odt(parts))


# writer/handbook-contents: a contents table that is older than the headings

HANDBOOK = [
    (ONE, "Your first week"),
    (BODY, "On Monday at nine a colleague from the team meets you at the gate. You get your badge, your keys and a tour that ends in the canteen. "
           "The rest of the day belongs to your desk and your accounts."),
    (TWO, "Badge and keys"),
    (BODY, "The badge opens the gate and your floor. Please report a lost badge the same day at the front desk; the number is printed on its back."),
    (TWO, "Safety briefing"),
    (BODY, "The briefing takes an hour and is held every Tuesday at two in the training room. Nobody works in the hall without it."),
    (ONE, "Working hours"),
    (BODY, "A full week has 38 hours. Between ten and three everyone should be reachable; before and after that you arrange your hours with your team."),
    (BODY, "Time sheets"),
    (BODY, "Hours are booked by Friday noon. Corrections of the week before are possible until Monday evening, after that only with your team lead."),
    (TWO, "Work from home"),
    (BODY, "Up to two days a week can be spent at home. Tell your team at least one day before, and keep the shared calendar up to date."),
    (ONE, "Holidays"),
    (BODY, "Every year has 28 working days of paid leave. Up to five of them can be carried over until the end of March."),
    (TWO, "How to apply"),
    (BODY, "Enter the days in the leave form at least three weeks ahead. Your team lead answers within two working days."),
    (TWO, "Illness during leave"),
    (BODY, "Days on which a doctor certifies that you are ill do not count as leave. Send the note to us within three days."),
    (ONE, "Leaving us"),
    (BODY, "Please return badge, keys and devices on your last day. We hand over your reference letter in a closing talk."),
    (BODY, "Reference letters"),
    (BODY, "A letter can be asked for at any time, for example when your team lead changes. It takes us about a week."),
]  # fmt: skip
OLD_ENTRIES = [
    (1, "Your first week"),
    (2, "Badge and keys"),
    (1, "Working hours"),
    (1, "Holidays"),
    (2, "How to apply"),
    (2, "Illness during leave"),
    (1, "Leaving us"),
]


def handbook_contents() -> None:
    sources = "".join(
        f'<text:table-of-content-entry-template text:outline-level="{level}" text:style-name="Contents_20_{level}"><text:index-entry-text/>'
        f'<text:index-entry-tab-stop style:type="right" style:leader-char="."/><text:index-entry-page-number/></text:table-of-content-entry-template>'
        for level in (1, 2)
    )
    entries = "".join(f'<text:p text:style-name="Contents_20_{level}">{text}<text:tab/>1</text:p>' for level, text in OLD_ENTRIES)
    contents = (
        '<text:table-of-content text:style-name="Sect1" text:protected="true" text:name="Table of Contents1">'
        '<text:table-of-content-source text:outline-level="2"><text:index-title-template text:style-name="Contents_20_Heading">Contents</text:index-title-template>'
        f'{sources}</text:table-of-content-source><text:index-body><text:index-title text:style-name="Sect1" text:name="Table of Contents1_Head">'
        f'<text:p text:style-name="Contents_20_Heading">Contents</text:p></text:index-title>{entries}</text:index-body></text:table-of-content>'
    )
    section = '<style:style style:name="Sect1" style:family="section"><style:section-properties style:editable="false"/></style:style>'
    parts = [(TITLE, "Staff handbook"), (PLAIN, "Edition of February 2026, for everyone at the Wexcombe works"), ("xml", contents), *HANDBOOK]
    keep("writer/handbook-contents/staff-handbook.odt", odt(parts, section))


# writer/supplier-redline: a letter with the changes and comments of two people

A, B = "Helen Marsh", "Dario Conti"
LETTER: list[list[Any]] = [
    ["We invite all our suppliers to the annual supplier day on ", ("del", A, "12 May"), ("ins", A, "19 May"), " 2026 in the old tannery."],
    ["Doors open at ", ("del", B, "nine"), ("ins", B, "half past eight"), ", and the programme starts at ten with a walk through the new hall."],
    ["Lunch is served ", ("ins", B, "with wine "), "in the courtyard, or in the loft if it rains."],
    ["Please register by ", ("del", A, "30 April"), ("ins", A, "5 May"), ", so that we can plan the seating."],
    ["Every supplier may bring two guests", ("del", B, " free of charge"), ". The yard behind the hall has room for sixty cars", ("ins", A, " and two coaches"), "."],
]  # fmt: skip


def supplier_redline() -> None:
    document = Document()
    document.styles["Normal"].font.name, document.styles["Normal"].font.size = "Carlito", Pt(12)
    section = document.sections[0]
    section.page_width, section.page_height = Mm(210), Mm(297)
    section.left_margin = section.right_margin = Mm(25)
    section.top_margin = section.bottom_margin = Mm(25)
    document.add_paragraph().add_run("Invitation to the supplier day").bold = True
    document.add_paragraph("Dear partners,")
    when, number = WHEN.strftime("%Y-%m-%dT%H:%M:00Z"), 900
    marked: dict[str, Any] = {}
    for line in LETTER:
        paragraph = document.add_paragraph()
        for piece in line:
            if isinstance(piece, str):
                run = paragraph.add_run(piece)
                marked.update({piece: run})
                continue
            kind, author, text = piece
            run = paragraph.add_run(text)
            change = OxmlElement(f"w:{kind}")
            number += 1
            for name, value in (("id", str(number)), ("author", author), ("date", when)):
                change.set(qn(f"w:{name}"), value)
            run._r.addprevious(change)
            change.append(run._r)
            if kind == "del":
                run._r.find(qn("w:t")).tag = qn("w:delText")
                run._r.find(qn("w:delText")).set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
    document.add_paragraph("With kind regards,")
    document.add_paragraph("Tannery Street Works, purchasing")
    for text, author, on in (("The hall is booked for this day, the contract is signed.", A, " 2026 in the old tannery."),
                             ("The caterer wants the number of guests a week before.", B, "in the courtyard, or in the loft if it rains.")):  # fmt: skip
        comment = document.add_comment(marked[on], text=text, author=author, initials="".join(word[0] for word in author.split()))
        comment._comment_elm.set(qn("w:date"), when)
    document.core_properties.author = "Purchasing"
    document.core_properties.title = "Invitation"
    document.core_properties.created = document.core_properties.modified = WHEN
    out = io.BytesIO()
    document.save(out)
    keep("writer/supplier-redline/supplier-day.docx", repacked(out.getvalue(), WHEN))


# writer/excursion-table: the document; the lists of the classes stand in the task itself and are printed here

CLASSES = {
    "7a": "Adeyemi Tola,Berg Lina,Castell Marc,Dorn Ida,Eklund Per,Farkas Zoe,Grau Nils,Holm Aya,Ivanova Mia,Jansen Tim,Klee Rosa,Lang Emil,Moreau Jade,Nowak Jan,Ortiz Luz,"
          "Petrov Leo,Quist Eva,Rossi Gia,Sander Ole,Tran Linh",
    "7b": "Alves Rui,Brandt Kai,Costa Ana,Dietz Paula,Engel Ben,Fischer Noa,Gomes Ines,Haas Lotte,Ito Ken,Jung Max,Kaya Elif,Lenz Tom,Marsh Amy,Novak Petr,Olsen Tuva,"
          "Pohl Jana,Reis Duarte,Stein Ruth,Thoma Levi,Urban Nela",
}  # fmt: skip


def excursion_table() -> None:
    document = Document()
    document.styles["Normal"].font.name, document.styles["Normal"].font.size = "Carlito", Pt(12)
    section = document.sections[0]
    section.page_width, section.page_height = Mm(210), Mm(297)
    section.left_margin = section.right_margin = section.top_margin = section.bottom_margin = Mm(25)
    title = document.add_paragraph().add_run("Excursion to the tidal mill")
    title.bold, title.font.size = True, Pt(18)
    for text in (
        "We leave on Thursday at 8:15 from the school gate and are back at about 15:30. Please bring rain clothes, sturdy shoes and a packed lunch.",
        "The following pupils take part. Diets and phone numbers are for the accompanying teachers only.",
        "[LIST]",
        "In an emergency the school office can be reached all day. This sheet is to be destroyed after the excursion.",
    ):
        document.add_paragraph(text)
    document.core_properties.author, document.core_properties.title = "School office", "Excursion"
    document.core_properties.created = document.core_properties.modified = WHEN
    out = io.BytesIO()
    document.save(out)
    keep("writer/excursion-table/excursion-sheet.docx", repacked(out.getvalue(), WHEN))
    diets = ["none", "vegetarian", "none", "no nuts", "none", "halal", "none"]
    for place, (name, pupils) in enumerate(CLASSES.items()):
        rows = [["No", "Name", "Diet", "Phone at home"]]
        for number, pupil in enumerate(pupils.split(","), 1):
            rows.append(
                [str(number), pupil, diets[(number * (place + 2)) % 7], f"0{4400 + place * 37 + number * 131} {21860 + number * 473 + place * 91}"]
            )
        print(f"      - name: {name}\n        rows: {rows}".replace("'", '"'))
        print('        text: "' + "\\n".join("\\t".join(row) for row in rows) + '"')


# writer/supplies-note: a workbook with a sheet for every quarter, and the note to fill in

PLAN = {"Q1": [2400, 1800, 950, 1250], "Q2": [2400, 1900, 950, 1250], "Q3": [2500, 1900, 1000, 1300]}
SPENT = {"Q1": [2215, 1742, 988, 1104], "Q2": [2630, 1871, 1042, 1196], "Q3": [2389, 1934, 871, 1247]}
TEAMS = ["Workshop", "Sales", "Reception", "Drawing office"]


def supplies_note() -> None:
    book = Workbook()
    book.remove(book.active)
    for quarter in PLAN:
        sheet = book.create_sheet(f"Quarter {quarter[1]}")
        sheet["A1"] = f"Office supplies, {quarter} 2026 (EUR)"
        sheet["A1"].font = Font(name="Carlito", size=14, bold=True)
        months = {"Q1": ["Jan", "Feb", "Mar"], "Q2": ["Apr", "May", "Jun"], "Q3": ["Jul", "Aug", "Sep"]}[quarter]
        for column, name in enumerate(["Department", "Budget", *months, "Spent"], 1):
            cell = sheet.cell(3, column, name)
            cell.font, cell.fill = Font(name="Carlito", size=11, bold=True, color="FFFFFF"), PatternFill("solid", fgColor="3B5B4A")
            cell.alignment = Alignment(horizontal="left" if column == 1 else "center")
        for row, team in enumerate(TEAMS, 4):
            plan, spent = PLAN[quarter][row - 4], SPENT[quarter][row - 4]
            first, second = spent * 3 // 10 + 7 * row, spent * 4 // 10 - 11 * row
            for column, value in enumerate([team, plan, first, second, spent - first - second, f"=SUM(C{row}:E{row})"], 1):
                cell = sheet.cell(row, column, value)
                cell.font, cell.number_format = Font(name="Carlito", size=11), "General" if column == 1 else "0"
        for column, letter in enumerate("ABCDEF", 1):
            cell = sheet.cell(8, column, "Total" if column == 1 else f"=SUM({letter}4:{letter}7)")
            cell.font, cell.number_format = Font(name="Carlito", size=11, bold=True), "General" if column == 1 else "0"
            sheet.column_dimensions[letter].width = 18 if column == 1 else 11
        print(quarter, "plan", sum(PLAN[quarter]), "spent", sum(SPENT[quarter]))
    book.properties.creator, book.properties.created = "Office", WHEN
    out = io.BytesIO()
    book.save(out)
    # openpyxl writes the present time as the time of change whatever the properties say.
    now, fixed = book.properties.modified.strftime("%Y-%m-%dT%H:%M:%SZ").encode(), io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(out.getvalue())) as old, zipfile.ZipFile(fixed, "w") as new:
        for name in old.namelist():
            new.writestr(
                name, old.read(name).replace(now, WHEN.strftime("%Y-%m-%dT%H:%M:%SZ").encode()) if name == "docProps/core.xml" else old.read(name)
            )
    keep("writer/supplies-note/supplies-2026.xlsx", repacked(fixed.getvalue(), WHEN))
    border = "0.5pt solid #7f8f86"
    automatic = (
        '<style:style style:name="T1" style:family="table"><style:table-properties style:width="16cm" table:align="margins"/></style:style>'
        '<style:style style:name="T1.A" style:family="table-column"><style:table-column-properties style:column-width="4cm"/></style:style>'
        f'<style:style style:name="T1.1" style:family="table-cell"><style:table-cell-properties fo:padding="0.1cm" fo:border="{border}"/></style:style>'
        '<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Standard"><style:text-properties fo:font-weight="bold"/></style:style>'
    )
    rows = [["Department", "Budget", "Spent", "Left"], *[[team, "", "", ""] for team in [*TEAMS, "Total"]]]
    table = "".join(
        "<table:table-row>" + "".join(
            f'<table:table-cell table:style-name="T1.1" office:value-type="string"><text:p text:style-name="{"P1" if not at else "Standard"}">{text}</text:p></table:table-cell>'
            for text in row) + "</table:table-row>"
        for at, row in enumerate(rows)
    )  # fmt: skip
    whole = f'<table:table table:name="Table1" table:style-name="T1"><table:table-column table:style-name="T1.A" table:number-columns-repeated="4"/>{table}</table:table>'
    parts = [
        (TITLE, "Office supplies by department"),
        (BODY, "This note goes to the heads of department at the end of the quarter. All amounts are in euros, delivery included."),
        ("xml", whole),
        (BODY, ""),
        (BODY, "Within budget: the departments together kept to the plan, and orders go on as usual."),
        (
            BODY,
            "Over budget: the plan is exceeded, and every order over 50 euros needs the office manager's signature until the end of the next quarter.",
        ),
        (BODY, "Questions go to the front office, extension 214."),
    ]
    keep("writer/supplies-note/supplies-note.odt", odt(parts, automatic))


# writer/museum-leaflet


def museum_leaflet() -> None:
    parts = [
        (TITLE, "潮汐磨坊博物馆参观须知"),
        (BODY, "欢迎来到潮汐磨坊博物馆。请在参观前阅读以下说明。"),
        (ONE, "开放时间"),
        (BODY, "[时间],[闭馆日]闭馆。闭馆前一小时停止入馆。"),
        (ONE, "门票"),
        (BODY, "成人票[票价]元,学生票半价。团体参观请提前三天登录预约网站登记。"),
        (ONE, "馆内须知"),
        (BODY, "请勿触摸转动中的齿轮和水轮。展厅内可以拍照,但请关闭闪光灯。大件行李请存放在入口处的储物柜。"),
        (ONE, "联系我们"),
        (BODY, "咨询电话:[电话]。服务台设在一楼入口左侧。"),
    ]
    # Full-width signs, as Chinese print has them.
    wide = [(style, text.replace(",", "\uff0c").replace(":", "\uff1a")) for style, text in parts]
    keep("writer/museum-leaflet/参观须知草稿.odt", odt(wide))


# writer/notice-terms


def notice_terms() -> None:
    parts = [
        (TITLE, "Terms of employment"),
        (BODY, "These terms apply to all contracts signed after 1 March 2026."),
        (ONE, "1. Start and probation"),
        (BODY, "The first three months are a probation period, during which either side can end the contract within two weeks."),
        (ONE, "2. Hours and place"),
        (BODY, "A full week has 38 hours. The place of work is Wexcombe; up to two days a week can be worked from home."),
        (ONE, "3. Notice"),
        (BODY, "After the probation period either side can end the contract with a notice period of three months. Notice is given in writing."),
        (ONE, "4. Leave"),
        (BODY, "Every year has 28 working days of paid leave. Leave is agreed with the team at least three weeks ahead."),
        (ONE, "5. Expenses"),
        (BODY, "Travel is paid at cost. Receipts are handed in within a month."),
        (ONE, "6. Confidentiality"),
        (BODY, "What is learnt about customers, prices and methods stays in the company, also after the contract has ended."),
        (ONE, "7. Garden leave"),
        (
            BODY,
            "During the notice period of four weeks the company may release the employee from work; pay goes on. Approved by the works council and the lawyers on 2 February 2026.",
        ),
        (ONE, "8. Final rules"),
        (BODY, "Changes to these terms need the written form."),
    ]
    keep("writer/notice-terms/employment-terms.odt", odt(parts))


if __name__ == "__main__":
    for make in (recipe_lists, handbook_contents, supplier_redline, excursion_table, supplies_note, museum_leaflet, notice_terms):
        make()

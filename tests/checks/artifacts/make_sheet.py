"""Makes the spreadsheets in sheet/ with LibreOffice itself: `python tests/checks/artifacts/make_sheet.py`.

start     a plain table of orders
done      the orders worked up: formulas, formats, filter, chart, pivot, validation, condition, frozen header
near      the same, with each thing nearly right: typed-in totals, wrong colours, another chart, unsorted
stale     done.xlsx with a cached sum that is not true any more
foreign   the start written by openpyxl, without any cached value; foreign-saved is LibreOffice's saving of it
probed/   what the probe wrote about each
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import zipfile
from pathlib import Path

import openpyxl
from office import basic, convert
from openpyxl.styles import Font, PatternFill

from deskbench.checks.sheet import RECALCULATED

HERE = Path(__file__).parent / "sheet"

PROGRAM = '''
Dim Doc As Object, Sheet As Object, Kind As String

Sub Open_()
  Dim Arguments()
  Doc = StarDesktop.loadComponentFromURL("private:factory/scalc", "_blank", 0, Arguments())
  Sheet = Doc.Sheets.getByIndex(0)
  Sheet.Name = "Orders"
  Sheet.getCellRangeByName("A1:E7").setDataArray(Array( _
    Array("Region", "Product", "Units", "Price", "Total"), _
    Array("North", "Lamp", 12, 19.5, ""), Array("South", "Desk", 3, 240, ""), Array("East", "Chair", 8, 85, ""), _
    Array("North", "Desk", 5, 240, ""), Array("West", "Lamp", 20, 19.5, ""), Array("South", "Chair", 4, 85, "")))
  Sheet.getCellRangeByName("G1").String = "Ordered"
  Sheet.getCellRangeByName("G2").Formula = "2024-03-01"
  Sheet.getCellRangeByName("G2").NumberFormat = Number_("YYYY-MM-DD")
End Sub

Sub Store(Name As String)
  Dim Arguments(0) As New com.sun.star.beans.PropertyValue
  Arguments(0).Name = "FilterName"
  Arguments(0).Value = "calc8"
  Doc.storeToURL("file://HERE/" & Name & ".ods", Arguments())
  Arguments(0).Value = "Calc MS Excel 2007 XML"
  Doc.storeToURL("file://HERE/" & Name & ".xlsx", Arguments())
End Sub

Function Number_(Code As String) As Long
  Dim Locale As New com.sun.star.lang.Locale
  Locale.Language = "en" : Locale.Country = "US"
  Number_ = Doc.NumberFormats.queryKey(Code, Locale, False)
  If Number_ < 0 Then Number_ = Doc.NumberFormats.addNew(Code, Locale)
End Function

Sub Sort_(Ascending As Boolean)
  Dim Fields(0) As New com.sun.star.table.TableSortField
  Dim How(1) As New com.sun.star.beans.PropertyValue
  Fields(0).Field = 4 : Fields(0).IsAscending = Ascending
  How(0).Name = "SortFields" : How(0).Value = Fields()
  How(1).Name = "ContainsHeader" : How(1).Value = True
  Sheet.getCellRangeByName("A1:E7").sort(How())
End Sub

Sub Totals(Typed As Boolean)
  Dim Row As Integer
  For Row = 2 To 7
    If Typed Then
      Sheet.getCellRangeByName("E" & Row).Value = Sheet.getCellRangeByName("C" & Row).Value * Sheet.getCellRangeByName("D" & Row).Value
    Else
      Sheet.getCellRangeByName("E" & Row).Formula = "=C" & Row & "*D" & Row
    End If
  Next
  Sheet.getCellRangeByName("A9").String = "Sum"
  If Typed Then Sheet.getCellRangeByName("E9").Value = 3574 Else Sheet.getCellRangeByName("E9").Formula = "=SUM(E2:E7)"
  If Not Typed Then Sheet.getCellRangeByName("E10").Formula = "=IF(E9>3000;""high; very"";""low"")"
  If Not Typed Then Sheet.getCellRangeByName("E11").Formula = "=1/0"
End Sub

Sub Formats(Fill As Long, Code As String)
  With Sheet.getCellRangeByName("A1:E1")
    .CharWeight = 150 : .CellBackColor = Fill : .CharColor = RGB(255, 255, 255) : .HoriJustify = 2
    .CharHeight = 12 : .CharFontName = "Liberation Serif"
  End With
  Sheet.getCellRangeByName("D2:E9").NumberFormat = Number_(Code)
  Sheet.getCellRangeByName("F2").Value = 0.125
  Sheet.getCellRangeByName("F2").NumberFormat = Number_("0.0%")
  Sheet.getCellRangeByName("A9:E9").CharPosture = 2
  Sheet.getCellRangeByName("A12:C12").merge(True)
  Sheet.getCellRangeByName("A12").String = "Delivered by road"
  Sheet.Columns.getByName("B").Width = 4000
  Sheet.Rows.getByIndex(0).Height = 900
End Sub

Sub Filter(Text As String)
  Dim Ranges, Field(0) As New com.sun.star.sheet.TableFilterField, Area As New com.sun.star.table.CellRangeAddress
  Area.Sheet = 0 : Area.StartColumn = 0 : Area.EndColumn = 4 : Area.StartRow = 0 : Area.EndRow = 6
  Ranges = Doc.DatabaseRanges
  Ranges.addNewByName("orders", Area)
  Ranges.getByName("orders").AutoFilter = True
  Field(0).Field = 0 : Field(0).Operator = com.sun.star.sheet.FilterOperator.EQUAL : Field(0).IsNumeric = False : Field(0).StringValue = Text
  With Ranges.getByName("orders").getFilterDescriptor()
    .ContainsHeader = True
    .setFilterFields(Field())
  End With
  Ranges.getByName("orders").refresh()
End Sub

Sub Chart(Kind As String, Title As String)
  Dim Box As New com.sun.star.awt.Rectangle, Area(1) As New com.sun.star.table.CellRangeAddress, Made
  Box.X = 500 : Box.Y = 8000 : Box.Width = 9000 : Box.Height = 6000
  Area(0).Sheet = 0 : Area(0).StartColumn = 1 : Area(0).EndColumn = 1 : Area(0).StartRow = 0 : Area(0).EndRow = 6
  Area(1).Sheet = 0 : Area(1).StartColumn = 4 : Area(1).EndColumn = 4 : Area(1).StartRow = 0 : Area(1).EndRow = 6
  Sheet.Charts.addNewByName("Totals", Box, Area(), True, True)
  Made = Sheet.Charts.getByName("Totals").EmbeddedObject
  Made.Diagram = Made.createInstance("com.sun.star.chart." & Kind)
  Made.HasMainTitle = True : Made.Title.String = Title
  If Kind <> "PieDiagram" Then
    Made.Diagram.HasYAxisTitle = True : Made.Diagram.YAxisTitle.String = "Euro"
    Made.Diagram.HasXAxisTitle = True : Made.Diagram.XAxisTitle.String = "Product"
  End If
End Sub

Sub Pivot(Function_ As Integer)
  Dim Made, Source As New com.sun.star.table.CellRangeAddress, At As New com.sun.star.table.CellAddress, Fields, Tables
  Doc.Sheets.insertNewByName("Summary", 1)
  Tables = Doc.Sheets.getByName("Summary").DataPilotTables
  Made = Tables.createDataPilotDescriptor()
  Source.Sheet = 0 : Source.StartColumn = 0 : Source.EndColumn = 4 : Source.StartRow = 0 : Source.EndRow = 6
  Made.setSourceRange(Source)
  Fields = Made.DataPilotFields
  Fields.getByIndex(0).Orientation = com.sun.star.sheet.DataPilotFieldOrientation.ROW
  Fields.getByIndex(1).Orientation = com.sun.star.sheet.DataPilotFieldOrientation.COLUMN
  Fields.getByIndex(4).Orientation = com.sun.star.sheet.DataPilotFieldOrientation.DATA
  Fields.getByIndex(4).Function = Function_
  At.Sheet = 1 : At.Column = 0 : At.Row = 0
  Tables.insertNewByName("ByRegion", At, Made)
End Sub

Sub Validate(Choices As String)
  Dim Rule
  Rule = Sheet.getCellRangeByName("A2:A7").Validation
  Rule.Type = com.sun.star.sheet.ValidationType.LIST
  Rule.setFormula1(Choices)
  Sheet.getCellRangeByName("A2:A7").Validation = Rule
  Rule = Sheet.getCellRangeByName("C2:C7").Validation
  Rule.Type = com.sun.star.sheet.ValidationType.WHOLE
  Rule.setOperator(com.sun.star.sheet.ConditionOperator.BETWEEN)
  Rule.setFormula1("1") : Rule.setFormula2("100")
  Sheet.getCellRangeByName("C2:C7").Validation = Rule
End Sub

Sub Condition(Limit As String, Fill As Long)
  Dim Style, Rules, Rule(3) As New com.sun.star.beans.PropertyValue
  Style = Doc.createInstance("com.sun.star.style.CellStyle")
  Doc.StyleFamilies.getByName("CellStyles").insertByName("Hot", Style)
  Style.CellBackColor = Fill : Style.CharWeight = 150
  Rules = Sheet.getCellRangeByName("E2:E7").ConditionalFormat
  Rule(0).Name = "Operator" : Rule(0).Value = com.sun.star.sheet.ConditionOperator.GREATER
  Rule(1).Name = "Formula1" : Rule(1).Value = Limit
  Rule(2).Name = "StyleName" : Rule(2).Value = "Hot"
  Rules.addNew(Rule())
  Sheet.getCellRangeByName("E2:E7").ConditionalFormat = Rules
End Sub

Sub Name_(Content As String)
  Dim At As New com.sun.star.table.CellAddress
  Doc.NamedRanges.addNewByName("Totals", Content, At, 0)
End Sub

Sub Work()
  Open_()
  Store("start")
  Totals(False) : Sort_(False) : Formats(RGB(31, 78, 121), "[$€-407]#,##0.00")
  Filter("North") : Chart("BarDiagram", "Totals by product")
  Pivot(2) : Validate("""North"";""South"";""East"";""West""") : Condition("500", RGB(255, 199, 206)) : Name_("$Orders.$E$2:$E$7")
  Doc.CurrentController.setActiveSheet(Sheet)
  Doc.CurrentController.freezeAtPosition(0, 1)
  Store("done")
  Doc.close(True)
  Open_()
  Totals(True) : Formats(RGB(31, 78, 200), "#,##0.0")
  Filter("South") : Chart("PieDiagram", "Totals")
  Pivot(3) : Validate("""North"";""South""") : Condition("50", RGB(255, 199, 206)) : Name_("$Orders.$E$2:$E$6")
  Doc.CurrentController.setActiveSheet(Sheet)
  Doc.CurrentController.freezeAtPosition(1, 0)
  Store("near")
  Doc.close(True)
End Sub
'''


def stale() -> None:
    with zipfile.ZipFile(HERE / "done.xlsx") as source, zipfile.ZipFile(HERE / "stale.xlsx", "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            target.writestr(name, source.read(name).replace(b"<v>3564</v>", b"<v>9999</v>"))


def foreign() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (["Item", "Cost"], ["Lamp", 19.5], ["Desk", 240], ["Sum", "=SUM(B2:B3)"]):
        sheet.append(row)
    sheet["A1"].font, sheet["B2"].number_format = Font(bold=True, color="FF0000"), "#,##0.00"
    sheet["B1"].fill = PatternFill("solid", fgColor="FFFF00")
    book.save(HERE / "foreign.xlsx")
    with tempfile.TemporaryDirectory() as folder:
        convert([HERE / "foreign.xlsx"], "xlsx", Path(folder))
        shutil.copyfile(Path(folder, "foreign.xlsx"), HERE / "foreign-saved.xlsx")


def probe(path: Path) -> None:
    """Run the probe as its contract says, and keep what it wrote."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "in").mkdir()
        (home / "probe").mkdir()
        shutil.copyfile(path, home / "in" / path.name)
        for name, text in RECALCULATED.files.items():
            (home / "probe" / name).write_text(text)
        argv = [part.replace("{file}", f"{home}/in/{path.name}").replace("{out}", f"{home}/out") for part in RECALCULATED.argv]
        subprocess.run(argv, cwd=home, env={"HOME": folder, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}, check=True, timeout=RECALCULATED.seconds)
        shutil.copyfile(home / "out" / "recalculated.ods", HERE / "probed" / f"{path.name}.ods")


if __name__ == "__main__":
    (HERE / "probed").mkdir(parents=True, exist_ok=True)
    basic(PROGRAM.replace("HERE", str(HERE)))
    stale()
    foreign()
    for made in sorted(HERE.glob("*.*s*")):
        probe(made)

"""Makes the decks in slides/ with LibreOffice itself: `python tests/checks/artifacts/make_slides.py`.

start     three plain slides
done      reordered and worked up: notes, background, transition, table, picture, placement, hidden slide
near      nearly right: other order, other colours, text where notes should be
"""

from __future__ import annotations

from pathlib import Path

from make_doc import dot
from office import basic

HERE = Path(__file__).parent / "slides"

PROGRAM = """
Dim Doc As Object

Sub Open_()
  Dim Arguments()
  Doc = StarDesktop.loadComponentFromURL("private:factory/simpress", "_blank", 0, Arguments())
End Sub

Sub Store(Name As String)
  Dim Arguments(0) As New com.sun.star.beans.PropertyValue
  Arguments(0).Name = "FilterName"
  Arguments(0).Value = "impress8"
  Doc.storeToURL("file://HERE/" & Name & ".odp", Arguments())
  Arguments(0).Value = "Impress MS PowerPoint 2007 XML"
  Doc.storeToURL("file://HERE/" & Name & ".pptx", Arguments())
End Sub

Function Slide(Number As Integer, Layout As Integer, Title As String, Body As String) As Object
  If Number >= Doc.DrawPages.Count Then Doc.DrawPages.insertNewByIndex(Number - 1)
  Slide = Doc.DrawPages.getByIndex(Number)
  Slide.Layout = Layout
  Slide.getByIndex(0).String = Title
  If Slide.Count > 1 Then Slide.getByIndex(1).String = Body
End Function

Sub Background(Page As Object, Colour As Long)
  Dim Made
  Made = Doc.createInstance("com.sun.star.drawing.Background")
  Made.FillStyle = com.sun.star.drawing.FillStyle.SOLID
  Made.FillColor = Colour
  Page.Background = Made
End Sub

Sub Table_(Page As Object, Value As String)
  Dim Made, Size As New com.sun.star.awt.Size, At As New com.sun.star.awt.Point
  Made = Doc.createInstance("com.sun.star.drawing.TableShape")
  Size.Width = 12000 : Size.Height = 3000 : At.X = 2000 : At.Y = 9000
  Made.Size = Size : Made.Position = At
  Page.add(Made)
  Made.Model.Rows.insertByIndex(0, 1) : Made.Model.Columns.insertByIndex(0, 1)
  Made.Model.getCellByPosition(0, 0).String = "Quarter" : Made.Model.getCellByPosition(1, 0).String = "Sales"
  Made.Model.getCellByPosition(0, 1).String = "Q1" : Made.Model.getCellByPosition(1, 1).String = Value
End Sub

Sub Picture(Page As Object, Left As Long, Top As Long)
  Dim Made, Size As New com.sun.star.awt.Size, At As New com.sun.star.awt.Point
  Made = Doc.createInstance("com.sun.star.drawing.GraphicObjectShape")
  Made.GraphicURL = "file://HERE/dot.png"
  Size.Width = 4500 : Size.Height = 3000 : At.X = Left : At.Y = Top
  Made.Size = Size : Made.Position = At
  Page.add(Made)
  Made.Name = "Logo" : Made.Description = "A red dot"
End Sub

Sub Box(Page As Object, Colour As Long, Content As String)
  Dim Made, Size As New com.sun.star.awt.Size, At As New com.sun.star.awt.Point
  Made = Doc.createInstance("com.sun.star.drawing.RectangleShape")
  Size.Width = 6000 : Size.Height = 2000 : At.X = 20000 : At.Y = 1000
  Made.Size = Size : Made.Position = At
  Page.add(Made)
  Made.Name = "Badge" : Made.FillColor = Colour : Made.String = Content
End Sub

Sub Work()
  Dim One, Two, Three
  Open_()
  Slide(0, 0, "Welcome", "Ada Example") : Slide(1, 1, "Results", "Sales are up") : Slide(2, 1, "Agenda", "What we talk about")
  Store("start")
  Doc.close(True)
  Open_()
  One = Slide(0, 0, "Welcome", "Ada Example")
  Two = Slide(1, 1, "Agenda", "First" & Chr(10) & "Second")
  Three = Slide(2, 1, "Results", "Sales are up")
  Slide(3, 1, "Backup", "Figures").Visible = False
  Background(One, RGB(31, 78, 121)) : Two.Effect = com.sun.star.presentation.FadeEffect.FADE_FROM_LEFT : Two.Speed = 1
  Two.NotesPage.getByIndex(1).String = "Keep this short."
  Table_(Three, "3564") : Picture(Three, 20000, 10000) : Box(Two, RGB(255, 192, 0), "Draft")
  With One.getByIndex(0)
    .CharHeight = 54 : .CharWeight = 150 : .CharColor = RGB(255, 255, 255)
  End With
  Three.getByIndex(1).ParaAdjust = com.sun.star.style.ParagraphAdjust.CENTER
  Store("done")
  Doc.close(True)
  Open_()
  One = Slide(0, 0, "Welcome", "Ada Example")
  Two = Slide(1, 1, "Results", "Sales are up")
  Three = Slide(2, 1, "Agenda", "First" & Chr(10) & "Second" & Chr(10) & "Keep this short.")
  Background(One, RGB(31, 78, 200))
  Table_(Two, "3546") : Picture(Two, 2000, 10000) : Box(Three, RGB(255, 0, 0), "Draft")
  One.getByIndex(0).CharHeight = 40
  Store("near")
  Doc.close(True)
End Sub
"""

if __name__ == "__main__":
    HERE.mkdir(exist_ok=True)
    dot(HERE / "dot.png")
    basic(PROGRAM.replace("HERE", str(HERE)))

"""Makes the documents in doc/ with LibreOffice itself: `python tests/checks/artifacts/make_doc.py`.

start     a plain report: headings as bold text, no formatting
done      the report worked up: styles, lists, table, header, footer, fields, comment, tracked change, contents, picture
near      nearly right: faked headings and contents, typed page number, other sizes
stripped  done with all formatting taken away, its text untouched
"""

from __future__ import annotations

from pathlib import Path

from office import basic, convert
from PIL import Image

HERE = Path(__file__).parent / "doc"

PROGRAM = """
Dim Doc As Object, Text As Object, Cursor As Object

Sub Open_()
  Dim Arguments()
  Doc = StarDesktop.loadComponentFromURL("private:factory/swriter", "_blank", 0, Arguments())
  Text = Doc.Text
  Cursor = Text.createTextCursor()
End Sub

Sub Store(Name As String)
  Dim Arguments(0) As New com.sun.star.beans.PropertyValue
  Arguments(0).Name = "FilterName"
  Arguments(0).Value = "writer8"
  Doc.storeToURL("file://HERE/" & Name & ".odt", Arguments())
  Arguments(0).Value = "MS Word 2007 XML"
  Doc.storeToURL("file://HERE/" & Name & ".docx", Arguments())
End Sub

Sub Line(Content As String, Style As String)
  Cursor.gotoEnd(False)
  Cursor.ParaStyleName = Style
  Text.insertString(Cursor, Content, False)
  Text.insertControlCharacter(Cursor, com.sun.star.text.ControlCharacter.PARAGRAPH_BREAK, False)
  Cursor.gotoEnd(False)
  Cursor.setPropertyToDefault("CharWeight")
  Cursor.setPropertyToDefault("NumberingStyleName")
End Sub

Function Found(Content As String) As Object
  Dim Search
  Search = Doc.createSearchDescriptor()
  Search.SearchString = Content
  Search.SearchCaseSensitive = True
  Found = Doc.findFirst(Search)
End Function

Sub Lines_(Heading1 As String, Heading2 As String, Bullets As String)
  Line("Annual Report", IIf(Heading1 = "Heading 1", "Title", "Standard"))
  Line("Overview", Heading1)
  Line("Sales grew by twelve percent while costs fell slightly in the north.", "Text body")
  Line("Method", Heading2)
  Line("We asked every branch twice.", "Text body")
  Line("Lamps", Bullets)
  Line("Desks", Bullets)
  Line("Results", Heading1)
  Line("The figures are below.", "Text body")
End Sub

Sub Table_(Value As String)
  Dim Made
  Made = Doc.createInstance("com.sun.star.text.TextTable")
  Made.initialize(2, 2)
  Cursor.gotoEnd(False)
  Text.insertTextContent(Cursor, Made, False)
  Made.getCellByName("A1").String = "Region" : Made.getCellByName("B1").String = "Total"
  Made.getCellByName("A2").String = "North" : Made.getCellByName("B2").String = Value
  Cursor.gotoEnd(False)
End Sub

Sub Furniture(Typed As Boolean)
  Dim Page, Field, Inner
  Page = Doc.StyleFamilies.getByName("PageStyles").getByName("Standard")
  Page.HeaderIsOn = True
  Page.HeaderText.String = "Acme GmbH"
  Page.FooterIsOn = True
  Inner = Page.FooterText.createTextCursor()
  If Typed Then
    Page.FooterText.String = "Page 1 of 1"
  Else
    Page.FooterText.insertString(Inner, "Page ", False)
    Field = Doc.createInstance("com.sun.star.text.TextField.PageNumber")
    Field.NumberingType = com.sun.star.style.NumberingType.ARABIC : Field.SubType = com.sun.star.text.PageNumberType.CURRENT
    Page.FooterText.insertTextContent(Inner, Field, False)
    Page.FooterText.insertString(Inner, " of ", False)
    Page.FooterText.insertTextContent(Inner, Doc.createInstance("com.sun.star.text.TextField.PageCount"), False)
  End If
End Sub

Sub Page_(Margin As Long, Landscape As Boolean)
  With Doc.StyleFamilies.getByName("PageStyles").getByName("Standard")
    .IsLandscape = Landscape
    .Width = IIf(Landscape, 29700, 21000) : .Height = IIf(Landscape, 21000, 29700)
    .LeftMargin = Margin : .RightMargin = Margin : .TopMargin = 2000 : .BottomMargin = 2000
  End With
End Sub

Sub Look(Size As Double, Colour As Long)
  With Found("twelve percent")
    .CharWeight = 150 : .CharColor = Colour : .CharHeight = Size : .CharFontName = "Liberation Mono"
  End With
  With Found("slightly")
    .CharPosture = 2 : .CharUnderline = 1 : .CharBackColor = RGB(255, 255, 0)
  End With
  With Found("Sales grew")
    .ParaAdjust = com.sun.star.style.ParagraphAdjust.BLOCK
    .ParaFirstLineIndent = 500 : .ParaTopMargin = 212 : .ParaBottomMargin = 423
  End With
  Dim Spacing As New com.sun.star.style.LineSpacing
  Spacing.Mode = com.sun.star.style.LineSpacingMode.PROP : Spacing.Height = 150
  Found("Sales grew").ParaLineSpacing = Spacing
  Found("north").HyperLinkURL = "https://example.org/north"
End Sub

Sub Extras()
  Dim Note, Comment, Picture, Mark, Size As New com.sun.star.awt.Size
  Note = Doc.createInstance("com.sun.star.text.Footnote")
  Text.insertTextContent(Found("twice").End, Note, False)
  Note.String = "In May and June."
  Comment = Doc.createInstance("com.sun.star.text.TextField.Annotation")
  Comment.Author = "Ada" : Comment.Content = "Is this right?"
  Text.insertTextContent(Found("every branch"), Comment, True)
  Mark = Doc.createInstance("com.sun.star.text.Bookmark")
  Mark.Name = "results"
  Text.insertTextContent(Found("The figures"), Mark, True)
  Picture = Doc.createInstance("com.sun.star.text.TextGraphicObject")
  Picture.GraphicURL = "file://HERE/dot.png"
  Picture.AnchorType = com.sun.star.text.TextContentAnchorType.AS_CHARACTER
  Size.Width = 3000 : Size.Height = 2000
  Picture.setSize(Size)
  Picture.Description = "A red dot" : Picture.Name = "Dot"
  Text.insertTextContent(Found("below").End, Picture, False)
  Doc.RecordChanges = True
  Found("fell").String = "dropped"
  Doc.RecordChanges = False
End Sub

Sub Contents_()
  Dim Index
  Index = Doc.createInstance("com.sun.star.text.ContentIndex")
  Index.CreateFromOutline = True
  Index.Title = "Contents"
  Text.insertTextContent(Found("Overview").Start, Index, False)
  Index.update()
End Sub

Sub Work()
  Open_()
  Lines_("Standard", "Standard", "Standard")
  Store("start")
  Doc.close(True)
  Open_()
  Lines_("Heading 1", "Heading 2", "Text body")
  Found("Lamps").NumberingStyleName = "List 1" : Found("Desks").NumberingStyleName = "List 1"
  Table_("3564") : Furniture(False) : Page_(2500, False) : Look(14, RGB(192, 0, 0)) : Extras()
  Found("Results").BreakType = com.sun.star.style.BreakType.PAGE_BEFORE
  Contents_()
  Store("done")
  Doc.close(True)
  Open_()
  Lines_("Standard", "Standard", "Standard")
  Found("Overview").CharWeight = 150 : Found("Overview").CharHeight = 18
  Found("Lamps").String = "- Lamps"
  Table_("3546") : Furniture(True) : Page_(2000, True) : Look(12, RGB(0, 0, 192))
  Store("near")
  Doc.close(True)
End Sub
"""


def dot(path: Path) -> None:
    """A small picture with something on each side, so that it cannot be taken for another."""
    picture = Image.new("RGB", (24, 16), (200, 30, 30))
    picture.paste((255, 255, 255), (14, 4, 20, 12))
    picture.save(path)


if __name__ == "__main__":
    HERE.mkdir(exist_ok=True)
    dot(HERE / "dot.png")
    basic(PROGRAM.replace("HERE", str(HERE)))
    for suffix in ("docx", "odt"):
        convert([HERE / "done.odt"], "txt:Text (encoded):UTF8", HERE)
        convert([HERE / "done.txt"], suffix + ":" + {"docx": "MS Word 2007 XML", "odt": "writer8"}[suffix], HERE / "out")
        (HERE / "out" / f"done.{suffix}").rename(HERE / f"stripped.{suffix}")
    (HERE / "out").rmdir()
    (HERE / "done.txt").unlink()

"""LibreOffice Calc, the spreadsheet."""

from deskbench.apps.office import office_app

APP = office_app("calc", "LibreOffice Calc", "libreoffice-calc", "--calc", "LibreOffice Calc")

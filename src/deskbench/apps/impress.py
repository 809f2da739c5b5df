"""LibreOffice Impress, the presentation program."""

from deskbench.apps.office import office_app

APP = office_app("impress", "LibreOffice Impress", "libreoffice-impress", "--impress", "LibreOffice Impress")

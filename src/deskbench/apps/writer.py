"""LibreOffice Writer, the word processor."""

from deskbench.apps.office import office_app

APP = office_app("writer", "LibreOffice Writer", "libreoffice-writer", "--writer", "LibreOffice Writer")

"""Geany, the code editor: of those in Debian the one that starts in a third of a second, shows its text to assistive
technology, and still has symbols, projects, build commands and a terminal."""

from deskbench.core.app import App, Ready

SETTINGS = """[geany]
pref_main_load_session=false
pref_main_save_winpos=false
pref_main_save_wingeom=false
pref_main_confirm_exit=false
pref_main_suppress_status_messages=false
msgwindow_visible=false
beep_on_errors=false
show_editor_scrollbars=true
editor_font=DejaVu Sans Mono 11
tagbar_font=DejaVu Sans 9
msgview_font=DejaVu Sans Mono 9
autocomplete_doc_words=false

[VTE]
load_vte=true
"""

APP = App(
    name="geany",
    title="Geany",
    packages=("geany", "libvte-2.91-0", "python3", "fonts-dejavu"),
    argv=("geany",),
    ready=Ready("Geany", element=("menu", "File")),
    ready_with_file=Ready("{name}", element=("menu", "File")),
    profile={".config/geany/geany.conf": SETTINGS},
    forget=(".config/geany/geany_socket*",),
)

"""Inkscape, the vector graphics editor."""

from deskbench.core.app import App, Ready

# `boot` is the welcome screen. The units and everything else that a task may be about stay as they are delivered.
PREFERENCES = """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<inkscape version="1" xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape">
  <group id="options">
    <group id="boot" enabled="0" shown_ver="1.2"/>
    <group id="autosave" enable="0"/>
    <group id="defaultwindowsize" value="2"/>
    <group id="savewindowgeometry" value="0"/>
  </group>
</inkscape>
"""

APP = App(
    name="inkscape",
    title="Inkscape",
    # The extensions are Python programs; without lxml and numpy most of them end in an error dialog.
    packages=("inkscape", "python3-lxml", "python3-numpy", "python3-cssselect", "python3-scour", "hunspell-en-us", "fonts-liberation"),
    argv=("inkscape",),
    ready=Ready("- Inkscape", element=("menu", "File")),
    ready_with_file=Ready("{name} - Inkscape", element=("menu", "File")),
    profile={".config/inkscape/preferences.xml": PREFERENCES},
    forget=(".config/inkscape/extension-errors.log", ".cache/inkscape"),
)

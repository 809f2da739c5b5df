"""Thunar, the file manager, in its details view: its icon view shows no file to assistive technology."""

from deskbench.core.app import App, Ready

SETTINGS = """<?xml version="1.0" encoding="UTF-8"?>

<channel name="thunar" version="1.0">
  <property name="default-view" type="string" value="ThunarDetailsView"/>
  <property name="last-view" type="string" value="ThunarDetailsView"/>
  <property name="last-window-maximized" type="bool" value="true"/>
  <property name="misc-confirm-close-multiple-tabs" type="bool" value="false"/>
  <property name="misc-thumbnail-mode" type="string" value="THUNAR_THUMBNAIL_MODE_NEVER"/>
  <property name="misc-volume-management" type="bool" value="false"/>
  <property name="misc-date-style" type="string" value="THUNAR_DATE_STYLE_ISO"/>
</channel>
"""

APP = App(
    name="files",
    title="Thunar",
    packages=("thunar", "shared-mime-info", "adwaita-icon-theme"),
    argv=("thunar",),
    ready=Ready("- Thunar", element=("menu", "File")),
    profile={".config/xfce4/xfconf/xfce-perchannel-xml/thunar.xml": SETTINGS},
    forget=(".local/share/gvfs-metadata", ".config/Thunar/accels.scm"),
)

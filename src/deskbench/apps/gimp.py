"""GIMP, the image editor, in one maximised window."""

from deskbench.core.app import App, Ready

GIMPRC = """(check-updates no)
(color-profile-policy keep)
(metadata-rotation-policy rotate)
(save-session-info no)
(save-device-status no)
(save-document-history no)
(export-metadata-exif yes)
(marching-ants-speed 60000)
"""
"""The session is not saved because the template's own is the one every desktop starts with. The selection's outline
stands still: walking ants would keep the screen from ever being quiet."""

SESSION = """(session-info "toplevel"
    (factory-entry "gimp-single-image-window")
    (position 0 0)
    (size 1920 1061)
    (open-on-exit)
    (aux-info
        (left-docks-width "200")
        (right-docks-position "1560")
        (maximized "yes"))
    (gimp-toolbox
        (side left)
        (book
            (current-page 0)
            (dockable "gimp-tool-options"
                (tab-style automatic))
            (dockable "gimp-device-status"
                (tab-style automatic))
            (dockable "gimp-undo-list"
                (tab-style automatic))
            (dockable "gimp-image-list"
                (tab-style automatic))))
    (gimp-dock
        (side right)
        (book
            (current-page 0)
            (dockable "gimp-brush-grid"
                (tab-style automatic))
            (dockable "gimp-pattern-grid"
                (tab-style automatic))
            (dockable "gimp-font-list"
                (tab-style automatic))
            (dockable "gimp-document-list"
                (tab-style automatic)))
        (book
            (position 362)
            (current-page 0)
            (dockable "gimp-layer-list"
                (tab-style icon))
            (dockable "gimp-channel-list"
                (tab-style icon))
            (dockable "gimp-vectors-list"
                (tab-style icon)))))
(hide-docks no)
(single-window-mode yes)
(show-tabs yes)
(tabs-position top)
(last-tip-shown 0)
"""
"""GIMP places its own window, so the window manager's rule does not maximise it; its session file does."""

APP = App(
    name="gimp",
    title="GIMP",
    packages=("gimp", "ghostscript", "gtk2-engines-pixbuf", "libgail-common", "libatk-adaptor"),
    argv=("gimp", "--no-splash"),
    ready=Ready("GNU Image Manipulation Program", element=("menu", "File")),
    ready_with_file=Ready("{stem}", element=("menu", "File")),
    profile={".config/GIMP/2.10/gimprc": GIMPRC, ".config/GIMP/2.10/sessionrc": SESSION},
    forget=(".cache/gimp", ".config/GIMP/2.10/tmp"),
)

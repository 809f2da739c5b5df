"""What the office programs share: one profile, and therefore one layer."""

from __future__ import annotations

from deskbench.core.app import App, Ready

LAYER = "office"

_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<oor:items xmlns:oor="http://openoffice.org/2001/registry" '
    'xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\n'
)

# The two "last time" values are days after 1970 far in the future: the bars that ask for help and money never come.
_SETTINGS = (
    ("/org.openoffice.Office.Common/Misc", "FirstRun", "false"),
    ("/org.openoffice.Office.Common/Misc", "ShowTipOfTheDay", "false"),
    ("/org.openoffice.Office.Common/Misc", "CrashReport", "false"),
    ("/org.openoffice.Office.Common/Misc", "CollectUsageInformation", "false"),
    ("/org.openoffice.Office.Common/Save/Document", "WarnAlienFormat", "false"),
    ("/org.openoffice.Office.Impress/Misc/NewDoc", "AutoPilot", "false"),
    ("/org.openoffice.Office.Recovery/RecoveryInfo", "Enabled", "false"),
    ("/org.openoffice.Office.Recovery/AutoSave", "Enabled", "false"),
    ("/org.openoffice.Setup/Office", "ooSetupInstCompleted", "true"),
    ("/org.openoffice.Setup/Product", "ooSetupLastVersion", "7.4"),
    ("/org.openoffice.Setup/Product", "LastTimeDonateShown", "4102444800"),
    ("/org.openoffice.Setup/Product", "LastTimeGetInvolvedShown", "4102444800"),
)

REGISTRY = ".config/libreoffice/4/user/registrymodifications.xcu"


def registry() -> str:
    """The user's settings as the programs read them."""
    item = '<item oor:path="{}"><prop oor:name="{}" oor:op="fuse"><value>{}</value></prop></item>\n'
    return _HEAD + "".join(item.format(*setting) for setting in _SETTINGS) + "</oor:items>\n"


def office_app(name: str, title: str, package: str, option: str, window: str) -> App:
    """One of the office programs."""
    start = ("libreoffice", option, "--norestore", "--nologo", "--nofirststartwizard")
    return App(
        name=name,
        title=title,
        packages=(
            *(package, "libreoffice-gtk3", "libreoffice-style-colibre", "libreoffice-math", "hunspell-en-us", "hyphen-en-us", "mythes-en-us"),
            *("fonts-liberation", "fonts-crosextra-carlito", "fonts-crosextra-caladea", "fonts-opensymbol"),
        ),
        argv=start,
        argv_with_file=(*start, "{file}"),
        ready=Ready(window, element=("menu", "File")),
        # A text with separators opens an import dialog first, whose title has the file's name too.
        ready_with_file=Ready("{name}", element=("menu", "File"), or_element=("push button", "OK")),
        profile={REGISTRY: registry()},
        forget=(".config/libreoffice/4/user/temp", ".config/libreoffice/4/user/backup", ".config/libreoffice/4/cache"),
        layer=LAYER,
    )

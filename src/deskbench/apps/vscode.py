"""Visual Studio Code. Debian has no package of it, so a person has to fetch it; everything else is ready."""

import json

from deskbench.core.app import App, Ready

SETTINGS = {
    "editor.accessibilitySupport": "on",
    "editor.cursorBlinking": "solid",
    "extensions.autoCheckUpdates": False,
    "git.openRepositoryInParentFolders": "never",
    "security.workspace.trust.enabled": False,
    "telemetry.telemetryLevel": "off",
    "update.mode": "none",
    "update.showReleaseNotes": False,
    "window.newWindowDimensions": "maximized",
    "window.restoreWindows": "none",
    "window.titleBarStyle": "native",
    "workbench.reduceMotion": "on",
    "workbench.startupEditor": "none",
    "workbench.tips.enabled": False,
}

APP = App(
    name="vscode",
    title="Visual Studio Code",
    packages=(),
    argv=("code", "--force-renderer-accessibility", "--disable-workspace-trust", "--password-store=basic", "--skip-welcome", "--skip-release-notes"),
    ready=Ready("Visual Studio Code", quiet_seconds=0.5),
    profile={".config/Code/User/settings.json": json.dumps(SETTINGS, indent=2)},
    forget=(".config/Code/*Cache*", ".config/Code/logs", ".config/Code/Crashpad", ".config/Code/*.lock", ".config/Code/Singleton*"),
    how_to_add="download the .deb package from https://code.visualstudio.com, install it with: apt-get install ./code_*_amd64.deb, "
    "and run: deskbench setup --apps vscode",
)

"""Chromium, the web browser, with an empty profile and nobody signed in."""

import json

from deskbench.core.app import App, Ready

PREFERENCES = {
    # The window manager's own frame, as all other windows have it.
    "browser": {"check_default_browser": False, "custom_chrome_frame": False, "has_seen_welcome_page": True},
    "credentials_enable_service": False,
    "profile": {"exit_type": "Normal", "exited_cleanly": True},
    "signin": {"allowed": False},
    "translate": {"enabled": False},
}

ARGV = (
    *("chromium", "--no-first-run", "--no-default-browser-check", "--password-store=basic", "--start-maximized"),
    *("--force-renderer-accessibility", "--hide-crash-restore-bubble", "--disable-component-update", "--disable-background-networking"),
    *("--disable-sync", "--force-prefers-reduced-motion"),
)

APP = App(
    name="chromium",
    title="Chromium",
    packages=("chromium", "fonts-liberation"),
    argv=ARGV,
    argv_with_file=(*ARGV, "{file}"),
    ready=Ready("- Chromium", quiet_seconds=0.5, element=("entry", "Address and search bar"), colours=40),
    profile={
        ".config/chromium/First Run": "",
        ".config/chromium/Default/Preferences": json.dumps(PREFERENCES),
    },
    opens_addresses=True,
    leave=("ctrl", "shift", "w"),
    forget=(
        ".cache/chromium",
        ".config/chromium/Singleton*",
        ".config/chromium/BrowserMetrics*",
        ".config/chromium/Crash Reports",
        ".config/chromium/*/Sessions",
        ".config/chromium/*/History*",
        ".config/chromium/*/Visited Links",
        ".config/chromium/*/GPUCache",
    ),
)

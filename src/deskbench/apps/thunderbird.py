"""Thunderbird, the mail program, with one account whose post office stands inside the desktop.

The mailbox is `~/.thunderbird/desk/Mail/mail.example.com/`, one mbox file a folder; a task puts mail there before the start.
What is sent goes to an SMTP server on the desktop's loopback, which keeps it in the Maildir `~/.post` as it was received
(the recipients of its envelope in `X-RcptTo`), and a copy goes to the folder Sent. Nothing leaves the desktop.
"""

from __future__ import annotations

import json

from deskbench.core.app import App, Mailbox, Ready, Service

FOLDER = ".thunderbird/desk"
ADDRESS = "alex.reed@example.com"
CALENDAR = "b0a5d1f2-5d7c-4f0e-9c4b-6a1f2e3d4c5b"
POST = "/home/user/.post"
PORT = 2525

ACCOUNT: dict[str, str | int | bool] = {
    "mail.account.account1.identities": "id1",
    "mail.account.account1.server": "server1",
    "mail.account.account2.server": "server2",
    "mail.account.lastKey": 2,
    "mail.accountmanager.accounts": "account1,account2",
    "mail.accountmanager.defaultaccount": "account1",
    "mail.accountmanager.localfoldersserver": "server2",
    "mail.identity.id1.fullName": "Alex Reed",
    "mail.identity.id1.useremail": ADDRESS,
    "mail.identity.id1.smtpServer": "smtp1",
    "mail.identity.id1.valid": True,
    "mail.server.server1.type": "pop3",
    "mail.server.server1.hostname": "mail.example.com",
    "mail.server.server1.userName": "alex.reed",
    "mail.server.server1.name": ADDRESS,
    "mail.server.server1.directory-rel": "[ProfD]Mail/mail.example.com",
    "mail.server.server1.check_new_mail": False,
    "mail.server.server1.login_at_startup": False,
    "mail.server.server1.download_on_biff": False,
    "mail.server.server2.type": "none",
    "mail.server.server2.hostname": "Local Folders",
    "mail.server.server2.userName": "nobody",
    "mail.server.server2.name": "Local Folders",
    "mail.server.server2.directory-rel": "[ProfD]Mail/Local Folders",
    "mail.smtpservers": "smtp1",
    "mail.smtp.defaultserver": "smtp1",
    "mail.smtpserver.smtp1.type": "smtp",
    "mail.smtpserver.smtp1.hostname": "127.0.0.1",
    "mail.smtpserver.smtp1.port": PORT,
    "mail.smtpserver.smtp1.try_ssl": 0,
    "mail.smtpserver.smtp1.authMethod": 1,
    "mail.smtpserver.smtp1.description": "Example Ltd.",
}

AGENDA: dict[str, str | int | bool] = {
    "calendar.list.sortOrder": CALENDAR,
    f"calendar.registry.{CALENDAR}.name": "Work",
    f"calendar.registry.{CALENDAR}.type": "storage",
    f"calendar.registry.{CALENDAR}.uri": "moz-storage-calendar://",
    f"calendar.registry.{CALENDAR}.calendar-main-default": True,
    f"calendar.registry.{CALENDAR}.calendar-main-in-composite": True,
    "calendar.timezone.local": "UTC",
    "calendar.alarms.show": False,
}

QUIET: dict[str, str | int | bool] = {
    "app.donation.eoy.version.viewed": 999,
    "app.update.enabled": False,
    "browser.cache.disk.enable": False,
    "datareporting.healthreport.uploadEnabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.update.enabled": False,
    "mail.inappnotifications.enabled": False,
    "mail.provider.suppress_dialog_on_startup": True,
    "mail.rights.version": 1,
    "mail.shell.checkDefaultClient": False,
    "mail.spam.version": 1,
    "mail.spotlight.firstRunDone": True,
    "mail.warn_on_send_accel_key": False,
    "mailnews.start_page.enabled": False,
    "mailnews.start_page_override.mstone": "ignore",
    "network.manage-offline-status": False,
    "offline.autoDetect": False,
    "offline.startup_state": 2,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
    "ui.caretBlinkTime": 0,
    "ui.prefersReducedMotion": 1,
}

SESSION = {"mode": "mail3PaneTab", "state": {"firstTab": True, "folderURI": "mailbox://alex.reed@mail.example.com/Inbox", "folderPaneVisible": True,
           "messagePaneVisible": True}, "ext": {}}  # fmt: skip
"""The tab that it opens with: the inbox."""


def preferences() -> str:
    """The profile's preferences. They lie in prefs.js, not user.js, so that what a person changes stays changed."""
    return "".join(f'user_pref("{name}", {json.dumps(value)});\n' for name, value in sorted({**ACCOUNT, **AGENDA, **QUIET}.items()))


ARGV = ("thunderbird", "--profile", f"/home/user/{FOLDER}")

APP = App(
    name="thunderbird",
    title="Thunderbird",
    packages=("thunderbird", "hunspell-en-us", "python3-aiosmtpd"),
    mailbox=Mailbox(f"{FOLDER}/Mail/mail.example.com/Inbox", f"{FOLDER}/abook.sqlite", f"{FOLDER}/calendar-data/local.sqlite", CALENDAR),
    beside=(
        Service(
            ("/usr/bin/python3", "-m", "aiosmtpd", "-n", "-l", f"127.0.0.1:{PORT}", "-c", "aiosmtpd.handlers.Mailbox", POST),
            PORT,
        ),
    ),
    argv=ARGV,
    # Before the inbox is there, the window has other titles.
    ready=Ready(f"Inbox - {ADDRESS}", quiet_seconds=0.5),
    profile={
        ".thunderbird/profiles.ini": "[General]\nStartWithLastProfile=1\nVersion=2\n\n[Profile0]\nName=desk\nIsRelative=1\nPath=desk\nDefault=1\n",
        f"{FOLDER}/prefs.js": preferences(),
        f"{FOLDER}/session.json": json.dumps({"rev": 0, "windows": [{"type": "3pane", "tabs": {"rev": 0, "selectedIndex": 0, "tabs": [SESSION]}}]}),
        f"{FOLDER}/Mail/mail.example.com/Inbox": "",
        f"{FOLDER}/Mail/Local Folders/Trash": "",
    },
    forget=(
        f"{FOLDER}/.parentlock",
        f"{FOLDER}/lock",
        f"{FOLDER}/crashes",
        f"{FOLDER}/minidumps",
        f"{FOLDER}/datareporting",
        f"{FOLDER}/saved-telemetry-pings",
        f"{FOLDER}/sessionCheckpoints.json",
        ".thunderbird/Crash Reports",
        ".thunderbird/Pending Pings",
    ),
)

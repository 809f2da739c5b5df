"""Thunderbird, the mail program, with one mailbox that never goes online.

The mailbox is `~/.thunderbird/desk/Mail/mail.example.com/`, one mbox file a folder; a task puts mail there before the start.
Being offline, what is sent waits in the Outbox of the local folders, where a check can read it.
"""

from __future__ import annotations

import json

from deskbench.core.app import App, Ready

FOLDER = ".thunderbird/desk"
ADDRESS = "alex.reed@example.com"

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
    "mail.smtpserver.smtp1.hostname": "mail.example.com",
    "mail.smtpserver.smtp1.username": "alex.reed",
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
    "offline.startup_state": 3,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
    "ui.caretBlinkTime": 0,
    "ui.prefersReducedMotion": 1,
}


def preferences() -> str:
    """The profile's preferences. They lie in prefs.js, not user.js, so that what a person changes stays changed."""
    return "".join(f'user_pref("{name}", {json.dumps(value)});\n' for name, value in sorted({**ACCOUNT, **QUIET}.items()))


ARGV = ("thunderbird", "--profile", f"/home/user/{FOLDER}")

APP = App(
    name="thunderbird",
    title="Thunderbird",
    packages=("thunderbird", "hunspell-en-us"),
    inbox=f"{FOLDER}/Mail/mail.example.com/Inbox",
    argv=ARGV,
    # Before the mailbox is there, the title is the bare name.
    ready=Ready("- Mozilla Thunderbird", quiet_seconds=0.5),
    profile={
        ".thunderbird/profiles.ini": "[General]\nStartWithLastProfile=1\nVersion=2\n\n[Profile0]\nName=desk\nIsRelative=1\nPath=desk\nDefault=1\n",
        f"{FOLDER}/prefs.js": preferences(),
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

"""Makes the mail profile in mail/ with Thunderbird itself, headless, over its Marionette port: `python tests/checks/artifacts/make_mail.py`.

Local Folders/Inbox has three messages, one of them deleted (Thunderbird leaves it in the file) and one starred and read;
Drafts has a draft that Thunderbird composed, with an attachment; two filters; an address book with a list.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import sqlite3
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent / "mail"
PORT = 2929
PREFERENCES = {
    "mail.provider.suppress_dialog_on_startup": True, "mail.spotlight.firstRunDone": True, "datareporting.policy.dataSubmissionEnabled": False,
    "marionette.port": PORT, "mail.accountmanager.accounts": "account1,account2", "mail.accountmanager.defaultaccount": "account1",
    "mail.account.account1.identities": "id1", "mail.account.account1.server": "server1", "mail.account.account2.server": "server2",
    "mail.accountmanager.localfoldersserver": "server2", "mail.identity.id1.fullName": "Ada Example",
    "mail.identity.id1.useremail": "ada@desk.local", "mail.identity.id1.draft_folder": "mailbox://nobody@Local%20Folders/Drafts",
    "mail.server.server1.type": "pop3", "mail.server.server1.hostname": "127.0.0.1", "mail.server.server1.userName": "ada",
    "mail.server.server1.name": "ada@desk.local", "mail.server.server2.type": "none", "mail.server.server2.hostname": "Local Folders",
    "mail.server.server2.userName": "nobody", "mail.server.server2.name": "Local Folders",
}  # fmt: skip

SCRIPT = """
const done = arguments[arguments.length - 1], attached = arguments[0];
const {MailServices} = ChromeUtils.importESModule("resource:///modules/MailServices.sys.mjs");
const local = MailServices.accounts.localFoldersServer, root = local.rootFolder;
const pause = (time) => new Promise(go => setTimeout(go, time));
function folder(name) {
  if (!root.containsChildNamed(name)) root.createSubfolder(name, null);
  return root.getChildNamed(name).QueryInterface(Ci.nsIMsgLocalMailFolder);
}
function message(subject, from, body) {
  return `From: ${from}\\nTo: ada@desk.local\\nSubject: ${subject}\\nDate: Mon, 02 Mar 2026 10:00:00 +0000\\n` +
    `Message-ID: <${subject.replace(/[^a-z]/gi, "")}@x>\\nMIME-Version: 1.0\\n` +
    `Content-Type: text/plain; charset=utf-8\\n\\n${body}\\n`;
}
(async () => {
  const inbox = folder("Inbox");
  const first = inbox.addMessage(message("Invoice 12", "Bob <bob@shop.local>", "Please pay 3564 Euro.\\n>From here on it is quoted."));
  const second = inbox.addMessage(message("Lunch", "eve@desk.local", "Noon?"));
  const third = inbox.addMessage(message("=?utf-8?B?R3LDvMOfZQ==?=", "max@desk.local", "Bis bald"));
  await pause(500);
  inbox.markMessagesRead([first], true);
  inbox.markMessagesFlagged([first], true);
  inbox.addKeywordsToMessages([first], "$label1");
  inbox.deleteMessages([second], null, true, false, null, false);
  const drafts = folder("Drafts");
  drafts.setFlag(Ci.nsMsgFolderFlags.Drafts);
  const fields = Cc["@mozilla.org/messengercompose/composefields;1"].createInstance(Ci.nsIMsgCompFields);
  fields.from = "Ada Example <ada@desk.local>"; fields.to = "Finance <finance@desk.local>, bob@shop.local"; fields.cc = "eve@desk.local";
  fields.subject = "Summe für März"; fields.body = "The total is 3564 Euro.\\r\\nBest, Ada";
  const attachment = Cc["@mozilla.org/messengercompose/attachment;1"].createInstance(Ci.nsIMsgAttachment);
  attachment.url = attached; attachment.name = "totals.csv"; attachment.contentType = "text/csv";
  fields.addAttachment(attachment);
  const parameters = Cc["@mozilla.org/messengercompose/composeparams;1"].createInstance(Ci.nsIMsgComposeParams);
  parameters.composeFields = fields; parameters.identity = MailServices.accounts.defaultAccount.defaultIdentity;
  parameters.format = Ci.nsIMsgCompFormat.PlainText; parameters.type = Ci.nsIMsgCompType.New;
  const compose = MailServices.compose.initCompose(parameters);
  const progress = Cc["@mozilla.org/messenger/progress;1"].createInstance(Ci.nsIMsgProgress);
  await compose.sendMsg(Ci.nsIMsgCompDeliverMode.SaveAsDraft, parameters.identity, MailServices.accounts.defaultAccount.key, null, progress);
  const list = local.getFilterList(null);
  const rules = [["Invoices", "Subject", "invoice", "MoveToFolder"], ["Star Bob", "Sender", "bob@shop.local", "MarkFlagged"]];
  for (const [name, attribute, text, type] of rules) {
    const filter = list.createFilter(name), term = filter.createTerm(), value = term.value, action = filter.createAction();
    value.attrib = Ci.nsMsgSearchAttrib[attribute]; value.str = text;
    term.attrib = Ci.nsMsgSearchAttrib[attribute]; term.op = Ci.nsMsgSearchOp.Contains; term.booleanAnd = true; term.value = value;
    filter.appendTerm(term);
    action.type = Ci.nsMsgFilterAction[type];
    if (type == "MoveToFolder") action.targetFolderUri = folder("Invoices").URI;
    filter.appendAction(action);
    filter.enabled = name == "Invoices";
    list.insertFilterAt(list.filterCount, filter);
  }
  list.saveToDefaultFile();
  const book = MailServices.ab.getDirectory("jsaddrbook://abook.sqlite"), cards = [];
  for (const [name, mail] of [["Bob Builder", "bob@shop.local"], ["Finance", "finance@desk.local"]]) {
    const card = Cc["@mozilla.org/addressbook/cardproperty;1"].createInstance(Ci.nsIAbCard);
    card.displayName = name; card.primaryEmail = mail; card.setProperty("WorkPhone", "555-1");
    cards.push(book.addCard(card));
  }
  const made = Cc["@mozilla.org/addressbook/directoryproperty;1"].createInstance(Ci.nsIAbDirectory);
  made.isMailList = true; made.dirName = "Payments";
  const members = book.addMailList(made);
  for (const card of cards) members.addCard(card);
  await pause(2000);
  done("ok");
})().catch(error => done(String(error) + error.stack));
"""


class Marionette:
    def __init__(self) -> None:
        until = time.monotonic() + 40
        while True:
            try:
                self.socket = socket.create_connection(("127.0.0.1", PORT), timeout=60)
                break
            except OSError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.2)
        self.stream, self.count = self.socket.makefile("rb"), 0
        self._answer()

    def _answer(self) -> Any:
        size = b""
        while (letter := self.stream.read(1)) != b":":
            size += letter
        return json.loads(self.stream.read(int(size)))

    def call(self, method: str, **parameters: Any) -> Any:
        self.count += 1
        data = json.dumps([0, self.count, method, parameters]).encode()
        self.socket.sendall(str(len(data)).encode() + b":" + data)
        answer = self._answer()
        if answer[2]:
            raise RuntimeError(answer[2])
        return answer[3]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        profile = Path(folder, "profile")
        profile.mkdir()
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items()]
        (profile / "user.js").write_text("\n".join(lines))
        shutil.rmtree(HERE, ignore_errors=True)
        HERE.mkdir()
        (HERE / "totals.csv").write_text("region,total\nNorth,3564\n")
        argv = ["thunderbird", "--headless", "--profile", str(profile), "--marionette", "--remote-allow-system-access"]
        process = subprocess.Popen(argv, env={**os.environ, "HOME": folder}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            client = Marionette()
            client.call("WebDriver:NewSession")
            client.call("Marionette:SetContext", value="chrome")
            client.call("WebDriver:SetTimeouts", script=60000)
            said = client.call("WebDriver:ExecuteAsyncScript", script=SCRIPT, args=[(HERE / "totals.csv").as_uri()])["value"]
            client.call("Marionette:Quit", flags=["eForceQuit"])
            process.wait(30)
        finally:
            process.kill()
        if said != "ok":
            raise RuntimeError(said)
        mail = profile / "Mail" / "Local Folders"
        for name in ("Inbox", "Inbox.msf", "Drafts", "Drafts.msf", "msgFilterRules.dat"):
            shutil.copyfile(mail / name, HERE / name)
        # Thunderbird's pages of 32 KB make a file of 256 KB; the same rows need a tenth of it.
        with sqlite3.connect(profile / "abook.sqlite") as book:
            book.execute("PRAGMA journal_mode=DELETE")
            book.execute("PRAGMA page_size=1024")
            book.execute("VACUUM")
        shutil.copyfile(profile / "abook.sqlite", HERE / "abook.sqlite")


if __name__ == "__main__":
    main()

"""Makes the assets of the files and system tasks again: python packs/make_assets/system_files.py

Every name, figure and text is made up here. The same run gives the same bytes.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import random
import subprocess
import tarfile
import tempfile
from pathlib import Path

from PIL import Image, ImageDraw, ImageFilter

PACKS = Path(__file__).parents[1]


def keep(path: str, data: bytes | str) -> None:
    target = PACKS / "files" / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data.encode() if isinstance(data, str) else data)


# files/handover-photos


def kitchen(number: int) -> bytes:
    """A plain view of a new kitchen: wall, worktop, cupboards, and a red mark on the fault."""
    chance = random.Random(number)
    wall = tuple(chance.randint(205, 235) for _ in range(3))
    picture = Image.new("RGB", (480, 360), wall)
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 250, 480, 360), fill=(150, 128, 104))
    draw.rectangle((0, 170, 480, 182), fill=(92, 88, 84))
    for at in range(chance.randint(0, 30), 480, 96):
        draw.rectangle((at, 184, at + 88, 262), fill=(236, 232, 222), outline=(180, 176, 168))
        draw.line((at + 44, 215, at + 44, 235), fill=(120, 120, 120), width=3)
    at = chance.randint(60, 300)
    draw.rectangle((at, 40, at + 110, 120), fill=(176, 206, 228), outline=(240, 240, 240), width=6)
    x, y = chance.randint(40, 400), chance.randint(60, 300)
    draw.ellipse((x, y, x + 46, y + 46), outline=(206, 42, 38), width=5)
    out = io.BytesIO()
    picture.filter(ImageFilter.GaussianBlur(0.8)).save(out, "JPEG", quality=70)
    return out.getvalue()


def plan() -> bytes:
    picture = Image.new("RGB", (420, 300), "white")
    draw = ImageDraw.Draw(picture)
    for box in ((20, 20, 220, 150), (220, 20, 400, 110), (220, 110, 400, 280), (20, 150, 220, 280)):
        draw.rectangle(box, outline="black", width=5)
    draw.line((120, 280, 170, 280), fill="white", width=7)
    out = io.BytesIO()
    picture.save(out, "PNG", optimize=True)
    return out.getvalue()


def handover_photos() -> None:
    for number in range(231, 239):
        keep(f"handover-photos/photos/IMG_0{number}.jpg", kitchen(number))
    keep("handover-photos/photos/IMG_户型图.png", plan())
    keep(
        "handover-photos/photos/验收说明.txt",
        "新房厨房验收,2026 年 3 月 14 日\n红圈处为问题位置:柜门划痕、台面接缝、窗边渗水。\n照片请按房间命名后发给物业。\n",
    )


# files/payslip-access

PAY = ["Ines Holt", "Marek Dunne", "Priya Vance", "Tomas Reyl", "Wen Qiu", "Olga Brandt"]


def payslip_access() -> None:
    for month in ("2026-01", "2026-02", "2026-03"):
        chance = random.Random(month)
        rows = [f"{person},{chance.randint(2600, 5200)}.00,{chance.randint(0, 12) * 25}.00" for person in PAY]
        keep(f"payslip-access/payroll/payroll-{month}.csv", "Name,Gross,Bonus\n" + "\n".join(rows) + "\n")
    keep("payslip-access/payroll/holidays-2026.csv", "Name,Days left\n" + "".join(f"{person},{11 + len(person)}\n" for person in PAY))
    keep("payslip-access/payroll/read-me.txt", "Payroll goes to the accountant on the 24th. Ask Ines before sending anything.\n")


# files/clip-delivery

CLIPS = {
    "harbour-crane.mp4": "testsrc=size=320x180:rate=12:duration=2",
    "interview-cook.mp4": "smptebars=size=320x180:rate=12:duration=2",
    "kitchen-pan.mp4": "gradients=size=320x180:rate=12:duration=2:seed=7:c0=0x305070:c1=0xd0a060:x0=0:y0=0:x1=320:y1=180",
    "market-morning.mp4": "mandelbrot=size=320x180:rate=12:end_pts=40",
    "title-card.mp4": "color=c=0x203040:size=320x180:rate=12:duration=2",
}


def clip_delivery() -> None:
    sums = []
    for name, source in CLIPS.items():
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / name
            asked = f"-f lavfi -i {source} -t 2 -c:v libx264 -crf 34 -threads 1 -pix_fmt yuv420p -fflags +bitexact -flags:v +bitexact".split()
            subprocess.run(["ffmpeg", "-v", "error", "-y", *asked, "-map_metadata", "-1", str(out)], check=True)
            data = out.read_bytes()
        keep(f"clip-delivery/delivery/{name}", data)
        sums.append(f"{hashlib.sha256(data).hexdigest()}  {name}\n")
    keep("clip-delivery/delivery/SHA256SUMS", "".join(sums))


# files/cash-december


def tar_gz(files: dict[str, str]) -> bytes:
    """An archive with fixed times and owners, so that the same content is the same file."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, text in files.items():
            data = text.encode()
            item = tarfile.TarInfo(name)
            item.size, item.mtime, item.uname, item.gname = len(data), 1768206600, "office", "office"
            archive.addfile(item, io.BytesIO(data))
    return gzip.compress(plain.getvalue(), mtime=0)


SPENT = ["Stamps", "Coffee for the meeting room", "Taxi to the notary", "Printer paper", "Flowers for the reception", "Courier", "Light bulbs", "Parking",
         "Cleaning things", "Batteries", "Key copies", "Team breakfast"]  # fmt: skip


def cash_december() -> None:
    books = {}
    for month in range(1, 13):
        chance = random.Random(month)
        days = sorted(chance.choices(range(1, 29), k=260))
        rows = [f"2025-{month:02}-{day:02},{chance.choice(SPENT)},{chance.randint(250, 6400) / 100:.2f}" for day in days]
        books[f"petty-cash-2025/petty-cash-2025-{month:02}.csv"] = "Date,For,Amount\n" + "\n".join(rows) + "\n"
    whole = tar_gz(books)
    # The copying broke off: of the book of December a part is left.
    keep("cash-december/petty-cash-2025.tar.gz", whole[: len(whole) - 500])


# files/kiosk-errors

NORMAL = ["INFO  ticket printed", "INFO  door sensor ok", "INFO  card accepted", "INFO  heartbeat", "INFO  language set to English", "WARN  paper low",
          "WARN  slow answer from server", "INFO  clock set"]  # fmt: skip
FALSE = ["WARN  operator cleared ERROR lamp", "INFO  last ERROR report sent to service"]
FAULTS = {
    "E-1042": "card reader: no answer",
    "E-1107": "printer: paper jam",
    "E-2003": "server: connection lost",
    "E-2310": "display: restart needed",
}
ERRORS = {"north": [3, 0, 5, 2, 9, 4, 1], "south": [2, 6, 1, 11, 0, 3, 7]}
KNOWN = {"north": ["E-1042", "E-1107", "E-2310"], "south": ["E-1042", "E-2003"]}


def kiosk_errors() -> None:
    for site, counts in ERRORS.items():
        chance = random.Random(site)
        late: list[str] = []
        for number, count in enumerate(counts):
            day = f"2026-03-{number + 2:02}"
            lines = late
            late = []
            said = [chance.choice(NORMAL) for _ in range(44)] + [chance.choice(FALSE) for _ in range(chance.randint(1, 3))]
            codes = [chance.choice(KNOWN[site]) for _ in range(count)]
            if number == 3:
                codes[: len(KNOWN[site])] = KNOWN[site][:count]
            said += [f"ERROR {code} {FAULTS[code]}" for code in codes]
            chance.shuffle(said)
            times = sorted(chance.sample(range(7 * 3600, 22 * 3600), len(said)))
            lines += [f"{day} {at // 3600:02}:{at // 60 % 60:02}:{at % 60:02} {what}" for at, what in zip(times, said, strict=True)]
            if number in (2, 4) and count:
                # The logs change over some minutes after midnight, so that the last entries of a file are of the next day.
                lines += [f"2026-03-{number + 3:02} 00:0{minute}:11 INFO  heartbeat" for minute in (1, 3)]
                lines += [f"2026-03-{number + 3:02} 00:04:52 ERROR {KNOWN[site][0]} {FAULTS[KNOWN[site][0]]}"]
            text = "\n".join(lines) + "\n"
            if number < 2:
                keep(f"kiosk-errors/{site}/{day}.log.gz", gzip.compress(text.encode(), mtime=0))
            else:
                keep(f"kiosk-errors/{site}/{day}.log", text)
    keep(
        "kiosk-errors/notice.txt",
        "To: Service desk, Rimmel Kiosks\nKiosk: [SITE]\nWorst day: [DAY] with [COUNT] errors\nPlease send a technician this week.\n",
    )


# files/snapshot-timer

NOTES = {
    "./ideas.txt": "A map of all benches\nBirthday song in three voices\nShort film about the night ferry\n",
    "./todo.txt": "Call the roofer\nOrder labels\nBook the rehearsal room\n",
    "./meetings/2026-03-12.txt": "Present: Aki, Rosa, Tom\nThe release moves to April.\n",
}
SCRIPT = """#!/bin/sh
# snapshot.sh FOLDER STORE KEEP [LABEL]
# Packs FOLDER as STORE/LABEL.tar.gz (without LABEL: the date of today) and then
# keeps only the KEEP newest archives in STORE, going by their names.
folder=$1
store=$2
keep=$3
label=${4:-$(date +%F)}

mkdir -p "$store"
tar -czf "$store/$label.tar.gz" -C "$folder" .

count=0
for archive in $(ls "$store" | grep 'tar.gz$' | sort); do
    count=$((count + 1))
    if [ "$count" -gt "$keep" ]; then
        rm "$store/$archive"
    fi
done
"""


def snapshot_timer() -> None:
    keep("snapshot-timer/snapshot/snapshot.sh", SCRIPT)
    keep("snapshot-timer/snapshot/README.md", "# snapshot\n\nKeeps the last few states of a folder as archives. Called by a systemd user timer.\n")
    for name, text in NOTES.items():
        keep(f"snapshot-timer/notes/{name[2:]}", text)
    for day in range(16, 20):
        earlier = {**NOTES, "./todo.txt": f"Call the roofer\nOrder labels\n(as of {day} March)\n"}
        keep(f"snapshot-timer/snapshots/2026-03-{day}.tar.gz", tar_gz(earlier))


# files/support-case

CASES = {
    "4711": ("3.2.1", "mira", "tulip-44-boat", ["E-619", "E-204"]),
    "4725": ("3.1.8", "jpell", "amber!road7", ["E-204", "E-317", "E-655"]),
    "4738": ("3.2.1", "awren", "lamp_09_cedar", ["E-204", "E-317"]),
}
SAYS = {"E-204": "licence file not valid any more", "E-317": "database is locked by another process", "E-619": "printer driver not found",
        "E-655": "index page 41 does not match its checksum"}  # fmt: skip
REPLIES = {
    "licence.txt": "Dear [NAME],\n\nyour program stopped with the code [CODE]: its licence file has run out.\n"
    "Please choose Help > Licence > Renew and start it again.\n\nYour support team\n",
    "database-lock.txt": "Dear [NAME],\n\nyour program stopped with the code [CODE]: another process holds the database.\n"
    "Please close the program on all other computers and start it again.\n\nYour support team\n",
    "printer.txt": "Dear [NAME],\n\nyour program stopped with the code [CODE]: it did not find the printer.\n"
    "Please install the printer again and restart the computer.\n\nYour support team\n",
}


def support_case() -> None:
    for ticket, (version, user, password, codes) in CASES.items():
        chance = random.Random(ticket)
        log = []
        for run, code in enumerate([*codes, None]):
            day = f"2026-03-{10 + 2 * run:02}"
            log += [
                f"{day} 08:{chance.randint(10, 29)}:04 INFO  program started, version {version}",
                f"{day} 08:31:40 INFO  {chance.randint(40, 900)} records read",
            ]
            if code:
                log += [f"{day} 09:{chance.randint(10, 59)}:17 WARN  retrying", f"{day} 10:{chance.randint(10, 59)}:52 ERROR {code} {SAYS[code]}"]
                log += [f"{day} 11:02:00 INFO  program ended"]
        ini = f"[server]\nhost=db.example.net\nport=5432\nuser={user}\npassword={password}\n\n[window]\nmaximised=true\nlanguage=en\n"
        update = "".join(f"2026-03-0{day} 03:00:01 no update found\n" for day in range(1, 9))
        system = f"Program: Ledgerline {version}\nSystem: Debian 12\nMemory: {chance.choice([8, 16, 32])} GB\nScreen: 1920x1080\n"
        files = {"diag/config/app.ini": ini, "diag/logs/app.log": "\n".join(log) + "\n", "diag/logs/update.log": update, "diag/system.txt": system}
        keep(f"support-case/bundles/diag-{ticket}.tar.gz", tar_gz(files))
    keep(
        "support-case/cases/known-errors.csv",
        "Code,Meaning,Reply\nE-204,licence run out,licence.txt\nE-317,database locked,database-lock.txt\nE-619,printer missing,printer.txt\n",
    )
    keep("support-case/cases/escalations.csv", "Ticket,Code\n4630,E-702\n4688,E-655\n")
    for name, text in REPLIES.items():
        keep(f"support-case/cases/replies/{name}", text)


if __name__ == "__main__":
    handover_photos()
    payslip_access()
    clip_delivery()
    cash_december()
    kiosk_errors()
    snapshot_timer()
    support_case()

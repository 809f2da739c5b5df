"""Debian packages: which are missing, and putting them in."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from deskbench.core.faults import Fault, Misuse

Say = Callable[[str], object]

BASE = (
    *("bubblewrap", "util-linux", "mount", "procps", "debianutils", "bash"),
    *("xvfb", "x11-xkb-utils", "xkb-data", "openbox", "xclip", "dbus-daemon", "at-spi2-core"),
    # Programs of GTK 2 say nothing to assistive technology without these two.
    *("libatk-adaptor", "libgail-common"),
    *("libgl1-mesa-dri", "libglx-mesa0", "libegl-mesa0"),
    *("fontconfig", "fonts-dejavu", "fonts-liberation", "fonts-noto-cjk", "fonts-noto-color-emoji"),
    *("adwaita-icon-theme", "hicolor-icon-theme", "gsettings-desktop-schemas", "shared-mime-info", "librsvg2-common"),
)
"""What a bare desktop needs."""

LISTS = Path("/var/lib/apt/lists")
STALE_SECONDS = 7 * 24 * 3600

AGAIN = "and run the same command again"

TROUBLES = {
    f"the package server cannot be reached; check the network (or the proxy in /etc/apt/apt.conf.d) {AGAIN}": (
        *("Could not resolve", "Temporary failure", "Could not connect", "Unable to connect", "Network is unreachable", "Connection timed out"),
    ),
    f"another program is installing packages; wait for it {AGAIN}": ("Could not get lock", "Unable to acquire the dpkg frontend lock"),
    f"the disk is full; free some space {AGAIN}": ("No space left", "don't have enough free space"),
    f"an earlier installation was cut short; run dpkg --configure -a {AGAIN}": ("dpkg was interrupted",),
    "that needs root; run the same command as root or with sudo": ("are you root", "Permission denied", "a password is required"),
}
"""What mends a refusal, by the words that apt-get says it with."""


def installed(packages: Iterable[str]) -> Mapping[str, str]:
    """The version of each of these packages that is installed."""
    if shutil.which("dpkg-query") is None:
        raise Misuse("dpkg is not on this machine, and the applications come as Debian packages; use Debian 12 or a relative of it")
    form = "${Package}\t${db:Status-Status}\t${Version}\n"
    listed = subprocess.run(["dpkg-query", "-W", "-f", form, *sorted(set(packages))], capture_output=True, text=True).stdout
    rows = (line.split("\t") for line in listed.splitlines())
    return {name: version for name, status, version in rows if status == "installed"}


def missing(packages: Iterable[str]) -> list[str]:
    """Those of the packages that are not installed, in order."""
    wanted = list(dict.fromkeys(packages))
    have = installed(wanted)
    return [package for package in wanted if package not in have]


def install(packages: Sequence[str], say: Say) -> None:
    """Install packages and what they depend on; a Fault says in one sentence what went wrong."""
    if not packages:
        return
    say(f"installing {len(packages)} packages: {' '.join(packages)}")
    if _lists_are_old():
        say("fetching the lists of packages")
        refreshed = _apt(["update"], say, ())
        if refreshed and not any(LISTS.glob("*_Packages*")):
            raise Fault(explain(refreshed, packages))
    said = _apt(["install", "-y", "--no-install-recommends", *packages], say, packages)
    still = missing(packages)
    if still:
        raise Fault(explain(said, still))


def _lists_are_old() -> bool:
    lists = [file.stat().st_mtime for file in LISTS.glob("*_Packages*")]
    stamp = Path("/var/lib/apt/periodic/update-success-stamp")
    newest = max([*lists, stamp.stat().st_mtime if stamp.exists() else 0.0], default=0.0)
    folder = LISTS.stat().st_mtime if LISTS.exists() else 0.0
    return not lists or time.time() - max(newest, folder) > STALE_SECONDS


def _apt(arguments: Sequence[str], say: Say, packages: Sequence[str]) -> str:
    """Run apt-get; what it said if it failed, and nothing otherwise."""
    as_root = [] if os.geteuid() == 0 else ["sudo", *([] if sys.stdin.isatty() else ["-n"])]
    if as_root and shutil.which("sudo") is None:
        raise Misuse(f"installing packages needs root; run as root: apt-get install --no-install-recommends {' '.join(packages)}")
    command = [*as_root, "env", "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C", "apt-get", "-o", "DPkg::Lock::Timeout=120", *arguments]
    said: list[str] = []
    with subprocess.Popen(command, stdin=None if as_root else subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as apt:
        assert apt.stdout is not None
        for line in apt.stdout:
            said.append(line.rstrip())
            if line.startswith("Setting up ") and line.split()[2].partition(":")[0] in packages:
                say(f"installed {line.split()[2].partition(':')[0]}")
    return "\n".join(said) if apt.returncode else ""


def explain(said: str, packages: Sequence[str]) -> str:
    """One sentence on why packages could not be installed, with what mends it."""
    what = f"{', '.join(packages)} could not be installed"
    for mend, signs in TROUBLES.items():
        if any(sign in said for sign in signs):
            return f"{what}: {mend}"
    unknown = [line.rpartition(" ")[2] for line in said.splitlines() if "Unable to locate package" in line]
    if unknown:
        return f"{what}: the package sources have no {', '.join(unknown)}; add Debian's main archive to /etc/apt/sources.list and run: apt-get update"
    errors = [line.removeprefix("E: ") for line in said.splitlines() if line.startswith("E: ")]
    return f"{what}: {errors[0] if errors else 'apt-get gave no reason'}; run: apt-get install --no-install-recommends {' '.join(packages)}"

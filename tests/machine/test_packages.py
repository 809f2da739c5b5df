"""What setup says when packages cannot be had, and how it tells what is missing."""

from __future__ import annotations

import shutil

import pytest

from deskbench.core.faults import Misuse
from deskbench.machine import packages
from deskbench.machine.setup import chosen, missing_packages, require_added, setup

needs_dpkg = pytest.mark.skipif(shutil.which("dpkg-query") is None, reason="needs a Debian system")


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("E: Failed to fetch http://deb.debian.org/x  Temporary failure resolving 'deb.debian.org'", "the package server cannot be reached"),
        ("E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 7", "another program is installing"),
        ("E: You don't have enough free space in /var/cache/apt/archives/.", "the disk is full"),
        ("E: dpkg was interrupted, you must manually run 'dpkg --configure -a'", "run dpkg --configure -a"),
        ("E: Could not open lock file - open (13: Permission denied)", "as root or with sudo"),
        ("E: Unable to locate package gimpp", "the package sources have no gimpp"),
        ("E: Something new", "Something new; run: apt-get install"),
        ("", "gave no reason"),
    ],
)
def test_a_refusal_becomes_one_sentence_with_what_to_do(said: str, sentence: str) -> None:
    explained = packages.explain(said, ["gimp"])
    assert explained.startswith("gimp could not be installed: ") and sentence in explained and "\n" not in explained


@needs_dpkg
def test_only_what_is_not_installed_is_missing() -> None:
    assert packages.missing(["no-such-package-at-all", "dpkg", "no-such-package-at-all"]) == ["no-such-package-at-all"]
    assert packages.installed(["dpkg"]).keys() == {"dpkg"}


@needs_dpkg
def test_missing_packages_are_those_of_the_base_and_of_the_applications(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "installed", lambda _: {})
    missing = missing_packages(["inkscape"])
    assert "bubblewrap" in missing and "inkscape" in missing and "gimp" not in missing
    assert len(missing) == len(set(missing))


def test_no_name_stands_for_all_that_debian_has() -> None:
    names = [app.name for app in chosen([])]
    assert "gimp" in names and "vscode" not in names


def test_an_application_that_a_person_must_add_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(Misuse, match=r"not in Debian; download .* deskbench setup --apps vscode"):
        require_added(chosen(["vscode"]))


def test_an_unknown_application_is_wrong_use() -> None:
    with pytest.raises(Misuse, match="no application is called 'nope'"):
        setup(["nope"], say=lambda _: None)

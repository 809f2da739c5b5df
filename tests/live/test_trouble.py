"""What a machine can lack, each told in one sentence that says what to do, with status 2 or 3."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.live

OPEN = """
import sys
from deskbench import cli
from deskbench.desktops.local.desktop import LocalDesktop
cli.app.registered_commands.clear()
@cli.app.command()
def only() -> None:
    with LocalDesktop.open(layers=[], size=(640, 480)) as desktop:
        desktop.frame()
sys.argv = ["deskbench", "only"]
cli.main()
"""


def opened(prefix: list[str] | None = None, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*(prefix or []), sys.executable, "-c", OPEN], capture_output=True, text=True, env={**os.environ, **env}, timeout=120)


def one_sentence(ran: subprocess.CompletedProcess[str], status: int, *words: str) -> None:
    said = ran.stderr.strip()
    assert ran.returncode == status, said
    assert len(said.splitlines()) == 1 and said.startswith("deskbench: "), said
    for word in words:
        assert word in said, said


def path_with(folder: Path, name: str, script: str) -> str:
    """A PATH on which one program is another, also for the sandbox's own user."""
    for part in (folder, *folder.parents):
        if part != Path("/") and part != Path("/tmp"):
            part.chmod(0o755)
    stand_in = folder / name
    stand_in.write_text(f"#!/bin/sh\n{script}\n")
    stand_in.chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


def test_it_opens_here() -> None:
    assert opened().returncode == 0


def test_no_bubblewrap(tmp_path: Path) -> None:
    for folder in ("/usr/bin", "/usr/sbin", "/bin"):
        for program in Path(folder).iterdir():
            if program.name != "bwrap" and not (tmp_path / program.name).exists():
                (tmp_path / program.name).symlink_to(program)
    one_sentence(opened(PATH=str(tmp_path)), 2, "bwrap is not installed", "apt-get install bubblewrap")


def test_no_user_namespaces(tmp_path: Path) -> None:
    path = path_with(tmp_path, "unshare", 'echo "unshare: unshare failed: Operation not permitted" >&2; exit 1')
    one_sentence(opened(PATH=path), 3, "namespaces", "sysctl -w")


def test_no_overlay(tmp_path: Path) -> None:
    path = path_with(tmp_path, "mount", 'echo "mount: overlay: unknown filesystem type" >&2; exit 32')
    one_sentence(opened(PATH=path), 3, "overlay", "kernel of 5.11")


@pytest.mark.skipif(os.geteuid() != 0, reason="a small disk can only be mounted by root")
def test_a_full_disk(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    tmp_path.chmod(0o755)
    inside = ["unshare", "--mount", "sh", "-c", f'mount -t tmpfs -o size=80k,mode=755 small {disk} && exec "$@"', "sh"]
    state = Path("/tmp") / f"deskbench-full-{os.getpid()}"
    state.mkdir(mode=0o755)
    try:
        inside[4] = f'mount -t tmpfs -o size=80k,mode=755 small {state} && exec "$@"'
        ran = opened(inside, DESKBENCH_STATE=str(state))
    finally:
        shutil.rmtree(state)
    assert ran.returncode == 3 and "Traceback" not in ran.stderr, ran.stderr
    assert len(ran.stderr.strip().splitlines()) == 1


def test_a_display_that_does_not_come_up(tmp_path: Path) -> None:
    assert opened().returncode == 0
    script = OPEN.replace("cli.app.registered", "from deskbench.desktops.local import sandbox\nsandbox.SESSION = 'exit 7'\ncli.app.registered")
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert ran.returncode == 3 and "Traceback" not in ran.stderr
    assert len(ran.stderr.strip().splitlines()) == 1 and ("display" in ran.stderr or "session" in ran.stderr), ran.stderr


def test_an_application_that_is_not_installed() -> None:
    script = OPEN.replace("desktop.frame()", "desktop.launch(App('ghost', 'Ghost', ('ghost',), ('ghost',), Ready('Ghost')))").replace(
        "import sys", "import sys\nfrom deskbench.core.app import App, Ready", 1
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    one_sentence(ran, 2, "Ghost is not installed", "deskbench setup --apps ghost")

"""The local desktop, live: exact, isolated, bounded, and gone without a trace."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from Xlib import X

from deskbench.core import action as a
from deskbench.core.faults import DesktopFault
from deskbench.core.ports import Settle
from deskbench.core.wait import until
from deskbench.desktops.local.desktop import LocalDesktop, sweep
from deskbench.desktops.local.display import connect
from deskbench.desktops.local.limits import Limits
from deskbench.desktops.local.places import state

pytestmark = pytest.mark.live

QUICK = Settle(limit_seconds=0.3, quiet_seconds=0.05)


@contextmanager
def recording_window(desktop: LocalDesktop) -> Iterator[Any]:
    """A window that takes the whole input and a function that gives what it has received."""
    x = connect(desktop.desk / "x11" / "X99")
    mask = X.ButtonPressMask | X.ButtonReleaseMask | X.KeyPressMask | X.KeyReleaseMask | X.PointerMotionMask | X.FocusChangeMask
    window = x.screen().root.create_window(0, 0, 1280, 720, 0, X.CopyFromParent, event_mask=mask, override_redirect=True)
    window.map()
    x.sync()
    window.set_input_focus(X.RevertToParent, X.CurrentTime)
    x.sync()

    def received() -> list[Any]:
        x.sync()
        return [x.next_event() for _ in range(x.pending_events())]

    received()
    yield received
    x.close()


def test_buttons_clicks_and_modifiers_arrive(bare: LocalDesktop) -> None:
    with recording_window(bare) as received:
        for number, button in ((1, "left"), (2, "middle"), (3, "right"), (8, "back"), (9, "forward")):
            bare.act(a.Click(x=100, y=120, button=button, count=2, modifiers=("ctrl", "shift")), settle=QUICK)  # type: ignore[arg-type]
            presses = [e for e in received() if e.type == X.ButtonPress]
            assert [(e.detail, e.event_x, e.event_y) for e in presses] == [(number, 100, 120)] * 2
            assert all(e.state & X.ControlMask and e.state & X.ShiftMask for e in presses)
        assert not bare._display.modifier_state & (X.ControlMask | X.ShiftMask)


def test_scrolling_goes_along_both_axes(bare: LocalDesktop) -> None:
    with recording_window(bare) as received:
        bare.act(a.Scroll(x=50, y=50, dx=-2, dy=3), settle=QUICK)
        assert [e.detail for e in received() if e.type == X.ButtonPress] == [5, 5, 5, 6, 6]


def test_a_drag_follows_its_path_in_its_time(bare: LocalDesktop) -> None:
    with recording_window(bare) as received:
        began = time.monotonic()
        bare.act(a.Drag(path=((100, 100), (300, 100), (300, 250)), seconds=0.4), settle=Settle(0))
        took = time.monotonic() - began
        events = received()
    held = [e for e in events if e.type == X.MotionNotify and e.state & X.Button1Mask]
    assert 0.35 < took < 2
    assert len(held) >= 20
    assert all(abs(e.event_y - 100) <= 1 or abs(e.event_x - 300) <= 1 for e in held), "the pointer left the path"
    release = next(e for e in events if e.type == X.ButtonRelease)
    assert (release.event_x, release.event_y) == (300, 250)


def test_press_and_release_hold_the_button_between_actions(bare: LocalDesktop) -> None:
    with recording_window(bare) as received:
        bare.act(a.Press(x=10, y=10), settle=QUICK)
        bare.act(a.Move(x=90, y=90), settle=QUICK)
        bare.act(a.Release(), settle=QUICK)
        kinds = [e.type for e in received() if e.type in (X.ButtonPress, X.ButtonRelease)]
    assert kinds == [X.ButtonPress, X.ButtonRelease]


def test_keys_held_stay_held_until_let_go(bare: LocalDesktop) -> None:
    bare.act(a.KeyDown(key="shift"), settle=QUICK)
    assert bare._display.modifier_state & X.ShiftMask
    bare.act(a.KeyUp(key="shift"), settle=QUICK)
    assert not bare._display.modifier_state & X.ShiftMask


def test_two_clicks_of_two_actions_are_not_a_double_click(bare: LocalDesktop) -> None:
    with recording_window(bare) as received:
        bare.act(a.Click(x=10, y=10), settle=Settle(0))
        bare.act(a.Click(x=10, y=10), settle=Settle(0))
        first, second = (e.time for e in received() if e.type == X.ButtonPress)
    assert second - first >= 450


def test_a_spinner_does_not_count_as_noise_for_ever(bare: LocalDesktop) -> None:
    x = connect(bare.desk / "x11" / "X99")
    root = x.screen().root
    window = root.create_window(600, 300, 24, 24, 0, X.CopyFromParent, override_redirect=True, background_pixel=0xFFFFFF)
    window.map()
    context = window.create_gc()
    stop = time.monotonic() + 8
    pid = os.fork()
    if pid == 0:
        shade = 0
        while time.monotonic() < stop:
            shade = (shade + 0x202020) % 0xFFFFFF
            context.change(foreground=shade)
            window.fill_rectangle(context, 0, 0, 24, 24)
            x.flush()
            time.sleep(0.03)
        os._exit(0)
    try:
        settled = bare.act(a.Wait(seconds=5), settle=Settle(5)).settled
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    assert settled.quiet and "spot" in settled.why and settled.seconds < 3
    x.close()


def test_a_moving_screen_is_reported_as_such(bare: LocalDesktop) -> None:
    x = connect(bare.desk / "x11" / "X99")
    window = x.screen().root.create_window(0, 0, 1280, 700, 0, X.CopyFromParent, override_redirect=True)
    window.map()
    context = window.create_gc()
    pid = os.fork()
    if pid == 0:
        shade, stop = 0, time.monotonic() + 8
        while time.monotonic() < stop:
            shade = (shade + 0x202020) % 0xFFFFFF
            context.change(foreground=shade)
            window.fill_rectangle(context, 0, 0, 1280, 700)
            x.flush()
            time.sleep(0.03)
        os._exit(0)
    try:
        settled = bare.act(a.Wait(seconds=1), settle=Settle(1)).settled
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    assert not settled.quiet and "moves" in settled.why
    x.close()


def test_nothing_of_the_host_can_be_reached_from_inside(bare: LocalDesktop) -> None:
    with LocalDesktop.open(layers=[], size=(640, 480)) as other:
        hidden = ["/root", str(Path.home()), str(Path(__file__).parents[2]), str(state()), str(other.desk), "/work"]
        for path in hidden:
            seen = bare.run(["sh", "-c", f'ls -A "{path}" 2>/dev/null']).out
            assert seen == b"" or (path == str(state()) and seen == b""), f"{path} shows {seen!r}"
        script = 'for n in 127.0.0.1:22 10.0.0.1:80 1.1.1.1:53; do timeout 1 bash -c "</dev/tcp/${n%:*}/${n#*:}" 2>/dev/null && echo $n; done; true'
        assert bare.run(["bash", "-c", script]).out == b""
        assert bare.run(["sh", "-c", "ls /sys/class/net 2>/dev/null; cat /proc/net/dev"]).out.count(b":") == 1, "more than the loopback"
        pids = {int(pid) for pid in bare.run(["sh", "-c", "ls /proc | grep -E '^[0-9]+$'"]).out.split()}
        assert os.getpid() not in pids and len(pids) < 25, "processes of the host are visible"
        assert bare.run(["sh", "-c", f"kill -9 {os.getpid()}"]).status != 0
        assert bare.run(["touch", "/usr/x", "/etc/x"]).status != 0, "the system can be written to"
        assert bare.run(["id", "-u"]).out == b"1000\n"
        assert other.frame().size == (640, 480)


def test_killing_everything_inside_is_a_fault_and_can_be_reset(bare: LocalDesktop) -> None:
    bare.run(["sh", "-c", "kill -9 -1"], seconds=5)
    with pytest.raises(DesktopFault, match="reset"):
        until(lambda: bare.observe() and None, "the fault", 5)
    bare.reset()
    assert bare.observe().frame.size == (1280, 720)


def test_the_death_of_the_display_is_a_fault(bare: LocalDesktop) -> None:
    bare.run(["pkill", "-9", "Xvfb"], seconds=5)
    with pytest.raises(DesktopFault, match="reset the desktop"):
        until(lambda: bare.observe() and None, "the fault", 5)


def test_memory_is_bounded_and_said(nothing_left: None) -> None:
    with LocalDesktop.open(layers=[], size=(640, 480), limits=Limits(memory_mb=400)) as small, LocalDesktop.open(layers=[], size=(640, 480)) as other:
        eater = "x=[]\nwhile True: x.append(bytearray(8<<20))"
        small.start(["/usr/bin/python3", "-c", eater])
        told: list[str] = []

        def said() -> bool:
            told.extend(small.observe().incidents)
            return bool(told)

        until(said, "the incident", 20, every=0.1)
        assert "memory limit of 400 MB" in told[0]
        until(lambda: b"python3" not in small.run(["ps", "-eo", "comm="]).out, "the eater to be gone", 10)
        assert other.observe().incidents == ()


def test_disk_is_bounded_and_said(nothing_left: None) -> None:
    with LocalDesktop.open(layers=[], size=(640, 480), limits=Limits(disk_mb=60)) as small:
        small.start(["bash", "-c", "for i in $(seq 100); do head -c 10M /dev/zero > fill$i; sleep 0.02; done; sleep 60"])
        told: list[str] = []

        def said() -> bool:
            told.extend(small.observe().incidents)
            return bool(told)

        until(said, "the incident", 20, every=0.1)
        assert "disk limit of 60 MB" in told[0]
        assert small.run(["head", "-c", "100", "/dev/zero"]).status == 0


def test_a_fork_bomb_is_bounded(nothing_left: None) -> None:
    with LocalDesktop.open(layers=[], size=(640, 480), limits=Limits(processes=120)) as small:
        ran = small.run(["bash", "-c", "for i in $(seq 300); do sleep 30 & done; jobs -r | wc -l"], seconds=20)
        assert int(ran.out.split()[-1] if ran.out.split() else 0) < 120
        small.reset()
        assert small.run(["true"]).status == 0


@pytest.mark.parametrize("cycles", [15, pytest.param(200, marks=pytest.mark.slow)])
def test_cycles_leave_nothing_behind(cycles: int, nothing_left: None) -> None:
    files = len(os.listdir("/proc/self/fd"))
    for number in range(cycles):
        with LocalDesktop.open(layers=[], size=(640, 480)) as desktop:
            if number % 5 == 0:
                desktop.observe(elements=True)
    assert len(os.listdir("/proc/self/fd")) <= files + 2


def test_a_killed_owner_leaves_nothing_that_the_next_start_does_not_sweep(nothing_left: None) -> None:
    script = """
        import os
        from deskbench.desktops.local.desktop import LocalDesktop
        desktops = [LocalDesktop.open(layers=[], size=(640, 480)) for _ in range(2)]
        desktops[0].start(["sh", "-c", "trap '' TERM HUP; sleep 600"])
        print(*(d.desk for d in desktops), flush=True)
        os.kill(os.getpid(), 9)
    """
    ran = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True)
    desks = ran.stdout.split()
    assert ran.returncode == -9 and len(desks) == 2 and all(Path(desk).exists() for desk in desks)
    until(lambda: sweep() or not any(Path(desk).exists() for desk in desks), "the desks to be swept", 10)
    assert not any(Path(desk).exists() for desk in desks)


def test_cost_of_an_action_does_not_grow(bare: LocalDesktop) -> None:
    def cost() -> float:
        began = time.perf_counter()
        for number in range(100):
            bare.act(a.Click(x=100 + number % 50 * 20, y=100), settle=Settle(0))
        return time.perf_counter() - began

    costs = [cost() for _ in range(10)]
    assert min(costs[-3:]) < 5 * min(costs[:3]), costs

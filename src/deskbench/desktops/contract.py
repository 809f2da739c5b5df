"""What every desktop keeps, as questions that an implementation answers live.

    for question in QUESTIONS:
        with make() as desktop:
            question(desktop)          # AssertionError: a sentence that says what was broken

A new implementation of the port is done when it passes them all.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path

from deskbench.core import action as a
from deskbench.core import evidence as layout
from deskbench.core.faults import BadAction, DesktopFault, Misuse
from deskbench.core.ports import Desktop, Settle

QUICK = Settle(limit_seconds=0.5, quiet_seconds=0.05)


def frame_has_the_size_of_the_screen(desktop: Desktop) -> None:
    look = desktop.observe()
    assert look.frame.size == desktop.size, f"the frame is {look.frame.size}, but the desktop says {desktop.size}"
    assert look.frame.png.startswith(b"\x89PNG"), "a frame's png does not look like a PNG file"


def what_was_not_asked_for_is_none(desktop: Desktop) -> None:
    assert desktop.observe().elements is None, "elements were not asked for, so they must be None"
    assert desktop.observe(elements=True).elements is not None, "elements were asked for, so they must not be None"


def pointer_goes_where_it_is_sent(desktop: Desktop) -> None:
    desktop.act(a.Move(x=17, y=23), settle=QUICK)
    assert desktop.observe().cursor == (17, 23), f"the pointer was sent to 17, 23 and is at {desktop.observe().cursor}"


def points_off_the_screen_are_refused(desktop: Desktop) -> None:
    for action in (a.Click(x=desktop.size[0], y=1), a.Drag(path=((1, 1), (1, desktop.size[1])))):
        _raises(BadAction, lambda action=action: desktop.act(action), f"{action.kind} off the screen")  # type: ignore[misc]


def words_are_not_for_the_desktop(desktop: Desktop) -> None:
    for action in (a.Ask(question="why?"), a.Done(), a.Fail()):
        _raises(BadAction, lambda action=action: desktop.act(action), action.kind)  # type: ignore[misc]


def unknown_names_are_refused(desktop: Desktop) -> None:
    _raises(BadAction, lambda: desktop.act(a.OpenApp(app="no-such-application")), "opening an unknown application")
    _raises(BadAction, lambda: desktop.act(a.FocusWindow(title="no such window")), "focusing an unknown window")


def clipboard_holds_what_was_copied(desktop: Desktop) -> None:
    desktop.act(a.Copy(text="grüße 你好 😀\nzwei"), settle=QUICK)
    assert desktop.observe().clipboard == "grüße 你好 😀\nzwei", f"the clipboard holds {desktop.observe().clipboard!r}"


def frames_come_while_it_acts(desktop: Desktop) -> None:
    acted = desktop.act(a.Move(x=30, y=30, seconds=0.3), settle=QUICK, watch_fps=20)
    assert acted.during, "frames during the action were asked for and none came"
    assert desktop.observe().during == acted.during, "the next observation does not carry the frames taken during the action"
    assert not desktop.act(a.Move(x=31, y=30), settle=QUICK).during, "frames came although nobody asked for them"


def commands_run_in_the_home(desktop: Desktop) -> None:
    desktop.put({"~/Documents/a b.txt": b"one\n", "new/folder/c": b"\x00\xff"})
    assert desktop.run(["cat", "Documents/a b.txt"]).out == b"one\n", "a file that was put cannot be read by a command in the home"
    assert desktop.run(["cat", "new/folder/c"]).out == b"\x00\xff", "bytes that were put do not come back"
    assert desktop.run(["cat"], stdin=b"in").out == b"in", "a command does not get its standard input"
    assert desktop.run(["sh", "-c", "exit 3"]).status == 3, "the exit status of a command is lost"
    assert desktop.run(["sh", "-c", "echo $X"], env={"X": "y"}).out == b"y\n", "a command does not see its environment"


def commands_are_bounded(desktop: Desktop) -> None:
    late = desktop.run(["sh", "-c", "while :; do :; done"], seconds=0.3)
    assert late.timed_out and late.seconds < 5, "a command that does not end was not stopped"
    loud = desktop.run(["sh", "-c", "head -c 100000 /dev/zero"], output_limit=1000)
    assert loud.cut and len(loud.out) == 1000, "output beyond the limit was not cut"


def files_stay_below_the_home(desktop: Desktop) -> None:
    for path in ("../out", "/etc/passwd", "~/../../out", ".."):
        _raises(Misuse, lambda path=path: desktop.put({path: b""}), f"putting {path}")  # type: ignore[misc]


def evidence_tells_what_changed(desktop: Desktop) -> None:
    desktop.put({"kept.txt": b"k", "edited.txt": b"old", "gone.txt": b"g", "touched.txt": b"t"})
    desktop.baseline()
    desktop.run(["sh", "-c", "echo new > edited.txt; rm gone.txt; touch touched.txt; mkdir -p d; echo 1 > d/added.txt"])
    with tempfile.TemporaryDirectory() as folder:
        collected = desktop.collect(Path(folder) / "evidence", keep=["~/kept.txt"])
        evidence = collected.folder
        changes = {c["path"]: c["change"] for c in json.loads((evidence / layout.CHANGES).read_text()) if c["kind"] == "file"}
        expected = {"edited.txt": "changed", "gone.txt": "removed", "d/added.txt": "added"}
        assert changes == expected, f"the changes are {changes}, not {expected}"
        assert (evidence / layout.HOME / "edited.txt").read_bytes() == b"new\n", "the evidence lacks a file as it was left"
        assert (evidence / layout.BEFORE / "edited.txt").read_bytes() == b"old", "the evidence lacks a file as it was at the start"
        assert (evidence / layout.BEFORE / "gone.txt").read_bytes() == b"g", "the evidence lacks a removed file as it was at the start"
        assert (evidence / layout.HOME / "kept.txt").read_bytes() == b"k", "a file that was asked for is not in the evidence"
        assert (evidence / layout.LAST_FRAME).read_bytes().startswith(b"\x89PNG"), "the evidence lacks the last frame"


def reset_is_exact(desktop: Desktop) -> None:
    before = _home_digest(desktop)
    desktop.put({"Documents/new.txt": b"x", ".config/new": b"y"})
    desktop.run(["sh", "-c", "rm -rf Documents; mkdir Documents; echo z > Documents/other"])
    desktop.act(a.Copy(text="left over"), settle=QUICK)
    assert _home_digest(desktop) != before, "the home did not change although files were written"
    desktop.reset()
    assert _home_digest(desktop) == before, "after a reset the home is not byte for byte what it was"
    assert desktop.observe().clipboard == "", "after a reset the clipboard still holds something"


def closing_is_final_and_harmless_again(desktop: Desktop) -> None:
    desktop.close()
    desktop.close()
    _raises(DesktopFault, desktop.observe, "looking at a closed desktop")
    _raises(DesktopFault, lambda: desktop.run(["true"]), "running a command in a closed desktop")


QUESTIONS: tuple[Callable[[Desktop], None], ...] = (
    frame_has_the_size_of_the_screen,
    what_was_not_asked_for_is_none,
    pointer_goes_where_it_is_sent,
    points_off_the_screen_are_refused,
    words_are_not_for_the_desktop,
    unknown_names_are_refused,
    clipboard_holds_what_was_copied,
    frames_come_while_it_acts,
    commands_run_in_the_home,
    commands_are_bounded,
    files_stay_below_the_home,
    evidence_tells_what_changed,
    reset_is_exact,
    closing_is_final_and_harmless_again,
)


def _home_digest(desktop: Desktop) -> bytes:
    script = "find . -printf '%P %y %m %l\\n' | LC_ALL=C sort; find . -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum"
    ran = desktop.run(["sh", "-c", script])
    assert ran.status == 0, f"the home cannot be listed: {ran.err!r}"
    return ran.out


def _raises(kind: type[Exception], call: Callable[[], object], what: str) -> None:
    try:
        call()
    except kind:
        return
    raise AssertionError(f"{what} did not raise {kind.__name__}")

"""The sandbox: a bubblewrap container with its own user, PID, IPC, UTS, mount and network namespaces.

One recipe serves root and ordinary users. Root first becomes an unprivileged uid; from there on both do
the same without privilege: a user namespace in which the overlay is mounted, and inside it bubblewrap.
All mounts live in namespaces that die with the sandbox, so the host never has one to clean up.

Only what is listed is visible: the system read-only, a private /tmp, /run and /dev/shm, the home, and three
folders shared with the owner for sockets and the framebuffer.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import deskbench
from deskbench.core.evidence import HOME_IN_DESKTOP
from deskbench.core.faults import DesktopFault, Misuse
from deskbench.core.ports import Ran
from deskbench.desktops.local.places import SANDBOX_UID, state

DISPLAY = ":99"
RUNTIME = "/run/user/1000"
SCREEN_FOLDER = "/run/screen"

ENVIRONMENT = {
    "HOME": HOME_IN_DESKTOP,
    "USER": "user",
    "LOGNAME": "user",
    "SHELL": "/bin/bash",
    "TERM": "xterm-256color",
    "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/games",
    "LANG": "C.UTF-8",
    "DISPLAY": DISPLAY,
    "XDG_RUNTIME_DIR": RUNTIME,
    "DBUS_SESSION_BUS_ADDRESS": f"unix:path={RUNTIME}/bus",
    "LIBGL_ALWAYS_SOFTWARE": "1",
    "GALLIUM_DRIVER": "llvmpipe",
    "QT_ACCESSIBILITY": "1",
    "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
    "QT_QPA_PLATFORM": "xcb",
    "QT_IM_MODULE": "compose",
    "GTK_MODULES": "gail:atk-bridge",
    "GTK_IM_MODULE": "gtk-im-context-simple",
    "XMODIFIERS": "@im=none",
    "NO_AT_BRIDGE": "0",
    "GDK_BACKEND": "x11",
    "GSETTINGS_BACKEND": "keyfile",
    "SAL_USE_VCLPLUGIN": "gtk3",
}

SESSION = """
mkfifo /run/up /run/bus-up
Xvfb "$DISPLAY" -screen 0 {width}x{height}x24 -nolisten tcp -noreset -dpi 96 +extension GLX +extension RANDR \
    +render -ac -fbdir {screen} -displayfd 5 5>/run/up &
display=$!
dbus-daemon --session --nofork --nopidfile --address="$DBUS_SESSION_BUS_ADDRESS" --print-address=6 6>/run/bus-up &
read -r ready < /run/up
openbox --config-file /run/openbox.xml --sm-disable &
read -r ready < /run/bus-up
/usr/libexec/at-spi-bus-launcher --launch-immediately --a11y=1 &
{extra}
wait $display
"""
"""The desktop lives exactly as long as its display."""

_DEV_LINKS = {"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2"}
# bubblewrap's own --dev would add a second user namespace between the sandbox and its other namespaces, and
# an ordinary user could then not enter it from outside.

_DEVICES = ("null", "zero", "full", "random", "urandom", "tty")

_spawners: dict[int, ThreadPoolExecutor] = {}
_spawners_lock = threading.Lock()


def spawner() -> ThreadPoolExecutor:
    """A thread that lives as long as the process: bubblewrap dies with the *thread* that started it."""
    with _spawners_lock:
        return _spawners.setdefault(os.getpid(), ThreadPoolExecutor(1, "deskbench-spawner"))


def unprivileged() -> list[str]:
    """The prefix that makes a command run as the sandbox's uid."""
    if os.geteuid() == 0:
        return ["setpriv", f"--reuid={SANDBOX_UID}", f"--regid={SANDBOX_UID}", "--clear-groups", "--"]
    return []


def need(program: str, package: str) -> None:
    """Misuse with the mending command if a program is not on this machine."""
    if shutil.which(program) is None:
        raise Misuse(f"{program} is not installed, and a desktop needs it; run: deskbench setup (or: apt-get install {package})")


def _system() -> list[str]:
    """The system, read-only, less our own state and our own code where they lie inside it."""
    options = ["--ro-bind", "/usr", "/usr", "--ro-bind", "/etc", "/etc"]
    options += ["--ro-bind-try", "/var/lib", "/var/lib", "--ro-bind-try", "/var/cache/fontconfig", "/var/cache/fontconfig"]
    for folder in ("bin", "sbin", "lib", "lib64", "lib32"):
        host = Path("/") / folder
        if host.is_symlink():
            options += ["--symlink", os.readlink(host), str(host)]
        elif host.is_dir():
            options += ["--ro-bind", str(host), str(host)]
    for ours in (state(), Path(deskbench.__file__).parent):
        if ours.is_relative_to("/usr") or ours.is_relative_to("/var/lib"):
            options += ["--tmpfs", str(ours)]
    return options


class Sandbox:
    """One running container, made by `open`; commands enter it with `run` and `start`."""

    def __init__(self, process: subprocess.Popen[bytes], inner_pid: int, enrol: Sequence[str], rlimits: Sequence[str]) -> None:
        self._process = process
        self.inner_pid = inner_pid
        self._enrol = list(enrol)
        self._rlimits = list(rlimits)
        self._children: list[subprocess.Popen[bytes]] = []

    @classmethod
    def open(
        cls,
        desk: Path,
        layers: Sequence[Path],
        size: tuple[int, int],
        *,
        network: bool = False,
        extra: str = "",
        enrol: Sequence[str] = (),
        rlimits: Sequence[str] = (),
        display: bool = True,
    ) -> Sandbox:
        """Start the container of a desk folder that is already laid out; returns as soon as its processes exist."""
        for program, package in (("bwrap", "bubblewrap"), ("unshare", "util-linux"), ("setpriv", "util-linux")):
            need(program, package)
        if display:
            for program, package in (("Xvfb", "xvfb"), ("openbox", "openbox"), ("dbus-daemon", "dbus")):
                need(program, package)
        session = SESSION.format(width=size[0], height=size[1], screen=SCREEN_FOLDER, extra=extra) if display else "exec sleep infinity"
        read_end, write_end = os.pipe()
        try:
            options = os.memfd_create("options")
            os.write(options, b"".join(part.encode() + b"\0" for part in cls._options(desk, network)))
            os.lseek(options, 0, os.SEEK_SET)
            bubblewrap = ["bwrap", "--args", str(options), "--info-fd", str(write_end), "--", *rlimits, "/bin/sh", "-c", session]
            argv = [*enrol, *cls._mounting(desk, layers), *bubblewrap]
            with open(desk / "log", "ab") as log:
                process = (
                    spawner()
                    .submit(
                        subprocess.Popen,
                        argv,
                        stdin=subprocess.DEVNULL,
                        stdout=log,
                        stderr=log,
                        pass_fds=(write_end, options),
                        start_new_session=True,
                        cwd=desk,
                    )
                    .result()
                )
            os.close(write_end)
            write_end = -1
            inner_pid = _read_inner_pid(read_end, process, desk / "log")
        finally:
            os.close(options)
            os.close(read_end)
            if write_end >= 0:
                os.close(write_end)
        return cls(process, inner_pid, enrol, rlimits)

    @staticmethod
    def _mounting(desk: Path, layers: Sequence[Path]) -> list[str]:
        """The prefix that runs a command with the home mounted, in a user and mount namespace of its own."""
        lower = ":".join(str(layer) for layer in layers)
        overlay = f"lowerdir={lower},upperdir={desk}/upper,workdir={desk}/work,userxattr"
        mount = (
            'mount -t overlay desk -o "$1" "$2/home" && mount -t devpts desk -o newinstance,ptmxmode=0666,mode=620 "$2/pts" || exit 90; '
            'shift 2; exec "$@"'
        )
        return [*unprivileged(), "unshare", "--user", "--map-root-user", "--mount", "--", "/bin/sh", "-c", mount, "sh", overlay, str(desk)]

    @staticmethod
    def _options(desk: Path, network: bool) -> list[str]:
        """What bubblewrap is told; by a file, so that no path of the host stands in the sandbox's process list."""
        environment = [part for name, value in ENVIRONMENT.items() for part in ("--setenv", name, value)]
        return [
            *_system(),
            *(part for name in ("passwd", "group", "machine-id") for part in ("--ro-bind", f"{desk}/etc/{name}", f"/etc/{name}")),
            *("--proc", "/proc", "--tmpfs", "/dev", "--dev-bind", f"{desk}/pts", "/dev/pts", "--symlink", "pts/ptmx", "/dev/ptmx"),
            *(part for name in _DEVICES for part in ("--dev-bind", f"/dev/{name}", f"/dev/{name}")),
            *(part for name, at in _DEV_LINKS.items() for part in ("--symlink", at, f"/dev/{name}")),
            *(part for folder in ("/tmp", "/run", "/var/tmp", "/dev/shm") for part in ("--size", str(1 << 30), "--tmpfs", folder)),
            *("--tmpfs", "/home", "--tmpfs", "/mnt", "--dir", "/run/user"),
            *("--bind", f"{desk}/x11", "/tmp/.X11-unix", "--bind", f"{desk}/run", RUNTIME, "--bind", f"{desk}/screen", SCREEN_FOLDER),
            *("--ro-bind", f"{desk}/etc/openbox.xml", "/run/openbox.xml"),
            *("--bind", f"{desk}/home", HOME_IN_DESKTOP, "--chdir", HOME_IN_DESKTOP),
            *("--unshare-user", "--uid", "1000", "--gid", "1000", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--hostname", "desk"),
            *(() if network else ("--unshare-net",)),
            *("--die-with-parent", "--new-session", "--clearenv", *environment),
        ]

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def _entering(self, argv: Sequence[str], env: Mapping[str, str]) -> list[str]:
        """The command that runs `argv` inside, as the user, from the home."""
        namespaces = ["--user", "--mount", "--pid", "--net", "--ipc", "--uts"]
        enter = ["nsenter", "--target", str(self.inner_pid), "--preserve-credentials", *namespaces, f"--wdns={HOME_IN_DESKTOP}", "--"]
        environment = [f"{name}={value}" for name, value in {**ENVIRONMENT, **env}.items()]
        return [*self._enrol, *unprivileged(), *enter, *self._rlimits, "/usr/bin/env", "-i", *environment, *argv]

    def start(self, argv: Sequence[str], env: Mapping[str, str] | None = None, log: Path | None = None) -> None:
        """Start a program inside and leave it running; the sandbox's end ends it."""
        self._children = [child for child in self._children if child.poll() is None]
        self._children.append(self._spawn(argv, env or {}, log))

    def _spawn(self, argv: Sequence[str], env: Mapping[str, str], log: Path | None) -> subprocess.Popen[bytes]:
        with open(log or os.devnull, "ab") as sink:
            return subprocess.Popen(
                self._entering(argv, env),
                stdin=subprocess.DEVNULL,
                stdout=sink,
                stderr=sink,
                start_new_session=True,
            )

    def run(self, argv: Sequence[str], *, seconds: float, stdin: bytes, env: Mapping[str, str], output_limit: int) -> Ran:
        """Run a command inside to its end or its limit."""
        began = time.monotonic()
        process = subprocess.Popen(
            self._entering(argv, env),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        try:
            out, err, timed_out, cut = _exchange(process, stdin, began + seconds, output_limit)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            for stream in (process.stdin, process.stdout, process.stderr):
                if stream is not None:
                    stream.close()
        return Ran(process.returncode, out, err, time.monotonic() - began, timed_out, cut)

    def close(self) -> None:
        """Kill the namespace's first process, and with it everything in it."""
        if self._process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.inner_pid, signal.SIGKILL)
            try:
                self._process.wait(5)
            except subprocess.TimeoutExpired:
                self._process.kill()
        self._process.wait()
        for child in self._children:
            if child.poll() is None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(child.pid, signal.SIGKILL)
            child.wait()
        self._children = []


def _read_inner_pid(fd: int, process: subprocess.Popen[bytes], log: Path) -> int:
    """The host's pid of the first process in the sandbox, as bubblewrap reports it."""
    text = b""
    with selectors.DefaultSelector() as selector:
        selector.register(fd, selectors.EVENT_READ)
        while selector.select(10):
            piece = os.read(fd, 4096)
            if not piece:
                break
            text += piece
    try:
        return int(json.loads(text)["child-pid"])
    except (ValueError, KeyError):
        process.kill()
        process.wait()
        raise DesktopFault(explain_refusal(log.read_text(errors="replace").strip())) from None


def explain_refusal(said: str) -> str:
    """One sentence on why a sandbox did not start, with what mends it."""
    if "unshare" in said and ("ermitted" in said or "denied" in said or "No space left" in said):
        return (
            "this machine does not let an ordinary user make namespaces; run: sysctl -w kernel.unprivileged_userns_clone=1 "
            "user.max_user_namespaces=10000 (and on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0)"
        )
    if "mount" in said:
        return f"the home could not be mounted as an overlay ({said.splitlines()[0]}); it needs a kernel of 5.11 or newer and a disk such as ext4"
    return f"the sandbox did not start: {said.splitlines()[-1] if said else 'bubblewrap said nothing'}; run: deskbench doctor"


def _exchange(process: subprocess.Popen[bytes], stdin: bytes, deadline: float, limit: int) -> tuple[bytes, bytes, bool, bool]:
    """Feed and read a process until it ends, its time is up, or it has said more than it may."""
    assert process.stdin and process.stdout and process.stderr
    said: dict[int, bytearray] = {process.stdout.fileno(): bytearray(), process.stderr.fileno(): bytearray()}
    left = memoryview(stdin)
    cut = timed_out = False
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        selector.register(process.stderr, selectors.EVENT_READ)
        if left:
            os.set_blocking(process.stdin.fileno(), False)
            selector.register(process.stdin, selectors.EVENT_WRITE)
        else:
            process.stdin.close()
        while selector.get_map():
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                timed_out = True
                break
            events = selector.select(min(remaining, 0.05))
            if not events and process.poll() is not None:
                break  # it ended; what still holds its output open is something it left behind
            for ready, _ in events:
                if ready.fileobj is process.stdin:
                    try:
                        left = left[os.write(ready.fd, left[:65536]) :]
                    except BrokenPipeError:
                        left = left[:0]
                    if not left:
                        selector.unregister(process.stdin)
                        process.stdin.close()
                    continue
                piece = os.read(ready.fd, 65536)
                if not piece:
                    selector.unregister(ready.fileobj)
                    continue
                buffer = said[ready.fd]
                cut = cut or len(buffer) + len(piece) > limit
                buffer += piece[: max(0, limit - len(buffer))]
    if not timed_out:
        try:
            process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            timed_out = True
    out, err = (bytes(buffer) for buffer in said.values())
    return out, err, timed_out, cut

"""Being somebody else for the length of a connect.

A D-Bus daemon asks the kernel who is at the other end, and the kernel remembers who called `connect`. When the owner
is root, the desktop's daemon would see nobody it knows; so the calling thread, and no other, takes the desktop's uid.
"""

from __future__ import annotations

import ctypes
import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager

# glibc's own wrapper changes every thread of the process; the bare system call changes only this one.
_SETRESUID = {"x86_64": 117, "aarch64": 147}.get(platform.machine())
_libc = ctypes.CDLL(None, use_errno=True)


def _set_effective(uid: int) -> None:
    if _libc.syscall(_SETRESUID, -1, uid, -1) != 0:
        raise OSError(ctypes.get_errno(), "cannot change the thread's uid")


@contextmanager
def thread_as(uid: int) -> Iterator[None]:
    """Let the current thread act as `uid`; of no effect unless the process is root."""
    if os.geteuid() != 0 or uid == 0 or _SETRESUID is None:
        yield
        return
    _set_effective(uid)
    try:
        yield
    finally:
        _set_effective(0)

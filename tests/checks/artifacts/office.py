"""Runs LibreOffice headless in a private home, to make the office artifacts: a Basic program, or a conversion."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path
from xml.sax.saxutils import escape

_LIBRARY = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE library:library PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "library.dtd">
<library:library xmlns:library="http://openoffice.org/2000/library" library:name="Standard"
 library:readonly="false" library:passwordprotected="false">
 <library:element library:name="Make"/>
</library:library>
"""
_MODULE = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE script:module PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "module.dtd">
<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Make" script:language="StarBasic">{source}</script:module>
"""


_MAIN = """
Sub Main()
  On Error GoTo Broken
  Work()
  StarDesktop.terminate()
  Exit Sub
Broken:
  Open "TROUBLE" For Output As #1
  Print #1, Error$ & " in line " & Erl
  Close #1
  StarDesktop.terminate()
End Sub
"""


def _soffice(home: Path, *arguments: str) -> None:
    environment = {"HOME": str(home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "SAL_USE_VCLPLUGIN": "svp"}
    subprocess.run(["soffice", "--headless", "--norestore", "--nologo", *arguments], env=environment, check=True, timeout=180)


def basic(source: str) -> None:
    """Run the Sub Work of a Basic program; RuntimeError with what Basic says if it breaks."""
    with tempfile.TemporaryDirectory() as folder:
        # The first start of a profile writes an empty library over whatever is there.
        _soffice(Path(folder), "--terminate_after_init")
        library = Path(folder, ".config/libreoffice/4/user/basic/Standard")
        (library / "script.xlb").write_text(_LIBRARY)
        (library / "Make.xba").write_text(_MODULE.format(source=escape(source + _MAIN.replace("TROUBLE", f"{folder}/trouble.txt"))))
        _soffice(Path(folder), "macro:///Standard.Make.Main")
        trouble = Path(folder, "trouble.txt")
        if trouble.exists():
            raise RuntimeError(trouble.read_text())


def convert(files: Iterable[Path], suffix: str, into: Path) -> None:
    """Open files and save them again in another format."""
    with tempfile.TemporaryDirectory() as folder:
        _soffice(Path(folder), "--convert-to", suffix, "--outdir", str(into), *map(str, files))

"""Makes the documents of tests/checks/artifacts/pdf again: by LibreOffice from HTML, by Inkscape from a drawing.

python tests/checks/artifacts/make_pdf.py
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).parent / "pdf"
STYLE = "font-family:'Liberation Serif'"
REPORT = f"""<html><head><title>Annual report</title><meta name="author" content="Ada Byron"></head><body style="{STYLE}">
<h1>Introduction</h1><p>The total is 1,250 euros. See <a href="https://example.org/data">the data</a>.</p>
<p><img src="dot.png" width="40" height="40"></p>
<h1 style="page-break-before: always">Results</h1><p>Nothing else was found.</p></body></html>"""
DRAFT = REPORT.replace("1,250", "1,260").replace('<p><img src="dot.png" width="40" height="40"></p>', "").replace("page-break-before: always", "")
DOT = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c4944415408d763f8cfc000000301010018dd8db00000000049454e44ae426082"
)


def main() -> None:
    HERE.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        work = Path(home)
        (work / "dot.png").write_bytes(DOT)
        for name, text in (("report", REPORT), ("draft", DRAFT)):
            page = work / f"{name}.html"
            page.write_text(text)
            options = '{"ExportBookmarks":{"type":"boolean","value":"true"}}'
            odt = ["soffice", "--headless", "--writer", "--convert-to", "odt:writer8", "--infilter=HTML (StarWriter)", "--outdir", home, str(page)]
            subprocess.run(odt, cwd=home, env={**os.environ, "HOME": home}, timeout=120, check=True)
            argv = ["soffice", "--headless", "--convert-to", f"pdf:writer_pdf_Export:{options}", "--outdir", str(HERE), str(work / f"{name}.odt")]
            subprocess.run(argv, cwd=home, env={**os.environ, "HOME": home}, timeout=120, check=True)
        poster = Path(__file__).parent / "svg" / "poster.svg"
        argv = ["inkscape", "--export-type=pdf", f"--export-filename={HERE / 'poster.pdf'}", str(poster)]
        subprocess.run(argv, env={**os.environ, "HOME": home}, timeout=120, check=True)


if __name__ == "__main__":
    main()

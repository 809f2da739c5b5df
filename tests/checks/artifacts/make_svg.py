"""Makes the drawings of tests/checks/artifacts/svg again: `poster.svg` is written here, the others are what Inkscape made of it.

python tests/checks/artifacts/make_svg.py
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).parent / "svg"

POSTER = """<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
  xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" width="210mm" height="297mm" viewBox="0 0 210 297">
  <sodipodi:namedview id="view" pagecolor="#ffffee"/>
  <style>.note { fill: #336699; font-size: 5px } g .dim { opacity: 0.5 } #title { font-weight: bold }</style>
  <defs>
    <linearGradient id="stops"><stop offset="0" style="stop-color:#0000ff"/>
      <stop offset="1" style="stop-color:#ffffff;stop-opacity:0.5"/></linearGradient>
    <linearGradient id="sky" xlink:href="#stops" x1="0" y1="0" x2="0" y2="60" gradientUnits="userSpaceOnUse"/>
    <clipPath id="cut"><rect x="20" y="150" width="10" height="10"/></clipPath>
  </defs>
  <g id="base" inkscape:groupmode="layer" inkscape:label="Base">
    <rect id="band" x="0" y="0" width="210" height="60" style="fill:url(#sky)"/>
    <rect id="plain" x="20" y="80" width="30" height="20" style="fill:#ff0000;stroke:#000000;stroke-width:2"/>
    <circle id="disc" cx="100" cy="100" r="15" fill="lime" class="dim"/>
    <g id="pair" transform="translate(10,10) scale(2)">
      <rect id="left" x="20" y="60" width="10" height="10" style="fill:#00aa88"/>
      <rect id="right" x="40" y="60" width="10" height="10" style="fill:#00aa88;fill-opacity:0.25"/>
    </g>
    <path id="cross" d="m 120,180 h 30 v 10 h -30 z" style="fill:none;stroke:#800080;stroke-width:1;stroke-dasharray:2,1"/>
    <rect id="clipped" x="15" y="145" width="30" height="30" clip-path="url(#cut)" style="fill:#123456"/>
  </g>
  <g id="words" inkscape:groupmode="layer" inkscape:label="Words">
    <text id="title" x="105" y="40" style="font-size:12px;font-family:'DejaVu Sans';text-anchor:middle;fill:#222222"><tspan id="line1"
      sodipodi:role="line" x="105" y="40">Summer fair</tspan><tspan id="line2" sodipodi:role="line" x="105" y="56">in <tspan id="em"
      style="fill:#ff8800;font-style:italic">July</tspan></tspan></text>
    <text id="note" class="note" x="20" y="250">Entry is free</text>
  </g>
</svg>
"""

# 64 px are 48 pt: the drawing's user unit is a millimetre.
SIZE = 64 * 25.4 / 96
MADE = {
    "resaved.svg": "",
    "title.svg": f"select-by-id:title;object-set-property:font-size,{SIZE:.6f}px",
    "title_by_scale.svg": f"select-by-id:title;transform-scale:{SIZE / 12:.6f}",
    "title_nearly.svg": f"select-by-id:title;object-set-property:font-size,{SIZE * 0.94:.6f}px",
    "red.svg": "select-by-id:disc;object-set-property:fill,#cc0000",
    "moved.svg": "select-by-id:plain;transform-translate:40,-8",
    "turned.svg": "select-by-id:plain;transform-rotate:30",
    "grouped.svg": "select-by-id:plain,disc;selection-group",
    "ungrouped.svg": "select-by-id:pair;selection-ungroup",
    "raised.svg": "select-by-id:band;selection-top",
    "path.svg": "select-by-id:disc;object-to-path",
    "union.svg": "select-by-id:left,right,plain;path-union",
    "deleted.svg": "select-by-id:note;delete-selection",
    "doubled.svg": "select-by-id:disc;duplicate;transform-translate:100,0",
    "hidden.svg": "select-by-id:disc;object-set-property:display,none",
}


def main() -> None:
    HERE.mkdir(exist_ok=True)
    (HERE / "poster.svg").write_text(POSTER)
    with tempfile.TemporaryDirectory() as home:
        for name, actions in MADE.items():
            does = f"{actions};export-filename:{HERE / name};export-do".lstrip(";")
            argv = ["inkscape", f"--actions={does}", str(HERE / "poster.svg")]
            subprocess.run(argv, env={**os.environ, "HOME": home}, timeout=120, check=True)
        boxes = ["inkscape", "--query-all", str(HERE / "resaved.svg")]
        done = subprocess.run(boxes, env={**os.environ, "HOME": home}, timeout=120, check=True, capture_output=True, text=True)
        (HERE / "boxes.csv").write_text(done.stdout)


if __name__ == "__main__":
    main()

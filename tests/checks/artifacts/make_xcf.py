"""Makes the GIMP images of tests/checks/artifacts/xcf again, with GIMP itself, and what GIMP says is in them (`badge.said.txt`).

python tests/checks/artifacts/make_xcf.py
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).parent / "xcf"

BADGE = """
(define (badge precision opacity mode x file)
  (let* ((img (car (gimp-image-new-with-precision 200 120 RGB precision)))
         (bg (car (gimp-layer-new img 200 120 RGB-IMAGE "Background" 100 LAYER-MODE-NORMAL)))
         (box (car (gimp-layer-new img 70 50 RGBA-IMAGE "Red box" opacity mode)))
         (grp (car (gimp-layer-group-new img)))
         (mask 0) (txt 0) (blue 0))
    (gimp-image-set-resolution img 300 300)
    (gimp-image-insert-layer img bg 0 0)
    (gimp-context-set-foreground '(240 230 20))
    (gimp-drawable-fill bg FILL-FOREGROUND)
    (gimp-image-insert-layer img box 0 0)
    (gimp-context-set-foreground '(255 0 0))
    (gimp-drawable-fill box FILL-FOREGROUND)
    (gimp-layer-set-offsets box x 30)
    (gimp-item-set-name grp "Artwork")
    (gimp-image-insert-layer img grp 0 0)
    (set! blue (car (gimp-layer-new img 90 70 RGBA-IMAGE "Blue half" 100 LAYER-MODE-NORMAL)))
    (gimp-image-insert-layer img blue grp 0)
    (gimp-layer-set-offsets blue 100 40)
    (gimp-drawable-fill blue FILL-TRANSPARENT)
    (gimp-image-select-rectangle img CHANNEL-OP-REPLACE 100 40 45 70)
    (gimp-context-set-foreground '(0 0 200))
    (gimp-edit-fill blue FILL-FOREGROUND)
    (gimp-selection-none img)
    (set! mask (car (gimp-layer-create-mask blue ADD-MASK-BLACK)))
    (gimp-layer-add-mask blue mask)
    (gimp-item-set-visible blue FALSE)
    (gimp-context-set-foreground '(0 0 255))
    (set! txt (car (gimp-text-layer-new img "Hello \\"World\\"\\nzwei" "DejaVu Sans Bold" 24 UNIT-PIXEL)))
    (gimp-image-insert-layer img txt 0 0)
    (gimp-text-layer-set-color txt '(0 0 255))
    (gimp-layer-set-offsets txt 5 6)
    (gimp-image-add-hguide img 60)
    (gimp-image-add-vguide img 25)
    (gimp-xcf-save 0 img bg file file)
    (gimp-image-delete img)))
"""

MADE = {
    "badge.xcf": '(badge PRECISION-U8-GAMMA 40 LAYER-MODE-MULTIPLY 20 "{out}/badge.xcf")',
    "nearly.xcf": '(badge PRECISION-U8-GAMMA 45 LAYER-MODE-SCREEN 24 "{out}/nearly.xcf")',
    "deep.xcf": '(badge PRECISION-FLOAT-LINEAR 40 LAYER-MODE-MULTIPLY 20 "{out}/deep.xcf")',
    "sixteen.xcf": '(badge PRECISION-U16-GAMMA 40 LAYER-MODE-MULTIPLY 20 "{out}/sixteen.xcf")',
}
FLAT = """
(let* ((img (car (gimp-file-load 1 "{out}/badge.xcf" "badge.xcf")))
       (port (open-output-file "{out}/badge.said.txt"))
       (ids (vector->list (cadr (gimp-image-get-layers img)))))
  (for-each (lambda (layer)
    (write (list (car (gimp-item-get-name layer)) (car (gimp-layer-get-opacity layer)) (car (gimp-layer-get-mode layer))
                 (car (gimp-item-get-visible layer)) (car (gimp-drawable-offsets layer)) (cadr (gimp-drawable-offsets layer))
                 (car (gimp-drawable-width layer)) (car (gimp-drawable-height layer))) port)
    (newline port)) ids)
  (close-output-port port)
  (file-png-save-defaults 1 img (car (gimp-image-get-layer-by-name img "Red box")) "{out}/red_box.png" "x")
  (file-png-save-defaults 1 img (car (gimp-image-get-layer-by-name img "Blue half")) "{out}/blue_half.png" "x")
  (let* ((flat (car (gimp-image-flatten img))))
    (file-png-save-defaults 1 img flat "{out}/flat.png" "x")
    (gimp-image-convert-indexed img CONVERT-DITHER-NONE CONVERT-PALETTE-GENERATE 8 FALSE FALSE "")
    (gimp-xcf-save 0 img flat "{out}/indexed.xcf" "x")
    (file-png-save-defaults 1 img flat "{out}/indexed.png" "x")))
(gimp-quit 0)
"""


def main() -> None:
    HERE.mkdir(exist_ok=True)
    script = BADGE + "".join(MADE.values()) + FLAT
    with tempfile.TemporaryDirectory() as home:
        argv = ["gimp-console", "-i", "-d", "-b", script.replace("{out}", str(HERE)), "-b", "(gimp-quit 0)"]
        subprocess.run(argv, env={**os.environ, "HOME": home}, timeout=180, check=True)


if __name__ == "__main__":
    main()

"""Makes the pictures of tests/checks/artifacts/image again: `scene.png` is computed here, the others are what GIMP made of it.

python tests/checks/artifacts/make_image.py        (needs numpy, Pillow and GIMP)
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image

HERE = Path(__file__).parent / "image"

EDIT = """
(define (edit file what)
  (let* ((img (car (gimp-file-load 1 "{out}/scene.png" "scene.png"))) (layer (car (gimp-image-get-active-layer img))))
    (what img layer)
    (gimp-file-save 1 img (car (gimp-image-get-active-layer img)) (string-append "{out}/" file) file)
    (gimp-image-delete img)))
(edit "saved.jpg" (lambda (img layer) 1))
(edit "half.png" (lambda (img layer) (gimp-image-scale img 80 60)))
(edit "cropped.png" (lambda (img layer) (gimp-image-crop img 60 60 20 30)))
(edit "cropped_elsewhere.png" (lambda (img layer) (gimp-image-crop img 60 60 32 30)))
(edit "mirrored.png" (lambda (img layer) (gimp-image-flip img ORIENTATION-HORIZONTAL)))
(edit "turned.png" (lambda (img layer) (gimp-image-rotate img ROTATE-90)))
(edit "brighter.png" (lambda (img layer) (gimp-drawable-brightness-contrast layer 0.25 0)))
(edit "grey.png" (lambda (img layer) (gimp-drawable-desaturate layer DESATURATE-LUMINANCE)))
(edit "blurred.png" (lambda (img layer) (plug-in-gauss 1 img layer 6 6 0)))
(edit "inverted.png" (lambda (img layer) (gimp-drawable-invert layer FALSE)))
(edit "cut_out.png" (lambda (img layer)
  (gimp-layer-add-alpha layer) (gimp-image-select-rectangle img CHANNEL-OP-REPLACE 0 0 80 120) (gimp-edit-clear layer) (gimp-selection-none img)))
(edit "eight.gif" (lambda (img layer) (gimp-image-convert-indexed img CONVERT-DITHER-NONE CONVERT-PALETTE-GENERATE 8 FALSE FALSE "")))
(edit "dot.png" (lambda (img layer)
  (gimp-image-select-rectangle img CHANNEL-OP-REPLACE 100 20 30 10)
  (gimp-context-set-foreground '(255 0 0)) (gimp-edit-fill layer FILL-FOREGROUND) (gimp-selection-none img)))
(gimp-quit 0)
"""


def scene() -> Image.Image:
    """A sky, a hill, a sun and some grain, always the same."""
    y, x = np.mgrid[0:120, 0:160]
    picture = np.stack([90 + y * 0.6, 140 + y * 0.4, np.full(y.shape, 220.0)], axis=-1)
    picture[y > 80 + 15 * np.sin(x / 22)] = (60, 120, 40)
    picture[(x - 120) ** 2 + (y - 30) ** 2 < 200] = (250, 220, 60)
    picture += np.random.default_rng(7).normal(0, 6, y.shape)[..., None]
    return Image.fromarray(picture.clip(0, 255).astype(np.uint8))


def main() -> None:
    HERE.mkdir(exist_ok=True)
    scene().save(HERE / "scene.png")
    exif = Image.Exif()
    exif[0x013B] = "Ada"
    scene().save(HERE / "signed.jpg", exif=exif, quality=92, dpi=(300, 300))
    with tempfile.TemporaryDirectory() as home:
        argv = ["gimp-console", "-i", "-d", "-f", "-b", EDIT.replace("{out}", str(HERE)), "-b", "(gimp-quit 0)"]
        subprocess.run(argv, env={**os.environ, "HOME": home}, timeout=180, check=True)


if __name__ == "__main__":
    main()

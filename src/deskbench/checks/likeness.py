"""Whether a picture inside a document is a picture of the home, however the application stored it."""

from __future__ import annotations

import io
import warnings

from PIL import Image, ImageChops, ImageStat, UnidentifiedImageError

from deskbench.core.faults import BadArtifact

_PIXELS = 60_000_000


def alike(stored: bytes | None, given: bytes, what: str) -> bool:
    """Whether two pictures show the same: equal bytes, or nearly equal pixels at one size."""
    if stored is None or not stored:
        return False
    if stored == given:
        return True
    try:
        first, second = _pixels(stored, "the picture in the document"), _pixels(given, what)
    except BadArtifact:
        return False
    if abs(first.width / first.height - second.width / second.height) > 0.02:
        return False
    side = (min(first.width, second.width, 256), min(first.height, second.height, 256))
    difference = ImageChops.difference(first.resize(side), second.resize(side))
    return max(ImageStat.Stat(difference).mean) < 4


def _pixels(data: bytes, what: str) -> Image.Image:
    with warnings.catch_warnings():
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        try:
            picture = Image.open(io.BytesIO(data))
            if picture.width * picture.height > _PIXELS:
                raise BadArtifact(f"{what} has more pixels than are read")
            return picture.convert("RGBA")
        except (UnidentifiedImageError, OSError, SyntaxError, ValueError, Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
            raise BadArtifact(f"{what} is not a readable picture: {error}") from error

"""Opening sound and video files from a stranger with FFmpeg's libraries (PyAV).

Playlists and other formats that name further files are not opened, so that nothing outside the evidence is ever read.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from deskbench.core.faults import BadArtifact

if TYPE_CHECKING:
    from av.container import InputContainer

FORMATS = (
    "wav,w64,aiff,au,flac,ogg,mp3,aac,ac3,wv,caf,mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,flv,mpeg,mpegts,mpegvideo,asf,mxf,gif,ivf,h264,hevc,"
    "png_pipe,jpeg_pipe,webp_pipe"
)
"""What is opened: self-contained formats only (no hls, concat, sdp, image sequences)."""


@contextmanager
def open_media(path: Path, what: str) -> Iterator[InputContainer]:
    """An open sound or video file; BadArtifact if it is none, or if it turns out to be damaged while it is read."""
    import av

    try:
        with av.open(f"file:{path.absolute()}", "r", options={"format_whitelist": FORMATS, "protocol_whitelist": "file"}) as container:
            yield container
    except av.FFmpegError as error:
        raise BadArtifact(f"{what} is not a readable sound or video file: {error.strerror}") from error


def kind_of(container: InputContainer) -> str:
    """The container's common name, such as wav, mp3, ogg, mp4, matroska; FFmpeg lists aliases, of which the file's brand chooses."""
    names = str(container.format.name).split(",")
    if "mov" in names:
        brand = container.metadata.get("major_brand", "").strip()
        return "mov" if brand == "qt" else "m4a" if brand == "M4A" else "mp4"
    return "webm" if "webm" in names and container.metadata.get("DOCTYPE", "") == "webm" else names[0]

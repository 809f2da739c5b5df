"""Kdenlive, the video editor."""

from deskbench.core.app import App, Ready

# A version and a path to ffmpeg that exists are what keep the welcome wizard and its probing of encoders away.
SETTINGS = """[env]
defaultprojectfolder[$e]=$HOME/Videos
ffmpegpath[$e]=/usr/bin/ffmpeg
ffplaypath[$e]=/usr/bin/ffplay
ffprobepath[$e]=/usr/bin/ffprobe
lastCacheCheck=2099,1,1,0,0,0
mltpath[$e]=/usr/share/mlt-7/profiles
rendererpath[$e]=/usr/bin/melt-7

[misc]
crashrecovery=false

[sdl]
preferredcomposite=qtblend

[MainWindow]
1920x1080 screen: Window-Maximized=true
ToolBarsMovable=Disabled

[UiSettings]
ColorSchemePath=BreezeDark.colors

[unmanaged]
default_profile=atsc_1080p_25
force_breeze=true
use_dark_breeze=true

[version]
version=22.12.3
"""

# The wizard would have chosen the layout for editing; without it the main window comes up in no layout at all.
LAYOUT = (
    "layout=$(sed -n 's/^kdenlive_editing=//p' /usr/share/kdenlive/kdenlivedefaultlayouts.rc) && "
    'sed -i "s|^ToolBarsMovable=|State=$layout\\n&|" ~/.config/kdenliverc'
)

APP = App(
    name="kdenlive",
    title="Kdenlive",
    packages=("kdenlive", "melt", "ffmpeg", "frei0r-plugins", "mediainfo", "breeze-icon-theme", "pulseaudio"),
    argv=("kdenlive",),
    # The splash stays for seconds over the main window, which alone has the dash in its title.
    ready=Ready("— Kdenlive", quiet_seconds=0.5, splash="kdenlive"),
    ready_with_file=Ready("{stem}", quiet_seconds=0.5, splash="kdenlive"),
    profile={".config/kdenliverc": SETTINGS},
    first_run=(("sh", "-c", LAYOUT),),
    forget=(
        ".cache/icon-cache.kcache",
        ".cache/audioCache.kcache",
        ".cache/kdenlive/[0-9]*",
        ".local/share/user-places.xbel*",
        ".local/share/stalefiles",
    ),
    gl=True,
)

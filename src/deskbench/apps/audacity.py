"""Audacity, the sound editor."""

from deskbench.core.app import App, Ready

# Without its own version in the settings it takes them for somebody else's and greets anyway.
SETTINGS = """PrefsVersion=1.1.1r1
[GUI]
ShowSplashScreen=0
[Version]
Major=3
Minor=2
Micro=4
[Warnings]
FirstProjectSave=0
"""

# A sink that nobody hears, but that plays in real time: without one, Play ends in an error dialog.
SOUND = "pcm.!default {\n type pulse\n}\nctl.!default {\n type pulse\n}\n"
SINK = "load-module module-null-sink sink_name=desk\nload-module module-native-protocol-unix\nset-default-sink desk\n"

APP = App(
    name="audacity",
    title="Audacity",
    packages=("audacity", "ffmpeg", "libmp3lame0", "pulseaudio", "libasound2-plugins"),
    argv=("audacity",),
    # The start-up window has the name in its title too, but no menu.
    ready=Ready("Audacity", element=("menu", "File")),
    ready_with_file=Ready("{stem}", element=("menu", "File")),
    profile={
        ".config/audacity/audacity.cfg": SETTINGS,
        ".asoundrc": SOUND,
        ".config/pulse/default.pa": SINK,
        ".config/pulse/client.conf": "autospawn = yes\n",
        ".config/pulse/daemon.conf": "exit-idle-time = -1\nflat-volumes = no\n",
    },
    forget=(".config/audacity/lastlog.txt", ".local/state/audacity"),
)

"""Blender, the 3D suite. It shows nothing to assistive technology."""

from deskbench.core.app import App, Ready

PREFERENCES = """
import bpy

preferences = bpy.context.preferences
preferences.view.show_splash = False
preferences.view.smooth_view = 0
preferences.system.viewport_aa = "OFF"
preferences.filepaths.use_auto_save_temporary_files = False
preferences.filepaths.file_preview_type = "NONE"
bpy.ops.wm.save_userpref()
"""

"""No preview is drawn into a saved file and nothing is smoothed on the screen: both are drawn in software here, and take
seconds."""

APP = App(
    name="blender",
    title="Blender",
    packages=("blender", "libgl1-mesa-dri", "libegl-mesa0", "ffmpeg"),
    argv=("blender",),
    # Its window is one flat grey until the shaders are compiled: 8 s without a cache of them.
    ready=Ready("Blender", seconds=120, quiet_seconds=0.5, colours=64),
    ready_with_file=Ready("{stem}", seconds=120, quiet_seconds=0.5, colours=64),
    first_run=(("blender", "--background", "--factory-startup", "--python-expr", PREFERENCES),),
    forget=(".config/blender/*/config/recent-files.txt", ".cache/blender"),
    gl=True,
    accessible=False,
)

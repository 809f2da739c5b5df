"""The Xfce terminal, with bash. Copy and paste are Ctrl+Shift+C and Ctrl+Shift+V."""

from deskbench.core.app import App, Ready

SETTINGS = """[Configuration]
FontName=DejaVu Sans Mono 12
FontUseSystem=FALSE
MiscConfirmClose=FALSE
MiscCursorBlinks=FALSE
MiscMenubarDefault=TRUE
MiscMaximizeDefault=TRUE
MiscShowUnsafePasteDialog=FALSE
MiscShowRelaunchDialog=FALSE
ScrollingLines=10000
TitleInitial=Terminal
TitleMode=TERMINAL_TITLE_PREPEND
"""

APP = App(
    name="terminal",
    title="Terminal",
    packages=("xfce4-terminal", "bash", "less", "nano", "fonts-dejavu"),
    argv=("xfce4-terminal", "--disable-server"),
    argv_with_file=("xfce4-terminal", "--disable-server", "--working-directory={file}"),
    ready=Ready("Terminal", element=("terminal", "Terminal")),
    profile={".config/xfce4/terminal/terminalrc": SETTINGS},
    leave=(),
    forget=(".bash_history",),
)

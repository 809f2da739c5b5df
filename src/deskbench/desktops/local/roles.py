"""The names of accessibility roles and states, in the order of their numbers on the bus."""

ROLES = [
    "invalid", "accelerator label", "alert", "animation", "arrow", "calendar", "canvas", "check box", "check menu item", "color chooser",
    "column header", "combo box", "date editor", "desktop icon", "desktop frame", "dial", "dialog", "directory pane", "drawing area",
    "file chooser", "filler", "focus traversable", "font chooser", "frame", "glass pane", "html container", "icon", "image", "internal frame",
    "label", "layered pane", "list", "list item", "menu", "menu bar", "menu item", "option pane", "page tab", "page tab list", "panel",
    "password text", "popup menu", "progress bar", "push button", "radio button", "radio menu item", "root pane", "row header", "scroll bar",
    "scroll pane", "separator", "slider", "spin button", "split pane", "status bar", "table", "table cell", "table column header",
    "table row header", "tearoff menu item", "terminal", "text", "toggle button", "tool bar", "tool tip", "tree", "tree table", "unknown",
    "viewport", "window", "extended", "header", "footer", "paragraph", "ruler", "application", "autocomplete", "editbar", "embedded", "entry",
    "chart", "caption", "document frame", "heading", "page", "section", "redundant object", "form", "link", "input method window", "table row",
    "tree item", "document spreadsheet", "document presentation", "document text", "document web", "document email", "comment", "list box",
    "grouping", "image map", "notification", "info bar", "level bar", "title bar", "block quote", "audio", "video", "definition", "article",
    "landmark", "log", "marquee", "math", "rating", "timer", "static", "math fraction", "math root", "subscript", "superscript",
    "description list", "description term", "description value", "footnote", "content deletion", "content insertion", "mark", "suggestion",
    "push button menu",
]  # fmt: skip

SENSITIVE, SHOWING, VISIBLE = 24, 25, 30
ENABLED = 8

STATES = {
    1: "active",
    3: "busy",
    4: "checked",
    5: "collapsed",
    7: "editable",
    9: "expandable",
    10: "expanded",
    11: "focusable",
    12: "focused",
    16: "modal",
    17: "multi line",
    20: "pressed",
    22: "selectable",
    23: "selected",
    32: "indeterminate",
    33: "required",
    36: "invalid entry",
    39: "default",
    41: "checkable",
    42: "has popup",
    43: "read only",
}
"""The states worth telling an agent; `disabled` is added where a thing is neither enabled nor sensitive."""


def role_name(number: int) -> str:
    return ROLES[number] if 0 <= number < len(ROLES) else "unknown"


def bits(words: list[int]) -> int:
    """A state set as one number."""
    return sum(word << 32 * place for place, word in enumerate(words))


def state_names(states: int) -> frozenset[str]:
    named = {name for bit, name in STATES.items() if states >> bit & 1}
    if not (states >> ENABLED & 1 or states >> SENSITIVE & 1):
        named.add("disabled")
    return frozenset(named)

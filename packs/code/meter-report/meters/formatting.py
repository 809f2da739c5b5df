"""How reports look."""


def heading(text):
    """A heading with a line under it."""
    return f"{text}\n{'=' * len(text)}"

"""Properties are checked without a deadline: on a shared machine a slow moment is not a failure."""

from hypothesis import settings

settings.register_profile("shared machine", deadline=None)
settings.load_profile("shared machine")

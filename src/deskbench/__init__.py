"""Deskbench: the exam hall for computer-use agents."""

__version__ = "0.1.0"

"""What every dialect is: the action language of a model, in both directions, with its coordinate space and picture.

A new dialect is one file with a class of this kind. It holds no state: everything that it needs comes as arguments, so the same
dialect serves every episode at once, and writes recorded demonstrations as well as it reads a model's answers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from PIL import Image

from deskbench.core.action import Action
from deskbench.core.chat import Picture, Reply, Tool
from deskbench.core.frame import Frame
from deskbench.core.observation import Box, Mark
from deskbench.core.ports import Brief
from deskbench.dialects.space import NotUnderstood, Space, pixels


class CannotSay(ValueError):
    """An action for which a dialect has no words."""


@dataclass(frozen=True, slots=True)
class Zoom:
    """A model's wish to see part of the screen enlarged: it is answered from the picture at hand and costs no step."""

    box: Box


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a model's answer means: actions in screen pixels, looks that cost nothing, or `invalid` with why it could not be understood.

    `note` is what it asked to be reminded of later (a memory block, a conclusion).
    """

    actions: tuple[Action, ...] = ()
    thought: str = ""
    looks: tuple[Zoom, ...] = ()
    note: str = ""
    invalid: str = ""


class Dialect(ABC):
    """A model's action language."""

    name: ClassVar[str]
    about: ClassVar[str]
    """One line for `deskbench agents`."""
    coordinates: ClassVar[str]
    """The coordinate space in words, for `deskbench agents`."""
    pictures: ClassVar[int] = 3
    """So many pictures of the past a model of this kind is used to seeing; older ones become text."""
    marks: ClassVar[bool] = False
    """Whether it names elements by the numbers of their marks."""

    def space(self, screen: tuple[int, int]) -> Space:
        """Where the model's numbers lie on a screen of this size."""
        return pixels(screen, self.shown_size(screen))

    def shown_size(self, screen: tuple[int, int]) -> tuple[int, int]:
        """The size of the picture that the model is sent."""
        return screen

    def show(self, frame: Frame) -> Picture:
        """The picture that the model is sent."""
        size = self.shown_size(frame.size)
        if size == frame.size:
            return Picture(frame.png, "image/png", size)
        # A frame writes PNG three times as fast as Pillow does.
        return Picture(Frame.from_image(frame.image.resize(size, Image.Resampling.LANCZOS)).png, "image/png", size)

    @abstractmethod
    def system(self, brief: Brief) -> str:
        """What the model is told before everything else, in our words: the language it is to speak, and how to ask, finish and give up."""

    def tools(self, screen: tuple[int, int]) -> tuple[Tool, ...]:
        """The tools that it may call; none for a dialect of plain text."""
        return ()

    def parse(self, reply: Reply, screen: tuple[int, int], marks: Sequence[Mark] = ()) -> Parsed:
        """What an answer means. Never raises on anything that a model can say."""
        try:
            return self.read(reply, self.space(screen), marks)
        except NotUnderstood as error:
            return Parsed(invalid=str(error))

    @abstractmethod
    def read(self, reply: Reply, space: Space, marks: Sequence[Mark]) -> Parsed:
        """As `parse`; NotUnderstood for what is no action, and no other exception."""

    @abstractmethod
    def write(self, actions: Sequence[Action], screen: tuple[int, int], thought: str = "") -> Reply:
        """What a model of this kind would have said to do this; CannotSay for what its language lacks."""

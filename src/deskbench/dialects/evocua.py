"""EvoCUA: tool calls as Qwen3-VL makes them, with keys that can be held; or, in its S1 style, a thought and pyautogui code, which is parsed."""

from __future__ import annotations

from typing import ClassVar

from deskbench.dialects.opencua import OpenCUA
from deskbench.dialects.qwen import Qwen3Vl
from deskbench.dialects.space import Space


class EvoCua(Qwen3Vl):
    """EvoCUA's tool-call style. Held keys are words of their own here, so a click with modifiers is said in three calls."""

    name: ClassVar[str] = "evocua"
    about: ClassVar[str] = "EvoCUA: tool calls in XML with held keys"
    verbs: ClassVar[tuple[str, ...]] = (*Qwen3Vl.verbs, "key_down", "key_up")


class EvoCuaS1(OpenCUA):
    """EvoCUA's S1 style: code on the same grid and for the same picture as its tool calls."""

    name = "evocua-s1"
    about = "EvoCUA S1: a thought, an action and a block of pyautogui"
    coordinates = "0 to 999 in both directions"
    units = "whole numbers from 0 to 999 over the screen's width and height, as in pyautogui.click(x=500, y=250)"
    pictures = 4

    def space(self, screen: tuple[int, int]) -> Space:
        return Qwen3Vl().space(screen)

    def shown_size(self, screen: tuple[int, int]) -> tuple[int, int]:
        return Qwen3Vl().shown_size(screen)

"""A Gymnasium environment: one task, one live desktop, the reward at the end.

    import gymnasium, deskbench.gym
    env = gymnasium.make("deskbench/Desktop-v0", task="inkscape/title-size")
    screen, info = env.reset(seed=0)
    screen, reward, terminated, truncated, info = env.step(env.unwrapped.encode(Click(x=100, y=200)))

An observation is the screen as height x width x 3 bytes. `info` carries the words: the instruction, what the client says, the windows, the
milestones reached. The reward is the verdict's score at the end and nothing before, or with `reward="milestones"` also each milestone's share
as it is reached. A fault of ours is raised, never rewarded with nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, SupportsFloat

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from deskbench.core import action as a
from deskbench.core.faults import DesktopFault, Misuse
from deskbench.core.ports import Wants
from deskbench.runner.seat import Seat

KINDS = ("move", "click", "double_click", "right_click", "drag", "scroll", "type", "key", "wait", "done", "fail")
MODIFIERS = ("ctrl", "shift", "alt", "super")
KEYS = (
    "enter", "tab", "escape", "space", "backspace", "delete", "home", "end", "page_up", "page_down", "up", "down", "left", "right",
    *(f"f{number}" for number in range(1, 13)),
    *"abcdefghijklmnopqrstuvwxyz0123456789",
)  # fmt: skip
TEXT_LIMIT = 256
Screen = NDArray[np.uint8]
TakeSeat = Callable[[int], Seat]


class DesktopEnv(gymnasium.Env[Screen, dict[str, Any]]):
    """A task as an environment. A seed draws the task's parameters; without one, the next reset draws the next."""

    metadata = {"render_modes": ["rgb_array"], "render_fps": 4}  # noqa: RUF012 - Gymnasium's own name and kind

    def __init__(
        self,
        task: str = "inkscape/title-size",
        *,
        out: str | Path = "runs/gym",
        language: str = "en",
        reward: Literal["verdict", "milestones"] = "verdict",
        render_mode: str | None = None,
        screen: tuple[int, int] = (1920, 1080),
        take: TakeSeat | None = None,
    ) -> None:
        if reward not in ("verdict", "milestones"):
            raise Misuse(f"there is no reward {reward!r}; say verdict or milestones")
        width, height = screen
        self.render_mode = render_mode
        self.observation_space = spaces.Box(0, 255, (height, width, 3), np.uint8)
        self.action_space = spaces.Dict(
            {
                "kind": spaces.Discrete(len(KINDS)),
                "point": spaces.MultiDiscrete([width, height]),
                "to": spaces.MultiDiscrete([width, height]),
                "notches": spaces.MultiDiscrete([21, 21], start=[-10, -10]),
                "text": spaces.Text(TEXT_LIMIT, min_length=0, charset=_typed()),
                "key": spaces.Discrete(len(KEYS)),
                "modifiers": spaces.MultiBinary(len(MODIFIERS)),
            }
        )
        self._take = take or (lambda seed: Seat.take(task, Path(out), agent="gym", seed=seed, language=language, wants=Wants()))
        self._by_milestones = reward == "milestones"
        self._seat: Seat | None = None
        self._screen: Screen = np.zeros((height, width, 3), np.uint8)
        self._reached = 0.0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Screen, dict[str, Any]]:
        """A fresh desktop with the task set up."""
        super().reset(seed=seed)
        self.close()
        self._seat = self._take(seed if seed is not None else int(self.np_random.integers(0, 1 << 16)))
        self._raise_fault()
        self._reached = self._share_reached()
        return self._look(), self._info()

    def step(self, action: dict[str, Any] | a.Action) -> tuple[Screen, SupportsFloat, bool, bool, dict[str, Any]]:
        """Carry out an action: one of the action space, or one of Deskbench's own."""
        if self._seat is None or self._seat.over:
            raise Misuse("the episode is over; call reset")
        self._seat.act([self.decode(action) if isinstance(action, dict) else action])
        self._raise_fault()
        episode = self._seat.episode
        reward = self._reward()
        stop = episode.stop if episode is not None else None
        truncated = stop in ("steps", "seconds")
        return self._look(), reward, stop is not None and not truncated, truncated, self._info()

    def _reward(self) -> float:
        assert self._seat is not None
        share, before = self._share_reached(), self._reached
        self._reached = share
        shaped = (share - before) if self._by_milestones else 0.0
        episode = self._seat.episode
        return shaped + (episode.verdict.score or 0.0 if episode is not None else 0.0)

    def _share_reached(self) -> float:
        assert self._seat is not None
        reached = self._seat.milestones
        return sum(bool(step) for step in reached.values()) / len(reached) if reached else 0.0  # those of step 0 are setup's, not the agent's

    def _raise_fault(self) -> None:
        assert self._seat is not None
        episode = self._seat.episode
        if episode is not None and episode.verdict.fault is not None:
            raise DesktopFault(f"a fault of ours ended the episode: {episode.verdict.fault.sentence}; call reset and go on")

    def _look(self) -> Screen:
        assert self._seat is not None
        if self._seat.look is not None:
            self._screen = np.ascontiguousarray(self._seat.look.frame.pixels[..., 2::-1])
        return self._screen

    def _info(self) -> dict[str, Any]:
        assert self._seat is not None
        look, episode = self._seat.look, self._seat.episode
        found: dict[str, Any] = {"instruction": self._seat.brief.instruction, "task": self._seat.job.spec.task, "seed": self._seat.job.spec.seed}
        found["milestones"] = dict(self._seat.milestones)
        if look is not None:
            found["messages"] = [message.text for message in look.messages]
            found["windows"] = [window.title for window in look.windows]
            found["refused"] = next((outcome for outcome in look.outcomes if outcome), "")
        if episode is not None:
            found["episode"] = episode.model_dump(mode="json")
        return found

    def decode(self, action: dict[str, Any]) -> a.Action:
        """The action that a point of the action space stands for."""
        kind = KINDS[int(action["kind"])]
        x, y = (int(value) for value in action["point"])
        held = tuple(name for name, on in zip(MODIFIERS, action["modifiers"], strict=True) if on)
        match kind:
            case "move":
                return a.Move(x=x, y=y)
            case "click":
                return a.Click(x=x, y=y, modifiers=held)
            case "double_click":
                return a.Click(x=x, y=y, count=2, modifiers=held)
            case "right_click":
                return a.Click(x=x, y=y, button="right", modifiers=held)
            case "drag":
                return a.Drag(path=((x, y), tuple(int(value) for value in action["to"])), modifiers=held)
            case "scroll":
                return a.Scroll(x=x, y=y, dx=int(action["notches"][0]), dy=int(action["notches"][1]), modifiers=held)
            case "type":
                return a.Type(text=action["text"])
            case "key":
                return a.Key(keys=(*held, KEYS[int(action["key"])]))
            case "wait":
                return a.Wait(seconds=1)
            case "done":
                return a.Done(answer=action["text"])
        return a.Fail(reason=action["text"])

    def encode(self, action: a.Action) -> dict[str, Any]:
        """The point of the action space that stands for an action; Misuse for one that it has no room for."""
        point = a.points(action)
        found: dict[str, Any] = {
            "kind": np.int64(KINDS.index(_kind(action))),
            "point": np.array(point[0] if point else (0, 0), np.int64),
            "to": np.array(point[-1] if len(point) > 1 else (0, 0), np.int64),
            "notches": np.array([getattr(action, "dx", 0), getattr(action, "dy", 0)], np.int64),
            "text": str(getattr(action, "text", "") or getattr(action, "answer", "") or getattr(action, "reason", "")),
            "key": np.int64(0),
            "modifiers": np.array([name in getattr(action, "modifiers", ()) for name in MODIFIERS], np.int8),
        }
        if isinstance(action, a.Key):
            found["key"] = np.int64(KEYS.index(action.keys[-1]) if action.keys[-1] in KEYS else -1)
            found["modifiers"] = np.array([name in action.keys[:-1] for name in MODIFIERS], np.int8)
        if self.decode(found) != action:
            raise Misuse(f"the action space has no room for {action!r}; step(...) takes it as it is")
        return found

    def render(self) -> Screen | None:
        """The screen, where the render mode asks for it."""
        return self._screen if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        """Get up from the desk; what there was is judged and kept."""
        if self._seat is not None:
            self._seat.leave()
            self._seat = None


def _kind(action: a.Action) -> str:
    if isinstance(action, a.Click):
        kind = {("left", 1): "click", ("left", 2): "double_click", ("right", 1): "right_click"}.get((action.button, action.count), "")
    else:
        kind = action.kind
    if kind not in KINDS:
        raise Misuse(f"the action space has no room for {action!r}; step(...) takes it as it is")
    return kind


def _typed() -> str:
    return "".join(chr(code) for code in range(32, 127)) + "\n"


gymnasium.register("deskbench/Desktop-v0", entry_point="deskbench.gym:DesktopEnv")

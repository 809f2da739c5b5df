"""The Inspect door, with Inspect's own mock model."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog
from inspect_ai.model import ModelOutput, ModelUsage, get_model

from deskbench.inspect import sitting, verdict
from deskbench.runner.seat import Seat

TakeSeat = Callable[..., Seat]

# Inspect leaves streams of its own to the garbage collector.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning")


@pytest.fixture(autouse=True)
def swept() -> Iterator[None]:
    """What Inspect leaves is collected here, where it is expected, not at another test's cost."""
    yield
    gc.collect()


def says(*calls: tuple[str, dict[str, Any]] | str) -> list[ModelOutput]:
    outputs = [
        ModelOutput.from_content("mockllm/model", call) if isinstance(call, str) else ModelOutput.for_tool_call("mockllm/model", call[0], call[1])
        for call in calls
    ]
    for output in outputs:  # without a count of its own, the mock model would fetch a tokenizer from the internet
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return outputs


def evaluate(take: TakeSeat, tmp_path: Path, outputs: list[ModelOutput], **written: Any) -> EvalLog:
    sample = Sample(id="fake/note#0", input="Write hello.", metadata={"task": "fake/note", "seed": 0})
    model = get_model("mockllm/model", custom_outputs=outputs)
    task = Task(dataset=[sample], solver=sitting(lambda name, seed, model: take(seed, **written)), scorer=verdict())
    (log,) = inspect_eval(task, model=model, display="none", log_dir=str(tmp_path / "logs"), log_level="error")
    return log


def score_of(log: EvalLog) -> Any:
    assert log.status == "success", log.error
    assert log.samples is not None and log.samples[0].scores is not None
    return next(iter(log.samples[0].scores.values()))


def test_the_mock_model_completes_a_task(take: TakeSeat, tmp_path: Path) -> None:
    log = evaluate(take, tmp_path, says(("screenshot", {}), ("type_text", {"text": "hello"}), ("finish", {})))
    assert score_of(log).value == 1.0
    assert log.samples is not None
    shown = [part for message in log.samples[0].messages if isinstance(message.content, list) for part in message.content]
    assert sum(part.type == "image" for part in shown) >= 2


def test_a_wrong_result_scores_nothing_and_says_why(take: TakeSeat, tmp_path: Path) -> None:
    score = score_of(evaluate(take, tmp_path, says(("type_text", {"text": "goodbye"}), ("finish", {}))))
    assert score.value == 0.0
    assert "note.txt" in score.explanation


def test_a_model_that_only_talks_is_not_waited_for(take: TakeSeat, tmp_path: Path) -> None:
    assert score_of(evaluate(take, tmp_path, says("Hm.", "Let me think.", "I am thinking.", "Still."))).value == 0.0


def test_bad_arguments_go_back_to_the_model(take: TakeSeat, tmp_path: Path) -> None:
    log = evaluate(take, tmp_path, says(("click", {"x": -3, "y": 5}), ("type_text", {"text": "hello"}), ("finish", {})))
    assert score_of(log).value == 1.0


def test_a_fault_is_an_error_of_the_sample(take: TakeSeat, tmp_path: Path) -> None:
    log = evaluate(take, tmp_path, says(("finish", {})), setup=[{"run": ["false"]}])
    assert log.status == "error"
    assert (log.error is not None and "fault of ours" in log.error.message) or "could not be taken" in str(log.error)

"""The checks of Kdenlive projects, on projects saved by Kdenlive 22.12."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deskbench.checks import apply, arguments
from deskbench.checks.evidence import Evidence
from deskbench.core.verdict import Finding

HERE = Path(__file__).parent / "artifacts" / "timeline"
NEAR = 0.05


@pytest.fixture
def cuts(evidence_of: Callable[..., Evidence]) -> Evidence:
    return evidence_of({f"~/{path.name}": path for path in HERE.iterdir()})


def check(evidence: Evidence, check_name: str, project: str, **given: Any) -> Finding:
    return apply(check_name, arguments(check_name, {"file": f"~/{project}.kdenlive", **given}), evidence)


@pytest.mark.parametrize(
    ("name", "project", "given", "right"),
    [
        ("project", "bin_only", {}, True),
        ("project", "two", {"width": 1920, "height": 1080, "fps": 25, "seconds": {"is": 7.92, "within": NEAR}, "video_tracks": 2}, True),
        ("project", "two", {"fps": 30}, False),
        ("project", "bin_only", {"seconds": {"at_least": 1}}, False),
        ("clip", "two", {"clip": "red.mp4", "track": "V1", "start": 0, "seconds": {"is": 3.96, "within": NEAR}}, True),
        ("clip", "two", {"clip": "blue.mp4", "kind": "audio", "start": {"is": 3.96, "within": NEAR}}, True),
        ("clip", "bin_only", {"clip": "red.mp4"}, False),
        ("clip", "two", {"clip": "red.mp4", "track": "V2"}, False),
        ("clip", "two", {"clip": "red.mp4", "start": {"is": 1, "within": NEAR}}, False),
        ("clip", "two", {"clip": "green.mp4"}, False),
        ("clip", "mix", {"clip": "blue.mp4", "track": "A1", "begin": {"is": 1, "within": NEAR}, "start": {"is": 3, "within": NEAR}}, True),
        ("clip", "full", {"clip": "red.mp4", "count": 2}, True),
        ("clip", "two", {"clip": "red.mp4", "track": "V1", "count": 2}, False),
        ("clip", "full", {"clip": "music.wav", "track": "A2"}, True),
        ("no_clip", "two", {"clip": "music.wav"}, True),
        ("no_clip", "full", {"clip": "music.wav"}, False),
        ("no_clip", "bin_only", {"clip": "music.wav"}, False),
        ("order", "two", {"track": "V1", "clips": ["red.mp4", "blue.mp4"]}, True),
        ("order", "two", {"track": "V1", "clips": ["blue.mp4", "red.mp4"]}, False),
        ("order", "bin_only", {"track": "V1", "clips": ["red.mp4", "blue.mp4"]}, False),
        ("gapless", "two", {"track": "V1"}, True),
        ("gapless", "gap", {"track": "V1"}, False),
        ("gapless", "mix", {"track": "V1"}, True),
        ("gapless", "full", {"track": "V2"}, False),
        ("gapless", "full", {"track": "V2", "start": 3.48}, True),
        ("gapless", "bin_only", {"track": "V1"}, False),
        ("transition", "mix", {"between": ["red.mp4", "blue.mp4"], "mix": True, "seconds": {"is": 1, "within": NEAR}, "track": "V1"}, True),
        ("transition", "mix", {"kind": "luma", "start": {"is": 2.48, "within": NEAR}}, True),
        ("transition", "mix", {"seconds": {"is": 2, "within": NEAR}}, False),
        ("transition", "mix", {"between": ["red.mp4", "music.wav"]}, False),
        ("transition", "two", {}, False),
        ("transition", "two", {"count": 0}, True),
        ("effect", "gap", {"clip": "red.mp4", "effect": "sepia", "parameters": {"u": 75, "v": {"at_least": 100}}}, True),
        ("effect", "gap", {"clip": "red.mp4", "effect": "sepia", "parameters": {"u": 80}}, False),
        ("effect", "gap", {"clip": "blue.mp4", "effect": "sepia"}, False),
        ("effect", "two", {"effect": "volume"}, False),
        ("effect", "gap", {"effect": "sepia", "count": 1}, True),
        ("effect", "gap", {"effect": "sepia", "count": 2}, False),
        ("no_effect", "two", {"clip": "red.mp4", "effect": "sepia"}, True),
        ("no_effect", "gap", {"clip": "red.mp4", "effect": "sepia"}, False),
        ("no_effect", "bin_only", {"clip": "red.mp4", "effect": "sepia"}, False),
        ("fade", "gap", {"clip": "red.mp4", "of": "audio", "way": "in", "seconds": {"is": 3, "within": NEAR}}, True),
        ("fade", "gap", {"clip": "red.mp4", "of": "audio", "way": "in", "seconds": {"is": 1, "within": NEAR}}, False),
        ("fade", "gap", {"clip": "red.mp4", "of": "audio", "way": "out"}, False),
        ("fade", "mix", {"clip": "blue.mp4", "of": "video", "way": "in", "seconds": {"is": 3, "within": NEAR}}, True),
        ("fade", "mix", {"clip": "red.mp4", "of": "audio", "way": "out", "seconds": {"is": 3, "within": NEAR}}, True),
        ("title", "full", {"text": "Harbour Days", "track": "V2", "start": 3.48, "seconds": 5, "size": 54, "colour": "#ffffff"}, True),
        ("title", "full", {"text": "Harbour Days", "size": 72}, False),
        ("title", "full", {"text": "Harbor Days"}, False),
        ("title", "full", {"text": "Harbour Days", "colour": "#ff0000"}, False),
        ("title", "two", {"text": "Harbour Days"}, False),
        ("guide", "full", {"text": "Chorus", "at": 1}, True),
        ("guide", "full", {"text": "Chorus", "at": 2}, False),
        ("guide", "two", {}, False),
        ("guide", "two", {"count": 0}, True),
        ("marker", "gap", {"clip": "red.mp4", "at": 2}, True),
        ("marker", "gap", {"clip": "blue.mp4"}, False),
        ("track", "muted", {"track": "A2", "muted": True}, True),
        ("track", "full", {"track": "A2", "muted": True}, False),
        ("track", "full", {"track": "V1", "clips": 2, "kind": "video", "hidden": False, "locked": False}, True),
        ("track", "full", {"track": "V3"}, False),
    ],
)
def test_projects(cuts: Evidence, name: str, project: str, given: dict[str, Any], right: bool) -> None:
    finding = check(cuts, f"timeline.{name}", project, **given)
    assert finding.passed is right, finding.sentence


def test_a_clip_in_the_bin_is_told_as_such(cuts: Evidence) -> None:
    assert "only in the bin" in check(cuts, "timeline.clip", "bin_only", clip="red.mp4").sentence


def test_what_the_interface_writes_in_other_ways(evidence_of: Callable[..., Evidence]) -> None:
    """Variations made by hand on saved projects: an effect switched off, a named and locked track, a slowed clip, a composition."""
    gap, full = (HERE / "gap.kdenlive").read_text(), (HERE / "full.kdenlive").read_text()
    off = gap.replace(
        '<property name="kdenlive_id">sepia</property>', '<property name="kdenlive_id">sepia</property><property name="disable">1</property>'
    )
    named = full.replace(
        '<property name="kdenlive:audio_track">1</property>\n  <property name="kdenlive:trackheight">',
        '<property name="kdenlive:audio_track">1</property><property name="kdenlive:track_name">Music</property>'
        '<property name="kdenlive:locked_track">1</property>\n  <property name="kdenlive:trackheight">',
        1,
    )
    slow = gap.replace("Videos/red.mp4", "0.5:Videos/red.mp4").replace("avformat-novalidate", "timewarp")
    slow = slow.replace('<property name="seekable">', '<property name="warp_speed">0.5</property><property name="seekable">')
    wipe = '<transition id="t9" in="00:00:04.000" out="00:00:04.960"><property name="a_track">3</property><property name="b_track">4</property>'
    wipe += '<property name="mlt_service">luma</property><property name="kdenlive_id">wipe</property></transition>'
    composed = full.replace('<track producer="tractor3"/>', '<track producer="tractor3"/>' + wipe)
    evidence = evidence_of({"~/off.kdenlive": off, "~/named.kdenlive": named, "~/slow.kdenlive": slow, "~/composed.kdenlive": composed})
    assert "switched off" in check(evidence, "timeline.effect", "off", clip="red.mp4", effect="sepia").sentence
    assert check(evidence, "timeline.no_effect", "off", clip="red.mp4", effect="sepia").passed
    assert check(evidence, "timeline.track", "named", track="Music", locked=True).passed
    assert check(evidence, "timeline.clip", "slow", clip="red.mp4", speed=0.5).passed
    assert check(evidence, "timeline.transition", "composed", kind="wipe", track="V2", seconds=1, mix=False).passed
    assert check(evidence, "timeline.transition", "composed", between=["Harbour Days", "blue.mp4"]).passed


def test_the_rest_of_a_project_is_as_it_was(evidence_of: Callable[..., Evidence]) -> None:
    """Two projects as Kdenlive saved them: a clip cut short, coloured, with a marker; and two clips with music, muted at last."""
    two, gap, full, muted = ((HERE / f"{name}.kdenlive").read_text() for name in ("two", "gap", "full", "muted"))
    evidence = evidence_of({"~/cut.kdenlive": gap, "~/full.kdenlive": muted}, before={"~/cut.kdenlive": two, "~/full.kdenlive": full})
    assert check(evidence, "timeline.unchanged", "cut", **{"except": ["red.mp4", "markers"]}).passed
    for missing in ("red.mp4", "markers"):
        assert not check(evidence, "timeline.unchanged", "cut", **{"except": [missing]}).passed
    assert "blue.mp4" not in check(evidence, "timeline.unchanged", "cut").sentence
    assert not check(evidence, "timeline.unchanged", "full").passed
    assert check(evidence, "timeline.unchanged", "full", **{"except": ["tracks"]}).passed
    assert not check(evidence, "timeline.unchanged", "full", of="~/cut.kdenlive", **{"except": ["tracks"]}).passed
    faded = evidence_of({"~/cut.kdenlive": gap.replace(">75<", ">60<")}, before={"~/cut.kdenlive": gap})
    assert not check(faded, "timeline.unchanged", "cut").passed
    assert check(faded, "timeline.unchanged", "cut", **{"except": ["effects"]}).passed


def test_hostile_projects_are_failed_findings(evidence_of: Callable[..., Evidence]) -> None:
    good = (HERE / "two.kdenlive").read_text()
    laughs = '<!DOCTYPE mlt [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>'
    hostile = {
        "empty": "",
        "text": "not a project",
        "other": "<svg xmlns='http://www.w3.org/2000/svg'/>",
        "truncated": good[:9000],
        "entities": good.replace("<mlt ", laughs + "<mlt ", 1).replace("Videos/red.mp4", "&b;"),
        "no_rate": good.replace('frame_rate_den="1"', 'frame_rate_den="0"'),
        "no_number": good.replace('width="1920"', 'width="wide"'),
        "no_profile": good.replace("<profile ", "<profil "),
        "no_tracks": good.replace('producer="black_track"', 'producer="x"'),
        "for_ever": good.replace('out="00:00:03.920"', 'out="9999:59:59.000"'),
        "bad_guides": good.replace(
            '<property name="xml_retain">', '<property name="kdenlive:docproperties.guides">{"a"</property><property name="xml_retain">'
        ),
        "bad_time": good.replace('out="00:00:03.920"', 'out="soon"'),
    }
    evidence = evidence_of({f"~/{name}.kdenlive": content for name, content in hostile.items()})
    for name in [*hostile, "missing"]:
        assert not check(evidence, "timeline.clip", name, clip="red.mp4").passed, name

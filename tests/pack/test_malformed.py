"""Every kind of mistake in a task file gives one sentence, with the file and the right line."""

from __future__ import annotations

from pathlib import Path

import pytest

from deskbench.pack.load import TaskError, read

GOOD = """\
id: inkscape/poster
level: L1
apps: [inkscape]
domain: design/vector
persona: graphic-designer
source: a manual
params:
  size: {one_of: [48, 60]}
instruction:
  en: Make the title {size} px.
  zh: 把标题改为 {size} px。
setup:
  - put: {poster.svg: ~/Documents/poster.svg}
  - launch: {app: inkscape, open: ~/Documents/poster.svg}
checks:
  - svg.text: {file: ~/Documents/poster.svg, id: title, font_size: {is: "{size}", within: 0.5}}
  - only_changed: [~/Documents/poster.svg]
milestones:
  - {id: opened, says: The poster is open, probe: {window.title: {contains: poster}}}
  - {id: saved, says: The poster is saved, probe: {files.exists: ~/Documents/poster.svg}}
procedure:
  - {do: Select the title, by: [{key: tab}], reaches: opened}
  - {do: Save the drawing, by: [{key: ctrl+s}, {wait_for: {no_window: "*"}}], reaches: saved}
budget: {steps: 30}
"""

MISTAKES: list[tuple[str, str, str, int]] = [
    # what is replaced, by what, a piece of the sentence, its line
    ("level: L1", "level: L9", "level", 2),
    ("level: L1\n", "", "'level' is missing", 1),
    ("level: L1", "level: L1\nlevle: L1", "no key 'levle'", 3),
    ("level: L1", "level: L1\nlevel: L2", "stands twice", 3),
    ("level: L1", "level: [L1", "cannot be read", 3),
    ("level: L1", "level: !!python/object:os.system L1", "cannot be read", 2),
    ("level: L1", "level: &a L1\nlabels: *b", "cannot be read", 3),
    ("id: inkscape/poster", "id: inkscape/other", "the folder says", 1),
    ("id: inkscape/poster", "id: Poster", "id", 1),
    ("apps: [inkscape]", "apps: [nosuchapp]", "no application is called 'nosuchapp'", 3),
    ("apps: [inkscape]", "apps: []", "apps", 3),
    ("domain: design/vector", "domain: Design Stuff", "domain", 4),
    ("persona: graphic-designer", "persona: 7", "persona", 5),
    ("one_of: [48, 60]", "one_of: [48]", "at least 2", 8),
    ("one_of: [48, 60]", "range: [48, 60]", "no key 'range'", 8),
    ("one_of: [48, 60]", "between: [5, 5]", "at least two values", 8),
    ("en: Make the title {size} px.", "en: Make the title {sise} px.", "no parameter 'sise'", 10),
    ("size: {one_of: [48, 60]}", "size: {one_of: [48, 60]}\n  unused: {one_of: [1, 2]}", "'unused' is never used", 9),
    ("en: Make the title {size} px.", "en: ''", "language en", 1),
    ("en: Make the title", "fr: Make the title", "instruction", 10),
    ("put: {poster.svg:", "put: {missing.svg:", "'missing.svg' is missing", 13),
    ("put: {poster.svg: ~/Documents/poster.svg}", "put: {poster.svg: /etc/poster.svg}", "not a path below the home", 13),
    ("put: {poster.svg: ~/Documents/poster.svg}", "put: {poster.svg: ~/../poster.svg}", "leads out of the home", 13),
    ("put: {poster.svg: ~/Documents/poster.svg}", "put: {../../../poster.svg: ~/poster.svg}", "outside the packs", 13),
    ("- put: {poster.svg: ~/Documents/poster.svg}\n", "", "poster.svg is not used", 1),
    ("- launch: {app: inkscape, open: ~/Documents/poster.svg}", "- sleep: 5", "a step is one of", 14),
    ("launch: {app: inkscape,", "launch: {app: nosuchapp,", "no application is called", 14),
    ("launch: {app: inkscape, open", "launch: {application: inkscape, open", "'app' is missing", 14),
    ("- launch: {app", "- wait_until: {}\n  - launch: {app", "exactly one of", 14),
    ("svg.text:", "svg.txet:", "no check 'svg.txet'", 16),
    ("svg.text:", "vector.text:", "no check 'vector.text'", 16),
    ("svg.text: {file: ~/Documents/poster.svg, id: title", "svg.text: {id: title", "'file' is missing", 16),
    ("id: title, font_size", "id: title, fontsize: 3, font_size", "no key 'fontsize'", 16),
    ('font_size: {is: "{size}", within: 0.5}', "font_size: {within: 0.5}", "which number is expected", 16),
    ("svg.text: {file: ~/Documents/poster.svg", "svg.text: {file: /etc/passwd", "not a path below the home", 16),
    ("- only_changed: [~/Documents/poster.svg]", "- {only_changed: [~/a], files.exists: ~/b}", "one name with its arguments", 17),
    ("- only_changed: [~/Documents/poster.svg]", "- any: [{files.exists: ~/a}]", "at least two checks", 17),
    ("{id: opened, says", "{id: Opened!, says", "milestones.0.id", 19),
    ("{id: saved, says", "{id: opened, says", "two milestones share an id", 1),
    ("probe: {window.title:", "probe: {window.titel:", "no check 'window.titel'", 19),
    ("probe: {files.exists: ~/Documents/poster.svg}", "probe: {files.tree: {folder: ~/Documents, entries: [a]}}", "look at a file", 20),
    ("by: [{key: tab}]", "by: [{wait_for: {file: ~/a}}]", "not a file", 22),
    ("by: [{key: tab}]", "by: [{key: nosuchkey}]", "no key is called 'nosuchkey'", 22),
    ("by: [{key: tab}]", "by: []", "at least 1", 22),
    ("by: [{key: tab}]", "by: [{tap: tab}]", "a step is one of", 22),
    ("by: [{key: tab}]", "by: [{click: {x: 3}}]", "both x and y", 22),
    ("by: [{key: tab}]", "by: [{open_app: gimp}]", "opens gimp, which is not among the task's apps", 22),
    ("probe: {window.title: {contains: poster}}", "probe: {mail.message: {folder: ~/.post}}", "which a milestone cannot", 19),
    ("reaches: opened", "reaches: nowhere", "which is no milestone", 1),
    ("budget: {steps: 30}", "budget: {preset: osworld}", "no budget called 'osworld'", 24),
    ("budget: {steps: 30}", "budget: {steps: 0}", "budget.steps", 24),
    ("budget: {steps: 30}", "near_misses: [{says: a wrong value, replace: {9: []}, fails: svg.text}]", "does not have", 1),
    ("budget: {steps: 30}", "near_misses: [{says: a wrong value, replace: {1: []}, fails: svg.nothing}]", "which check catches it", 1),
    ("budget: {steps: 30}", "values: {size: 3}", "no key 'values'", 24),
]


def write(folder: Path, text: str) -> Path:
    task = folder / "inkscape" / "poster"
    task.mkdir(parents=True)
    (task / "poster.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    (task / "task.yaml").write_text(text, encoding="utf-8")
    return task / "task.yaml"


def test_the_good_file_is_good(tmp_path: Path) -> None:
    family = read(write(tmp_path, GOOD))
    assert family.draw(0).values != family.draw(1).values
    assert family.task.languages == ("en", "zh")


def test_there_are_forty_kinds() -> None:
    assert len(MISTAKES) >= 40


@pytest.mark.parametrize(("old", "new", "word", "line"), MISTAKES, ids=[new.strip()[:40] or old.strip() for old, new, _, _ in MISTAKES])
def test_mistakes(tmp_path: Path, old: str, new: str, word: str, line: int) -> None:
    assert GOOD.count(old) == 1, "the test must change one place"
    file = write(tmp_path, GOOD.replace(old, new))
    with pytest.raises(TaskError) as caught:
        read(file)
    said = str(caught.value)
    assert word in said, said
    assert "\n" not in said and "Traceback" not in said
    assert str(file) in said
    assert caught.value.line == line, said


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (b"", "mapping"),
        (b"- a\n- b\n", "mapping"),
        (b"\xff\xfe\x00", "UTF-8"),
        (b"a: " + b"[" * 60 + b"]" * 60, "nested"),
        (b"x: '" + b"y" * 1_100_000 + b"'", "MB"),
    ],
)
def test_files_that_are_no_tasks_at_all(tmp_path: Path, content: bytes, word: str) -> None:
    file = write(tmp_path, GOOD)
    file.write_bytes(content)
    with pytest.raises(TaskError, match=word):
        read(file)


def test_a_deep_bomb_of_aliases_is_refused(tmp_path: Path) -> None:
    bomb = "a: &a [x,x]\nb: &b [*a,*a]\n" + "".join(f"{chr(99 + i)}: &{chr(99 + i)} [*{chr(98 + i)},*{chr(98 + i)}]\n" for i in range(20))
    file = write(tmp_path, bomb)
    with pytest.raises(TaskError):
        read(file)


def test_an_asset_that_only_another_seed_names_counts_too(tmp_path: Path) -> None:
    text = GOOD.replace("put: {poster.svg: ~/Documents/poster.svg}", 'put: {"poster-{size}.svg": ~/Documents/poster.svg}')
    file = write(tmp_path, text)
    (file.parent / "poster.svg").rename(file.parent / "poster-48.svg")
    with pytest.raises(TaskError, match=r"'poster-60\.svg' is missing"):
        read(file)
    (file.parent / "poster-60.svg").write_text("<svg/>")
    digest = read(file).digest
    (file.parent / "poster-60.svg").write_text("<svg><g/></svg>")
    assert read(file).digest != digest

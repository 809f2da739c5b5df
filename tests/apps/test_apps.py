"""Every built-in application resolves and says what a desktop must know."""

from __future__ import annotations

import sys
from pathlib import Path, PurePosixPath

import pytest

from deskbench import apps
from deskbench.core.app import App, Ready
from deskbench.core.faults import Misuse

MINE = App("mine", "Mine", ("mine",), ("mine",), Ready("Mine"))


@pytest.mark.parametrize("name", apps.names())
def test_every_built_in_resolves_under_its_own_name(name: str) -> None:
    app = apps.get(name)
    assert app.name == name
    assert app.title and app.argv and app.ready.titles
    assert all(app.ready.titles), "an empty title would take any window for the application's"


@pytest.mark.parametrize("name", apps.names())
def test_every_built_in_can_be_installed_or_says_how_to_add_it(name: str) -> None:
    app = apps.get(name)
    assert bool(app.packages) != bool(app.how_to_add)


@pytest.mark.parametrize("name", apps.names())
def test_every_built_in_is_documented(name: str) -> None:
    documentation = sys.modules[f"{apps.__name__}.{apps.get(name).name}"].__doc__
    assert documentation and documentation.strip()[0].isupper()


@pytest.mark.parametrize("name", apps.names())
def test_profiles_lie_below_the_home(name: str) -> None:
    for path in (*apps.get(name).profile, *apps.get(name).forget):
        assert not PurePosixPath(path).is_absolute() and ".." not in PurePosixPath(path).parts


def test_names_and_titles_are_unique_and_every_file_is_in_the_table() -> None:
    assert len({apps.get(name).title for name in apps.names()}) == len(apps.names())
    files = {file.stem for file in Path(str(apps.__file__)).parent.glob("*.py")} - {"__init__", "office"}
    assert files == set(apps.names())


def test_apps_of_one_layer_share_one_recipe() -> None:
    recipes: dict[str, set[str]] = {}
    for app in map(apps.get, apps.names()):
        recipes.setdefault(app.layer, set()).add(app.recipe)
    assert recipes["office"] and all(len(found) == 1 for found in recipes.values())


def test_an_unknown_name_is_answered_with_those_that_exist() -> None:
    with pytest.raises(Misuse, match=r"no application is called 'photoshop'; there are .*inkscape.*writer"):
        apps.get("photoshop")


def test_module_and_attribute_name_an_application_that_lives_elsewhere() -> None:
    assert apps.get(f"{__name__}:MINE") is MINE


@pytest.mark.parametrize("name", ["no.such.module:APP", f"{__name__}:NOTHING", f"{__name__}:apps"])
def test_a_module_that_gives_no_application_is_wrong_use(name: str) -> None:
    with pytest.raises(Misuse):
        apps.get(name)


def test_a_file_stands_in_the_command_and_in_the_title() -> None:
    app = App("a", "A", (), ("a",), Ready("A"), ready_with_file=Ready(("{name} - A", "[{stem}]")))
    assert app.command("/home/user/x y.png") == ("a", "/home/user/x y.png")
    assert app.ready_for("/home/user/x y.png").titles == ("x y.png - A", "[x y]")
    assert app.ready_for(None) is app.ready


def test_the_recipe_follows_the_profile() -> None:
    one = App("a", "A", (), ("a",), Ready("A"), profile={".a": "1"})
    other = App("a", "A", (), ("a",), Ready("A"), profile={".a": "2"})
    assert one.recipe != other.recipe

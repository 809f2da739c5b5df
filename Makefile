# `make demo` and `make test` do everything on a fresh Debian 12 machine; the rest is for working on Deskbench.

VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= python3

.PHONY: demo test test-slow check format setup catalogue clean

demo: $(VENV)/installed
	$(BIN)/deskbench setup --suite starter
	rm -rf demo
	$(BIN)/deskbench run --suite starter --agent expert --out demo/expert
	$(BIN)/deskbench run --suite starter --agent noop --out demo/noop
	$(BIN)/deskbench report demo/expert demo/noop --html demo/report.html
	@echo "open demo/report.html"

test: $(VENV)/installed-dev
	$(BIN)/deskbench setup
	$(BIN)/deskbench doctor
	$(MAKE) check
	$(BIN)/python -m pytest -m "not slow" || $(BIN)/python -m pytest -m "not slow" --last-failed --last-failed-no-failures none

test-slow: $(VENV)/installed-dev
	$(BIN)/deskbench setup
	$(BIN)/python -m pytest -m slow

check: $(VENV)/installed-dev
	$(BIN)/ruff check src tests packs/make_assets
	$(BIN)/ruff format --check src tests packs/make_assets
	$(BIN)/mypy
	$(BIN)/deskbench lint

format: $(VENV)/installed-dev
	$(BIN)/ruff check --fix src tests packs/make_assets
	$(BIN)/ruff format src tests packs/make_assets

catalogue: $(VENV)/installed
	$(BIN)/deskbench tasks --certified --pages docs/catalogue

setup: $(VENV)/installed
	$(BIN)/deskbench setup

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); apt-get update -q && apt-get install -y -q python3-venv && $(PYTHON) -m venv $(VENV); }

$(VENV)/installed: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install -q --disable-pip-version-check -e .
	touch $@

$(VENV)/installed-dev: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install -q --disable-pip-version-check -e ".[dev,ocr]"
	touch $@ $(VENV)/installed

clean:
	rm -rf $(VENV) demo dist build

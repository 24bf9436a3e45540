# Everything a newcomer needs: `make sandbox` to try it, `make check` before handing anything in.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: help sandbox test check format types lint coverage bench messages clean

help:
	@echo "make sandbox   try the bot on a local Discord (no account needed)"
	@echo "make test      run the whole test suite"
	@echo "make check     lint, format check, types, tests"
	@echo "make format    put the code into the house format"
	@echo "make coverage  tests with line and branch coverage"
	@echo "make bench     measure speed"
	@echo "make messages  collect the translatable texts"

$(VENV)/runtime: requirements.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/dev: requirements-dev.txt $(VENV)/runtime
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

sandbox: $(VENV)/runtime
	@$(BIN)/python -m bot sandbox $(ARGS)

test: $(VENV)/dev
	$(BIN)/python -m pytest --numprocesses=4

check: lint types test

lint: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/dev
	$(BIN)/mypy

format: $(VENV)/dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

coverage: $(VENV)/dev
	$(BIN)/python -m pytest --cov --cov-report=term-missing:skip-covered

bench: $(VENV)/dev
	$(BIN)/python -m tests.benchmarks

messages: $(VENV)/dev
	$(BIN)/pybabel extract --project=Tenbou --omit-header --no-location --sort-output -k gettext -k ngettext:1,2 -k locale_str -o bot/locale/tenbou.pot bot cogs

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage htmlcov

# Every target does its own set-up: a virtual environment in .venv, made anew when pyproject.toml changes.
VENV ?= .venv
PYTHON ?= python3
BIN = $(VENV)/bin
READY = $(VENV)/.ready

.PHONY: demo test lint bench agreement clean

demo: $(READY)  ## Solve a file of deals and count one close.
	$(BIN)/bummerl deal -n 1000 --seed 7 > $(VENV)/deals.txt
	$(BIN)/bummerl batch $(VENV)/deals.txt $(VENV)/values.jsonl --value-only
	head -n 3 $(VENV)/values.jsonl
	$(BIN)/bummerl solve trump=C me=STJ,DQ,CAQ opp=SAQ,DAK,CJ points=40:20
	$(BIN)/bummerl close trump=DJ me=SA,HT,DAK,CQ unseen=HJ,DTQ,CATK points=41:38 talon=2

test: $(READY)  ## All checks and all tests, the tests twice: kernels cold, then warm.
	$(MAKE) --no-print-directory lint
	rm -rf $(VENV)/kernels
	BUMMERL_CACHE_DIR=$(abspath $(VENV))/kernels $(BIN)/python -m pytest -q -n 2
	BUMMERL_CACHE_DIR=$(abspath $(VENV))/kernels $(BIN)/python -m pytest -q -n 2

lint: $(READY)  ## Style, types, and the direction of imports.
	$(BIN)/ruff check -q .
	$(BIN)/ruff format -q --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

bench: $(READY)  ## Time the standard workloads.
	$(BIN)/bummerl bench speed

agreement: $(READY)  ## Compare two search configurations at scale (some minutes).
	$(BIN)/python benchmarks/agreement.py

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --upgrade "pip>=25.1"
	$(BIN)/python -m pip install -q -e . --group test --group lint
	touch $@

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

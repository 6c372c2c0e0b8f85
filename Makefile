# One place for every routine job. Each target does its own set-up: a virtual environment in .venv and the pinned
# packages of constraints.txt. `make help` lists them.
PYTHON ?= python3
JOBS   ?= 2
# The tests import the same modules in some hundred processes, and pytest rewrites 8,000 asserts: both are kept compiled
# in __pycache__, whatever the surroundings say.
unexport PYTHONDONTWRITEBYTECODE
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
LPIPS_STAMP := $(VENV)/.installed-lpips
BROWSER_STAMP := $(VENV)/.installed-browser

.DEFAULT_GOAL := help
.PHONY: help setup demo test lint style test-shared test-unit test-lpips test-browser bench accuracy soak fuzz protos docs \
	pictures notebook node

help: ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## / {printf "  %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# Of the 7,000 modules that are installed, those that are used are compiled when they are first imported.
$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; set PYTHON=..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --constraint constraints.txt --editable '.[dev]'
	@touch $@

setup: $(STAMP) ## make .venv with everything in it

protos: $(STAMP) ## generate grader/v1 from protos/
	$(BIN)/python tools/generate_protos.py

lint: style ## ruff, buf lint, the contract against its last release, and mypy
	$(BIN)/mypy

style: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/buf lint
	$(BIN)/buf format --diff --exit-code
	$(BIN)/buf breaking --against tests/contract/baseline.json

# Neighbouring tests share what they make, so each process takes a run of them, and an idle one takes from a busy one.
TESTS  := $(BIN)/python -m pytest -q -n $(JOBS) --dist worksteal
SHARED := $(wildcard ../shared/fixtures)
USUAL  := not lpips and not browser

# In a fresh clone each process of the tests would compile all of them, and what they import, by itself: half a minute.
COMPILED = $(if $(wildcard tests/__pycache__),,$(BIN)/python -m pytest -q --collect-only -p no:xdist > /dev/null;)

# mypy takes one core for a minute, and tests leave cores idle while they wait for processes: so both at once.
test: style ## everything that must hold before a change lands; JOBS=... processes (2)
	$(if $(SHARED),,@echo "../shared/fixtures is absent: the tests on reference data are NOT run, all others are")
	@mkdir -p build; $(BIN)/mypy > build/mypy.log 2>&1 & types=$$!; $(COMPILED) \
	echo "mypy in the background; $(TESTS) -m '$(USUAL)$(if $(SHARED),, and not shared)'"; \
	$(TESTS) -m '$(USUAL)$(if $(SHARED),, and not shared)'; tests=$$?; \
	wait $$types || { cat build/mypy.log; exit 1; }; exit $$tests

test-shared: $(STAMP) ## the tests on reference data that stands beside the checkout, where it does
	$(if $(SHARED),$(TESTS) -m 'shared and $(USUAL)',@echo "../shared/fixtures is absent: the tests on reference data are NOT run")

test-unit: $(STAMP) ## the tests that need nothing but the checkout
	$(TESTS) -m 'not shared and $(USUAL)'

$(LPIPS_STAMP): $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev,lpips]'
	@touch $@

test-lpips: $(LPIPS_STAMP) ## the tests of LPIPS; installs torch (6 GB) and fetches weights (64 MB) first
	$(BIN)/grader weights --net alex
	$(BIN)/grader weights --net vgg
	$(BIN)/python -m pytest -q -m 'lpips$(if $(wildcard ../shared/fixtures),, and not shared)'

$(BROWSER_STAMP): $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev,browser]'
	@touch $@

test-browser: $(BROWSER_STAMP) ## the page for labels in the Chromium of this machine, with kill -9; installs playwright (165 MB) first
	@command -v chromium || command -v chromium-browser || command -v google-chrome || { echo "Chromium is needed, as of the package chromium" >&2; exit 1; }
	$(BIN)/python -m pytest -q -m browser tests/calibration/labelling

bench: $(STAMP) ## speed, as ratios to decoding, and what the service costs beside what one would use instead
	$(BIN)/python -m benchmarks.speed
	$(BIN)/python -m benchmarks.clip_speed
	$(BIN)/python -m benchmarks.service.costs

accuracy: $(STAMP) ## how often verdicts are right, on about 2000 pictures and 100 clips of known truth; FULL=1 for all
	$(BIN)/python -m benchmarks.accuracy $(if $(FULL),,--sample 2000)
	$(BIN)/python -m benchmarks.rollouts $(if $(FULL),,--sample 100)

soak: $(STAMP) ## many mixed requests with faults on purpose, each answered once; REQUESTS=10000
	$(BIN)/python -m benchmarks.service.soak --requests $(or $(REQUESTS),10000)

fuzz: $(STAMP) ## damaged media, requests of all tasks and manifests, for BUDGET=300 seconds
	$(BIN)/python -m benchmarks.service.fuzz --seconds $(or $(BUDGET),300)

node: $(STAMP) ## grade the demo's puzzles from Node, by the protos alone, and compare with Python; needs Node and npm
	cd examples/node && npm ci --no-audit --no-fund --ignore-scripts
	$(BIN)/python -m examples.node_check

demo: $(STAMP) ## start a server, grade a bundled set over gRPC, write overlays
	$(BIN)/python -m examples.demo

docs: $(STAMP) ## pages of the public API from docstrings, into build/docs
	$(BIN)/python -m tools.make_docs
	@echo "open build/docs/index.html"

pictures: $(STAMP) ## draw the pictures of docs/tasks anew
	$(BIN)/python -m tools.task_pictures

notebook: $(STAMP) ## run the cells of examples/grade.ipynb, and keep what they show
	$(BIN)/python -m tools.run_notebook examples/grade.ipynb

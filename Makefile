# Two commands: `make site` builds the reference, `make test` tests everything this machine can.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
N ?= 10000

.PHONY: site serve test audit screens bench clean

site: $(VENV)/site.stamp ## Build the site into site/
	$(BIN)/errordex build
	@echo "Open site/index.html, or run: make serve"

serve: $(VENV)/site.stamp ## Show the site on http://127.0.0.1:8000/ and build again on changes
	$(BIN)/errordex serve

test: $(VENV)/test.stamp ## Lint, types, unit, golden, property and browser tests
	$(BIN)/python -m tests.run

bench: $(VENV)/test.stamp ## Compare with what one would use instead: make bench N=10000
	$(BIN)/python -m benchmarks.bench --count $(N)

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

clean:
	rm -rf site .errordex $(VENV)

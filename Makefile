# make view · make demo · make check · make test · make slow · make bounds · make coverage · make docs · make site · make lint · make clean: all that is needed is Python 3.11 or newer.
# make web builds the page of the viewer anew, after a change in web/; it needs Node 18 or newer.

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
    $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
PY := .venv/bin/python
PIP := $(PY) -m pip --disable-pip-version-check install --quiet

# what fails most, in two minutes: order of the source, types and pages of the public interface, and one of each kind
DOCS := every_block commands_of links_of files_that made_pages reference_has picture_of verbs_say readme
CHECKS := tests/test_architecture.py tests/test_house.py tests/test_types.py tests/test_docs.py tests/test_argument_errors.py \
    tests/test_bad_input.py tests/test_package.py tests/test_each_kind.py

.PHONY: view demo check test slow bounds coverage lint types docs site web clean

view: .venv/.installed
	@.venv/bin/pliant view

demo: .venv/.installed
	@.venv/bin/pliant demo --out out

check: .venv/.tested
	@$(MAKE) --no-print-directory lint
	@$(PY) -m pytest -m "not slow and not cuda and not alone" -n auto --dist worksteal $(CHECKS) \
	    -k "not test_docs or $(subst $() , or ,$(strip $(DOCS)))"

test: .venv/.tested
	@$(PY) tests/chromium.py
	@$(MAKE) --no-print-directory lint
	@$(PY) -m pytest -m "not slow and not cuda and not alone" -n auto --dist worksteal
	@$(PY) -m pytest -m "not slow and not cuda and alone" $$(grep -rl "mark\.alone" tests --include="test_*.py")

slow: .venv/.slow
	@$(PY) -m pytest -m "slow and not cuda" --durations=10

# kernels that check every index, which an optimised one does not: it writes wherever a wrong one says
bounds: .venv/.tested
	@PYTHONPATH=tests $(PY) -m pytest -p bounds -m "not slow and not cuda and not alone and not release" -n auto --dist worksteal \
	    tests/contact tests/cut tests/elements tests/energy tests/effects tests/geometry tests/linear tests/simulate tests/solve

coverage: .venv/.tested
	@$(PY) tests/chromium.py
	@$(PY) -m pytest -m "not slow and not cuda" --cov --cov-report=term:skip-covered --cov-fail-under=90

lint: .venv/.tested
	@$(PY) -m ruff check src tests examples docs benchmarks
	@$(PY) -m ruff format --check --quiet src tests examples docs benchmarks
	@$(PY) tests/house.py --quiet

# of all of src, but for files in tests/untyped.txt, a list that may only get shorter; it takes minutes
types: .venv/.tested
	@$(PY) tests/source_types.py

docs: .venv/.tested
	@$(PY) docs/make.py

# the pages alone, without simulating the examples again and without touching what is tracked
site: .venv/.tested
	@$(PY) docs/make.py site

web:
	@cd web && npm ci --silent && npm run --silent build

clean:
	rm -rf web/node_modules .venv out site build dist .pytest_cache .ruff_cache .hypothesis .coverage htmlcov

# The stamps are older than pyproject.toml when what is installed no longer fits it.
.venv/.installed: pyproject.toml | .venv/bin/python
	@echo "Installing Pliant and what it needs into .venv (about 650 MB, once) …"
	@$(PIP) -e .
	@touch $@

.venv/.tested: pyproject.toml | .venv/bin/python
	@echo "Installing Pliant and its test tools into .venv (about 1.5 GB, once) …"
	@$(PIP) -e '.[test]'
	@touch $@ .venv/.installed

.venv/.slow: .venv/.tested
	@echo "Installing the readers that the slow tests need (about 600 MB, once) …"
	@$(PIP) -e '.[test,slow]'
	@touch $@

.venv/bin/python:
	@test -n "$(PYTHON)" || { echo "Pliant needs Python 3.11 or newer; none was found. \
	Install one, or name it: make PYTHON=/path/to/python3.11"; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11) and \
	"Pliant needs Python 3.11 or newer; $(PYTHON) is %d.%d. Name another: make PYTHON=/path/to/python3.11" % sys.version_info[:2])'
	@"$(PYTHON)" -m venv .venv

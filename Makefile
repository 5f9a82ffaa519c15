# make up     the service on this machine, nothing to install beforehand but Python 3.11, Node 20, make
# make test   everything that is tested, real servers and a real browser included
# make check  style, types, import contracts, migrations, the page, the container files
# make audit  whether a pinned version is known to be vulnerable, where a database of them answers
# make screenshots   every page, light, dark and on a phone, into build/screenshots; the README's into docs/
# make bench  what docs/measurements.md claims, measured here; needs grb-cora in GRB_DATA_DIR or var/data

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
# TORCH_INDEX may name PyTorch's own index of CPU builds; the default index may bring CUDA's libraries
PIP := $(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt \
	$(if $(TORCH_INDEX),--extra-index-url $(TORCH_INDEX))
PAGE_SOURCES := $(shell find frontend -path frontend/node_modules -prune -o -path frontend/dist -prune -o -type f -print)

.PHONY: up test test-long check audit bench screenshots page install clean

up:
	@$(MAKE) --no-print-directory -j2 .venv/.service frontend/dist/.built
	@exec $(BIN)/grb up

test: .venv/.dev frontend/node_modules/.dev frontend/dist/.built
ifdef PYTEST
	$(BIN)/python tests/services.py $(BIN)/pytest $(PYTEST)
else
	cd frontend && npm test --silent
	$(BIN)/python tests/services.py $(BIN)/pytest -n 4 --dist loadfile --no-loadscope-reorder --ignore tests/e2e
	$(BIN)/python tests/services.py $(BIN)/pytest -n 3 --dist loadfile --no-loadscope-reorder tests/e2e
endif

test-long: .venv/.dev frontend/dist/.built
	$(BIN)/python tests/services.py $(BIN)/pytest -m "long or hypothesis" --timeout 3600 $(PYTEST)

check: .venv/.dev frontend/node_modules/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tests/migrations.py
	cd frontend && npm run --silent check
	POSTGRES_PASSWORD=check $(BIN)/docker-compose -f docker-compose.yml --profile gpu config --quiet
	$(BIN)/hadolint Dockerfile

audit: .venv/.audit
	@$(BIN)/python tests/audit.py

bench: .venv/.dev
	for script in benchmarks/*.py; do echo "== $$script"; OMP_NUM_THREADS=1 $(BIN)/python $$script || exit 1; done

screenshots: .venv/.dev frontend/dist/.built
	$(BIN)/python tests/services.py $(BIN)/python -m tests.e2e.screenshots

page: frontend/dist/.built
install: .venv/.dev

.venv/bin/python:
	@echo "Creating the environment …"
	@$(PYTHON) -m venv .venv

.venv/.service: pyproject.toml constraints.txt | .venv/bin/python
	@echo "Installing (about a minute and a half the first time) …"
	@$(PIP) -e '.[service]'
	@touch $@

.venv/.dev: pyproject.toml constraints.txt | .venv/bin/python
	@$(PIP) -e '.[dev]'
	@touch $@ .venv/.service

.venv/.audit: pyproject.toml constraints.txt | .venv/bin/python
	@$(PIP) -e '.[audit]'
	@touch $@

# what the build needs; the rest is for checks and tests
frontend/node_modules/.installed: frontend/package.json frontend/package-lock.json
	@echo "Installing what the page is built with …"
	@cd frontend && npm ci --silent --no-audit --no-fund --omit=dev
	@touch $@

frontend/node_modules/.dev: frontend/package.json frontend/package-lock.json
	@cd frontend && npm ci --silent --no-audit --no-fund
	@touch $@ frontend/node_modules/.installed

frontend/dist/.built: frontend/node_modules/.installed $(PAGE_SOURCES)
	@echo "Building the page …"
	@cd frontend && npm run --silent build
	@touch $@

clean:
	rm -rf .venv frontend/node_modules frontend/dist build *.egg-info

# Needs python3 (3.11 or later) and make; everything else is installed into .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Bytecode is kept: tests start hundreds of processes, which would compile the package anew each.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: audit demo install test lint lowest bench theorems checker clean

audit: $(VENV)/core
	@# Two of the example's three operators breach, which is what it shows: exit code 1 is right.
	@$(BIN)/ppdm audit models/example1.ppdm --html audit.html --certificates certificates \
		|| [ $$? -eq 1 ]
	@echo "The report: $(CURDIR)/audit.html"
	@echo "The certificates, which anyone can re-check: $(BIN)/ppdm check certificates"
	@echo "To type ppdm alone: source $(BIN)/activate"

demo: $(VENV)/ready
	$(BIN)/ppdm demo --out demo

# The theorems stay where make theorems compiles them: a run compiles those that have changed.
test: export PPDM_THEOREMS ?= $(CURDIR)/build/theorems
test: lint
	$(BIN)/python -m pytest -n 2 --dist worksteal -q

lint: $(VENV)/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

lowest:  # by hand: the lowest versions that pyproject.toml allows
	$(PYTHON) tests/lowest.py build/lowest --extras run,solvers,serve,numeric

bench: $(VENV)/ready
	$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e ".[bench]"
	$(BIN)/python -m benchmarks

theorems:
	@command -v coqc >/dev/null || { echo "make theorems needs coqc, of Coq 8.16 or later:"; \
		echo "    apt-get install --no-install-recommends coq"; exit 1; }
	$(MAKE) -C proofs/coq OUT=$(CURDIR)/build/theorems
	@cat build/theorems/assumptions.txt

checker:
	@command -v coqc >/dev/null && ocamlfind query zarith >/dev/null || { \
		echo "make checker needs coqc, and OCaml with Zarith:"; \
		echo "    apt-get install --no-install-recommends coq ocaml-nox ocaml-findlib libzarith-ocaml-dev"; exit 1; }
	$(MAKE) -C proofs/coq checker OUT=$(CURDIR)/build/theorems

install: $(VENV)/ready

$(VENV)/core: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e .
	@touch $@

$(VENV)/ready: $(VENV)/core
	$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e ".[dev,run,solvers,cluster,serve,numeric,generate]"
	@touch $@

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis audit.html certificates demo

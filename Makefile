# `make help` lists what there is. Everything runs from a virtual environment in .venv, which
# `make setup` creates; PYTHON, VENV and BUILD may be set on the command line.
PYTHON ?= python3
VENV ?= .venv
BUILD ?= build
SHARE ?= $(BUILD)/share
BIN := $(VENV)/bin
READY := $(VENV)/.gretacore-installed
LLAMA := $(VENV)/.llama-cpp-installed

# Tools of the virtual environment where it has them, else those of the system.
CMAKE = $(firstword $(wildcard $(BIN)/cmake) cmake)
CTEST = $(firstword $(wildcard $(BIN)/ctest) ctest)
NINJA = $(firstword $(wildcard $(BIN)/ninja) $(shell command -v ninja))
GENERATOR = $(if $(NINJA),-G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(NINJA)))

NATIVE_SOURCES := $(shell find native contract -name '*.cpp' -o -name '*.h' -o -name '*.map' -o -name '*.toml' \
	-o -path 'contract/*.py' -o -name CMakeLists.txt)
FORMATTED := $(shell git ls-files '*.[ch]' '*.cpp' '*.hip')

.DEFAULT_GOAL := help
.PHONY: help setup test unit lint format native native-test test-long test-isa asan ubsan tsan sanitize-ci bench bench-infer bench-agreement bench-recorder deaths share shape golden golden-accept golden-freeze bench-cli cases calls clean bench-isa wheel ci-schemas

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z -]+:.*## / { printf "  %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(READY)  ## create .venv and install the package and the tools in it

$(READY): pyproject.toml CMakeLists.txt $(NATIVE_SOURCES)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test,dev]'
	touch $@

test: lint unit  ## everything that must pass: lint and all tests

unit: $(READY)  ## the tests alone; PYTEST_ARGS=... selects some
	$(BIN)/python -m compileall -q -j 0 src tests  # once, not in each of thousands of child processes
	$(BIN)/python -m pytest -n 3 --dist loadfile --max-worker-restart 3 $(PYTEST_ARGS)  # 3: many tests wait

lint: $(READY)  ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@echo "clang-format: $(words $(FORMATTED)) files"
	@$(BIN)/clang-format --dry-run -Werror $(FORMATTED)

format: $(READY)  ## put Python and C++ into their form
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(FORMATTED)

native:  ## build the simulated device into build/rocm
	$(CMAKE) -S . -B $(BUILD) $(GENERATOR) -DGRETA_BUILD_TESTS=ON
	$(CMAKE) --build $(BUILD)

native-test: native  ## build and run the native tests
	$(CTEST) --test-dir $(BUILD) --output-on-failure

asan ubsan tsan sanitize-ci:  ## build and run the native tests under a sanitizer (sanitize-ci: two at once)
	$(CMAKE) -S . -B $(BUILD)/$@ $(GENERATOR) -DGRETA_BUILD_TESTS=ON -DGRETA_SANITIZE=$(SANITIZER_$@) $(SANITIZED_$@)
	$(CMAKE) --build $(BUILD)/$@ --target native_tests
	$(CTEST) --test-dir $(BUILD)/$@ --output-on-failure

SANITIZER_asan := address
SANITIZER_ubsan := undefined
SANITIZER_tsan := thread
# One build for both: what every change must pass.
SANITIZER_sanitize-ci := address,undefined
# The instruction engine takes minutes to compile with both; `make asan` and `make ubsan` have it.
# -O1 finds as much as -O2 and compiles in half the time.
SANITIZED_sanitize-ci := -DGRETA_ISA=OFF -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG='-O1 -g1'
# The engine's own tests run in one thread each.
SANITIZED_tsan := $(SANITIZED_sanitize-ci)

test-long: $(READY)  ## what is tried a few times by `make test`, many times: mutants, random programs
	GRETA_TEST_MUTATIONS=20000 GRETA_MODEL_PROGRAMS=20000 GRETA_TEST_DRILLS=1 GRETA_TEST_GUARDS=200 GRETA_TEST_DEVICES=1 $(BIN)/python -m pytest -q -n 2 --test-limit 3600 \
		tests/model/test_hostile.py tests/model/test_chat.py tests/cli/test_infer_hostile.py tests/recording/test_damage.py \
		tests/trace/logs/test_hrr.py tests/trace/logs/test_rocpd.py tests/trace/logs/test_debug_agent.py \
		tests/project/test_hostile_folders.py tests/simdevice/model tests/lab/test_drilling.py tests/recorder/test_guard.py \
		tests/lab/test_devices.py tests/lab/test_cluster.py

test-isa: $(READY)  ## the instruction engine at length: 10,000 random kernels, a million instructions
	GRETA_TEST_KERNELS=10000 GRETA_TEST_DECODES=1000000 $(BIN)/python -m pytest --test-limit 86400 tests/isa

wheel:  ## one wheel for every Python, glibc 2.28 or newer, into dist/: for machines without a compiler
	$(PYTHON) tools/wheel.py

ci-schemas: $(READY)  ## JUnit and SARIF files held to the published schemas, which are fetched
	$(BIN)/python tools/ci_schemas.py

bench: $(READY)  ## the benchmarks; each prints a ratio against a named peer
	set -e; for benchmark in benchmarks/*.py; do $(BIN)/python $$benchmark; done
	$(BIN)/python benchmarks/recorder/run.py
	$(BIN)/python benchmarks/isa/run.py

bench-isa: $(READY)  ## machine code of gfx942 on the simulated device, beside hipRTC's kernels and plain loops
	$(BIN)/python benchmarks/isa/run.py

# The peer, from source and with what these CPUs have.
$(LLAMA): $(READY)
	CMAKE_ARGS="-DGGML_NATIVE=OFF -DGGML_AVX512=ON -DGGML_AVX512_VNNI=ON -DGGML_AVX512_VBMI=ON" \
		$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-binary llama-cpp-python llama-cpp-python
	touch $@

bench-infer: $(LLAMA)  ## the engine against llama.cpp: speed, start, memory, and what observing costs
	$(BIN)/python benchmarks/infer_against_llama_cpp.py
	model=$$($(BIN)/python benchmarks/models/random_llama.py) && \
		$(BIN)/python benchmarks/infer_against_llama_cpp.py --model "$$model" --rounds 3
	$(BIN)/python benchmarks/infer_start.py
	$(BIN)/python benchmarks/infer_observer_cost.py

bench-agreement: $(LLAMA)  ## does the engine say what llama.cpp says?
	$(BIN)/python benchmarks/infer_agreement_with_llama_cpp.py --check

bench-cli: $(READY)  ## CPU seconds of `greta --help`, beside Python's and pip's
	$(BIN)/python benchmarks/cli_start.py

bench-recorder: $(READY)  ## what a recorded call costs
	$(BIN)/python benchmarks/recorder/run.py
	$(BIN)/python benchmarks/recorder/script_line.py
	$(BIN)/python benchmarks/recorder/guard.py
	$(BIN)/python benchmarks/recorder/many_allocations.py

deaths: $(READY)  ## kill a recorded program 300 times, let it crash 200 times; look into each recording
	GRETA_TEST_DEATHS=300 GRETA_TEST_RING_CALLS=50000000 $(BIN)/python -m pytest -q tests/recorder

# The greta that is installed will do, here or on the PATH.
GRETA := $(firstword $(wildcard $(BIN)/greta) $(shell command -v greta))
share: $(if $(GRETA),,$(READY))  ## shell completions and the manual page, into SHARE (build/share)
	mkdir -p $(SHARE)/bash-completion/completions $(SHARE)/zsh/site-functions $(SHARE)/fish/vendor_completions.d $(SHARE)/man/man1
	$(or $(GRETA),$(BIN)/greta) completion bash > $(SHARE)/bash-completion/completions/greta
	$(or $(GRETA),$(BIN)/greta) completion zsh > $(SHARE)/zsh/site-functions/_greta
	$(or $(GRETA),$(BIN)/greta) completion fish > $(SHARE)/fish/vendor_completions.d/greta.fish
	$(or $(GRETA),$(BIN)/greta) man > $(SHARE)/man/man1/greta.1

shape: $(READY)  ## how the source is laid out: packages, files, lines, names with two meanings
	$(BIN)/python tools/shape.py

golden: $(READY)  ## is the same said of the frozen runs? GOLDEN_ARGS=--brief: each kind of change once
	$(BIN)/python tests/golden/compare.py $(GOLDEN_ARGS)

golden-accept: $(READY)  ## what is said of the frozen runs now is right
	$(BIN)/python tests/golden/compare.py --accept --brief $(GOLDEN_ARGS)

golden-freeze:  ## record the runs again; PYTHON is one with the package installed in a neutral place
	$(PYTHON) tests/golden/freeze.py

cases: $(READY)  ## what is said of the programs in tests/cases beside what is true; CASES_ARGS=--wrong
	$(BIN)/python tests/cases/table.py $(CASES_ARGS)

calls: $(READY)  ## how many of HIP's calls the simulated device supports; CALLS_ARGS=RUN: what a run of the tests did not try
	$(BIN)/python tools/calls.py $(CALLS_ARGS)

clean:  ## remove what was built, but not .venv
	rm -rf $(BUILD) dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	rm -f $(READY)

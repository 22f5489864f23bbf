# The front door. Each target is one or two scripts; read them in scripts/.
# Options: JOBS=<n> for builds and tests, CHECKS="format lint ..." for `make test` and `make check`: only these.

CHECKS ?=
export JOBS

.PHONY: help run test test-learn check build wheel package docs bench bench-python robots plugin-table plugin-bench fuzz format lint check-nvrtc setup clean

help: ## show this list
	@echo "Footfall: legged robots on ground that gives way"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 20

run: build ## set up, build, and let a quadruped trot off a slab through dry sand
	build/release/footfall run scenarios/quadruped_trot_sand.toml

test: ## set up, build, and run all tests: C++, Python, browser (15 minutes on two cores)
	@scripts/setup.sh tests
	@scripts/test.sh $(or $(CHECKS),test)

test-learn: ## install Stable-Baselines3 and torch, train a quadruped to stand and step, and test it
	@scripts/setup.sh learn
	@scripts/test.sh $(or $(CHECKS),learn)

check: ## the rest: format, lint, other targets, install, clang, sanitizers (30 minutes)
	@scripts/setup.sh checks
	@scripts/test.sh $(or $(CHECKS),check)

build: setup ## set up and build the program: build/release/footfall
	@TARGET=footfall_program scripts/build.sh release

wheel: setup ## pack the Python package: dist/footfall-*.whl
	@scripts/wheel.sh

bench: setup ## set up, build and run the benchmarks against MuJoCo
	@scripts/bench.sh

bench-python: setup ## build the Python package and time what Python costs over C++
	@scripts/bench.sh python

robots: build ## stand the robots of MENAGERIE=<folder> on four soils; by default our own
	@.venv/bin/python scripts/robots.py $(or $(MENAGERIE),robots)

package: setup ## pack the program for Debian: dist/footfall_<version>_<architecture>.deb
	@scripts/package.sh

docs: build ## build the documentation as a site: build/site/index.html
	@scripts/docs.sh

plugin-table: build ## stand the robots of MENAGERIE=<folder> on eight soils in MuJoCo, by the plugin
	@.venv/bin/python scripts/plugin_table.py $(or $(MENAGERIE),robots)

plugin-bench: build ## what a step of MuJoCo costs with the plugin
	@.venv/bin/python scripts/plugin_bench.py

fuzz: setup ## feed all readers of files RUNS=1000000 times each with faulty ones, by libFuzzer (hours)
	@scripts/fuzz.sh

format: setup ## format all C++ files
	@scripts/format.sh

lint: setup ## run clang-tidy over the library and the program
	@scripts/lint.sh

check-nvrtc: setup ## compile the kernels' headers for NVIDIA's GPUs; needs none
	@scripts/check_nvrtc.sh

setup: ## install what is missing: system packages and .venv
	@scripts/setup.sh

clean: ## remove everything built (not .venv, not results/)
	rm -rf build .cache

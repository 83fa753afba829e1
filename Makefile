# The two commands of the README, and what developers need besides. Each installs what is missing.
.PHONY: all build demo test approve bench lint format clean
PRESET ?= dev
BUILD = build/$(PRESET)
JOBS ?= $(shell nproc)
# Tests wait for tests that hang and processes that end: one more than processors keeps them busy.
TEST_JOBS ?= $(shell expr $(JOBS) + 1)

all: build

build:
	@tools/setup build
	@cmake --preset $(PRESET) >/dev/null
	@cmake --build $(BUILD) -j$(JOBS)

demo:
	@tools/setup build test
	@cmake --preset release -DGORDIAN_BUILD_TESTS=ON >/dev/null
	@cmake --build build/release -j$(JOBS) --target gordian zoo_clean_singleton_reset \
	  $$(grep -q '^build gordian-facts:' build/release/build.ninja && echo gordian-facts)
	@tools/demo build/release

test:
	@tools/setup build test
	@cmake --preset $(PRESET) >/dev/null
	@cmake --build $(BUILD) -j$(JOBS)
	@cd $(BUILD) && ctest --output-on-failure -j$(TEST_JOBS)

approve: build
	@tools/approve $(BUILD)

# All of them take some two hours: BENCH="run rank" for some.
BENCH ?= run detect isolation explain frameworks dataflow rank trace fix
bench:
	@tools/setup bench
	@for one in $(BENCH); do bench/$$one || exit 1; done

lint:
	@tools/setup lint
	@tools/lint

format:
	@git ls-files '*.h' '*.cc' | xargs clang-format -i

clean:
	rm -rf build

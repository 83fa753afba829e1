# The two commands of the README, and what developers need besides. Each installs what is missing.
.PHONY: all build demo test approve bench lint format clean
PRESET ?= dev
BUILD = build/$(PRESET)
JOBS ?= $(shell nproc)
# Tests wait for tests that hang and processes that end: one more than processors keeps them busy.
TEST_JOBS ?= $(shell expr $(JOBS) + 1)

all: build

build:
	@tools/setup build test
	@cmake --preset $(PRESET) -DGORDIAN_BUILD_TESTS=ON >/dev/null
	@cmake --build $(BUILD) -j$(JOBS)

# All that is installed, and nothing that only tests need.
demo:
	@tools/setup demo
	@cmake --preset release -DGORDIAN_BUILD_TESTS=OFF >/dev/null
	@cmake --build build/release -j$(JOBS)
	@tools/demo build/release

test:
	@tools/setup build test
	@cmake --preset $(PRESET) -DGORDIAN_BUILD_TESTS=ON >/dev/null
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

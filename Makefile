# The two commands of the README, and what developers need besides. Each installs what is missing.
.PHONY: all build demo facts test test-all approve bench lint format clean
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

# What the tour shows and what the README does with its build next, and nothing that only tests need.
# `make facts` adds gordian-facts, which knows more of sources and takes Clang's libraries.
demo:
	@tools/setup demo
	@echo "Building Gordian: six minutes on one processor, three on two. Ninja counts the steps."
	@cmake --preset release -DGORDIAN_BUILD_TESTS=OFF >/dev/null
	@cmake --build build/release -j$(JOBS) --target gordian gordian-ctest gordian_shell
	@tools/demo build/release

facts:
	@tools/setup facts
	@cmake --preset release -DGORDIAN_BUILD_TESTS=OFF >/dev/null
	@cmake --build build/release -j$(JOBS)

# What CI runs.
test: build
	@cd $(BUILD) && ctest --output-on-failure -j$(TEST_JOBS) --label-exclude long

# Besides, what takes long: the matrix of compilers, repairs of the whole zoo, suites of others, all
# of clang-tidy. Before a release.
test-all: build
	@tools/setup lint
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

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A test program whose tests are read from a file, so that hundreds of random suites need one
// binary. A test is a list of operations on global integers, all zero at first; model.py runs the
// same operations without a process and knows the truth. A line of the file is one of
//   test SUITE NAME            begins a test; the lines that follow are its operations
//   set X V | add X V          writes
//   set_if X V Y W             writes Y = W if X == V
//   expect X V                 a failure at this line unless X == V; goes on
//   require X V                the same; ends the test
//   below X V                  a failure at this line unless X < V; goes on
//   expect_if X V Y W          if X == V, as `expect Y W`
//   skip_if X V | crash_if X V | exit_if X V      ends the test, or the process
//   sleep MICROSECONDS
//   keep BYTES                 of the heap, to the end of the process
//   stack N | heap N | pid N   a failure at this line if the page of the stack, the page of a new
//                              block or the number of the process can be divided by N
//   coin N | clock N           the same with a number of the machine's entropy, and of its clock
//   race N                     a failure at this line if, of N threads, the first to arrive is not
//                              the first that was started
#include <gtest/gtest.h>

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

constexpr int kVariables = 16;
int g_state[kVariables];

struct Operation {
  std::string word;
  std::vector<int> numbers;
  int line = 0;
};

struct PlantedTest {
  std::string suite, name;
  int line = 0;
  std::vector<Operation> operations;
};

const std::set<std::string_view> kChances = {"stack", "heap", "pid", "coin", "clock"};

std::string g_file;
std::vector<std::unique_ptr<char[]>> g_kept;

int& variable(int index) {
  if (index < 0 || index >= kVariables) std::abort();
  return g_state[index];
}

class Planted : public testing::Test {
 public:
  explicit Planted(const PlantedTest& test) : test_(test) {}

  void TestBody() override {
    for (const Operation& operation : test_.operations) {
      if (!perform(operation)) return;
    }
  }

 private:
  static void fail(const Operation& operation) {
    ADD_FAILURE_AT(g_file.c_str(), operation.line) << operation.word << " does not hold";
  }

  /// What differs from process to process, or from run to run.
  static std::uintptr_t chance(std::string_view what) {
    if (what == "pid") return static_cast<std::uintptr_t>(getpid());
    if (what == "coin") return std::random_device()();
    if (what == "clock") {
      const auto now = std::chrono::steady_clock::now().time_since_epoch();
      return static_cast<std::uintptr_t>(now.count()) / 1009;
    }
    if (what == "stack") return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) >> 12;
    auto block = std::make_unique<char[]>(3000);
    return reinterpret_cast<std::uintptr_t>(block.get()) >> 12;
  }

  static int first_of(int threads) {
    std::atomic<int> first{-1};
    std::atomic<bool> open{false};
    std::vector<std::thread> runners;
    for (int i = 0; i < threads; ++i) {
      runners.emplace_back([&first, &open, i] {
        while (!open) std::this_thread::yield();
        int nobody = -1;
        first.compare_exchange_strong(nobody, i);
      });
    }
    open = true;
    for (std::thread& runner : runners) runner.join();
    return first;
  }

  /// False: the test ends here.
  static bool perform(const Operation& operation) {
    const std::vector<int>& n = operation.numbers;
    const std::string& word = operation.word;
    if (word == "sleep") {
      std::this_thread::sleep_for(std::chrono::microseconds(n.at(0)));
      return true;
    }
    if (word == "keep") {
      g_kept.push_back(std::make_unique<char[]>(static_cast<std::size_t>(n.at(0))));
      return true;
    }
    if (word == "race") {
      if (first_of(n.at(0)) != 0) fail(operation);
      return true;
    }
    if (kChances.contains(word)) {
      if (chance(word) % static_cast<std::uintptr_t>(n.at(0)) == 0) fail(operation);
      return true;
    }
    int& x = variable(n.at(0));
    const int value = n.at(1);
    if (word == "set") x = value;
    if (word == "add") x += value;
    if (word == "set_if" && x == value) variable(n.at(2)) = n.at(3);
    if (word == "expect" && x != value) fail(operation);
    if (word == "below" && x >= value) fail(operation);
    if (word == "expect_if" && x == value && variable(n.at(2)) != n.at(3)) fail(operation);
    if (word == "require" && x != value) {
      fail(operation);
      return false;
    }
    return !ends_here(word, x == value);
  }

  [[gnu::noinline]] static void crash_elsewhere() { std::abort(); }

  static bool ends_here(std::string_view word, bool holds) {
    if (!holds) return false;
    if (word == "crash_if") std::abort();
    if (word == "crash_elsewhere_if") crash_elsewhere();
    if (word == "exit_if") std::_Exit(3);
    if (word != "skip_if") return false;
    [] { GTEST_SKIP(); }();
    return true;
  }

  const PlantedTest& test_;
};

/// How many numbers follow a word; words that are not listed are not understood.
const std::map<std::string_view, std::size_t> kWords = {{"set", 2},
                                                        {"add", 2},
                                                        {"set_if", 4},
                                                        {"expect", 2},
                                                        {"require", 2},
                                                        {"below", 2},
                                                        {"expect_if", 4},
                                                        {"skip_if", 2},
                                                        {"crash_if", 2},
                                                        {"exit_if", 2},
                                                        {"sleep", 1},
                                                        {"keep", 1},
                                                        {"stack", 1},
                                                        {"heap", 1},
                                                        {"pid", 1},
                                                        {"coin", 1},
                                                        {"clock", 1},
                                                        {"race", 1},
                                                        {"crash_elsewhere_if", 2}};

bool read_line(const std::string& text, int number, std::vector<PlantedTest>& tests) {
  std::istringstream in(text);
  Operation operation;
  operation.line = number;
  in >> operation.word;
  if (operation.word == "test") {
    PlantedTest test;
    test.line = number;
    in >> test.suite >> test.name;
    tests.push_back(test);
    return !test.name.empty();
  }
  for (int value = 0; in >> value;) operation.numbers.push_back(value);
  auto known = kWords.find(operation.word);
  if (tests.empty() || known == kWords.end()) return false;
  tests.back().operations.push_back(operation);
  return known->second == operation.numbers.size();
}

bool read_model(std::vector<PlantedTest>& tests) {
  std::ifstream in(g_file);
  int number = 0;
  for (std::string text; std::getline(in, text);) {
    ++number;
    if (!text.empty() && !read_line(text, number, tests)) {
      std::cerr << g_file << ":" << number << ": not understood\n";
      return false;
    }
  }
  return number > 0;
}

void register_all(const std::vector<PlantedTest>& tests) {
  for (const PlantedTest& test : tests) {
    testing::RegisterTest(test.suite.c_str(), test.name.c_str(), nullptr, nullptr, g_file.c_str(),
                          test.line, [&test]() -> Planted* { return new Planted(test); });
  }
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  constexpr std::string_view kOption = "--model=";
  for (int i = 1; i < argc; ++i) {
    std::string_view word = argv[i];
    if (word.starts_with(kOption)) g_file = word.substr(kOption.size());
  }
  std::vector<PlantedTest> tests;
  if (!read_model(tests)) {
    std::cerr << "planted: no model; use --model=FILE\n";
    return 2;
  }
  register_all(tests);
  return RUN_ALL_TESTS();
}

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The model every other part speaks: a test, an order of tests, a suite. Plain values.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/strong_id.h"
#include "model/runtime_traits.h"
#include "wire/framework.h"

namespace gordian {

/// Index of a test in its Suite, in the default order of the framework. Stable for one binary
/// file; names, not ids, are what survives a rebuild.
using TestId = StrongId<struct TestIdTag, std::uint32_t>;

/// A sequence of tests run one after another in one process. A test may stand in it twice.
using Order = std::vector<TestId>;

using gordian_wire::Framework;

/// As people write it: "GoogleTest".
std::string_view to_string(Framework framework);
/// In the database: "gtest".
std::string_view word_of(Framework framework);
std::optional<Framework> framework_called(std::string_view word);

struct Test {
  std::string suite;        ///< "Fix", "I/P", "Ty/0"
  std::string name;         ///< "Pass", "Odd/1"
  std::string file;         ///< as compiled in; may be empty
  int line = 0;             ///< 0 when unknown
  std::string type_param;   ///< typed tests: the type's name
  std::string value_param;  ///< parametrised tests: the value as the framework prints it
  bool disabled = false;    ///< the framework leaves it out unless it is told not to
  bool will_run = true;     ///< the framework itself would run it in its default order
  std::string tags{};       ///< "[slow][io]", where the framework has them
  /// Full names of the tests that must have run before it, by the suite's own word.
  std::vector<std::string> declared{};

  /// "Suite.Name"; the name alone where the framework has no suites.
  std::string full_name() const { return suite.empty() ? name : suite + "." + name; }
};

/// All tests of one binary, in the framework's default order. Immutable once built; copies share
/// their data and cost nothing.
class Suite {
 public:
  Suite();
  Suite(const Suite&) = default;  ///< no moves: a suite is never without its data
  Suite& operator=(const Suite&) = default;
  /// Of a program with that framework inside.
  Suite(Framework framework, std::string framework_version, std::vector<Test> tests);
  Suite(RuntimeId runtime, Framework framework, std::string framework_version,
        std::vector<Test> tests);

  const RuntimeTraits& runtime() const { return *data_->runtime; }
  Framework framework() const { return data_->framework; }
  /// "1.12.1", or a range such as "1.12 or newer" when the binary does not tell more.
  const std::string& framework_version() const { return data_->framework_version; }

  const std::vector<Test>& tests() const { return data_->tests; }
  const Test& test(TestId id) const { return data_->tests.at(id.value()); }
  std::size_t size() const { return data_->tests.size(); }
  std::optional<TestId> find(std::string_view full_name) const;

  /// The tests that the framework itself would run, in its order.
  Order default_order() const;
  /// Those of them that are not among `tests`, in that order.
  Order default_order_without(const Order& tests) const;

 private:
  struct Data {
    RuntimeId runtime = &kNativeRuntime;
    Framework framework = Framework::unknown;
    std::string framework_version;
    std::vector<Test> tests;
    std::unordered_map<std::string, TestId> by_name;
  };
  std::shared_ptr<const Data> data_;  ///< never null
};

}  // namespace gordian

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/process/process_suite.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>

#include "base/sha256.h"
#include "ctest/ctest.h"
#include "wire/protocol.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;
using Numbers = std::vector<std::size_t>;

std::optional<std::string> our_environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

/// Ours, changed as the test's properties say, and as ctest itself changes it.
std::vector<std::string> environment_of(const CtestEntry& entry,
                                        std::vector<std::string>& complaints) {
  std::vector<EnvChange> changes = ctest_environment(
      entry.environment, entry.environment_modification, our_environment, complaints);
  changes.emplace_back("CTEST_INTERACTIVE_DEBUG_MODE", "0");
  changes.emplace_back(GORDIAN_WIRE_ENV, std::nullopt);
  std::map<std::string, std::string> variables;
  for (char** word = environ; *word != nullptr; ++word) {
    const std::string text = *word;
    const std::size_t equals = text.find('=');
    if (equals != std::string::npos) variables[text.substr(0, equals)] = text.substr(equals + 1);
  }
  for (const auto& [name, value] : changes) {
    if (value) variables[name] = *value;
    if (!value) variables.erase(name);
  }
  std::vector<std::string> words;
  for (const auto& [name, value] : variables) words.push_back(name + "=" + value);
  return words;
}

/// The value of a variable of the build's cache.
fs::path cached(const fs::path& build_dir, std::string_view variable) {
  std::ifstream cache(build_dir / "CMakeCache.txt");
  for (std::string line; std::getline(cache, line);) {
    if (!line.starts_with(variable) || line.size() <= variable.size()) continue;
    const std::size_t equals = line.find('=');
    if (line[variable.size()] == ':' && equals != std::string::npos) return line.substr(equals + 1);
  }
  return {};
}

bool contains(const Numbers& numbers, std::size_t number) {
  return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

}  // namespace

Result<TargetSelection> resolve_process_targets(const std::vector<std::string>& words,
                                                const std::vector<std::string>& args) {
  if (!args.empty()) {
    return usage_error("--level process takes no arguments for the tests",
                       "their command lines are what add_test() says");
  }
  TargetSelection all;
  for (const std::string& word : words) {
    std::error_code failure;
    const fs::path directory = fs::canonical(word, failure);
    if (failure || !fs::is_directory(directory, failure)) {
      return usage_error(
          word + " is not a directory",
          "--level process wants a CMake build directory, whose ctest tests it runs");
    }
    Target target;
    target.binary = target.working_dir = directory;
    const bool known =
        std::any_of(all.targets.begin(), all.targets.end(),
                    [&target](const Target& other) { return other.binary == target.binary; });
    if (!known) all.targets.push_back(std::move(target));
  }
  return all;
}

/// From ctest's list to units: which tests set up and clean up for whom, and in which order.
class ProcessSuite::Builder {
 public:
  Builder(ProcessSuite& result, bool also_disabled)
      : result_(result), also_disabled_(also_disabled) {}

  void build(std::vector<CtestEntry> entries) {
    for (CtestEntry& entry : entries) add_step(std::move(entry));
    for (std::size_t i = 0; i < steps().size(); ++i) index(i);
    for (std::size_t i = 0; i < steps().size(); ++i) find_helpers(i);
    for (std::size_t i = 0; i < steps().size(); ++i) visit(i);
    make_suite();
  }

 private:
  std::vector<ProcessStep>& steps() { return result_.steps_; }
  const CtestEntry& entry(std::size_t number) const { return result_.steps_[number].entry; }

  void add_step(CtestEntry entry) {
    ProcessStep step;
    std::vector<std::string> complaints;
    step.environment = environment_of(entry, complaints);
    step.argv = entry.command;
    for (const std::string& complaint : complaints) {
      warn(fmt::format("{}: {}; the rest of it holds", entry.name, complaint));
    }
    step.entry = std::move(entry);
    steps().push_back(std::move(step));
  }

  void index(std::size_t number) {
    if (!by_name_.emplace(entry(number).name, number).second) {
      CtestEntry& twin = steps()[number].entry;
      const std::string name = twin.name;
      for (int i = 2; by_name_.contains(twin.name); ++i) twin.name = fmt::format("{}#{}", name, i);
      by_name_.emplace(twin.name, number);
      warn(fmt::format("{} is the name of several tests: another one is called {} here", name,
                       twin.name));
    }
    for (const std::string& fixture : entry(number).fixtures_setup) {
      set_ups_[fixture].push_back(number);
    }
    for (const std::string& fixture : entry(number).fixtures_cleanup) {
      clean_ups_[fixture].push_back(number);
    }
  }

  bool runs(std::size_t number) const { return also_disabled_ || !entry(number).disabled; }

  void find_helpers(std::size_t number) {
    if (!runs(number)) return;
    for (const std::string& fixture : entry(number).fixtures_required) {
      for (const auto* helpers : {&set_ups_, &clean_ups_}) {
        auto found = helpers->find(fixture);
        if (found != helpers->end()) helpers_.insert(found->second.begin(), found->second.end());
      }
    }
  }

  Numbers helpers_of(std::size_t number, const std::map<std::string, Numbers>& helpers) const {
    Numbers all;
    for (const std::string& fixture : entry(number).fixtures_required) {
      auto found = helpers.find(fixture);
      if (found == helpers.end()) continue;
      for (std::size_t helper : found->second) {
        if (helper != number && runs(helper) && !contains(all, helper)) all.push_back(helper);
      }
    }
    return all;
  }

  /// Fixtures of fixtures are set up before them ...
  void collect_set_up(std::size_t number, std::set<std::size_t>& seen, Numbers& before) const {
    if (!seen.insert(number).second) return;
    for (std::size_t helper : helpers_of(number, set_ups_)) {
      collect_set_up(helper, seen, before);
      if (!contains(before, helper)) before.push_back(helper);
    }
    for (std::size_t helper : helpers_of(number, clean_ups_)) collect_set_up(helper, seen, before);
  }

  /// ... and cleaned up after them.
  void collect_clean_up(std::size_t number, std::set<std::size_t>& seen, Numbers& after) const {
    if (!seen.insert(number).second) return;
    const Numbers own = helpers_of(number, clean_ups_);
    for (std::size_t helper : own) {
      if (!contains(after, helper)) after.push_back(helper);
    }
    for (std::size_t helper : own) collect_clean_up(helper, seen, after);
    for (std::size_t helper : helpers_of(number, set_ups_)) collect_clean_up(helper, seen, after);
  }

  /// Tests that DEPENDS names, directly or for one of the unit.
  Numbers declared_of(const ProcessUnit& unit) const {
    Numbers all;
    Numbers members = unit.set_up;
    members.push_back(unit.test);
    for (std::size_t member : members) {
      for (const std::string& name : entry(member).depends) {
        auto found = by_name_.find(name);
        if (found == by_name_.end() || contains(all, found->second)) continue;
        if (found->second != unit.test && runs(found->second)) all.push_back(found->second);
      }
    }
    return all;
  }

  /// As ctest without -j does it: by number, but what a test depends on goes before it.
  void visit(std::size_t number) {
    if (!visited_.insert(number).second || helpers_.contains(number)) return;
    ProcessUnit unit;
    unit.test = number;
    std::set<std::size_t> seen;
    collect_set_up(number, seen, unit.set_up);
    seen.clear();
    collect_clean_up(number, seen, unit.clean_up);
    Numbers declared;
    for (std::size_t other : declared_of(unit)) {
      if (contains(unit.set_up, other) || contains(unit.clean_up, other)) continue;
      if (helpers_.contains(other)) {
        unit.set_up.insert(unit.set_up.begin(), other);  // set-up by DEPENDS instead of a fixture
      } else {
        declared.push_back(other);
        visit(other);
      }
    }
    add_unit(std::move(unit), declared);
  }

  void add_unit(ProcessUnit unit, const Numbers& declared) {
    const CtestEntry& self = entry(unit.test);
    if (self.command.empty() && runs(unit.test)) {
      warn(fmt::format("left out: {}: its program is not built yet (cmake --build {})", self.name,
                       result_.build_dir_.string()));
      return;
    }
    Test test;
    test.name = self.name;
    test.file = self.file;
    test.line = self.line;
    test.disabled = self.disabled;
    test.will_run = runs(unit.test);
    for (std::size_t other : declared) {
      if (!entry(other).command.empty()) test.declared.push_back(entry(other).name);
    }
    tests_.push_back(std::move(test));
    result_.units_.push_back(std::move(unit));
  }

  void make_suite() {
    result_.suite_ = Suite(&kProcessRuntime, Framework::ctest, "", std::move(tests_));
    std::vector<std::string> names;
    for (std::size_t helper : helpers_) names.push_back(entry(helper).name);
    if (names.empty()) return;
    result_.notices_.push_back(
        {Notice::Level::info,
         fmt::format("run with each test that requires their fixture, not as tests: {}",
                     fmt::join(names, ", "))});
  }

  void warn(std::string text) {
    result_.notices_.push_back({Notice::Level::warning, std::move(text)});
  }

  ProcessSuite& result_;
  bool also_disabled_;
  std::map<std::string, std::size_t> by_name_;
  std::map<std::string, Numbers> set_ups_, clean_ups_;
  std::set<std::size_t> helpers_, visited_;
  std::vector<Test> tests_;
};

Result<ProcessSuite> ProcessSuite::make(const fs::path& build_dir, std::vector<CtestEntry> entries,
                                        bool also_disabled) {
  ProcessSuite suite;
  suite.build_dir_ = build_dir;
  const bool any = !entries.empty();
  Builder(suite, also_disabled).build(std::move(entries));
  if (suite.units_.empty()) {
    return target_error(
        fmt::format("{} has no test that could be run", build_dir.string()),
        any ? fmt::format("are they built? cmake --build {}", build_dir.string())
            : std::string("add_test() and enable_testing() in CMakeLists.txt make some"));
  }
  return suite;
}

Result<ProcessSuite> ProcessSuite::open(const Target& target, bool also_disabled) {
  auto entries = list_ctest(target.binary);
  if (!entries) return entries.error();
  return make(target.binary, std::move(*entries), also_disabled);
}

std::vector<fs::path> ProcessSuite::directories() const {
  std::vector<fs::path> all = {build_dir_, cached(build_dir_, "CMAKE_HOME_DIRECTORY"),
                               cached(build_dir_, "CMAKE_CACHEFILE_DIR")};
  for (const ProcessStep& step : steps_) {
    all.push_back(step.entry.working_dir);
    for (const std::string& word : step.environment) {
      for (std::string_view name : {"HOME=", "TMPDIR=", "XDG_CACHE_HOME="}) {
        if (word.starts_with(name)) all.emplace_back(word.substr(name.size()));
      }
    }
  }
  std::erase_if(all, [](const fs::path& path) { return path.empty(); });
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

/// What decides how a step behaves: its command and properties, and the files that it names.
std::string ProcessSuite::digest_of(std::size_t number) const {
  const CtestEntry& e = steps_[number].entry;
  Sha256 digest;
  auto add = [&digest](const std::vector<std::string>& words) {
    for (const std::string& word : words) digest.update(word + '\0');
    digest.update("\1");
  };
  add({e.name, e.working_dir.string(), e.will_fail ? "fails" : "",
       e.skip_return_code ? std::to_string(*e.skip_return_code) : "",
       std::to_string(e.timeout.count())});
  for (const auto* words : {&e.command, &e.environment, &e.environment_modification, &e.pass_regex,
                            &e.fail_regex, &e.skip_regex, &e.required_files, &e.depends}) {
    add(*words);
  }
  for (const std::string& word : e.command) {
    std::error_code none;
    const fs::path path = e.working_dir / word;
    if (!fs::is_regular_file(path, none)) continue;
    if (auto file = sha256_file(path)) digest.update(*file);
  }
  return digest.hex_digest();
}

BinaryIdentity ProcessSuite::identity() const {
  Sha256 digest;
  for (std::size_t i = 0; i < steps_.size(); ++i) digest.update(digest_of(i));
  return {build_dir_.string(), "", digest.hex_digest(), steps_.size()};
}

std::vector<std::string> ProcessSuite::code_hashes() const {
  std::vector<std::string> hashes;
  for (const ProcessUnit& unit : units_) {
    Sha256 digest;
    for (std::size_t step : unit.set_up) digest.update(digest_of(step));
    digest.update(digest_of(unit.test));
    for (std::size_t step : unit.clean_up) digest.update(digest_of(step));
    hashes.push_back(digest.hex_digest());
  }
  return hashes;
}

}  // namespace gordian

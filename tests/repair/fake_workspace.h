// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A copy of a project in memory: its program is read from the text of its one test file, so that a
// patch to that text changes what tests do. Starts no process. Each line of a test is one of
//
//   level = 3;              writes a variable; all begin as 1
//   EXPECT_EQ(level, 1);    a check
//   Guard guard(level);     puts the variable back when the test ends
//   GTEST_SKIP();  abort();
//   assert(level == 1);     aborts if it is not
//   wobble();               fails every other time
//   int unused;             a warning when it is built
//   ??                      does not build
//
// in `TEST(Suite, Name) {` ... `}`. A new file whose name ends in _listener.cc puts the variables
// that it names (`put_back(level);`) back behind every test.
#pragma once

#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/owned_dir.h"
#include "repair/workspace.h"

namespace gordian {

class FakeWorkspace : public Workspace {
 public:
  explicit FakeWorkspace(const std::string& text)
      : dir_(std::move(*TemporaryDir::make(std::vector<std::filesystem::path>{"/tmp"}))),
        file_(dir_.path() / "suite_test.cc") {
    std::ofstream(file_) << text;
    project_.source_root = dir_.path();
    project_.build_command = "make";
    load({});
  }

  const std::string& file() const { return file_; }
  std::string root() const { return dir_.path(); }
  std::string text() const { return *read_file(file_); }

  std::vector<ChangedFiles> builds;  ///< in their order
  int orders_run = 0;
  int stop_after = -1;  ///< builds, then everything is an interrupt

  const Project& project() const override { return project_; }

  Result<BuildResult> build(const ChangedFiles& files,
                            const std::function<void(std::string_view)>& tell) override {
    if (stop_after == static_cast<int>(builds.size())) {
      return Error{ErrorKind::interrupted, "interrupted", ""};
    }
    builds.push_back(files);
    tell("building");
    load(files);
    BuildResult result;
    result.succeeded = error_.empty();
    result.first_error = error_;
    result.new_warnings = warnings_;
    return result;
  }

  Result<Suite> suite() override {
    std::vector<Test> tests;
    for (const Body& body : bodies_) {
      Test test;
      test.suite = body.suite;
      test.name = body.name;
      test.file = file_;
      test.line = body.line;
      test.disabled = body.name.starts_with("DISABLED_");
      test.will_run = !test.disabled;
      tests.push_back(test);
    }
    return Suite(Framework::gtest, "1", tests);
  }

  Result<std::vector<OrderRun>> run(std::span<const std::vector<std::string>> orders) override {
    std::vector<OrderRun> runs;
    for (const auto& names : orders) {
      auto run = run_order(names);
      if (!run) return run.error();
      runs.push_back(std::move(*run));
    }
    return runs;
  }

  std::optional<std::string> read(const std::string& path) override { return read_file(path); }
  Result<int> helper(const std::vector<std::string>&, std::string&) override { return 0; }
  Status work(const std::function<void(std::string_view)>&) override { return {}; }

 private:
  struct Body {
    std::string suite, name;
    int line = 0;
    std::vector<std::pair<int, std::string>> statements;
  };

  static std::optional<std::string> read_file(const std::string& path) {
    std::ifstream file(path);
    if (!file) return std::nullopt;
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }

  void load(const ChangedFiles& files) {
    const auto changed = files.find(file_);
    std::istringstream lines(changed != files.end() ? changed->second.after : *read_file(file_));
    bodies_.clear();
    warnings_.clear();
    put_back_.clear();
    error_.clear();
    static const std::regex head(R"(TEST\((\w+), (\w+)\) \{)");
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      std::smatch match;
      if (std::regex_match(line, match, head)) {
        bodies_.push_back({match[1], match[2], number, {}});
      } else if (!bodies_.empty() && line.starts_with("  ")) {
        take(number, line.substr(2));
      }
    }
    for (const auto& [path, file] : files) {
      static const std::regex call(R"(put_back\((\w+)\))");
      if (!path.ends_with("_listener.cc")) continue;
      for (std::sregex_iterator it(file.after.begin(), file.after.end(), call), end; it != end;
           ++it) {
        put_back_.insert((*it)[1]);
      }
    }
  }

  void take(int number, const std::string& statement) {
    const std::string place = file_ + ":" + std::to_string(number) + ":3: ";
    if (statement == "??" && error_.empty()) error_ = place + "error: expected expression";
    if (statement == "int unused;") warnings_.push_back(place + "warning: unused variable");
    bodies_.back().statements.emplace_back(number, statement);
  }

  Result<OrderRun> run_order(const std::vector<std::string>& names) {
    ++orders_run;
    OrderRun run;
    std::map<std::string, int> memory;
    bool ended = false;
    for (const std::string& name : names) {
      const auto id = suite()->find(name);
      if (!id) return Error{ErrorKind::no_match, "no test " + name, ""};
      run.order.push_back(*id);
      TestRun& test = run.runs.emplace_back(*id);
      if (ended) continue;
      test.outcome = run_test(bodies_[id->value()], memory);
      ended = test.outcome.kind == OutcomeKind::crash;
    }
    return run;
  }

  Outcome run_test(const Body& body, std::map<std::string, int>& memory) {
    const std::map<std::string, int> at_start = memory;
    std::map<std::string, int> guarded;
    Outcome outcome;
    outcome.kind = OutcomeKind::pass;
    auto value = [&memory](const std::string& name) -> int& {
      return memory.emplace(name, 1).first->second;
    };
    static const std::regex assign(R"((\w+) = (\d+);)"), check(R"(EXPECT_EQ\((\w+), (\d+)\);)"),
        guard(R"(Guard \w+\((\w+)\);)"), must(R"(assert\((\w+) == (\d+)\);)");
    for (const auto& [line, text] : body.statements) {
      std::smatch match;
      auto fail = [&, line = line](const std::string& message) {
        if (outcome.kind == OutcomeKind::fail) return;
        outcome = {OutcomeKind::fail, file_, line, message, 0, 0, false};
      };
      if (std::regex_match(text, match, assign)) {
        value(match[1]) = std::stoi(match[2]);
      } else if (std::regex_match(text, match, check)) {
        if (value(match[1]) != std::stoi(match[2])) fail("Expected equality of " + match[1].str());
      } else if (std::regex_match(text, match, guard)) {
        guarded.emplace(match[1], value(match[1]));
      } else if (text == "GTEST_SKIP();") {
        outcome.kind = OutcomeKind::skip;
        break;
      } else if (text == "abort();" ||
                 (std::regex_match(text, match, must) && value(match[1]) != std::stoi(match[2]))) {
        outcome.kind = OutcomeKind::crash;
        outcome.signal = 6;
        break;
      } else if (text == "wobble();" && ++wobbles_ % 2 == 0) {
        fail("wobbled");
      }
    }
    for (const auto& [name, old] : guarded) memory[name] = old;
    for (const std::string& name : put_back_) {
      const auto old = at_start.find(name);
      memory[name] = old == at_start.end() ? 1 : old->second;
    }
    return outcome;
  }

  TemporaryDir dir_;
  std::string file_;
  Project project_;
  std::vector<Body> bodies_;
  std::vector<std::string> warnings_;
  std::set<std::string> put_back_;
  std::string error_;
  int wobbles_ = 0;
};

}  // namespace gordian

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A test file as text, the facts of it, and a dependence between two of its tests: what the ladder
// makes of them, as the text of the file afterwards.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "repair/placing.h"
#include "repair/strategies.h"

namespace gordian {

class Story {
 public:
  explicit Story(std::string text, Framework framework = Framework::gtest) {
    files_[file()] = std::move(text);
    facts_.tests = lex_tests(file(), files_[file()]);
    facts_.fixtures = lex_classes(file(), files_[file()]);
    std::vector<Test> tests;
    for (const TestFact& fact : facts_.tests) {
      tests.push_back({fact.suite, fact.name, file(), fact.macro.line, "", ""});
    }
    suite_ = Suite(framework, framework == Framework::catch2 ? "2.13.10" : "1.12.1", tests);
    options.source_root = "/p";
  }

  static std::string file() { return "/p/t_test.cc"; }
  void add_file(const std::string& name, const std::string& text) { files_[name] = text; }

  /// An int of this file unless the caller says more.
  StateFact& state(const std::string& name) {
    StateFact& state = facts_.states.emplace_back();
    state.name = name;
    state.expression = "::" + name;
    state.type = "int";
    state.file = file();
    state.copyable = Known::yes;
    return state;
  }
  SourceFacts& facts() { return facts_; }
  TestFact& test(const std::string& name) {
    for (TestFact& fact : facts_.tests) {
      if (fact.name == name) return fact;
    }
    throw std::out_of_range(name);
  }

  /// `by` runs first and then `test`, which then does something else than alone.
  Carrier& depends(const std::string& test, const std::string& by, const std::string& carrier,
                   CarrierKind kind = CarrierKind::variable, Role role = Role::victim) {
    dependence.id = DependenceId{1};
    dependence.role = role;
    dependence.test = id(test);
    dependence.by = {id(by)};
    dependence.witness = {id(by), id(test)};
    explanation.proved = true;
    Carrier& one = explanation.carriers.emplace_back();
    one.key = {kind, carrier};
    one.file = file();
    one.type = "int";
    one.proved = true;
    return one;
  }
  TestId id(const std::string& name) const {
    for (const Test& test : suite_.tests()) {
      if (test.full_name() == name) return *suite_.find(name);
    }
    throw std::out_of_range(name);
  }

  Proposals ask(Strategy strategy) {
    options.only = {strategy};
    return propose({suite_, known(), facts_, source(), options});
  }
  Proposals ask_all() {
    options.only.clear();
    return propose({suite_, known(), facts_, source(), options});
  }
  const SourceText& source() {
    source_ = SourceText([this](const std::string& name) -> std::optional<std::string> {
      const auto found = files_.find(name);
      if (found == files_.end()) return std::nullopt;
      return found->second;
    });
    return source_;
  }
  /// What a file is with a proposal of the strategy; a sentence if there is no such proposal.
  std::string after(Strategy strategy, std::size_t choice = 0, const std::string& name = file()) {
    const Proposals all = ask(strategy);
    if (all.ladder.size() <= choice) return "nothing: " + why(all);
    const auto changed = apply(all.ladder[choice].change, source());
    if (!changed) return "not applicable: " + changed.error().message;
    const auto found = changed->find(name);
    return found == changed->end() ? "unchanged" : found->second.after;
  }
  std::string summary(Strategy strategy) {
    const Proposals all = ask(strategy);
    return all.ladder.empty() ? "nothing: " + why(all) : all.ladder.front().summary;
  }
  /// Why a strategy has nothing to offer; empty: it has.
  std::string why_not(Strategy strategy) { return why(ask(strategy)); }

  Dependence known() const {
    Dependence all = dependence;
    all.explanation = explanation;
    return all;
  }

  Dependence dependence;
  Explanation explanation;
  StrategyOptions options;

 private:
  static std::string why(const Proposals& all) {
    return all.inapplicable.empty() ? "" : all.inapplicable.front().why;
  }

  std::map<std::string, std::string> files_;
  SourceFacts facts_;
  Suite suite_;
  SourceText source_{[](const std::string&) { return std::nullopt; }};
};

}  // namespace gordian

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A task as the strategies see it: tests of the dependence found in the source, states looked up,
// and where in a test a guard has to stand to come before the first write.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "model/explanation.h"
#include "repair/source_facts.h"
#include "repair/strategies.h"

namespace gordian::strategies {

/// A carrier of an explanation, looked up in the facts of the source: the variable it belongs to,
/// and the path from there to the piece that changed, as far as source code can spell it.
struct Subject {
  const Carrier* carrier = nullptr;  ///< never null
  const StateFact* state = nullptr;  ///< null: no variable, or an unknown one
  std::string path;                  ///< ".net.retries", "->x", "[3]", or empty: the whole
  bool pointee = false;              ///< "*p": what the variable points to

  /// It lives behind a pointer: a copy of the variable does not save it.
  bool behind_pointer() const;
};

/// Kinds that are memory of the program.
bool is_variable(CarrierKind kind);

/// `invented` keeps facts that had to be made up from the explanation alone.
Subject find_subject(const Carrier& carrier, const SourceFacts& facts,
                     std::deque<StateFact>& invented);

/// "(anonymous namespace)::x" -> "x": how explanations and people say it.
std::string display_name(std::string_view name);

/// A frame of the stack stands in these lines of the file.
bool any_frame_in(const Site& site, const std::string& file, int first, int last);

/// Where a guard goes: first in a test's body, or first member of a fixture.
struct Place {
  const TestFact* test = nullptr;        ///< whose body; null: the fixture's alone
  const FixtureFact* fixture = nullptr;  ///< not null: as its first member
  std::string file;
  std::string name;        ///< "Config.Loud", "the fixture Settings": for sentences
  std::string class_name;  ///< whose members code there may use; empty: of none
};

struct Places {
  std::vector<Place> places;
  std::string why_not;  ///< when there are none
};

class Scene {
 public:
  explicit Scene(const RepairTask& task);
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  const RepairTask& task() const { return task_; }
  const SourceFacts& facts() const { return task_.facts; }
  const Dependence& dependence() const { return task_.dependence; }
  bool brittle() const { return dependence().role == Role::brittle; }

  /// To be put back together: one set if the explanation is proved, else one for each suspect.
  const std::vector<std::vector<Subject>>& sets() const { return sets_; }

  std::string name(TestId test) const { return task_.suite.test(test).full_name(); }
  std::string title(TestId test) const;  ///< for sentences: a title of several words in quotes
  /// nullptr: not found in the source.
  const TestFact* fact(TestId test) const;
  /// Empty: text can be put into its body; else one sentence why not.
  std::string why_closed(TestId test) const;
  /// Empty: the file may be changed; else one sentence.
  std::string why_untouchable(const std::string& file) const;
  const std::string& content(const std::string& file) const;  ///< empty: none
  std::string text(const TextRange& range) const;             ///< empty: its file has no such place

  /// Tests that leave the state changed: the witness's first, then all others known that may write
  /// one of the subjects.
  std::vector<TestId> polluters(const std::vector<Subject>& set) const;
  /// The ones of the witness alone.
  std::vector<TestId> writers(const std::vector<Subject>& set) const;
  /// Where guards of these tests go; a fixture once, if it serves several.
  Places places(const std::vector<TestId>& tests, const std::vector<Subject>& set) const;

  /// The begin of its body. REQUIRES: it was found in the source.
  Place place_in(TestId test) const;

 private:
  bool may_write(TestId test, const std::vector<Subject>& set) const;
  const FixtureFact* set_up_of(TestId test, const std::vector<Subject>& set) const;
  const FixtureFact* fixture_of(const StackFrame& frame, const TestFact* test) const;
  const TestFact* lexed(const Test& test) const;

  const RepairTask& task_;
  std::deque<StateFact> invented_;
  mutable std::map<std::string, std::vector<FixtureFact>> classes_;  ///< of files, by the lexer
  mutable std::map<std::string, std::vector<TestFact>> tests_;       ///< likewise
  std::vector<std::vector<Subject>> sets_;
};

// Statements of one test that set a state, to be repeated elsewhere: the writing ones with the
// declarations they need, without checks. A call inside of a check is kept, the check around it is
// not; of sections and blocks only the statements inside are taken.

struct Slice {
  std::vector<std::string> statements;  ///< texts with their semicolons
  bool uses_fixture = false;            ///< they may need members of the test's fixture
  std::string why_not;                  ///< when there are none
  std::vector<std::string> declares{};  ///< local names
};

/// What may write one of the subjects.
Slice writing_slice(const Scene& scene, TestId test, const std::vector<Subject>& set);
/// Every statement but the checks.
Slice whole_slice(const Scene& scene, TestId test);

}  // namespace gordian::strategies

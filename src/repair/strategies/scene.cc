// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/strategies/scene.h"

#include <algorithm>
#include <map>

#include "frameworks/framework_traits.h"
#include "repair/placing.h"
#include "repair/strategies/source_words.h"

namespace gordian::strategies {
namespace {

constexpr std::size_t kSuspects = 3;
constexpr std::size_t kShareFixture = 3;  // so many guards are better one in their fixture

/// "I/P.Odd/1" -> "P", "Odd": as the macro spells them.
std::string spelled_suite(std::string suite) {
  const std::size_t slash = suite.rfind('/');
  if (slash == std::string::npos) return suite;
  const bool typed = suite.find_first_not_of("0123456789", slash + 1) == std::string::npos;
  if (typed) return spelled_suite(suite.substr(0, slash));
  return suite.substr(slash + 1);
}

std::string spelled_name(const std::string& name) {
  const std::size_t slash = name.find('/');
  return slash == std::string::npos ? name : name.substr(0, slash);
}

const TestFact* fact_by_name(const Test& test, const SourceFacts& facts) {
  for (const TestFact& fact : facts.tests) {
    if (fact.name != test.name && fact.name != spelled_name(test.name)) continue;
    if (fact.suite.empty() || fact.suite == spelled_suite(test.suite)) return &fact;
  }
  return nullptr;
}

bool contains(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool says_generated(const std::string& content) {
  const std::string head = content.substr(0, 600);
  for (const char* mark : {"DO NOT EDIT", "Do not edit", "@generated", "do not edit"}) {
    if (head.find(mark) != std::string::npos) return true;
  }
  return false;
}

bool test_writes(const TestFact& test, const StateFact& state) {
  return std::any_of(test.statements.begin(), test.statements.end(),
                     [&](const StatementFact& s) { return contains(s.may_write, state.name); });
}

/// A frame of the stack stands in this part of a file.
bool stands_in(const Site& site, const Scene& scene, const TextRange& range) {
  const std::string& text = scene.content(range.file);
  return any_frame_in(site, range.file, line_at(text, range.begin), line_at(text, range.end));
}

/// The function is the constructor or the set-up of the class.
bool sets_up(const std::string& frame, const FixtureFact& fixture) {
  const std::string name = display_name(fixture.name), function = display_name(frame);
  const std::size_t at = function.find(name + "::");
  if (at == std::string::npos || (at > 0 && is_word_char(function[at - 1]))) return false;
  const std::string method = function.substr(at + name.size() + 2);
  const std::size_t open = method.find('(');
  if (open == std::string::npos) return false;
  const std::string called = method.substr(0, open);
  return called == last_of(name) || any_framework([&called](const FrameworkTraits& traits) {
           return std::find(traits.set_ups.begin(), traits.set_ups.end(), called) !=
                  traits.set_ups.end();
         });
}

}  // namespace

Scene::Scene(const RepairTask& task) : task_(task) {
  const Explanation& explanation = task.dependence.explained();
  std::vector<Subject> all;
  for (const Carrier& carrier : explanation.carriers) {
    all.push_back(find_subject(carrier, task.facts, invented_));
  }
  if (explanation.proved) {
    if (!all.empty()) sets_.push_back(std::move(all));
    return;
  }
  for (std::size_t i = 0; i < all.size() && i < kSuspects; ++i) sets_.push_back({all[i]});
}

const TestFact* Scene::fact(TestId test) const {
  const Test& known = task_.suite.test(test);
  const TestFact* at = known.file.empty() ? nullptr : facts().test_at(known.file, known.line);
  if (at == nullptr) at = fact_by_name(known, facts());
  return at != nullptr ? at : lexed(known);
}

/// Of tests that the compiler's facts do not know, as data tests of Boost.Test are, the lexer at
/// least knows where they stand.
const TestFact* Scene::lexed(const Test& test) const {
  if (test.file.empty() || !is_below(task_.options.source_root, test.file)) return nullptr;
  const auto [tests, fresh] = tests_.try_emplace(test.file);
  if (fresh) tests->second = lex_tests(test.file, content(test.file));
  for (const TestFact& fact : tests->second) {
    if (fact.macro.line == test.line) return &fact;
  }
  return nullptr;
}

std::string Scene::title(TestId test) const {
  const std::string plain = name(test);
  return plain.find(' ') == std::string::npos ? plain : "\"" + plain + "\"";
}

std::string Scene::why_closed(TestId test) const {
  const TestFact* found = fact(test);
  if (found == nullptr) return title(test) + " was not found in the source";
  if (!found->spelled) {
    return title(test) + " is made by a macro of the project: there is no body to change";
  }
  return why_untouchable(found->body.file);
}

std::string Scene::why_untouchable(const std::string& file) const {
  if (!is_below(task_.options.source_root, file)) return file + " lies outside of the project";
  if (!task_.source.content(file)) return file + " cannot be read";
  for (std::string dir = directory_of(file);
       dir != task_.options.source_root && is_below(task_.options.source_root, dir) && dir != "/";
       dir = directory_of(dir)) {
    if (task_.source.content(dir + "/CMakeCache.txt")) {
      return file + " lies in a build directory";
    }
  }
  if (says_generated(content(file))) return file + " says that it is generated";
  return "";
}

const std::string& Scene::content(const std::string& file) const {
  static const std::string none;
  const auto& text = task_.source.content(file);
  return text ? *text : none;
}

std::string Scene::text(const TextRange& range) const {
  const std::string& all = content(range.file);
  if (range.begin >= range.end || range.end > all.size()) return "";
  return all.substr(range.begin, range.end - range.begin);
}

bool Scene::may_write(TestId test, const std::vector<Subject>& set) const {
  const TestFact* found = fact(test);
  if (found == nullptr || !facts().by_compiler) return true;
  if (found == lexed(task_.suite.test(test))) return true;  // nothing is known of its statements
  const FixtureFact* fixture = facts().fixture(found->fixture);
  for (const Subject& subject : set) {
    if (subject.state == nullptr) return true;
    if (test_writes(*found, *subject.state)) return true;
    if (fixture != nullptr && contains(fixture->set_up_writes, subject.state->name)) return true;
  }
  return set.empty();
}

std::vector<TestId> Scene::writers(const std::vector<Subject>& set) const {
  std::vector<TestId> tests;
  for (const Subject& subject : set) {
    if (!subject.carrier->write) continue;
    const auto test = task_.suite.find(subject.carrier->write->test);
    const Order& by = dependence().by;
    if (test && std::find(by.begin(), by.end(), *test) != by.end()) add_once(tests, *test);
  }
  if (tests.empty()) {
    for (const TestId test : dependence().by) add_once(tests, test);
  }
  return tests;
}

std::vector<TestId> Scene::polluters(const std::vector<Subject>& set) const {
  std::vector<TestId> tests = writers(set);
  if (dependence().by.size() > 1) return tests;
  for (const TestId test : dependence().singles) {
    if (may_write(test, set)) add_once(tests, test);
  }
  return tests;
}

Place Scene::place_in(TestId test) const {
  const TestFact* found = fact(test);
  return {found, nullptr, found->body.file, title(test), found->fixture};
}

const FixtureFact* Scene::fixture_of(const StackFrame& frame, const TestFact* test) const {
  for (const FixtureFact& fixture : facts().fixtures) {
    if (sets_up(frame.function, fixture)) return &fixture;
  }
  // A fixture of a whole suite belongs to no single test.
  if (test == nullptr || frame.file.empty() || !test->body.file.ends_with(frame.file))
    return nullptr;
  const std::string& file = test->body.file;
  const auto [classes, fresh] = classes_.try_emplace(file);
  if (fresh) classes->second = lex_classes(file, content(file));
  for (const FixtureFact& fixture : classes->second) {
    if (sets_up(frame.function, fixture)) return &fixture;
  }
  return nullptr;
}

const FixtureFact* Scene::set_up_of(TestId test, const std::vector<Subject>& set) const {
  const TestFact* found = fact(test);
  for (const Subject& subject : set) {
    const auto& write = subject.carrier->write;
    if (write && write->test == name(test)) {
      if (found != nullptr && stands_in(*write, *this, found->body)) continue;
      for (const StackFrame& frame : write->stack) {
        if (const FixtureFact* fixture = fixture_of(frame, found)) return fixture;
      }
    }
    const FixtureFact* own = found == nullptr ? nullptr : facts().fixture(found->fixture);
    if (own == nullptr || subject.state == nullptr) continue;
    if (contains(own->set_up_writes, subject.state->name) && !test_writes(*found, *subject.state)) {
      return own;
    }
  }
  return nullptr;
}

Places Scene::places(const std::vector<TestId>& tests, const std::vector<Subject>& set) const {
  Places result;
  std::map<const FixtureFact*, int> users;
  for (const TestId test : tests) {
    const TestFact* found = fact(test);
    if (found != nullptr && !found->fixture.empty()) ++users[facts().fixture(found->fixture)];
  }
  std::vector<const void*> taken;
  for (const TestId test : tests) {
    const TestFact* found = fact(test);
    const FixtureFact* fixture = set_up_of(test, set);
    if (fixture == nullptr && found != nullptr && !found->fixture.empty()) {
      const FixtureFact* own = facts().fixture(found->fixture);
      if (own != nullptr && users[own] >= static_cast<int>(kShareFixture)) fixture = own;
    }
    const bool usable =
        fixture != nullptr && fixture->spelled && why_untouchable(fixture->body.file).empty();
    const void* key = usable ? static_cast<const void*>(fixture) : found;
    if (found != nullptr && std::find(taken.begin(), taken.end(), key) != taken.end()) continue;
    if (usable) {
      taken.push_back(key);
      result.places.push_back({found, fixture, fixture->body.file,
                               "the fixture " + display_name(fixture->name), fixture->name});
      continue;
    }
    if (std::string why = why_closed(test); !why.empty()) return {{}, std::move(why)};
    taken.push_back(key);
    result.places.push_back(place_in(test));
  }
  if (result.places.empty()) result.why_not = "no test is known that leaves the state changed";
  return result;
}

}  // namespace gordian::strategies

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What one rung of the ladder brings forward, how its changes are put together, and the table's
// view of a rung.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "repair/guards.h"
#include "repair/strategies/guard.h"

namespace gordian::strategies {

/// A change in the making: statements, members, includes and declarations are collected per file
/// and become edits at the end, so that several at one place stay in order and one include is added
/// once.
class Draft {
 public:
  explicit Draft(const Scene& scene) : scene_(scene) {}

  /// False: the very same guard stands there already.
  bool add(const Guard& guard, const Place& place);
  void first_statement(const TestFact& test, const std::string& text);
  /// Lines outside of any function, in front of the test.
  void before(const TestFact& test, const std::string& text);
  void include(const std::string& file, const std::string& name);
  /// Names of gordian_guards.h that a file needs.
  void use(const std::string& file, const std::set<std::string>& guards);
  /// The header that use() leads to. REQUIRES: it was called.
  std::string guards_file() const { return guards_directory() + "/" + std::string(kGuardsFile); }
  void append(const std::string& file, const std::string& text);
  void new_file(const std::string& file, const std::string& content);
  void add(const Edit& edit);  ///< once

  /// nullopt: `why_not` says which piece found no place.
  std::optional<Change> finish();
  const std::string& why_not() const { return why_not_; }

 private:
  struct At {
    TextRange body;
    std::vector<std::string> lines;
    bool acts = false;  ///< they do something at the end, which guards that are there come behind
  };
  bool add_bodies();
  void scope(const std::string& file, std::size_t offset, const std::string& text);
  void add_scopes();
  void add_includes();
  bool add_guards_header();
  std::string guards_directory() const;

  const Scene& scene_;
  Change change_;
  std::map<std::pair<std::string, std::size_t>, At> statements_, members_, scopes_;
  std::map<std::string, std::set<std::string>> includes_;
  std::map<std::string, std::set<std::string>> guards_;  ///< by file that uses them
  std::string why_not_;
};

class Offers {
 public:
  Offers(const Scene& scene, Strategy strategy) : scene_(scene), strategy_(strategy) {}

  /// Keeps the finished draft, for the caller to say more of it; null: it is the same as an earlier
  /// one, or cannot be finished.
  Proposal* add(Draft& draft, const std::string& summary, const std::string& reason);
  /// A reason why there may be nothing; the first one is told.
  void no(const std::string& why);

  const Scene& scene() const { return scene_; }
  Strategy strategy() const { return strategy_; }
  bool empty() const { return proposals_.empty(); }
  void move_to(Proposals& all);

 private:
  const Scene& scene_;
  Strategy strategy_;
  std::vector<Proposal> proposals_;
  std::string why_not_;
};

/// Each fills in its offers or says why it has none.
void offer_guards(Offers& offers);  ///< own_reset, restore, process, property, ...
void offer_setter(Offers& offers);
void offer_cleaner(Offers& offers);
void offer_initial_value(Offers& offers);
void offer_listener(Offers& offers);
/// One for the states of all these.
void offer_shared_listener(Offers& offers, const std::vector<const Scene*>& scenes);
void offer_declaration(Offers& offers);

}  // namespace gordian::strategies

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A change in the making: statements, members, includes and declarations are collected per file and
// become edits at the end, so that several at one place stay in order and one include is added
// once.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "repair/guards.h"
#include "repair/strategies/guard.h"

namespace gordian::strategies {

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
  bool add_scopes();
  bool add_includes();
  bool add_guards_header();
  std::string guards_directory() const;

  const Scene& scene_;
  Change change_;
  std::map<std::pair<std::string, std::size_t>, At> statements_, members_, scopes_;
  std::map<std::string, std::set<std::string>> includes_;
  std::map<std::string, std::set<std::string>> guards_;  ///< by file that uses them
  std::string why_not_;
};

}  // namespace gordian::strategies

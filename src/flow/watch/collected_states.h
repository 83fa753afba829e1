// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What tests wrote, put together over all of them: one entry for each state, with the words that
// stand for it while each test runs. Pure.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "flow/watch/net_effect.h"
#include "flow/watch/watch_pass.h"

namespace gordian {

struct CollectedState {
  SharedState what;
  bool library = false;
  bool partial = false;  ///< not all of its words are watched
  StateEvents events;
  bool in_memory = false;
};

class CollectedStates {
 public:
  explicit CollectedStates(std::size_t positions) : positions_(positions), writes_(positions) {}

  /// The test at `position` left `change`. In an order: in the state that the tests before left, to
  /// be found by later tests at its new place. REQUIRES: positions ascend.
  void add_in_order(std::size_t position, const NetChange& change);
  /// ... alone, to be found by every test where it was at the beginning. Returns the state.
  std::size_t add_alone(std::size_t position, const NetChange& change);

  const std::vector<CollectedState>& states() const { return states_; }
  const std::vector<std::size_t>& writes_of(std::size_t position) const {
    return writes_[position];
  }
  bool writes(std::size_t position, std::size_t state) const;
  /// The likeliest suspects first: the program's own before what belongs to libraries.
  std::vector<WordWatch> words() const;
  std::vector<CallWatch> calls() const;

 private:
  std::size_t state_of(const NetChange& change);
  void add_words(std::size_t state, bool settles, const std::vector<ByteRange>& ranges,
                 std::size_t from);

  std::size_t positions_;
  std::vector<CollectedState> states_;
  std::map<StateKey, std::size_t> known_;
  std::vector<std::vector<std::size_t>> writes_;
  std::vector<WordWatch> words_;
  std::map<std::size_t, std::size_t> heap_words_of_;  ///< by state: where its newest words begin
};

/// Statics that their first use initialises, by every test that gets there alone. Whoever comes
/// first does it; where all come to the same result, that is a write of nobody. Else it is a state
/// like any other, which all of them read and write. Nobody else can read it: the way to a local
/// static goes past its guard, or over a pointer that somebody who went there has kept, and which
/// then is a change of its own.
class FirstUses {
 public:
  void add(std::size_t position, const NetChange& change);

  struct Disputed {
    std::vector<std::pair<std::size_t, NetChange>> writes;  ///< by position
    std::vector<std::size_t> users;                         ///< positions; they read all of it
  };
  std::vector<Disputed> disputed() const;

 private:
  using Values = std::map<StateKey, NetChange>;
  std::map<std::uint64_t, std::map<std::size_t, Values>> uses_;  ///< by variable, by position
};

/// A SetUpTestSuite(), TearDownTestCase() or the like of a class, but not of testing::Test.
bool sets_up_suites(std::string_view mangled);

/// Whether any of these files has such code, which runs once for a whole suite, or cannot be read.
bool has_suite_fixtures(const std::vector<std::string>& modules);

}  // namespace gordian

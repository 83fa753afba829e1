// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The facts of a repair: which patches were tried for a dependence, what each was checked for by
// rebuilding and re-running, and which one stands. Plain values; stored and reported.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/ids.h"

namespace gordian {

/// The ladder, best first: what a maintainer would rather read stands before what he would not.
enum class Strategy : std::uint8_t {
  own_reset,    ///< the code's own reset, called when the polluter ends
  restore,      ///< a guard that puts a variable back, in the polluter or as a fixture's member
  process,      ///< the same for environment, working directory, file, locale, mask, ...
  property,     ///< the code's own setter, with what its getter gave before the test
  fresh,        ///< a new object behind a pointer for the time of the test
  members,      ///< member by member, where the whole cannot be copied or reached
  copy_setter,  ///< brittle: the state-setter's writing statements, copied into the test
  cleaner,      ///< the writing statements of a known cleaner, at the polluter's end
  paper,        ///< assign the initial value at the begin of the victim
  listener,     ///< one new file that puts back a state around every test
  accessor,     ///< a function added to product code so that a guard can reach the state
  declare,      ///< no repair: says the dependence where the test runner sees it
};

/// "own-reset", "restore", ...: the words of --strategy, --json and databases, where they stay.
std::string_view to_string(Strategy strategy);
std::optional<Strategy> parse_strategy(std::string_view word);
/// All of them, in the order of the ladder.
const std::vector<Strategy>& all_strategies();

struct Patch {
  Strategy strategy = Strategy::restore;
  std::string diff;     ///< unified, paths below the source root with a/ and b/: for `git apply`
  std::string summary;  ///< "puts app::verbosity back when Config.Loud ends"
  std::string reason;   ///< why this way, for the maintainer; may be empty
  std::string commit_message;
  int added = 0, removed = 0;      ///< lines in files that were there before
  std::vector<std::string> files;  ///< relative to the source root; new ones too
  bool product_code = false;       ///< touches more than tests
};

/// What a patch has to go through, in this order.
enum class CheckKind : std::uint8_t {
  checks_kept,  ///< no test and no assertion is taken away or switched off in the text
  build,
  tests_kept,       ///< the program has the tests that it had
  witness,          ///< the test has its other result at the end of the witness
  alone,            ///< and alone, as the other tests have theirs
  other_witnesses,  ///< brittle tests still pass after what sets their state
  repaired_before,  ///< what other patches have repaired stays repaired
  other_tests,      ///< no other test disturbs it
  reversed,         ///< the test first, then those it depends on
  default_order,
  random_orders,
};

/// "checks kept", "witness", ...: the words of --json and databases.
std::string_view to_string(CheckKind kind);
std::optional<CheckKind> parse_check_kind(std::string_view word);

/// One thing that was run on the patched program, and what it has to be.
struct RepairCheck {
  CheckKind kind = CheckKind::build;
  bool passed = false;
  int runs = 0;
  std::string detail;  ///< when it failed: what was seen in place of what
};

enum class RepairVerdict : std::uint8_t {
  verified,   ///< every check holds
  partly,     ///< the dependence is gone, but something else is not as it has to be
  rejected,   ///< the dependence is still there, or a check says that the patch does harm
  not_built,  ///< the program could not be built with it
};

std::string_view to_string(RepairVerdict verdict);
std::optional<RepairVerdict> parse_repair_verdict(std::string_view word);

struct RepairAttempt {
  Patch patch;
  RepairVerdict verdict = RepairVerdict::rejected;
  std::vector<RepairCheck> checks;
  std::string why;  ///< not verified: one sentence; not built: the compiler's first error
  double build_seconds = 0, check_seconds = 0;
};

/// A strategy that has nothing to offer for this dependence.
struct Inapplicable {
  Strategy strategy = Strategy::restore;
  std::string why;
};

/// What became of one dependence.
struct Repair {
  DependenceId dependence;
  std::vector<RepairAttempt> attempts;  ///< in the order they were tried
  std::vector<Inapplicable> inapplicable;
  std::optional<std::size_t>
      accepted;          ///< of the attempts: verified, or partly if that is the best
  DependenceId gone_by;  ///< its patch repaired this one too; mostly none
  std::string why_not;   ///< nothing was accepted: the reason in one sentence
};

/// Old and new content of a file that patches change or add.
struct ChangedFile {
  std::optional<std::string> before;  ///< nullopt: the file is new
  std::string after;
};
using ChangedFiles = std::map<std::string, ChangedFile>;  ///< by absolute path

/// What one `gordian fix` of one binary came to: a repair for each dependence it was asked for, and
/// all patches that were accepted as one.
struct FixFacts {
  std::string source_root;      ///< paths of the diff are below it
  std::string source_stamp;     ///< what the source was like; another one: it may be another now
  std::string build_command;    ///< by which the copy was built
  std::vector<Repair> repairs;  ///< in the order of the dependences asked for
  ChangedFiles files;           ///< of all accepted patches together
  std::string diff, commit_message;           ///< of all accepted patches together
  int failing_before = 0, failing_after = 0;  ///< tests that some random order makes differ
  int random_orders = 0;                      ///< of which each side ran so many
  std::vector<RepairCheck> checks;            ///< of all accepted patches together
  double seconds = 0;
};

/// The attempt that stands for a dependence; nullptr: there is none.
const RepairAttempt* accepted_attempt(const Repair& repair);

/// True if this dependence is gone by a patch that passed every check: its own or another's.
bool is_repaired(const Repair& repair, const std::vector<Repair>& all);

}  // namespace gordian

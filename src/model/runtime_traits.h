// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What holds for every target of a runtime, and can be told without opening one. Whoever thinks or
// writes about results asks here, never which runtime it is.
#pragma once

#include <string_view>

namespace gordian {

/// Why something cannot be done, and what to do instead; empty: it can.
struct Refusal {
  std::string_view why, instead;
  explicit operator bool() const { return !why.empty(); }
};

struct RuntimeTraits {
  std::string_view word;          ///< in the database: stays once released
  std::string_view level;         ///< its word for --level; empty: found by looking at the target
  std::string_view level_help;    ///< what is a test there
  std::string_view level_option;  ///< for a command that names a target: " --level process", or ""
  std::string_view thing;         ///< what the user points at: "binary"
  std::string_view made_anew;     ///< what was done to one that is another now: "rebuilt"
  bool one_process = true;        ///< the tests of an order share one process, which a test can end
  std::string_view test_timeout;  ///< of one test that is searched or explained; empty: the usual
  Refusal no_patches, no_debugger, no_traces;  ///< powers that no target of it has
};

/// Identity is the address. A target that nobody has looked at may have none.
using RuntimeId = const RuntimeTraits*;

/// A program with a test framework inside.
extern const RuntimeTraits kNativeRuntime;
/// A build, each of whose ctest tests is one test.
extern const RuntimeTraits kProcessRuntime;

/// For the database: the word, or "" for none.
std::string_view runtime_word(RuntimeId runtime);
/// The one that the database calls so; null: none of this version, or none was told.
RuntimeId runtime_called(std::string_view word);
/// Makes one known by its word; forget() before it ends. Those of this file are known.
void know(const RuntimeTraits& runtime);
void forget(const RuntimeTraits& runtime);

}  // namespace gordian

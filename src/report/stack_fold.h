// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A stack as the author of the program sees it: his own frames one by one, those of libraries
// folded into a count, and nothing of what the framework does to call a test.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/explanation.h"

namespace gordian {

/// One frame of the program, or several of one library.
struct StackLine {
  const StackFrame* frame = nullptr;  ///< the program's; nullptr: folded
  std::size_t folded = 0;
  std::string library;  ///< "libstdc++", "GoogleTest"; empty: the rest of a long stack
};

/// The callers of the frame that `site` shows, innermost first. Points into `site`.
std::vector<StackLine> callers(const Site& site);

/// The library frames between the shown frame and the access itself; folded == 0 without any.
StackLine inner_frames(const Site& site);

/// "account.cc:12 in deposit(int)"; what is unknown is left out. Safe to print.
std::string frame_text(const StackFrame& frame);

/// A function of a library as people call it, without its arguments: "std::vector<...>::push_back".
std::string short_function(const StackFrame& frame);

/// "/src/cart.cc:12" of "/src/build/../cart.cc". Safe to print.
std::string place_text(const std::string& file, int line);

/// "... 3 frames of libstdc++".
std::string folded_text(const StackLine& line);

}  // namespace gordian

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Where checks of the test frameworks stand: their macros, also inside of macros of the project,
// noted while the preprocessor expands them.
#pragma once

#include <clang/Basic/SourceManager.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace gordian::facts {

class Checks {
 public:
  /// Is there a check in this part of a file?
  bool any_in(clang::FileID file, unsigned begin, unsigned end) const;
  std::unique_ptr<clang::PPCallbacks> recorder(const clang::SourceManager& manager);

 private:
  friend class CheckRecorder;
  std::map<clang::FileID, std::set<unsigned>> offsets_;
};

/// "TEST_F(Suite, Name)" -> {"TEST_F", "Suite", "Name"}; strings keep their quotes.
std::vector<std::string> macro_words(llvm::StringRef call);

/// The value of "text" "more text", raw strings too; anything else is given back as it is.
std::string literal_value(llvm::StringRef literal);

}  // namespace gordian::facts

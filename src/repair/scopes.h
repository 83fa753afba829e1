// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Which namespaces and classes are open at a token, as one walks through the code.
#pragma once

#include <string>
#include <vector>

#include "repair/lexer.h"

namespace gordian {

class Scopes {
 public:
  explicit Scopes(const Code& code) : code_(code) {}

  /// To be called for every token in order: leaves scopes that end, enters namespaces.
  void reach(std::size_t at);
  /// A class whose { is this token.
  void enter(std::size_t open, const std::string& name);

  /// "a::b::" + name; unnamed namespaces do not show.
  std::string qualified(const std::string& name) const { return prefix_ + name; }
  /// The prefixes under which a name is looked for, innermost first: "a::b::", "a::", "".
  std::vector<std::string> prefixes() const;

 private:
  struct Scope {
    std::size_t close, length;  ///< token of its }; length of the prefix outside of it
  };
  const Code& code_;
  std::vector<Scope> open_;
  std::string prefix_;
};

}  // namespace gordian

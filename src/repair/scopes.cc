// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/scopes.h"

namespace gordian {

namespace {

constexpr std::size_t kDeepestScope = 64;          // deeper ones are not told apart
constexpr std::size_t kLongestPrefix = 1000;  // nobody's names are longer

}  // namespace

void Scopes::reach(std::size_t at) {
  while (!open_.empty() && open_.back().close <= at) {
    prefix_.resize(open_.back().length);
    open_.pop_back();
  }
  if (!code_.is(at, "namespace") || (at > 0 && code_.is(at - 1, "using"))) return;
  std::string name;
  std::size_t next = at + 1;
  while (code_.is_identifier(next) || code_.is(next, "::")) {
    if (!code_.is(next, "inline")) name += code_.text(next);
    ++next;
  }
  if (code_.is(next, "{") && name.find("::") != 0) enter(next, name);
}

void Scopes::enter(std::size_t open, const std::string& name) {
  const std::size_t close = code_.partner(open);
  if (close == Code::kNone || open_.size() >= kDeepestScope || prefix_.size() > kLongestPrefix) return;
  open_.push_back({close, prefix_.size()});
  if (!name.empty()) prefix_ += name + "::";
}

std::vector<std::string> Scopes::prefixes() const {
  std::vector<std::string> all = {prefix_};
  while (all.back().size() > 2) {
    const std::size_t cut = all.back().rfind("::", all.back().size() - 3);
    all.push_back(cut == std::string::npos ? "" : all.back().substr(0, cut + 2));
  }
  return all;
}

}  // namespace gordian

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/ids.h"

#include <charconv>
#include <system_error>

namespace gordian {
namespace {

constexpr char kRun = 'R', kDependence = 'D';

template <class Id>
std::string with_letter(char letter, Id id) {
  return letter + std::to_string(id.value());
}

/// The number behind an optional letter, in either case.
template <class Id>
std::optional<Id> without_letter(char letter, std::string_view word) {
  const char small = static_cast<char>(letter + ('a' - 'A'));
  if (word.starts_with(letter) || word.starts_with(small)) word.remove_prefix(1);
  typename Id::rep value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || value < 0) return std::nullopt;
  return Id{value};
}

}  // namespace

std::string to_string(RunId id) {
  return with_letter(kRun, id);
}

std::string to_string(DependenceId id) {
  return with_letter(kDependence, id);
}

std::optional<RunId> parse_run_id(std::string_view word) {
  return without_letter<RunId>(kRun, word);
}

std::optional<DependenceId> parse_dependence_id(std::string_view word) {
  return without_letter<DependenceId>(kDependence, word);
}

}  // namespace gordian

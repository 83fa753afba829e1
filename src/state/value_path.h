// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// How an object is reached from a variable, written as in source code: g_profile->limits->max_size,
// *data_, g_seats[3], g_users["ann"].age. Millions of objects are reached and few are named: steps
// are kept as a tree and put together when asked for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gordian {

class ValuePaths {
 public:
  using Id = std::uint32_t;

  /// Begins anew with the name of a variable. Ids from before are void.
  Id start(std::string root);
  /// Names are not copied: those of members live as long as their types.
  Id member(Id parent, const std::string& name);
  Id index(Id parent, std::uint64_t i);
  Id key(Id parent, std::string text);  ///< ["ann"]
  Id get(Id parent, std::uint64_t i);   ///< std::get<1>(...)
  Id target(Id parent);                 ///< what a pointer points to

  /// The middle of a path of very many steps is left out: "g_list->next->next...->next->value".
  std::string text(Id id) const;

 private:
  enum class Kind : std::uint8_t { root, member, index, key, get, target };
  struct Step {
    Id parent = 0;
    Kind kind = Kind::root;
    std::uint64_t number = 0;  ///< index, or position in keys_
    const std::string* name = nullptr;
  };

  Id add(Step step);

  std::string root_;
  std::vector<Step> steps_;
  std::vector<std::string> keys_;
};

}  // namespace gordian

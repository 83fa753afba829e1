// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "ctest/ctest_env.h"

#include <array>
#include <map>
#include <string_view>

namespace gordian {
namespace {

struct Join {
  std::string_view operation, separator;
  bool in_front;
};

constexpr std::array<Join, 6> kJoins = {{
    {"string_append", "", false},
    {"string_prepend", "", true},
    {"path_list_append", ":", false},
    {"path_list_prepend", ":", true},
    {"cmake_list_append", ";", false},
    {"cmake_list_prepend", ";", true},
}};

/// The environment as it is being changed; what was not touched is looked up outside.
class Changes {
 public:
  explicit Changes(const EnvLookup& outer) : outer_(outer) {}

  void assign(const std::string& name, std::string value) {
    assigned_[name] = value;
    now_[name] = std::move(value);
  }

  /// False when the operation is not one of ctest's.
  bool modify(const std::string& name, std::string_view operation, std::string value) {
    if (operation == "set") {
      now_[name] = std::move(value);
    } else if (operation == "unset") {
      now_[name] = std::nullopt;
    } else if (operation == "reset") {
      reset(name);
    } else {
      return join(name, operation, value);
    }
    return true;
  }

  std::vector<EnvChange> result() const { return {now_.begin(), now_.end()}; }

 private:
  /// Back to what ENVIRONMENT says, or to the outer environment.
  void reset(const std::string& name) {
    if (auto it = assigned_.find(name); it != assigned_.end()) {
      now_[name] = it->second;
    } else {
      now_.erase(name);
    }
  }

  bool join(const std::string& name, std::string_view operation, const std::string& value) {
    for (const Join& how : kJoins) {
      if (how.operation != operation) continue;
      const std::string old = current(name).value_or("");
      const std::string separator(old.empty() ? "" : how.separator);
      now_[name] = how.in_front ? value + separator + old : old + separator + value;
      return true;
    }
    return false;
  }

  std::optional<std::string> current(const std::string& name) const {
    auto it = now_.find(name);
    return it == now_.end() ? outer_(name) : it->second;
  }

  const EnvLookup& outer_;
  std::map<std::string, std::string> assigned_;
  std::map<std::string, std::optional<std::string>> now_;
};

}  // namespace

std::vector<EnvChange> ctest_environment(const std::vector<std::string>& assignments,
                                         const std::vector<std::string>& modifications,
                                         const EnvLookup& outer,
                                         std::vector<std::string>& complaints) {
  Changes changes(outer);
  for (const std::string& word : assignments) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0) {
      complaints.push_back("ENVIRONMENT has \"" + word + "\", which is no NAME=VALUE");
    } else {
      changes.assign(word.substr(0, equals), word.substr(equals + 1));
    }
  }
  for (const std::string& word : modifications) {
    const std::size_t equals = word.find('=');
    const std::size_t colon = word.find(':', equals == std::string::npos ? 0 : equals);
    const bool complete = equals != std::string::npos && equals > 0 && colon != std::string::npos;
    if (!complete ||
        !changes.modify(word.substr(0, equals), word.substr(equals + 1, colon - equals - 1),
                        word.substr(colon + 1))) {
      complaints.push_back("ENVIRONMENT_MODIFICATION has \"" + word +
                           "\", which is no NAME=OPERATION:VALUE that we know");
    }
  }
  return changes.result();
}

}  // namespace gordian

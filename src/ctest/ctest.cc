// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "ctest/ctest.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <tuple>

#include "base/files.h"
#include "frameworks/framework_traits.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;

/// gordian_discover_tests has put our client before the program: CLIENT OPTION... PROGRAM TEST --
/// ARGUMENT... becomes PROGRAM ARGUMENT... again.
std::vector<std::string> without_client(std::vector<std::string> command) {
  if (command.empty() || fs::path(command[0]).filename() != "gordian-ctest") return command;
  auto program = std::find_if(command.begin() + 1, command.end(),
                              [](const std::string& word) { return !word.starts_with("--"); });
  auto dashes = std::find(program, command.end(), "--");
  if (dashes - program != 2) return command;  // not of our making
  std::vector<std::string> plain = {*program};
  plain.insert(plain.end(), dashes + 1, command.end());
  return plain;
}

bool is_flag_of(std::string_view argument, Words flags) {
  const std::string_view flag = argument.substr(0, argument.find('='));
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

/// The bytes of a file are searched in pieces that overlap.
bool holds_bytes(const fs::path& path, std::string_view wanted) {
  if (!kind_of_special(path).empty()) return false;
  std::ifstream file(path, std::ios::binary);
  std::string window;
  std::array<char, 1 << 16> piece{};
  while (file.read(piece.data(), piece.size()), file.gcount() > 0) {
    window.append(piece.data(), static_cast<std::size_t>(file.gcount()));
    if (window.find(wanted) != std::string::npos) return true;
    window.erase(0, window.size() - std::min(window.size(), wanted.size() - 1));
  }
  return false;
}

/// Some frameworks' patterns have signs that must be escaped to stand for themselves.
std::string unescaped(std::string_view argument) {
  std::string text;
  for (std::size_t i = 0; i < argument.size(); ++i) {
    if (argument[i] == '\\' && i + 1 < argument.size()) ++i;
    text += argument[i];
  }
  return text;
}

/// Which arguments of a program choose among its tests or shape its output; the engine gives its
/// own. Asks each file once what it is.
class Selections {
 public:
  /// The arguments of a test's command without those.
  std::vector<std::string> without(const CtestEntry& test, const fs::path& binary) {
    std::vector<std::string> rest;
    for (std::size_t i = 1; i < test.command.size(); ++i) {
      const std::string& argument = test.command[i];
      if (takes_value(argument, binary)) {
        ++i;
      } else if (!is_flag(argument) && !is_name(argument, test.name, binary)) {
        rest.push_back(argument);
      }
    }
    return rest;
  }

 private:
  static bool is_flag(std::string_view argument) {
    auto all = all_frameworks();
    return std::any_of(all.begin(), all.end(), [argument](const FrameworkTraits* f) {
      return is_flag_of(argument, f->selecting_flags);
    });
  }

  bool takes_value(std::string_view argument, const fs::path& binary) {
    auto all = all_frameworks();
    return std::any_of(all.begin(), all.end(), [&](const FrameworkTraits* f) {
      return is_flag_of(argument, f->selecting_options) && uses(binary, *f);
    });
  }

  bool is_name(std::string_view argument, const std::string& test, const fs::path& binary) {
    if (argument.empty() || argument.starts_with('-')) return false;
    if (test.find(unescaped(argument)) == std::string::npos) return false;
    auto all = all_frameworks();
    return std::any_of(all.begin(), all.end(),
                       [&](const FrameworkTraits* f) { return uses(binary, *f); });
  }

  bool uses(const fs::path& binary, const FrameworkTraits& framework) {
    if (framework.mark.empty()) return false;
    auto [it, fresh] = uses_.try_emplace({binary, framework.mark}, false);
    if (fresh) it->second = holds_bytes(binary, framework.mark);
    return it->second;
  }

  std::map<std::pair<fs::path, std::string_view>, bool> uses_;
};

bool is_elf(const fs::path& path) {
  if (!kind_of_special(path).empty()) return false;
  std::array<char, 4> magic{};
  std::ifstream file(path, std::ios::binary);
  file.read(magic.data(), magic.size());
  return file.gcount() == 4 && std::string_view(magic.data(), 4) ==
                                   "\x7f"
                                   "ELF";
}

std::optional<std::string> our_environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  if (value == nullptr) return std::nullopt;
  return value;
}

/// Collects tests into targets; keeps why the others are left out.
class Grouping {
 public:
  explicit Grouping(fs::path build_dir) : build_dir_(std::move(build_dir)) {}

  void add(CtestEntry test) {
    test.command = without_client(std::move(test.command));
    if (test.command.empty()) {
      return skip(test, "its program is not built yet (cmake --build " + build_dir_.string() + ")");
    }
    Target target;
    target.binary = fs::path(test.command[0]);
    if (target.binary.is_relative()) target.binary = test.working_dir / target.binary;
    std::error_code ignored;
    if (!fs::is_regular_file(target.binary, ignored)) {
      return skip(test, target.binary.string() + " does not exist (cmake --build " +
                            build_dir_.string() + ")");
    }
    if (!is_elf(target.binary)) {
      return skip(test, target.binary.string() + " is not an ELF program");
    }
    target.args = selections_.without(test, target.binary);
    target.working_dir = test.working_dir;
    std::vector<std::string> complaints;
    target.env = ctest_environment(test.environment, test.environment_modification, our_environment,
                                   complaints);
    for (const std::string& complaint : complaints) skip(test, complaint);
    if (!complaints.empty()) return;
    target.origin = test.name;
    keep(std::move(target), test.disabled);
  }

  TargetSelection finish() && {
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      if (enabled_[i]) {
        result_.targets.push_back(std::move(targets_[i]));
      } else {
        result_.skipped.push_back(targets_[i].origin + ": disabled by its CMake property");
      }
    }
    return std::move(result_);
  }

 private:
  void skip(const CtestEntry& test, const std::string& reason) {
    result_.skipped.push_back(test.name + ": " + reason);
  }

  /// A binary is left out for DISABLED only when all of its tests are.
  void keep(Target target, bool disabled) {
    const auto key = [](const Target& t) {
      return std::tie(t.binary, t.args, t.working_dir, t.env);
    };
    const auto same = std::find_if(targets_.begin(), targets_.end(),
                                   [&](const Target& t) { return key(t) == key(target); });
    if (same == targets_.end()) {
      targets_.push_back(std::move(target));
      enabled_.push_back(!disabled);
    } else if (!disabled) {
      enabled_[static_cast<std::size_t>(same - targets_.begin())] = true;
    }
  }

  fs::path build_dir_;
  Selections selections_;
  TargetSelection result_;
  std::vector<Target> targets_;
  std::vector<bool> enabled_;
};

TargetSelection grouped(std::vector<CtestEntry> tests, const fs::path& build_dir) {
  Grouping grouping(build_dir);
  for (CtestEntry& test : tests) grouping.add(std::move(test));
  return std::move(grouping).finish();
}

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
  explicit Changes(const OuterEnvironment& outer) : outer_(outer) {}

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

  const OuterEnvironment& outer_;
  std::map<std::string, std::string> assigned_;
  std::map<std::string, std::optional<std::string>> now_;
};

}  // namespace

Result<TargetSelection> parse_ctest_json(std::string_view json, const fs::path& build_dir) {
  auto tests = parse_ctest_list(json, build_dir);
  if (!tests) return tests.error();
  return grouped(std::move(*tests), build_dir);
}

Result<TargetSelection> discover_ctest(const fs::path& build_dir) {
  auto tests = list_ctest(build_dir);
  if (!tests) return tests.error();
  std::error_code failure;
  return grouped(std::move(*tests), fs::canonical(build_dir, failure));
}

std::vector<EnvChange> ctest_environment(const std::vector<std::string>& assignments,
                                         const std::vector<std::string>& modifications,
                                         const OuterEnvironment& outer,
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

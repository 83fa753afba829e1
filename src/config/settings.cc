// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "config/settings.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/text.h"

namespace gordian {
namespace {

using enum SettingKind;

constexpr std::string_view kText = "a text in quotation marks";

struct KindWords {
  std::string_view name, expectation;
};
/// In the order of the enumerators.
constexpr std::array kKinds = {
    KindWords{"time", "a time: a text as \"500ms\", or a number of seconds"},
    KindWords{"number", "a whole number"},
    KindWords{"word", kText},
    KindWords{"flag", "true or false"},
    KindWords{"path", kText},
    KindWords{"paths", "a list of paths"},
    KindWords{"words", "a list of names"},
    KindWords{"command", kText},
};

// A stored run is replayed as it was run: what decides that is not for a file. Nor is an option
// that means something else in each command (--all, --rounds), or a file that one would overwrite
// after the other.
constexpr std::array kSettings = {
    Setting{"algorithm", word, "\"pairs\""},
    Setting{"allow-product-code", flag, "true"},
    Setting{"also-run-disabled", flag, "true"},
    Setting{"both-ways", flag, "true"},
    Setting{"budget", time, "\"10m\""},
    Setting{"build", command, "\"make -j4 tests\""},
    Setting{"color", word, "\"never\""},
    Setting{"confirm", number, "5"},
    Setting{"db", path, "\"build/gordian.db\""},
    Setting{"explain", flag, "true", "config"},
    Setting{"fail-fast", flag, "true", "replay"},
    Setting{"fail-on", word, "\"victim\"", "report"},
    Setting{"filter", word, "\"-*Slow*\""},
    Setting{"isolate", word, "\"fork\"", "replay"},
    Setting{"jobs", number, "4", "replay"},
    Setting{"junit", path, "\"junit.xml\"", "replay detect report"},
    Setting{"level", word, "\"process\""},
    Setting{"no-crash-stacks", flag, "true"},
    Setting{"no-db", flag, "true", "replay"},
    Setting{"no-sites", flag, "true"},
    Setting{"private-dir", paths, "[\"data\"]"},
    Setting{"private-fs", word, "\"on\""},
    Setting{"proofs", number, "5"},
    Setting{"repeat", number, "3", "replay"},
    Setting{"seed", number, "7"},
    Setting{"shuffle", word, "\"suites\""},
    Setting{"slow", time, "\"5s\""},
    Setting{"start-timeout", time, "\"2m\""},
    Setting{"strategy", words, "[\"restore\"]"},
    Setting{"timeout", time, "\"30s\""},
    Setting{"total-timeout", time, "\"20m\""},
    Setting{"trace", flag, "true"},
    Setting{"trials", number, "500"},
    Setting{"verbose", flag, "true"},
    Setting{"verify-isolation", flag, "true"},
};

}  // namespace

std::span<const Setting> settings() {
  return kSettings;
}

const Setting* find_setting(std::string_view key) {
  auto found = std::find_if(kSettings.begin(), kSettings.end(),
                            [key](const Setting& setting) { return setting.key == key; });
  return found == kSettings.end() ? nullptr : &*found;
}

std::vector<std::string> setting_keys() {
  std::vector<std::string> keys;
  for (const Setting& setting : kSettings) keys.emplace_back(setting.key);
  return keys;
}

bool is_for(const Setting& setting, std::string_view command) {
  return !has_word(setting.except, command);
}

std::string environment_name(std::string_view key) {
  std::string name = "GORDIAN_";
  for (unsigned char c : key) name += c == '-' ? '_' : static_cast<char>(std::toupper(c));
  return name;
}

std::string_view to_string(SettingKind kind) {
  return kKinds[static_cast<std::size_t>(kind)].name;
}

std::string_view expectation(SettingKind kind) {
  return kKinds[static_cast<std::size_t>(kind)].expectation;
}

}  // namespace gordian

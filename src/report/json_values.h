// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What all documents of --json have in common: every key is always there, and what does not apply
// is null.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/ids.h"
#include "model/test.h"

namespace gordian {

/// null: it is empty.
inline nlohmann::json text_or_null(const std::string& text) {
  return text.empty() ? nlohmann::json() : nlohmann::json(text);
}

/// null: it is not known.
inline nlohmann::json line_or_null(int line) {
  return line > 0 ? nlohmann::json(line) : nlohmann::json();
}

/// "D3"; null: there is none, or it is not stored.
inline nlohmann::json id_or_null(DependenceId id) {
  return is_stored(id) ? nlohmann::json(to_string(id)) : nlohmann::json();
}

/// Tests go by their full names.
inline nlohmann::json names_json(const std::vector<TestId>& tests, const Suite& suite) {
  nlohmann::json list = nlohmann::json::array();
  for (TestId id : tests) list.push_back(suite.test(id).full_name());
  return list;
}

inline double seconds_json(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

}  // namespace gordian

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "report/page/compact_json.h"

#include <algorithm>
#include <cstdlib>
#include <unordered_map>

namespace gordian {
namespace {

using nlohmann::json;

using Places = std::unordered_map<std::string, std::int64_t>;

/// Shorter lists stay as they are, for whoever reads the page's source.
constexpr std::size_t kLongList = 8;

std::optional<std::vector<std::int64_t>> places_of(const json& list, const Places& places) {
  if (!list.is_array() || list.size() < kLongList) return std::nullopt;
  std::vector<std::int64_t> found;
  for (const json& name : list) {
    const auto* text = name.get_ptr<const std::string*>();
    const auto place = text == nullptr ? places.end() : places.find(*text);
    if (place == places.end()) return std::nullopt;
    found.push_back(place->second);
  }
  return found;
}

/// Each run goes up or down by one as far as it can.
json runs_of_places(const std::vector<std::int64_t>& places) {
  json runs = json::array();
  for (std::size_t at = 0; at < places.size();) {
    const std::size_t first = at++;
    const std::int64_t step = at < places.size() ? places[at] - places[first] : 0;
    if (std::abs(step) == 1) {
      while (at < places.size() && places[at] - places[at - 1] == step) ++at;
    }
    const auto count = static_cast<std::int64_t>(at - first);
    runs.push_back(places[first]);
    runs.push_back(step == -1 && count > 1 ? -count : count);
  }
  return runs;
}

void shorten(json& value, const Places& places) {
  if (const auto found = places_of(value, places)) {
    value = {{"tests_at", runs_of_places(*found)}};
  } else if (value.is_structured()) {
    for (json& part : value) shorten(part, places);
  }
}

}  // namespace

std::string base64(const IdRuns& runs, std::size_t count) {
  static constexpr char kDigits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::size_t size = (count + 7) / 8;
  std::vector<unsigned> bytes(size + 2);  // two zeros at the end, for the last three
  for (const IdRun& run : runs) {
    for (std::size_t i = run.first, end = i + run.count; i < end; ++i) bytes[i / 8] |= 1U << i % 8;
  }
  std::string text;
  for (std::size_t at = 0; at < size; at += 3) {
    const unsigned three = bytes[at] << 16 | bytes[at + 1] << 8 | bytes[at + 2];
    for (int shift : {18, 12, 6, 0}) text += kDigits[three >> shift & 63];
  }
  for (std::size_t i = 0; i < (3 - size % 3) % 3; ++i) text[text.size() - 1 - i] = '=';
  return text;
}

json tests_by_column(const Suite& suite) {
  json names = json::array(), files = json::array(), file = json::array(), line = json::array(),
       disabled = json::array();
  std::unordered_map<std::string, std::int64_t> known = {{"", -1}};
  for (std::size_t at = 0; at < suite.size(); ++at) {
    const Test& test = suite.tests()[at];
    names.push_back(test.full_name());
    line.push_back(std::max(test.line, 0));
    if (test.disabled) disabled.push_back(at);
    const auto [place, fresh] =
        known.emplace(test.file, static_cast<std::int64_t>(known.size()) - 1);
    if (fresh) files.push_back(test.file);
    if (!file.empty() && file[file.size() - 2] == place->second) {
      file.back() = file.back().get<std::int64_t>() + 1;
    } else {
      file.push_back(place->second);
      file.push_back(1);
    }
  }
  return {{"names", std::move(names)},
          {"files", std::move(files)},
          {"file", std::move(file)},
          {"line", std::move(line)},
          {"disabled", std::move(disabled)}};
}

json pairs_by_row(const std::optional<ReportedPairs>& pairs, std::size_t tests) {
  if (!pairs) return {};
  json covered = json::array(), changed = json::array();
  const std::size_t bits = (tests + 5) / 6;  // in base64
  for (std::size_t first = 0; first < pairs->covered.size(); ++first) {
    const IdRuns& runs = pairs->covered[first];
    if (runs.empty()) continue;
    json row = json::array({first});
    for (const IdRun& run : runs) {
      row.push_back(run.first);
      row.push_back(run.count);
    }
    if (row.dump().size() > bits) row = json::array({first, base64(runs, tests)});
    covered.push_back(std::move(row));
  }
  for (const auto& [first, second] : pairs->changed) {
    changed.push_back(json::array({first.value(), second.value()}));
  }
  return {{"covered", std::move(covered)}, {"changed", std::move(changed)}};
}

void shorten_lists(json& value, const Suite& suite) {
  Places places;
  for (std::size_t at = 0; at < suite.size(); ++at) {
    places.emplace(suite.tests()[at].full_name(), static_cast<std::int64_t>(at));
  }
  shorten(value, places);
}

}  // namespace gordian

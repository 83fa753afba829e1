// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/known_dependences.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "app/stored_dependences.h"
#include "base/text.h"
#include "runtime/runtime.h"
#include "store/dependence_store.h"
#include "store/search_store.h"

namespace gordian {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

/// What the database holds of one binary.
struct Stored {
  std::vector<NamedDependence> here, elsewhere;  ///< found in this build; in another one only
  Pairs changed;
};

Result<Stored> load(const BinaryIdentity& binary, DependenceStore& store) {
  Stored stored;
  auto ids = store.of_binary(binary.path);
  if (!ids) return ids.error();
  for (DependenceId id : *ids) {
    auto one = store.load(id);
    if (!one) return one.error();
    auto& list = rebuilt_since(*one, binary) ? stored.elsewhere : stored.here;
    list.push_back(std::move(*one));
  }
  return stored;
}

std::string numbers(const std::vector<NamedDependence>& list) {
  std::string text;
  for (const NamedDependence& one : list) {
    text += (text.empty() ? "" : ", ") + to_string(one.id);
  }
  return text;
}

void translate(const Stored& stored, const Suite& suite, KnownDependences& known) {
  std::vector<NamedDependence> foreign;
  for (const NamedDependence& one : stored.here) {
    auto d = numbered(one, suite);
    if (!d) {
      foreign.push_back(one);
      continue;
    }
    known.list.push_back(*std::move(d));
  }
  for (const auto& [first, second] : stored.changed) {
    const auto a = suite.find(first), b = suite.find(second);
    if (a && b) known.changed.emplace_back(*a, *b);
  }
  if (foreign.empty()) return;
  known.notices.push_back(
      {Notice::Level::warning,
       fmt::format("left out, because tests of them are not there with these arguments: {}",
                   numbers(foreign))});
}

std::string search_it(const BinaryIdentity& binary) {
  Target target;
  target.binary = binary.path;
  return fmt::format("gordian detect {}{}", shell_word(binary.path),
                     runtime_of(target).traits().level_option);
}

/// What is known of other builds only.
Status judge_elsewhere(const Stored& stored, const BinaryIdentity& binary,
                       KnownDependences& known) {
  if (known.searched && !stored.elsewhere.empty()) {
    known.notices.push_back(
        {Notice::Level::info,
         fmt::format("left out, because they were found in another build and not again in this "
                     "one: {}",
                     numbers(stored.elsewhere))});
  } else if (!stored.elsewhere.empty()) {
    return *rebuilt_since(stored.elsewhere.front(), binary);
  }
  return {};
}

Status load_known(const BinaryIdentity& binary, const Suite& suite, const std::filesystem::path& db,
                  KnownDependences& known) {
  auto dependences = DependenceStore::open(db);
  if (!dependences) return dependences.error();
  auto searched = dependences->was_searched(binary);
  if (!searched) return searched.error();
  known.searched = *searched;
  auto stored = load(binary, *dependences);
  if (!stored) return stored.error();
  if (Status judged = judge_elsewhere(*stored, binary, known); !judged) return judged;
  auto searches = SearchStore::open(db);
  if (!searches) return searches.error();
  auto changed = searches->changed_pairs(binary);
  if (!changed) return changed.error();
  stored->changed = std::move(*changed);
  translate(*stored, suite, known);
  return {};
}

}  // namespace

Result<KnownDependences> known_dependences(const BinaryIdentity& binary, const Suite& suite,
                                           const std::filesystem::path& db) {
  KnownDependences known;
  std::error_code none;
  if (std::filesystem::exists(db, none)) {
    if (Status loaded = load_known(binary, suite, db, known); !loaded) return loaded.error();
  }
  if (!known.searched) {
    known.notices.push_back(
        {Notice::Level::warning,
         fmt::format("{} was never searched, so nothing is known of its dependences: {}",
                     binary.path, search_it(binary))});
  }
  known.constraints = Constraints(suite, known.list, known.changed);
  return known;
}

}  // namespace gordian

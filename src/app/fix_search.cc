// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/fix_search.h"

#include <fmt/format.h>

#include "app/explaining.h"
#include "detect/detect.h"
#include "detect/listener.h"
#include "report/units.h"
#include "store/explanation_store.h"
#include "store/open_file.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;
using Tell = std::function<void(std::string_view)>;

class Teller : public SearchListener {
 public:
  explicit Teller(const Tell& tell) : tell_(tell) {}
  void progress(const SearchProgress& p) override {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(200)) return;
    last_ = now;
    tell_(fmt::format("{}, {}", p.algorithm, count_of(p.orders, "order")));
  }

 private:
  const Tell& tell_;
  std::chrono::steady_clock::time_point last_{};
};

/// What a search of the user's own would explain later is explained at once.
Status search_and_explain(const fs::path& file, const DetectRequest& request, const Tell& tell) {
  Teller teller(tell);
  auto facts = detect(request, teller);
  if (!facts) return facts.error();
  auto dependences = DependenceStore::open(file);
  if (!dependences) return dependences.error();
  Status saved = dependences->save(*facts);
  if (!saved || facts->dependences.empty()) return saved;
  auto explanations = ExplanationStore::open(file);
  if (!explanations) return explanations.error();
  tell(fmt::format("explaining {}", count_of(facts->dependences.size(), "dependence")));
  ExplainJob job{facts->target,      facts->binary,  facts->suite,
                 facts->dependences, request.engine, {}};
  FrontEnd nobody;
  auto explained = explain_each(job, &*explanations, nobody);
  return explained ? Status() : Status(explained.error());
}

}  // namespace

Result<CopySearch> CopySearch::prepare(const fs::path& db, Target target,
                                       const CopySearchOptions& options) {
  std::error_code failed;
  const std::vector<fs::path> places = {fs::temp_directory_path(failed), "/tmp", "/var/tmp"};
  auto dir = TemporaryDir::make(places);
  if (!dir) return dir.error();
  CopySearch search(std::move(*dir), std::move(target), options);
  if (Status copied = copy_database(db, search.file()); !copied) return copied.error();
  return search;
}

WorkInCopy CopySearch::work() const {
  DetectRequest request;
  request.target = target_;
  request.budget = options_.budget;
  request.seed = options_.seed;
  request.seed_is_given = true;
  return [file = file(), request](const EngineOptions& engine, const Tell& tell) {
    DetectRequest here = request;
    here.engine = engine;
    return search_and_explain(file, here, tell);
  };
}

Result<CopySearch::Found> CopySearch::found() const {
  auto dependences = DependenceStore::open(file());
  if (!dependences) return dependences.error();
  auto explanations = ExplanationStore::open(file());
  if (!explanations) return explanations.error();
  auto ids = dependences->of_last_search(target_.binary.string());
  if (!ids) return ids.error();
  Found all;
  for (DependenceId id : *ids) {
    auto stored = dependences->load(id);
    if (!stored) return stored.error();
    auto explanation = explanations->load(id);
    if (!explanation) return explanation.error();
    const bool fits = *explanation && (*explanation)->fits(stored->sha256, stored->witness);
    all.explanations.push_back(fits ? (*explanation)->explanation : Explanation{});
    all.dependences.push_back(std::move(*stored));
  }
  return all;
}

}  // namespace gordian

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Searches of model suites that continue each other, through a database.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "store/search_store.h"
#include "tests/detect/model_search.h"
#include "tests/model/scratch_dir.h"

namespace gordian::detect_test {

class ContinuedModel : public ScratchDir {
 protected:
  DetectFacts search(ModelRunner& runner, Algorithm algorithm,
                     const std::function<void(DetectRequest&)>& adjust = {},
                     std::shared_ptr<Budget> budget = nullptr) {
    auto store = SearchStore::open(dir_ / "db");
    EXPECT_TRUE(store) << store.error().message;
    DetectRequest request;
    request.algorithm = algorithm;
    request.budget = std::chrono::milliseconds(0);
    if (adjust) adjust(request);
    Memory memory;
    memory.store = &*store;
    memory.settings.target.binary = "/b/t";
    memory.build.sha256 = build_;
    memory.hash_code = [&] {
      return CodeHashes{std::vector<std::string>(runner.suite().size(), "1:aa"), {}};
    };
    memory.earlier = store->load(memory.settings).value();
    DetectFacts facts;
    facts.suite = runner.suite();
    SearchListener silent;
    Search search(request, runner, facts, silent, std::move(budget));
    EXPECT_TRUE(search.begin(runner.suite().default_order()));
    EXPECT_TRUE(search.take_over(memory));
    EXPECT_TRUE(search.run_algorithm());
    EXPECT_TRUE(search.finish());
    return facts;
  }

  std::string build_ = "feed";  ///< another one is a rebuilt binary with unchanged tests
};

}  // namespace gordian::detect_test

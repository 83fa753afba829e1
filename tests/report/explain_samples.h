// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Small invented explanations for the tests of the reports.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/report_facts.h"
#include "tests/report/detect_samples.h"

namespace gordian::testing_support {

inline StackFrame frame(std::string function, std::string file, int line,
                        std::string module = "cart_test") {
  return {std::move(function), std::move(file), line, std::move(module), 0x401000};
}

inline std::vector<StackFrame> framework_frames() {
  return {frame("void testing::internal::HandleSehExceptionsInMethodIfSupported<testing::Test, "
                "void>(testing::Test*, void (testing::Test::*)(), char const*)",
                "", 0, "libgtest.so.1.12.1"),
          frame("testing::Test::Run()", "", 0, "libgtest.so.1.12.1"),
          frame("main", "/src/main.cc", 9)};
}

inline Site site_in(std::string test, std::vector<StackFrame> own, std::size_t shown = 0) {
  Site site;
  site.test = std::move(test);
  site.stack = std::move(own);
  for (StackFrame& outer : framework_frames()) site.stack.push_back(std::move(outer));
  site.shown = shown;
  return site;
}

/// g_total, written by Cart.T1 and read by Cart.T3, proved.
inline Carrier total_carrier() {
  Carrier carrier;
  carrier.key = {CarrierKind::variable, "g_total"};
  carrier.type = "int";
  carrier.old_value = "0";
  carrier.new_value = "50";
  carrier.file = "/src/cart.cc";
  carrier.line = 12;
  carrier.proved = true;
  carrier.write = site_in("Cart.T1", {frame("Cart::add(int)", "/src/cart.cc", 3),
                                      frame("Cart_T1_Test::TestBody()", "/src/cart_test.cc", 21)});
  carrier.read = site_in("Cart.T3", {frame("Cart_T3_Test::TestBody()", "/src/cart_test.cc", 42)});
  return carrier;
}

/// Without places, as for state that no debugger can watch.
inline Carrier plain_carrier(CarrierKind kind, const std::string& name,
                             std::optional<std::string> before = std::nullopt,
                             std::optional<std::string> after = std::nullopt) {
  Carrier carrier;
  carrier.key = {kind, name};
  carrier.old_value = std::move(before);
  carrier.new_value = std::move(after);
  carrier.proved = true;
  return carrier;
}

inline Explanation proved_by(std::vector<Carrier> carriers) {
  Explanation e;
  e.carriers = std::move(carriers);
  e.proved = true;
  e.proofs = 3;
  e.changes = 7;
  e.seconds = 0.5;
  return e;
}

inline Explanation unproved(std::vector<Carrier> suspects, std::string why) {
  Explanation e = proved_by(std::move(suspects));
  for (Carrier& carrier : e.carriers) carrier.proved = false;
  e.proved = false;
  e.proofs = 0;
  e.why_not = std::move(why);
  return e;
}

/// D1, D2, ... as given, on the suite of sample_search().
inline ExplainFacts explained(std::vector<std::pair<Dependence, Explanation>> all) {
  ExplainFacts facts;
  facts.binary = "/home/me/build/cart_test";
  facts.suite = sample_suite(121);
  facts.db = ".gordian/gordian.db";
  for (auto& [dependence, explanation] : all) {
    dependence.id = DependenceId{static_cast<int>(facts.explained.size()) + 1};
    explanation.dependence = dependence.id;
    dependence.explanation = std::move(explanation);
    facts.explained.push_back(std::move(dependence));
  }
  return facts;
}

}  // namespace gordian::testing_support

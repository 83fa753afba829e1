// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/report_facts.h"

namespace gordian {
namespace {

template <class T>
const T* of_dependence(const std::vector<T>& all, const Dependence& dependence) {
  for (const T& one : all) {
    if (one.dependence == dependence.id) return &one;
  }
  return nullptr;
}

}  // namespace

const Explanation* ReportedSuite::explanation(const Dependence& dependence) const {
  return of_dependence(explanations, dependence);
}

const Repair* ReportedSuite::repair(const Dependence& dependence) const {
  return of_dependence(repairs, dependence);
}

}  // namespace gordian

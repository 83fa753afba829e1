// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "explain/explain.h"

namespace gordian {

Result<std::vector<Explanation>> explain(const Target&, const ElfFacts&,
                                         const std::vector<Dependence>&, const ExecutorOptions&,
                                         const ExplainOptions&, ExplainListener&) {
  return target_error("not there yet");
}

}  // namespace gordian

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime_table/rows.h"

#include <filesystem>
#include <utility>

#include "runtime/process/process_runner.h"
#include "runtime/process/process_suite.h"

namespace gordian {
namespace {

class ProcessRuntime : public Runtime {
 public:
  const RuntimeTraits& traits() const override { return kProcessRuntime; }
  bool recognises(const Target& target) const override {
    std::error_code none;
    return std::filesystem::is_directory(target.binary, none);
  }
  Result<TargetSelection> resolve(const std::vector<std::string>& words,
                                  const std::vector<std::string>& args) const override {
    return resolve_process_targets(words, args);
  }
  Result<Suite> list(const Target& target, const EngineOptions& engine,
                     std::vector<Notice>& notices) const override {
    auto processes = ProcessSuite::open(target, engine.also_disabled);
    if (!processes) return processes.error();
    notices.insert(notices.end(), processes->notices().begin(), processes->notices().end());
    return processes->suite();
  }
  Result<BinaryIdentity> identify(const Target& target) const override {
    auto processes = ProcessSuite::open(target);
    if (!processes) return processes.error();
    return processes->identity();
  }
  Result<std::unique_ptr<Session>> open(SessionRequest request) const override {
    auto opened = ProcessRunner::open(request);
    if (!opened) return opened.error();
    return std::unique_ptr<Session>(std::move(*opened));
  }
  Result<std::unique_ptr<StateProber>> prober(const Target& target,
                                              const EngineOptions& engine) const override {
    return process_prober(target, engine);
  }
  Result<std::vector<CtestEntry>> ctest_entries(const Target& target) const override {
    auto processes = ProcessSuite::open(target);
    if (!processes) return processes.error();
    std::vector<CtestEntry> entries;
    for (const ProcessStep& step : processes->steps()) entries.push_back(step.entry);
    return entries;
  }
};

}  // namespace

const Runtime& process_runtime() {
  static const ProcessRuntime runtime;
  return runtime;
}

}  // namespace gordian

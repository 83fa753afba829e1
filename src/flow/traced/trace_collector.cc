// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/traced/trace_collector.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <utility>

#include "base/files.h"
#include "base/owned_dir.h"
#include "flow/traced/trace_session.h"
#include "wire/trace_file.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;
namespace wire = gordian_wire;

void set_variable(std::vector<EnvChange>& env, const char* name, std::string value) {
  std::erase_if(env, [name](const EnvChange& change) { return change.first == name; });
  env.emplace_back(name, std::move(value));
}

bool is_really_below(const fs::path& path, const fs::path& directory) {
  std::error_code none;
  const fs::path outer = fs::canonical(directory, none);
  return outer != "/" && is_below(fs::weakly_canonical(path, none), outer);
}

/// Where the program's private view of the file system hides nothing, see
/// runtime/native/private_fs.h.
std::vector<fs::path> places_for_traces(const Target& target, std::vector<fs::path> covered) {
  covered.insert(covered.end(),
                 {"/tmp", "/var/tmp", target.working_dir, target.binary.parent_path()});
  std::vector<fs::path> places = {"/dev/shm", "/run", "/var/lib", "/opt"};
  if (const char* runtime = std::getenv("XDG_RUNTIME_DIR")) places.insert(places.begin(), runtime);
  if (const char* home = std::getenv("HOME")) places.emplace_back(home);
  if (const char* temporary = std::getenv("TMPDIR")) covered.emplace_back(temporary);
  std::erase_if(places, [&](const fs::path& place) {
    return std::any_of(covered.begin(), covered.end(), [&](const fs::path& directory) {
      return is_really_below(place, directory);
    });
  });
  return places;
}

}  // namespace

TraceCollector::TraceCollector(Target target, Inspection inspection, TraceOptions options)
    : target_(std::move(target)),
      inspection_(std::move(inspection)),
      options_(std::move(options)) {}

Result<std::unique_ptr<TraceCollector>> TraceCollector::open(Target target, Inspection inspection,
                                                             TraceOptions options) {
  if (inspection.hook_offsets.trace_test == 0) {
    return target_error(
        fmt::format("{} is not a traced build", target.binary.string()),
        "build it with the flags that `gordian cxxflags` and `gordian cxxflags --link` print, or "
        "with gordian_instrument() of the CMake package");
  }
  if (!inspection.unhookable.empty()) return unhookable_error(inspection.unhookable);
  return std::unique_ptr<TraceCollector>(
      new TraceCollector(std::move(target), std::move(inspection), std::move(options)));
}

Result<std::unique_ptr<Executor>> TraceCollector::start(const std::filesystem::path& directory,
                                                        bool alone) {
  Target target = target_;
  set_variable(target.env, GORDIAN_TRACE_DIR_ENV, directory.string());
  set_variable(target.env, GORDIAN_TRACE_MODE_ENV, alone ? "alone" : "order");
  ExecutorOptions options = options_.executor;
  options.jobs = 1;
  options.snapshots = false;  // the trace of what was undone would stay
  options.same_addresses = true;
  options.hook_offsets = inspection_.hook_offsets;
  options.should_stop = should_stop;
  return Executor::open(target, inspection_.elf, inspection_.framework, options);
}

Result<DataFlow> TraceCollector::in_order(const Order& order) {
  if (order.size() > wire::kTraceMostTests) {
    return usage_error(fmt::format("a trace holds {} tests at most, and the order has {}",
                                   +wire::kTraceMostTests, order.size()),
                       "choose fewer with a filter");
  }
  return collect({&order, 1}, false);
}

Result<DataFlow> TraceCollector::alone(const Order& tests) {
  return collect(each_alone(tests), true);
}

Result<DataFlow> TraceCollector::collect(std::span<const Order> orders, bool alone) {
  const auto began = std::chrono::steady_clock::now();
  auto scratch = TemporaryDir::make(places_for_traces(target_, options_.executor.private_dirs));
  if (!scratch) return scratch.error();
  auto executor = start(scratch->path(), alone);
  if (!executor) return executor.error();
  TraceSession session(
      {(*executor)->executable(), inspection_.elf.build_id, scratch->path(), options_.cache},
      (*executor)->suite(), alone);
  const std::size_t total = alone ? orders.size() : orders.front().size();
  const std::uint32_t holds = wire::kHoldAtEnd | (alone ? 0u : wire::kHoldBeforeEach);
  std::size_t done = 0;  // in the orders before
  Status status;
  const auto at_hold = [&](HeldProcess& held) {
    if (status) status = session.at_hold(held);
    progress({done + held.position(), total, alone ? "tracing each test alone" : "tracing"});
  };
  for (const Order& order : orders) {
    auto run = (*executor)->run_held(order, {}, at_hold, holds);
    if (!run) return run.error();
    if (should_stop()) return Error{ErrorKind::interrupted, "interrupted", ""};
    if (status) status = session.end_process(*run);
    if (!status) return status.error();
    done += order.size();
  }
  if (!session.is_traced()) {
    return target_error(
        fmt::format("{} has the runtime of a traced build, and no code that is traced",
                    target_.binary.string()),
        "compile its sources with the flags of `gordian cxxflags` too; with GCC, without -flto");
  }
  return session.take(began);
}

}  // namespace gordian

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/native/inspect.h"

#include <signal.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/sha256.h"
#include "frameworks/framework_symbols.h"
#include "frameworks/framework_traits.h"
#include "runtime/native/executor.h"
#include "runtime/native/isolated_runs.h"
#include "runtime/native/private_fs.h"
#include "runtime/native/snapshot_support.h"
#include "runtime/native/syscall_watch.h"
#include "runtime/native/target_process.h"
#include "symbols/backtrace.h"
#include "symbols/process_memory.h"

namespace gordian {
namespace {

/// The library path the program will see: the target's own setting wins over ours.
std::string library_path(const Target& target) {
  for (const EnvChange& change : target.env) {
    if (change.first == "LD_LIBRARY_PATH") return change.second.value_or("");
  }
  const char* ours = std::getenv("LD_LIBRARY_PATH");
  return ours == nullptr ? "" : ours;
}

Error not_a_test_binary(const Target& target, const FrameworkFinding& finding) {
  std::string path = target.binary.string();
  if (!finding.missing_libraries.empty()) {
    return target_error(
        fmt::format("{} needs {}, which was not found", path, finding.missing_libraries.front()),
        "set LD_LIBRARY_PATH as the program needs it");
  }
  if (!finding.name.empty()) {
    return target_error(
        fmt::format("{} is a {} program, which Gordian cannot drive yet", path, finding.name));
  }
  return {ErrorKind::not_a_test,
          fmt::format("{} is not a test binary: no test framework in it", path),
          "point Gordian at the executable that holds the tests, or at a CMake build directory"};
}

std::string why_unhookable(const ElfFacts& elf, const FrameworkFinding& finding) {
  if (elf.statically_linked && !elf.has_agent_adapter) {
    return traits_of(finding.framework).has_adapter
               ? "the binary is statically linked, so nothing can be preloaded into it; link the "
                 "adapter (docs/adapter.md) to run it in any order"
               : "the binary is statically linked, so nothing can be preloaded into it";
  }
  if (!finding.hookable && !elf.has_agent_adapter) return finding.problem;
  return {};
}

using State = DoctorFinding::State;

/// A child that waits, for trying things on.
class Guinea {
 public:
  Guinea() : pid_(::fork()) {
    if (pid_ == 0) {
      for (;;) ::pause();
    }
  }
  Guinea(const Guinea&) = delete;
  Guinea& operator=(const Guinea&) = delete;
  ~Guinea() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_;
};

DoctorFinding kernel() {
  utsname name{};
  ::uname(&name);
  return {State::good, "kernel",
          fmt::format("{} {}, {} processors", name.sysname, name.release,
                      std::thread::hardware_concurrency()),
          ""};
}

DoctorFinding agent() {
  auto path = find_agent();
  if (path) return {State::good, "agent", path->string(), ""};
  return {State::bad, "agent", path.error().message,
          "without it only the framework's own flags can be used; " + path.error().hint};
}

DoctorFinding private_files() {
  Target here;
  std::error_code none;
  here.working_dir = std::filesystem::current_path(none);
  here.binary = here.working_dir / "none";
  auto prepared = PrivateFs::prepare(here, {});
  if (prepared) {
    return {State::good, "private files", "overlay over working and temporary directories works",
            ""};
  }
  return {State::limit, "private files", prepared.error().message,
          "files that a test leaves behind are seen by the next one"};
}

DoctorFinding process_memory() {
  Guinea guinea;
  auto mappings = read_mappings(guinea.pid());
  bool works = !mappings.empty() && read_memory(guinea.pid(), mappings.front().begin, 8);
  if (works) return {State::good, "memory of children", "can be read", ""};
  return {State::limit, "memory of children", "cannot be read (ptrace is restricted)",
          "stripped binaries are driven by the framework's own flags: default order only"};
}

DoctorFinding stacks() {
  Guinea guinea;
  if (read_stack(guinea.pid(), guinea.pid(), 8)) {
    return {State::good, "stacks of crashes and hangs", "can be read", ""};
  }
  return {State::limit, "stacks of crashes and hangs", "cannot be read (ptrace is restricted)",
          "a crash or a hang is reported without its place"};
}

DoctorFinding system_calls() {
  std::string obstacle = watch_obstacle();
  if (obstacle.empty()) {
    return {State::good, "system calls of tests", "can be watched (seccomp user notification)", ""};
  }
  return {State::limit, "system calls of tests", obstacle,
          "data dependences through files, directories and sockets are not recorded"};
}

/// One way to find written pages, and whether snapshots by it work here.
DoctorFinding snapshots_by(gordian_wire::SnapshotBackend backend, const char* cost) {
  std::string what = fmt::format("snapshots by {}", to_string(backend));
  MachineSnapshots probe = probe_machine_snapshots(~(1u << backend));
  if (probe.support == gordian_wire::kSupported) return {State::good, what, "work", ""};
  std::string why = probe.support == gordian_wire::kNoPageTracking
                        ? "the machine lacks it, or does not allow it"
                        : describe(probe.support);
  return {State::limit, what, why.empty() ? "could not be tried" : why, cost};
}

DoctorFinding elf(const ElfFacts& facts) {
  return {State::good, "executable",
          fmt::format("{}, {}, build id {}", facts.pie ? "position independent" : "fixed address",
                      facts.statically_linked ? "static" : "dynamic",
                      facts.build_id.empty() ? "none" : facts.build_id),
          ""};
}

DoctorFinding symbols(const ElfFacts& facts) {
  if (facts.has_symtab && facts.has_debug_info) {
    return {State::good, "symbols", "symbol table and debug information", ""};
  }
  if (facts.has_symtab) {
    return {State::limit, "symbols", "symbol table, no debug information",
            "stacks name functions but no lines; build with -g"};
  }
  return {State::limit, "symbols", "stripped",
          "a test that runs twice in one process after failing cannot be trusted; stacks have no "
          "names"};
}

DoctorFinding sanitizer(const ElfFacts& facts) {
  if (facts.sanitizer == Sanitizer::none) return {State::good, "sanitizer", "none", ""};
  return {State::limit, "sanitizer", std::string(to_string(facts.sanitizer)),
          "forked tests end without the sanitizer's check at exit (leaks): use --isolate process "
          "for that"};
}

DoctorFinding coverage(const ElfFacts& facts) {
  if (facts.coverage == CounterKind::none) return {State::good, "coverage", "not instrumented", ""};
  return {State::limit, "coverage", std::string(to_string(facts.coverage)),
          "counters are written as each forked test ends; private files are off so that they reach "
          "the disk"};
}

DoctorFinding framework(const FrameworkFinding& found) {
  std::string evidence;
  for (const std::string& line : found.evidence) {
    evidence += (evidence.empty() ? "" : "; ") + line;
  }
  return {State::good, "framework", fmt::format("{} {}", found.name, found.version),
          evidence.empty() ? "" : "known by: " + evidence};
}

/// What `run` will do without --isolate, and why nothing cheaper.
DoctorFinding isolation(const Executor& executor) {
  std::vector<Notice> reasons;
  Isolation used = usable_isolation(Isolation::automatic, executor, reasons);
  if (used == Isolation::snapshot) {
    return {State::good, "isolation",
            fmt::format("snapshot, written pages by {}", executor.snapshot_backend()), ""};
  }
  std::string why;
  for (const Notice& reason : reasons) why += (why.empty() ? "" : "; ") + reason.text;
  return {State::limit, "isolation", std::string(to_string(used)), why};
}

/// What only the running program can tell.
void examine_running(const Target& target, const Inspection& inspection,
                     std::vector<DoctorFinding>& findings) {
  ExecutorOptions options;
  options.snapshots = true;
  auto executor = Executor::open(target, inspection.elf, inspection.framework, options);
  if (!executor) {
    findings.push_back({State::bad, "hooks", executor.error().message,
                        "driven by the framework's own flags: default order, and a process per "
                        "test"});
    return;
  }
  findings.push_back(
      {State::good, "hooks",
       fmt::format("work; {} tests, {} of them would run", (*executor)->suite().size(),
                   (*executor)->suite().default_order().size()),
       ""});
  if ((*executor)->fork_problems().empty()) {
    findings.push_back({State::good, "fork", "sound", ""});
  }
  for (const std::string& problem : (*executor)->fork_problems()) {
    findings.push_back({State::limit, "fork", "not sound: " + problem,
                        "a process per test is used instead: some 10 times slower"});
  }
  findings.push_back(isolation(**executor));
}

}  // namespace

Result<Inspection> inspect(const Target& target) {
  auto elf = ElfFile::open(target.binary);
  if (!elf) return elf.error();
  Inspection inspection{elf->facts(), detect_framework(*elf, library_path(target)), {}, {}};
  if (inspection.framework.framework == Framework::unknown) {
    return not_a_test_binary(target, inspection.framework);
  }
  inspection.hook_offsets = hook_offsets(*elf, symbols_of(inspection.framework.framework));
  inspection.unhookable = why_unhookable(inspection.elf, inspection.framework);
  return inspection;
}

Target with_disabled(Target target, Framework framework) {
  const std::string_view flag = traits_of(framework).disabled_flag;
  if (!flag.empty()) target.args.emplace_back(flag);
  return target;
}

BinaryIdentity identify(const Target& target, const ElfFacts& facts, std::string digest) {
  std::error_code none;
  return {target.binary.string(), facts.build_id, std::move(digest),
          std::filesystem::file_size(target.binary, none)};
}

Result<BinaryIdentity> identify(const Target& target, const ElfFacts& facts) {
  auto digest = sha256_file(target.binary);
  if (!digest) return digest.error();
  return identify(target, facts, std::move(*digest));
}

std::vector<DoctorFinding> examine_machine() {
  return {kernel(),
          agent(),
          private_files(),
          process_memory(),
          stacks(),
          system_calls(),
          snapshots_by(gordian_wire::kByUserfault, "the other way costs more in large processes"),
          snapshots_by(gordian_wire::kByPagemap, "needed where the other way is missing")};
}

Result<std::vector<DoctorFinding>> examine_binary(const Target& target) {
  auto inspection = inspect(target);
  if (!inspection) return inspection.error();
  std::vector<DoctorFinding> findings = {elf(inspection->elf), framework(inspection->framework),
                                         symbols(inspection->elf), sanitizer(inspection->elf),
                                         coverage(inspection->elf)};
  if (!inspection->unhookable.empty()) {
    findings.push_back({State::limit, "hooks", inspection->unhookable,
                        "driven by the framework's own flags: default order, and a process per "
                        "test"});
  } else {
    examine_running(target, *inspection, findings);
  }
  return findings;
}

}  // namespace gordian

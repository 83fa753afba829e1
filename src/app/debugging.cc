// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/debugging.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>

#include "app/stored_dependences.h"
#include "base/files.h"
#include "base/owned_dir.h"
#include "base/unique_fd.h"
#include "report/outcome_text.h"
#include "report/text.h"
#include "runtime/runtime.h"
#include "store/explanation_store.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHits = "breakpoint already hit ";

/// gdb reads \ as the start of an escape, in echo and in quoted names.
std::string escaped(std::string_view text) {
  std::string out;
  for (char c : sanitize_line(text)) {
    if (c == '\\' || c == '"') out += '\\';
    out += c;
  }
  return out;
}

std::string condition(const GdbStop& stop, std::uint64_t position_address) {
  if (!stop.position) return {};
  return fmt::format("*(unsigned int *) {:#x} == {}", position_address, *stop.position);
}

/// GoogleTest reports everything through one function; its second argument tells failures (1, 2)
/// from successes and skips.
std::string failure_condition(const std::string& position) {
#ifdef __x86_64__
  const std::string is_failure = "((int) $rsi == 1 || (int) $rsi == 2)";
  return position.empty() ? is_failure : position + " && " + is_failure;
#else
  return position;
#endif
}

std::string with_condition(std::string command, const std::string& condition) {
  return condition.empty() ? command + "\n" : command + " if " + condition + "\n";
}

std::string break_at(const GdbStop& stop, std::string_view file, const std::string& position) {
  return with_condition(fmt::format("break -source \"{}\" -line {}", escaped(file), stop.line),
                        position);
}

std::string stopping_commands(const GdbStop& stop, const std::string& position) {
  if (stop.at != StopAt::failure) {
    const std::string name = stop.file.substr(stop.file.rfind('/') + 1);  // npos + 1 is 0
    return "if $_isvoid($bpnum)\n  " + break_at(stop, name, position) + "end\n";
  }
  switch (stop.outcome) {
    case OutcomeKind::fail:
      return with_condition("break testing::UnitTest::AddTestPartResult",
                            failure_condition(position));
    case OutcomeKind::exit: {
      std::string commands = "catch syscall exit_group\n";
      if (!position.empty()) commands += "condition $bpnum " + position + "\n";
      return commands;
    }
    default:
      return {};  // a crash stops by itself, a hang when it is interrupted
  }
}

constexpr const char* kBeginning = "set pagination off\n";

Result<std::string> find_debugger(const std::string& name) {
  if (name != "gdb") {
    return usage_error(fmt::format("the debugger {} is not supported", name),
                       "gdb is: --debugger gdb");
  }
  const char* path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "" : path;
  while (!rest.empty()) {
    const std::string_view dir = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(dir.size() + 1, rest.size()));
    const fs::path candidate = fs::path(dir) / name;
    std::error_code none;
    if (fs::is_regular_file(candidate, none) && ::access(candidate.c_str(), X_OK) == 0) {
      return candidate.string();
    }
  }
  return usage_error("there is no gdb in the PATH", "install the package gdb");
}

class Debugging {
 public:
  Debugging(const NamedDependence& stored, const DebugOptions& options, const EngineOptions& engine,
            const std::string& db)
      : stored_(stored), options_(options), engine_(engine), db_(db) {}

  Result<int> run();

 private:
  Result<Explanation> explanation();
  Result<GdbStop> choose_stop();
  Result<GdbStop> failure_stop();
  std::optional<GdbStop> site_stop(const Explanation& explanation, StopAt at);
  Result<std::uint64_t> count_hits(const GdbStop& stop);
  Result<int> debug(const std::vector<std::string>& order, const GdbStop& stop, bool counting,
                    int output_fd);
  std::string explain_first() const;

  const NamedDependence& stored_;
  const DebugOptions& options_;
  EngineOptions engine_;
  const std::string& db_;
  std::string gdb_;
  std::vector<std::string> order_;
  bool several_writes_ = false;
};

std::string Debugging::explain_first() const {
  return fmt::format("gordian explain {} looks for it; --at failure needs none",
                     to_string(stored_.id));
}

/// What is known of this build and witness; empty if nothing is.
Result<Explanation> Debugging::explanation() {
  auto store = ExplanationStore::open(db_);
  if (!store) return store.error();
  auto known = store->load(stored_.id);
  if (!known) return known.error();
  auto binary = identity_of(stored_.target);
  if (!binary) return binary.error();
  const bool fits = *known && (*known)->fits(binary->sha256, stored_.witness);
  return fits ? std::move((*known)->explanation) : Explanation{};
}

std::optional<GdbStop> Debugging::site_stop(const Explanation& explanation, StopAt at) {
  for (const Carrier& carrier : explanation.carriers) {
    auto stop = stop_at_site(carrier, at, order_);
    if (!stop) continue;
    const Site& site = at == StopAt::write ? *carrier.write : *carrier.read;
    several_writes_ = at == StopAt::write && (site.times > 1 || site.times_capped);
    stop->what = fmt::format("Gordian: stops where {} {} {}, at {}", site.test,
                             at == StopAt::write ? "last writes" : "first reads",
                             carrier.key.text(), location_text(stop->file, stop->line));
    return stop;
  }
  return std::nullopt;
}

/// A brittle test fails alone, not at the end of its witness.
Result<GdbStop> Debugging::failure_stop() {
  GdbStop stop;
  const bool witness_fails = is_failure(stored_.witnessed.kind);
  if (!witness_fails && !is_failure(stored_.alone.kind)) {
    return usage_error(fmt::format("{} has no failure to stop at: its results are {} and {}",
                                   to_string(stored_.id), to_string(stored_.alone.kind),
                                   to_string(stored_.witnessed.kind)),
                       "use --at write or --at read");
  }
  if (!witness_fails) order_ = {stored_.test};
  stop.outcome = witness_fails ? stored_.witnessed.kind : stored_.alone.kind;
  stop.position = order_.size() - 1;
  stop.what = fmt::format("Gordian: stops where {} {}{}", stored_.test,
                          stop.outcome == OutcomeKind::fail    ? "fails"
                          : stop.outcome == OutcomeKind::crash ? "crashes"
                          : stop.outcome == OutcomeKind::exit  ? "ends the program"
                                                               : "hangs: press Ctrl-C then",
                          witness_fails ? "" : ", alone");
  return stop;
}

Result<GdbStop> Debugging::choose_stop() {
  if (options_.at == "failure") return failure_stop();
  auto known = explanation();
  if (!known) return known.error();
  order_.insert(order_.begin(), known->behind.begin(), known->behind.end());  // as it was seen
  for (auto [at, word] : {std::pair(StopAt::read, "read"), {StopAt::write, "write"}}) {
    if (!options_.at.empty() && options_.at != word) continue;
    if (auto stop = site_stop(*known, at)) return *stop;
  }
  order_ = stored_.witness;
  if (options_.at.empty()) return failure_stop();
  return usage_error(fmt::format("it is not known where {} is {}", to_string(stored_.id),
                                 options_.at == "write" ? "written" : "read"),
                     explain_first());
}

Result<int> Debugging::debug(const std::vector<std::string>& order, const GdbStop& stop,
                             bool counting, int output_fd) {
  auto session = runtime_of(stored_.target).debug(stored_.target, engine_, order);
  if (!session) return session.error();
  std::error_code none;
  const fs::path places[] = {fs::temp_directory_path(none)};
  auto dir = TemporaryDir::make(places);
  if (!dir) return dir.error();
  const std::uint64_t position = (*session)->position_address();
  const std::string script = (dir->path() / "commands.gdb").string();
  Status written = write_file(
      script, counting ? gdb_counting_script(stop, position) : gdb_script(stop, position));
  if (!written) return written.error();
  // Libraries are the ones we see, also if the program has a private view of some directories.
  std::vector<std::string> argv = {gdb_, "-q", "-iex", "set sysroot /"};
  if (counting) argv.insert(argv.end(), {"-nx", "-batch"});
  argv.insert(argv.end(), {"-p", std::to_string((*session)->pid())});
  const std::string exact = gdb_exact_break(stop, position);
  if (!exact.empty()) argv.insert(argv.end(), {"-ex", "set breakpoint pending off", "-ex", exact});
  argv.insert(argv.end(), {"-x", script});
  if (!counting) argv.insert(argv.end(), options_.args.begin(), options_.args.end());
  argv.push_back(stored_.target.binary.string());
  return (*session)->run(argv, output_fd);
}

/// How often the line is reached while the writing test runs: the last time is the one.
Result<std::uint64_t> Debugging::count_hits(const GdbStop& stop) {
  UniqueFd output(::memfd_create("gordian-gdb", MFD_CLOEXEC));
  if (!output.valid()) return internal_error("no memory for what gdb prints");
  const auto end = order_.begin() + static_cast<std::ptrdiff_t>(*stop.position) + 1;
  auto code = debug({order_.begin(), end}, stop, true, output.get());
  if (!code) return code.error();
  std::string text(1 << 20, '\0');
  const ssize_t size = ::pread(output.get(), text.data(), text.size(), 0);
  text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return parse_gdb_hits(text);
}

Result<int> Debugging::run() {
  auto gdb = find_debugger(options_.debugger);
  if (!gdb) return gdb.error();
  gdb_ = std::move(*gdb);
  if (auto gone = binary_gone(stored_)) return *gone;
  order_ = stored_.witness;
  auto stop = choose_stop();
  if (!stop) return stop.error();
  if (several_writes_ && stop->position) {
    auto hits = count_hits(*stop);
    if (!hits) return hits.error();
    if (*hits > 1) stop->skip = *hits - 1;
  }
  return debug(order_, *stop, false, -1);
}

}  // namespace

std::optional<GdbStop> stop_at_site(const Carrier& carrier, StopAt at,
                                    const std::vector<std::string>& order) {
  const std::optional<Site>& site = at == StopAt::write ? carrier.write : carrier.read;
  if (!site || site->shown >= site->stack.size() || order.empty()) return std::nullopt;
  const StackFrame& frame = site->stack[site->shown];
  if (frame.file.empty() || frame.line <= 0) return std::nullopt;
  GdbStop stop;
  stop.at = at;
  stop.file = frame.file;
  stop.line = frame.line;
  // Reads belong to the last test; a write to the last run of its test before that.
  if (at == StopAt::read) stop.position = order.size() - 1;
  for (std::size_t i = 0; at == StopAt::write && i + 1 < order.size(); ++i) {
    if (order[i] == site->test) stop.position = i;
  }
  return stop;
}

std::string gdb_exact_break(const GdbStop& stop, std::uint64_t position_address) {
  if (stop.at == StopAt::failure) return {};
  std::string command = break_at(stop, stop.file, condition(stop, position_address));
  command.pop_back();
  return command;
}

std::string gdb_script(const GdbStop& stop, std::uint64_t position_address) {
  std::string script = kBeginning + stopping_commands(stop, condition(stop, position_address));
  if (stop.skip > 0) script += fmt::format("ignore $bpnum {}\n", stop.skip);
  if (!stop.what.empty()) script += fmt::format("echo {}\\n\n", escaped(stop.what));
  return script + "continue\nset pagination on\n";
}

std::string gdb_counting_script(const GdbStop& stop, std::uint64_t position_address) {
  return kBeginning + stopping_commands(stop, condition(stop, position_address)) +
         "ignore $bpnum 2000000000\ncontinue\ninfo breakpoints\n";
}

std::uint64_t parse_gdb_hits(std::string_view output) {
  const std::size_t at = output.rfind(kHits);
  if (at == std::string_view::npos) return 0;
  const std::string_view digits = output.substr(at + kHits.size());
  std::uint64_t hits = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), hits);
  return hits;
}

Result<int> debug_dependence(const NamedDependence& stored, const DebugOptions& options,
                             const EngineOptions& engine, const std::string& db) {
  return Debugging(stored, options, engine, db).run();
}

}  // namespace gordian

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/traced/compile_flags.h"

#include <fmt/format.h>

#include "base/subprocess.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;

constexpr const char* kArchive = "libgordian_trace.a";
constexpr const char* kPrefix = "gordian_trace_prefix.h";
constexpr const char* kExports = "gordian_trace.list";

/// GCC writes these out as instructions behind the pass that sees loads and stores.
constexpr const char* kSeenAsCalls[] = {"memset", "memcpy", "memmove", "memcmp",
                                        "strlen", "strcpy", "strcmp"};

}  // namespace

Result<Compiler> recognise_compiler(const std::string& word) {
  if (word == "gcc") return Compiler::gcc;
  if (word == "clang") return Compiler::clang;
  auto version = run_subprocess({word, "--version"});
  if (!version || !version->succeeded()) {
    return usage_error(fmt::format("'{}' is no compiler that tells its version", word),
                       "say --compiler gcc, --compiler clang, or the path of one of them");
  }
  if (version->out.find("clang") != std::string::npos) return Compiler::clang;
  auto machine = run_subprocess({word, "-dumpmachine"});  // not all of GNU's programs are compilers
  const bool gnu = version->out.find("Free Software Foundation") != std::string::npos;
  if (gnu && machine && machine->succeeded() && !machine->out.empty()) return Compiler::gcc;
  return usage_error(fmt::format("'{}' is neither GCC nor Clang", word),
                     "a traced build needs one of them");
}

Result<TraceFiles> find_trace_files() {
  std::error_code none;
  const fs::path here = fs::read_symlink("/proc/self/exe", none).parent_path();
  for (const fs::path& folder : {here, here / "../lib/gordian", here / "../bin"}) {
    const fs::path real = fs::canonical(folder, none);
    const TraceFiles files{real / kPrefix, real / kArchive, real / kExports};
    if (fs::exists(files.archive, none) && fs::exists(files.prefix, none) &&
        fs::exists(files.exports, none)) {
      return files;
    }
  }
  return internal_error(fmt::format("{} was not found beside {}", kArchive, here.string()),
                        "reinstall");
}

std::vector<std::string> compile_flags(Compiler compiler, const TraceFiles& files) {
  std::vector<std::string> flags = {"-fsanitize=thread", "-g"};
  if (compiler == Compiler::gcc) {
    for (const char* function : kSeenAsCalls) {
      flags.push_back(fmt::format("-fno-builtin-{}", function));
    }
    // There is no race detector: programs need not make room for one, nor be warned about it. What
    // is compiled when linking is not instrumented.
    flags.insert(flags.end(), {"-U__SANITIZE_THREAD__", "-Wno-tsan", "-fno-lto"});
  } else {
    // The read of x += 1 is not left out, and no access is wider than Clang tells of. The index of
    // addresses is what lines are found by.
    flags.insert(flags.end(), {"-mllvm", "-tsan-instrument-read-before-write=1",
                               "-mprefer-vector-width=128", "-gdwarf-aranges"});
  }
  flags.insert(flags.end(), {"-include", files.prefix.string()});
  return flags;
}

/// The compiler's own runtime stays away, whether or not the flags for compiling are repeated.
std::vector<std::string> link_flags(const TraceFiles& files) {
  return {"-fno-sanitize=thread",
          "-Wl,--whole-archive",
          files.archive.string(),
          "-Wl,--no-whole-archive",
          "-Wl,--dynamic-list=" + files.exports.string(),
          "-ldl",
          "-lpthread"};
}

}  // namespace gordian

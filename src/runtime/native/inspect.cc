// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/native/inspect.h"

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "base/sha256.h"
#include "frameworks/framework_symbols.h"
#include "frameworks/framework_traits.h"

namespace gordian {
namespace {

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
                 "adapter (docs/frameworks.md) to run it in any order"
               : "the binary is statically linked, so nothing can be preloaded into it";
  }
  if (!finding.hookable && !elf.has_agent_adapter) return finding.problem;
  return {};
}

}  // namespace

std::string library_path(const Target& target) {
  for (const EnvChange& change : target.env) {
    if (change.first == "LD_LIBRARY_PATH") return change.second.value_or("");
  }
  const char* ours = std::getenv("LD_LIBRARY_PATH");
  return ours == nullptr ? "" : ours;
}

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

}  // namespace gordian

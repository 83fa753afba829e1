// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "suite/frame_owner.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>

namespace gordian {
namespace {

constexpr std::array<std::string_view, 11> kLibraries = {
    "libc.so",    "libc-",    "libstdc++", "libc++",           "libm.so",   "libgcc_s",
    "libpthread", "ld-linux", "libdl.so",  "libgordian-agent", "linux-vdso"};
constexpr std::array<std::string_view, 2> kFrameworks = {"libgtest", "libgmock"};
constexpr std::array<std::string_view, 3> kNamespaces = {"std::", "__gnu_cxx::", "__cxxabiv1::"};
constexpr std::string_view kFramework = "testing::";

template <std::size_t N>
bool starts_with_any(std::string_view text, const std::array<std::string_view, N>& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return text.starts_with(prefix); });
}

bool is_library_header(std::string_view file) {
  return starts_with_any(file, std::array<std::string_view, 2>{"/usr/include/", "/usr/lib/"}) ||
         file.find("/include/c++/") != std::string_view::npos;
}

/// What TEST() and its kin make of a test: its class may stand in any namespace.
bool is_test_body(std::string_view name) {
  return name.find("_Test::TestBody()") != std::string_view::npos;
}

/// "gtest-all.cc", "gmock-matchers.h", but not "gmock-matchers_test.cc".
bool is_framework_file_name(std::string_view file) {
  const std::string_view base = file.substr(file.rfind('/') + 1);  // npos + 1 is 0
  const std::string_view stem = base.substr(0, base.rfind('.'));
  if (stem.ends_with("_test") || stem.ends_with("_unittest")) return false;
  return starts_with_any(stem, std::array<std::string_view, 2>{"gtest", "gmock"});
}

}  // namespace

bool is_in_framework_folder(std::string_view file) {
  constexpr std::array<std::string_view, 6> kFolders = {"/include/gtest/",  "/include/gmock/",
                                                        "/googletest/src/", "/googlemock/src/",
                                                        "/gtest/src/",      "/gmock/src/"};
  return std::any_of(kFolders.begin(), kFolders.end(), [file](std::string_view folder) {
    return file.find(folder) != std::string_view::npos;
  });
}

bool is_framework_source(std::string_view file) {
  return is_in_framework_folder(file) || is_framework_file_name(file);
}

std::string_view without_return_type(std::string_view function) {
  constexpr std::string_view kAnonymous = "(anonymous namespace)";
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i < function.size(); ++i) {
    if (function.substr(i).starts_with(kAnonymous)) {
      i += kAnonymous.size() - 1;
      continue;
    }
    // Past this word, < and ( are names.
    if (depth == 0 && function.substr(i).starts_with("operator")) break;
    const char c = function[i];
    if (c == '<') ++depth;
    if (c == '>') --depth;
    if (c == '(' && depth == 0) break;
    if (c == ' ' && depth == 0) start = i + 1;
  }
  return function.substr(start);
}

FrameOwner frame_owner(const StackFrame& frame) {
  if (frame.module.empty() && frame.function.empty()) return FrameOwner::system;
  if (starts_with_any(frame.module, kLibraries) || frame.module == "[vdso]") {
    return FrameOwner::system;
  }
  if (starts_with_any(frame.module, kFrameworks)) return FrameOwner::framework;
  const std::string_view name = without_return_type(frame.function);
  const std::string file = std::filesystem::path(frame.file).lexically_normal().string();
  if (name.starts_with(kFramework)) {
    const bool of_program = !file.empty() && !is_framework_source(file) && !is_library_header(file);
    return of_program || is_test_body(name) ? FrameOwner::program : FrameOwner::framework;
  }
  if (name.starts_with("RUN_ALL_TESTS")) return FrameOwner::framework;
  if (is_library_header(file)) return FrameOwner::system;
  return starts_with_any(name, kNamespaces) ? FrameOwner::system : FrameOwner::program;
}

bool runs_tests(const StackFrame& frame) {
  static constexpr std::array<std::string_view, 8> kRunners = {
      "testing::internal::HandleSehExceptionsInMethodIfSupported",
      "testing::internal::HandleExceptionsInMethodIfSupported",
      "testing::Test::Run",
      "testing::TestInfo::Run",
      "testing::TestSuite::",
      "testing::TestCase::",
      "testing::internal::UnitTestImpl::",
      "testing::UnitTest::Run",
  };
  return starts_with_any(without_return_type(frame.function), kRunners);
}

}  // namespace gordian

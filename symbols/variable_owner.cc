// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/variable_owner.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>

#include "suite/frame_owner.h"

namespace gordian {
namespace {

template <std::size_t n>
bool starts_with_any(std::string_view text, const std::array<std::string_view, n>& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [text](std::string_view prefix) { return text.starts_with(prefix); });
}

/// What the framework's macros put beside each test: "Suite_Name_Test::test_info_" and the
/// "gtest_..._" of parameterised and typed tests.
bool made_by_test_macro(std::string_view name) {
  const std::size_t colon = name.rfind("::");
  const std::string_view last = colon == std::string_view::npos ? name : name.substr(colon + 2);
  return last == "test_info_" || (last.starts_with("gtest_") && last.ends_with("_"));
}

/// Reserved for compilers and their libraries: no program may use such a name.
bool is_reserved(std::string_view name) {
  if (name.size() < 2 || name[0] != '_') return false;
  return name[1] == '_' || (name[1] >= 'A' && name[1] <= 'Z');
}

}  // namespace

bool is_system_path(std::string_view path) {
  constexpr std::array<std::string_view, 5> kFolders = {"/lib/", "/lib64/", "/usr/lib/",
                                                        "/usr/lib64/", "/usr/include/"};
  return starts_with_any(path, kFolders);
}

Owner owner_of(std::string_view name, std::string_view written_file) {
  // Clang finds system headers by way of its own directory: /usr/bin/../include.
  const std::string file = std::filesystem::path(written_file).lexically_normal().string();
  constexpr std::array<std::string_view, 4> kLibraries = {
      "std::", "__gnu_cxx::", "__cxxabiv1::", "__gnu_internal::"};
  if (made_by_test_macro(name) || is_in_framework_folder(file)) return Owner::framework;
  // Tests may stand in the framework's namespace, with variables of their own.
  const bool not_elsewhere = file.empty() || is_framework_source(file) || is_system_path(file);
  if (name.starts_with("testing::") && not_elsewhere) return Owner::framework;
  if (starts_with_any(name, kLibraries) || is_system_path(file)) return Owner::library;
  if (file.empty() && is_reserved(name)) return Owner::library;
  return Owner::program;
}

}  // namespace gordian

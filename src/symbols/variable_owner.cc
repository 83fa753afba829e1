// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/variable_owner.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>

#include "frameworks/framework_traits.h"
#include "model/stack.h"

namespace gordian {
namespace {

bool made_by_test_macro(std::string_view name) {
  auto all = all_frameworks();
  return std::any_of(all.begin(), all.end(), [name](const FrameworkTraits* f) {
    return f->made_by_macro != nullptr && f->made_by_macro(name);
  });
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
  if (is_in_framework_namespace(name) && not_elsewhere) return Owner::framework;
  if (starts_with_any(name, kLibraries) || is_system_path(file)) return Owner::library;
  if (file.empty() && is_reserved(name)) return Owner::library;
  return Owner::program;
}

}  // namespace gordian

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "frameworks/framework_symbols.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "frameworks/frameworks.h"

namespace gordian {
namespace {

constexpr std::uint64_t kVtableHead = 16;

/// "a::B" as the C++ ABI writes it in type information: "N1a1BE".
std::string mangled_class(std::string_view name) {
  const bool nested = name.find("::") != std::string_view::npos;
  std::string mangled = nested ? "N" : "";
  while (!name.empty()) {
    const std::size_t end = std::min(name.find("::"), name.size());
    mangled += std::to_string(end) + std::string(name.substr(0, end));
    name.remove_prefix(std::min(end + 2, name.size()));
  }
  return nested ? mangled + "E" : mangled;
}

}  // namespace

std::span<const FrameworkSymbols* const> all_framework_symbols() {
  static const auto all = [] {
    std::array<const FrameworkSymbols*, kFrameworks.size()> symbols{};
    for (std::size_t i = 0; i < symbols.size(); ++i) symbols[i] = &kFrameworks[i].symbols();
    return symbols;
  }();
  return all;
}

const FrameworkSymbols& symbols_of(Framework framework) {
  auto all = all_framework_symbols();
  auto found = std::find_if(all.begin(), all.end(), [framework](const FrameworkSymbols* symbols) {
    return symbols->framework == framework;
  });
  GORDIAN_CHECK(found != all.end());
  return **found;
}

std::string vtable_symbol(std::string_view class_name) {
  return "_ZTV" + mangled_class(class_name);
}

bool has_class_name(const ElfFile& file, std::string_view class_name) {
  return file.contains_bytes(mangled_class(class_name) + '\0');
}

std::uint64_t address(const std::optional<Symbol>& symbol) {
  return symbol ? symbol->vaddr : 0;
}

std::uint64_t vptr_value(const std::optional<Symbol>& vtable) {
  return vtable && vtable->size > kVtableHead ? vtable->vaddr + kVtableHead : 0;
}

std::uint32_t vtable_slots(const std::optional<Symbol>& vtable) {
  if (!vtable || vtable->size <= kVtableHead) return 0;
  return static_cast<std::uint32_t>((vtable->size - kVtableHead) / 8);
}

}  // namespace gordian

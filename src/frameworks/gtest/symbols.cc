// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string_view>

#include "frameworks/framework_symbols.h"
#include "frameworks/frameworks.h"
#include "frameworks/gtest/recognise.h"
#include "symbols/process_memory.h"
#include "wire/hooks.h"

namespace gordian {
namespace {

// The vtable of a class in a stripped program is found by what a compiler must leave in memory: the
// typeinfo name string, the typeinfo object that points to it, the vtable that points to that. All
// of it in a running process, after the loader has relocated it.

struct Vtable {
  TargetAddr first_function;  ///< what an object's vptr holds
  unsigned functions = 0;     ///< entries that point into code, counted from the first
};

constexpr unsigned kMostFunctions = 64;

/// The readable parts of one module, copied once.
struct Image {
  TargetAddr base;
  std::string bytes;
};

std::vector<Image> copy_module(pid_t pid, const std::vector<Mapping>& mappings,
                               std::string_view path) {
  constexpr std::uint64_t kLargest = std::uint64_t{1} << 30;
  std::vector<Image> images;
  for (const Mapping& m : mappings) {
    std::uint64_t size = m.end.value() - m.begin.value();
    if (m.path != path || !m.readable || m.executable || size > kLargest) continue;
    if (auto bytes = read_memory(pid, m.begin, size)) images.push_back({m.begin, *bytes});
  }
  return images;
}

/// The class name with its terminator on both sides, so that no longer name is taken for it.
std::optional<TargetAddr> find_name(const std::vector<Image>& images, std::string_view name) {
  std::string whole(name);
  whole.push_back('\0');
  for (const Image& image : images) {
    for (auto at = image.bytes.find(whole); at != std::string::npos;
         at = image.bytes.find(whole, at + 1)) {
      if (at == 0 || image.bytes[at - 1] == '\0') return TargetAddr{image.base.value() + at};
    }
  }
  return std::nullopt;
}

std::uint64_t word_at(const Image& image, std::size_t at) {
  std::uint64_t word = 0;
  std::memcpy(&word, image.bytes.data() + at, sizeof word);
  return word;
}

/// Every aligned place that holds `value`.
std::vector<TargetAddr> find_words(const std::vector<Image>& images, TargetAddr value) {
  std::vector<TargetAddr> places;
  for (const Image& image : images) {
    for (std::size_t at = 0; at + 8 <= image.bytes.size(); at += 8) {
      if (word_at(image, at) == value.value())
        places.push_back(TargetAddr{image.base.value() + at});
    }
  }
  return places;
}

bool is_code(const std::vector<Mapping>& mappings, std::uint64_t address) {
  return std::any_of(mappings.begin(), mappings.end(), [address](const Mapping& m) {
    return m.executable && address >= m.begin.value() && address < m.end.value();
  });
}

/// How many entries from `first_function` on point into code; at most `limit`.
unsigned count_functions(pid_t pid, const std::vector<Mapping>& mappings, TargetAddr first_function,
                         unsigned limit) {
  unsigned count = 0;
  while (count < limit) {
    auto bytes = read_memory(pid, TargetAddr{first_function.value() + 8 * count}, 8);
    if (!bytes) break;
    std::uint64_t word = 0;
    std::memcpy(&word, bytes->data(), sizeof word);
    if (!is_code(mappings, word)) break;
    ++count;
  }
  return count;
}

/// A vtable is: offset to top (0 for a primary one), typeinfo, functions.
std::optional<Vtable> vtable_of(pid_t pid, const std::vector<Mapping>& mappings,
                                const std::vector<Image>& images, TargetAddr typeinfo) {
  for (TargetAddr place : find_words(images, typeinfo)) {
    auto offset_to_top = read_memory(pid, TargetAddr{place.value() - 8}, 8);
    if (!offset_to_top || *offset_to_top != std::string(8, '\0')) continue;
    TargetAddr first{place.value() + 8};
    unsigned functions = count_functions(pid, mappings, first, kMostFunctions);
    if (functions > 0) return Vtable{first, functions};
  }
  return std::nullopt;
}

/// `mangled_type` without prefix: "N7testing9TestSuiteE". Searches the mappings of one module.
std::optional<Vtable> scan_for_vtable(pid_t pid, const std::vector<Mapping>& mappings,
                                      std::string_view module_path, std::string_view mangled_type) {
  std::vector<Image> images = copy_module(pid, mappings, module_path);
  auto name = find_name(images, mangled_type);
  if (!name) return std::nullopt;
  for (TargetAddr place : find_words(images, *name)) {
    // typeinfo: its own vptr, then the name
    if (auto found = vtable_of(pid, mappings, images, TargetAddr{place.value() - 8})) return found;
  }
  return std::nullopt;
}

namespace wire = gordian_wire;

constexpr std::string_view kRepeater = "N7testing8internal17TestEventRepeaterE";
constexpr std::array<std::string_view, 2> kSuiteTypes = {"N7testing9TestSuiteE",
                                                         "N7testing8TestCaseE"};

enum Name : std::size_t {
  repeater_vtable,
  suite_vtable,
  case_vtable,
  suite_clear,
  case_clear,
  result_failed,
};
constexpr std::array<std::string_view, 6> kNames = {
    "_ZTVN7testing8internal17TestEventRepeaterE",
    "_ZTVN7testing9TestSuiteE",
    "_ZTVN7testing8TestCaseE",
    "_ZN7testing9TestSuite11ClearResultEv",
    "_ZN7testing8TestCase11ClearResultEv",
    "_ZNK7testing10TestResult6FailedEv",
};

bool complete(const wire::Hooks& hooks) {
  return hooks.entry[wire::kRepeaterVtable] != 0 && hooks.entry[wire::kSuiteVtable] != 0;
}

bool from_symbols(std::span<const std::optional<Symbol>> found, wire::Hooks& hooks) {
  const auto& suite = found[suite_vtable] ? found[suite_vtable] : found[case_vtable];
  hooks.entry[wire::kRepeaterVtable] = vptr_value(found[repeater_vtable]);
  hooks.number[wire::kRepeaterSlots] = vtable_slots(found[repeater_vtable]);
  hooks.entry[wire::kSuiteVtable] = vptr_value(suite);
  hooks.entry[wire::kClearResult] =
      address(found[suite_clear] ? found[suite_clear] : found[case_clear]);
  hooks.entry[wire::kResultFailed] = address(found[result_failed]);
  return complete(hooks);
}

/// A stripped module that holds the framework: its vtables are still in memory.
bool from_memory(pid_t pid, const LoadedModule& module, const ElfFile& elf, wire::Hooks& hooks) {
  if (!elf.contains_bytes(kRepeater)) return false;
  auto mappings = read_mappings(pid);
  auto repeater = scan_for_vtable(pid, mappings, module.path, kRepeater);
  if (!repeater) return false;
  hooks.entry[wire::kRepeaterVtable] = repeater->first_function.value() - module.base;
  hooks.number[wire::kRepeaterSlots] = repeater->functions;
  for (std::string_view type : kSuiteTypes) {
    if (auto suite = scan_for_vtable(pid, mappings, module.path, type)) {
      hooks.entry[wire::kSuiteVtable] = suite->first_function.value() - module.base;
      break;
    }
  }
  return complete(hooks);
}

std::string version(const ElfFile& file) {
  return gtest_version(file).text;
}

}  // namespace

const FrameworkSymbols& gtest_symbols() {
  static const FrameworkSymbols kSymbols = {.framework = Framework::gtest,
                                            .library = "libgtest",
                                            .symbol_prefix = "_ZN7testing8UnitTest3RunEv",
                                            .class_name = "testing::internal::TestEventRepeater",
                                            .names = kNames,
                                            .from_symbols = from_symbols,
                                            .from_memory = from_memory,
                                            .recognise = recognise_gtest,
                                            .main_function = "testing::UnitTest::Run",
                                            .version = version};
  return kSymbols;
}

}  // namespace gordian

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/vtable_scan.h"

#include <algorithm>
#include <cstring>

namespace gordian {
namespace {

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

}  // namespace

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

}  // namespace gordian

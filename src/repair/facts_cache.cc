// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/facts_cache.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "base/sha256.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;

std::string digest_of(std::string_view content) {
  Sha256 digest;
  digest.update(content);
  return digest.hex_digest();
}

bool is_same(const UnitFile& file, const ReadSource& read) {
  if (!file.digest.empty()) {
    const auto content = read(file.file);
    return content && digest_of(*content) == file.digest;
  }
  // Of libraries, which no patch changes.
  struct stat now {};
  return ::stat(file.file.c_str(), &now) == 0 &&
         static_cast<std::uint64_t>(now.st_size) == file.size && now.st_mtime == file.time;
}

std::string content_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

fs::path FactsCache::place_of(const CompileCommand& command) const {
  return directory_ / (digest_of(salt_ + '\0' + command.file + '\0' + command.command) + ".json");
}

std::optional<UnitFacts> FactsCache::find(const CompileCommand& command,
                                          const ReadSource& read) const {
  if (directory_.empty()) return std::nullopt;
  auto units = parse_unit_facts(content_of(place_of(command)));
  if (!units.ok() || units->size() != 1 || units->front().unit.file != command.file)
    return std::nullopt;
  UnitFacts& unit = units->front();
  const bool same = std::all_of(unit.files.begin(), unit.files.end(),
                                [&](const UnitFile& file) { return is_same(file, read); });
  if (!same || unit.files.empty()) return std::nullopt;
  return std::move(unit);
}

void FactsCache::keep(const CompileCommand& command, const UnitFacts& unit,
                      const std::string& output) const {
  if (directory_.empty() || unit.unit.errors > 0) return;
  std::error_code failed;
  fs::create_directories(directory_, failed);
  const fs::path place = place_of(command);
  std::string beside = place.string() + ".XXXXXX";  // process numbers are not unique: namespaces
  const int fd = ::mkstemp(beside.data());
  if (fd < 0) return;
  ::close(fd);
  {
    std::ofstream out(beside, std::ios::binary);
    out << output;
    out.flush();
    if (!out) {
      fs::remove(beside, failed);
      return;
    }
  }
  fs::rename(beside, place, failed);
  if (failed) fs::remove(beside, failed);
}

}  // namespace gordian

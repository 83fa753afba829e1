// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "symbols/variable_index.h"

#include <sys/stat.h>

#include <algorithm>
#include <tuple>

#include "base/files.h"
#include "base/sha256.h"
#include "symbols/elf_walk.h"
#include "symbols/reader.h"

namespace gordian {
namespace {

constexpr std::string_view kMagic = "GORDVARS";
constexpr std::uint32_t kIndexVersion = 2;
/// More than any index: a file that somebody else has put there must not fill the memory.
constexpr std::uint64_t kLargestFile = std::uint64_t{1} << 30;
constexpr std::size_t kDigestSize = 64, kHeaderSize = 8 + 4 + 4 + kDigestSize;

class IndexWriter {
 public:
  template <std::unsigned_integral T>
  void number(T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      bytes_ += static_cast<char>(value >> (8 * i) & 0xff);
    }
  }
  void string(std::string_view text) {
    number(static_cast<std::uint32_t>(text.size()));
    bytes_ += text;
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

std::string digest(std::string_view bytes) {
  Sha256 sum;
  sum.update(bytes);
  return sum.hex_digest();
}

/// Section headers tell two builds apart that were given the same build id by hand.
void add_shape(const OpenElf& file, Sha256& sum) {
  each_section(file.elf(), [&sum](Elf_Scn*, const GElf_Shdr& header, std::string_view) {
    sum.update({reinterpret_cast<const char*>(&header), sizeof header});
  });
}

void add_identity(const OpenElf& file, Sha256& sum) {
  if (!file.build_id().empty()) {
    sum.update("id " + file.build_id() + "\n");
    return add_shape(file, sum);
  }
  struct stat info {};
  ::fstat(file.fd(), &info);
  std::error_code ignored;
  std::string text = "file " + std::filesystem::weakly_canonical(file.path(), ignored).string();
  for (std::int64_t part :
       {static_cast<std::int64_t>(info.st_size), static_cast<std::int64_t>(info.st_mtim.tv_sec),
        static_cast<std::int64_t>(info.st_mtim.tv_nsec), static_cast<std::int64_t>(info.st_dev),
        static_cast<std::int64_t>(info.st_ino)}) {
    text += " " + std::to_string(part);
  }
  sum.update(text + "\n");
}

/// File names repeat: each is written once.
class FileNames {
 public:
  std::uint32_t number(const std::string& name) {
    const auto [entry, is_new] = numbers_.try_emplace(name, names_.size());
    if (is_new) names_.push_back(name);
    return static_cast<std::uint32_t>(entry->second);
  }
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::unordered_map<std::string, std::size_t> numbers_;
  std::vector<std::string> names_;
};

void write_variables(IndexWriter& out, const std::vector<Variable>& variables) {
  FileNames files;
  for (const Variable& variable : variables) files.number(variable.file);
  out.number(std::uint64_t{files.names().size()});
  for (const std::string& name : files.names()) out.string(name);
  out.number(std::uint64_t{variables.size()});
  for (const Variable& variable : variables) {
    out.string(variable.name);
    out.number(variable.address);
    out.number(variable.size);
    out.number(variable.type_id);
    out.number(files.number(variable.file));
    out.number(static_cast<std::uint32_t>(variable.line));
    out.number(static_cast<std::uint8_t>(variable.owner));
    out.number(
        static_cast<std::uint8_t>(variable.thread_local_storage | variable.local_static << 1));
  }
}

bool read_variables(Cursor& in, std::vector<Variable>& variables) {
  std::vector<std::string> files(in.count(4));
  for (std::string& name : files) name = in.string();
  variables.resize(in.count(38));
  for (Variable& variable : variables) {
    variable.name = in.string();
    variable.address = in.number<std::uint64_t>();
    variable.size = in.number<std::uint64_t>();
    variable.type_id = in.number<std::uint64_t>();
    const auto file = in.number<std::uint32_t>();
    variable.line = static_cast<int>(in.number<std::uint32_t>());
    const auto owner = in.number<std::uint8_t>();
    const auto flags = in.number<std::uint8_t>();
    if (!in.ok() || file >= files.size() || owner > static_cast<int>(Owner::library)) return false;
    variable.file = files[file];
    variable.owner = static_cast<Owner>(owner);
    variable.thread_local_storage = (flags & 1) != 0;
    variable.local_static = (flags & 2) != 0;
  }
  return std::is_sorted(variables.begin(), variables.end(), [](const auto& a, const auto& b) {
    return std::tuple(a.thread_local_storage, a.address) <
           std::tuple(b.thread_local_storage, b.address);
  });
}

std::filesystem::path file_of(const std::filesystem::path& dir, std::string_view key) {
  return dir / ("variables-" + std::string(key));
}

}  // namespace

std::string index_key(const OpenElf& module, const OpenElf& debug) {
  Sha256 sum;
  add_identity(module, sum);
  add_identity(debug, sum);
  return sum.hex_digest();
}

std::string encode_index(const VariableIndex& index, std::string_view key) {
  IndexWriter body;
  body.string(key);
  write_variables(body, index.variables);
  body.number(std::uint64_t{index.guards.size()});
  for (const auto& guard : index.guards) {
    body.number(guard.guard);
    body.number(guard.variable);
    body.number(static_cast<std::uint8_t>(guard.thread_local_storage));
  }
  body.number(std::uint64_t{index.types.size()});
  for (const auto& [hash, id] : index.types) {
    body.number(hash);
    body.number(id);
  }
  const std::string bytes = body.take();
  IndexWriter head;
  head.number(kIndexVersion);
  head.number(std::uint32_t{0});
  return std::string(kMagic) + head.take() + digest(bytes) + bytes;
}

std::optional<VariableIndex> decode_index(std::string_view bytes, std::string_view key) {
  if (bytes.size() < kHeaderSize || !bytes.starts_with(kMagic)) return std::nullopt;
  if (Cursor(bytes.substr(kMagic.size())).number<std::uint32_t>() != kIndexVersion)
    return std::nullopt;
  const std::string_view body = bytes.substr(kHeaderSize);
  if (digest(body) != bytes.substr(kHeaderSize - kDigestSize, kDigestSize)) return std::nullopt;
  Cursor in(body);
  VariableIndex index;
  if (in.string() != key || !read_variables(in, index.variables)) return std::nullopt;
  index.guards.resize(in.count(17));
  for (auto& guard : index.guards) {
    guard.guard = in.number<std::uint64_t>();
    guard.variable = in.number<std::uint64_t>();
    guard.thread_local_storage = in.number<std::uint8_t>() != 0;
  }
  index.types.resize(in.count(16));
  for (auto& [hash, id] : index.types) {
    hash = in.number<std::uint64_t>();
    id = in.number<std::uint64_t>();
  }
  if (!in.at_end() || !std::is_sorted(index.types.begin(), index.types.end())) return std::nullopt;
  return index;
}

std::optional<VariableIndex> load_index(const std::filesystem::path& dir, std::string_view key) {
  const auto bytes = whole_file(file_of(dir, key), kLargestFile);
  return bytes ? decode_index(*bytes, key) : std::nullopt;
}

bool save_index(const std::filesystem::path& dir, std::string_view key,
                const VariableIndex& index) {
  std::error_code failed;
  std::filesystem::create_directories(dir, failed);
  return !failed && replace_private_file(file_of(dir, key), encode_index(index, key)).ok();
}

}  // namespace gordian

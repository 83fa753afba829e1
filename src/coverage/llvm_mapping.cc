// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "coverage/counter_maps.h"

#include <algorithm>
#include <climits>
#include <filesystem>
#include <unordered_map>

#include <openssl/evp.h>
#include <zlib.h>

#include "symbols/reader.h"

namespace gordian {
namespace {

constexpr std::uint32_t kVersion6 = 5, kVersion7 = 6;  // as they are written

constexpr std::uint32_t kMost = 1u << 22;

std::uint64_t aligned(std::uint64_t at) {
  return (at + 7) / 8 * 8;
}

/// The names of files of one object. The first is the directory of the compiler.
std::optional<std::vector<std::string>> parse_files(std::string_view blob) {
  Cursor head(blob);
  const std::uint64_t count = head.leb(), plain = head.leb(), packed = head.leb();
  if (!head.ok() || count == 0 || count > kMost) return std::nullopt;
  std::string unpacked;
  std::string_view rest =
      blob.substr(blob.size() - std::min<std::size_t>(blob.size(), packed ? packed : plain));
  if (packed != 0) {
    auto text = inflated(rest, plain);
    if (!text) return std::nullopt;
    unpacked = std::move(*text);
    rest = unpacked;
  }
  std::vector<std::string> files;
  for (std::uint64_t i = 0; i < count; ++i) {
    Cursor length(rest);
    const std::string_view name = length.bytes(length.leb());
    if (!length.ok()) return std::nullopt;
    files.emplace_back(name);
    rest.remove_prefix(length.at());
  }
  const std::filesystem::path directory(files.front());
  for (std::string& file : files) file = (directory / file).lexically_normal();
  return files;
}

class FunctionParser {
 public:
  FunctionParser(std::string_view data, const std::vector<std::string>& files,
                 LlvmFunction& function)
      : in_(data), files_(files), function_(function) {}

  bool parse() {
    const std::uint64_t files = in_.leb();
    if (!in_.possible(files) || files == 0) return false;
    for (std::uint64_t i = 0; i < files; ++i) {
      const std::uint64_t index = in_.leb();
      if (index >= files_.size()) return false;
      function_.files.push_back(files_[index]);
    }
    const std::uint64_t expressions = in_.leb();
    if (!in_.possible(expressions)) return false;
    function_.expressions.resize(expressions);
    for (std::uint64_t i = 0; i < expressions; ++i) {
      const LlvmCount left = count(in_.leb()), right = count(in_.leb());
      function_.expressions[i].left = left;
      function_.expressions[i].right = right;
    }
    std::vector<bool> expanded(files);
    for (std::uint32_t file = 0; file < files; ++file) {
      if (!parse_regions(file, expanded)) return false;
    }
    for (std::uint32_t file = 0; file < files; ++file) {
      if (expanded[file]) continue;
      function_.main_file = file;
      break;
    }
    return ok_ && in_.ok();
  }

 private:
  /// What the two lowest bits mean: nothing, a counter, a difference, a sum.
  LlvmCount count(std::uint64_t encoded) {
    const std::uint64_t tag = encoded & 3, index = encoded >> 2;
    if (tag == 0) return {};
    if (index >= kMost) ok_ = false;
    if (tag == 1) return {LlvmCount::Kind::counter, static_cast<std::uint32_t>(index)};
    if (index >= function_.expressions.size()) {
      ok_ = false;
      return {};
    }
    function_.expressions[index].add = tag == 3;
    return {LlvmCount::Kind::expression, static_cast<std::uint32_t>(index)};
  }

  bool parse_regions(std::uint32_t file, std::vector<bool>& expanded) {
    const std::uint64_t regions = in_.leb();
    if (!in_.possible(regions)) return false;
    std::uint64_t line = 0;
    for (std::uint64_t i = 0; i < regions && in_.ok(); ++i) {
      LlvmRegion region;
      region.file = file;
      const bool kept = parse_kind(region, expanded);
      line += in_.leb();
      const std::uint64_t column = in_.leb(), lines = in_.leb();
      std::uint64_t last = in_.leb();
      if (line + lines > kMost * 64ull) return false;
      if ((last & 1u << 31) != 0) {
        last &= ~(1ull << 31);
        region.kind = LlvmRegionKind::gap;
      }
      const bool whole_lines = column == 0 && last == 0;
      region.begin = {static_cast<std::uint32_t>(line),
                      whole_lines ? 1 : static_cast<std::uint32_t>(column)};
      region.end = {static_cast<std::uint32_t>(line + lines),
                    whole_lines ? ~0u : static_cast<std::uint32_t>(last)};
      if (kept) function_.regions.push_back(region);
    }
    return ok_ && in_.ok();
  }

  /// False: a branch, which says nothing of lines.
  bool parse_kind(LlvmRegion& region, std::vector<bool>& expanded) {
    enum : std::uint64_t { kSkipped = 2, kBranch = 4, kDecision = 5, kConditionBranch = 6 };
    const std::uint64_t encoded = in_.leb();
    if ((encoded & 3) != 0) {
      region.count = count(encoded);
      return true;
    }
    if ((encoded & 4) != 0) {
      region.kind = LlvmRegionKind::expansion;
      if (encoded >> 3 >= expanded.size()) return ok_ = false;
      expanded[encoded >> 3] = true;
      expansions_.push_back({static_cast<std::uint32_t>(encoded >> 3), function_.regions.size()});
      return true;
    }
    switch (encoded >> 3) {
      case 0:
        return true;
      case kSkipped:
        region.kind = LlvmRegionKind::skipped;
        return true;
      case kConditionBranch:
      case kBranch:
        in_.leb();
        in_.leb();
        for (int i = 0; encoded >> 3 == kConditionBranch && i < 3; ++i) in_.leb();
        return false;
      case kDecision:
        in_.leb();
        in_.leb();
        return false;
      default:
        return ok_ = false;
    }
  }

 public:
  /// An expansion ran as often as the first region of what it expands to.
  void count_expansions() {
    for (auto it = expansions_.rbegin(); it != expansions_.rend(); ++it) {
      for (const LlvmRegion& region : function_.regions) {
        if (region.file != it->first) continue;
        function_.regions[it->second].count = region.count;
        break;
      }
    }
  }

 private:
  Cursor in_;
  const std::vector<std::string>& files_;
  LlvmFunction& function_;
  std::vector<std::pair<std::uint32_t, std::size_t>> expansions_;  ///< to which file, region
  bool ok_ = true;
};

using Files = std::unordered_map<std::uint64_t, std::vector<std::string>>;

Files parse_covmap(std::string_view covmap, LlvmMapping& mapping) {
  Files files;
  const ByteReader bytes(covmap, std::endian::little);
  for (std::uint64_t at = 0; at + 16 <= covmap.size();) {
    const std::uint64_t size = *bytes.read<std::uint32_t>(at + 4);
    const std::uint32_t version = *bytes.read<std::uint32_t>(at + 12);
    const auto blob = bytes.slice(at + 16, size);
    if (!blob) {
      ++mapping.damaged;
      break;
    }
    at = aligned(at + 16 + size);
    if (version != kVersion6 && version != kVersion7) {
      mapping.unknown_version = version + 1;
      continue;
    }
    auto names = parse_files(*blob);
    if (names)
      files[llvm_digest(*blob)] = std::move(*names);
    else
      ++mapping.damaged;
  }
  return files;
}

}  // namespace

std::uint64_t LlvmFunction::value(LlvmCount count, const std::uint64_t* counters,
                                  std::size_t size) const {
  // Expressions refer to earlier or later ones; a damaged map may go in circles.
  struct Evaluation {
    const LlvmFunction& function;
    const std::uint64_t* counters;
    std::size_t size;
    std::size_t steps = 0;
    std::int64_t of(LlvmCount count) {
      if (count.kind == LlvmCount::Kind::zero || ++steps > 100'000) return 0;
      if (count.kind == LlvmCount::Kind::counter) {
        return count.index < size ? static_cast<std::int64_t>(counters[count.index]) : 0;
      }
      const LlvmExpression& expression = function.expressions[count.index];
      const auto left = static_cast<std::uint64_t>(of(expression.left));
      const auto right = static_cast<std::uint64_t>(of(expression.right));
      return static_cast<std::int64_t>(expression.add ? left + right : left - right);
    }
  };
  const std::int64_t result = Evaluation{*this, counters, size}.of(count);
  return result < 0 ? 0 : static_cast<std::uint64_t>(result);
}

std::uint32_t LlvmFunction::counters_needed() const {
  std::uint32_t needed = 0;
  const auto see = [&needed](LlvmCount count) {
    if (count.kind == LlvmCount::Kind::counter) needed = std::max(needed, count.index + 1);
  };
  for (const LlvmRegion& region : regions) see(region.count);
  for (const LlvmExpression& expression : expressions) {
    see(expression.left);
    see(expression.right);
  }
  return needed;
}

std::uint64_t llvm_digest(std::string_view text) {
  unsigned char digest[EVP_MAX_MD_SIZE] = {};
  unsigned size = 0;
  EVP_Digest(text.data(), text.size(), digest, &size, EVP_md5(), nullptr);
  std::uint64_t low = 0;
  for (int i = 7; i >= 0; --i) low = low << 8 | digest[i];
  return low;
}

LlvmMapping parse_llvm_mapping(std::string_view covmap, std::string_view covfun) {
  constexpr std::uint64_t kHead = 28;  // name, size of data, hash, digest of files; not aligned
  LlvmMapping mapping;
  const Files files = parse_covmap(covmap, mapping);
  std::unordered_map<std::uint64_t, std::size_t> by_name;
  const ByteReader bytes(covfun, std::endian::little);
  for (std::uint64_t at = 0; at + kHead <= covfun.size();) {
    LlvmFunction function;
    function.name = *bytes.read<std::uint64_t>(at);
    const std::uint64_t size = *bytes.read<std::uint32_t>(at + 8);
    function.hash = *bytes.read<std::uint64_t>(at + 12);
    const auto in_files = files.find(*bytes.read<std::uint64_t>(at + 20));
    const auto data = bytes.slice(at + kHead, size);
    at = aligned(at + kHead + size);
    if (!data) {
      ++mapping.damaged;
      break;
    }
    if (in_files == files.end()) {
      mapping.damaged += mapping.unknown_version == 0;
      continue;
    }
    auto [known, fresh] = by_name.try_emplace(function.name, mapping.functions.size());
    // A function that some object does not use has a dummy there.
    if (!fresh && (mapping.functions[known->second].hash != 0 || function.hash == 0)) continue;
    FunctionParser parser(*data, in_files->second, function);
    if (!parser.parse()) {
      ++mapping.damaged;
      if (fresh) by_name.erase(known);
      continue;
    }
    parser.count_expansions();
    if (fresh)
      mapping.functions.push_back(std::move(function));
    else
      mapping.functions[known->second] = std::move(function);
  }
  return mapping;
}

std::vector<std::pair<std::uint64_t, std::string>> parse_llvm_names(std::string_view section) {
  std::vector<std::pair<std::uint64_t, std::string>> names;
  while (!section.empty()) {
    if (section.front() == '\0') {  // between objects
      section.remove_prefix(1);
      continue;
    }
    Cursor in(section);
    const std::uint64_t plain = in.leb(), packed = in.leb();
    std::string text(in.bytes(packed != 0 ? packed : plain));
    if (!in.ok()) break;
    section.remove_prefix(in.at());
    if (packed != 0) {
      auto unpacked = inflated(text, plain);
      if (!unpacked) continue;
      text = std::move(*unpacked);
    }
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find('\1', at), text.size());
      std::string name = text.substr(at, end - at);
      const std::uint64_t digest = llvm_digest(name);
      names.emplace_back(digest, without_file(std::move(name)));
      at = end + 1;
    }
  }
  return names;
}

std::string without_file(std::string name) {
  const std::size_t file = name.find_last_of(":;");
  if (file != std::string::npos && name.find("_Z", file) == file + 1) name.erase(0, file + 1);
  return name;
}

std::optional<std::string> inflated(std::string_view bytes, std::size_t most) {
  constexpr int kAnyHeader = 32 + MAX_WBITS;
  if (bytes.size() > UINT_MAX) return std::nullopt;
  z_stream stream{};
  if (inflateInit2(&stream, kAnyHeader) != Z_OK) return std::nullopt;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string text;
  int state = Z_OK;
  while (state == Z_OK && text.size() <= most) {
    char part[1 << 16];
    stream.next_out = reinterpret_cast<Bytef*>(part);
    stream.avail_out = sizeof part;
    state = inflate(&stream, Z_NO_FLUSH);
    text.append(part, sizeof part - stream.avail_out);
  }
  inflateEnd(&stream);
  if (state != Z_STREAM_END || text.size() > most) return std::nullopt;
  return text;
}

}  // namespace gordian

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Both kinds of file are words of 4 bytes: magic, version, stamp, then records of tag, length and
// content. Up to GCC 11 (and in what Clang writes) lengths count words and strings are padded to
// words; from GCC 12 on they count bytes, and nothing is padded.
#include "coverage/counter_maps.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/files.h"
#include "symbols/reader.h"

namespace gordian {
namespace {

constexpr std::uint32_t kNotesMagic = 0x67636e6f, kDataMagic = 0x67636461;
constexpr std::uint32_t kFunctionTag = 0x01000000, kBlocksTag = 0x01410000, kArcsTag = 0x01430000,
                        kLinesTag = 0x01450000, kArcCountersTag = 0x01a10000;
constexpr std::uint32_t kOnTree = 1;
constexpr std::uint32_t kMostBlocks = 1u << 24;

Error damaged(const std::string& name, std::string_view why) {
  return target_error(fmt::format("{} cannot be read: {}", name, why),
                      "rebuild the program, and keep the .gcno files of that build");
}

class Words : public Cursor {
 public:
  using Cursor::Cursor;

  std::uint32_t word() { return number<std::uint32_t>(); }
  std::string_view text() {
    const std::string_view padded = bytes(std::uint64_t{word()} * unit_);
    return padded.substr(0, padded.find('\0'));
  }
  /// A record's content as words of its own; goes on behind it.
  Words record(std::uint64_t length) {
    Words inner(bytes(length));
    inner.unit_ = unit_;
    return inner;
  }
  void count_in_words() { unit_ = 4; }
  std::uint64_t unit() const { return unit_; }

 private:
  std::uint64_t unit_ = 1;  ///< of lengths, in bytes
};

/// Magic and version. Afterwards lengths are understood.
Result<GcovVersion> read_head(Words& words, std::uint32_t magic, const std::string& name) {
  const std::uint32_t found = words.word();
  const GcovVersion version = words.word();
  if (!words.ok() || found != magic) return damaged(name, "it is no file of counters of this kind");
  if (!is_known_gcov(version)) {
    const int major = gcov_major(version);
    return target_error(
        fmt::format("{} was written by {}, and only GCC 12 and Clang are known", name,
                    major == 0 ? "an unknown compiler" : fmt::format("GCC {}", major)),
        "build with one of these, or give Gordian your own data (--coverage FILE)");
  }
  if (gcov_major(version) < 12) words.count_in_words();
  return version;
}

class NotesParser {
 public:
  NotesParser(std::string_view bytes, std::string name) : words_(bytes), name_(std::move(name)) {}

  Result<GcovNotes> parse() {
    auto version = read_head(words_, kNotesMagic, name_);
    if (!version) return version.error();
    notes_.version = *version;
    notes_.stamp = words_.word();
    if (gcov_major(*version) >= 12) {
      words_.word();  // a checksum of the whole
      notes_.directory = words_.text();
      words_.word();  // whether blocks that are never run are supported
    }
    while (words_.ok() && words_.left() >= 8) {
      const std::uint32_t tag = words_.word();
      const std::uint64_t length = words_.word() * words_.unit();
      if (tag == 0) break;  // Clang ends with zeros
      Words content = words_.record(length);
      if (!words_.ok() || !take(tag, length, content))
        return damaged(name_, "it is cut off or damaged");
    }
    if (!words_.ok()) return damaged(name_, "it is cut off");
    return std::move(notes_);
  }

 private:
  bool take(std::uint32_t tag, std::uint64_t length, Words& words) {
    if (tag == kFunctionTag) return take_function(words);
    if (notes_.functions.empty()) return true;
    GcovFunction& function = notes_.functions.back();
    switch (tag) {
      case kBlocksTag:
        function.blocks =
            words_.unit() == 4 ? static_cast<std::uint32_t>(length / 4) : words.word();
        return words.ok() && function.blocks >= 2 && function.blocks < kMostBlocks;
      case kArcsTag:
        return take_arcs(function, words);
      case kLinesTag:
        return take_lines(function, words);
      default:
        return true;
    }
  }

  bool take_function(Words& words) {
    GcovFunction function;
    function.ident = words.word();
    function.line_checksum = words.word();
    function.cfg_checksum = words.word();
    function.name = words.text();
    if (words_.unit() == 1) function.artificial = words.word() != 0;
    function.file = file_number(words.text());
    function.line = static_cast<int>(words.word());
    notes_.functions.push_back(std::move(function));
    return words.ok();
  }

  static bool take_arcs(GcovFunction& function, Words& words) {
    const std::uint32_t from = words.word();
    if (from >= function.blocks) return false;
    while (words.left() >= 8) {
      const std::uint32_t to = words.word(), flags = words.word();
      if (to >= function.blocks) return false;
      function.arcs.push_back({from, to, (flags & kOnTree) != 0});
    }
    return words.ok();
  }

  bool take_lines(GcovFunction& function, Words& words) {
    const std::uint32_t block = words.word();
    if (block >= function.blocks) return false;
    std::uint32_t file = function.file;
    while (words.left() >= 4) {
      const std::uint32_t line = words.word();
      if (line != 0) {
        function.lines.push_back({block, file, static_cast<int>(line)});
        continue;
      }
      const std::string_view next = words.text();
      if (next.empty()) break;
      file = file_number(next);
    }
    return words.ok();
  }

  std::uint32_t file_number(std::string_view file) {
    auto [it, fresh] =
        numbers_.try_emplace(std::string(file), static_cast<std::uint32_t>(notes_.files.size()));
    if (fresh) notes_.files.emplace_back(file);
    return it->second;
  }

  Words words_;
  std::string name_;
  GcovNotes notes_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

/// Zeros are not written by GCC 12: a negative length stands for so many of them.
bool take_counters(Words& words, std::int32_t length, GcovData::Function& function) {
  const std::uint64_t bytes =
      static_cast<std::uint64_t>(std::abs(std::int64_t{length})) * words.unit();
  if (bytes / 8 >= kMostBlocks) return false;
  if (length < 0) {
    function.counters.assign(bytes / 8, 0);
    return true;
  }
  Words content = words.record(bytes);
  while (content.left() >= 8) function.counters.push_back(content.number<std::uint64_t>());
  return words.ok();
}

constexpr std::uint32_t kEntry = 0, kExit = 1;

}  // namespace

int gcov_major(GcovVersion version) {
  const auto at = [version](int i) { return static_cast<int>(version >> (24 - 8 * i) & 0xff); };
  if (at(3) != '*' || at(1) < '0' || at(1) > '9') return 0;
  if (at(0) >= 'A' && at(0) <= 'Z') return (at(0) - 'A') * 10 + at(1) - '0';
  return at(0) >= '0' && at(0) <= '9' ? at(0) - '0' : 0;
}

bool is_known_gcov(GcovVersion version) {
  return version == kClangGcov || gcov_major(version) == 12;
}

std::size_t GcovFunction::counters() const {
  return static_cast<std::size_t>(
      std::count_if(arcs.begin(), arcs.end(), [](const GcovArc& arc) { return !arc.on_tree; }));
}

Result<GcovNotes> parse_gcov_notes(std::string_view bytes, const std::string& name) {
  return NotesParser(bytes, name).parse();
}

Result<GcovNotes> read_gcov_notes(const std::filesystem::path& file) {
  const auto bytes = whole_file(file);
  if (!bytes) {
    return target_error(fmt::format("{} is missing", file.string()),
                        "it is made when the object is compiled, and must stay beside it");
  }
  return parse_gcov_notes(*bytes, file.string());
}

Result<GcovData> parse_gcov_data(std::string_view bytes, const std::string& name) {
  Words words(bytes);
  auto version = read_head(words, kDataMagic, name);
  if (!version) return version.error();
  GcovData data;
  data.version = *version;
  data.stamp = words.word();
  if (gcov_major(*version) >= 12) words.word();
  while (words.ok() && words.left() >= 8) {
    const std::uint32_t tag = words.word();
    const auto length = static_cast<std::int32_t>(words.word());
    if (tag == 0) break;
    if (tag == kArcCountersTag && !data.functions.empty()) {
      if (!take_counters(words, length, data.functions.back()))
        return damaged(name, "it is cut off");
      continue;
    }
    if (length < 0) continue;  // other counters, all zero
    Words content = words.record(static_cast<std::uint64_t>(length) * words.unit());
    if (tag != kFunctionTag || length == 0) continue;
    GcovData::Function function;
    function.ident = content.word();
    content.word();
    function.cfg_checksum = content.word();
    data.functions.push_back(std::move(function));
  }
  if (!words.ok()) return damaged(name, "it is cut off");
  return data;
}

std::optional<GcovFlow> GcovFlow::of(const GcovFunction& function) {
  if (function.blocks < 2) return std::nullopt;
  GcovFlow flow;
  flow.blocks_ = function.blocks;
  std::vector<bool> unknown;
  for (const GcovArc& arc : function.arcs) {
    if (!arc.on_tree) flow.counted_.push_back(static_cast<std::uint32_t>(flow.ways_.size()));
    flow.ways_.push_back({arc.from, arc.to});
    unknown.push_back(arc.on_tree);
  }
  flow.ways_.push_back({kExit, kEntry});
  unknown.push_back(true);

  std::vector<std::vector<std::uint32_t>> at(function.blocks);  // unknown ways of each block
  std::size_t left = 0;
  for (std::uint32_t i = 0; i < flow.ways_.size(); ++i) {
    if (!unknown[i]) continue;
    ++left;
    at[flow.ways_[i].from].push_back(i);
    if (flow.ways_[i].to != flow.ways_[i].from) at[flow.ways_[i].to].push_back(i);
  }
  std::vector<std::uint32_t> ready;
  for (std::uint32_t block = 0; block < function.blocks; ++block) {
    if (at[block].size() == 1) ready.push_back(block);
  }
  while (!ready.empty()) {
    const std::uint32_t block = ready.back();
    ready.pop_back();
    if (at[block].size() != 1) continue;
    const std::uint32_t way = at[block].front();
    if (flow.ways_[way].from == flow.ways_[way].to) return std::nullopt;
    flow.steps_.push_back({way, block});
    --left;
    for (std::uint32_t end : {flow.ways_[way].from, flow.ways_[way].to}) {
      std::erase(at[end], way);
      if (at[end].size() == 1) ready.push_back(end);
    }
  }
  if (left != 0) return std::nullopt;
  return flow;
}

std::vector<bool> GcovFlow::blocks_run(std::span<const std::uint64_t> counters) const {
  std::vector<std::uint64_t> in(blocks_), out(blocks_);  // modulo 2^64: some are negative
  const auto add = [&](std::uint32_t way, std::uint64_t count) {
    out[ways_[way].from] += count;
    in[ways_[way].to] += count;
  };
  for (std::size_t i = 0; i < counted_.size(); ++i) {
    add(counted_[i], counters[i]);
  }
  for (const Step& step : steps_) {
    const std::uint64_t missing = in[step.block] - out[step.block];
    add(step.way, ways_[step.way].from == step.block ? missing : 0 - missing);
  }
  std::vector<bool> run(blocks_);
  for (std::uint32_t block = 0; block < blocks_; ++block) {
    run[block] = static_cast<std::int64_t>(in[block]) > 0;
  }
  return run;
}

}  // namespace gordian

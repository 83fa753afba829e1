// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "batch/identity.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>

#include "base/unique_fd.h"

extern char** environ;

namespace gordian::batch {
namespace {

struct ProcessFacts {
  std::string name;
  pid_t parent = 0;
  std::uint64_t start = 0;
};

template <class Number>
bool read_number(std::string_view text, Number& number) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

/// Field `index` of /proc/PID/stat, counted from 0 behind the name.
std::string_view word(std::string_view text, int index) {
  for (int i = 0; i < index; ++i) {
    std::size_t space = text.find(' ');
    if (space == std::string_view::npos) return {};
    text.remove_prefix(space + 1);
  }
  return text.substr(0, text.find(' '));
}

std::optional<ProcessFacts> facts_of(pid_t pid) {
  UniqueFd fd(::open(("/proc/" + std::to_string(pid) + "/stat").c_str(), O_RDONLY | O_CLOEXEC));
  char buffer[1024];
  ssize_t size = fd.valid() ? ::read(fd.get(), buffer, sizeof buffer) : -1;
  if (size <= 0) return std::nullopt;
  std::string_view text(buffer, static_cast<std::size_t>(size));
  std::size_t open = text.find('('), close = text.rfind(')');  // the name may hold either
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
    return std::nullopt;
  }
  ProcessFacts facts;
  facts.name = text.substr(open + 1, close - open - 1);
  std::string_view rest = text.substr(std::min(close + 2, text.size()));
  if (!read_number(word(rest, 1), facts.parent) || !read_number(word(rest, 19), facts.start)) {
    return std::nullopt;
  }
  return facts;
}

void add(std::string& text, std::string_view label, std::string_view value) {
  text.append(label).push_back('\0');
  text.append(value).push_back('\0');
}

std::string processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return {};
  return std::string(reinterpret_cast<const char*>(&set), sizeof set);
}

std::vector<std::string_view> environment() {
  std::vector<std::string_view> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) entries.emplace_back(*entry);
  std::sort(entries.begin(), entries.end());
  return entries;
}

}  // namespace

std::string ProcessName::text() const {
  return std::to_string(pid) + ":" + std::to_string(start);
}

Result<ProcessName> ProcessName::parse(const std::string& text) {
  ProcessName name;
  std::size_t colon = text.find(':');
  std::string_view all = text;
  if (colon == std::string::npos || !read_number(all.substr(0, colon), name.pid) ||
      !read_number(all.substr(colon + 1), name.start) || name.pid <= 0) {
    return usage_error("'" + text + "' does not name a process", "write PID:START");
  }
  return name;
}

ProcessName find_ctest() {
  constexpr int kMostAncestors = 16;  // launchers and shells between us and ctest
  ProcessName parent;
  pid_t pid = ::getppid();
  for (int i = 0; i < kMostAncestors && pid > 1; ++i) {
    auto facts = facts_of(pid);
    if (!facts) break;
    if (i == 0) parent = {pid, facts->start};
    if (facts->name.starts_with("ctest")) return {pid, facts->start};
    pid = facts->parent;
  }
  if (parent.pid == 0) parent.pid = ::getppid();
  return parent;
}

bool is_alive(const ProcessName& process) {
  auto facts = facts_of(process.pid);
  return facts && facts->start == process.start;
}

Result<std::string> file_stamp(const std::string& binary) {
  struct stat file {};
  if (::stat(binary.c_str(), &file) != 0) {
    return target_error(binary + ": " + std::strerror(errno), "build it first");
  }
  return std::to_string(file.st_dev) + ":" + std::to_string(file.st_ino) + ":" +
         std::to_string(file.st_size) + ":" + std::to_string(file.st_mtim.tv_sec) + "." +
         std::to_string(file.st_mtim.tv_nsec);
}

Result<std::string> identity_text(const Batch& batch) {
  auto stamp = file_stamp(batch.binary);
  if (!stamp) return stamp.error();
  char directory[4096];
  if (::getcwd(directory, sizeof directory) == nullptr) {
    return target_error(std::string("the working directory: ") + std::strerror(errno));
  }
  std::string text;
  add(text, "gordian", GORDIAN_VERSION);
  add(text, "ctest", batch.ctest.text());
  add(text, "binary", batch.binary);
  add(text, "file", *stamp);
  add(text, "directory", directory);
  add(text, "processors", processors());
  for (const std::string& option : batch.options) add(text, "option", option);
  for (const std::string& arg : batch.args) add(text, "argument", arg);
  for (std::string_view entry : environment()) add(text, "environment", entry);
  return text;
}

std::string socket_name(const std::string& identity, const ProcessName& ctest) {
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a: it needs to spread, not to be safe
  for (char c : identity) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  constexpr char kDigits[] = "0123456789abcdef";
  std::string name = std::to_string(ctest.pid) + "-";
  for (int shift = 60; shift >= 0; shift -= 4) name += kDigits[(hash >> shift) & 15];
  return name + ".sock";
}

}  // namespace gordian::batch

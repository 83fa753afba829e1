// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "app/gdb_script.h"

#include <fmt/format.h>

#include <charconv>

#include "report/text.h"

namespace gordian {
namespace {

constexpr std::string_view kHits = "breakpoint already hit ";

/// gdb reads \ as the start of an escape, in echo and in quoted names.
std::string escaped(std::string_view text) {
  std::string out;
  for (char c : sanitize_line(text)) {
    if (c == '\\' || c == '"') out += '\\';
    out += c;
  }
  return out;
}

std::string condition(const GdbStop& stop, std::uint64_t position_address) {
  if (!stop.position) return {};
  return fmt::format("*(unsigned int *) {:#x} == {}", position_address, *stop.position);
}

/// GoogleTest reports everything through one function; its second argument tells failures (1, 2)
/// from successes and skips.
std::string failure_condition(const std::string& position) {
#ifdef __x86_64__
  const std::string is_failure = "((int) $rsi == 1 || (int) $rsi == 2)";
  return position.empty() ? is_failure : position + " && " + is_failure;
#else
  return position;
#endif
}

std::string with_condition(std::string command, const std::string& condition) {
  return condition.empty() ? command + "\n" : command + " if " + condition + "\n";
}

std::string break_at(const GdbStop& stop, std::string_view file, const std::string& position) {
  return with_condition(fmt::format("break -source \"{}\" -line {}", escaped(file), stop.line),
                        position);
}

std::string stopping_commands(const GdbStop& stop, const std::string& position) {
  if (stop.at != StopAt::failure) {
    const std::string name = stop.file.substr(stop.file.rfind('/') + 1);  // npos + 1 is 0
    return "if $_isvoid($bpnum)\n  " + break_at(stop, name, position) + "end\n";
  }
  switch (stop.outcome) {
    case OutcomeKind::fail:
      return with_condition("break testing::UnitTest::AddTestPartResult",
                            failure_condition(position));
    case OutcomeKind::exit: {
      std::string commands = "catch syscall exit_group\n";
      if (!position.empty()) commands += "condition $bpnum " + position + "\n";
      return commands;
    }
    default:
      return {};  // a crash stops by itself, a hang when it is interrupted
  }
}

std::string beginning() {
  return "set pagination off\n";
}

}  // namespace

std::optional<StopAt> parse_stop_at(std::string_view word) {
  if (word == "write") return StopAt::write;
  if (word == "read") return StopAt::read;
  if (word == "failure") return StopAt::failure;
  return std::nullopt;
}

std::optional<GdbStop> stop_at_site(const Carrier& carrier, StopAt at,
                                    const std::vector<std::string>& order) {
  const std::optional<Site>& site = at == StopAt::write ? carrier.write : carrier.read;
  if (!site || site->shown >= site->stack.size() || order.empty()) return std::nullopt;
  const StackFrame& frame = site->stack[site->shown];
  if (frame.file.empty() || frame.line <= 0) return std::nullopt;
  GdbStop stop;
  stop.at = at;
  stop.file = frame.file;
  stop.line = frame.line;
  // Reads belong to the last test; a write to the last run of its test before that.
  if (at == StopAt::read) stop.position = order.size() - 1;
  for (std::size_t i = 0; at == StopAt::write && i + 1 < order.size(); ++i) {
    if (order[i] == site->test) stop.position = i;
  }
  return stop;
}

std::string gdb_exact_break(const GdbStop& stop, std::uint64_t position_address) {
  if (stop.at == StopAt::failure) return {};
  std::string command = break_at(stop, stop.file, condition(stop, position_address));
  command.pop_back();
  return command;
}

std::string gdb_script(const GdbStop& stop, std::uint64_t position_address) {
  std::string script = beginning() + stopping_commands(stop, condition(stop, position_address));
  if (stop.skip > 0) script += fmt::format("ignore $bpnum {}\n", stop.skip);
  if (!stop.what.empty()) script += fmt::format("echo {}\\n\n", escaped(stop.what));
  return script + "continue\nset pagination on\n";
}

std::string gdb_counting_script(const GdbStop& stop, std::uint64_t position_address) {
  return beginning() + stopping_commands(stop, condition(stop, position_address)) +
         "ignore $bpnum 2000000000\ncontinue\ninfo breakpoints\n";
}

std::uint64_t parse_gdb_hits(std::string_view output) {
  const std::size_t at = output.rfind(kHits);
  if (at == std::string_view::npos) return 0;
  const std::string_view digits = output.substr(at + kHits.size());
  std::uint64_t hits = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), hits);
  return hits;
}

}  // namespace gordian

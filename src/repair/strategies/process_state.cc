// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Guards for state that is no variable of the program: of the process, its files, its C library.
#include <cctype>

#include "repair/strategies/guard_parts.h"
#include "repair/strategies/source_words.h"

namespace gordian::strategies {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

Guard simple(const char* name, const char* what, const Subject& subject) {
  return {name, "", guard_variable("restore", what), "", "puts " + said(subject) + " back", ""};
}

Guard with(Guard guard, const std::string& arguments, std::vector<std::string> includes = {}) {
  guard.arguments = arguments;
  guard.includes = std::move(includes);
  return guard;
}

Guard of_file(const Subject& subject) {
  Guard guard = simple("ScopedFile", "file", subject);
  guard.arguments = quoted(subject.carrier->name);
  guard.reason = "A directory of its own for each test would keep such files apart altogether.";
  return guard;
}

std::string first_word(const std::string& name) {
  std::size_t end = 0;
  while (end < name.size() && is_word_char(name[end])) ++end;
  return name.substr(0, end);
}

std::string word_with(const std::string& name, std::string_view prefix) {
  const std::size_t at = name.find(prefix);
  return at == std::string::npos ? "" : first_word(name.substr(at));
}

Guards of_signal(const Subject& subject) {
  const std::string& name = subject.carrier->name;
  if (name.find("stack") != std::string::npos) {
    return {{simple("ScopedAlternateStack", "signal_stack", subject)}, ""};
  }
  if (name.find("pending") != std::string::npos) {
    Guard guard = simple("ScopedSignalMask", "signal_mask", subject);
    guard.does = "puts the signal mask back and drops signals that wait";
    return {{std::move(guard)}, ""};
  }
  const std::string signal = word_with(name, "SIG");
  if (signal.empty()) return {{}, "which signal it is is not known"};
  return {{with(simple("ScopedSignal", "signal", subject), signal, {"<csignal>"})}, ""};
}

/// The name that the test itself uses for the descriptor, where it closes or changes it.
std::string descriptor_name(const Scene& scene, const Place& place) {
  if (place.test == nullptr) return "";
  const TextRange& range = place.test->body;
  const std::string& content = scene.content(range.file);
  if (range.end > content.size() || range.begin >= range.end) return "";
  const std::string body = content.substr(range.begin, range.end - range.begin);
  struct Call {
    const char* name;
    std::size_t argument;
  };
  for (const Call call : {Call{"dup2(", 1}, Call{"dup3(", 1}, Call{"close(", 0}, Call{"fcntl(", 0},
                          Call{"lseek(", 0}}) {
    for (std::size_t at = 0; (at = body.find(call.name, at)) != std::string::npos; ++at) {
      if (at > 0 && is_word_char(body[at - 1])) continue;
      const std::size_t open = body.find('(', at), close = closing_bracket(body, open);
      if (close == std::string::npos) continue;
      const auto arguments = split_arguments(body.substr(open + 1, close - open - 1));
      if (arguments.size() <= call.argument) continue;
      const std::string& word = arguments[call.argument];
      const bool name = first_word(word) == word && !word.empty() &&
                        std::isdigit(static_cast<unsigned char>(word[0])) == 0;
      // Declared before the test, and not in it.
      if (name && has_word(content.substr(0, range.begin), word) &&
          body.find(" " + word + " =") == std::string::npos) {
        return word;
      }
    }
  }
  return "";
}

Guards of_descriptor(const Scene& scene, const Subject& subject, const Place& place) {
  const std::string& name = subject.carrier->name;
  const std::size_t digit = name.find_first_of("0123456789");
  if (digit == std::string::npos) return {{}, "the number of the descriptor is not known"};
  const std::string own = descriptor_name(scene, place);
  const std::string number = own.empty() ? first_word(name.substr(digit)) : own;
  return {{with(simple("ScopedDescriptor", "descriptor", subject), number)}, ""};
}

Guards of_timer(const Subject& subject) {
  const std::string timer = word_with(subject.carrier->name, "ITIMER_");
  if (timer.empty()) {
    return {{}, "a POSIX timer can be deleted only by the code that made it"};
  }
  return {{with(simple("ScopedTimer", "timer", subject), timer, {"<sys/time.h>"})}, ""};
}

Guards of_limit(const Subject& subject) {
  const std::string limit = word_with(subject.carrier->name, "RLIMIT_");
  if (limit.empty()) return {{}, "which limit it is is not known"};
  Guard guard = with(simple("ScopedRlimit", "limit", subject), limit, {"<sys/resource.h>"});
  if (subject.carrier->name.find("hard") != std::string::npos) {
    guard.reason = "Raising a hard limit again needs privileges.";
  }
  return {{std::move(guard)}, ""};
}

/// Flags are of three types; which one is not always known.
std::string flag_type(const Subject& subject, const std::string& expression) {
  const std::string& type = subject.carrier->type;
  if (type.find("string") != std::string::npos) return "std::string";
  return type == "bool" || type == "int" ? type : "decltype(" + expression + ")";
}

/// "gmock_verbose" -> testing::GMOCK_FLAG(verbose).
Guards of_flag(const Scene& scene, const Subject& subject, const Place& place) {
  const std::string& name = subject.carrier->name;
  const std::size_t at =
      name.find("gtest_") != std::string::npos ? name.find("gtest_") : name.find("gmock_");
  if (at == std::string::npos) return {{}, said(subject) + " cannot be reached from a test"};
  const bool mock = name.compare(at, 5, "gmock") == 0;
  const std::string macro = mock ? "GMOCK_FLAG" : "GTEST_FLAG";
  const std::string option = first_word(name.substr(at + 6));
  Reach way;
  way.expression = "testing::" + macro + "(" + option + ")";
  Guard guard = guard_on("ScopedRestore", way, way.expression, flag_type(subject, way.expression));
  guard.variable = guard_variable("restore", option);
  guard.does = "puts " + said(subject) + " back";
  // A test's own file knows its framework; a new one has to be told.
  if (scene.content(place.file).empty()) {
    guard.includes.push_back(mock ? "<gmock/gmock.h>" : "<gtest/gtest.h>");
  }
  return {{std::move(guard)}, ""};
}

Guards of_library(const Subject& subject) {
  const std::string& name = subject.carrier->name;
  if (name.find("locale") != std::string::npos) {
    return {{simple("ScopedGlobalLocale", "global_locale", subject)}, ""};
  }
  if (name.find("rand") != std::string::npos && name.find("48") == std::string::npos) {
    Guard guard = simple("ScopedRandom", "random", subject);
    guard.variable = "own_random";
    guard.does = "uses a random sequence of its own";
    guard.meanwhile = true;
    return {{std::move(guard)}, ""};
  }
  return {{}, "the C library has no way to put " + name + " back"};
}

Guards of_process(const Subject& subject) {
  const std::string& name = subject.carrier->name;
  if (name == "name") return {{simple("ScopedThreadName", "name", subject)}, ""};
  if (name.find("nice") != std::string::npos || name.find("priority") != std::string::npos) {
    return {{simple("ScopedPriority", "priority", subject)}, ""};
  }
  if (name.find("personality") != std::string::npos) {
    return {{simple("ScopedPersonality", "personality", subject)}, ""};
  }
  return {{}, "no guard can put back this attribute of the process: " + name};
}

/// std::cout and its kind, whose state is their format.
Guards of_stream(const Subject& subject) {
  const std::string name = said_name(subject.carrier->name);
  for (const std::string stream : {"std::cout", "std::cerr", "std::clog", "std::cin", "std::wcout",
                                   "std::wcerr", "std::wclog", "std::wcin"}) {
    const bool fits = name.starts_with(stream) &&
                      (name.size() == stream.size() || !is_word_char(name[stream.size()]));
    if (fits && stream.find("::w") == std::string::npos) {
      Guard guard = simple("ScopedStreamState", "format", subject);
      guard.does = "puts the format of " + stream + " back";
      return {{with(std::move(guard), stream, {"<iostream>"})}, ""};
    }
  }
  return {{}, said(subject) + " is a variable, no state of the process"};
}

}  // namespace

Guards process_guards(const Scene& scene, const Subject& subject, const Place& place) {
  const Carrier& carrier = *subject.carrier;
  switch (carrier.kind) {
    case CarrierKind::environment: {
      Guard guard = simple("ScopedEnv", "environment", subject);
      return {{with(std::move(guard), quoted(carrier.name))}, ""};
    }
    case CarrierKind::cwd:
      return {{simple("ScopedCwd", "directory", subject)}, ""};
    case CarrierKind::umask:
      return {{simple("ScopedUmask", "umask", subject)}, ""};
    case CarrierKind::file:
      return {{of_file(subject)}, ""};
    case CarrierKind::locale:
      return {{simple("ScopedLocale", "locale", subject)}, ""};
    case CarrierKind::signal:
      return of_signal(subject);
    case CarrierKind::signal_mask:
      return {{simple("ScopedSignalMask", "signal_mask", subject)}, ""};
    case CarrierKind::descriptor:
      return of_descriptor(scene, subject, place);
    case CarrierKind::limit:
      return of_limit(subject);
    case CarrierKind::timer:
      return of_timer(subject);
    case CarrierKind::fp_mode:
      return {{simple("ScopedRounding", "rounding", subject)}, ""};
    case CarrierKind::libc:
      return of_library(subject);
    case CarrierKind::flag:
      return of_flag(scene, subject, place);
    case CarrierKind::process:
      return of_process(subject);
    case CarrierKind::variable:
    case CarrierKind::thread_local_variable:
    case CarrierKind::heap:
      return of_stream(subject);
    case CarrierKind::thread:
    case CarrierKind::child:
      return {{}, why_no_variable(subject)};
    case CarrierKind::mapping:
      return {{}, "no guard can make a memory mapping as it was: " + carrier.name};
    case CarrierKind::socket:
      return {{}, "what the other end of a connection keeps cannot be put back from here"};
  }
  return {{}, "nothing is known of this kind of state"};
}

}  // namespace gordian::strategies

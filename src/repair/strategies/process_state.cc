// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Guards for state that is no variable of the program: of the process, its files, its C library.
#include <algorithm>
#include <cctype>

#include "frameworks/framework_traits.h"
#include "repair/strategies/guard.h"
#include "repair/strategies/source_words.h"
#include "state/kinds/state_kinds.h"

namespace gordian::strategies {
namespace {

/// The guard that the table of kinds has for the state.
Guards of_table(const Subject& subject) {
  const StateKey& key = subject.carrier->key;
  StateGuard known = guard_of(key);
  if (known.name.empty()) return {{}, std::move(known.why_not)};
  Guard guard{std::move(known.name),
              "",
              guard_variable(known.meanwhile ? "own" : "restore", known.variable),
              std::move(known.argument),
              known.does.empty() ? "puts " + phrase(subject) + " back" : std::move(known.does),
              std::move(known.reason)};
  guard.meanwhile = known.meanwhile;
  if (!known.include.empty()) guard.includes.push_back(std::move(known.include));
  return {{std::move(guard)}, ""};
}

/// The name that the test itself uses for the descriptor, where it closes or changes it.
std::string descriptor_name(const Scene& scene, const Place& place) {
  if (place.test == nullptr) return "";
  const TextRange& range = place.test->body;
  const std::string& content = scene.content(range.file);
  const std::string body = scene.text(range);
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
      const bool name = !word.empty() && std::all_of(word.begin(), word.end(), is_word_char) &&
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
  Guards guards = of_table(subject);
  const std::string own = descriptor_name(scene, place);
  if (!guards.ways.empty() && !own.empty()) guards.ways.front().arguments = own;
  return guards;
}

/// Flags are of three types; which one is not always known.
std::string flag_type(const Subject& subject, const std::string& expression) {
  const std::string& type = subject.carrier->type;
  if (type.find("string") != std::string::npos) return "std::string";
  return type == "bool" || type == "int" ? type : "decltype(" + expression + ")";
}

Guards of_flag(const Scene& scene, const Subject& subject, const Place& place) {
  FrameworkAccess option = access_to_option(subject.carrier->key.name());
  if (option.code.empty()) return {{}, phrase(subject) + " cannot be reached from a test"};
  Reach way;
  way.expression = option.code;
  Guard guard = guard_on("ScopedRestore", way, way.expression, flag_type(subject, way.expression));
  guard.variable = guard_variable("restore", option.name);
  guard.does = "puts " + phrase(subject) + " back";
  // A test's own file knows its framework; a new one has to be told.
  if (scene.content(place.file).empty()) guard.includes.push_back(std::move(option.include));
  return {{std::move(guard)}, ""};
}

/// std::cout and its kind, whose state is their format.
Guards of_stream(const Subject& subject) {
  const std::string name = display_name(subject.carrier->key.name());
  for (const std::string stream : {"std::cout", "std::cerr", "std::clog", "std::cin"}) {
    const bool fits = name.starts_with(stream) &&
                      (name.size() == stream.size() || !is_word_char(name[stream.size()]));
    if (fits) {
      Guard guard{"ScopedStreamState",
                  "",
                  guard_variable("restore", "format"),
                  stream,
                  "puts the format of " + stream + " back",
                  ""};
      guard.includes = {"<iostream>"};
      return {{std::move(guard)}, ""};
    }
  }
  return {{}, phrase(subject) + " is a variable, no state of the process"};
}

}  // namespace

Guards process_guards(const Scene& scene, const Subject& subject, const Place& place) {
  const CarrierKind kind = subject.carrier->key.kind();
  if (is_variable(kind)) return of_stream(subject);
  if (kind == CarrierKind::flag) return of_flag(scene, subject, place);
  if (kind == CarrierKind::descriptor) return of_descriptor(scene, subject, place);
  return of_table(subject);
}

}  // namespace gordian::strategies

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The program's own getter and setter: what the one gives when the test begins is handed to the
// other when it ends. Reaches private state, and objects that cannot be copied, as any user of the
// code does.
#include <algorithm>

#include "repair/function_names.h"
#include "repair/strategies/guard.h"
#include "repair/strategies/source_words.h"

namespace gordian::strategies {
namespace {

constexpr std::size_t kMost = 4;  // more pairs than these are not worth a build each

std::string last_word(const std::string& call) {
  const std::size_t at = call.find_last_of(":.>");
  return at == std::string::npos ? call : call.substr(at + 1);
}

/// With a known member the pairs that bear its name; without one, all. The best first.
std::vector<const PropertyFact*> fitting(const Scene& scene, const Subject& subject) {
  // "s.net.retries" -> "retries": the last member of the path that changed, or the variable itself.
  const std::string changed = plain_name(subject.path.empty() ? subject.state->name : subject.path);
  const auto fit = [&](const PropertyFact* property) {
    return property_fit(last_word(property->set), changed);
  };
  std::vector<const PropertyFact*> found;
  for (const PropertyFact& property : scene.facts().properties) {
    if (property.state != subject.state->name || property.access != Access::open) continue;
    if (!subject.path.empty() && fit(&property) == 0) continue;
    const bool again = std::any_of(found.begin(), found.end(), [&](const PropertyFact* other) {
      return last_word(other->set) == last_word(property.set);
    });
    if (!again) found.push_back(&property);
  }
  std::stable_sort(found.begin(), found.end(),
                   [&](const PropertyFact* a, const PropertyFact* b) { return fit(a) > fit(b); });
  if (found.size() > kMost) found.resize(kMost);
  return found;
}

/// A function of the test's own file needs no header.
bool known_there(const Scene& scene, const PropertyFact& property, const Place& place) {
  return !property.header.empty() || has_word(scene.content(place.file), last_word(property.set));
}

/// Numbers and the like by value: their types are words of the language.
std::string parameter(const std::string& type) {
  const bool plain = type.find_first_of(":<*") == std::string::npos;
  for (const char* word : {"bool", "char", "int", "short", "long", "float", "double", "unsigned"}) {
    if (plain && has_word(type, word)) return type;
  }
  return "const " + type + "&";
}

Guard sets_back(const Scene& scene, const PropertyFact& property, const Place& place) {
  const std::string get = spelled(scene, property.get, place);
  const std::string set = spelled(scene, property.set, place);
  Guard guard;
  guard.name = "ScopedSetter";
  guard.type = plain_type(property.type);
  guard.variable = guard_variable("restore", property_name(last_word(set)));
  const std::string call = "[](" + parameter(guard.type) + " old) { " + set + "(old); }";
  guard.arguments = get + ", " + (property.unmistakable ? set : call);
  guard.does = "gives " + get + " back to " + set + "()";
  guard.reason = "Getter and setter are the code's own: nothing of its insides is touched.";
  need_header(scene, property.header, set, place, guard.includes);
  return guard;
}

}  // namespace

Guards property_guards(const Scene& scene, const Subject& subject, const Place& place) {
  if (std::string why = why_no_variable(subject); !why.empty()) return {{}, std::move(why)};
  Guards guards{{}, "the code has no getter and setter for " + phrase(subject)};
  for (const PropertyFact* property : fitting(scene, subject)) {
    if (known_there(scene, *property, place)) {
      guards.ways.push_back(sets_back(scene, *property, place));
    } else {
      guards.why_not = "no header declares " + last_word(property->set);
    }
  }
  return guards;
}

}  // namespace gordian::strategies

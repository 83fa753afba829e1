// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The program's own way back to the begin, called when the test ends.
#include <set>

#include "frameworks/framework_traits.h"
#include "repair/function_names.h"
#include "repair/strategies/guard.h"
#include "repair/strategies/source_words.h"

namespace gordian::strategies {
namespace {

bool reset_is_known(const Scene& scene, const StateFact& state, const ResetFact& reset,
                    const Place& place) {
  if (!reset.header.empty()) return true;
  return state.file == place.file || state.file.ends_with("/" + file_name_of(place.file)) ||
         has_word(scene.content(place.file), plain_name(reset.call));
}

Guard calls(const Scene& scene, const StateFact& state, const ResetFact& reset,
            const Place& place) {
  Guard guard;
  guard.name = "AtExit";
  const std::string call = spelled(scene, reset.call, place);
  guard.variable = guard_variable("reset", display_name(state.name));
  guard.arguments = "[] { " + call + "; }";
  guard.does = "calls " + call;
  guard.last_choice = reset_score(plain_name(reset.call)) == kEndsScore;
  guard.reason =
      "The code has this way to begin anew; if it has to be called by each user, that may "
      "be a reset that the code itself is missing.";
  need_header(scene, reset.header, call.substr(0, call.find('(')), place, guard.includes);
  return guard;
}

}  // namespace

Guards reset_guards(const Scene& scene, const Subject& subject, const Place& place) {
  Guards guards;
  if (const FrameworkAccess reset = access_to_reset(subject.carrier->key.name());
      !reset.code.empty()) {
    return {{{"AtExit", "", reset.name, "[] { " + reset.code + "; }", "calls " + reset.code,
              reset.reason}},
            ""};
  }
  if (!is_variable(subject.carrier->key.kind())) {
    const Guards process = process_guards(scene, subject, place);
    if (process.ways.empty()) return process;  // the last word on this kind of state
  }
  if (std::string why = why_no_variable(subject); !why.empty()) return {{}, std::move(why)};
  guards.why_not = "the code has no function that resets " + display_name(subject.state->name);
  std::set<std::string> names;  // app::clear() and app::Cache::get().clear() are one thing
  for (const ResetFact& reset : scene.facts().resets) {
    if (reset.state != subject.state->name || names.contains(plain_name(reset.call))) continue;
    if (reset.parameters) {
      guards.why_not = "what may reset " + display_name(reset.state) + " needs arguments";
    } else if (reset.access != Access::open) {
      guards.why_not = "what resets " + display_name(reset.state) + " is private";
    } else if (!reset_is_known(scene, *subject.state, reset, place)) {
      guards.why_not = "no header declares what resets " + display_name(reset.state);
    } else {
      guards.ways.push_back(calls(scene, *subject.state, reset, place));
      names.insert(plain_name(reset.call));
    }
  }
  return guards;
}

}  // namespace gordian::strategies

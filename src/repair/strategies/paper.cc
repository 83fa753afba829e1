// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The repair of "Repairing Test Dependence" (FSE 2016), as it stands there: the victim assigns the
// initial value to the variable before anything else. For primitive types and strings alone.
#include <string_view>

#include "repair/strategies/guard.h"
#include "repair/strategies/offers.h"
#include "repair/strategies/source_words.h"

namespace gordian::strategies {
namespace {

std::string bare(const std::string& written) {
  std::string type = plain_type(written);
  for (const std::string_view word : {"volatile ", "static ", "thread_local ", "constinit "}) {
    if (type.starts_with(word)) type.erase(0, word.size());
  }
  return trimmed(type);
}

/// Types of the paper, in C++ words; another name may hide one of them, as an enum or a typedef.
bool is_primitive_or_string(const std::string& written) {
  const std::string type = bare(written);
  constexpr std::string_view kKnown =
      "|bool|char|signed char|unsigned char|wchar_t|char8_t|char16_t|char32_t|short|"
      "unsigned short|int|unsigned int|unsigned|long|unsigned long|long long|"
      "unsigned long long|float|double|long double|std::string|std::wstring|const char *|"
      "const char*|size_t|std::size_t|";
  if (kKnown.find("|" + type + "|") != std::string_view::npos) return true;
  const bool fixed =
      (type.starts_with("std::") || type.starts_with("int") || type.starts_with("uint")) &&
      type.ends_with("_t");
  return fixed || type.find("basic_string<char") != std::string::npos;
}

bool is_constant(const std::string& text) {
  if (text.empty()) return false;
  if (text == "true" || text == "false" || text == "nullptr") return true;
  if (text.front() == '"' || text.front() == '\'') return past_token(text, 0) == text.size();
  const std::size_t digit = text.find_first_of("0123456789");
  return digit != std::string::npos && digit <= 1 &&
         text.find_first_not_of("0123456789abcdefxABCDEFXuUlLpP'.+-") == std::string::npos;
}

/// "= 5", "{5}", "(5)" -> "5".
std::string initial_text(const std::string& initializer) {
  std::string text = trimmed(initializer);
  if (text.starts_with("=")) text = trimmed(text.substr(1));
  const bool wrapped = text.size() > 1 && ((text.front() == '{' && text.back() == '}') ||
                                           (text.front() == '(' && text.back() == ')'));
  if (wrapped && closing_bracket(text, 0) == text.size() - 1) {
    text = trimmed(text.substr(1, text.size() - 2));
  }
  return text;
}

std::string initial_value(const Subject& subject) {
  const std::string written =
      subject.path.empty() ? initial_text(subject.state->initializer) : std::string();
  if (!written.empty()) return written;
  const auto& old = subject.carrier->old_value;
  return old && is_constant(*old) ? *old : "";
}

/// An empty `line` says why not.
std::string why_not(const Scene& scene, const Subject& subject, const Place& place,
                    std::string& line, Draft& draft) {
  if (subject.state == nullptr) return why_no_variable(subject);
  if (subject.state->is_const) return phrase(subject) + " is a constant";
  const std::string& type = subject.path.empty() ? subject.state->type : subject.carrier->type;
  if (subject.behind_pointer() || !is_primitive_or_string(type)) {
    return phrase(subject) + " is neither a primitive value nor a string";
  }
  const std::string value = initial_value(subject);
  if (value.empty()) return "the initial value of " + phrase(subject) + " is not known as text";
  const Reached reached = reach(scene, *subject.state, place);
  if (reached.ways.empty()) return reached.why_not;
  const Reach& way = reached.ways.front();
  for (const MemberFact& member : subject.state->members) {
    const bool hidden =
        member.access != Access::open && subject.path.starts_with("." + member.name);
    if (hidden) return phrase(subject) + " is private";
  }
  line = with_path(way.expression, subject.path) + " = " + value + ";";
  for (const std::string& include : way.includes) draft.include(place.file, include);
  for (const std::string& declaration : way.scope) draft.before(*place.test, declaration);
  return "";
}

void offer_values(Offers& offers, const std::vector<Subject>& set) {
  const Scene& scene = offers.scene();
  const Place place = scene.place_in(scene.dependence().test);
  Draft draft(scene);
  std::vector<std::string> names;
  for (const Subject& subject : set) {
    std::string line;
    const std::string why = why_not(scene, subject, place, line, draft);
    if (!why.empty()) return offers.no(why);
    draft.first_statement(*place.test, line);
    names.push_back(phrase(subject));
  }
  offers.add(draft, place.name + " begins with the initial value of " + enumeration(names),
             "Other tests that read it can still be hurt, since it stays changed for them.");
}

}  // namespace

void offer_initial_value(Offers& offers) {
  const Scene& scene = offers.scene();
  if (scene.brittle()) {
    return offers.no("a brittle test fails with the initial value: assigning it does not help");
  }
  const std::string why = scene.why_closed(scene.dependence().test);
  if (!why.empty()) return offers.no(why);
  if (scene.sets().empty()) return offers.no("the state that carries the dependence is not known");
  for (const auto& set : scene.sets()) offer_values(offers, set);
}

}  // namespace gordian::strategies

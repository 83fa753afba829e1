// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// No repair: says to the framework that one test needs another. Few have words for that.
#include "base/text.h"
#include "frameworks/framework_traits.h"
#include "repair/strategies/offers.h"
#include "repair/strategies/source_words.h"

namespace gordian::strategies {
namespace {

std::string who_can_be_told() {
  std::vector<std::string> names;
  for (const FrameworkTraits* traits : all_frameworks()) {
    if (traits->needs != nullptr) names.emplace_back(traits->name);
  }
  return alternatives(names);
}

/// The closing parenthesis of the macro, and whether it has decorators already.
bool arguments_end(const std::string& content, const TextRange& macro, std::size_t& close,
                   bool& decorated) {
  const std::size_t open = content.find('(', macro.begin);
  if (open == std::string::npos) return false;
  close = closing_bracket(content, open);
  if (close == std::string::npos) return false;
  const auto arguments =
      split_arguments(std::string_view(content).substr(open + 1, close - open - 1));
  decorated = !arguments.empty() && arguments.back().starts_with("*");
  return true;
}

}  // namespace

void offer_declaration(Offers& offers) {
  const Scene& scene = offers.scene();
  const Suite& suite = scene.task().suite;
  const FrameworkTraits* traits = find_traits(suite.framework());
  if (traits == nullptr || traits->needs == nullptr) {
    return offers.no("within one program only " + who_can_be_told() +
                     " can be told that a test needs another");
  }
  if (!scene.brittle()) {
    return offers.no(
        "a victim cannot be declared: depends_on() only says that a test needs another");
  }
  const TestId test = scene.dependence().test;
  if (const std::string why = scene.why_closed(test); !why.empty()) return offers.no(why);
  const TextRange& macro = scene.fact(test)->macro;
  const std::string& file = macro.file.empty() ? scene.fact(test)->body.file : macro.file;
  std::size_t close = 0;
  bool decorated = false;
  if (!arguments_end(scene.content(file), macro, close, decorated)) {
    return offers.no("the macro of " + scene.title(test) + " could not be read");
  }
  std::string text;
  std::vector<std::string> names;
  for (const TestId on : scene.dependence().by) {
    text += text.empty() && !decorated ? ", *" : " * ";
    text += traits->needs(suite.test(on));
    names.push_back(scene.title(on));
  }
  Draft draft(scene);
  draft.add(Edit{file, close, 0, text});
  offers.add(draft, "declares that " + scene.title(test) + " needs " + enumeration(names),
             "This is no repair: the test still needs the others, but " +
                 std::string(traits->name) +
                 " now knows it, runs them first and skips the test without them.");
}

}  // namespace gordian::strategies

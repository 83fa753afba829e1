// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// One listener around every test, for states that many tests share: in a new file and one line of
// the build, or at the end of a test file where the state can be named only there or the build is
// not known.

#include <algorithm>
#include <string>
#include <vector>

#include "frameworks/framework_traits.h"
#include "repair/strategies/guard.h"
#include "repair/strategies/offers.h"
#include "repair/strategies/source_words.h"

namespace gordian::strategies {
namespace {

// The text of a listener that saves states before each test and puts them back after it, for the
// frameworks that have listeners: see frameworks/framework_traits.h.

struct ListenerText {
  std::vector<std::string> makers;  ///< "std::make_shared<gordian::ScopedRestore<int>>(app::level)"
  std::vector<std::string> scope;   ///< declarations that they need
};

/// Everything behind the includes.
std::string listener_code(const ListenerSource& listener, const ListenerText& text) {
  std::string code;
  for (const std::string& line : text.scope) code += line + "\n";
  if (!text.scope.empty()) code += "\n";
  code +=
      "namespace {\n\nusing Guards = std::vector<std::shared_ptr<void>>;\n\nGuards save() {\n"
      "  Guards guards;\n";
  for (const std::string& maker : text.makers) code += "  guards.push_back(" + maker + ");\n";
  code +=
      "  return guards;\n}\n\n"
      "void put_back(Guards& guards) {\n"
      "  while (!guards.empty()) guards.pop_back();  // the last one first\n}\n";
  return code + listener.code + "\n}  // namespace\n";
}

constexpr const char* kFile = "test_isolation.cc";

struct Shared {
  ListenerText text;
  std::set<std::string> guards, includes;
  std::vector<std::string> put_back;  ///< states, as sentences name them
  std::vector<std::string> besides;   ///< what else is done: "gives level() back to set_level()"
  std::string why_not;                ///< of the first state that was left out
  std::size_t left_out = 0;
};

bool has_listeners(const Scene& scene) {
  const FrameworkTraits* traits = find_traits(scene.task().suite.framework());
  return traits != nullptr && traits->listener != nullptr;
}

/// REQUIRES: it has listeners.
ListenerSource listener_for(const Scene& scene) {
  const Suite& suite = scene.task().suite;
  return traits_of(suite.framework()).listener(suite.framework_version());
}

std::string maker_of(const Guard& guard) {
  return "std::make_shared<" + guard.class_text() + ">(" + guard.arguments + ")";
}

void add(const Scene& scene, const Subject& subject, const std::string& file, Shared& shared) {
  Place place;
  place.file = file;
  std::string why;
  for (const auto way : {restore_guards, process_guards, property_guards, fresh_guards,
                         member_guards, reset_guards}) {
    Guards guards = way(scene, subject, place);
    if (why.empty()) why = guards.why_not;
    if (guards.ways.empty()) continue;
    const Guard& guard = guards.ways.front();
    add_once(shared.text.makers, maker_of(guard));
    for (const std::string& line : guard.scope) add_once(shared.text.scope, line);
    shared.includes.insert(guard.includes.begin(), guard.includes.end());
    shared.guards.insert(guard.parts.begin(), guard.parts.end());
    shared.guards.insert(guard.part());
    const bool sets = guard.name == "ScopedSetter";
    add_once(sets ? shared.besides : shared.put_back, sets ? guard.does : phrase(subject));
    return;
  }
  ++shared.left_out;
  if (shared.why_not.empty()) shared.why_not = why;
}

Shared gather(const std::vector<const Scene*>& scenes, const std::string& file) {
  Shared shared;
  for (const Scene* scene : scenes) {
    if (scene->sets().empty()) continue;
    for (const Subject& subject : scene->sets().front()) add(*scene, subject, file, shared);
  }
  return shared;
}

/// Behind the command that makes the program, or at the end of the build file.
Edit build_edit(const Scene& scene, const std::string& new_file) {
  const StrategyOptions& options = scene.task().options;
  const std::string& content = scene.content(options.build_file);
  const std::string line = "target_sources(" + options.build_target + " PRIVATE " +
                           relative_to(directory_of(options.build_file), new_file) + ")\n";
  const std::size_t begin = std::min(offset_of_line(content, options.build_line), content.size());
  const std::size_t open = content.find('(', begin);
  const std::size_t close = open == std::string::npos ? open : closing_bracket(content, open);
  const bool names_it = close != std::string::npos &&
                        has_word(content.substr(open, close - open), options.build_target);
  if (options.build_line == 0 || !names_it) {
    const std::string gap = content.empty() || content.ends_with("\n") ? "" : "\n";
    return {options.build_file, content.size(), 0, gap + line};
  }
  const std::size_t newline = content.find('\n', close);
  if (newline == std::string::npos) return {options.build_file, content.size(), 0, "\n" + line};
  std::size_t indent = 0;
  while (content[begin + indent] == ' ' || content[begin + indent] == '\t') ++indent;
  return {options.build_file, newline + 1, 0, content.substr(begin, indent) + line};
}

std::string why_no_build(const Scene& scene) {
  const StrategyOptions& options = scene.task().options;
  if (options.build_file.empty() || options.build_target.empty()) {
    return "the build file of the program is not known";
  }
  return scene.why_untouchable(options.build_file);
}

std::string new_file_text(const Scene& scene, const Shared& shared, const std::string& file,
                          const std::string& guards_file) {
  const ListenerSource listener = listener_for(scene);
  std::string text =
      "// Keeps the tests of this program independent of one another: what stands in save() is as\n"
      "// before when a test ends.\n";
  if (!listener.define.empty()) text += listener.define + "\n";
  for (const auto& name : listener.includes) text += "#include " + name + "\n";
  text += "\n";
  std::set<std::string> system = {"<memory>", "<vector>"}, own;
  for (const std::string& include : shared.includes) {
    (include.starts_with("<") ? system : own).insert(include);
  }
  own.insert("\"" + relative_to(directory_of(file), guards_file) + "\"");
  for (const std::string& include : system) text += "#include " + include + "\n";
  text += "\n";
  for (const std::string& include : own) text += "#include " + include + "\n";
  return text + "\n" + listener_code(listener, shared.text);
}

std::string summary(const Shared& shared) {
  std::vector<std::string> does = shared.besides;
  if (!shared.put_back.empty()) {
    does.insert(does.begin(), "puts " + enumeration(shared.put_back) + " back");
  }
  return enumeration(does) + " around every test of the program";
}

constexpr const char* kReason =
    "One place instead of a guard in each test; tests written later are kept apart as well.";

/// One dependence has to be served whole; of several, what can be.
bool serves(const Shared& shared, const std::vector<const Scene*>& scenes) {
  return !shared.text.makers.empty() && (shared.left_out == 0 || scenes.size() > 1);
}

std::string reason(const Shared& shared) {
  if (shared.left_out == 0) return kReason;
  return std::string(kReason) + " Left out: " + shared.why_not + ".";
}

void offer_new_file(Offers& offers, const std::vector<const Scene*>& scenes,
                    const std::string& test_file) {
  const Scene& scene = offers.scene();
  if (const std::string why = why_no_build(scene); !why.empty()) return offers.no(why);
  const std::string file = directory_of(test_file) + "/" + kFile;
  if (scene.task().source.content(file)) {
    return offers.no(file + " is there already");
  }
  const Shared shared = gather(scenes, file);
  if (!serves(shared, scenes)) return offers.no(shared.why_not);
  Draft draft(scene);
  draft.use(file, shared.guards);
  draft.new_file(file, new_file_text(scene, shared, file, draft.guards_file()));
  draft.add(build_edit(scene, file));
  offers.add(draft, summary(shared), reason(shared));
}

/// Listeners may stand behind a macro that has to come before the framework's header.
bool define_before_header(const Scene& scene, const std::string& file,
                          const ListenerSource& listener, Draft& draft) {
  const std::string& content = scene.content(file);
  const bool defined =
      std::any_of(listener.defined_by.begin(), listener.defined_by.end(),
                  [&content](const auto& text) { return content.find(text) != std::string::npos; });
  if (listener.define.empty() || defined) return true;
  const std::size_t include = content.find("#include " + listener.includes.front());
  if (include == std::string::npos) return false;
  draft.add(Edit{file, include, 0, listener.define + "\n"});
  return true;
}

void offer_in_test_file(Offers& offers, const std::vector<const Scene*>& scenes,
                        const std::string& file) {
  const Scene& scene = offers.scene();
  if (scene.content(file).find("class Isolation") != std::string::npos) {
    return offers.no(file + " has a listener of that name already");
  }
  const Shared shared = gather(scenes, file);
  if (!serves(shared, scenes)) return offers.no(shared.why_not);
  Draft draft(scene);
  const ListenerSource listener = listener_for(scene);
  if (!define_before_header(scene, file, listener, draft)) {
    return offers.no(listener.define_reason + ", and " + file +
                     " does not include that header itself");
  }
  draft.use(file, shared.guards);
  for (const std::string& include : shared.includes) draft.include(file, include);
  draft.include(file, "<memory>");
  draft.include(file, "<vector>");
  if (!listener.in_main_header) {
    for (const auto& name : listener.includes) draft.include(file, name);
  }
  const std::string gap = scene.content(file).ends_with("\n") ? "\n" : "\n\n";
  draft.append(file, gap + "// What stands in save() is as before when a test ends.\n" +
                         listener_code(listener, shared.text));
  offers.add(draft, summary(shared), reason(shared));
}

/// Tests that a macro makes have no body in sight, but a file.
std::string file_of(const Scene& scene, TestId test, const TestFact& fact) {
  if (!fact.body.file.empty()) return fact.body.file;
  return fact.macro.file.empty() ? scene.task().suite.test(test).file : fact.macro.file;
}

void offer_for(Offers& offers, const std::vector<const Scene*>& scenes) {
  const Scene& scene = offers.scene();
  if (!has_listeners(scene)) {
    return offers.no(std::string(to_string(scene.task().suite.framework())) +
                     " has no listeners that a patch could add");
  }
  const TestId test =
      scene.dependence().by.empty() ? scene.dependence().test : scene.dependence().by.front();
  const TestFact* fact = scene.fact(test);
  if (fact == nullptr) return offers.no(scene.title(test) + " was not found in the source");
  const std::string file = file_of(scene, test, *fact);
  if (const std::string why = scene.why_untouchable(file); !why.empty()) return offers.no(why);
  const std::size_t beside = gather(scenes, directory_of(file) + "/" + kFile).left_out;
  if (beside <= gather(scenes, file).left_out) offer_new_file(offers, scenes, file);
  if (offers.empty()) offer_in_test_file(offers, scenes, file);
}

}  // namespace

void offer_listener(Offers& offers) {
  const Scene& scene = offers.scene();
  if (scene.brittle()) {
    return offers.no("with every state put back, a brittle test would always fail");
  }
  if (scene.sets().empty()) return offers.no("the state that carries the dependence is not known");
  offer_for(offers, {&scene});
}

void offer_shared_listener(Offers& offers, const std::vector<const Scene*>& scenes) {
  offer_for(offers, scenes);
}

}  // namespace gordian::strategies

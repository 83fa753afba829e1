// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "model/outcome_codec.h"
#include "store/facts_json.h"
#include "store/flow_store.h"
#include "store/words.h"

namespace gordian {
namespace {

using nlohmann::json;

template <class E>
E word_from(const json& value) {
  auto word = parse_stored_word<E>(value.get<std::string>());
  if (!word) refuse(word.error().message);
  return *word;
}

template <class T, class ToJson>
json list_json(const std::vector<T>& values, ToJson to_json) {
  json list = json::array();
  for (const T& value : values) list.push_back(to_json(value));
  return list;
}

json phase_json(const SearchPhase& phase) {
  return {{"algorithm", stored_word(phase.kind)},
          {"orders", phase.orders},
          {"tests_run", phase.tests_run},
          {"found", phase.found},
          {"wall_ns", phase.wall.count()},
          {"finished", phase.finished},
          {"lost", phase.lost}};
}

SearchPhase phase_from(const json& value) {
  SearchPhase phase;
  phase.kind = word_from<PhaseKind>(value.at("algorithm"));
  value.at("orders").get_to(phase.orders);
  value.at("tests_run").get_to(phase.tests_run);
  value.at("found").get_to(phase.found);
  phase.wall = std::chrono::nanoseconds(value.at("wall_ns").get<std::int64_t>());
  value.at("finished").get_to(phase.finished);
  phase.lost = value.value("lost", std::uint64_t{0});  // older searches have none of these
  return phase;
}

json resumed_json(const ResumedFrom& from) {
  return {{"kind", to_string(from.kind)},
          {"age_s", from.age.count()},
          {"pairs_covered", from.pairs_covered},
          {"changed_tests", from.changed_tests},
          {"known", from.known}};
}

ResumedFrom resumed_from(const json& value) {
  ResumedFrom from;
  for (auto kind :
       {ResumedFrom::Kind::continued, ResumedFrom::Kind::finished, ResumedFrom::Kind::rebuilt}) {
    if (to_string(kind) == value.at("kind").get<std::string>()) from.kind = kind;
  }
  from.age = std::chrono::seconds(value.at("age_s").get<std::int64_t>());
  value.at("pairs_covered").get_to(from.pairs_covered);
  value.at("changed_tests").get_to(from.changed_tests);
  value.at("known").get_to(from.known);
  return from;
}

json source_json(FlowSource source) {
  return source == FlowSource::trace;
}

FlowSource source_from(const json& traced) {
  return traced.get<bool>() ? FlowSource::trace : FlowSource::watch;
}

json pruning_json(const PruningFacts& pruning) {
  return {{"traced", source_json(pruning.source)},
          {"needless", pruning.needless},
          {"needed", pruning.needed},
          {"sound", pruning.sound},
          {"misses", pruning.misses},
          {"passes", pruning.passes},
          {"seconds", pruning.seconds},
          {"no_reason", pruning.no_reason}};
}

PruningFacts pruning_from(const json& value) {
  PruningFacts pruning;
  pruning.source = source_from(value.at("traced"));
  value.at("needless").get_to(pruning.needless);
  value.at("needed").get_to(pruning.needed);
  value.at("sound").get_to(pruning.sound);
  value.at("misses").get_to(pruning.misses);
  value.at("passes").get_to(pruning.passes);
  value.at("seconds").get_to(pruning.seconds);
  value.at("no_reason").get_to(pruning.no_reason);
  return pruning;
}

json unseen_json(const UnseenOrder& unseen) {
  return {{"order", numbers_of(unseen.order)}, {"why", unseen.why}};
}

UnseenOrder unseen_from(const json& value, std::size_t tests) {
  return {numbers_from(value.at("order"), tests), value.at("why").get<std::string>()};
}

json explored_json(const SearchFacts& search) {
  return {{"algorithm", search.algorithm},
          {"orders", search.orders},
          {"tests_run", search.tests_run},
          {"wall_ns", search.wall.count()},
          {"budget_ms", search.budget.count()},
          {"out_of_budget", search.out_of_budget},
          {"nothing_searched", search.nothing_searched},
          {"unseen", list_json(search.unseen, unseen_json)},
          {"unseen_total", search.unseen_total},
          {"complete_k", search.complete_k},
          {"pairs_total", search.pairs_total},
          {"pairs_covered", search.pairs_covered},
          {"seed", search.seed},
          {"phases", list_json(search.phases, phase_json)},
          {"resumed", search.resumed ? resumed_json(*search.resumed) : json()},
          {"pruning", search.pruning ? pruning_json(*search.pruning) : json()}};
}

SearchFacts explored_from(const json& value, std::size_t tests) {
  SearchFacts search;
  value.at("algorithm").get_to(search.algorithm);
  value.at("orders").get_to(search.orders);
  value.at("tests_run").get_to(search.tests_run);
  search.wall = std::chrono::nanoseconds(value.at("wall_ns").get<std::int64_t>());
  search.budget = std::chrono::milliseconds(value.at("budget_ms").get<std::int64_t>());
  value.at("out_of_budget").get_to(search.out_of_budget);
  search.nothing_searched = value.value("nothing_searched", false);
  for (const json& one : value.value("unseen", json::array())) {
    search.unseen.push_back(unseen_from(one, tests));
  }
  search.unseen_total = value.value("unseen_total", std::uint64_t{0});
  value.at("complete_k").get_to(search.complete_k);
  value.at("pairs_total").get_to(search.pairs_total);
  value.at("pairs_covered").get_to(search.pairs_covered);
  value.at("seed").get_to(search.seed);
  for (const json& phase : value.at("phases")) search.phases.push_back(phase_from(phase));
  if (!value.at("resumed").is_null()) search.resumed = resumed_from(value.at("resumed"));
  if (!value.at("pruning").is_null()) search.pruning = pruning_from(value.at("pruning"));
  return search;
}

json ignored_json(const IgnoredState& state) {
  return {{"kind", to_string(state.key.kind())},
          {"name", state.key.text()},
          {"rule", state.rule},
          {"reads", state.reads},
          {"writes", state.writes},
          {"in", state.dependences}};
}

IgnoredState ignored_from(const json& value) {
  IgnoredState state;
  state.key = {carrier_kind_from(value.at("kind")), value.at("name").get<std::string>()};
  value.at("rule").get_to(state.rule);
  value.at("reads").get_to(state.reads);
  value.at("writes").get_to(state.writes);
  value.at("in").get_to(state.dependences);
  return state;
}

json refined_flow_json(const FlowFacts& facts) {
  return {{"flow", flow_json(facts.flow)},
          {"traced", source_json(facts.flow.source)},
          {"refinement", refinement_json(record_of(facts))},
          {"backwards", facts.backwards},
          {"ignored", list_json(facts.ignored, ignored_json)},
          {"ignored_dependences", facts.ignored_dependences},
          {"components", facts.components},
          {"from_store", facts.from_store}};
}

FlowFacts refined_flow_from(const json& value, std::size_t tests) {
  FlowFacts facts;
  facts.flow = flow_from(value.at("flow"), tests);
  facts.flow.source = source_from(value.at("traced"));
  apply(refinement_from(value.at("refinement"), tests), facts);
  value.at("backwards").get_to(facts.backwards);
  for (const json& state : value.at("ignored")) facts.ignored.push_back(ignored_from(state));
  value.at("ignored_dependences").get_to(facts.ignored_dependences);
  value.at("components").get_to(facts.components);
  value.at("from_store").get_to(facts.from_store);
  return facts;
}

json declared_json(const DeclaredDependence& declared) {
  return {{"test", declared.test.value()},
          {"on", numbers_of(declared.on)},
          {"expected", to_json(declared.expected)},
          {"without", to_json(declared.without)},
          {"needed", declared.needed}};
}

DeclaredDependence declared_from(const json& value, std::size_t tests) {
  DeclaredDependence declared;
  declared.test = test_id_from(value.at("test"), tests);
  declared.on = numbers_from(value.at("on"), tests);
  declared.expected = outcome_from(value.at("expected"));
  declared.without = outcome_from(value.at("without"));
  value.at("needed").get_to(declared.needed);
  return declared;
}

json numbered_dependence_json(const Dependence& dependence) {
  json value = to_json(dependence);
  value["id"] = dependence.id.value();
  return value;
}

}  // namespace

json search_facts_json(const DetectFacts& facts) {
  auto left_out_json = [](const LeftOutTest& out) {
    return json::object({{"test", out.test.value()}, {"why", out.why}});
  };
  auto notice_json = [](const Notice& notice) {
    return json::object({{"level", stored_word(notice.level)}, {"text", notice.text}});
  };
  return {{"target", target_json(facts.target)},
          {"isolation", stored_word(facts.isolation)},
          {"private_fs", facts.private_fs},
          {"search", explored_json(facts.search)},
          {"dependences", list_json(facts.dependences, numbered_dependence_json)},
          {"nondeterministic",
           list_json(facts.nondeterministic,
                     [](const NondeterministicTest& test) { return to_json(test); })},
          {"declared", list_json(facts.declared, declared_json)},
          {"left_out", list_json(facts.left_out, left_out_json)},
          {"flows", list_json(facts.flows, refined_flow_json)},
          {"notices", list_json(facts.notices, notice_json)},
          {"end", stored_word(facts.end)}};
}

void search_facts_from(const json& value, DetectFacts& facts) {
  const std::size_t tests = facts.suite.size();
  facts.target = target_from(value.at("target"));
  facts.isolation = word_from<Isolation>(value.at("isolation"));
  value.at("private_fs").get_to(facts.private_fs);
  facts.search = explored_from(value.at("search"), tests);
  for (const json& one : value.at("dependences")) {
    facts.dependences.push_back(dependence_from(one, tests));
    facts.dependences.back().id = DependenceId{one.at("id").get<int>()};
  }
  for (const json& one : value.at("nondeterministic")) {
    facts.nondeterministic.push_back(nondeterministic_from(one, tests));
  }
  for (const json& one : value.at("declared")) {
    facts.declared.push_back(declared_from(one, tests));
  }
  for (const json& one : value.at("left_out")) {
    facts.left_out.push_back({test_id_from(one.at("test"), tests), one.at("why")});
  }
  for (const json& one : value.at("flows")) facts.flows.push_back(refined_flow_from(one, tests));
  for (const json& one : value.at("notices")) {
    facts.notices.push_back({word_from<Notice::Level>(one.at("level")), one.at("text")});
  }
  facts.end = word_from<RunEnd>(value.at("end"));
}

}  // namespace gordian

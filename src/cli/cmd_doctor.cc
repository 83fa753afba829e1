// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <memory>

#include "cli/command.h"
#include "model/target.h"
#include "report/json.h"
#include "report/terminal_style.h"
#include "report/text.h"
#include "runtime/runtime.h"

namespace gordian {
namespace {

struct DoctorCommand {
  std::vector<std::string> targets;
  bool json = false;
};

struct StateLook {
  const char* mark;
  Ink ink;
  const char* word;  ///< in JSON
};

const StateLook& look_of(DoctorFinding::State state) {
  static constexpr StateLook kGood{"  ok   ", Ink::green, "ok"},
      kLimit{"  less ", Ink::yellow, "less"}, kBad{"  no   ", Ink::red, "no"};
  return state == DoctorFinding::State::good    ? kGood
         : state == DoctorFinding::State::limit ? kLimit
                                                : kBad;
}

std::string render(const std::string& title, const std::vector<DoctorFinding>& findings,
                   const Style& style) {
  std::string text = paint(title, Ink::bold, style.color) + "\n";
  for (const DoctorFinding& f : findings) {
    const StateLook& look = look_of(f.state);
    text += paint(look.mark, look.ink, style.color) + f.what + ": " + f.text + "\n";
    if (!f.cost.empty()) text += "         " + f.cost + "\n";
  }
  return text;
}

nlohmann::json to_json(const std::vector<DoctorFinding>& findings) {
  return json_list(findings, [](const DoctorFinding& f) -> nlohmann::json {
    return {{"what", f.what}, {"state", look_of(f.state).word}, {"text", f.text}, {"cost", f.cost}};
  });
}

int doctor(const DoctorCommand& command, const CommonOptions& common) {
  const Style style = describe_terminal(1, common.color_choice()).style;
  std::vector<DoctorFinding> machine;
  for (const Runtime* runtime : runtimes()) {
    std::vector<DoctorFinding> found = runtime->examine_machine();
    std::move(found.begin(), found.end(), std::back_inserter(machine));
  }
  nlohmann::json json = {{"kind", "doctor"}, {"version", 1}, {"machine", to_json(machine)}};
  std::string text = render("This machine", machine, style);
  int code = kExitOk;
  if (!command.targets.empty()) {
    auto selection = resolve_targets(command.targets, common.target_args);
    if (!selection) return report_error(selection.error());
    json["binaries"] = nlohmann::json::array();
    for (const Target& target : selection->targets) {
      auto findings = runtime_of(target).examine(target);
      if (!findings) {
        code = std::max(code, report_error(findings.error()));
        continue;
      }
      text += "\n" + render(target.binary.string(), *findings, style);
      json["binaries"].push_back(
          {{"binary", target.binary.string()}, {"findings", to_json(*findings)}});
    }
  }
  return print_result(command.json ? dump_json(json) : text, code);
}

}  // namespace

std::function<int()> declare_doctor(OptionSet& set, CommonOptions& common) {
  auto command = std::make_shared<DoctorCommand>();
  set.add_option("target", command->targets, "Test binaries, or CMake build directories");
  set.add_flag("--json", command->json, "Write JSON");
  return [command, &common] { return doctor(*command, common); };
}

}  // namespace gordian

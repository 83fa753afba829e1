// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors

#include <nlohmann/json.hpp>

#include <memory>

#include "cli/command.h"
#include "model/target.h"
#include "report/json.h"
#include "report/terminal_style.h"
#include "runtime/native/doctor.h"
#include "runtime/runtime.h"

namespace gordian {
namespace {

struct DoctorCommand {
  std::vector<std::string> targets;
  bool json = false;
};

std::string render(const std::string& title, const std::vector<DoctorFinding>& findings,
                   const Style& style) {
  std::string text = paint(title, Ink::bold, style.color) + "\n";
  for (const DoctorFinding& f : findings) {
    Ink ink = f.state == DoctorFinding::State::good    ? Ink::green
              : f.state == DoctorFinding::State::limit ? Ink::yellow
                                                       : Ink::red;
    const char* mark = f.state == DoctorFinding::State::good    ? "  ok   "
                       : f.state == DoctorFinding::State::limit ? "  less "
                                                                : "  no   ";
    text += paint(mark, ink, style.color) + f.what + ": " + f.text + "\n";
    if (!f.cost.empty()) text += "         " + f.cost + "\n";
  }
  return text;
}

nlohmann::json to_json(const std::vector<DoctorFinding>& findings) {
  auto list = nlohmann::json::array();
  for (const DoctorFinding& f : findings) {
    list.push_back({{"what", f.what},
                    {"state", f.state == DoctorFinding::State::good    ? "ok"
                              : f.state == DoctorFinding::State::limit ? "less"
                                                                       : "no"},
                    {"text", f.text},
                    {"cost", f.cost}});
  }
  return list;
}

int doctor(const DoctorCommand& command, const CommonOptions& common) {
  const Style style = describe_terminal(1, common.color_choice()).style;
  std::vector<DoctorFinding> machine = examine_machine();
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

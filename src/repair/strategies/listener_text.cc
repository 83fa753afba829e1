// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "repair/strategies/listener_text.h"

namespace gordian::strategies {

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

}  // namespace gordian::strategies

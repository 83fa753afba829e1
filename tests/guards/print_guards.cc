// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// print_guards NAME...: the header that a patch with these guards would add. Without names: those
// of all guards and of the parts of ScopedRestore, one to a line.
#include <iostream>
#include <set>

#include "repair/guards.h"

int main(int argc, char** argv) {
  const std::set<std::string> wanted(argv + 1, argv + argc);
  if (!wanted.empty()) {
    std::cout << gordian::guards_header_for(wanted);
    return 0;
  }
  for (const std::string& name : gordian::guards_in(gordian::guards_header())) {
    std::cout << name << "\n";
  }
  return 0;
}

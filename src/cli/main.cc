// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <signal.h>

#include "cli/command.h"

int main(int argc, char** argv) {
  ::signal(SIGCHLD,
           SIG_DFL);  // who ignores it hands that down, and then no child can be waited for
  return gordian::run_cli(argc, argv);
}

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "cli/command.h"

int main(int argc, char** argv) {
  return gordian::run_cli(argc, argv);
}

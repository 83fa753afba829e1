// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
// main() for all suites of cpputest/.
#include <CppUTest/CommandLineTestRunner.h>

int main(int argc, char** argv) {
  return CommandLineTestRunner::RunAllTests(argc, argv);
}

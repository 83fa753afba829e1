// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What the agent knows of test frameworks: one file for each, with one way in. It is called before
// main() and before the program's own constructors, puts its hooks in place with what
// header->hooks says, and returns false when the framework does not look as it must. From then on
// the framework's own run drives the agent:
//   - When registration is complete, list_test() for each test in the default order, then
//     finish_listing(), which ends the process if the engine wanted no more than the list.
//   - When global set-up is done and no test has run: serve(). False: let the framework tear down,
//     running no test. True, perhaps in several processes: take tests by next_test() and
//     take_test() until there is none, then end_plan().
//   - Around each test: test_starts(), report_failure(), body_ends(), test_ends(); suite_starts()
//     and suite_ends() around its suite where the framework has set-up code for suites.
//   - Hooks begin with OurTurn, and leave it by TheirTurn for code of the program.
#pragma once

#include "target/agent/agent.h"
#include "wire/framework.h"

namespace gordian_agent {

bool install_gtest();
bool install_catch2();
bool install_doctest();
bool install_cpputest();
bool install_boost();

struct Installer {
  gordian_wire::Framework framework;
  bool (*install)();
};
static const Installer kInstallers[] = {
    {gordian_wire::Framework::gtest, install_gtest},
    {gordian_wire::Framework::catch2, install_catch2},
    {gordian_wire::Framework::doctest, install_doctest},
    {gordian_wire::Framework::boost, install_boost},
    {gordian_wire::Framework::cpputest, install_cpputest},
};

/// A function, table or variable of the framework, as the engine has found it.
template <class Thing>
Thing hook(uint32_t which) {
  return (Thing)(uintptr_t)header->hooks.entry[which];
}

/// Lets entries of a vtable be replaced. False: the system does not want that.
bool make_writable(const void* table, size_t slots);
/// REQUIRES: make_writable(). `real` becomes what stood there.
template <class Function>
void replace_slot(void* table, int slot, Function* real, Function ours) {
  void** at = (void**)table + slot;
  *real = (Function)*at;
  *at = (void*)ours;
}

}  // namespace gordian_agent

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The table of test frameworks. To add one called NAME:
//   wire/framework.h                        its number
//   wire/hooks.h                            which addresses and numbers its hooks need
//   target/agent/frameworks/NAME_hooks.cc   what the agent does with them
//   target/agent/frameworks/frameworks.h    a row: which function that is
//   frameworks/NAME/traits.cc               everything that framework_traits.h asks
//   frameworks/NAME/symbols.cc              how it shows itself in a file, and where the hooks are
//   frameworks/frameworks.h                 two declarations and a row, here
// Then a suite in zoo/ with its verdicts, and a row in docs/frameworks.md.
// Not asked, but better with it: facts/frameworks.cc, which names tests by Clang's syntax tree.
#pragma once

#include <array>

namespace gordian {

struct FrameworkSymbols;
struct FrameworkTraits;

const FrameworkSymbols& gtest_symbols();
const FrameworkTraits& gtest_traits();
const FrameworkSymbols& catch2_symbols();
const FrameworkTraits& catch2_traits();
const FrameworkSymbols& doctest_symbols();
const FrameworkTraits& doctest_traits();
const FrameworkSymbols& boost_symbols();
const FrameworkTraits& boost_traits();
const FrameworkSymbols& cpputest_symbols();
const FrameworkTraits& cpputest_traits();

struct FrameworkRow {
  const FrameworkTraits& (*traits)();
  const FrameworkSymbols& (*symbols)();
};

/// Programs are looked through in this order.
inline constexpr std::array<FrameworkRow, 5> kFrameworks = {{
    {gtest_traits, gtest_symbols},
    {catch2_traits, catch2_symbols},
    {doctest_traits, doctest_symbols},
    {boost_traits, boost_symbols},
    {cpputest_traits, cpputest_symbols},
}};

}  // namespace gordian

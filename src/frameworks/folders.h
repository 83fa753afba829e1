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
//   frameworks/folders.h                    two declarations and a row, here
// Then a suite in zoo/ with its verdicts, and a row in docs/frameworks.md.
// Not asked, but better with it: facts/frameworks.cc, which names tests by Clang's syntax tree.
#pragma once

#include <array>

namespace gordian {

struct FrameworkKind;
struct FrameworkTraits;

const FrameworkKind& gtest_kind();
const FrameworkTraits& gtest_traits();
const FrameworkKind& catch2_kind();
const FrameworkTraits& catch2_traits();
const FrameworkKind& doctest_kind();
const FrameworkTraits& doctest_traits();
const FrameworkKind& boost_kind();
const FrameworkTraits& boost_traits();
const FrameworkKind& cpputest_kind();
const FrameworkTraits& cpputest_traits();

struct FrameworkFolder {
  const FrameworkTraits& (*traits)();
  const FrameworkKind& (*kind)();
};

/// Programs are looked through in this order.
inline constexpr std::array<FrameworkFolder, 5> kFrameworkFolders = {{
    {gtest_traits, gtest_kind},
    {catch2_traits, catch2_kind},
    {doctest_traits, doctest_kind},
    {boost_traits, boost_kind},
    {cpputest_traits, cpputest_kind},
}};

}  // namespace gordian

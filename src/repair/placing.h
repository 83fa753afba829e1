// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Where and how to put a line into somebody's file so that it looks as if he had written it. Pure
// functions over text with a small lexer that knows comments, strings (raw ones too), preprocessor
// lines and braces; no compiler needed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "repair/change.h"
#include "repair/source_facts.h"

namespace gordian {

/// `text` (no newline at its end, maybe several lines) as the first statement of a body, on
/// lines of its own, indented as the body's other lines are, or else as the file is. `{}` and
/// bodies on one line are opened up. nullopt: `body` is not a pair of braces in this content.
std::optional<Edit> insert_first(const std::string& content, const TextRange& body,
                                 const std::string& text);
/// Likewise first, but behind guards of gordian_guards.h that stand there already: what it does at
/// the end of the test it then does before they put back what they keep.
std::optional<Edit> insert_behind_guards(const std::string& content, const TextRange& body,
                                         const std::string& text);

/// A first data member of a class. `text` without indentation.
std::optional<Edit> insert_member(const std::string& content, const TextRange& class_body,
                                  const std::string& text);

/// `<x>` or `"x"` (`#include` may stand before it) where the file keeps its includes of that kind:
/// sorted among them if they are sorted, behind the last one of its kind else; inside of an include
/// guard, below the file's opening comment. nullopt: it is included already. Only what stands
/// before the first line of code counts, and nothing that is inside of another #if.
std::optional<Edit> insert_include(const std::string& file, const std::string& content,
                                   const std::string& include);

/// Tests that the file spells by itself, with bodies, statements and asserted checks, as far as a
/// lexer can tell: TEST, TEST_F, TEST_P, TYPED_TEST, TYPED_TEST_P, FRIEND_TEST left out; TEST_CASE,
/// SCENARIO, TEST_CASE_METHOD, TEST_CASE_FIXTURE; BOOST_AUTO_TEST_CASE, BOOST_FIXTURE_TEST_CASE;
/// CppUTest's TEST(group, name). may_write, calls, declares and uses stay empty.
std::vector<TestFact> lex_tests(const std::string& file, const std::string& content);
/// Classes by name, with their bodies.
std::vector<FixtureFact> lex_classes(const std::string& file, const std::string& content);

}  // namespace gordian

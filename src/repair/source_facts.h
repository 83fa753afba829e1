// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What a repair knows of the source: states that outlive a test, how code can reach and reset them,
// and where tests and fixtures stand in their files. Two sources give these facts: gordian-facts, a
// Clang tool that reads the project's compile commands, and, without it, debug information and a
// small lexer, which leave more fields empty. Plain values; paths are absolute, offsets bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gordian {

struct TextRange {
  std::string file;
  std::size_t begin = 0, end = 0;  ///< [begin, end)
  int line = 0;                    ///< of begin
};

enum class Access : std::uint8_t { open, guarded, closed };  ///< public or no member at all, ...

enum class Known : std::uint8_t { no, yes, unknown };  ///< unknown: the compiler will tell

struct MemberFact {
  std::string name, type;
  Access access = Access::open;
  Known copyable = Known::unknown;
};

enum class StateKind : std::uint8_t { global, class_static, local_static };

struct StateFact {
  std::string name;        ///< qualified, as explanations name it: "app::Cache::get()::cache"
  std::string expression;  ///< names it from anywhere: "::app::verbosity"; empty: nothing can
  std::string type;        ///< fully qualified, as one can write it at namespace scope
  StateKind kind = StateKind::global;
  bool is_thread_local = false;
  bool internal = false;  ///< static or anonymous namespace: to be named in its own file alone
  bool is_const = false;
  Access access = Access::open;
  std::string owner;  ///< class of a class static, function of a local one
  std::string file;   ///< of the definition
  int line = 0;
  std::string header;               ///< a header that declares it; empty: none does
  std::string initializer;          ///< its text: "2", "{1, 2}", "(3, 'x')"; empty: none
  Known copyable = Known::unknown;  ///< copy construction and assignment; arrays: of an element
  Known default_constructible = Known::unknown;  ///< pointers: of what they point to
  bool shallow = false;  ///< a copy shares what it points to: pointers, string_view, containers
                         ///< of these; not what is const there
  std::string pointee;   ///< raw or smart pointer: to what
  std::vector<MemberFact> members;  ///< of a class type; pointers: of what they point to
};

/// A function or expression that leads to a state from outside.
struct AccessorFact {
  std::string state;       ///< StateFact::name
  std::string expression;  ///< "::app::Cache::get()": a reference; a pointer is dereferenced in it
  Access access = Access::open;
  bool gives_const = false;
  bool gives_pointee = false;  ///< not the state itself, a pointer, but what it points to
  std::string header;          ///< declares it; empty: only its own file knows it
};

/// A function of the program that may bring a state back to its begin.
struct ResetFact {
  std::string state;  ///< StateFact::name
  std::string call;   ///< whole statement without the semicolon: "::app::Cache::get().clear()"
  Access access = Access::open;
  std::string header;
  bool parameters = false;  ///< not callable as it is
};

/// Two functions of the program that read and set a value which is part of a state.
struct PropertyFact {
  std::string state;  ///< StateFact::name
  std::string get;    ///< an expression: "::app::level()", "::app::Cache::get().size()"
  std::string set;    ///< what is called with the value: "::app::set_level"
  std::string type;   ///< of the value, as one can write it at namespace scope
  Access access = Access::open;
  std::string header;
  bool unmistakable = false;  ///< `set` by itself names one function that takes the value alone
};

struct StatementFact {
  TextRange range;                     ///< with its semicolon
  bool assertion = false;              ///< contains a check of the framework
  std::vector<std::string> may_write;  ///< names of states, also through calls
  std::vector<std::string> calls;      ///< setenv, chdir, ...: functions without a body in sight
  std::vector<std::string> declares, uses;  ///< local names
};

struct TestFact {
  std::string suite, name;   ///< as the macro spells them; Catch2, doctest: the title is the name
  std::string fixture;       ///< class; empty: none of the user's
  TextRange macro;           ///< TEST(Suite, Name); its line is what the framework reports
  TextRange body;            ///< from { to }, both in it
  bool spelled = true;       ///< false: a macro of the project makes it, nothing can be inserted
  bool is_template = false;  ///< TYPED_TEST
  std::vector<StatementFact> statements;  ///< of the body itself, in order
};

struct FixtureFact {
  std::string name;                        ///< qualified
  TextRange body;                          ///< of the class, from { to }
  std::vector<std::string> set_up_writes;  ///< states that its constructor or SetUp may write
  bool spelled = true;
};

/// How much of the source was understood.
struct UnitFact {
  std::string file;
  int errors = 0;           ///< of the parser: facts may be missing
  std::string first_error;  ///< "file:line: message"
};

struct SourceFacts {
  std::vector<StateFact> states;
  std::vector<AccessorFact> accessors;
  std::vector<ResetFact> resets;
  std::vector<PropertyFact> properties;
  std::vector<TestFact> tests;
  std::vector<FixtureFact> fixtures;
  std::vector<UnitFact> units;
  bool by_compiler = false;          ///< else by debug information and lexer
  std::vector<std::string> notices;  ///< sentences: why not by the compiler, what is missing

  /// By the name of a carrier, with or without its member path: "*Shared::data_",
  /// "g_settings.net.retries" and "g_seats[3]" are found under what they begin with. Null: unknown.
  const StateFact* state(const std::string& name) const;
  /// By place: file and line as the framework reports them (either may be a suffix path). Compilers
  /// do not agree on the line of a macro that stands on several.
  const TestFact* test_at(const std::string& file, int line) const;
  /// By its qualified name, or by the end of one.
  const FixtureFact* fixture(const std::string& name) const;
};

}  // namespace gordian

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A libFuzzer target: any bytes at all, read as C++ source. Whatever is found lies inside of the
// text, and what is inserted there leaves the rest as it was.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "repair/framework_macros.h"
#include "repair/lexer.h"
#include "repair/placing.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void check_tokens(const std::string& text) {
  std::size_t last = 0;
  for (const gordian::Token& token : gordian::lex(text)) {
    require(token.begin >= last && token.end > token.begin && token.end <= text.size());
    last = token.end;
  }
}

void check_range(const std::string& text, const gordian::TextRange& range) {
  require(range.begin < range.end && range.end <= text.size());
}

/// Not one byte that is no white space gets lost.
void check_edit(const std::string& text, const std::optional<gordian::Edit>& edit) {
  if (!edit) return;
  require(edit->offset <= text.size() && edit->length <= text.size() - edit->offset);
  const std::string gone = text.substr(edit->offset, edit->length);
  const std::size_t first = gone.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return;
  const std::size_t end = gone.find_last_not_of(" \t\r\n") + 1;
  require(edit->text.find(gone.substr(first, end - first)) != std::string::npos);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  check_tokens(text);
  for (const gordian::TestFact& test : gordian::lex_tests("/a", text)) {
    check_range(text, test.macro);
    if (!test.spelled) continue;
    check_range(text, test.body);
    for (const auto& statement : test.statements) check_range(text, statement.range);
    check_edit(text, gordian::insert_first(text, test.body, "G g;"));
  }
  for (const gordian::FixtureFact& known : gordian::lex_classes("/a", text)) {
    check_range(text, known.body);
    check_edit(text, gordian::insert_member(text, known.body, "G g;"));
  }
  check_edit(text, gordian::insert_include("/a", text, "<x>"));
  check_edit(text, gordian::insert_include("/a", text, "\"x.h\""));
  gordian::count_checks(text);
  return 0;
}

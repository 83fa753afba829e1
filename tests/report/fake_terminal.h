// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A terminal made of strings: understands the few codes that we may send, refuses all others, and
// tells what a person would see. Its paper is endless: nothing scrolls away.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "report/text.h"

namespace gordian::testing_support {

class FakeTerminal {
 public:
  explicit FakeTerminal(std::size_t width) : width_(width) {}

  void write(std::string_view bytes) {
    ++writes_;
    while (!bytes.empty()) {
      if (bytes.substr(0, 2) == "\x1b[") {
        bytes.remove_prefix(escape(bytes));
        continue;
      }
      Rune rune = decode_rune(bytes);
      put(bytes.substr(0, rune.bytes), rune);
      bytes.remove_prefix(rune.bytes);
    }
  }

  /// All rows, blanks at their ends removed.
  std::string screen() const {
    std::string out;
    for (const auto& row : rows_) {
      std::string line;
      for (const std::string& cell : row) line += cell;
      line.erase(line.find_last_not_of(' ') + 1);
      out += line + "\n";
    }
    out.erase(out.find_last_not_of('\n') + 1);
    return out.empty() ? out : out + "\n";
  }

  int writes() const { return writes_; }
  bool cursor_at_line_start() const { return column_ == 0; }

 private:
  void put(std::string_view bytes, Rune rune) {
    if (bytes == "\n") {
      ++row_;
      column_ = 0;
    } else if (bytes == "\r") {
      column_ = 0;
    } else if (!rune.valid || rune.code < 0x20 || (rune.code >= 0x7f && rune.code < 0xa0)) {
      ADD_FAILURE() << "raw control or invalid byte " << static_cast<unsigned>(rune.code);
    } else {
      if (column_ == width_) put("\n", {'\n', 1, true});
      cell() = std::string(bytes);
      ++column_;
    }
    grow();
  }

  /// Obeys one escape sequence and tells its length.
  std::size_t escape(std::string_view bytes) {
    std::size_t end = bytes.find_first_not_of("0123456789;", 2);
    std::string number(bytes.substr(2, end == std::string_view::npos ? end : end - 2));
    switch (end == std::string_view::npos ? '\0' : bytes[end]) {
      case 'A':
        row_ -= std::min(row_, number.empty() ? 1U : static_cast<std::size_t>(std::stoi(number)));
        break;
      case 'K':
        if (number == "2") rows_[row_].clear();
        if (rows_[row_].size() > column_) rows_[row_].resize(column_);
        break;
      case 'J':
        rows_[row_].resize(std::min(rows_[row_].size(), column_));
        rows_.resize(row_ + 1);
        break;
      case 'm':
        break;  // colour
      default:
        ADD_FAILURE() << "unexpected escape sequence";
        return 2;
    }
    return end + 1;
  }

  std::string& cell() {
    auto& row = rows_[row_];
    if (row.size() <= column_) row.resize(column_ + 1, " ");
    return row[column_];
  }
  void grow() {
    if (rows_.size() <= row_) rows_.resize(row_ + 1);
  }

  std::size_t width_;
  std::vector<std::vector<std::string>> rows_{1};
  std::size_t row_ = 0, column_ = 0;
  int writes_ = 0;
};

}  // namespace gordian::testing_support

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// How a text is laid out: its lines, its indentation, its newlines.
#pragma once

#include <string>
#include <string_view>

#include "repair/lexer.h"

namespace gordian {

std::size_t line_begin(std::string_view content, std::size_t offset);
/// Before the newline (and the return before it), or the end of the text.
std::size_t line_end(std::string_view content, std::size_t offset);
/// Behind the newline, or the end of the text.
std::size_t next_line(std::string_view content, std::size_t offset);

/// The blanks that the line of this offset begins with.
std::string_view indentation_at(std::string_view content, std::size_t offset);
/// Nothing but blanks stands before it in its line.
bool first_in_line(std::string_view content, std::size_t offset);

/// "\r\n" if most lines end so.
std::string_view newline_of(std::string_view content);

/// What one level of braces adds: "\t", "  ", "    ", ...; two blanks where the file does not tell.
std::string indentation_unit(const Code& code);

/// Each line of `text` with `indentation` before it, but empty ones; lines end as `newline` says,
/// and the last one with none.
std::string indented(std::string_view text, std::string_view indentation, std::string_view newline);

}  // namespace gordian

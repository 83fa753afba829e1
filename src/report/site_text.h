// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Where state was written or read, as text: the line of the program with its neighbours, what it
// called on the way to the access, and who called it.
#pragma once

#include <string>

#include "model/explanation.h"
#include "report/source_lines.h"
#include "report/terminal_style.h"

namespace gordian {

/// Lines that begin with "written" or "read" in a column of `label` columns behind `indent` blanks;
/// the others stand below the text.
std::string written_text(const Site& site, const SourceReader& source, const Style& style,
                         int indent, int label);
std::string read_text(const Site& site, const SourceReader& source, const Style& style, int indent,
                      int label);

}  // namespace gordian

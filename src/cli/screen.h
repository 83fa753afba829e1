// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Where the live displays of all commands draw: standard error, so that reports may go to standard
// output.
#pragma once

#include "report/live_display.h"
#include "report/terminal_style.h"

namespace gordian {

inline constexpr int kScreen = 2;

inline LiveScreenOptions screen_options(const TerminalFacts& terminal) {
  LiveScreenOptions options;
  options.is_tty = terminal.is_tty;
  options.width = terminal.style.width > 0 ? terminal.style.width : 80;
  options.color = terminal.style.color;
  options.unicode = terminal.style.unicode;
  options.measure_width = [] {
    return choose_width(ask_terminal_width(kScreen), process_environment());
  };
  return options;
}

}  // namespace gordian

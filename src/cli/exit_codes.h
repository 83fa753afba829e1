// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The exit codes: public, documented in docs/using.md, never renumbered.
#pragma once

#include "base/result.h"

namespace gordian {

enum ExitCode : int {
  kExitOk = 0,             ///< all as expected
  kExitTestsFailed = 1,    ///< tests failed; dependences were found, not explained or not repaired;
                           ///< nothing was searched
  kExitUsage = 2,          ///< the command line, or a file it names, is wrong
  kExitTarget = 3,         ///< the target could not be run or built
  kExitInternal = 4,       ///< our fault, or the machine's
  kExitInterrupted = 130,  ///< Ctrl-C; results so far are kept
};

inline int exit_code(const Error& error) {
  switch (error.kind) {
    case ErrorKind::usage:
    case ErrorKind::no_match:
      return kExitUsage;
    case ErrorKind::target:
    case ErrorKind::not_a_test:
    case ErrorKind::unhookable:
      return kExitTarget;
    case ErrorKind::interrupted:
      return kExitInterrupted;
    case ErrorKind::internal:
      break;
  }
  return kExitInternal;
}

}  // namespace gordian

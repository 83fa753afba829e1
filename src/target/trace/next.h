// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The function behind one of ours: the one that would have been called without us.
#pragma once

#include <dlfcn.h>

/// GORDIAN_TRACE_NEXT(read)(fd, to, size): looked up at its first use.
#define GORDIAN_TRACE_NEXT(function) GORDIAN_TRACE_NEXT_AS(decltype(&::function), #function)
#define GORDIAN_TRACE_NEXT_AS(Function, name)                               \
  ([] {                                                                     \
    static Function found;                                                  \
    if (!found) found = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name)); \
    return found;                                                           \
  }())

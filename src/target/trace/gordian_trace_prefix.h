/* SPDX-License-Identifier: Apache-2.0
   SPDX-FileCopyrightText: The Gordian authors

   Included before everything else in each traced source (-include; see `gordian cxxflags`). */
#ifndef GORDIAN_TRACE_PREFIX_H
#define GORDIAN_TRACE_PREFIX_H

#if defined(__cplusplus) && defined(__has_include)
#if __has_include(<bits/c++config.h>)
/* std::string and the streams are compiled into libstdc++, where nobody sees what they do. Without
   its promise that they are there, they are compiled here too. The library sets the macro without
   looking whether it is set: that is why it cannot be an option of the compiler. */
#include <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
#endif
#endif

#if defined(__GNUC__) && !defined(__clang__)
/* GCC turns these into instructions behind the pass that would have seen them: call the functions.
 */
#include <string.h>
#define __builtin_memcpy memcpy
#define __builtin_memmove memmove
#define __builtin_memset memset
#define __builtin_memcmp memcmp
#define __builtin_strlen strlen
#define __builtin_strcmp strcmp
#define __builtin_strcpy strcpy
#endif

#endif

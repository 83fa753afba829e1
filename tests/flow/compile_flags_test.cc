// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/traced/compile_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gordian {
namespace {

using ::testing::Contains;
using ::testing::Not;

const TraceFiles kFiles{"/p/prefix.h", "/p/lib.a", "/p/exports.list"};

TEST(CompileFlags, GccCallsWhatItWouldWriteOut) {
  const auto flags = compile_flags(Compiler::gcc, kFiles);
  EXPECT_THAT(flags, Contains("-fno-builtin-memcpy"));
  EXPECT_THAT(flags, Contains("/p/prefix.h"));
  EXPECT_THAT(flags, Not(Contains("-mllvm")));
}

TEST(CompileFlags, ClangTellsTheReadOfAnIncrement) {
  const auto flags = compile_flags(Compiler::clang, kFiles);
  EXPECT_THAT(flags, Contains("-tsan-instrument-read-before-write=1"));
  EXPECT_THAT(flags, Contains("-mprefer-vector-width=128"));
  EXPECT_THAT(flags, Not(Contains("-fno-builtin-memcpy")));
}

TEST(CompileFlags, TheCompilersOwnRuntimeIsNotLinked) {
  EXPECT_EQ(link_flags(kFiles).front(), "-fno-sanitize=thread");
  EXPECT_THAT(link_flags(kFiles), Contains("/p/lib.a"));
  EXPECT_THAT(link_flags(kFiles), Contains("-Wl,--dynamic-list=/p/exports.list"));
}

TEST(CompileFlags, AWordThatIsNoProgram) {
  EXPECT_FALSE(recognise_compiler("/there/is/no/such/compiler"));
}

}  // namespace
}  // namespace gordian

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <gmock/gmock.h>

#include "tests/repair/strategies/story.h"

namespace gordian {
namespace {

using testing::HasSubstr;

/// The file with the guard for a state of this kind, or why there is none.
std::string guarded(CarrierKind kind, const std::string& name, const std::string& body = "") {
  Story story("TEST(A, Reads) {}\n\nTEST(A, Writes) {\n  " + body + "\n}\n");
  story.depends("A.Reads", "A.Writes", name, kind);
  return story.after(Strategy::process);
}

TEST(ProcessStrategy, HasAGuardForEachKind) {
  struct Case {
    CarrierKind kind;
    const char *name, *guard;
  };
  for (const Case& one : {
           Case{CarrierKind::environment, "LANG", "ScopedEnv restore_environment(\"LANG\");"},
           {CarrierKind::cwd, "cwd", "ScopedCwd restore_directory;"},
           {CarrierKind::umask, "umask", "ScopedUmask restore_umask;"},
           {CarrierKind::file, "out.txt", "ScopedFile restore_file(\"out.txt\");"},
           {CarrierKind::signal, "SIGWINCH", "ScopedSignal restore_signal(SIGWINCH);"},
           {CarrierKind::signal, "alternate stack", "ScopedAlternateStack restore_signal_stack;"},
           {CarrierKind::signal_mask, "SIGURG", "ScopedSignalMask restore_signal_mask;"},
           {CarrierKind::limit, "RLIMIT_NOFILE", "ScopedRlimit restore_limit(RLIMIT_NOFILE);"},
           {CarrierKind::sysv, "System V segment 0x60d1a",
            "ScopedSegment restore_segment(0x60d1a);"},
           {CarrierKind::timer, "ITIMER_REAL", "ScopedTimer restore_timer(ITIMER_REAL);"},
           {CarrierKind::fp_mode, "rounding", "ScopedRounding restore_rounding;"},
           {CarrierKind::libc, "rand", "ScopedRandom own_random;"},
           {CarrierKind::libc, "std::locale", "ScopedGlobalLocale restore_global_locale;"},
           {CarrierKind::locale, "LC_ALL", "ScopedLocale restore_locale;"},
           {CarrierKind::process, "name", "ScopedThreadName restore_name;"},
           {CarrierKind::process, "nice", "ScopedPriority restore_priority;"},
           {CarrierKind::variable, "std::cout", "ScopedStreamState restore_format(std::cout);"},
       }) {
    EXPECT_THAT(guarded(one.kind, one.name),
                HasSubstr("TEST(A, Writes) {\n  gordian::" + std::string(one.guard) + "\n"))
        << one.name;
  }
}

TEST(ProcessStrategy, SaysWhatItDoes) {
  const auto summary = [](CarrierKind kind, const std::string& name) {
    Story story("TEST(A, Reads) {}\nTEST(A, Writes) {}\n");
    story.depends("A.Reads", "A.Writes", name, kind);
    return story.summary(Strategy::process);
  };
  EXPECT_EQ(summary(CarrierKind::libc, "rand"),
            "uses a random sequence of its own while A.Writes runs");
  EXPECT_EQ(summary(CarrierKind::process, "nice"), "puts the nice value back when A.Writes ends");
  EXPECT_EQ(summary(CarrierKind::signal, "alternate stack"),
            "puts the alternate signal stack back when A.Writes ends");
}

TEST(ProcessStrategy, TheFirstRungHasTheReasonToo) {
  Story story("TEST(A, Reads) {}\nTEST(A, Writes) {}\n");
  story.depends("A.Reads", "A.Writes", "*g_buffer", CarrierKind::mapping);
  EXPECT_THAT(story.why_not(Strategy::own_reset), HasSubstr("no guard can make a memory mapping"));
}

TEST(ProcessStrategy, BreaksALineThatIsTooLong) {
  Story story("TEST(A, Reads) {}\n\nTEST(A, Writes) {\n  f();\n}\n");
  story.depends("A.Reads", "A.Writes", "gmock_verbose", CarrierKind::flag).type.clear();
  EXPECT_THAT(story.after(Strategy::process),
              HasSubstr("  gordian::ScopedRestore<decltype(testing::GMOCK_FLAG(verbose))> "
                        "restore_verbose(\n      testing::GMOCK_FLAG(verbose));\n  f();\n"));
  story.explanation.carriers[0].type = "std::string";
  EXPECT_THAT(story.after(Strategy::process), HasSubstr("ScopedRestore<std::string> restore_verb"));
}

TEST(ProcessStrategy, BringsTheHeaderOfAConstant) {
  EXPECT_THAT(guarded(CarrierKind::signal, "SIGWINCH"), HasSubstr("#include <csignal>\n"));
  EXPECT_THAT(guarded(CarrierKind::limit, "RLIMIT_NOFILE"),
              HasSubstr("#include <sys/resource.h>\n"));
}

TEST(ProcessStrategy, NamesADescriptorAsTheTestDoes) {
  Story story(
      "static int g_log = 90;\n"
      "TEST(A, Reads) {}\n"
      "TEST(A, Writes) { close(g_log); }\n");
  story.depends("A.Reads", "A.Writes", "descriptor 90", CarrierKind::descriptor);
  EXPECT_THAT(story.after(Strategy::process), HasSubstr("restore_descriptor(g_log);"));
  EXPECT_THAT(guarded(CarrierKind::descriptor, "descriptor 91", "leak();"),
              HasSubstr("restore_descriptor(91);"));
}

TEST(ProcessStrategy, LeavesAlone) {
  EXPECT_THAT(guarded(CarrierKind::thread, "g_level"), HasSubstr("nothing: a thread"));
  EXPECT_THAT(guarded(CarrierKind::child, "child process"), HasSubstr("nothing: a child process"));
  EXPECT_THAT(guarded(CarrierKind::mapping, "*g_buffer"), HasSubstr("nothing: no guard can make"));
  EXPECT_THAT(guarded(CarrierKind::socket, "127.0.0.1:6379"), HasSubstr("nothing: what the other"));
  EXPECT_THAT(guarded(CarrierKind::timer, "POSIX timer"), HasSubstr("nothing: a POSIX timer"));
  EXPECT_THAT(guarded(CarrierKind::sysv, "private System V segment 3"),
              HasSubstr("nothing: a segment without a key"));
  EXPECT_EQ(guarded(CarrierKind::variable, "g_level"),
            "nothing: g_level is a variable, no state of the process");
}

}  // namespace
}  // namespace gordian

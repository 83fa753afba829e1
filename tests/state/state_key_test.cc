// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "state/kinds/state_key.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <set>

#include "state/kinds/state_kinds.h"

namespace gordian {
namespace {

struct Sample {
  const char* word;
  const char* text;  ///< as released versions have written it into databases
  StateKey key;
};

/// At least one of every kind, and one of every form that a text of it has.
const std::vector<Sample>& samples() {
  using K = CarrierKind;
  using Library = LibraryKey::Part;
  using Attribute = AttributeKey::Which;
  static const std::vector<Sample> all = {
      {"variable",
       "Settings::instance()::settings.level_",
       {K::variable, NameKey{"Settings::instance()::settings.level_"}}},
      {"thread_local", "t_depth", {K::thread_local_variable, NameKey{"t_depth"}}},
      {"heap", "g_cache->entries[3]", {K::heap, NameKey{"g_cache->entries[3]"}}},
      {"env", "LANG", {K::environment, NameKey{"LANG"}}},
      {"cwd", "cwd", {K::cwd, SoleKey{}}},
      {"umask", "umask", {K::umask, SoleKey{}}},
      {"file", "/tmp/x.lock", {K::file, FileKey{"/tmp/x.lock"}}},
      {"file", "sub/", {K::file, FileKey{"sub", FileKey::Part::entries}}},
      {"file", "./", {K::file, FileKey{".", FileKey::Part::entries}}},
      {"file", "/", {K::file, FileKey{"/", FileKey::Part::entries}}},
      {"file", "made.txt (attributes)", {K::file, FileKey{"made.txt", FileKey::Part::attributes}}},
      {"locale", "LC_ALL", {K::locale, NameKey{"LC_ALL"}}},
      {"signal", "SIGUSR1", {K::signal, SignalKey{SIGUSR1}}},
      {"signal", "signal 40", {K::signal, SignalKey{40}}},
      {"signal", "pending SIGURG", {K::signal, SignalKey{SIGURG, SignalKey::Part::pending}}},
      {"signal", "alternate stack", {K::signal, SignalKey{0, SignalKey::Part::alternate_stack}}},
      {"signal_mask", "SIGURG", {K::signal_mask, SignalKey{SIGURG, SignalKey::Part::blocked}}},
      {"fd", "descriptor 5", {K::descriptor, DescriptorKey{5}}},
      {"fd",
       "flags of descriptor 12",
       {K::descriptor, DescriptorKey{12, DescriptorKey::Part::flags}}},
      {"fd",
       "offset of descriptor 0",
       {K::descriptor, DescriptorKey{0, DescriptorKey::Part::offset}}},
      {"rlimit", "RLIMIT_NOFILE", {K::limit, LimitKey{RLIMIT_NOFILE}}},
      {"rlimit", "RLIMIT_CORE hard", {K::limit, LimitKey{RLIMIT_CORE, true}}},
      {"timer", "ITIMER_REAL", {K::timer, TimerKey{TimerKey::Clock::real}}},
      {"timer", "ITIMER_PROF", {K::timer, TimerKey{TimerKey::Clock::profile}}},
      {"timer", "POSIX timer", {K::timer, TimerKey{TimerKey::Clock::posix}}},
      {"fpmode", "rounding", {K::fp_mode, FloatKey{}}},
      {"fpmode", "control word", {K::fp_mode, FloatKey{FloatKey::Part::control_word}}},
      {"libc", "rand", {K::libc, LibraryKey{Library::random, {}}}},
      {"libc", "randtbl", {K::libc, LibraryKey{Library::random, "randtbl"}}},
      {"libc",
       "__libc_drand48_data",
       {K::libc, LibraryKey{Library::symbol, "__libc_drand48_data"}}},
      {"libc", "std::locale", {K::libc, LibraryKey{Library::global_locale, {}}}},
      {"libc", "exit handlers", {K::libc, LibraryKey{Library::exit_handlers, {}}}},
      {"libc", "strtok", {K::libc, LibraryKey{Library::tokenizer, {}}}},
      {"libc", "time zone", {K::libc, LibraryKey{Library::time_zone, {}}}},
      {"libc", "getopt", {K::libc, LibraryKey{Library::options, {}}}},
      {"libc", "state of libm.so.6", {K::libc, LibraryKey{Library::module, "libm.so.6"}}},
      {"flag", "gtest_repeat", {K::flag, NameKey{"gtest_repeat"}}},
      {"thread", "threads", {K::thread, SoleKey{}}},
      {"child", "child process", {K::child, SoleKey{}}},
      {"process", "name", {K::process, AttributeKey{Attribute::name}}},
      {"process", "nice", {K::process, AttributeKey{Attribute::nice}}},
      {"process", "personality", {K::process, AttributeKey{Attribute::personality}}},
      {"process", "locked memory", {K::process, AttributeKey{Attribute::locked_memory}}},
      {"mapping", "*g_buffer", {K::mapping, NameKey{"*g_buffer"}}},
      {"sysv", "System V segment 0x60d1a", {K::sysv, SegmentKey{0x60d1a}}},
      {"sysv", "private System V segment 7", {K::sysv, SegmentKey{0, 7}}},
      {"socket", "127.0.0.1:6379", {K::socket, NameKey{"127.0.0.1:6379"}}},
  };
  return all;
}

TEST(StateKeys, HaveTheTextsThatDatabasesHave) {
  for (const Sample& sample : samples()) {
    EXPECT_EQ(to_string(sample.key.kind()), sample.word) << sample.text;
    EXPECT_EQ(sample.key.text(), sample.text);
  }
}

TEST(StateKeys, AreReadFromTheirTexts) {
  for (const Sample& sample : samples()) {
    EXPECT_TRUE(StateKey(sample.key.kind(), sample.text) == sample.key) << sample.text;
  }
}

TEST(StateKeys, KeepATextThatSaysNothingKnown) {
  for (const StateKindRow& row : state_kinds()) {
    for (const char* text : {"", "something else", "flags of descriptor x", "RLIMIT_NONE hard",
                             "descriptor 99999999999999999999", "descriptor 007", "pending ",
                             "state of ", " (attributes)", "n\x1b[2J"}) {
      EXPECT_EQ(StateKey(row.kind, text).text(), text) << row.word;
    }
  }
}

TEST(StateKeys, OfOneKindDifferByWhatTheyName) {
  std::set<StateKey> keys;
  for (const Sample& sample : samples()) EXPECT_TRUE(keys.insert(sample.key).second) << sample.text;
  EXPECT_EQ(StateKey(CarrierKind::environment, "x").name(), "x");
  EXPECT_EQ(StateKey(CarrierKind::signal, "SIGINT").name(), "");
}

TEST(StateKinds, StandInTheOrderOfTheirEnumerators) {
  std::set<std::string_view> words, nouns;
  std::set<CarrierKind> sampled;
  for (const Sample& sample : samples()) sampled.insert(sample.key.kind());
  for (std::size_t i = 0; i < state_kinds().size(); ++i) {
    const StateKindRow& row = state_kinds()[i];
    EXPECT_EQ(static_cast<std::size_t>(row.kind), i);
    EXPECT_TRUE(words.insert(row.word).second) << row.word;
    EXPECT_TRUE(nouns.insert(row.noun).second) << row.word;
    EXPECT_TRUE(sampled.contains(row.kind)) << "no sample of " << row.word;
  }
}

TEST(StateKinds, HaveAGuardOrAReasonForEveryKey) {
  for (const Sample& sample : samples()) {
    const StateGuard guard = guard_of(sample.key);
    EXPECT_EQ(guard.name.empty(), !guard.why_not.empty()) << sample.text;
    EXPECT_EQ(guard.name.empty(), guard.variable.empty()) << sample.text;
  }
}

}  // namespace
}  // namespace gordian

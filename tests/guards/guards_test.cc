// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// What each guard puts back. In C++11 and without a framework, since the header is meant for any
// project: one program with -DALL, or one for a single guard with -DONLY_<its name>, built with the
// header cut down to it. Prints what does not hold; exit 1 if anything does not.
#include "gordian_guards.h"

// The test's own needs; what the guards need is theirs to include, above.
#include <dirent.h>
#include <fcntl.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <locale>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace {

int failures = 0;

void check(bool holds, const char* what, int line) {
  if (holds) return;
  ++failures;
  std::fprintf(stderr, "guards_test.cc:%d: does not hold: %s\n", line, what);
}
#define CHECK(...) check((__VA_ARGS__), #__VA_ARGS__, __LINE__)

#if defined(ALL) || defined(ONLY_ScopedRestore) || defined(ONLY_ScopedRestoreObject)
struct Settings {
  int level;
  std::string name;
};
Settings settings = {1, "first"};
int* pointer = nullptr;

void test_objects() {
  {
    gordian::ScopedRestore<Settings> settings_back(settings);
    gordian::ScopedRestore<int*> pointer_back(pointer);
    settings.level = 7;
    settings.name = "second";
    pointer = &settings.level;
    {
      gordian::ScopedRestore<int> nested(settings.level);
      settings.level = 9;
    }
    CHECK(settings.level == 7);
  }
  CHECK(settings.level == 1 && settings.name == "first" && pointer == nullptr);
}

#ifdef __cpp_exceptions
void test_thrown() {
  try {
    gordian::ScopedRestore<Settings> settings_back(settings);
    settings.level = 7;
    throw 1;
  } catch (int) {
  }
  CHECK(settings.level == 1);
}
#endif

struct Fixture {  // as a first member
  gordian::ScopedRestore<Settings> back{settings};
  Fixture() { settings.level = 3; }
};

void test_member() {
  { Fixture fixture; }
  CHECK(settings.level == 1);
}
#endif

#if defined(ALL) || defined(ONLY_ScopedRestore) || defined(ONLY_ScopedRestoreArray)
void test_arrays() {
  static int flat[3] = {1, 2, 3};
  static std::string deep[2][2] = {{"a", "b"}, {"c", "d"}};
  static bool flags[2] = {true, false};
  {
    gordian::ScopedRestore<int[3]> flat_back(flat);
    gordian::ScopedRestore<std::string[2][2]> deep_back(deep);
    gordian::ScopedRestore<bool[2]> flags_back(flags);
    flat[2] = 9;
    deep[1][1] = "x";
    deep[0][0].clear();
    flags[0] = false;
  }
  CHECK(flat[2] == 3 && deep[1][1] == "d" && deep[0][0] == "a" && flags[0]);
}
#endif

#if defined(ALL) || defined(ONLY_ScopedRestore) || defined(ONLY_ScopedRestoreAtomic)
void test_atomics() {
  static std::atomic<int> counter(4);
  {
    gordian::ScopedRestore<std::atomic<int>> back(counter);
    ++counter;
  }
  CHECK(counter.load() == 4);
}
#endif

#if defined(ALL) || defined(ONLY_ScopedSetter)
int volume = 3;
int get_volume() {
  return volume;
}
bool set_volume(int value) {  // what it returns does not matter
  volume = value;
  return true;
}

void test_setter() {
  std::string title = "old";
  {
    gordian::ScopedSetter<int> restore_volume(get_volume(), set_volume);
    gordian::ScopedSetter<std::string> restore_title(
        title, [&title](const std::string& old) { title = old + "!"; });
    set_volume(9);
    title = "new";
    CHECK(volume == 9);
  }
  CHECK(volume == 3 && title == "old!");
}
#endif

#if defined(ALL) || defined(ONLY_ScopedFresh) || defined(ONLY_ScopedCopy)
struct Counted {
  static int alive;
  int value;
  explicit Counted(int number) : value(number) { ++alive; }
  Counted(const Counted& other) : value(other.value) { ++alive; }
  Counted& operator=(const Counted&) = default;
  ~Counted() { --alive; }
};
int Counted::alive = 0;
#endif

#if defined(ALL) || defined(ONLY_ScopedFresh)
void test_fresh() {
  std::unique_ptr<Counted> owned(new Counted(1));
  Counted* const original = owned.get();
  Counted* plain = original;
  {
    gordian::ScopedFresh<std::unique_ptr<Counted>> owned_fresh(
        owned, std::unique_ptr<Counted>(new Counted(2)));
    gordian::ScopedFresh<Counted*> plain_fresh(plain, new Counted(3));
    CHECK(owned->value == 2 && plain->value == 3);
    owned.reset();
  }
  CHECK(owned.get() == original && plain == original && Counted::alive == 1);
  {
    gordian::ScopedFresh<Counted*> plain_fresh(plain, new Counted(3));
    delete plain;  // the test's own clean-up
    plain = nullptr;
  }
  CHECK(plain == original && Counted::alive == 1);
}
#endif

#if defined(ALL) || defined(ONLY_ScopedCopy)
void test_copy() {
  std::unique_ptr<Counted> owned(new Counted(1)), none;
  std::shared_ptr<Counted> shared = std::make_shared<Counted>(2);
  Counted* plain = owned.get();
  {
    gordian::ScopedCopy<std::unique_ptr<Counted>> owned_back(owned);
    gordian::ScopedCopy<std::unique_ptr<Counted>> none_back(none);
    gordian::ScopedCopy<std::shared_ptr<Counted>> shared_back(shared);
    gordian::ScopedCopy<Counted*> plain_back(plain);
    CHECK(owned->value == 1 && shared->value == 2 && plain->value == 1);
    owned.reset();
    none.reset(new Counted(5));
    shared->value = 7;
    plain->value = 8;
  }
  CHECK(owned && owned->value == 1 && !none && shared->value == 2 && plain == owned.get());
  CHECK(Counted::alive == 2);
}
#endif

#if defined(ALL) || defined(ONLY_AtExit)
void test_at_exit() {
  std::string order;
  {
    gordian::AtExit second([&] { order += "2"; });
    gordian::AtExit first([&] { order += "1"; });
    CHECK(order.empty());
  }
  CHECK(order == "12");
}
#endif

#if defined(ALL) || defined(ONLY_ScopedEnv) || defined(ONLY_ScopedEnvironment)
std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "(none)" : value;
}
#endif

#if defined(ALL) || defined(ONLY_ScopedEnv)
void test_env() {
  ::setenv("GUARDS_A", "1", 1);
  ::unsetenv("GUARDS_B");
  {
    gordian::ScopedEnv a("GUARDS_A"), b("GUARDS_B"), zone("TZ", "UTC+5");
    ::setenv("GUARDS_A", "2", 1);
    ::setenv("GUARDS_B", "2", 1);
    gordian::ScopedEnv nested("GUARDS_A", nullptr);
    CHECK(variable("GUARDS_A") == "(none)" && variable("TZ") == "UTC+5");
  }
  CHECK(variable("GUARDS_A") == "1" && variable("GUARDS_B") == "(none)");
}
#endif

#if defined(ALL) || defined(ONLY_ScopedEnvironment)
void test_environment() {
  ::setenv("GUARDS_A", "1", 1);
  ::setenv("GUARDS_C", "3", 1);
  ::unsetenv("GUARDS_B");
  const char* const untouched = std::getenv("GUARDS_C");
  {
    gordian::ScopedEnvironment back;
    ::unsetenv("GUARDS_A");
    ::setenv("GUARDS_B", "2=2", 1);
  }
  CHECK(variable("GUARDS_A") == "1" && variable("GUARDS_B") == "(none)");
  CHECK(std::getenv("GUARDS_C") == untouched);
}
#endif

#if defined(ALL) || defined(ONLY_ScopedCwd)
std::string here() {
  char buffer[4096];
  return ::getcwd(buffer, sizeof buffer) != nullptr ? buffer : "(gone)";
}
void test_cwd() {
  const std::string before = here();
  {
    gordian::ScopedCwd back;
    CHECK(::chdir("/") == 0);
  }
  CHECK(here() == before && before != "/");
}
#endif

#if defined(ALL) || defined(ONLY_ScopedFile)
std::string content_of(const char* path) {
  std::ifstream in(path);
  if (!in) return "(none)";
  return std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
}
void write_file(const char* path, const char* text) {
  std::ofstream(path) << text;
}
void test_file() {
  write_file("kept.txt", "old");
  ::chmod("kept.txt", 0440);
  struct stat before, after;
  ::stat("kept.txt", &before);
  ::unlink("new.txt");
  {
    gordian::ScopedFile kept("kept.txt"), made("new.txt"), tree("new_dir"), below("no/such/dir");
    std::remove("kept.txt");
    write_file("kept.txt", "longer than it was");
    ::chmod("kept.txt", 0);
    write_file("new.txt", "x");
    CHECK(::mkdir("new_dir", 0700) == 0 && ::mkdir("new_dir/sub", 0700) == 0);
    write_file("new_dir/sub/file", "x");
    CHECK(::chdir("/") == 0);  // names are those of the begin
    CHECK(::chdir(std::getenv("GUARDS_DIR")) == 0);
  }
  ::stat("kept.txt", &after);
  CHECK(content_of("kept.txt") == "old" && content_of("new.txt") == "(none)");
  CHECK(after.st_mode == before.st_mode && after.st_mtim.tv_sec == before.st_mtim.tv_sec &&
        after.st_mtim.tv_nsec == before.st_mtim.tv_nsec);
  CHECK(::access("new_dir", F_OK) != 0);
  {
    gordian::ScopedFile kept("kept.txt");
    std::remove("kept.txt");
    CHECK(::mkdir("kept.txt", 0700) == 0);
  }
  CHECK(content_of("kept.txt") == "old");
  {
    gordian::ScopedFile kept(std::getenv("GUARDS_DIR"));  // a directory: not touched
  }
  CHECK(content_of("kept.txt") == "old");
}
#endif

#if defined(ALL) || defined(ONLY_ScopedUmask)
void test_umask() {
  ::umask(022);
  {
    gordian::ScopedUmask back;
    ::umask(077);
  }
  CHECK(::umask(022) == 022);
}
#endif

#if defined(ALL) || defined(ONLY_ScopedSegment)
const char* board_text(const char* written) {
  static char text[16];
  const int id = ::shmget(0x60d1c, sizeof text, written != nullptr ? IPC_CREAT | 0600 : 0);
  if (id == -1) return nullptr;
  void* const memory = ::shmat(id, nullptr, 0);
  if (written != nullptr) std::strcpy(static_cast<char*>(memory), written);
  std::memcpy(text, memory, sizeof text);
  ::shmdt(memory);
  return text;
}

void remove_board() {
  ::shmctl(::shmget(0x60d1c, 0, 0), IPC_RMID, nullptr);
}

void test_segment() {
  remove_board();
  {
    gordian::ScopedSegment back(0x60d1c);
    CHECK(std::strcmp(board_text("new"), "new") == 0);
  }
  CHECK(board_text(nullptr) == nullptr);
  board_text("old");
  {
    gordian::ScopedSegment back(0x60d1c);
    board_text("new");
  }
  CHECK(std::strcmp(board_text(nullptr), "old") == 0);
  {
    gordian::ScopedSegment back(0x60d1c);
    remove_board();
  }
  CHECK(std::strcmp(board_text(nullptr), "old") == 0);
  remove_board();
}
#endif

#if defined(ALL) || defined(ONLY_ScopedLocale)
void test_locale() {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  {
    gordian::ScopedLocale back;
    CHECK(std::setlocale(LC_CTYPE, "C.UTF-8") != nullptr);
    CHECK(std::setlocale(LC_ALL, nullptr) != before);
  }
  CHECK(std::setlocale(LC_ALL, nullptr) == before);
}
#endif

#if defined(ALL) || defined(ONLY_ScopedGlobalLocale)
struct Comma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
};
void test_global_locale() {
  std::setlocale(LC_CTYPE, "C.UTF-8");
  const std::string before = std::setlocale(LC_ALL, nullptr);
  {
    gordian::ScopedGlobalLocale back;
#ifdef __GXX_RTTI  // facets of one's own need it
    std::locale::global(std::locale(std::locale(), new Comma));
#endif
    std::setlocale(LC_ALL, "C");
  }
  std::ostringstream out;
  out << 1.5;
  CHECK(out.str() == "1.5");
  CHECK(std::setlocale(LC_ALL, nullptr) == before);
  std::setlocale(LC_ALL, "C");
}
#endif

#if defined(ALL) || defined(ONLY_ScopedSignal) || defined(ONLY_ScopedSignalMask)
void (*handler_of(int signal))(int) {
  struct sigaction now;
  ::sigaction(signal, nullptr, &now);
  return now.sa_handler;
}
#endif

#if defined(ALL) || defined(ONLY_ScopedSignal)
void test_signal() {
  {
    gordian::ScopedSignal back(SIGUSR2), not_allowed(SIGKILL), no_signal(9999);
    std::signal(SIGUSR2, SIG_IGN);
  }
  CHECK(handler_of(SIGUSR2) == SIG_DFL);
}
#endif

#if defined(ALL) || defined(ONLY_ScopedSignalMask)
void test_signal_mask() {
  sigset_t one, now;
  ::sigemptyset(&one);
  ::sigaddset(&one, SIGUSR1);
  {
    gordian::ScopedSignalMask back;
    ::pthread_sigmask(SIG_BLOCK, &one, nullptr);
    ::raise(SIGUSR1);  // delivered, it would end the program
  }
  ::pthread_sigmask(SIG_BLOCK, nullptr, &now);
  CHECK(::sigismember(&now, SIGUSR1) == 0);
  CHECK(handler_of(SIGUSR1) == SIG_DFL);
  ::sigpending(&now);
  CHECK(::sigismember(&now, SIGUSR1) == 0);
}
#endif

#if defined(ALL) || defined(ONLY_ScopedAlternateStack)
void test_alternate_stack() {
  static char space[65536];
  {
    gordian::ScopedAlternateStack back;
    stack_t own = {};
    own.ss_sp = space;
    own.ss_size = sizeof space;
    CHECK(::sigaltstack(&own, nullptr) == 0);
  }
  stack_t now;
  ::sigaltstack(nullptr, &now);
  CHECK(now.ss_flags == SS_DISABLE);
}
#endif

#if defined(ALL) || defined(ONLY_ScopedTimer)
void test_timer() {
  {
    gordian::ScopedTimer back(ITIMER_REAL);
    const struct itimerval later = {{0, 0}, {1000, 0}};
    ::setitimer(ITIMER_REAL, &later, nullptr);
  }
  struct itimerval now;
  ::getitimer(ITIMER_REAL, &now);
  CHECK(now.it_value.tv_sec == 0 && now.it_value.tv_usec == 0);
}
#endif

#if defined(ALL) || defined(ONLY_ScopedRlimit)
void test_rlimit() {
  struct rlimit before, now;
  ::getrlimit(RLIMIT_CORE, &before);
  {
    gordian::ScopedRlimit back(RLIMIT_CORE), none(9999);
    const struct rlimit lower = {before.rlim_cur == 0 ? before.rlim_max : 0, before.rlim_max};
    CHECK(::setrlimit(RLIMIT_CORE, &lower) == 0);
  }
  ::getrlimit(RLIMIT_CORE, &now);
  CHECK(now.rlim_cur == before.rlim_cur);
}
#endif

#if defined(ALL) || defined(ONLY_ScopedRounding)
void test_rounding() {
  {
    gordian::ScopedRounding back;
    std::fesetround(FE_UPWARD);
    std::feraiseexcept(FE_DIVBYZERO);
  }
  CHECK(std::fegetround() == FE_TONEAREST);
  CHECK(std::fetestexcept(FE_DIVBYZERO) == 0);
}
#endif

#if defined(ALL) || defined(ONLY_ScopedStreamState)
void test_stream() {
  std::ostringstream stream;
  std::stringbuf* const buffer = stream.rdbuf();
  {
    gordian::ScopedStreamState back(stream);
    std::stringbuf other;
    static_cast<std::ios&>(stream).rdbuf(&other);
    stream << std::hex << std::boolalpha;
    stream.precision(2);
    stream.fill('*');
    stream.width(9);
    stream.tie(&std::cout);
    stream.setstate(std::ios::failbit);
  }
  CHECK(static_cast<std::ios&>(stream).rdbuf() == buffer && stream.good());
  stream << 255 << ' ' << true << ' ' << 1.23456;
  CHECK(stream.str() == "255 1 1.23456" && stream.tie() == nullptr);
}
#ifdef __cpp_exceptions
void test_stream_exceptions() {
  std::istringstream stream("x");
  stream.setstate(std::ios::failbit);
  {
    gordian::ScopedStreamState back(stream);
    stream.clear();
    stream.exceptions(std::ios::badbit);
  }
  CHECK(stream.fail() && stream.exceptions() == std::ios::goodbit);
  stream.clear();
  stream.exceptions(std::ios::failbit);
  {
    gordian::ScopedStreamState back(stream);
    stream.exceptions(std::ios::goodbit);
    stream.setstate(std::ios::failbit);
  }
  CHECK(stream.good() && stream.exceptions() == std::ios::failbit);
}
#endif
#endif

#if defined(ALL) || defined(ONLY_ScopedDescriptor)
long open_descriptors() {
  long count = 0;
  DIR* const all = ::opendir("/proc/self/fd");
  while (all != nullptr && ::readdir(all) != nullptr) ++count;
  if (all != nullptr) ::closedir(all);
  return count;
}
void test_descriptor() {
  const int file = ::open("descriptor.txt", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  CHECK(::write(file, "0123456789", 10) == 10 && ::lseek(file, 4, SEEK_SET) == 4);
  const long before = open_descriptors();
  {
    gordian::ScopedDescriptor kept(file), closed(77);
    ::close(file);
    CHECK(::open("/dev/null", O_RDONLY) == file);  // low numbers are still the test's
    CHECK(::dup2(file, 77) == 77);
  }
  char byte = 0;
  CHECK(::lseek(file, 0, SEEK_CUR) == 4 && ::read(file, &byte, 1) == 1 && byte == '4');
  CHECK(::fcntl(file, F_GETFD) == FD_CLOEXEC && ::fcntl(77, F_GETFD) < 0);
  {
    gordian::ScopedDescriptor kept(file);
    ::fcntl(file, F_SETFL, O_NONBLOCK);
    ::lseek(file, 9, SEEK_SET);
  }
  CHECK((::fcntl(file, F_GETFL) & O_NONBLOCK) == 0 && ::lseek(file, 0, SEEK_CUR) == 5);
  CHECK(open_descriptors() == before);
  ::close(file);
}
#endif

#if defined(ALL) || defined(ONLY_ScopedRandom)
void test_random() {
  const int first = std::rand(), second = std::rand();  // this program seeds nothing
  {
    gordian::ScopedRandom own;
    CHECK(std::rand() == first && std::rand() == second);
    std::srand(7);
  }
  const int third = std::rand();
  gordian::ScopedRandom own;
  std::rand();
  std::rand();
  CHECK(std::rand() == third);
}
#endif

#if defined(ALL) || defined(ONLY_ScopedPriority)
void test_priority() {
  const int before = ::getpriority(PRIO_PROCESS, 0);
  {
    gordian::ScopedPriority back;
    if (::geteuid() == 0) ::setpriority(PRIO_PROCESS, 0, before < 19 ? before + 1 : before - 1);
  }
  CHECK(::getpriority(PRIO_PROCESS, 0) == before);
}
#endif

#if defined(ALL) || defined(ONLY_ScopedThreadName)
void test_thread_name() {
  char before[16] = {}, now[16] = {};
  ::prctl(PR_GET_NAME, before);
  {
    gordian::ScopedThreadName back;
    ::prctl(PR_SET_NAME, "another");
  }
  ::prctl(PR_GET_NAME, now);
  CHECK(std::strcmp(before, now) == 0 && std::strcmp(now, "another") != 0);
}
#endif

#if defined(ALL) || defined(ONLY_ScopedPersonality)
void test_personality() {
  const int before = ::personality(0xffffffff);
  {
    gordian::ScopedPersonality back;
    ::personality(UNAME26);
  }
  CHECK(::personality(0xffffffff) == before && before != UNAME26);
}
#endif

#if defined(ALL) || defined(ONLY_Expose) || defined(ONLY_ExposeAuto)
class Meter {
 public:
  int count() const { return count_; }
  static int total() { return total_; }

 private:
  struct Hidden {
    int depth = 1;
  };
  int count_ = 3;
  static int total_;
  Hidden hidden_;
};
int Meter::total_ = 5;
#endif

}  // namespace

#if defined(ALL) || defined(ONLY_Expose)
namespace app {
namespace {
GORDIAN_EXPOSE(MeterCount, &Meter::count_, int Meter::*);
GORDIAN_EXPOSE(MeterTotal, &Meter::total_, int*);
void test_expose() {
  Meter meter;
  meter.*expose(MeterCount()) = 4;
  *expose(MeterTotal()) = 6;
  CHECK(meter.count() == 4 && Meter::total() == 6);
}
}  // namespace
}  // namespace app
#endif

#if (defined(ALL) && __cplusplus >= 201703L) || defined(ONLY_ExposeAuto)
GORDIAN_EXPOSE_AUTO(MeterHidden, &Meter::hidden_);
namespace {
void test_expose_auto() {
  Meter meter;
  (meter.*expose(MeterHidden())).depth = 2;
  CHECK((meter.*expose(MeterHidden())).depth == 2);
}
}  // namespace
#endif

int main() {
#if defined(ALL) || defined(ONLY_ScopedRestore) || defined(ONLY_ScopedRestoreObject)
  test_objects();
  test_member();
#ifdef __cpp_exceptions
  test_thrown();
#endif
#endif
#if defined(ALL) || defined(ONLY_ScopedRestore) || defined(ONLY_ScopedRestoreArray)
  test_arrays();
#endif
#if defined(ALL) || defined(ONLY_ScopedRestore) || defined(ONLY_ScopedRestoreAtomic)
  test_atomics();
#endif
#if defined(ALL) || defined(ONLY_ScopedSetter)
  test_setter();
#endif
#if defined(ALL) || defined(ONLY_ScopedFresh)
  test_fresh();
#endif
#if defined(ALL) || defined(ONLY_ScopedCopy)
  test_copy();
#endif
#if defined(ALL) || defined(ONLY_AtExit)
  test_at_exit();
#endif
#if defined(ALL) || defined(ONLY_ScopedEnv)
  test_env();
#endif
#if defined(ALL) || defined(ONLY_ScopedEnvironment)
  test_environment();
#endif
#if defined(ALL) || defined(ONLY_ScopedCwd)
  test_cwd();
#endif
#if defined(ALL) || defined(ONLY_ScopedFile)
  test_file();
#endif
#if defined(ALL) || defined(ONLY_ScopedUmask)
  test_umask();
#endif
#if defined(ALL) || defined(ONLY_ScopedSegment)
  test_segment();
#endif
#if defined(ALL) || defined(ONLY_ScopedLocale)
  test_locale();
#endif
#if defined(ALL) || defined(ONLY_ScopedGlobalLocale)
  test_global_locale();
#endif
#if defined(ALL) || defined(ONLY_ScopedSignal)
  test_signal();
#endif
#if defined(ALL) || defined(ONLY_ScopedSignalMask)
  test_signal_mask();
#endif
#if defined(ALL) || defined(ONLY_ScopedAlternateStack)
  test_alternate_stack();
#endif
#if defined(ALL) || defined(ONLY_ScopedTimer)
  test_timer();
#endif
#if defined(ALL) || defined(ONLY_ScopedRlimit)
  test_rlimit();
#endif
#if defined(ALL) || defined(ONLY_ScopedRounding)
  test_rounding();
#endif
#if defined(ALL) || defined(ONLY_ScopedStreamState)
  test_stream();
#ifdef __cpp_exceptions
  test_stream_exceptions();
#endif
#endif
#if defined(ALL) || defined(ONLY_ScopedDescriptor)
  test_descriptor();
#endif
#if defined(ALL) || defined(ONLY_ScopedRandom)
  test_random();
#endif
#if defined(ALL) || defined(ONLY_ScopedPriority)
  test_priority();
#endif
#if defined(ALL) || defined(ONLY_ScopedThreadName)
  test_thread_name();
#endif
#if defined(ALL) || defined(ONLY_ScopedPersonality)
  test_personality();
#endif
#if defined(ALL) || defined(ONLY_Expose)
  app::test_expose();
#endif
#if (defined(ALL) && __cplusplus >= 201703L) || defined(ONLY_ExposeAuto)
  test_expose_auto();
#endif
  return failures == 0 ? 0 : 1;
}

// SPDX-License-Identifier: MIT-0
// SPDX-FileCopyrightText: The Gordian authors
//
// Guards for tests: each puts back, at the end of its scope, what it found when it was made, so
// that a test leaves nothing behind for the next one. As the first thing of a test's body, or as
// the first member of its fixture. C++11, POSIX; nothing else is needed.
#pragma once

#include <fcntl.h>
#include <ftw.h>
#include <sys/ipc.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <ios>
#include <iterator>
#include <locale>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace gordian {

//@ ScopedRestoreObject <utility>
/// Keeps a copy of an object and assigns it back. A copy of a pointer is a pointer: what it points
/// to is not put back.
template <class T>
class ScopedRestore {
 public:
  explicit ScopedRestore(T& object) : object_(object), saved_(object) {}
  ~ScopedRestore() { object_ = std::move(saved_); }
  ScopedRestore(const ScopedRestore&) = delete;
  ScopedRestore& operator=(const ScopedRestore&) = delete;

 private:
  T& object_;
  T saved_;
};

//@ ScopedRestoreArray ScopedRestoreObject <algorithm> <cstddef> <type_traits> <vector>
/// The same for arrays, of several dimensions too.
template <class T, std::size_t N>
class ScopedRestore<T[N]> {
  using Element = typename std::remove_all_extents<T>::type;

 public:
  explicit ScopedRestore(T (&array)[N])
      : first_(first(array)), saved_(first_, first_ + sizeof(T[N]) / sizeof(Element)) {}
  ~ScopedRestore() { std::copy(saved_.begin(), saved_.end(), first_); }
  ScopedRestore(const ScopedRestore&) = delete;
  ScopedRestore& operator=(const ScopedRestore&) = delete;

 private:
  static Element* first(Element& element) { return &element; }
  template <class U, std::size_t M>
  static Element* first(U (&array)[M]) {
    return first(array[0]);
  }

  Element* first_;
  std::vector<Element> saved_;
};

//@ ScopedRestoreAtomic ScopedRestoreObject <atomic>
/// The same for atomics.
template <class T>
class ScopedRestore<std::atomic<T>> {
 public:
  explicit ScopedRestore(std::atomic<T>& object) : object_(object), saved_(object.load()) {}
  ~ScopedRestore() { object_.store(saved_); }
  ScopedRestore(const ScopedRestore&) = delete;
  ScopedRestore& operator=(const ScopedRestore&) = delete;

 private:
  std::atomic<T>& object_;
  T saved_;
};

//@ ScopedSetter <functional> <utility>
/// Keeps what a getter gives and hands it to the setter.
template <class T>
class ScopedSetter {
 public:
  ScopedSetter(T now, std::function<void(const T&)> set)
      : saved_(std::move(now)), set_(std::move(set)) {}
  ~ScopedSetter() { set_(saved_); }
  ScopedSetter(const ScopedSetter&) = delete;
  ScopedSetter& operator=(const ScopedSetter&) = delete;

 private:
  T saved_;
  std::function<void(const T&)> set_;
};

//@ ScopedFresh <utility>
/// Moves an object aside, puts a fresh one in its place, and moves the old one back. For what can
/// be moved but not copied: unique_ptr, thread, a class with a mutex behind a pointer.
template <class T>
class ScopedFresh {
 public:
  ScopedFresh(T& place, T fresh) : place_(place), saved_(std::move(place)) {
    place_ = std::move(fresh);
  }
  ~ScopedFresh() { place_ = std::move(saved_); }
  ScopedFresh(const ScopedFresh&) = delete;
  ScopedFresh& operator=(const ScopedFresh&) = delete;

 private:
  T& place_;
  T saved_;
};

/// A plain pointer: `fresh` comes from new, and is deleted unless the test has put something else
/// in its place.
template <class T>
class ScopedFresh<T*> {
 public:
  ScopedFresh(T*& place, T* fresh) : place_(place), saved_(place), fresh_(fresh) { place_ = fresh; }
  ~ScopedFresh() {
    if (place_ == fresh_) delete fresh_;
    place_ = saved_;
  }
  ScopedFresh(const ScopedFresh&) = delete;
  ScopedFresh& operator=(const ScopedFresh&) = delete;

 private:
  T*& place_;
  T* saved_;
  T* fresh_;
};

//@ ScopedCopy ScopedFresh <memory> <type_traits>
/// The test works on a copy of what a pointer (plain, unique or shared) points to.
template <class P>
class ScopedCopy {
  using Pointee = typename std::remove_reference<decltype(*std::declval<P&>())>::type;
  static_assert(!std::is_polymorphic<Pointee>::value, "a copy could lose the derived part");

 public:
  explicit ScopedCopy(P& pointer) : fresh_(pointer, pointer ? P(new Pointee(*pointer)) : P()) {}

 private:
  ScopedFresh<P> fresh_;
};

//@ AtExit <functional> <utility>
/// Does something at the end of the scope.
class AtExit {
 public:
  explicit AtExit(std::function<void()> action) : action_(std::move(action)) {}
  ~AtExit() { action_(); }
  AtExit(const AtExit&) = delete;
  AtExit& operator=(const AtExit&) = delete;

 private:
  std::function<void()> action_;
};

//@ ScopedEnv <cstdlib> <ctime> <string>
/// An environment variable; the second form sets it for the time of the scope (nullptr: unsets it).
class ScopedEnv {
 public:
  explicit ScopedEnv(const char* name) : name_(name) {
    const char* value = std::getenv(name);
    there_ = value != nullptr;
    if (there_) value_ = value;
  }
  ScopedEnv(const char* name, const char* value) : ScopedEnv(name) { set(value); }
  ~ScopedEnv() { set(there_ ? value_.c_str() : nullptr); }
  ScopedEnv(const ScopedEnv&) = delete;
  ScopedEnv& operator=(const ScopedEnv&) = delete;

 private:
  void set(const char* value) {
    if (value != nullptr) {
      ::setenv(name_.c_str(), value, 1);
    } else {
      ::unsetenv(name_.c_str());
    }
    if (name_ == "TZ") ::tzset();  // the C library keeps a copy of this one
  }

  std::string name_, value_;
  bool there_ = false;
};

//@ ScopedEnvironment <cstdlib> <map> <string> <unistd.h>
/// All environment variables.
class ScopedEnvironment {
 public:
  ScopedEnvironment() : saved_(all()) {}
  ~ScopedEnvironment() {
    const Variables now = all();
    for (const auto& variable : now) {
      if (saved_.count(variable.first) == 0) ::unsetenv(variable.first.c_str());
    }
    for (const auto& variable : saved_) {
      const auto left = now.find(variable.first);
      if (left != now.end() && left->second == variable.second) continue;
      ::setenv(variable.first.c_str(), variable.second.c_str(), 1);
    }
  }
  ScopedEnvironment(const ScopedEnvironment&) = delete;
  ScopedEnvironment& operator=(const ScopedEnvironment&) = delete;

 private:
  using Variables = std::map<std::string, std::string>;
  static Variables all() {
    Variables variables;
    for (char** each = environ; each != nullptr && *each != nullptr; ++each) {
      const std::string text = *each;
      const std::size_t equals = text.find('=');
      if (equals == 0 || equals == std::string::npos) continue;
      variables.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
    return variables;
  }

  Variables saved_;
};

//@ ScopedCwd <cstdlib> <string> <unistd.h>
/// The working directory.
class ScopedCwd {
 public:
  ScopedCwd() {
    char* now = ::getcwd(nullptr, 0);
    if (now != nullptr) saved_ = now;
    std::free(now);
  }
  ~ScopedCwd() {
    if (!saved_.empty() && ::chdir(saved_.c_str()) != 0) return;  // it is gone: nowhere to go
  }
  ScopedCwd(const ScopedCwd&) = delete;
  ScopedCwd& operator=(const ScopedCwd&) = delete;

 private:
  std::string saved_;
};

//@ ScopedFile <cerrno> <cstdio> <cstdlib> <fcntl.h> <fstream> <ftw.h> <iterator> <string>
//@+ <sys/stat.h> <unistd.h>
/// A regular file with its content, mode and times; or that nothing is there: then whatever the
/// test makes of this name is removed, a directory with all that it holds. Directories, sockets and
/// the like that are there already are left alone.
class ScopedFile {
 public:
  explicit ScopedFile(const std::string& path) : path_(absolute(path)) {
    struct stat info;
    if (::stat(path_.c_str(), &info) != 0) {
      absent_ = errno == ENOENT || errno == ENOTDIR;
    } else if (S_ISREG(info.st_mode)) {
      mode_ = info.st_mode & 07777;
      times_[0] = info.st_atim;
      times_[1] = info.st_mtim;
      regular_ = read(content_);
    }
  }
  ~ScopedFile() {
    if (absent_) remove_all();
    if (regular_) put_back();
  }
  ScopedFile(const ScopedFile&) = delete;
  ScopedFile& operator=(const ScopedFile&) = delete;

 private:
  static std::string absolute(const std::string& path) {
    char* real = ::realpath(path.c_str(), nullptr);
    char* here = real != nullptr || path[0] == '/' ? nullptr : ::getcwd(nullptr, 0);
    std::string result = real != nullptr ? real : path;
    if (here != nullptr) result = std::string(here) + "/" + path;
    std::free(real);
    std::free(here);
    return result;
  }
  bool read(std::string& content) const {
    std::ifstream in(path_, std::ios::binary);
    content.assign(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    return in.good() || in.eof();
  }
  static int remove_one(const char* path, const struct stat*, int, struct FTW*) {
    return std::remove(path);
  }
  void remove_all() const {
    struct stat info;
    if (::lstat(path_.c_str(), &info) != 0) return;
    ::nftw(path_.c_str(), &ScopedFile::remove_one, 16, FTW_DEPTH | FTW_PHYS);
  }
  void put_back() const {
    struct stat info;
    if (::lstat(path_.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) remove_all();
    ::chmod(path_.c_str(), mode_ | S_IRUSR | S_IWUSR);
    std::string now;
    if (!read(now) || now != content_) std::ofstream(path_, std::ios::binary) << content_;
    ::chmod(path_.c_str(), mode_);
    ::utimensat(AT_FDCWD, path_.c_str(), times_, 0);
  }

  std::string path_, content_;
  bool absent_ = false, regular_ = false;
  mode_t mode_ = 0;
  struct timespec times_[2] = {};
};

//@ ScopedUmask <sys/stat.h>
/// The file mode creation mask.
class ScopedUmask {
 public:
  ScopedUmask() : saved_(::umask(0)) { ::umask(saved_); }
  ~ScopedUmask() { ::umask(saved_); }
  ScopedUmask(const ScopedUmask&) = delete;
  ScopedUmask& operator=(const ScopedUmask&) = delete;

 private:
  mode_t saved_;
};

//@ ScopedSegment <cstddef> <cstring> <sys/ipc.h> <sys/shm.h> <vector>
/// The segment of System V shared memory that has this key, with its content; or that there is
/// none.
class ScopedSegment {
 public:
  explicit ScopedSegment(::key_t key) : key_(key), id_(::shmget(key, 0, 0)) {
    if (id_ == -1 || ::shmctl(id_, IPC_STAT, &status_) != 0) return;
    content_.resize(status_.shm_segsz);
    if (!with_memory(id_, SHM_RDONLY, false)) content_.clear();
  }
  ~ScopedSegment() {
    int now = ::shmget(key_, 0, 0);
    if (now != -1 && now != id_) ::shmctl(now, IPC_RMID, nullptr);
    if (id_ == -1 || content_.empty()) return;
    if (now != id_)
      now = ::shmget(key_, content_.size(), (status_.shm_perm.mode & 0777) | IPC_CREAT);
    if (now != -1) with_memory(now, 0, true);
  }
  ScopedSegment(const ScopedSegment&) = delete;
  ScopedSegment& operator=(const ScopedSegment&) = delete;

 private:
  bool with_memory(int id, int flags, bool put_back) {
    void* const memory = ::shmat(id, nullptr, flags);
    if (memory == reinterpret_cast<void*>(-1)) return false;
    if (put_back) {
      std::memcpy(memory, content_.data(), content_.size());
    } else {
      std::memcpy(content_.data(), memory, content_.size());
    }
    ::shmdt(memory);
    return true;
  }

  ::key_t key_;
  int id_;
  struct ::shmid_ds status_ {};
  std::vector<char> content_;
};

//@ ScopedLocale <clocale> <string>
/// The locale of the C library.
class ScopedLocale {
 public:
  ScopedLocale() : saved_(std::setlocale(LC_ALL, nullptr)) {}
  ~ScopedLocale() { std::setlocale(LC_ALL, saved_.c_str()); }
  ScopedLocale(const ScopedLocale&) = delete;
  ScopedLocale& operator=(const ScopedLocale&) = delete;

 private:
  std::string saved_;
};

//@ ScopedGlobalLocale ScopedLocale <locale>
/// The locale of std::locale::global, and with it that of the C library.
class ScopedGlobalLocale {
 public:
  ScopedGlobalLocale() {}
  ~ScopedGlobalLocale() { std::locale::global(saved_); }
  ScopedGlobalLocale(const ScopedGlobalLocale&) = delete;
  ScopedGlobalLocale& operator=(const ScopedGlobalLocale&) = delete;

 private:
  ScopedLocale of_c_;  // put back last: std::locale::global may set it
  std::locale saved_;
};

//@ ScopedSignal <csignal>
/// What a signal does.
class ScopedSignal {
 public:
  explicit ScopedSignal(int signal) : signal_(signal) {
    valid_ = ::sigaction(signal, nullptr, &saved_) == 0;
  }
  ~ScopedSignal() {
    if (valid_) ::sigaction(signal_, &saved_, nullptr);
  }
  ScopedSignal(const ScopedSignal&) = delete;
  ScopedSignal& operator=(const ScopedSignal&) = delete;

 private:
  int signal_;
  bool valid_;
  struct sigaction saved_;
};

//@ ScopedSignalMask <csignal> <ctime>
/// Which signals the thread blocks. One that has come meanwhile and waits is dropped: it would
/// arrive now.
class ScopedSignalMask {
 public:
  ScopedSignalMask() {
    ::pthread_sigmask(SIG_BLOCK, nullptr, &saved_);
    ::sigpending(&waiting_);
  }
  ~ScopedSignalMask() {
    sigset_t waiting;
    ::sigpending(&waiting);
    for (int signal = 1; signal <= SIGRTMAX; ++signal) {
      const bool came = ::sigismember(&waiting, signal) == 1;
      if (came && ::sigismember(&waiting_, signal) != 1) drop(signal);
    }
    ::pthread_sigmask(SIG_SETMASK, &saved_, nullptr);
  }
  ScopedSignalMask(const ScopedSignalMask&) = delete;
  ScopedSignalMask& operator=(const ScopedSignalMask&) = delete;

 private:
  static void drop(int signal) {
    sigset_t one;
    ::sigemptyset(&one);
    ::sigaddset(&one, signal);
    const struct timespec none = {0, 0};
    while (::sigtimedwait(&one, nullptr, &none) > 0) {
    }
  }

  sigset_t saved_, waiting_;
};

//@ ScopedAlternateStack <csignal>
/// The stack for signal handlers.
class ScopedAlternateStack {
 public:
  ScopedAlternateStack() { ::sigaltstack(nullptr, &saved_); }
  ~ScopedAlternateStack() { ::sigaltstack(&saved_, nullptr); }
  ScopedAlternateStack(const ScopedAlternateStack&) = delete;
  ScopedAlternateStack& operator=(const ScopedAlternateStack&) = delete;

 private:
  stack_t saved_;
};

//@ ScopedTimer <sys/time.h>
/// ITIMER_REAL, ITIMER_VIRTUAL or ITIMER_PROF. To be made behind a ScopedSignal, so that the timer
/// stops before its handler goes.
class ScopedTimer {
 public:
  explicit ScopedTimer(int which) : which_(Which(which)) { ::getitimer(which_, &saved_); }
  ~ScopedTimer() { ::setitimer(which_, &saved_, nullptr); }
  ScopedTimer(const ScopedTimer&) = delete;
  ScopedTimer& operator=(const ScopedTimer&) = delete;

 private:
  using Which = decltype(ITIMER_REAL);
  Which which_;
  struct itimerval saved_;
};

//@ ScopedRlimit <sys/resource.h>
/// A limit of the process. A hard limit can be raised again only by who is allowed to.
class ScopedRlimit {
 public:
  explicit ScopedRlimit(int resource) : resource_(resource) {
    valid_ = ::getrlimit(Resource(resource), &saved_) == 0;
  }
  ~ScopedRlimit() {
    if (valid_) ::setrlimit(Resource(resource_), &saved_);
  }
  ScopedRlimit(const ScopedRlimit&) = delete;
  ScopedRlimit& operator=(const ScopedRlimit&) = delete;

 private:
  using Resource = decltype(RLIMIT_NOFILE);
  int resource_;
  bool valid_;
  struct rlimit saved_;
};

//@ ScopedRounding <cfenv>
/// The floating point environment: rounding, exception flags, traps.
class ScopedRounding {
 public:
  ScopedRounding() { std::fegetenv(&saved_); }
  ~ScopedRounding() { std::fesetenv(&saved_); }
  ScopedRounding(const ScopedRounding&) = delete;
  ScopedRounding& operator=(const ScopedRounding&) = delete;

 private:
  std::fenv_t saved_;
};

//@ ScopedStreamState <ios>
/// A stream's flags, precision, width, fill, locale, tie, exceptions, buffer and state.
class ScopedStreamState {
 public:
  explicit ScopedStreamState(std::ios& stream)
      : stream_(stream),
        format_(stream.rdbuf()),
        buffer_(stream.rdbuf()),
        state_(stream.rdstate()) {
    format_.copyfmt(stream);
  }
  ~ScopedStreamState() {
    stream_.exceptions(std::ios::goodbit);
    stream_.rdbuf(buffer_);
    stream_.clear(state_ & ~format_.exceptions());  // nothing is thrown from here
    stream_.copyfmt(format_);
  }
  ScopedStreamState(const ScopedStreamState&) = delete;
  ScopedStreamState& operator=(const ScopedStreamState&) = delete;

 private:
  std::ios& stream_;
  std::ios format_;
  std::streambuf* buffer_;
  std::ios::iostate state_;
};

//@ ScopedDescriptor <fcntl.h> <unistd.h>
/// What a descriptor is open for, with its flags and its offset; or that it is closed.
class ScopedDescriptor {
 public:
  explicit ScopedDescriptor(int descriptor) : descriptor_(descriptor) {
    flags_ = ::fcntl(descriptor, F_GETFD);
    if (flags_ < 0) return;
    status_ = ::fcntl(descriptor, F_GETFL);
    offset_ = ::lseek(descriptor, 0, SEEK_CUR);
    saved_ = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 512);  // out of the way of the test's own
    if (saved_ < 0) saved_ = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  }
  ~ScopedDescriptor() {
    if (flags_ < 0) {
      if (::fcntl(descriptor_, F_GETFD) >= 0) ::close(descriptor_);
    } else if (saved_ >= 0) {
      ::dup2(saved_, descriptor_);
      ::fcntl(descriptor_, F_SETFD, flags_);
      ::fcntl(descriptor_, F_SETFL, status_);
      if (offset_ >= 0) ::lseek(descriptor_, offset_, SEEK_SET);
      ::close(saved_);
    }
  }
  ScopedDescriptor(const ScopedDescriptor&) = delete;
  ScopedDescriptor& operator=(const ScopedDescriptor&) = delete;

 private:
  int descriptor_, flags_ = -1, status_ = 0, saved_ = -1;
  off_t offset_ = -1;
};

//@ ScopedRandom <cstdlib>
/// rand() and random(): the scope has a generator of its own, seeded as that of a fresh program.
class ScopedRandom {
 public:
  explicit ScopedRandom(unsigned seed = 1)
      : saved_(::initstate(seed, reinterpret_cast<char*>(state_), sizeof state_)) {}
  ~ScopedRandom() { ::setstate(saved_); }
  ScopedRandom(const ScopedRandom&) = delete;
  ScopedRandom& operator=(const ScopedRandom&) = delete;

 private:
  long state_[128 / sizeof(long)];  // 128 bytes: as the C library's own
  char* saved_;
};

//@ ScopedPriority <cerrno> <sys/resource.h>
/// The nice value. It can go down again only for who is allowed to lower it.
class ScopedPriority {
 public:
  ScopedPriority() {
    errno = 0;
    saved_ = ::getpriority(PRIO_PROCESS, 0);
    valid_ = errno == 0;
  }
  ~ScopedPriority() {
    if (valid_) ::setpriority(PRIO_PROCESS, 0, saved_);
  }
  ScopedPriority(const ScopedPriority&) = delete;
  ScopedPriority& operator=(const ScopedPriority&) = delete;

 private:
  int saved_;
  bool valid_;
};

//@ ScopedThreadName <sys/prctl.h>
/// The name of the calling thread.
class ScopedThreadName {
 public:
  ScopedThreadName() { ::prctl(PR_GET_NAME, saved_); }
  ~ScopedThreadName() { ::prctl(PR_SET_NAME, saved_); }
  ScopedThreadName(const ScopedThreadName&) = delete;
  ScopedThreadName& operator=(const ScopedThreadName&) = delete;

 private:
  char saved_[16] = {};
};

//@ ScopedPersonality <sys/personality.h>
/// The execution domain of the calling thread.
class ScopedPersonality {
 public:
  ScopedPersonality() : saved_(::personality(0xffffffff)) {}
  ~ScopedPersonality() { ::personality(static_cast<unsigned long>(saved_)); }
  ScopedPersonality(const ScopedPersonality&) = delete;
  ScopedPersonality& operator=(const ScopedPersonality&) = delete;

 private:
  int saved_;
};

//@ end
}  // namespace gordian

//@ Expose
/// Lets a test reach a private member: at namespace scope, GORDIAN_EXPOSE(Count, &Meter::count_,
/// int Meter::*); then meter.*expose(Count()). Of a static member the type is int*, and one reaches
/// it by *expose(Count()).
#define GORDIAN_EXPOSE(tag, member, ...)             \
  struct tag {                                       \
    using Type = __VA_ARGS__;                        \
    friend Type expose(tag);                         \
  };                                                 \
  template <tag::Type pointer>                       \
  struct tag##_exposed {                             \
    friend tag::Type expose(tag) { return pointer; } \
  };                                                 \
  template struct tag##_exposed<member>

//@ ExposeAuto
/// The same without the type, from C++17 on: GORDIAN_EXPOSE_AUTO(Count, &Meter::count_).
#define GORDIAN_EXPOSE_AUTO(tag, ...)           \
  struct tag {                                  \
    friend auto expose(tag);                    \
  };                                            \
  template <auto pointer>                       \
  struct tag##_exposed {                        \
    friend auto expose(tag) { return pointer; } \
  };                                            \
  template struct tag##_exposed<__VA_ARGS__>

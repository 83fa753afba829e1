// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "flow/external/external_recorder.h"

#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <thread>
#include <tuple>
#include <utility>

#include "flow/external/process_record.h"
#include "runtime/native/syscall_watch.h"

// Of Linux 6.6: our answer hands the processor to the caller, and its call to us.
#ifndef SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP
#define SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP (1UL << 0)
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS _IOW('!', 4, std::uint64_t)
#endif

namespace gordian {
namespace {

/// Room for what newer kernels may add to the structure.
union NotificationSpace {
  seccomp_notif notification;
  char room[512];
};

void block_signals() {
  sigset_t all;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

}  // namespace

/// Moments of a call: its thread waits in the kernel; we receive the notification and look at the
/// thread, its memory and files; we answer "go on", and the kernel carries the call out.
class ExternalRecorder::Served {
 public:
  Served(ExternalRecorder& recorder, pid_t pid, UniqueFd listener,
         const gordian_wire::Header& header, const gordian_wire::Report& report)
      : recorder_(recorder),
        listener_(std::move(listener)),
        stop_(::eventfd(0, EFD_CLOEXEC)),
        record_(pid, header, report, recorder.inodes_) {
    // Older kernels refuse the flag and are slower.
    (void)::ioctl(listener_.get(), SECCOMP_IOCTL_NOTIF_SET_FLAGS,
                  SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP);
    thread_ = std::thread([this] { serve(); });
  }
  ~Served() { stop(); }
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;

  void stop() {
    if (!thread_.joinable()) return;
    const std::uint64_t one = 1;
    (void)!::write(stop_.get(), &one, sizeof one);
    thread_.join();
  }
  ProcessRecord& record() { return record_; }

 private:
  void serve();
  void answer_one();

  ExternalRecorder& recorder_;
  UniqueFd listener_, stop_;
  ProcessRecord record_;
  std::thread thread_;
};

void ExternalRecorder::Served::serve() {
  block_signals();
  for (;;) {
    pollfd fds[] = {{listener_.get(), POLLIN, 0}, {stop_.get(), POLLIN, 0}};
    if (::poll(fds, std::size(fds), -1) < 0 && errno != EINTR) return;
    if (fds[0].revents & POLLIN) {
      answer_one();
    } else if (fds[0].revents != 0 || fds[1].revents != 0) {
      return;  // nobody is left who could call, or we are told so
    }
  }
}

void ExternalRecorder::Served::answer_one() {
  NotificationSpace space;
  std::memset(&space, 0, sizeof space);
  if (::ioctl(listener_.get(), SECCOMP_IOCTL_NOTIF_RECV, &space) != 0) return;  // it was killed
  {
    std::lock_guard lock(recorder_.mutex_);
    record_.take(space.notification);
  }
  seccomp_notif_resp answer{space.notification.id, 0, 0, SECCOMP_USER_NOTIF_FLAG_CONTINUE};
  (void)::ioctl(listener_.get(), SECCOMP_IOCTL_NOTIF_SEND, &answer);
}

ExternalRecorder::ExternalRecorder() = default;
ExternalRecorder::~ExternalRecorder() = default;

void ExternalRecorder::started(pid_t pid, UniqueFd listener, const gordian_wire::Header& header,
                               const gordian_wire::Report& report) {
  any_started_ = true;
  served_[pid] = std::make_unique<Served>(*this, pid, std::move(listener), header, report);
}

void ExternalRecorder::ended(pid_t pid) {
  auto found = served_.find(pid);
  if (found == served_.end()) return;
  found->second->stop();
  auto tests = found->second->record().finish();
  std::move(tests.begin(), tests.end(), std::back_inserter(finished_));
  served_.erase(found);
}

void ExternalRecorder::refused(int error) {
  refusal_ = describe_watch_error(error);
}

std::vector<ExternalTest> ExternalRecorder::take() {
  std::lock_guard lock(mutex_);
  for (auto& [pid, served] : served_) {
    auto tests = served->record().finish();
    std::move(tests.begin(), tests.end(), std::back_inserter(finished_));
  }
  auto tests = std::exchange(finished_, {});
  keep_shared(tests);
  std::stable_sort(tests.begin(), tests.end(), [](const ExternalTest& a, const ExternalTest& b) {
    return std::tie(a.runner, a.position) < std::tie(b.runner, b.position);
  });
  return tests;
}

std::vector<std::string> ExternalRecorder::misses() const {
  std::vector<std::string> sentences;
  if (!refusal_.empty()) {
    sentences.push_back("files, directories and sockets were not watched: " + refusal_);
  }
  if (any_started_) {
    sentences.emplace_back(
        "of files, what goes through io_uring, System V IPC or a 32-bit child was not seen, and "
        "times of files count only where a test sets them; of a server, which of its state a test "
        "used");
  }
  return sentences;
}

}  // namespace gordian

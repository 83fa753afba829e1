// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// A machine where somebody else watches already: our own filter is refused there, and the run goes
// on without.
#include <gtest/gtest.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <functional>

#include "flow/external/external_recorder.h"
#include "runtime/native/executor.h"
#include "runtime/native/inspect.h"
#include "runtime/native/syscall_watch.h"
#include "tests/model/scratch_dir.h"

namespace gordian {
namespace {

/// Lets every call go on until nobody is left who could make one.
void let_all_go_on(int listener) {
  for (pollfd waiting{listener, POLLIN, 0}; ::poll(&waiting, 1, -1) > 0;) {
    if (!(waiting.revents & POLLIN)) return;
    seccomp_notif call{};
    if (::ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call) != 0) continue;
    seccomp_notif_resp answer{call.id, 0, 0, SECCOMP_USER_NOTIF_FLAG_CONTINUE};
    ::ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
  }
}

/// The exit code of a child that does this while another watches.
int under_another_watch(const std::function<int()>& deed) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return -1;
  gordian_wire::Header header{};
  const WatchFilter filter(header, ends[1]);
  const pid_t child = ::fork();
  if (child == 0) {
    int listener = filter.install();
    send_listener(ends[1], listener, 0);
    ::close(listener);
    ::_exit(deed());
  }
  ::close(ends[1]);
  SentListener sent = receive_listener(ends[0]);
  ::close(ends[0]);
  let_all_go_on(sent.listener.get());
  int status = -1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

class RefusedWatch : public ScratchDir {
 protected:
  void SetUp() override {
    if (std::string why = watch_obstacle(); !why.empty()) GTEST_SKIP() << why;
  }

  /// 0: the tests passed, and it is said what was not seen.
  int run_suite() {
    Target target{
        std::filesystem::path(GORDIAN_EXTERNAL_FIXTURES) / "external_suite", {}, dir_, {}, ""};
    auto inspection = inspect(target);
    if (!inspection) return 2;
    ExternalRecorder recorder;
    ExecutorOptions options;
    options.watch = &recorder;
    auto executor = Executor::open(target, inspection->elf, inspection->framework, options);
    if (!executor) return 3;
    Order order = (*executor)->suite().default_order();
    RunListener silent;
    auto runs = (*executor)->run_fresh({&order, 1}, silent);
    if (!runs) return 4;
    if (runs->front().runs.front().outcome.kind != OutcomeKind::pass) return 5;
    if (!recorder.take().empty() || recorder.misses().size() != 1) return 6;
    return recorder.misses()[0].find("not watched") == std::string::npos ? 7 : 0;
  }
};

TEST_F(RefusedWatch, IsFoundByTrying) {
  EXPECT_EQ(under_another_watch([] { return watch_obstacle().empty() ? 1 : 0; }), 0);
}

TEST_F(RefusedWatch, TheRunGoesOnAndSaysWhatIsMissing) {
  EXPECT_EQ(under_another_watch([this] { return run_suite(); }), 0);
}

}  // namespace
}  // namespace gordian

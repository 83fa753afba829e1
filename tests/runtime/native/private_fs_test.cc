// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "runtime/native/private_fs.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>

#include "runtime/native/executor.h"
#include "runtime/process/process_view.h"

namespace gordian {
namespace {

namespace fs = std::filesystem;

/// So many of the processes that we fork die before they have done anything.
std::atomic<int>* doomed() {
  static auto* count = static_cast<std::atomic<int>*>(::mmap(nullptr, sizeof(std::atomic<int>),
                                                             PROT_READ | PROT_WRITE,
                                                             MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  static const int kept = ::pthread_atfork(nullptr, nullptr, [] {
    if (count->load() > 0 && count->fetch_sub(1) > 0) ::raise(SIGKILL);
  });
  (void)kept;
  return count;
}

class PrivateFsTest : public testing::Test {
 protected:
  void SetUp() override {
    target_.working_dir = fs::temp_directory_path();
    target_.binary = target_.working_dir / "none";
  }
  void TearDown() override {
    doomed()->store(0);
    ::unsetenv("GORDIAN_AGENT");
  }

  bool works_here() const { return PrivateFs::prepare(target_, {}).ok(); }

  Target target_;
};

TEST_F(PrivateFsTest, ATrialThatWasKilledIsMadeAgain) {
  if (!works_here()) GTEST_SKIP() << "no private files on this machine";
  doomed()->store(2);
  auto prepared = PrivateFs::prepare(target_, {});
  EXPECT_TRUE(prepared.ok()) << prepared.error().message;
}

TEST_F(PrivateFsTest, TrialsThatAreAlwaysKilledSayNothingAboutTheMachine) {
  doomed()->store(1000);
  auto prepared = PrivateFs::prepare(target_, {});
  ASSERT_FALSE(prepared.ok());
  EXPECT_EQ(prepared.error().kind, ErrorKind::internal);
  EXPECT_NE(prepared.error().message.find("was killed"), std::string::npos);
}

TEST_F(PrivateFsTest, ChildrenThatNobodyCanWaitForAreNoProof) {
  ::signal(SIGCHLD, SIG_IGN);  // inherited from who started us
  auto prepared = PrivateFs::prepare(target_, {});
  ::signal(SIGCHLD, SIG_DFL);
  ASSERT_FALSE(prepared.ok());
  EXPECT_EQ(prepared.error().kind, ErrorKind::internal);
}

TEST_F(PrivateFsTest, TestsDoNotRunInTheRealFilesBecauseATrialWasKilled) {
  doomed()->store(1000);
  ::setenv("GORDIAN_AGENT", "/dev/null", 1);  // it is not reached
  FrameworkFinding framework;
  framework.framework = Framework::gtest;
  auto opened = Executor::open(target_, ElfFacts{}, framework, ExecutorOptions{});
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().kind, ErrorKind::target);  // exit code 3
  EXPECT_NE(opened.error().message.find("was killed"), std::string::npos) << opened.error().message;
  EXPECT_NE(opened.error().hint.find("--private-fs off"), std::string::npos);
}

TEST_F(PrivateFsTest, AViewOfProcessesCoversNothingLessBecauseATrialWasKilled) {
  doomed()->store(3);  // as many as one round of trials
  auto view = ProcessView::prepare(target_.working_dir, {}, {});
  ASSERT_FALSE(view.ok());
  EXPECT_EQ(view.error().kind, ErrorKind::internal);
}

}  // namespace
}  // namespace gordian

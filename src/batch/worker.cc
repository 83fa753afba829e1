// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "batch/server.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "batch/identity.h"
#include "report/outcome_text.h"
#include "report/run_report.h"
#include "runtime/interrupt.h"
#include "runtime/native/isolation.h"

namespace gordian::batch {
namespace {

class Silent : public RunListener {
  bool wants_results() const override { return false; }
};

/// The other side has closed, or died.
bool is_gone(int fd) {
  pollfd watch{fd, POLLRDHUP, 0};
  return ::poll(&watch, 1, 0) > 0 && (watch.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

Reply refusal(std::string why) {
  Reply reply;
  reply.kind = Reply::Kind::refused;
  reply.text = std::move(why);
  return reply;
}

Reply error_reply(int exit_code, std::string text) {
  Reply reply;
  reply.kind = Reply::Kind::error;
  reply.exit_code = exit_code;
  reply.text = std::move(text);
  return reply;
}

/// The framework makes the directories of its own report too.
Status write_xml(const std::string& path, const Service& service, const Suite& suite,
                 const TestRun& run) {
  RunFacts facts;
  facts.header.target = service.run.target;
  facts.header.binary.path = service.run.target.binary;
  facts.suite = suite;
  facts.orders.push_back({{run.test}, {run}});
  facts.end = RunEnd::finished;
  facts.wall = run.duration;
  std::error_code none;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), none);
  return write_file(path, junit_xml({&facts, 1}));
}

std::string_view end_mark(OutcomeKind kind) {
  switch (kind) {
    case OutcomeKind::pass:
      return "[       OK ]";
    case OutcomeKind::skip:
      return "[  SKIPPED ]";
    case OutcomeKind::crash:
      return "[  CRASHED ]";
    case OutcomeKind::timeout:
      return "[ TIMED OUT]";
    case OutcomeKind::exit:
      return "[  EXITED  ]";
    case OutcomeKind::fail:
    case OutcomeKind::not_run:
    case OutcomeKind::lost:
      break;
  }
  return "[  FAILED  ]";
}

/// The framework repeats parameters behind the name of a test that failed.
std::string parameters(const Test& test) {
  if (test.type_param.empty() && test.value_param.empty()) return {};
  std::string text = ", where ";
  if (!test.type_param.empty()) text += "TypeParam = " + test.type_param;
  if (!test.type_param.empty() && !test.value_param.empty()) text += " and ";
  if (!test.value_param.empty()) text += "GetParam() = " + test.value_param;
  return text;
}

std::string with_newline(std::string text) {
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  return text;
}

/// A message that was not printed where the test prints: from global set-up, or from us.
std::string unprinted_message(const TestRun& run) {
  const Outcome& outcome = run.outcome;
  if (outcome.message.empty() || run.output.find(outcome.message) != std::string::npos) return {};
  std::string place = location_text(outcome.file, outcome.line);
  return with_newline(place.empty() ? outcome.message : place + ": " + outcome.message);
}

std::string remarks(const std::string& binary, const Test& test, const TestRun& run) {
  std::string text;
  if (run.output_truncated) text += "gordian: the output was cut\n";
  if (run.leaks.any()) text += "gordian: the test " + leaks_text(run.leaks) + "\n";
  if (run.outcome.kind == OutcomeKind::crash) {
    text += "gordian: the stack: " +
            shell_quoted({"gordian", "run", "--filter", test.full_name(), binary}) + "\n";
  }
  return text;
}

}  // namespace

bool send_connection(int channel, int connection) {
  char byte = 'c';
  iovec data{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof connection)] = {};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* rights = CMSG_FIRSTHDR(&message);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(sizeof connection);
  std::memcpy(CMSG_DATA(rights), &connection, sizeof connection);
  return ::sendmsg(channel, &message, MSG_NOSIGNAL) == 1;
}

UniqueFd receive_connection(int channel) {
  char byte = 0;
  iovec data{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t n = 0;
  do {
    n = ::recvmsg(channel, &message, MSG_CMSG_CLOEXEC);
  } while (n < 0 && errno == EINTR && !interrupted());
  cmsghdr* rights = n == 1 ? CMSG_FIRSTHDR(&message) : nullptr;
  if (rights == nullptr || rights->cmsg_type != SCM_RIGHTS) return {};
  int connection = -1;
  std::memcpy(&connection, CMSG_DATA(rights), sizeof connection);
  return UniqueFd(connection);
}

Service make_service(SessionRequest run, std::string identity, std::string stamp) {
  auto inspection = inspect(run.target);
  Service service{std::move(run), std::move(identity), std::move(stamp), {}, {}};
  if (inspection) service.inspection = std::move(*inspection);
  service.unservable = inspection ? service.inspection.unhookable : inspection.error().message;
  return service;
}

Worker::Worker(const Service& service, UniqueFd channel)
    : service_(service), channel_(std::move(channel)) {}

bool Worker::should_stop() const {
  return interrupted() || is_gone(channel_.get()) || (client_ >= 0 && is_gone(client_));
}

void Worker::serve() {
  for (;;) {
    UniqueFd connection = receive_connection(channel_.get());
    if (!connection.valid() || interrupted()) return;
    serve_one(connection);
  }
}

void Worker::serve_one(const UniqueFd& connection) {
  Answer answered = answer(connection);
  std::string report(1, answered.unservable.empty() ? kFree : kUnservable);
  report += answered.unservable.substr(0, 4000);
  // First the server, then the client: when ctest starts the next test because this one has ended,
  // the server must know already that we are free, or it would start another worker. If this fails
  // the server is gone, which the next receive shows.
  ::send(channel_.get(), report.data(), report.size(), MSG_NOSIGNAL);
  send_frame(connection.get(), answered.reply.packed());
}

Worker::Answer Worker::answer(const UniqueFd& connection) {
  timeval patience{10, 0};  // a client sends at once or is stuck
  ::setsockopt(connection.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  auto bytes = receive_frame(connection.get());
  auto request = bytes ? Request::unpack(*bytes) : std::nullopt;
  if (!request) return {refusal("the request was garbled"), {}};
  if (request->identity != service_.identity) {
    return {refusal("the batch server belongs to another binary or environment"), {}};
  }
  auto stamp = file_stamp(service_.run.target.binary.string());
  if (!stamp || *stamp != service_.stamp) {
    std::string why = "the binary was rebuilt while its tests ran";
    return {refusal(why), why};
  }
  if (Status opened = ensure_open(); !opened) {
    bool for_good = opened.error().kind != ErrorKind::interrupted;
    return {refusal(opened.error().message), for_good ? opened.error().message : ""};
  }
  return run_test(*request, connection);
}

/// Not ended by an impatient client: the next one will want the program too.
Status Worker::ensure_open() {
  if (executor_) return {};
  client_ = -1;
  ExecutorOptions options = service_.run.engine;
  options.snapshots = wants_snapshots(service_.run.isolation);
  options.hook_offsets = service_.inspection.hook_offsets;
  options.should_stop = [this] { return should_stop(); };
  auto opened = Executor::open(service_.run.target, service_.inspection.elf,
                               service_.inspection.framework, options);
  if (!opened) return opened.error();
  executor_ = std::move(*opened);
  notices_ = executor_->notices();
  isolation_ = usable_isolation(service_.run.isolation, *executor_, notices_);
  return {};
}

Worker::Answer Worker::run_test(const Request& request, const UniqueFd& connection) {
  const Suite& suite = executor_->suite();
  auto id = suite.find(request.test);
  if (!id) {
    return {error_reply(2, no_such_test(request.test)), {}};
  }
  Reply begun;
  begun.kind = Reply::Kind::begun;
  send_frame(connection.get(), begun.packed());
  client_ = connection.get();
  Silent listener;
  const Order order = {*id};
  auto runs = run_isolated(*executor_, isolation_, {&order, 1}, listener);
  client_ = -1;
  if (!runs) {  // the program would not start again
    executor_.reset();
    return {refusal(runs.error().message), {}};
  }
  const TestRun& run = runs->front().runs.front();
  if (run.outcome.kind == OutcomeKind::lost || run.outcome.kind == OutcomeKind::not_run) {
    std::string why =
        run.outcome.message.empty() ? "the batch server was ended" : run.outcome.message;
    return {refusal("no result: " + why), {}};
  }
  if (!request.xml.empty()) {
    Status written = write_xml(request.xml, service_, suite, run);
    if (!written) return {error_reply(4, written.error().message), {}};
  }
  return {reply_for(service_.run.target.binary.string(), suite.test(*id), run, notices_), {}};
}

Reply reply_for(const std::string& binary, const Test& test, const TestRun& run,
                const std::vector<Notice>& notices) {
  const OutcomeKind kind = run.outcome.kind;
  Reply reply;
  reply.kind = Reply::Kind::result;
  for (const Notice& notice : notices) {
    if (notice.level == Notice::Level::warning) reply.text += "gordian: " + notice.text + "\n";
  }
  reply.text += "[ RUN      ] " + test.full_name() + "\n" + with_newline(run.output);
  reply.text += unprinted_message(run);
  auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(run.duration).count();
  std::string ending = ending_text(run.outcome);
  reply.text += fmt::format("{} {}{}{} ({} ms)\n", end_mark(kind), test.full_name(),
                            kind == OutcomeKind::fail ? parameters(test) : "",
                            ending.empty() ? "" : ": " + ending, ms);
  reply.text += remarks(binary, test, run);
  reply.exit_code = kind == OutcomeKind::pass ? 0 : kind == OutcomeKind::skip ? kExitSkipped : 1;
  reply.signal = kind == OutcomeKind::crash ? run.outcome.signal : 0;
  return reply;
}

}  // namespace gordian::batch

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// gordian-ctest: what ctest starts once for each test that gordian_discover_tests has registered.
// A program of its own, because it is started so often: it knows neither ELF nor databases nor
// streams (which take a while to get ready), asks the batch server (batch/messages.h) and ends as
// the test has ended. Without a server it runs the test in a fresh process and says why.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <optional>
#include <string>

#include "base/unique_fd.h"
#include "batch/fresh_process.h"
#include "batch/identity.h"
#include "batch/messages.h"
#include "batch/rendezvous.h"

namespace gordian::batch {
namespace {

constexpr const char* kUsage =
    "usage: gordian-ctest [--xml=FILE] [OPTION=VALUE]... BINARY TEST [-- ARGUMENT...]\n"
    "\n"
    "Runs one test of a GoogleTest binary, isolated. CTest calls it for each test that\n"
    "gordian_discover_tests() registers; tests of one ctest run share one started process.\n"
    "  --xml=FILE      write JUnit XML\n"
    "  OPTION=VALUE    as for 'gordian run': --isolate=, --private-fs=, --private-dir=,\n"
    "                  --start-timeout=, --timeout=\n"
    "  ARGUMENT        for the binary\n"
    "\n"
    "Exit codes: 0 passed, 1 failed, 77 skipped, 2 usage, 3 the binary could not be run,\n"
    "4 internal error. A test that dies of a signal ends us with the same signal.\n";

constexpr int kUsageError = 2, kTargetError = 3, kInternalError = 4, kInterrupted = 130;

struct Words {
  Batch batch;
  std::string test, xml;
};

/// Names come from files and build scripts: a terminal must not act on them. C1 controls are two
/// bytes in UTF-8, of which the first is 0xc2.
std::string visible(const std::string& text) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string shown;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const unsigned char next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
    const bool c1 = byte == 0xc2 && next >= 0x80 && next < 0xa0;
    if (byte >= 0x20 && byte != 0x7f && !c1) {
      shown += text[i];
      continue;
    }
    shown += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
    if (c1) shown += {'\\', 'x', kDigits[next >> 4], kDigits[next & 15]}, ++i;
  }
  return shown;
}

void say(const std::string& text) {
  std::fflush(stdout);
  std::fprintf(stderr, "gordian: %s\n", visible(text).c_str());
}

std::string absolute(const std::string& path) {
  if (path.starts_with('/')) return path;
  char directory[4096];
  if (::getcwd(directory, sizeof directory) == nullptr) return path;
  return std::string(directory) + "/" + path;
}

std::optional<Words> parse(int argc, char** argv) {
  Words words;
  int at = 1;
  for (; at < argc && argv[at][0] == '-'; ++at) {
    std::string word = argv[at];
    if (!word.starts_with("--") || word.find('=') == std::string::npos) return std::nullopt;
    if (word.starts_with("--xml=")) {
      words.xml = word.substr(6);
    } else {
      words.batch.options.push_back(std::move(word));
    }
  }
  if (argc - at < 2) return std::nullopt;
  words.batch.binary = absolute(argv[at]);
  words.test = argv[at + 1];
  if (!words.xml.empty()) words.xml = absolute(words.xml);
  at += 2;
  if (at < argc && std::string(argv[at]) != "--") return std::nullopt;
  for (++at; at < argc; ++at) words.batch.args.emplace_back(argv[at]);
  return words;
}

/// The program that serves: beside us.
std::string gordian_program() {
  char path[4096];
  ssize_t size = ::readlink("/proc/self/exe", path, sizeof path);
  std::string us(path, size > 0 ? static_cast<std::size_t>(size) : 0);
  return us.substr(0, us.rfind('/') + 1) + "gordian";
}

/// As the test died, so do we: ctest names the signal in its report.
[[noreturn]] void die_of(int number) {
  rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);  // ours would explain nothing
  ::signal(number, SIG_DFL);
  sigset_t all;
  ::sigfillset(&all);
  ::sigprocmask(SIG_UNBLOCK, &all, nullptr);
  ::kill(::getpid(), number);
  ::_exit(128 + number);
}

int end_like(int exit_code, int number) {
  std::fflush(stdout);
  std::fflush(stderr);
  if (number != 0) die_of(number);
  return exit_code;
}

/// What the server had to say, in brackets; nothing if it said nothing.
std::string read_log(const std::string& socket_path) {
  UniqueFd file(::open(log_path(socket_path).c_str(), O_RDONLY | O_CLOEXEC));
  char bytes[2000];
  ssize_t size = file.valid() ? ::read(file.get(), bytes, sizeof bytes) : 0;
  std::string text(bytes, size > 0 ? static_cast<std::size_t>(size) : 0);
  while (text.ends_with('\n')) text.pop_back();
  return text.empty() ? text : " (" + text + ")";
}

/// What came of asking the server: its last reply, or why there is none.
struct Asked {
  std::optional<Reply> reply;
  std::string why;
  bool begun = false;
};

Asked ask_once(const Words& words, const std::string& identity, const std::string& socket_path) {
  auto connection = meet_server(words.batch, socket_path, gordian_program());
  if (!connection) {
    return {std::nullopt, connection.error().message + read_log(socket_path), false};
  }
  Asked asked;
  Request request{identity, words.test, words.xml};
  send_frame(connection->get(), request.packed());  // a refusal may come without being asked
  while (auto bytes = receive_frame(connection->get())) {
    auto reply = Reply::unpack(*bytes);
    if (!reply) break;
    asked.begun = true;
    if (reply->kind == Reply::Kind::begun) continue;
    asked.reply = std::move(reply);
    return asked;
  }
  asked.why = "the batch server ended without an answer" + read_log(socket_path);
  return asked;
}

/// Before the test has begun nothing has happened: a server that was just about to end gives way
/// to a new one.
Asked ask(const Words& words, const std::string& identity, const std::string& socket_path) {
  constexpr int kMostTries = 3;
  Asked asked;
  for (int i = 0; i < kMostTries && !asked.reply && !asked.begun && is_alive(words.batch.ctest);
       ++i) {
    asked = ask_once(words, identity, socket_path);
  }
  return asked;
}

int run_fresh(const Words& words, const std::string& why) {
  say("run in a fresh process: " + why);
  auto end = run_fresh_process(words.batch, words.test, words.xml);
  if (!end) {
    say(end.error().message);
    return end.error().kind == ErrorKind::usage ? kUsageError : kTargetError;
  }
  return end_like(end->skipped ? kExitSkipped : end->exit_code, end->signal);
}

int finish(const Words& words, const Asked& asked) {
  if (!asked.reply || asked.reply->kind == Reply::Kind::refused) {
    // Who asked for this test may be gone, and its server with it: then nobody wants the result.
    if (!is_alive(words.batch.ctest)) return kInterrupted;
    return run_fresh(words, asked.reply ? asked.reply->text : asked.why);
  }
  const Reply& reply = *asked.reply;
  if (reply.kind == Reply::Kind::error) {
    say(reply.text);
    return reply.exit_code;
  }
  std::fwrite(reply.text.data(), 1, reply.text.size(), stdout);
  return end_like(reply.exit_code, reply.signal);
}

int run(int argc, char** argv) {
  if (argc == 2 && std::string(argv[1]) == "--help") return std::fputs(kUsage, stdout) < 0;
  auto words = parse(argc, argv);
  if (!words) {
    std::fputs(kUsage, stderr);
    return kUsageError;
  }
  words->batch.ctest = find_ctest();
  auto identity = identity_text(words->batch);
  if (!identity) {
    say(identity.error().message);
    return kTargetError;
  }
  auto place = meeting_place();
  if (!place) return run_fresh(*words, place.error().message);
  std::string socket_path = *place + "/" + socket_name(*identity, words->batch.ctest);
  return finish(*words, ask(*words, *identity, socket_path));
}

}  // namespace
}  // namespace gordian::batch

int main(int argc, char** argv) {
  try {
    return gordian::batch::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gordian-ctest: %s\n", error.what());
    return gordian::batch::kInternalError;
  }
}

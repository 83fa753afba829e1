// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "engine/interrupt.h"

#include <signal.h>
#include <unistd.h>

#include <cstring>
#include <initializer_list>

namespace gordian {
namespace {

volatile sig_atomic_t requests = 0;

void on_signal(int) {
  if (requests > 0) ::_exit(130);
  requests = 1;
}

}  // namespace

void catch_interrupts() {
  struct sigaction action;
  std::memset(&action, 0, sizeof action);
  action.sa_handler = on_signal;
  for (int number : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(number, &action, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
}

bool interrupted() {
  return requests > 0;
}

void request_interrupt() {
  requests = 1;
}

}  // namespace gordian

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <string>

#include "catch.h"

namespace {
struct Log {
  bool open = false;
  std::string text;
  static Log& instance() {
    static Log log;
    return log;
  }
};
}  // namespace

SCENARIO("the log is opened", "[log]") {
  GIVEN("the only log there is") {
    Log& log = Log::instance();
    WHEN("it is opened") {
      log.open = true;  // WRITE
      THEN("it is open") {
        REQUIRE(log.open);
      }
    }
  }
}

SCENARIO("a line is written", "[log]") {
  Log& log = Log::instance();
  REQUIRE(log.open);  // READ
}

SCENARIO("texts can be joined", "[log]") {
  REQUIRE(std::string("a") + "b" == "ab");
}

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The test tree of Boost.Test as it lies in memory: test_unit, and the part of test_suite that says
// in which order its children run. As built with libstdc++ and 64-bit pointers by Boost 1.74;
// read_tree() looks at every unit before it believes that.
#pragma once

#include "target/agent/agent.h"

namespace gordian_agent {

/// boost::unit_test::const_string: two pointers. It has a copy constructor, so functions that take
/// one by value are handed its address.
struct BoostText {
  const char *begin, *end;
};
Text text_of(const BoostText& text);

struct BoostVector {
  char *begin, *end, *capacity;
};

struct BoostString {
  const char* data;
  size_t size;
  char local[16];
};
Text text_of(const BoostString& string);

enum { kBoostCase = 1, kBoostSuite = 16, kBoostAny = 17 };       // test_unit_type
enum { kBoostDisabled = 0, kBoostEnabled = 1, kBoostMost = 3 };  // test_unit::run_status

struct BoostUnit {
  int32_t type, padding;
  BoostText type_name, file;
  uint64_t line, id, parent;
  BoostVector labels, dependencies, preconditions;
  BoostString name, description;
  uint32_t timeout, more_padding;
  uint64_t expected_failures;
  int32_t default_status, run_status;
  uint64_t rank;
  BoostVector decorators, fixtures;
};
static_assert(sizeof(BoostUnit) == 280, "boost::unit_test::test_unit");

/// A node of std::multimap<counter_t, test_unit_id>; a map's header is one without the value.
struct BoostNode {
  uint64_t color;
  BoostNode *parent, *left, *right;
  uint64_t rank, id;
};

struct BoostSuite {  // behind its vptr
  BoostUnit unit;
  BoostVector children;
  uint64_t compare;
  uint64_t color;  // from here on the header of m_ranked_children
  BoostNode *root, *first, *last;
  uint64_t count;
};
inline BoostSuite* suite_part(BoostUnit* unit) {
  return (BoostSuite*)unit;
}
inline BoostNode* end_of(BoostSuite* suite) {
  return (BoostNode*)&suite->color;
}

/// framework::get() of the program.
typedef BoostUnit* (*GetUnit)(uint64_t id, int type);

struct BoostTree {
  struct Case {
    BoostUnit* unit;
    int suite;
  };
  struct Suite {
    BoostUnit* unit;
    int parent;        // -1 for the root
    BoostNode node;    // what the framework sees of its children: one at a time
    BoostNode* first;  // m_ranked_children's own
  };
  Case* cases;    // in the default order
  Suite* suites;  // parents before children; the root first
  int case_count, suite_count;
};

/// False: some unit does not look as it must.
bool read_tree(BoostUnit* root, GetUnit get, BoostTree* tree);

/// The child of `suite` on the way to the case, or null when the case is not below it.
BoostUnit* step_towards(const BoostTree& tree, int suite, int test);
/// The suite that is `unit` among those around the case; -1 for none.
int suite_around(const BoostTree& tree, int test, const BoostUnit* unit);

/// Tells the engine of every case. `with_disabled`: what is disabled can run, too.
void list_tree(const BoostTree& tree, GetUnit get, bool with_disabled);

// What Boost.Test writes to its log about the check that fails. Its observers hear only *that* one
// failed; where and why goes to the formatters, whose virtual functions we listen to.

/// Listens to the formatters that are there now, the program's own included. May be called again.
/// `log`: the program's unit_test_log.
void listen_to_formatters(void* log);

struct BoostEntry {
  Text file;
  int line;
  Text message;
};
/// The last entry of an error, and forgets it. Empty when the log's level hides errors.
BoostEntry take_error_entry();

/// Where the program had passed a check or a checkpoint before an exception came.
BoostEntry take_checkpoint();

// How Boost.Test has to be told to run for us: in its own order, without handlers for signals, so
// that a test that crashes ends its process as in other frameworks, and without colours in its log.
// Command line and environment are as they were again when the first test runs.

/// Before main().
void set_boost_options();
/// When the framework has read them.
void give_back_boost_options();

}  // namespace gordian_agent

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "target/agent/frameworks/boost_layout.h"

#include <string.h>

#include "target/agent/frameworks/safe_read.h"

namespace gordian_agent {
namespace {

const size_t kLongest = 1 << 20;  // bytes of a name

bool is_text(const BoostText& text) {
  char byte;
  if (text.begin == text.end) return true;
  return text.begin < text.end && (size_t)(text.end - text.begin) < kLongest &&
         peek(text.begin, &byte, 1) && peek(text.end - 1, &byte, 1);
}

/// `at` is where it lies in the target: a short string points into itself.
bool is_string(const BoostString& string, const BoostString* at) {
  char byte;
  if (string.size >= kLongest) return false;
  if (string.size < sizeof string.local && string.data == at->local) return true;
  return peek(string.data, &byte, 1) && peek(string.data + string.size, &byte, 1) && byte == 0;
}

bool is_vector(const BoostVector& v, size_t element) {
  char byte;
  if (v.begin == v.end) return v.capacity >= v.end;
  return v.begin < v.end && v.end <= v.capacity && (size_t)(v.end - v.begin) % element == 0 &&
         peek(v.begin, &byte, 1) && peek(v.end - 1, &byte, 1);
}

bool is_word(const BoostText& text, const char* word) {
  return is_text(text) && same_text(text_of(text), text_of(word));
}

bool looks_like_unit(const BoostUnit* at, uint64_t id) {
  BoostUnit u;
  if (!at || (uintptr_t)at % 8 || !peek(at, &u, sizeof u) || u.id != id) return false;
  bool is_case = u.type == kBoostCase && is_word(u.type_name, "case");
  bool is_suite =
      u.type == kBoostSuite && (is_word(u.type_name, "suite") || is_word(u.type_name, "module"));
  return (is_case || is_suite) && is_text(u.file) && u.line < 100000000 &&
         is_vector(u.labels, sizeof(BoostString)) && is_vector(u.dependencies, 8) &&
         is_vector(u.preconditions, 8) && is_string(u.name, &at->name) &&
         is_string(u.description, &at->description) && u.default_status >= 0 &&
         u.default_status <= kBoostMost && u.run_status >= 0 && u.run_status <= kBoostMost &&
         is_vector(u.decorators, 16) && is_vector(u.fixtures, 16);
}

bool looks_like_suite(BoostUnit* at) {
  BoostSuite s;
  if (!peek(at, &s, sizeof s) || !is_vector(s.children, 8)) return false;
  BoostNode* end = end_of(suite_part(at));
  if (s.count != (size_t)(s.children.end - s.children.begin) / 8) return false;
  return s.count == 0 ? s.first == end && s.last == end : s.root && s.root->parent == end;
}

/// As std::map's iterators go on.
BoostNode* next_node(BoostNode* node) {
  if (node->right) {
    for (node = node->right; node->left;) node = node->left;
    return node;
  }
  BoostNode* up = node->parent;
  for (; node == up->right; up = up->parent) node = up;
  return node->right == up ? node : up;
}

struct Reader {
  GetUnit get;
  BoostTree* tree;  // with arrays, or without to count
  bool fill;
  int depth;
};

bool read_suite(Reader* reader, BoostUnit* unit, int parent) {
  const int kDeepest = 200;
  BoostTree* tree = reader->tree;
  if (!looks_like_suite(unit) || reader->depth >= kDeepest) return false;
  int number = tree->suite_count++;
  BoostSuite* suite = suite_part(unit);
  if (reader->fill) {
    BoostTree::Suite entry = {unit, parent, BoostNode(), suite->first};
    tree->suites[number] = entry;
  }
  ++reader->depth;
  uint64_t seen = 0;
  for (BoostNode* n = suite->first; n != end_of(suite); n = next_node(n), ++seen) {
    if (seen == suite->count) return false;
    BoostUnit* child = reader->get(n->id, kBoostAny);
    if (!looks_like_unit(child, n->id) || child->parent != unit->id) return false;
    if (child->type == kBoostSuite) {
      if (!read_suite(reader, child, number)) return false;
      continue;
    }
    BoostTree::Case entry = {child, number};
    if (reader->fill) tree->cases[tree->case_count] = entry;
    ++tree->case_count;
  }
  --reader->depth;
  return seen == suite->count;
}

/// Text that grows. Not the target's heap; what it outgrows is lost, which is little.
struct Line {
  char* data;
  size_t size, room;

  void add(Text text) {
    if (size + text.size > room) {
      room = 2 * (size + text.size) + 4096;
      char* larger = (char*)agent_memory(room);
      if (size > 0) memcpy(larger, data, size);
      data = larger;
    }
    if (text.size > 0) memcpy(data + size, text.data, text.size);
    size += text.size;
  }
  void add(const char* word) { add(text_of(word)); }
  Text text() const { return Text{data, size}; }
};

void add_path(const BoostTree& tree, int suite, Line* line) {
  int parent = tree.suites[suite].parent;
  if (parent < 0) return;
  if (tree.suites[parent].parent >= 0) {
    add_path(tree, parent, line);
    line->add("/");
  }
  line->add(text_of(tree.suites[suite].unit->name));
}

void add_full_name(const BoostTree& tree, const BoostTree::Case& test, Line* line) {
  add_path(tree, test.suite, line);
  if (tree.suites[test.suite].parent >= 0) line->add(".");
  line->add(text_of(test.unit->name));
}

/// The unit itself, or a suite around it.
bool is_in(const BoostTree& tree, const BoostTree::Case& test, const BoostUnit* unit) {
  if (test.unit == unit) return true;
  for (int s = test.suite; s >= 0; s = tree.suites[s].parent) {
    if (tree.suites[s].unit == unit) return true;
  }
  return false;
}

/// The framework skips a test whose dependence is disabled, so nothing is to be run before it.
void add_needed(const BoostTree& tree, const BoostTree::Case& test, const BoostUnit* needed,
                bool with_disabled, Line* line) {
  for (int i = 0; i < tree.case_count; ++i) {
    const BoostTree::Case& other = tree.cases[i];
    bool runs = with_disabled || other.unit->run_status == kBoostEnabled;
    if (&other == &test || !runs || !is_in(tree, other, needed)) continue;
    add_full_name(tree, other, line);
    line->add("\n");
  }
}

void add_facts(const BoostTree& tree, const BoostTree::Case& test, const BoostUnit* unit,
               GetUnit get, bool with_disabled, Line* tags, Line* declared) {
  const BoostString* label = (const BoostString*)unit->labels.begin;
  for (; label < (const BoostString*)unit->labels.end; ++label) {
    tags->add("[");
    tags->add(text_of(*label));
    tags->add("]");
  }
  for (uint64_t* id = (uint64_t*)unit->dependencies.begin; id < (uint64_t*)unit->dependencies.end;
       ++id) {
    add_needed(tree, test, get(*id, kBoostAny), with_disabled, declared);
  }
}

}  // namespace

Text text_of(const BoostText& text) {
  return Text{text.begin, (size_t)(text.end - text.begin)};
}

Text text_of(const BoostString& string) {
  return Text{string.data, string.size};
}

bool read_tree(BoostUnit* root, GetUnit get, BoostTree* tree) {
  *tree = BoostTree();
  Reader count = {get, tree, false, 0};
  if (!root || !looks_like_unit(root, root->id) || root->type != kBoostSuite) return false;
  if (!read_suite(&count, root, -1)) return false;
  tree->cases = agent_array<BoostTree::Case>((size_t)tree->case_count);
  tree->suites = agent_array<BoostTree::Suite>((size_t)tree->suite_count);
  tree->case_count = tree->suite_count = 0;
  Reader fill = {get, tree, true, 0};
  return read_suite(&fill, root, -1);
}

BoostUnit* step_towards(const BoostTree& tree, int suite, int test) {
  BoostUnit* step = tree.cases[test].unit;
  for (int s = tree.cases[test].suite; s >= 0; s = tree.suites[s].parent) {
    if (s == suite) return step;
    step = tree.suites[s].unit;
  }
  return nullptr;
}

int suite_around(const BoostTree& tree, int test, const BoostUnit* unit) {
  int s = tree.cases[test].suite;
  while (s >= 0 && tree.suites[s].unit != unit) s = tree.suites[s].parent;
  return s;
}

void list_tree(const BoostTree& tree, GetUnit get, bool with_disabled) {
  Line path = Line(), tags = Line(), declared = Line();
  for (int i = 0; i < tree.case_count; ++i) {
    const BoostTree::Case& test = tree.cases[i];
    path.size = tags.size = declared.size = 0;
    add_path(tree, test.suite, &path);
    add_facts(tree, test, test.unit, get, with_disabled, &tags, &declared);
    for (int s = test.suite; s >= 0; s = tree.suites[s].parent) {
      add_facts(tree, test, tree.suites[s].unit, get, with_disabled, &tags, &declared);
    }
    ListedTest listed = ListedTest();
    listed.text[wire::kSuiteText] = path.text();
    listed.text[wire::kNameText] = text_of(test.unit->name);
    listed.text[wire::kFileText] = text_of(test.unit->file);
    listed.text[wire::kTagsText] = tags.text();
    listed.text[wire::kDeclaredText] = declared.text();
    listed.line = (int)test.unit->line;
    listed.will_run = test.unit->run_status == kBoostEnabled;
    listed.disabled = test.unit->default_status == kBoostDisabled;
    list_test(listed);
  }
}

}  // namespace gordian_agent

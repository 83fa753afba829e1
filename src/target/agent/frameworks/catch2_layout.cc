// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "target/agent/frameworks/catch2_layout.h"

#include <string.h>

#include "target/agent/frameworks/safe_read.h"

namespace gordian_agent {
namespace {

const size_t kLongest = 1u << 24;
const int kMostLines = 10000000;

/// Characters that are there, from the first to the one behind the last.
bool is_there(const Text& text) {
  char byte;
  if (text.size > kLongest || !text.data) return false;
  return peek(text.data, &byte, 1) && peek(text.data + text.size, &byte, 1);
}

/// A std::string: its characters end in a zero.
bool string_at(const char* at, Text* text) {
  if (!peek(at, text, sizeof *text) || !is_there(*text)) return false;
  return text->data[text->size] == 0;
}

/// Catch's StringRef; an empty one may point nowhere.
bool reference_at(const char* at, Text* text) {
  if (!peek(at, text, sizeof *text)) return false;
  if (text->size == 0) text->data = "";
  return text->size == 0 || is_there(*text);
}

struct Place {
  const char* file;
  size_t line;
};
bool place_at(const char* at, Text* file, int* line) {
  Place place;
  char byte;
  if (!peek(at, &place, sizeof place) || place.line > (size_t)kMostLines || !place.file ||
      !peek(place.file, &byte, 1)) {
    return false;
  }
  *file = text_of(place.file);
  *line = (int)place.line;
  return true;
}

/// Version 2 holds TestCase objects, 3 handles whose first word points to a TestCaseInfo.
const char* info_of(int major, const char* test) {
  const char* info = test;
  return major == 2 || peek(test, &info, sizeof info) ? info : nullptr;
}

struct Writer {
  char* to;
  size_t room, size;
  void add(const Text& text) {
    size_t take = text.size < room - size ? text.size : room - size;
    if (take > 0) memcpy(to + size, text.data, take);
    size += take;
  }
  void add(const char* text) { add(text_of(text)); }
};

bool has_name(const char* type, const char* name, size_t size) {
  const char* found;
  char text[64];
  return peek(type + 8, &found, 8) && size <= sizeof text && peek(found, text, size) &&
         memcmp(text, name, size) == 0;
}

/// By the first base of each class up to the interface. A class with several bases has a number
/// of flags where others have their base.
bool is_reporter_type(const char* type) {
  const char kOld[] = "N5Catch18IStreamingReporterE", kNew[] = "N5Catch14IEventListenerE";
  for (int depth = 0; depth < 12; ++depth) {
    if (has_name(type, kOld, sizeof kOld) || has_name(type, kNew, sizeof kNew)) return true;
    const char *base, *name;
    if (peek(type + 16, &base, 8) && peek(base, &name, 8) && peek(base + 8, &name, 8)) {
      type = base;
    } else if (!peek(type + 24, &type, 8)) {
      return false;
    }
  }
  return false;
}

const char* type_of(const void* object) {
  const char *vptr, *type;
  if (!peek(object, &vptr, 8) || !peek(vptr - 8, &type, 8)) return nullptr;
  return type;
}

}  // namespace

size_t catch2_test_size(int major) {
  return major == 2 ? 184 : 16;
}

bool read_catch2_test(int major, const char* test, Catch2Test* out) {
  const char* info = info_of(major, test);
  if (!info || !string_at(info, &out->name)) return false;
  const size_t place = major == 2 ? 144 : 104;
  bool named = major == 2 ? string_at(info + 32, &out->class_name)
                          : reference_at(info + 32, &out->class_name);
  out->properties = 0;
  if (!named || !place_at(info + place, &out->file, &out->line) ||
      !peek(info + place + 16, &out->properties, major == 2 ? 4 : 1) || out->properties < 0 ||
      out->properties > 127) {
    return false;
  }
  out->identity = info;
  return major == 3 || peek(test + 168, &out->identity, sizeof out->identity);  // its invoker
}

size_t write_catch2_tags(int major, const char* test, char* to, size_t room) {
  const char* info = info_of(major, test);
  Catch2Tests tags;
  Writer out = {to, room, 0};
  if (!info || !peek(info + (major == 2 ? 96 : 80), &tags, sizeof tags)) return 0;
  for (const char* tag = tags.begin; tag < tags.end; tag += major == 2 ? 32 : 16) {
    Text text;
    if (!reference_at(tag, &text) || out.size + text.size + 2 > room) break;
    out.add("[");
    out.add(text);
    out.add("]");
  }
  return out.size;
}

bool read_catch2_assertion(int major, const char* stats, Catch2Assertion* out) {
  const char* result = major == 2 ? stats + 8 : stats;  // version 2 begins with a vptr
  if (!peek(result + 136, &out->type, sizeof out->type)) return false;
  return out->type >= -1 && out->type < 0x1000 && reference_at(result, &out->macro) &&
         place_at(result + 16, &out->file, &out->line) &&
         reference_at(result + 32, &out->expression) && string_at(result + 56, &out->message) &&
         string_at(result + 88, &out->expanded);
}

size_t write_catch2_message(const Catch2Assertion& a, char* to, size_t room) {
  Writer out = {to, room, 0};
  // Without a macro the framework knows the last place only, and says "unknown expression".
  const bool expression = a.macro.size > 0 && a.expression.size > 0 && a.type != kCatch2Explicit;
  if (expression) {
    out.add(a.macro);
    out.add("( ");
    out.add(a.expression);
    out.add(" )");
  }
  const char* between = expression ? " " : "";
  if (a.type == kCatch2Explicit) out.add("explicit failure");
  if (a.type == kCatch2Skip) out.add("explicitly skipped");
  if (a.type == kCatch2Threw) {
    out.add(between);
    out.add("threw an unexpected exception");
  }
  if (a.type == kCatch2DidNotThrow) {
    out.add(between);
    out.add("threw no exception where one was expected");
  }
  if (a.type == kCatch2Fatal) {
    out.add(between);
    out.add("fatal error");
  }
  if (a.type == kCatch2Expression && a.expanded.size > 0) {
    out.add("\nwith expansion:\n  ");
    out.add(a.expanded);
  }
  if (a.message.size > 0) {
    out.add("\n");
    out.add(a.message);
  }
  return out.size;
}

char* find_by_vptr(const void* object, int words, uint64_t vptr) {
  for (int i = 0; i < words; ++i) {
    char* candidate;
    uint64_t found;
    if (!peek((const char*)object + i * 8, &candidate, 8)) return nullptr;
    if (candidate && peek(candidate, &found, 8) && found == vptr) return candidate;
  }
  return nullptr;
}

char* find_catch2_reporter(const void* run_context) {
  const int kWords = 128;
  for (int i = 1; i < kWords; ++i) {
    char* candidate;
    if (!peek((const char*)run_context + i * 8, &candidate, 8)) return nullptr;
    const char* type = type_of(candidate);
    if (type && is_reporter_type(type)) return candidate;
  }
  return nullptr;
}

bool is_catch2_class(const void* object) {
  const char* type = type_of(object);
  const char kPrefix[] = "N5Catch", kFanOut2[] = "N5Catch17ListeningReporterE",
             kFanOut3[] = "N5Catch13MultiReporterE";
  return type && has_name(type, kPrefix, sizeof kPrefix - 1) &&
         !has_name(type, kFanOut2, sizeof kFanOut2) && !has_name(type, kFanOut3, sizeof kFanOut3);
}

int find_slot(const uint64_t* table, uint32_t slots, uint64_t function) {
  for (uint32_t i = 0; i < slots; ++i) {
    uint64_t found;
    if (!peek(table + i, &found, 8)) return -1;
    if (found == function) return (int)i;
  }
  return -1;
}

}  // namespace gordian_agent

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors

#include <stdlib.h>
#include <string.h>

#include "target/agent/agent.h"
#include "target/agent/frameworks/boost_layout.h"
#include "target/agent/frameworks/frameworks.h"
#include "wire/hooks.h"

namespace gordian_agent {
namespace {

/// unit_test_log_formatter's virtual functions, behind the pair of destructors.
enum Slot { kExceptionStart = 11, kEntryStart = 13, kEntryText = 14, kEntryLazy = 15, kSlots = 22 };
enum { kFirstError = 3 };                 // log_entry_types: BOOST_UTL_ET_ERROR, then FATAL_ERROR
enum { kFirstFormat = 1, kFormats = 4 };  // output_format: OF_CLF, OF_XML, OF_JUNIT, custom

struct EntryData {
  BoostString file;
  uint64_t line;
};
struct CheckpointData {
  BoostText file;
  uint64_t line;
};

typedef void (*ExceptionStart)(void*, void* stream, const CheckpointData*, const void* exception);
typedef void (*EntryStart)(void*, void* stream, const EntryData*, int type);
typedef void (*EntryText)(void*, void* stream, const BoostText*);
typedef void (*EntryLazy)(void*, void* stream, const void* value);

/// One for each class of formatter.
struct Listened {
  void** table;
  void* real[kSlots];
};
const int kMostTables = 8;
Listened listened[kMostTables];
int table_count;

const size_t kMostFile = 1024, kMostMessage = 8192;
char file[kMostFile], message[kMostMessage], checkpoint_file[kMostFile];
size_t file_size, message_size, checkpoint_size;
int line, checkpoint_line;
const void* writer;  // the formatter whose entry is being taken down
bool complete;       // ... and no other's

void* const* real_of(void* formatter) {
  void** table = *(void***)formatter;
  for (int i = 0; i < table_count; ++i) {
    if (listened[i].table == table) return listened[i].real;
  }
  give_up(wire::kLayoutUnknown);
}

size_t copy_part(Text text, char* to, size_t room) {
  size_t size = text.size < room ? text.size : room;
  if (size > 0) memcpy(to, text.data, size);
  return size;
}

void on_exception_start(void* self, void* stream, const CheckpointData* data, const void* what) {
  if (owner()) {
    checkpoint_size = copy_part(text_of(data->file), checkpoint_file, kMostFile);
    checkpoint_line = (int)data->line;
  }
  ((ExceptionStart)real_of(self)[kExceptionStart])(self, stream, data, what);
}

/// With several formats each entry is written several times: the first one's is enough.
void on_entry_start(void* self, void* stream, const EntryData* data, int type) {
  if (owner()) {
    bool wanted = type >= kFirstError && (!complete || writer == self);
    if (wanted) {
      writer = self;
      file_size = copy_part(text_of(data->file), file, kMostFile);
      line = (int)data->line;
      message_size = 0;
      complete = true;
    } else if (writer == self) {
      writer = nullptr;
    }
  }
  ((EntryStart)real_of(self)[kEntryStart])(self, stream, data, type);
}

void on_entry_text(void* self, void* stream, const BoostText* text) {
  if (owner() && self == writer) {
    message_size += copy_part(text_of(*text), message + message_size, kMostMessage - message_size);
  }
  ((EntryText)real_of(self)[kEntryText])(self, stream, text);
}

/// Rendered by the base class, which hands the text to the function above.
void on_entry_lazy(void* self, void* stream, const void* value) {
  void** base = hook<void**>(wire::kFormatterVtable);
  void* render = owner() && self == writer ? base[kEntryLazy] : real_of(self)[kEntryLazy];
  ((EntryLazy)render)(self, stream, value);
}

void listen_to(void* formatter) {
  void** table = *(void***)formatter;
  for (int i = 0; i < table_count; ++i) {
    if (listened[i].table == table) return;
  }
  if (table_count == kMostTables) return;
  if (!make_writable(table, kSlots)) return;
  listened[table_count].table = table;
  memcpy(listened[table_count].real, table, sizeof listened[table_count].real);
  ++table_count;
  table[kExceptionStart] = (void*)on_exception_start;
  table[kEntryStart] = (void*)on_entry_start;
  table[kEntryText] = (void*)on_entry_text;
  table[kEntryLazy] = (void*)on_entry_lazy;
}

char** arguments;
char** random_argument;  // of them
char* given_argument;
char in_order[] = "--random=0";

/// What the framework reads from the environment where the command line does not say it.
struct Variable {
  const char *name, *value;
  bool always;  // also where the user has set it
  bool was_set;
  char given[64];
};
Variable variables[] = {
    {"BOOST_TEST_RANDOM", "0", true, false, ""},
    {"BOOST_TEST_CATCH_SYSTEM_ERRORS", "no", false, false, ""},
    {"BOOST_TEST_COLOR_OUTPUT", "no", false, false, ""},
};

/// glibc hands a constructor what main() will get.
__attribute__((constructor(101))) void note_arguments(int, char** argv, char**) {
  arguments = argv;
}

/// The framework takes any beginning of an option that is not that of another, too.
bool is_random(const char* argument) {
  const char kOption[] = "--random";
  const size_t kShortest = sizeof "--ra" - 1;
  size_t size = strcspn(argument, "=");
  return size >= kShortest && size < sizeof kOption && memcmp(argument, kOption, size) == 0;
}

void replace_argument() {
  if (!arguments || !arguments[0]) return;
  for (char** a = arguments + 1; *a && strcmp(*a, "--") != 0; ++a) {
    if (!is_random(*a)) continue;
    random_argument = a;
    given_argument = *a;
    *a = in_order;
  }
}

}  // namespace

void listen_to_formatters(void* log) {
  typedef void* (*GetFormatter)(void* log, int format);
  GetFormatter get = hook<GetFormatter>(wire::kGetFormatter);
  for (int format = kFirstFormat; format < kFirstFormat + kFormats; ++format) {
    if (void* formatter = get(log, format)) listen_to(formatter);
  }
}

BoostEntry take_error_entry() {
  BoostEntry entry = {{file, complete ? file_size : 0},
                      complete ? line : 0,
                      {message, complete ? message_size : 0}};
  complete = false;
  writer = nullptr;
  return entry;
}

BoostEntry take_checkpoint() {
  BoostEntry entry = {{checkpoint_file, checkpoint_size}, checkpoint_line, {"", 0}};
  checkpoint_size = 0;
  checkpoint_line = 0;
  return entry;
}

void set_boost_options() {
  replace_argument();
  for (Variable& variable : variables) {
    const char* given = getenv(variable.name);
    variable.was_set = given && strlen(given) < sizeof variable.given;
    if (variable.was_set) strcpy(variable.given, given);
    if (!given || variable.always) setenv(variable.name, variable.value, 1);
  }
}

void give_back_boost_options() {
  if (random_argument) *random_argument = given_argument;
  for (Variable& variable : variables) {
    if (variable.was_set) {
      setenv(variable.name, variable.given, 1);
    } else {
      unsetenv(variable.name);
    }
  }
}

}  // namespace gordian_agent

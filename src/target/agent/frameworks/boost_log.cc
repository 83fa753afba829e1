// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "target/agent/frameworks/boost_log.h"

#include <string.h>
#include <sys/mman.h>

#include "target/agent/frameworks/boost_layout.h"
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
  void** base = (void**)(uintptr_t)header->hooks.entry[wire::kFormatterVtable];
  void* render = owner() && self == writer ? base[kEntryLazy] : real_of(self)[kEntryLazy];
  ((EntryLazy)render)(self, stream, value);
}

void replace(void** table, int slot, void* ours) {
  table[slot] = ours;
}

void listen_to(void* formatter) {
  void** table = *(void***)formatter;
  for (int i = 0; i < table_count; ++i) {
    if (listened[i].table == table) return;
  }
  if (table_count == kMostTables) return;
  uintptr_t first = (uintptr_t)table & ~(uintptr_t)4095;
  uintptr_t last = ((uintptr_t)(table + kSlots) + 4095) & ~(uintptr_t)4095;
  if (mprotect((void*)first, last - first, PROT_READ | PROT_WRITE) != 0) return;
  listened[table_count].table = table;
  memcpy(listened[table_count].real, table, sizeof listened[table_count].real);
  ++table_count;
  replace(table, kExceptionStart, (void*)on_exception_start);
  replace(table, kEntryStart, (void*)on_entry_start);
  replace(table, kEntryText, (void*)on_entry_text);
  replace(table, kEntryLazy, (void*)on_entry_lazy);
}

}  // namespace

void listen_to_formatters(void* log) {
  typedef void* (*GetFormatter)(void* log, int format);
  GetFormatter get = (GetFormatter)(uintptr_t)header->hooks.entry[wire::kGetFormatter];
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

}  // namespace gordian_agent

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// operator new and delete, so that a block is known by who wrote `new`. Those of libstdc++ do the
// work where something must be thrown or a handler be called; they end up in our malloc(), and the
// block is then told once more, with the right caller.
#include "target/trace/blocks.h"

using namespace gordian_trace;

extern "C" {
void* __libc_malloc(size_t);
void __libc_free(void*);
void* __libc_memalign(size_t, size_t);
}

namespace std {
struct nothrow_t;
enum class align_val_t : size_t;
}  // namespace std

namespace {

typedef void* (*Throwing)(size_t);
typedef void* (*ThrowingAligned)(size_t, size_t);

/// The first try is ours; a program without libstdc++ has no other.
void* make(size_t size, const char* name, uint64_t pc) {
  void* at = __libc_malloc(size ? size : 1);
  if (!at) at = reinterpret_cast<Throwing>(dlsym(RTLD_NEXT, name))(size);
  block_allocated(at, size, pc);
  return at;
}
void* make_aligned(size_t size, std::align_val_t alignment, const char* name, uint64_t pc) {
  const size_t wanted = static_cast<size_t>(alignment);
  void* at = __libc_memalign(wanted, size ? size : 1);
  if (!at) at = reinterpret_cast<ThrowingAligned>(dlsym(RTLD_NEXT, name))(size, wanted);
  block_allocated(at, size, pc);
  return at;
}
void* try_make(size_t size, uint64_t pc) {
  void* at = __libc_malloc(size ? size : 1);
  block_allocated(at, size, pc);
  return at;
}
void* try_make_aligned(size_t size, std::align_val_t alignment, uint64_t pc) {
  void* at = __libc_memalign(static_cast<size_t>(alignment), size ? size : 1);
  block_allocated(at, size, pc);
  return at;
}
void destroy(void* at) {
  block_freed(at);
  __libc_free(at);
}

}  // namespace

#define GORDIAN_TRACE_NEW __attribute__((visibility("default"), weak))

GORDIAN_TRACE_NEW void* operator new(size_t size) {
  return make(size, "_Znwm", GORDIAN_TRACE_CALLER);
}
GORDIAN_TRACE_NEW void* operator new[](size_t size) {
  return make(size, "_Znam", GORDIAN_TRACE_CALLER);
}
GORDIAN_TRACE_NEW void* operator new(size_t size, const std::nothrow_t&) noexcept {
  return try_make(size, GORDIAN_TRACE_CALLER);
}
GORDIAN_TRACE_NEW void* operator new[](size_t size, const std::nothrow_t&) noexcept {
  return try_make(size, GORDIAN_TRACE_CALLER);
}
GORDIAN_TRACE_NEW void* operator new(size_t size, std::align_val_t alignment) {
  return make_aligned(size, alignment, "_ZnwmSt11align_val_t", GORDIAN_TRACE_CALLER);
}
GORDIAN_TRACE_NEW void* operator new[](size_t size, std::align_val_t alignment) {
  return make_aligned(size, alignment, "_ZnamSt11align_val_t", GORDIAN_TRACE_CALLER);
}
GORDIAN_TRACE_NEW void* operator new(size_t size, std::align_val_t alignment,
                                     const std::nothrow_t&) noexcept {
  return try_make_aligned(size, alignment, GORDIAN_TRACE_CALLER);
}
GORDIAN_TRACE_NEW void* operator new[](size_t size, std::align_val_t alignment,
                                       const std::nothrow_t&) noexcept {
  return try_make_aligned(size, alignment, GORDIAN_TRACE_CALLER);
}
#define GORDIAN_TRACE_DELETE(...)                                              \
  GORDIAN_TRACE_NEW void operator delete(void* at, ##__VA_ARGS__) noexcept {   \
    destroy(at);                                                               \
  }                                                                            \
  GORDIAN_TRACE_NEW void operator delete[](void* at, ##__VA_ARGS__) noexcept { \
    destroy(at);                                                               \
  }
GORDIAN_TRACE_DELETE()
GORDIAN_TRACE_DELETE(size_t)
GORDIAN_TRACE_DELETE(std::align_val_t)
GORDIAN_TRACE_DELETE(size_t, std::align_val_t)
GORDIAN_TRACE_DELETE(const std::nothrow_t&)
GORDIAN_TRACE_DELETE(std::align_val_t, const std::nothrow_t&)

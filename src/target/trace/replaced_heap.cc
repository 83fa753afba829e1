// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The allocation functions, and the mappings that programs make themselves. glibc's own allocator
// does the work, under names of its own that need no lookup.
#include <errno.h>
#include <stdarg.h>
#include <sys/mman.h>

#include "target/trace/blocks.h"

using namespace gordian_trace;

extern "C" {
void* __libc_malloc(size_t);
void __libc_free(void*);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
void* __libc_valloc(size_t);
}

namespace std {
struct nothrow_t;
enum class align_val_t : size_t;
}  // namespace std

namespace {

void* allocated(void* at, size_t size, uint64_t pc) {
  block_allocated(at, size, pc);
  return at;
}

void* reallocate(void* at, size_t size, uint64_t pc) {
  void* moved = __libc_realloc(at, size);
  if (moved) {
    block_moved(at, moved, size, pc);
  } else if (size == 0) {
    block_freed(at);
  }
  return moved;
}

typedef void* (*Throwing)(size_t);
typedef void* (*ThrowingAligned)(size_t, size_t);

/// The first try is ours; a program without libstdc++ has no other.
void* make(size_t size, const char* name, uint64_t pc) {
  void* at = __libc_malloc(size ? size : 1);
  if (!at) at = reinterpret_cast<Throwing>(dlsym(RTLD_NEXT, name))(size);
  return allocated(at, size, pc);
}
void* make_aligned(size_t size, std::align_val_t alignment, const char* name, uint64_t pc) {
  const size_t wanted = static_cast<size_t>(alignment);
  void* at = __libc_memalign(wanted, size ? size : 1);
  if (!at) at = reinterpret_cast<ThrowingAligned>(dlsym(RTLD_NEXT, name))(size, wanted);
  return allocated(at, size, pc);
}
void* try_make(size_t size, uint64_t pc) {
  return allocated(__libc_malloc(size ? size : 1), size, pc);
}
void* try_make_aligned(size_t size, std::align_val_t alignment, uint64_t pc) {
  return allocated(__libc_memalign(static_cast<size_t>(alignment), size ? size : 1), size, pc);
}
void destroy(void* at) {
  block_freed(at);
  __libc_free(at);
}

}  // namespace

GORDIAN_TRACE_REPLACES void* malloc(size_t size) {
  return allocated(__libc_malloc(size), size, GORDIAN_TRACE_CALLER);
}
GORDIAN_TRACE_REPLACES void free(void* at) {
  block_freed(at);
  __libc_free(at);
}
GORDIAN_TRACE_REPLACES void* calloc(size_t count, size_t size) {
  return allocated(__libc_calloc(count, size), count * size, GORDIAN_TRACE_CALLER);
}
GORDIAN_TRACE_REPLACES void* realloc(void* at, size_t size) {
  return reallocate(at, size, GORDIAN_TRACE_CALLER);
}
GORDIAN_TRACE_REPLACES void* reallocarray(void* at, size_t count, size_t size) {
  size_t all = 0;
  if (__builtin_mul_overflow(count, size, &all)) {
    errno = ENOMEM;
    return nullptr;
  }
  return reallocate(at, all, GORDIAN_TRACE_CALLER);
}
GORDIAN_TRACE_REPLACES void* memalign(size_t alignment, size_t size) {
  return allocated(__libc_memalign(alignment, size), size, GORDIAN_TRACE_CALLER);
}
GORDIAN_TRACE_REPLACES void* aligned_alloc(size_t alignment, size_t size) {
  return allocated(__libc_memalign(alignment, size), size, GORDIAN_TRACE_CALLER);
}
GORDIAN_TRACE_REPLACES void* valloc(size_t size) {
  return allocated(__libc_valloc(size), size, GORDIAN_TRACE_CALLER);
}
GORDIAN_TRACE_REPLACES int posix_memalign(void** result, size_t alignment, size_t size) {
  if (alignment < sizeof(void*) || (alignment & (alignment - 1))) return EINVAL;
  const int before = errno;
  void* at = __libc_memalign(alignment, size);
  errno = before;
  if (!at) return ENOMEM;
  *result = allocated(at, size, GORDIAN_TRACE_CALLER);
  return 0;
}

GORDIAN_TRACE_REPLACES void* mmap(void* wanted, size_t size, int protection, int flags, int fd,
                                  off_t offset) {
  void* at = GORDIAN_TRACE_NEXT(mmap)(wanted, size, protection, flags, fd, offset);
  if (at != MAP_FAILED) mapping_made(at, size, GORDIAN_TRACE_CALLER);
  return at;
}
GORDIAN_TRACE_REPLACES void* mmap64(void* wanted, size_t size, int protection, int flags, int fd,
                                    off64_t offset) {
  void* at = GORDIAN_TRACE_NEXT(mmap64)(wanted, size, protection, flags, fd, offset);
  if (at != MAP_FAILED) mapping_made(at, size, GORDIAN_TRACE_CALLER);
  return at;
}
GORDIAN_TRACE_REPLACES int munmap(void* at, size_t size) {
  const int result = GORDIAN_TRACE_NEXT(munmap)(at, size);
  if (result == 0) mapping_gone(at, size);
  return result;
}
GORDIAN_TRACE_REPLACES void* mremap(void* at, size_t size, size_t new_size, int flags, ...) {
  va_list more;
  va_start(more, flags);
  void* wanted = flags & MREMAP_FIXED ? va_arg(more, void*) : nullptr;
  va_end(more);
  void* moved = GORDIAN_TRACE_NEXT(mremap)(at, size, new_size, flags, wanted);
  if (moved == MAP_FAILED) return moved;
  mapping_gone(at, size);
  mapping_made(moved, new_size, GORDIAN_TRACE_CALLER);
  return moved;
}

// operator new and delete, so that a block is known by who wrote `new`. Those of libstdc++ do the
// work where something must be thrown or a handler be called; they end up in our malloc(), and the
// block is then told once more, with the right caller.
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

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// System V shared memory: segments that outlive the process which has made them, known by a key.
// They belong to the IPC namespace of the process, so all that is asked is asked by it: who looks
// from outside sees other ones.
#include <fmt/format.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "state/external/external_kinds.h"
#include "state/process_image.h"

namespace gordian {
namespace {

/// More is not kept: of a larger segment only size and mode are compared.
constexpr std::uint64_t kMostSegmentBytes = 4u << 20;
constexpr std::int64_t kMostSegments = 4096;

/// What StatePiece::raw begins with; the content follows.
struct SegmentHead {
  std::int64_t id = -1;
  std::uint64_t size = 0;
  std::uint64_t mode = 0;
};

SegmentHead head_of(const StatePiece& piece) {
  SegmentHead head;
  std::memcpy(&head, piece.raw.data(), sizeof head);
  return head;
}

std::string_view segment_content(const StatePiece& piece) {
  return std::string_view(piece.raw).substr(sizeof(SegmentHead));
}

template <class Info>
std::optional<Info> control(HeldProcess& held, std::int64_t id, int command, std::int64_t& result) {
  std::string room(sizeof(Info), '\0');
  result = held.system_call(SYS_shmctl, {id, std::int64_t{command}, room});
  if (result < 0) return std::nullopt;
  Info info{};
  std::memcpy(&info, held.text(sizeof info).data(), sizeof info);
  return info;
}

/// The segment in the address space of the held process, for as long as this lives.
class Attached {
 public:
  Attached(HeldProcess& held, std::int64_t id, int flags)
      : held_(held),
        address_(held.system_call(SYS_shmat, {id, std::int64_t{0}, std::int64_t{flags}})) {}
  ~Attached() {
    if (valid()) held_.system_call(SYS_shmdt, {address_});
  }
  Attached(const Attached&) = delete;
  Attached& operator=(const Attached&) = delete;

  bool valid() const { return address_ > 0; }
  std::optional<std::string> read(std::size_t size) const {
    return bytes_at(ProcessImage(held_.pid()), {static_cast<std::uint64_t>(address_), size});
  }
  bool write(std::string_view bytes) const {
    return write_memory(held_.pid(), static_cast<std::uint64_t>(address_), bytes);
  }

 private:
  HeldProcess& held_;
  std::int64_t address_;
};

/// "64 bytes: ready", "64 bytes of zeros".
std::string value_of_segment(std::uint64_t size, std::string_view content) {
  constexpr std::size_t kShown = 60, kShownBytes = 8;
  std::string text = fmt::format("{} bytes", size);
  if (content.empty()) return text;
  if (content.find_first_not_of('\0') == std::string_view::npos) return text + " of zeros";
  const std::string_view words = content.substr(0, content.find('\0'));
  const bool plain = !words.empty() && std::all_of(words.begin(), words.end(), [](unsigned char c) {
    return c >= ' ' && c < 0x7f;
  });
  text += ":";
  if (plain) return text + " " + std::string(words.substr(0, kShown));
  for (unsigned char byte : content.substr(0, kShownBytes)) text += fmt::format(" {:02x}", byte);
  return text + (content.size() > kShownBytes ? " ..." : "");
}

StatePieces read_segments(StateReading& from) {
  StatePieces found;
  std::int64_t last = -1;
  if (!control<shm_info>(from.held, 0, SHM_INFO, last)) return found;
  for (std::int64_t index = 0; index <= std::min(last, kMostSegments); ++index) {
    std::int64_t id = -1;
    const auto status = control<shmid_ds>(from.held, index, SHM_STAT, id);
    if (!status || (status->shm_perm.mode & SHM_DEST) != 0) continue;
    const SegmentHead head{id, status->shm_segsz, status->shm_perm.mode & 0777u};
    std::string content;
    if (head.size <= kMostSegmentBytes) {
      const Attached segment(from.held, id, SHM_RDONLY);
      if (segment.valid()) content = segment.read(head.size).value_or("");
    }
    const auto key = static_cast<std::uint32_t>(status->shm_perm.__key);
    const SegmentKey name{key, key == IPC_PRIVATE ? static_cast<int>(id) : -1};
    StatePiece piece;
    piece.text = value_of_segment(head.size, content);
    piece.raw.assign(reinterpret_cast<const char*>(&head), sizeof head);
    piece.raw += content;
    found.emplace(StateKey{CarrierKind::sysv, name}, std::move(piece));
  }
  return found;
}

bool fill(HeldProcess& held, std::int64_t id, std::string_view content) {
  const Attached segment(held, id, 0);
  return segment.valid() && segment.write(content);
}

/// One that was removed comes back under its key, and under another number.
bool put_segment_back(HeldProcess& held, const StateKey& key, const StatePiece* was,
                      const StatePiece* is) {
  const auto* name = key.as<SegmentKey>();
  const bool same = was != nullptr && is != nullptr && head_of(*was).id == head_of(*is).id;
  if (is != nullptr && !same) {
    const std::int64_t id = head_of(*is).id;
    if (held.system_call(SYS_shmctl, {id, std::int64_t{IPC_RMID}, std::int64_t{0}}) < 0) {
      return false;
    }
  }
  if (was == nullptr) return true;
  const SegmentHead head = head_of(*was);
  const std::string_view content = segment_content(*was);
  if (content.size() != head.size) return false;
  if (same) return head.mode == head_of(*is).mode && fill(held, head.id, content);
  if (name == nullptr || name->key == IPC_PRIVATE) return false;
  const std::int64_t made =
      held.system_call(SYS_shmget, {std::int64_t{name->key}, static_cast<std::int64_t>(head.size),
                                    static_cast<std::int64_t>(head.mode | IPC_CREAT | IPC_EXCL)});
  return made >= 0 && fill(held, made, content);
}

StateEvents segment_events(const StateKey& key, const StatePiece* was, const StatePiece* is) {
  StateEvents events;
  events.writing_calls = events.reading_calls = {SYS_shmget, SYS_shmat, SYS_shmctl};
  const auto* name = key.as<SegmentKey>();
  if (name != nullptr) events.number = name->key;
  if (const StatePiece* piece = is != nullptr ? is : was) events.handle = head_of(*piece).id;
  return events;
}

constexpr long kSegmentCalls[] = {SYS_shmget, SYS_shmat, SYS_shmctl, SYS_shmdt};

bool names_segment(const TraceEvent& event, const StateEvents& events, const MemoryImage&) {
  const auto first = static_cast<std::int64_t>(static_cast<std::int32_t>(event.arguments[0]));
  if (event.syscall != SYS_shmget) return !events.handle || first == *events.handle;
  return !events.number || static_cast<std::uint32_t>(first) == *events.number;
}

bool only_asks_for_segment(const TraceEvent& event) {
  const auto& a = event.arguments;
  switch (event.syscall) {
    case SYS_shmget:
      return (a[2] & IPC_CREAT) == 0;
    case SYS_shmat:
      return (a[2] & SHM_RDONLY) != 0;
    case SYS_shmctl:
      return a[1] != IPC_RMID && a[1] != IPC_SET;
    default:
      return false;
  }
}

}  // namespace

const ExternalKind kinds::segments = {
    .kind = CarrierKind::sysv,
    .pieces = PieceKind{read_segments, put_segment_back, segment_events},
    .concerns = names_segment,
    .only_asks = only_asks_for_segment,
    .unseen = kSegmentCalls};

}  // namespace gordian

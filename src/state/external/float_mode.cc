// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include <fmt/format.h>

#include "state/external/external_kinds.h"

namespace gordian {
namespace {

using namespace changes;

namespace wire = gordian_wire;

void read_float_mode(StateReading& from, ExternalState& to) {
  to.float_control = static_cast<std::uint64_t>(from.held.request(wire::kFloatControl));
}

std::string rounding_text(std::uint64_t control) {
  switch (control >> 13 & 3) {  // of MXCSR
    case 0:
      return "FE_TONEAREST";
    case 1:
      return "FE_DOWNWARD";
    case 2:
      return "FE_UPWARD";
    default:
      return "FE_TOWARDZERO";
  }
}

void float_change(const StateMoments& moments, Changes& changes) {
  const ExternalState &before = moments.before, &after = moments.after;
  constexpr std::uint64_t kSticky = 0x3f;  // exceptions that happened are no mode
  if ((before.float_control | kSticky) == (after.float_control | kSticky)) return;
  std::string was = rounding_text(before.float_control), is = rounding_text(after.float_control);
  const bool rounding = was != is;
  StateEvents events{.writers = {"fesetround", "fesetenv", "feenableexcept", "fedisableexcept"},
                     .readers = {"fegetround", "nearbyint", "rint", "lrint", "fegetenv"}};
  changes.push_back(changed(
      {CarrierKind::fp_mode,
       FloatKey{rounding ? FloatKey::Part::rounding : FloatKey::Part::control_word}},
      rounding ? was : fmt::format("{:#x}", before.float_control),
      rounding ? is : fmt::format("{:#x}", after.float_control),
      [control = before.float_control](HeldProcess& held) {
        return held.request(wire::kFloatControl, 0, {}, {1, control}) >= 0;
      },
      events));
}

}  // namespace

const ExternalKind kinds::float_mode = {
    .kind = CarrierKind::fp_mode, .read = read_float_mode, .compare = float_change};

}  // namespace gordian

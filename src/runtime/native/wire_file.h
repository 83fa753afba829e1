// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// The memory file through which engine and agent talk (wire/protocol.h), as others meet it: in the
// mappings of a process it is "/memfd:gordian-wire (deleted)".
#pragma once

namespace gordian {

inline constexpr const char* kWireFile = "gordian-wire";

}  // namespace gordian

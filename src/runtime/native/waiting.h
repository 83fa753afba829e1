// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// How the engine's loops sleep.
#pragma once

#include <poll.h>

#include <chrono>
#include <vector>

namespace gordian {

/// Sleeps until one of the descriptors has something, or `most` has passed.
inline void wait_for(std::vector<pollfd> fds,
                     std::chrono::milliseconds most = std::chrono::milliseconds(50)) {
  ::poll(fds.data(), fds.size(), static_cast<int>(most.count()));
}

}  // namespace gordian

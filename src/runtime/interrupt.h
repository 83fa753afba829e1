// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
//
// Ctrl-C, SIGTERM and SIGHUP: the first asks everybody to stop and keep what is known; the second
// ends the process at once (the kernel ends our children with us).
#pragma once

namespace gordian {

void catch_interrupts();
bool interrupted();
/// The same request from a handler of one's own; may be called in one.
void request_interrupt();

}  // namespace gordian

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
int g_level;

void raise_level() {
  ++g_level;
}

int level() {
  return g_level;
}

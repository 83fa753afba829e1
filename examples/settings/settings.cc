// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Gordian authors
#include "settings.h"

Settings& Settings::instance() {
  static Settings settings;
  return settings;
}

void Settings::set_verbosity(int level) {
  verbosity_ = level;
}
